// First step of a conversion: takes the source apart. Integers become sign and magnitude, half precision becomes
// single, singles get their sign operations and, between floats, their saturation.
module sp_convert_source (
    input  sp_types::control_fields    control,
    input  logic [31:0]                source,
    input  logic [47:0]                product,  // of a significand and 2 / pi
    output sp_types::conversion_source converted
);
  logic from_integer;
  assign from_integer = control.operation == sp_types::INTEGER_TO_INTEGER ||
                        control.operation == sp_types::INTEGER_TO_FLOAT;

  // Integers of 8, 16 or 32 bits.
  logic        was_negative;
  logic [31:0] extended, magnitude;
  always_comb begin
    case (control.source_size)
      sp_types::BITS_8: begin
        was_negative = control.source_signed & source[7];
        extended     = {{24{was_negative}}, source[7:0]};
      end
      sp_types::BITS_16: begin
        was_negative = control.source_signed & source[15];
        extended     = {{16{was_negative}}, source[15:0]};
      end
      default: begin
        was_negative = control.source_signed & source[31];
        extended     = source;
      end
    endcase
  end
  assign magnitude = was_negative ? 32'd0 - extended : extended;

  // The conversion to half precision has two flaws, measured on silicon. When rounding up is possible, a magnitude
  // with ones in bits 29:5 counts as zero. Also, two to seven upper bits are lost; the longer the lower half of the
  // number, the fewer.
  logic        integer_negative, may_round_up, to_half;
  logic [31:0] without_ones, flawed;
  logic [15:0] low;
  logic [4:0]  low_zeros;
  logic [2:0]  more_lost;
  assign integer_negative = (was_negative & ~control.absolute[0]) ^ control.negate[0];
  assign may_round_up     = control.rounding == sp_types::NEAREST ||
                            control.rounding == (integer_negative ? sp_types::DOWN : sp_types::UP);
  assign without_ones     = may_round_up && (&magnitude[29:5]) ? 32'd0 : magnitude;
  assign low              = without_ones[15:0] - {15'd0, was_negative};
  sp_leading_zeros zeros_of_low (.bits({low, 16'd0}), .zeros(low_zeros));
  assign more_lost        = low_zeros < 5'd5 ? low_zeros[2:0] : 3'd5;
  assign flawed           = without_ones & (32'h3fffffff >> more_lost);
  assign to_half          = control.operation == sp_types::INTEGER_TO_FLOAT && control.result_size == sp_types::BITS_16;

  // Half precision is exact in single precision, its denormals included.
  logic [31:0] of_half;
  logic [4:0]  fraction_zeros;
  logic [9:0]  fraction;
  sp_leading_zeros zeros_of_fraction (.bits({source[9:0], 22'd0}), .zeros(fraction_zeros));
  assign fraction = source[9:0] << fraction_zeros;  // its highest one at bit 9
  always_comb begin
    of_half[31] = source[15];
    if (source[14:10] == 5'd31) of_half[30:0] = source[9:0] != 10'd0 ? 31'h7fffffff : 31'h7f800000;
    else if (source[14:10] != 5'd0) of_half[30:0] = {8'd112 + {3'd0, source[14:10]}, source[9:0], 13'd0};
    else if (source[9:0] != 10'd0) of_half[30:0] = {8'd112 - {3'd0, fraction_zeros}, fraction[8:0], 14'd0};
    else of_half[30:0] = 31'd0;
  end

  sp_types::float_operand float_source;
  logic                   half_source, saturated;
  logic [31:0]            single;
  assign half_source = control.source_size == sp_types::BITS_16;
  sp_float_operand source_operand (
      .bits(half_source ? of_half : source),
      .negate(control.negate[0]),
      .absolute(control.absolute[0]),
      .operand(float_source)
  );
  assign single    = {float_source.sign, float_source.exponent, float_source.significand[22:0]};
  assign saturated = control.saturate && control.operation == sp_types::FLOAT_TO_FLOAT;

  assign converted.negative       = from_integer ? integer_negative : float_source.sign;
  assign converted.magnitude      = to_half ? flawed : magnitude;
  assign converted.scaled_product = product[47:16];
  always_comb begin
    if (saturated && (float_source.nan || float_source.sign)) converted.single = 32'd0;
    else if (saturated && single[30:23] >= 8'd127) converted.single = 32'h3f800000;
    else converted.single = single;
  end

  logic unused;
  assign unused = |{control, float_source, product[15:0], fraction[9]};
endmodule
