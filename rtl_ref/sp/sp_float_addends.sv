// Prepares the two numbers that FLOAT_ADD, FLOAT_MULTIPLY and FLOAT_MULTIPLY_ADD add, and finds the results that are
// no numbers. A product is truncated to 24 bits before an addition. FLOAT_MULTIPLY, and FLOAT_MULTIPLY_ADD with a
// zero or denormal addend, round the whole product instead.
module sp_float_addends (
    input  sp_types::control_fields control,
    input  sp_types::float_operand  x,
    input  sp_types::float_operand  y,
    input  sp_types::float_operand  z,
    input  logic [47:0]             product,  // of the significands of x and y
    output sp_types::float_addends  addends
);
  logic is_add, is_multiply;
  assign is_add      = control.operation == sp_types::FLOAT_ADD;
  assign is_multiply = control.operation == sp_types::FLOAT_MULTIPLY;

  function automatic logic [8:0] offset_exponent(input logic [7:0] exponent, input logic zero);
    offset_exponent = zero ? 9'd0 : {1'b0, exponent} + 9'd128;
  endfunction

  logic        product_sign, product_zero, product_nan, product_infinite, product_alone;
  logic [8:0]  product_exponent;
  logic [23:0] product_significand;
  logic [2:0]  product_rest;
  assign product_sign        = x.sign ^ y.sign;
  assign product_zero        = x.zero | y.zero;
  assign product_nan         = x.nan | y.nan | (x.infinite & y.zero) | (x.zero & y.infinite);
  assign product_infinite    = x.infinite | y.infinite;
  // The exponents of x and y have the bias 127 each. The highest bit of the product is bit 46 or bit 47.
  assign product_exponent    = product_zero ? 9'd0 : {1'b0, x.exponent} + {1'b0, y.exponent} + 9'd1 + {8'd0, product[47]};
  assign product_significand = product[47] ? product[47:24] : product[46:23];
  assign product_rest        = product[47] ? {product[23], 1'b0, |product[22:0]} : {product[22], 1'b0, |product[21:0]};
  assign product_alone       = is_multiply | (~is_add & z.zero);

  // a is x or the product, b is y or z.
  logic a_nan, a_infinite, b_nan, b_infinite, a_sign, b_sign;
  assign a_sign     = is_add ? x.sign : product_sign;
  assign a_nan      = is_add ? x.nan : product_nan;
  assign a_infinite = is_add ? x.infinite : product_infinite;

  sp_types::float_operand b;
  assign b          = is_add ? y : z;
  assign b_sign     = is_multiply ? product_sign : b.sign;
  assign b_nan      = ~is_multiply & b.nan;
  assign b_infinite = ~is_multiply & b.infinite;

  assign addends.a_sign        = a_sign;
  assign addends.a_exponent    = is_add ? offset_exponent(x.exponent, x.zero) : product_exponent;
  assign addends.a_significand = is_add ? {x.significand, 3'd0}
                                        : {product_significand, product_alone ? product_rest : 3'd0};
  assign addends.b_sign        = b_sign;
  assign addends.b_exponent    = is_multiply ? 9'd0 : offset_exponent(b.exponent, b.zero);
  assign addends.b_significand = is_multiply ? 24'd0 : b.significand;
  assign addends.product_alone = product_alone;
  assign addends.input_nan     = x.nan | y.nan | b_nan;
  assign addends.nan           = a_nan | b_nan | (a_infinite & b_infinite & (a_sign ^ b_sign));
  assign addends.infinite      = a_infinite | b_infinite;
  assign addends.infinite_sign = a_infinite ? a_sign : b_sign;

  logic unused;
  assign unused = |control;
endmodule
