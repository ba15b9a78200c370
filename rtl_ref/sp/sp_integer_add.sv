// The integer adder. C is the carry out, so after a subtraction it means "no borrow"; O is the signed overflow. An
// overflow that saturates gives the limit on the side of the sign of a; Z and S then describe the limit.
module sp_integer_add (
    input  sp_types::integer_addends addends,
    input  logic                     narrow,
    input  logic                     saturate,
    output logic [31:0]              value,
    output logic [3:0]               flags
);
  // 16-bit numbers are added in the upper half; the lower half is all ones and passes the carry on.
  logic [31:0] a, b, sum, limited;
  logic        carry_out, overflow;
  assign a                = narrow ? {addends.a[15:0], 16'hffff} : addends.a;
  assign b                = narrow ? {addends.b[15:0], 16'd0} : addends.b;
  assign {carry_out, sum} = {1'b0, a} + {1'b0, b} + {32'd0, addends.carry};
  assign overflow         = a[31] == b[31] && a[31] != sum[31];
  assign limited          = saturate && overflow ? {a[31], {31{~a[31]}}} : sum;
  assign value            = narrow ? {16'd0, limited[31:16]} : limited;
  assign flags            = {overflow, carry_out, limited[31], value == 32'd0};
endmodule
