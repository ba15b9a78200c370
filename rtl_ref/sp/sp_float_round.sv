// Rounds a sum to nearest or to zero and makes it a single. Results below the normal range are zeros. Saturation gives
// zero for a NaN only if an operand is one.
module sp_float_round (
    input  sp_types::control_fields control,
    input  sp_types::float_normal   normal,
    output logic [31:0]             value,
    output logic [3:0]              flags
);
  localparam logic [30:0] INFINITY = 31'h7f800000, LARGEST = 31'h7f7fffff, ONE = 31'h3f800000;

  logic        nearest, up;
  logic [24:0] rounded;
  logic [8:0]  exponent;
  assign nearest  = control.rounding == sp_types::NEAREST;
  assign up       = nearest & normal.guard & (normal.sticky | normal.significand[0]);
  assign rounded  = {1'b0, normal.significand} + {24'd0, up};
  assign exponent = normal.exponent + {8'd0, rounded[24]};

  logic        underflow, overflow;
  logic [7:0]  field;
  logic [31:0] number;
  assign underflow = rounded[24:23] == 2'd0 || exponent <= 9'd128;
  assign overflow  = exponent >= 9'd128 + 9'd255;
  assign field     = exponent[7:0] + 8'd128;  // less the offset of 128, modulo 256
  always_comb begin
    if (normal.infinite) number = {normal.infinite_sign, INFINITY};
    else if (underflow) number = {normal.zero_sign, 31'd0};
    else if (overflow) number = {normal.sign, nearest ? INFINITY : LARGEST};
    else number = {normal.sign, field, rounded[22:0]};
  end

  logic zero_for_nan;
  assign zero_for_nan = control.saturate & normal.input_nan;
  always_comb begin
    if (normal.nan) value = zero_for_nan ? 32'd0 : 32'h7fffffff;
    else if (control.saturate && number[31]) value = 32'd0;
    else if (control.saturate && number[30:0] > ONE) value = {1'b0, ONE};
    else value = number;
  end
  sp_float_flags flags_of_value (.single(value), .flags(flags));

  logic unused;
  assign unused = |control;
endmodule
