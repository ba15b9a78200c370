// The multiplier: 24 x 24 bits with or without sign, for significands and integers. There is no 32-bit multiplier.
module sp_multiplier (
    input  sp_types::control_fields control,
    input  logic [31:0]             source_0,
    input  logic [31:0]             source_1,
    input  logic [23:0]             significand_0,
    input  logic [23:0]             significand_1,
    output logic [47:0]             product,
    output logic [31:0]             integer_product
);
  localparam logic [23:0] TWO_OVER_PI = 24'ha2f983;  // / 2^24

  function automatic logic [24:0] integer_factor(input logic [23:0] source, input logic is_signed,
                                                 input logic of_16_bits);
    integer_factor = of_16_bits ? {{9{is_signed & source[15]}}, source[15:0]} : {is_signed & source[23], source[23:0]};
  endfunction

  logic signed [24:0] factor_0, factor_1;
  always_comb begin
    case (control.operation)
      sp_types::FLOAT_MULTIPLY, sp_types::FLOAT_MULTIPLY_ADD: begin
        factor_0 = {1'b0, significand_0};
        factor_1 = {1'b0, significand_1};
      end
      sp_types::REDUCE_SINE: begin
        factor_0 = {1'b0, significand_0};
        factor_1 = {1'b0, TWO_OVER_PI};
      end
      default: begin
        factor_0 = integer_factor(source_0[23:0], control.is_signed, control.product == sp_types::PRODUCT_16);
        factor_1 = integer_factor(source_1[23:0], control.y_signed, control.product == sp_types::PRODUCT_16);
      end
    endcase
  end

  logic signed [47:0] full;
  assign full            = factor_0 * factor_1;
  assign product         = full;
  assign integer_product = control.product == sp_types::PRODUCT_24_HIGH ? product[47:16] : product[31:0];

  logic unused;
  assign unused = |{source_0[31:24], source_1[31:24], control};
endmodule
