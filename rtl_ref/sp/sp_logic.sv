// Bitwise operations and shifts of integers of 16 or 32 bits.
//
// A count does not wrap: one of the width or more leaves nothing, or the sign. C is the last bit shifted out, 0 for a
// count of the width or more. O says that a shift by one changed the sign.
module sp_logic (
    input  sp_types::control_fields control,
    input  logic [31:0]             source_0,
    input  logic [31:0]             source_1,
    output logic [31:0]             value,
    output logic [3:0]              flags
);
  logic narrow;
  assign narrow = control.narrow;

  logic [31:0] x, y, combined;
  assign x = source_0 ^ {32{control.invert[0]}};
  assign y = source_1 ^ {32{control.invert[1]}};
  always_comb begin
    case (control.bitwise)
      sp_types::BITWISE_AND: combined = x & y;
      sp_types::BITWISE_OR: combined = x | y;
      sp_types::BITWISE_XOR: combined = x ^ y;
      default: combined = y;
    endcase
  end

  // The bit next to the result is the last one shifted out. A left shift of 16 bits works in the upper half.
  logic               above_31, below_width, sign;
  logic [4:0]         count;
  logic [32:0]        left;
  logic signed [33:0] right;
  assign above_31    = narrow ? source_1[15:5] != 11'd0 : source_1[31:5] != 27'd0;
  assign below_width = narrow ? source_1[15:4] == 12'd0 : source_1[31:5] == 27'd0;
  assign count       = source_1[4:0];
  assign sign        = control.is_signed & (narrow ? source_0[15] : source_0[31]);
  assign left        = {1'b0, narrow ? {source_0[15:0], 16'd0} : source_0} << count;
  assign right       = $signed({sign, narrow ? {{16{sign}}, source_0[15:0]} : source_0, 1'b0}) >>> count;

  logic [31:0] full;
  logic        last_out;
  always_comb begin
    case (control.operation)
      sp_types::SHIFT_LEFT: begin
        full     = above_31 ? 32'd0 : narrow ? {16'd0, left[31:16]} : left[31:0];
        last_out = left[32];
      end
      sp_types::SHIFT_RIGHT: begin
        full     = above_31 ? {32{sign}} : right[32:1];
        last_out = right[0];
      end
      default: begin
        full     = combined;
        last_out = 1'b0;
      end
    endcase
  end

  logic is_shift, old_sign, new_sign, carry, overflow;
  assign is_shift = control.operation != sp_types::BITWISE;
  assign value    = narrow ? {16'd0, full[15:0]} : full;
  assign old_sign = narrow ? source_0[15] : source_0[31];
  assign new_sign = narrow ? full[15] : full[31];
  assign carry    = last_out & below_width;
  assign overflow = is_shift & below_width & count == 5'd1 & (old_sign ^ new_sign);
  assign flags    = {overflow, carry, new_sign, value == 32'd0};

  logic unused;
  assign unused = |{control, right[33]};
endmodule
