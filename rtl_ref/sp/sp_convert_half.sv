// Last step of a conversion to a float: makes the single half precision if that is the result. Magnitudes below 2^-33
// become zero in every rounding mode; values that have been rounded to integers are truncated.
module sp_convert_half (
    input  sp_types::control_fields control,
    input  logic [31:0]             single,
    output logic [31:0]             value,
    output logic [3:0]              flags
);
  localparam logic [14:0] INFINITY = 15'h7c00, LARGEST = 15'h7bff;

  logic        sign, nan, normal;
  logic [7:0]  field;
  logic [25:0] significand;
  assign sign        = single[31];
  assign field       = single[30:23];
  assign nan         = single[30:0] > 31'h7f800000;
  assign normal      = field >= 8'd113;  // in half precision
  assign significand = {1'b1, single[22:0], 2'd0};

  logic [7:0]  shift;
  logic [25:0] shifted;
  logic        lost, away, nearest, up, overflow, keeps_finite;
  logic [14:0] rounded;
  assign shift        = normal ? 8'd13 : 8'd126 - field;
  assign shifted      = significand >> shift;
  assign lost         = (significand & ~(~26'd0 << shift)) != 26'd0;
  assign away         = control.rounding == (sign ? sp_types::DOWN : sp_types::UP) && ~control.integral;
  assign nearest      = control.rounding == sp_types::NEAREST && ~control.integral;
  assign up           = nearest ? shifted[1] & (shifted[0] | lost | shifted[2]) : away & ((|shifted[1:0]) | lost);
  assign rounded      = {normal ? field[4:0] - 5'd17 : 5'd0, 10'd0} + {4'd0, shifted[12:2]} + {14'd0, up};
  assign overflow     = field > 8'd142 || rounded > LARGEST;
  assign keeps_finite = control.rounding == sp_types::TO_ZERO || control.rounding == (sign ? sp_types::UP : sp_types::DOWN);

  logic [15:0] half;
  always_comb begin
    if (nan) half = 16'h7fff;
    else if (field == 8'd255) half = {sign, INFINITY};
    else if (field < 8'd94) half = {sign, 15'd0};
    else if (overflow) half = {sign, keeps_finite ? LARGEST : INFINITY};
    else half = {sign, rounded};
  end

  logic       half_zero;
  logic [3:0] single_flags;
  assign half_zero = half[14:0] == 15'd0;
  sp_float_flags flags_of_single (.single(single), .flags(single_flags));
  always_comb begin
    if (control.result_size == sp_types::BITS_16) begin
      value = {16'd0, half};
      flags = {2'd0, nan | (half[15] & ~half_zero), nan | half_zero};
    end else begin
      value = single;
      flags = single_flags;
    end
  end

  logic unused;
  assign unused = |{control, shifted[25:13]};
endmodule
