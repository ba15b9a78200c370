// A border between two segments of a pipeline: registers, or wires if the pipeline has fewer stages than segments.
module sp_cut #(
    parameter int unsigned WIDTH      = 1,
    parameter bit          REGISTERED = 1'b1
) (
    input  logic             clk,
    input  logic [WIDTH-1:0] d,
    output logic [WIDTH-1:0] q
);
  if (REGISTERED) begin : registers
    always_ff @(posedge clk) q <= d;
  end else begin : wires
    assign q = d;
    logic unused;
    assign unused = clk;
  end
endmodule
