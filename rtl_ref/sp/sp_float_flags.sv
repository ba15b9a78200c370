// Flags of a single: its comparison with zero. Z for equal, S for less, both for NaN.
module sp_float_flags (
    input  logic [31:0] single,
    output logic [3:0]  flags
);
  logic zero, nan;
  assign zero  = single[30:23] == 8'd0;
  assign nan   = single[30:0] > 31'h7f800000;
  assign flags = {2'd0, nan | (single[31] & ~zero), nan | zero};
endmodule
