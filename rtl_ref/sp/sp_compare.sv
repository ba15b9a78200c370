// Compares x and y, integers or singles, and computes what follows from that alone: MINIMUM, MAXIMUM, SET, their
// forms for singles, FLOAT_SELECT, and the distance of x and y.
module sp_compare (
    input  sp_types::control_fields control,
    input  logic [31:0]             source_0,
    input  logic [31:0]             source_1,
    input  sp_types::float_operand  x,
    input  sp_types::float_operand  y,
    input  sp_types::float_operand  z,
    output logic [31:0]             distance,  // |x - y| of integers
    output logic [31:0]             value,
    output logic [3:0]              flags
);
  logic is_float, is_set;
  assign is_set   = control.operation == sp_types::SET || control.operation == sp_types::FLOAT_SET;
  assign is_float = control.operation == sp_types::FLOAT_SET || control.operation == sp_types::FLOAT_MINIMUM ||
                    control.operation == sp_types::FLOAT_MAXIMUM;

  // Keys are unsigned numbers in the order of the operands. 16-bit integers are compared in the upper half. To
  // FLOAT_SET both zeros are equal; for minimum and maximum the positive one is greater.
  function automatic logic [31:0] integer_key(input logic [31:0] source, input logic narrow, input logic is_signed);
    integer_key = (narrow ? {source[15:0], 16'd0} : source) ^ {is_signed, 31'd0};
  endfunction
  function automatic logic [31:0] float_key(input logic [30:0] magnitude, input logic negative);
    float_key = {~negative, magnitude ^ {31{negative}}};
  endfunction
  logic [31:0] single_x, single_y;
  assign single_x = {x.sign, x.exponent, x.significand[22:0]};
  assign single_y = {y.sign, y.exponent, y.significand[22:0]};
  logic [31:0] key_0, key_1;
  assign key_0 = is_float ? float_key(single_x[30:0], x.sign & ~(is_set & x.zero)) : integer_key(source_0, control.narrow, control.is_signed);
  assign key_1 = is_float ? float_key(single_y[30:0], y.sign & ~(is_set & y.zero)) : integer_key(source_1, control.narrow, control.is_signed);

  logic less, equal, unordered;
  assign less      = key_0 < key_1;
  assign equal     = key_0 == key_1;
  assign unordered = x.nan | y.nan;

  function automatic logic [31:0] extended(input logic [31:0] source, input logic narrow, input logic is_signed);
    extended = narrow ? {{16{is_signed & source[15]}}, source[15:0]} : source;
  endfunction
  logic [31:0] wide_0, wide_1;
  assign wide_0   = extended(source_0, control.narrow, control.is_signed);
  assign wide_1   = extended(source_1, control.narrow, control.is_signed);
  assign distance = less ? wide_1 - wide_0 : wide_0 - wide_1;

  logic holds;
  always_comb begin
    if (is_float && unordered) holds = control.compare[3];
    else if (equal) holds = control.compare[1];
    else if (less) holds = control.compare[0];
    else holds = control.compare[2];
  end

  // A NaN never wins against a number. FLOAT_SELECT: a NaN counts as negative.
  logic take_0;
  always_comb begin
    case (control.operation)
      sp_types::MINIMUM: take_0 = less;
      sp_types::MAXIMUM: take_0 = ~less;
      sp_types::FLOAT_MINIMUM: take_0 = y.nan | (less & ~x.nan);
      sp_types::FLOAT_MAXIMUM: take_0 = y.nan | (~less & ~x.nan);
      default: take_0 = z.zero | ~(z.sign | z.nan);
    endcase
  end

  logic [31:0] winner, integer_winner, float_winner;
  assign winner         = take_0 ? source_0 : source_1;
  assign integer_winner = control.narrow ? {16'd0, winner[15:0]} : winner;
  assign float_winner   = x.nan && y.nan ? 32'h7fffffff : take_0 ? single_x : single_y;

  logic [3:0] float_flags;
  sp_float_flags flags_of_float (.single(float_winner), .flags(float_flags));

  always_comb begin
    if (is_set) begin
      value = control.narrow ? {16'd0, {16{holds}}} : {32{holds}};
      flags = {2'd0, holds, ~holds};
    end else if (is_float) begin
      value = float_winner;
      flags = float_flags;
    end else if (control.operation == sp_types::FLOAT_SELECT) begin
      value = winner;
      flags = {2'd0, winner[31] & winner[30:0] != 31'd0, winner[30:0] == 31'd0};
    end else begin
      value = integer_winner;
      flags = {2'd0, control.narrow ? winner[15] : winner[31], integer_winner == 32'd0};
    end
  end

  logic unused;
  assign unused = |{control, x, y, z};
endmodule
