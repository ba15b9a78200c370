// Prepares the two integers to add: x and y, or a product or distance and z. Subtraction adds the complement and 1.
module sp_integer_addends (
    input  sp_types::control_fields  control,
    input  logic [31:0]              source_0,
    input  logic [31:0]              source_1,
    input  logic [31:0]              source_2,
    input  logic                     carry_in,  // C of flags_in
    input  logic [31:0]              product,
    input  logic [31:0]              distance,
    output sp_types::integer_addends addends
);
  logic [31:0] a, b;
  logic [1:0]  combine;
  always_comb begin
    b       = source_2;
    combine = sp_types::SUM;
    case (control.operation)
      sp_types::ADD: begin
        a       = source_0;
        b       = source_1;
        combine = control.combine;
      end
      sp_types::MULTIPLY_ADD: begin
        a       = product;
        combine = control.combine;
      end
      sp_types::MULTIPLY: begin
        a = product;
        b = 32'd0;
      end
      default: a = distance;
    endcase
  end

  assign addends.a = combine == sp_types::REVERSED_DIFFERENCE ? ~a : a;
  assign addends.b = combine == sp_types::DIFFERENCE ? ~b : b;
  always_comb begin
    case (combine)
      sp_types::SUM: addends.carry = 1'b0;
      sp_types::SUM_WITH_CARRY: addends.carry = carry_in;
      default: addends.carry = 1'b1;
    endcase
  end

  logic unused;
  assign unused = |control;
endmodule
