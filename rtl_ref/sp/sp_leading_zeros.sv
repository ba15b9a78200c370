// Number of zeros above the highest one of 32 bits; 31 for zero too.
module sp_leading_zeros (
    input  logic [31:0] bits,
    output logic [4:0]  zeros
);
  logic        none_16, none_8, none_4, none_2;
  logic [15:0] upper_16;
  logic [7:0]  upper_8;
  logic [3:0]  upper_4;
  logic [1:0]  upper_2;
  assign none_16  = bits[31:16] == 16'd0;
  assign upper_16 = none_16 ? bits[15:0] : bits[31:16];
  assign none_8   = upper_16[15:8] == 8'd0;
  assign upper_8  = none_8 ? upper_16[7:0] : upper_16[15:8];
  assign none_4   = upper_8[7:4] == 4'd0;
  assign upper_4  = none_4 ? upper_8[3:0] : upper_8[7:4];
  assign none_2   = upper_4[3:2] == 2'd0;
  assign upper_2  = none_2 ? upper_4[1:0] : upper_4[3:2];
  assign zeros    = {none_16, none_8, none_4, none_2, ~upper_2[1]};

  logic unused;
  assign unused = upper_2[0];
endmodule
