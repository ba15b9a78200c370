// Registers in a row. A synthesis tool may move them into the logic in front of them.
module sp_delay #(
    parameter int unsigned WIDTH  = 1,
    parameter int unsigned STAGES = 1
) (
    input  logic             clk,
    input  logic [WIDTH-1:0] d,
    output logic [WIDTH-1:0] q
);
  if (STAGES == 0) begin : wires
    assign q = d;
    logic unused;
    assign unused = clk;
  end else begin : registers
    logic [WIDTH-1:0] line_q[STAGES];
    always_ff @(posedge clk) begin
      line_q[0] <= d;
      for (int unsigned s = 1; s < STAGES; s++) line_q[s] <= line_q[s-1];
    end
    assign q = line_q[STAGES-1];
  end
endmodule
