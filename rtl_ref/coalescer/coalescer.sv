// Coalescer of a texture processing cluster: turns the accesses of a half-warp into memory transactions, one per cycle.
//
// RULE 0, compute capability 1.0 and 1.1: if every active lane k accesses word k of one aligned block of 16 words of 4,
// 8 or 16 bytes, the block is one transaction of 64 bytes, one of 128, or two of 128 of which one without lanes is left
// out. Otherwise each active lane has a transaction of 32 bytes. RULE 1, compute capability 1.2 and 1.3: the lowest lane
// that is left determines a segment of 32 bytes (words of 1 byte), 64 (2) or 128 (4, 8, 16); all lanes in it are served;
// halves of the segment that none of them touches are cut off, down to 32 bytes. Source: CUDA C Programming Guide 4.2,
// appendix F.3.2. The rule is a parameter and no pin: a chip has one, and the logic of the other is not built.
//
// Interface. Everything is synchronous to the rising edge of clk. Answers are combinational: they belong to the inputs
// of the same cycle. State changes at the edge that ends the cycle. Both sides are valid/ready: a transfer takes place
// at an edge at which both are 1.
//
//   half_valid     a half-warp waits. It stays, unchanged, until half_ready.
//   half_address   byte addresses of the 16 lanes, multiples of the word in active lanes, any value in others
//   half_lanes     the active lanes, not 0
//   half_size      binary logarithm of the bytes of a word: 0 to 4
//   half_separate  do not merge, whatever the rule: a transaction of one word per active lane, ascending (atomics)
//   half_ready     the last transaction of the half-warp is taken in this cycle
//   transaction_valid        there is a transaction in every cycle in which a half-warp waits: the first one in its
//                  first cycle, the next one in the cycle after it was taken
//   transaction_ready        it is taken in this cycle. Without it the state does not change.
//   transaction_address      a multiple of its size
//   transaction_size         binary logarithm of its bytes: 5 to 7; of separate words, that of the word
//   transaction_lanes        the lanes it serves, at least one
//   transaction_in_sequence  RULE 1: it serves all 16 lanes, and lane k accesses the k-th 4-byte word after that of
//                  lane 0; otherwise 0
//   transaction_last         no lane is left after it
//   lanes_left     the active lanes that no earlier transaction has served
//
// Without half_valid the answers other than transaction_valid have no meaning. There is one address space, of
// ADDRESS_BITS, and sums are modulo its size. A segment lies within a page, so virtual and physical addresses give the
// same transactions.
//
// reset is synchronous, active high: no lane of the coming half-warp has been served.
module coalescer #(
    parameter int unsigned RULE         = 1,
    parameter int unsigned ADDRESS_BITS = 32,
    localparam int unsigned LANES       = 16,
    localparam int unsigned SIZE_BITS   = 3
) (
    input  logic                          clk,
    input  logic                          reset,
    input  logic                          half_valid,
    input  logic [LANES*ADDRESS_BITS-1:0] half_address,
    input  logic [LANES-1:0]              half_lanes,
    input  logic [SIZE_BITS-1:0]          half_size,
    input  logic                          half_separate,
    output logic                          half_ready,
    output logic                          transaction_valid,
    input  logic                          transaction_ready,
    output logic [ADDRESS_BITS-1:0]       transaction_address,
    output logic [SIZE_BITS-1:0]          transaction_size,
    output logic [LANES-1:0]              transaction_lanes,
    output logic                          transaction_in_sequence,
    output logic                          transaction_last,
    output logic [LANES-1:0]              lanes_left
);
  typedef logic [LANES-1:0]        lane_set;
  typedef logic [ADDRESS_BITS-1:0] address_t;
  typedef logic [SIZE_BITS-1:0]    size_t;

  // State: lanes that earlier transactions of the half-warp have served.
  lane_set served_q;

  address_t address[LANES];
  for (genvar n = 0; n < LANES; n++) begin : by_lane
    assign address[n] = half_address[n*ADDRESS_BITS+:ADDRESS_BITS];
  end

  function automatic lane_set lowest(input lane_set lanes);
    lowest = lanes & (~lanes + 1'b1);
  endfunction

  // The lowest lane that is left, one hot, and its address. Every transaction holds it, so its address without the
  // bits within the transaction is the transaction's.
  lane_set  lead;
  address_t lead_address;
  assign lanes_left = half_lanes & ~served_q;
  assign lead       = lowest(lanes_left);
  always_comb begin : select_lead
    lead_address = '0;
    for (int n = 0; n < LANES; n++) if (lead[n]) lead_address = lead_address | address[n];
  end

  // The transaction by the rule: its size, its lanes.
  size_t   rule_size;
  lane_set rule_lanes;
  logic    rule_in_sequence;

  if (RULE == 0) begin : cc_1_0
    // Words 0 and 8 of the half-warp, if its first active lane accesses the word of its number. Of 16-byte words,
    // those of the lanes from 8 up are in the block behind that of the others.
    lane_set  first;
    address_t first_address, low_block, high_block;
    logic     in_order;
    assign first = lowest(half_lanes);
    always_comb begin : blocks
      first_address = '0;
      for (int n = 0; n < LANES; n++) if (first[n]) first_address = first_address | address[n];
      low_block  = half_size == 3'd2 ? {first_address[ADDRESS_BITS-1:6], 6'd0} : {first_address[ADDRESS_BITS-1:7], 7'd0};
      high_block = low_block;
      case (half_size)
        3'd2:    high_block[5] = 1'b1;
        3'd3:    high_block[6] = 1'b1;
        default: if (first[7:0] != '0) high_block = low_block + ADDRESS_BITS'(128);
      endcase
    end

    always_comb begin : compare
      address_t expected;
      expected = '0;
      in_order = half_size >= 3'd2;
      for (int n = 0; n < LANES; n++) begin
        expected = (n < 8 ? low_block : high_block) | (ADDRESS_BITS'(n % 8) << half_size);
        if (half_lanes[n] && address[n] != expected) in_order = 1'b0;
      end
    end

    always_comb begin : choose
      rule_size  = 3'd5;
      rule_lanes = lead;
      if (in_order) begin
        rule_size  = half_size == 3'd2 ? 3'd6 : 3'd7;
        rule_lanes = lanes_left;
        if (half_size == 3'd4 && lead[7:0] != '0) rule_lanes[15:8] = '0;
      end
    end
    assign rule_in_sequence = 1'b0;
  end else begin : cc_1_2
    // Lanes in the segment of the lead, and whether they touch the half of 64 or the quarter of 32 bytes without it.
    lane_set same;
    logic    other_64, other_32;
    always_comb begin : match
      same     = '0;
      other_64 = 1'b0;
      other_32 = 1'b0;
      for (int n = 0; n < LANES; n++) begin
        if (lanes_left[n] && address[n][ADDRESS_BITS-1:7] == lead_address[ADDRESS_BITS-1:7] &&
            (half_size >= 3'd2 || address[n][6] == lead_address[6]) &&
            (half_size >= 3'd1 || address[n][5] == lead_address[5])) begin
          same[n] = 1'b1;
          if (address[n][6] != lead_address[6]) other_64 = 1'b1;
          if (address[n][5] != lead_address[5]) other_32 = 1'b1;
        end
      end
    end
    assign rule_size  = other_64 ? 3'd7 : other_32 ? 3'd6 : 3'd5;
    assign rule_lanes = same;

    // The lanes are in one segment of 32 words: the number of the word, and a carry that must not occur.
    logic successive;
    always_comb begin : count
      successive = half_size == 3'd2;
      for (int n = 0; n < LANES; n++)
        if ({1'b0, address[n][6:2]} != {1'b0, address[0][6:2]} + 6'(n)) successive = 1'b0;
    end
    assign rule_in_sequence = successive && same == '1;
  end

  assign transaction_valid       = half_valid;
  assign transaction_size        = half_separate ? half_size : rule_size;
  assign transaction_lanes       = half_separate ? lead : rule_lanes;
  assign transaction_in_sequence = rule_in_sequence && !half_separate;
  assign transaction_address     = lead_address >> transaction_size << transaction_size;
  assign transaction_last        = transaction_lanes == lanes_left;
  assign half_ready              = transaction_ready && transaction_last;

  always_ff @(posedge clk) begin
    if (reset) served_q <= '0;
    else if (half_valid && transaction_ready) served_q <= transaction_last ? '0 : served_q | transaction_lanes;
  end

`ifndef SYNTHESIS
  // The half-warp stays until its last transaction is taken.
  half_warp_stays: assert property (@(posedge clk) disable iff (reset)
      half_valid && !half_ready |=> half_valid && $stable(half_address) && $stable(half_lanes) &&
          $stable(half_size) && $stable(half_separate))
    else $error("coalescer: the half-warp changes before its last transaction is taken");
  some_lane: assert property (@(posedge clk) disable iff (reset) half_valid |-> half_lanes != '0)
    else $error("coalescer: a half-warp without lanes");
  word_of_a_size: assert property (@(posedge clk) disable iff (reset) half_valid |-> half_size <= 3'd4)
    else $error("coalescer: words of 2 to the power of %0d bytes", half_size);

  // The same of the transaction, lane by lane.
  logic outside;
  always_comb begin
    outside = 1'b0;
    for (int n = 0; n < LANES; n++)
      if (transaction_lanes[n] && address[n] >> transaction_size != transaction_address >> transaction_size) outside = 1'b1;
  end
  lanes_inside: assert property (@(posedge clk) disable iff (reset) half_valid |-> !outside)
    else $error("coalescer: lanes %b are not all in the %0d bytes at %h", transaction_lanes, 1 << transaction_size,
                transaction_address);
  lanes_once: assert property (@(posedge clk) disable iff (reset)
      half_valid |-> transaction_lanes != '0 && (transaction_lanes & ~lanes_left) == '0)
    else $error("coalescer: lanes %b of a transaction, %b are left", transaction_lanes, lanes_left);
  lead_first: assert property (@(posedge clk) disable iff (reset) half_valid |-> (transaction_lanes & lead) != '0)
    else $error("coalescer: lane %b is left and not served", lead);
`endif
endmodule
