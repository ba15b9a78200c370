// A single as the SP sees it: sign operations applied, denormals are zeros.
module sp_float_operand (
    input  logic [31:0]            bits,
    input  logic                   negate,
    input  logic                   absolute,
    output sp_types::float_operand operand
);
  logic zero, top;
  assign zero = bits[30:23] == 8'd0;
  assign top  = bits[30:23] == 8'd255;

  assign operand.sign        = (bits[31] & ~absolute) ^ negate;
  assign operand.exponent    = bits[30:23];
  assign operand.significand = zero ? 24'd0 : {1'b1, bits[22:0]};
  assign operand.zero        = zero;
  assign operand.infinite    = top && bits[22:0] == 23'd0;
  assign operand.nan         = top && bits[22:0] != 23'd0;
endmodule
