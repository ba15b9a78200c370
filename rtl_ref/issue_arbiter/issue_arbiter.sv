// Issue arbiter of a streaming multiprocessor: chooses the warp that issues among those that are ready.
//
// ORDER 0, loose round robin: grants the first requesting warp after the one that issued last; warps without a request
// are skipped. ORDER 1, greedy then oldest: grants the warp that issued last as long as it requests and its slot has
// not been given to a new warp, else the requesting warp that started first. Of warps that started in one cycle, the
// one in the lower slot is older. Source: the baseline of the literature (Narasiman et al., MICRO 2011); greedy then
// oldest: Rogers, O'Connor, Aamodt, MICRO 2012.
//
// Interface. Everything is synchronous to the rising edge of clk. Answers are combinational: they belong to the
// inputs of the same cycle. State changes at the edge that ends the cycle.
//
//   request      bit w: the oldest instruction of warp w is ready to issue in this cycle
//   grant_valid  some warp requests
//   grant_warp   the warp to issue; 0 without a request
//   accept       the granted warp issues in this cycle. Without it the state does not change.
//   start        bit w: a new warp occupies slot w from the coming edge on; it is younger than all others
//
// One cycle: when a slot is granted and started at once, the grant belongs to the old warp, and the new warp does not
// inherit the greedy preference.
//
// reset is synchronous, active high: the order is that of the slots from 0 up, and no warp has issued yet.
module issue_arbiter #(
    parameter int unsigned WARPS      = 32,
    parameter int unsigned ORDER      = 0,
    localparam int unsigned WARP_BITS = WARPS > 1 ? $clog2(WARPS) : 1
) (
    input  logic                 clk,
    input  logic                 reset,
    input  logic [WARPS-1:0]     request,
    output logic                 grant_valid,
    output logic [WARP_BITS-1:0] grant_warp,
    input  logic                 accept,
    input  logic [WARPS-1:0]     start
);
  typedef logic [WARPS-1:0] warp_set;

  // The winner, one hot.
  warp_set winner;
  assign grant_valid = |request;
  always_comb begin : encode
    grant_warp = '0;
    for (int unsigned w = 0; w < WARPS; w++) if (winner[w]) grant_warp = grant_warp | WARP_BITS'(w);
  end

  if (ORDER == 0) begin : round_robin
    // State: the slots after the one that issued last.
    warp_set behind_q;

    warp_set behind, candidates;
    assign behind     = request & behind_q;
    assign candidates = behind != '0 ? behind : request;
    assign winner     = candidates & (~candidates + 1'b1);

    always_ff @(posedge clk) begin
      if (reset) behind_q <= '1;
      else if (accept && grant_valid) behind_q <= ~(winner | (winner - 1'b1));
    end

    logic unused;
    assign unused = |start;
  end else begin : greedy_then_oldest
    // State: the warp that issued last, one hot, none after its slot was given away; the age order of the warps.
    warp_set current_q;
    warp_set older_q[WARPS];

    function automatic warp_set only(input logic [WARP_BITS-1:0] warp);
      only       = '0;
      only[warp] = 1'b1;
    endfunction

    always_comb begin : choose
      winner = request & current_q;
      if (winner == '0)
        for (int w = 0; w < WARPS; w++) if (request[w] && (request & older_q[w]) == '0) winner[w] = 1'b1;
    end

    always_ff @(posedge clk) begin
      if (reset) current_q <= '0;
      else current_q <= (accept && grant_valid ? winner : current_q) & ~start;
      for (int w = 0; w < WARPS; w++) begin
        if (reset) older_q[w] <= only(WARP_BITS'(w)) - 1'b1;
        else if (start[w]) older_q[w] <= ~only(WARP_BITS'(w)) & ~(start & ~(only(WARP_BITS'(w)) - 1'b1));
        else older_q[w] <= older_q[w] & ~start;
      end
    end

`ifndef SYNTHESIS
    logic undecided;
    always_comb begin
      undecided = 1'b0;
      for (int w = 0; w < WARPS; w++)
        for (int v = 0; v < w; v++) if (older_q[w][v] == older_q[v][w]) undecided = 1'b1;
    end
    one_is_older: assert property (@(posedge clk) disable iff (reset) !undecided)
      else $error("issue arbiter: of two warps neither is older, or both are");
`endif
  end

`ifndef SYNTHESIS
  one_winner: assert property (@(posedge clk) disable iff (reset) $onehot0(winner))
    else $error("issue arbiter: several winners: %b", winner);
  winner_requests: assert property (@(posedge clk) disable iff (reset) (winner & ~request) == '0)
    else $error("issue arbiter: winner %b of the requests %b", winner, request);
  somebody_wins: assert property (@(posedge clk) disable iff (reset) request != '0 |-> winner != '0)
    else $error("issue arbiter: no winner of the requests %b", request);
  accepts_a_grant: assert property (@(posedge clk) disable iff (reset) accept |-> grant_valid)
    else $error("issue arbiter: accept without a grant");
`endif
endmodule
