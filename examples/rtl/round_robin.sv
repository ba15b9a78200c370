// An issue arbiter: the first requesting warp behind the one that issued last. The grant is combinational.
module round_robin #(
    parameter int WARPS = 32
) (
    input  logic             clk,
    input  logic             rst_n,
    input  logic [WARPS-1:0] ready,
    output logic [WARPS-1:0] issue,   // one hot; 0 without a ready warp
    input  logic             issued   // the warp of `issue` leaves in this cycle
);
  logic [WARPS-1:0] mask;  // of the warps behind the one that issued last
  logic [WARPS-1:0] first;

  always_comb begin
    first = (ready & mask) != 0 ? ready & mask : ready;
    issue = first & (~first + 1'b1);
  end

  always_ff @(posedge clk or negedge rst_n)
    if (!rst_n) mask <= '1;
    else if (issued && issue != 0) mask <= ~(issue | (issue - 1'b1));
endmodule
