// Second step of a conversion: rounds a single to an integer, clamps integers to the range of the result, and does the
// range reductions of the special functions, which are conversions to fixed point.
module sp_convert_integer (
    input  sp_types::control_fields    control,
    input  sp_types::conversion_source converted,
    output logic [31:0]                value,  // of conversions to integers, and of the reductions
    output logic [3:0]                 flags,
    output sp_types::conversion_step   step    // of conversions to floats
);
  logic        is_sine, is_power, from_integer, sign, zero, infinite, nan;
  logic [7:0]  field;
  logic [23:0] significand;
  assign is_sine      = control.operation == sp_types::REDUCE_SINE;
  assign is_power     = control.operation == sp_types::REDUCE_POWER;
  assign from_integer = control.operation == sp_types::INTEGER_TO_INTEGER ||
                        control.operation == sp_types::INTEGER_TO_FLOAT;
  assign sign         = converted.single[31];
  assign field        = converted.single[30:23];
  assign zero         = field == 8'd0;
  assign infinite     = converted.single[30:0] == 31'h7f800000;
  assign nan          = converted.single[30:0] > 31'h7f800000;
  assign significand  = {~zero, converted.single[22:0]};

  // A number in units of 1 (sine: 2^-23 quadrants; power: 2^-23), with 26 more bits below (10 of a significand), shifted
  // to the right. Two bits below the unit and all that is lost say how to round. Fields above `largest` do not fit.
  logic [57:0] number, shifted;
  logic [7:0]  largest, shift;
  logic        too_large, lost, away, up;
  logic [31:0] whole;
  assign number    = is_sine ? {converted.scaled_product, 26'd0} : {24'd0, significand, 10'd0};
  assign largest   = is_sine ? 8'd159 : is_power ? 8'd135 : 8'd158;
  assign too_large = field > largest;
  assign shift     = largest - field;
  assign shifted   = number >> shift;
  assign lost      = (number & ~(~58'd0 << shift)) != 58'd0;
  assign away      = control.rounding == (sign ? sp_types::DOWN : sp_types::UP);
  assign up        = control.rounding == sp_types::NEAREST ? shifted[1] & (shifted[0] | lost | shifted[2])
                                                           : away & ((|shifted[1:0]) | lost);
  always_comb begin
    if (nan) whole = 32'd0;
    else if (too_large) whole = 32'hffffffff;
    else whole = shifted[33:2] + {31'd0, up};
  end

  // Clamps a magnitude.
  logic        negative;
  logic [31:0] largest_unsigned, limit, magnitude, clamped, integer_value;
  always_comb begin
    case (control.result_size)
      sp_types::BITS_8: largest_unsigned = 32'h000000ff;
      sp_types::BITS_16: largest_unsigned = 32'h0000ffff;
      default: largest_unsigned = 32'hffffffff;
    endcase
    if (control.is_signed) limit = (largest_unsigned >> 1) + {31'd0, negative};
    else limit = negative ? 32'd0 : largest_unsigned;
  end
  assign negative      = from_integer ? converted.negative : sign;
  assign magnitude     = from_integer ? converted.magnitude : whole;
  assign clamped       = magnitude > limit ? limit : magnitude;
  assign integer_value = negative ? 32'd0 - clamped : clamped;

  logic [31:0] reduced;
  always_comb begin
    if (nan) reduced = {sign, 31'h40000000};
    else if (infinite || (is_power && field > 8'd133)) reduced = {sign, 31'h40800000};
    else if (zero || too_large) reduced = {sign, 31'd0};
    else reduced = {sign, is_power ? shifted[32:2] : {6'd0, shifted[26:2]}};
  end

  always_comb begin
    if (is_sine || is_power) begin
      value = reduced;
      flags = 4'd0;
    end else begin
      value = control.narrow ? {16'd0, integer_value[15:0]} : integer_value;
      flags = {2'd0, control.narrow ? integer_value[15] : integer_value[31], value == 32'd0};
    end
  end

  // Singles from 2^23 on are integral.
  assign step.negative    = negative;
  assign step.keep_single = ~from_integer & (~control.integral | field >= 8'd150);
  assign step.single      = nan ? 32'h7fffffff : converted.single;
  assign step.whole       = magnitude;

  logic unused;
  assign unused = |{control, shifted[57:34]};
endmodule
