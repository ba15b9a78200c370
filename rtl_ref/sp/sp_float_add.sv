// Aligns two numbers and adds them. Three bits below the significand keep all that rounding needs to know.
module sp_float_add (
    input  sp_types::float_addends addends,
    output sp_types::float_sum     sum
);
  logic        a_larger, subtract, lost, sign;
  logic [8:0]  augend_exponent, addend_exponent, distance;
  logic [26:0] augend, addend, shifted;
  assign a_larger = {addends.a_exponent, addends.a_significand} >= {addends.b_exponent, addends.b_significand, 3'd0};
  assign subtract = addends.a_sign ^ addends.b_sign;
  assign augend   = a_larger ? addends.a_significand : {addends.b_significand, 3'd0};
  assign addend   = a_larger ? {addends.b_significand, 3'd0} : addends.a_significand;

  assign augend_exponent = a_larger ? addends.a_exponent : addends.b_exponent;
  assign addend_exponent = a_larger ? addends.b_exponent : addends.a_exponent;
  assign distance        = augend_exponent - addend_exponent;
  assign shifted         = distance > 9'd26 ? 27'd0 : addend >> distance[4:0];
  assign lost            = distance > 9'd26 ? addend != 27'd0 : (addend & ((27'd1 << distance[4:0]) - 27'd1)) != 27'd0;

  logic [27:0] aligned, significand;
  assign aligned     = {1'b0, shifted[26:1], shifted[0] | lost};
  assign significand = subtract ? {1'b0, augend} - aligned : {1'b0, augend} + aligned;
  assign sign        = a_larger ? addends.a_sign : addends.b_sign;

  assign sum.exponent      = augend_exponent;
  assign sum.significand   = significand;
  assign sum.sign          = sign;
  assign sum.zero_sign     = significand == 28'd0 || addends.product_alone ? addends.a_sign & addends.b_sign : sign;
  assign sum.product_alone = addends.product_alone;
  assign sum.input_nan     = addends.input_nan;
  assign sum.nan           = addends.nan;
  assign sum.infinite      = addends.infinite;
  assign sum.infinite_sign = addends.infinite_sign;
endmodule
