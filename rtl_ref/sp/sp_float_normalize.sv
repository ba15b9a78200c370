// Shifts the highest one of a sum to bit 23 of the significand, but not beyond the exponent of the smallest normal
// number: sums below it are rounded on the grid of the denormals. A product alone has no such limit.
module sp_float_normalize (
    input  sp_types::float_sum    sum,
    output sp_types::float_normal normal
);
  logic [4:0] zeros, shift;
  sp_leading_zeros leading_zeros (.bits({sum.significand, 4'd0}), .zeros(zeros));

  // The largest shift: the exponent field of the sum, which is sum.exponent - 128 and at least 1 here.
  logic       limited;
  logic [8:0] field;
  assign field   = sum.exponent - 9'd128;
  assign limited = ~sum.product_alone && field < {4'd0, zeros};
  assign shift   = limited ? field[4:0] : zeros;

  logic [27:0] shifted;
  assign shifted            = sum.significand << shift;
  assign normal.exponent    = sum.exponent + 9'd1 - {4'd0, shift};
  assign normal.significand = shifted[27:4];
  assign normal.guard       = shifted[3];
  assign normal.sticky      = |shifted[2:0];

  assign normal.sign          = sum.sign;
  assign normal.zero_sign     = sum.zero_sign;
  assign normal.input_nan     = sum.input_nan;
  assign normal.nan           = sum.nan;
  assign normal.infinite      = sum.infinite;
  assign normal.infinite_sign = sum.infinite_sign;
endmodule
