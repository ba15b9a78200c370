// Scoreboard of a streaming multiprocessor, after Coon et al. (US 7,434,032 and US 8,225,076).
//
// Each warp has a region of ENTRIES entries. An entry in use holds a pending destination: the number of its first
// register and how many further registers follow. When an instruction enters the instruction buffer its operands are
// compared with the entries of its warp in use; the matching ones form its dependency vector, which the buffer keeps
// with it. The instruction may issue when its vector is 0. In the same step it takes an entry for each of its
// destinations, the lowest free ones in order, or none at all if too few are free: then it is refused. Write-back
// releases the entries, and the buffer clears their bits in all vectors of the warp.
//
// Interface. Everything is synchronous to the rising edge of clk. Answers are combinational: they belong to the
// inputs of the same cycle. State changes at the edge that ends the cycle.
//
//   enter_*    LOOKUPS ports. Port 0 is the oldest instruction of the cycle; a port sees the entries that older ports
//              take in the same cycle as already in use. Without enter_valid the rest of a port is ignored and its
//              answers are 0.
//              enter_count is the number of destinations, 0 .. DESTINATIONS. An operand is {valid, size, register}:
//              registers register .. register + size. Number the register files separately, with gaps of the largest
//              size, so that no range reaches into another file. Valid destinations come first.
//   enter_accepted       the instruction enters. 0: refused; the state is unchanged; try again in a later cycle.
//   enter_dependencies   bit e: it waits for entry e of its warp. 0 when refused.
//   enter_allocated      bit e: it holds entry e until released. 0 when refused.
//   release_*  RELEASES ports of write-back: the entries of an instruction that has completed.
//   squash_*   the same for an instruction that left the buffer without issuing.
//   flush_*    every entry the warp holds at the edge before this cycle; what enters in this cycle stays.
//   clear_entries        the entries released: bits to be cleared in the dependency vectors of the port's warp,
//              also in the vector of an instruction that enters in this cycle. By port: release 0 .. RELEASES - 1,
//              squash, flush.
//   full_next  bit w: at the coming edge warp w will have no free entry. Register it to stop the fetch of the warp.
//   inspect_*  combinational read-out of one warp for reports and tests; may be left open.
//
// One cycle: an entry released in a cycle still counts as in use for look-ups and allocation in that cycle. A look-up
// therefore may report an entry which clear_entries removes at once, so neither can miss the other. It can be
// allocated again in the next cycle.
//
// Region: an instruction with more destinations than ENTRIES waits until its warp has no entry in use, then takes them
// all without naming registers; while they are in use every instruction of the warp is refused.
//
// reset is synchronous, active high; it empties all regions.
module scoreboard #(
    parameter int unsigned WARPS         = 32,
    parameter int unsigned ENTRIES       = 6,
    parameter int unsigned REGISTER_BITS = 8,
    parameter int unsigned SIZE_BITS     = 2,
    parameter int unsigned SOURCES       = 8,
    parameter int unsigned DESTINATIONS  = 4,
    parameter int unsigned LOOKUPS       = 3,
    parameter int unsigned RELEASES      = 9,
    localparam int unsigned WARP_BITS    = WARPS > 1 ? $clog2(WARPS) : 1,
    localparam int unsigned COUNT_BITS   = $clog2(DESTINATIONS + 1),
    localparam int unsigned RANGE_BITS   = SIZE_BITS + REGISTER_BITS,
    localparam int unsigned OPERAND_BITS = 1 + RANGE_BITS,
    localparam int unsigned CLEARS       = RELEASES + 2
) (
    input  logic                                         clk,
    input  logic                                         reset,

    input  logic [LOOKUPS-1:0]                           enter_valid,
    input  logic [LOOKUPS*WARP_BITS-1:0]                 enter_warp,
    input  logic [LOOKUPS*COUNT_BITS-1:0]                enter_count,
    input  logic [LOOKUPS*SOURCES*OPERAND_BITS-1:0]      enter_sources,
    input  logic [LOOKUPS*DESTINATIONS*OPERAND_BITS-1:0] enter_destinations,
    output logic [LOOKUPS-1:0]                           enter_accepted,
    output logic [LOOKUPS*ENTRIES-1:0]                   enter_dependencies,
    output logic [LOOKUPS*ENTRIES-1:0]                   enter_allocated,

    input  logic [RELEASES-1:0]                          release_valid,
    input  logic [RELEASES*WARP_BITS-1:0]                release_warp,
    input  logic [RELEASES*ENTRIES-1:0]                  release_entries,
    input  logic                                         squash_valid,
    input  logic [WARP_BITS-1:0]                         squash_warp,
    input  logic [ENTRIES-1:0]                           squash_entries,
    input  logic                                         flush_valid,
    input  logic [WARP_BITS-1:0]                         flush_warp,
    output logic [CLEARS*ENTRIES-1:0]                    clear_entries,

    output logic [WARPS-1:0]                             full_next,

    input  logic [WARP_BITS-1:0]                         inspect_warp,
    output logic [ENTRIES-1:0]                           inspect_pending,
    output logic                                         inspect_region,
    output logic [ENTRIES*RANGE_BITS-1:0]                inspect_ranges
);
  typedef logic [ENTRIES-1:0] entry_set;
  typedef logic [ENTRIES*RANGE_BITS-1:0] range_table;

  // State: entries in use; whether an instruction with more destinations than entries has them; their registers.
  entry_set   pending_q[WARPS];
  logic       region_q [WARPS];
  range_table ranges_q [WARPS];

  // Both ranges are {size, register}.
  function automatic logic overlaps(input logic [RANGE_BITS-1:0] a, input logic [RANGE_BITS-1:0] b);
    logic [REGISTER_BITS:0] a_first, a_last, b_first, b_last;
    a_first = {1'b0, a[REGISTER_BITS-1:0]};
    b_first = {1'b0, b[REGISTER_BITS-1:0]};
    a_last  = a_first + (REGISTER_BITS + 1)'(a[RANGE_BITS-1:REGISTER_BITS]);
    b_last  = b_first + (REGISTER_BITS + 1)'(b[RANGE_BITS-1:REGISTER_BITS]);
    overlaps = a_first <= b_last && b_first <= a_last;
  endfunction

  // Look-up and allocation, port by port. Per port: the warp's region after the port has taken its entries.
  range_table enter_ranges[LOOKUPS];
  logic       enter_region[LOOKUPS];
  always_comb begin : enter
    entry_set seen, found, taken;
    logic region, wide, accepted;
    range_table ranges;
    logic [COUNT_BITS-1:0] count, left;
    logic [WARP_BITS-1:0] warp;
    logic [OPERAND_BITS-1:0] operand;
    int unsigned vacant;
    seen     = '0;
    found    = '0;
    taken    = '0;
    region   = 1'b0;
    wide     = 1'b0;
    accepted = 1'b0;
    ranges   = '0;
    count    = '0;
    left     = '0;
    warp     = '0;
    operand  = '0;
    vacant   = 0;
    enter_accepted     = '0;
    enter_dependencies = '0;
    enter_allocated    = '0;
    for (int p = 0; p < LOOKUPS; p++) begin
      enter_ranges[p] = '0;
      enter_region[p] = 1'b0;
      if (enter_valid[p]) begin
        warp   = enter_warp[p*WARP_BITS+:WARP_BITS];
        count  = enter_count[p*COUNT_BITS+:COUNT_BITS];
        seen   = pending_q[warp];
        region = region_q[warp];
        ranges = ranges_q[warp];
        for (int older = 0; older < p; older++) begin
          if (enter_allocated[older*ENTRIES+:ENTRIES] != '0 && enter_warp[older*WARP_BITS+:WARP_BITS] == warp) begin
            seen   = seen | enter_allocated[older*ENTRIES+:ENTRIES];
            region = enter_region[older];
            ranges = enter_ranges[older];
          end
        end

        vacant = 0;
        for (int e = 0; e < ENTRIES; e++) if (!seen[e]) vacant = vacant + 1;
        wide     = 32'(count) > ENTRIES;
        accepted = (seen == '0 || !region) && (wide ? seen == '0 : vacant >= 32'(count));

        found = '0;
        taken = '0;
        if (accepted) begin
          for (int e = 0; e < ENTRIES; e++) begin
            if (seen[e]) begin
              for (int s = 0; s < SOURCES; s++) begin
                operand = enter_sources[(p*SOURCES+s)*OPERAND_BITS+:OPERAND_BITS];
                if (operand[RANGE_BITS] && overlaps(operand[RANGE_BITS-1:0], ranges[e*RANGE_BITS+:RANGE_BITS]))
                  found[e] = 1'b1;
              end
              for (int d = 0; d < DESTINATIONS; d++) begin
                operand = enter_destinations[(p*DESTINATIONS+d)*OPERAND_BITS+:OPERAND_BITS];
                if (operand[RANGE_BITS] && overlaps(operand[RANGE_BITS-1:0], ranges[e*RANGE_BITS+:RANGE_BITS]))
                  found[e] = 1'b1;
              end
            end
          end
          if (wide) begin
            taken = '1;
          end else begin
            left = '0;
            for (int e = 0; e < ENTRIES; e++) begin
              if (!seen[e] && left < count) begin
                taken[e] = 1'b1;
                ranges[e*RANGE_BITS+:RANGE_BITS] =
                    enter_destinations[(p*DESTINATIONS+32'(left))*OPERAND_BITS+:RANGE_BITS];
                left = left + 1'b1;
              end
            end
          end
        end
        enter_accepted[p]                        = accepted;
        enter_dependencies[p*ENTRIES+:ENTRIES]   = found;
        enter_allocated[p*ENTRIES+:ENTRIES]      = taken;
        enter_ranges[p]                          = ranges;
        enter_region[p]                          = wide;
      end
    end
  end

  // Release.
  entry_set released[WARPS];
  always_comb begin : clear
    entry_set entries;
    logic [WARP_BITS-1:0] warp;
    entries       = '0;
    warp          = '0;
    clear_entries = '0;
    for (int w = 0; w < WARPS; w++) released[w] = '0;
    for (int p = 0; p < RELEASES; p++) begin
      if (release_valid[p]) begin
        warp           = release_warp[p*WARP_BITS+:WARP_BITS];
        entries        = release_entries[p*ENTRIES+:ENTRIES] & pending_q[warp];
        released[warp] = released[warp] | entries;
        clear_entries[p*ENTRIES+:ENTRIES] = entries;
      end
    end
    if (squash_valid) begin
      entries               = squash_entries & pending_q[squash_warp];
      released[squash_warp] = released[squash_warp] | entries;
      clear_entries[RELEASES*ENTRIES+:ENTRIES] = entries;
    end
    if (flush_valid) begin
      released[flush_warp] = pending_q[flush_warp];
      clear_entries[(RELEASES+1)*ENTRIES+:ENTRIES] = pending_q[flush_warp];
    end
  end

  // Entries in use after the coming edge.
  entry_set pending_d[WARPS];
  always_comb begin : next
    logic [WARP_BITS-1:0] warp;
    warp = '0;
    for (int w = 0; w < WARPS; w++) pending_d[w] = pending_q[w] & ~released[w];
    for (int p = 0; p < LOOKUPS; p++) begin
      if (enter_accepted[p]) begin
        warp            = enter_warp[p*WARP_BITS+:WARP_BITS];
        pending_d[warp] = pending_d[warp] | enter_allocated[p*ENTRIES+:ENTRIES];
      end
    end
    for (int w = 0; w < WARPS; w++) full_next[w] = &pending_d[w];
  end

  // Younger ports come later and include what older ports of the warp took, so the last assignment is complete.
  always_ff @(posedge clk) begin
    for (int p = 0; p < LOOKUPS; p++) begin
      if (enter_allocated[p*ENTRIES+:ENTRIES] != '0) begin
        ranges_q[enter_warp[p*WARP_BITS+:WARP_BITS]] <= enter_ranges[p];
        region_q[enter_warp[p*WARP_BITS+:WARP_BITS]] <= enter_region[p];
      end
    end
    for (int w = 0; w < WARPS; w++) pending_q[w] <= reset ? '0 : pending_d[w];
  end

  assign inspect_pending = pending_q[inspect_warp];
  assign inspect_region  = region_q[inspect_warp] && pending_q[inspect_warp] != '0;
  assign inspect_ranges  = ranges_q[inspect_warp];

`ifndef SYNTHESIS
  // Register by register, unlike overlaps(), which compares the ends of the ranges.
  function automatic logic shares_register(input logic [RANGE_BITS-1:0] a, input logic [RANGE_BITS-1:0] b);
    logic shared;
    shared = 1'b0;
    for (int i = 0; i < 2 ** SIZE_BITS; i++)
      for (int j = 0; j < 2 ** SIZE_BITS; j++)
        if (i <= 32'(a[RANGE_BITS-1:REGISTER_BITS]) && j <= 32'(b[RANGE_BITS-1:REGISTER_BITS]) &&
            32'(a[REGISTER_BITS-1:0]) + i == 32'(b[REGISTER_BITS-1:0]) + j)
          shared = 1'b1;
    shares_register = shared;
  endfunction

  for (genvar p = 0; p < LOOKUPS; p++) begin : enter_rules
    wire [WARP_BITS-1:0]  warp         = enter_warp[p*WARP_BITS+:WARP_BITS];
    wire [COUNT_BITS-1:0] count        = enter_count[p*COUNT_BITS+:COUNT_BITS];
    wire entry_set        allocated    = enter_allocated[p*ENTRIES+:ENTRIES];
    wire entry_set        dependencies = enter_dependencies[p*ENTRIES+:ENTRIES];
    entry_set             pending;
    range_table           ranges;
    assign pending = pending_q[warp];
    assign ranges  = ranges_q[warp];

    no_double_allocation: assert property (@(posedge clk) disable iff (reset)
        enter_valid[p] |-> (allocated & pending) == '0)
      else $error("scoreboard: warp %0d: port %0d takes entries in use: %b of %b", warp, p, allocated, pending);
    all_or_none: assert property (@(posedge clk) disable iff (reset)
        enter_valid[p] |-> 32'($countones(allocated)) ==
            (!enter_accepted[p] ? 0 : 32'(count) > ENTRIES ? ENTRIES : 32'(count)))
      else $error("scoreboard: warp %0d: port %0d has %0d destinations and takes %b", warp, p, count, allocated);
    silent_when_refused: assert property (@(posedge clk) disable iff (reset)
        !enter_accepted[p] |-> allocated == '0 && dependencies == '0)
      else $error("scoreboard: warp %0d: port %0d refuses and answers", warp, p);
    for (genvar older = 0; older < p; older++) begin : beside
      no_double_allocation: assert property (@(posedge clk) disable iff (reset)
          enter_valid[p] && enter_warp[older*WARP_BITS+:WARP_BITS] == warp
              |-> (allocated & enter_allocated[older*ENTRIES+:ENTRIES]) == '0)
        else $error("scoreboard: warp %0d: ports %0d and %0d take the same entry", warp, older, p);
    end

    // No vector bit for an entry in use: none of its registers is an operand.
    logic missed;
    always_comb begin
      missed = 1'b0;
      if (enter_accepted[p])
        for (int e = 0; e < ENTRIES; e++)
          if (pending[e] && !dependencies[e]) begin
            for (int s = 0; s < SOURCES; s++)
              missed |= enter_sources[(p*SOURCES+s)*OPERAND_BITS+RANGE_BITS] &&
                        shares_register(enter_sources[(p*SOURCES+s)*OPERAND_BITS+:RANGE_BITS],
                                        ranges[e*RANGE_BITS+:RANGE_BITS]);
            for (int d = 0; d < DESTINATIONS; d++)
              missed |= enter_destinations[(p*DESTINATIONS+d)*OPERAND_BITS+RANGE_BITS] &&
                        shares_register(enter_destinations[(p*DESTINATIONS+d)*OPERAND_BITS+:RANGE_BITS],
                                        ranges[e*RANGE_BITS+:RANGE_BITS]);
          end
    end
    no_missed_dependency: assert property (@(posedge clk) disable iff (reset) !missed)
      else $error("scoreboard: warp %0d: port %0d overlaps an entry that is not in its vector %b", warp, p, dependencies);
  end

  for (genvar p = 0; p < RELEASES; p++) begin : release_rules
    entry_set pending;
    assign pending = pending_q[release_warp[p*WARP_BITS+:WARP_BITS]];
    release_of_live_entries: assert property (@(posedge clk) disable iff (reset)
        release_valid[p] |->
            (release_entries[p*ENTRIES+:ENTRIES] & ~pending) == '0)
      else $error("scoreboard: warp %0d: port %0d releases entries that are free: %b",
                  release_warp[p*WARP_BITS+:WARP_BITS], p, release_entries[p*ENTRIES+:ENTRIES]);
  end
  entry_set squash_pending;
  assign squash_pending = pending_q[squash_warp];
  squash_of_live_entries: assert property (@(posedge clk) disable iff (reset)
      squash_valid |-> (squash_entries & ~squash_pending) == '0)
    else $error("scoreboard: warp %0d: squash of free entries: %b", squash_warp, squash_entries);
`endif
endmodule
