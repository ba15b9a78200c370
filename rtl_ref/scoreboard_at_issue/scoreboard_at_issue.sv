// Scoreboard of a streaming multiprocessor whose entries are taken when an instruction issues
// (tpc.sm.scoreboard.allocate = "at_issue"). Entries, vectors and comparisons are those of scoreboard.sv, after Coon
// et al. (US 7,434,032 and US 8,225,076).
//
// Each warp has a region of ENTRIES entries. An entry in use holds a destination of an instruction that has issued and
// not completed: the number of its first register and how many further registers follow. When an instruction enters
// the instruction buffer, its operands are compared with the entries of its warp in use. The matching ones form its
// dependency vector, which the buffer keeps with it; write-back releases entries, and the buffer clears their bits. The
// oldest instruction of a warp may issue when its vector is 0 and the warp has room for it: as many free entries as it
// has destinations. When it issues it takes them, the lowest free ones in order. Younger instructions in the buffer have
// been compared before, so they are compared again, with the entries just taken, and the buffer adds these bits.
//
// Interface. Everything is synchronous to the rising edge of clk. Answers are combinational: they belong to the inputs
// of the same cycle. State changes at the edge that ends the cycle. An operand is {valid, size, register}: registers
// register .. register + size. Number the register files separately, with gaps of the largest size, so that no range
// reaches into another file. Valid destinations come first; *_count is their number, 0 .. DESTINATIONS.
//
//   enter_*    LOOKUPS ports: instructions that enter the buffer. None is refused.
//   enter_dependencies   bit e: it waits for entry e of its warp. Entries taken in this cycle count, whichever port has
//              the older instruction: it is always the one that issues.
//   enter_room           its warp has room for it at the coming edge.
//   issue_*    ISSUES ports: the oldest instruction of a warp that issues, at most one of each warp, and the younger
//              ones of its warp in the buffer, oldest first, at most BUFFER - 1: issue_younger_*.
//   issue_allocated      bit e: it holds entry e until released.
//   issue_dependencies   for each younger instruction, bit e: it waits for entry e, which has just been taken.
//   issue_room           for each younger instruction: its warp has room for it at the coming edge.
//   release_*  RELEASES ports of write-back: the entries of an instruction that has completed, and the number of
//              destinations of each instruction of its warp in the buffer, oldest first: release_waiting_count.
//   clear_entries        the entries released: bits to be cleared in the dependency vectors of the port's warp, also in
//              the vector of an instruction that enters in this cycle.
//   release_room         for each of these instructions: its warp has room for it at the coming edge.
//   full_next  bit w: at the coming edge warp w will have no free entry.
//   inspect_*  combinational read-out of one warp for reports and tests; may be left open.
//
// One cycle: an entry released in a cycle still counts as in use for look-ups and allocation in that cycle, and no
// longer for room, which is about the coming edge. A port without its valid bit answers 0.
//
// Region: an instruction with more destinations than ENTRIES has room when its warp has no entry in use. It takes them
// all without naming registers; while they are in use every look-up of the warp finds all of them.
//
// reset is synchronous, active high; it empties all regions.
module scoreboard_at_issue #(
    parameter int unsigned WARPS         = 32,
    parameter int unsigned ENTRIES       = 6,
    parameter int unsigned BUFFER        = 2,
    parameter int unsigned REGISTER_BITS = 8,
    parameter int unsigned SIZE_BITS     = 2,
    parameter int unsigned SOURCES       = 8,
    parameter int unsigned DESTINATIONS  = 4,
    parameter int unsigned LOOKUPS       = 2,
    parameter int unsigned ISSUES        = 2,
    parameter int unsigned RELEASES      = 9,
    localparam int unsigned WARP_BITS    = WARPS > 1 ? $clog2(WARPS) : 1,
    localparam int unsigned COUNT_BITS   = $clog2(DESTINATIONS + 1),
    localparam int unsigned RANGE_BITS   = SIZE_BITS + REGISTER_BITS,
    localparam int unsigned OPERAND_BITS = 1 + RANGE_BITS,
    localparam int unsigned OPERANDS     = SOURCES + DESTINATIONS,
    localparam int unsigned YOUNGER      = BUFFER > 1 ? BUFFER - 1 : 1
) (
    input  logic                                              clk,
    input  logic                                              reset,

    input  logic [LOOKUPS-1:0]                                enter_valid,
    input  logic [LOOKUPS*WARP_BITS-1:0]                      enter_warp,
    input  logic [LOOKUPS*COUNT_BITS-1:0]                     enter_count,
    input  logic [LOOKUPS*OPERANDS*OPERAND_BITS-1:0]          enter_operands,
    output logic [LOOKUPS*ENTRIES-1:0]                        enter_dependencies,
    output logic [LOOKUPS-1:0]                                enter_room,

    input  logic [ISSUES-1:0]                                 issue_valid,
    input  logic [ISSUES*WARP_BITS-1:0]                       issue_warp,
    input  logic [ISSUES*COUNT_BITS-1:0]                      issue_count,
    input  logic [ISSUES*DESTINATIONS*OPERAND_BITS-1:0]       issue_destinations,
    input  logic [ISSUES*YOUNGER-1:0]                         issue_younger_valid,
    input  logic [ISSUES*YOUNGER*COUNT_BITS-1:0]              issue_younger_count,
    input  logic [ISSUES*YOUNGER*OPERANDS*OPERAND_BITS-1:0]   issue_younger_operands,
    output logic [ISSUES*ENTRIES-1:0]                         issue_allocated,
    output logic [ISSUES*YOUNGER*ENTRIES-1:0]                 issue_dependencies,
    output logic [ISSUES*YOUNGER-1:0]                         issue_room,

    input  logic [RELEASES-1:0]                               release_valid,
    input  logic [RELEASES*WARP_BITS-1:0]                     release_warp,
    input  logic [RELEASES*ENTRIES-1:0]                       release_entries,
    input  logic [RELEASES*BUFFER*COUNT_BITS-1:0]             release_waiting_count,
    output logic [RELEASES*ENTRIES-1:0]                       clear_entries,
    output logic [RELEASES*BUFFER-1:0]                        release_room,

    output logic [WARPS-1:0]                                  full_next,

    input  logic [WARP_BITS-1:0]                              inspect_warp,
    output logic [ENTRIES-1:0]                                inspect_pending,
    output logic                                              inspect_region,
    output logic [ENTRIES*RANGE_BITS-1:0]                     inspect_ranges
);
  typedef logic [ENTRIES-1:0] entry_set;
  typedef logic [ENTRIES*RANGE_BITS-1:0] range_table;
  typedef logic [OPERANDS*OPERAND_BITS-1:0] operand_list;

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

  // Those of `entries` for which an instruction with these operands has to wait.
  function automatic entry_set waits_for(input operand_list operands, input entry_set entries, input logic region,
                                       input range_table ranges);
    entry_set found;
    found = '0;
    for (int e = 0; e < ENTRIES; e++)
      if (entries[e])
        for (int o = 0; o < OPERANDS; o++)
          if (operands[o*OPERAND_BITS+RANGE_BITS] &&
              overlaps(operands[o*OPERAND_BITS+:RANGE_BITS], ranges[e*RANGE_BITS+:RANGE_BITS]))
            found[e] = 1'b1;
    waits_for = region ? entries : found;
  endfunction

  function automatic logic has_room(input logic [COUNT_BITS-1:0] count, input entry_set pending);
    int unsigned vacant;
    vacant = 0;
    for (int e = 0; e < ENTRIES; e++) if (!pending[e]) vacant = vacant + 1;
    has_room = 32'(count) > ENTRIES ? pending == '0 : vacant >= 32'(count);
  endfunction

  // Allocation. By warp: what has been taken in this cycle, and the region as it is with that.
  entry_set   taken [WARPS];
  logic       region[WARPS];
  range_table ranges[WARPS];
  always_comb begin : allocate
    logic [WARP_BITS-1:0] warp;
    logic [COUNT_BITS-1:0] count, left;
    warp  = '0;
    count = '0;
    left  = '0;
    issue_allocated = '0;
    for (int w = 0; w < WARPS; w++) begin
      taken[w]  = '0;
      region[w] = region_q[w];
      ranges[w] = ranges_q[w];
    end
    for (int p = 0; p < ISSUES; p++) begin
      warp  = issue_warp[p*WARP_BITS+:WARP_BITS];
      count = issue_count[p*COUNT_BITS+:COUNT_BITS];
      if (issue_valid[p] && count != '0) begin
        region[warp] = 32'(count) > ENTRIES;
        if (region[warp]) begin
          taken[warp] = '1;
        end else begin
          left = '0;
          for (int e = 0; e < ENTRIES; e++) begin
            if (!pending_q[warp][e] && left < count) begin
              taken[warp][e] = 1'b1;
              ranges[warp][e*RANGE_BITS+:RANGE_BITS] =
                  issue_destinations[(p*DESTINATIONS+32'(left))*OPERAND_BITS+:RANGE_BITS];
              left = left + 1'b1;
            end
          end
        end
        issue_allocated[p*ENTRIES+:ENTRIES] = taken[warp];
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
  end

  // Entries in use after the coming edge.
  entry_set pending_d[WARPS];
  always_comb begin : next
    for (int w = 0; w < WARPS; w++) begin
      pending_d[w] = (pending_q[w] & ~released[w]) | taken[w];
      full_next[w] = &pending_d[w];
    end
  end

  // Answers to instructions in the buffer: what they wait for, and whether there is room for them.
  always_comb begin : look_up
    logic [WARP_BITS-1:0] warp;
    warp = '0;
    enter_dependencies = '0;
    enter_room         = '0;
    for (int p = 0; p < LOOKUPS; p++) begin
      if (enter_valid[p]) begin
        warp = enter_warp[p*WARP_BITS+:WARP_BITS];
        enter_dependencies[p*ENTRIES+:ENTRIES] =
            waits_for(enter_operands[p*OPERANDS*OPERAND_BITS+:OPERANDS*OPERAND_BITS], pending_q[warp] | taken[warp],
                    region[warp], ranges[warp]);
        enter_room[p] = has_room(enter_count[p*COUNT_BITS+:COUNT_BITS], pending_d[warp]);
      end
    end
  end
  always_comb begin : look_up_again
    logic [WARP_BITS-1:0] warp;
    warp = '0;
    issue_dependencies = '0;
    issue_room         = '0;
    for (int p = 0; p < ISSUES; p++) begin
      warp = issue_warp[p*WARP_BITS+:WARP_BITS];
      for (int y = 0; y < YOUNGER; y++) begin
        if (issue_valid[p] && issue_younger_valid[p*YOUNGER+y]) begin
          issue_dependencies[(p*YOUNGER+y)*ENTRIES+:ENTRIES] =
              waits_for(issue_younger_operands[(p*YOUNGER+y)*OPERANDS*OPERAND_BITS+:OPERANDS*OPERAND_BITS],
                      issue_allocated[p*ENTRIES+:ENTRIES], region[warp], ranges[warp]);
          issue_room[p*YOUNGER+y] = has_room(issue_younger_count[(p*YOUNGER+y)*COUNT_BITS+:COUNT_BITS], pending_d[warp]);
        end
      end
    end
  end
  always_comb begin : room_after_release
    logic [WARP_BITS-1:0] warp;
    warp = '0;
    release_room = '0;
    for (int p = 0; p < RELEASES; p++) begin
      warp = release_warp[p*WARP_BITS+:WARP_BITS];
      for (int b = 0; b < BUFFER; b++)
        release_room[p*BUFFER+b] = release_valid[p] &&
            has_room(release_waiting_count[(p*BUFFER+b)*COUNT_BITS+:COUNT_BITS], pending_d[warp]);
    end
  end

  always_ff @(posedge clk) begin
    for (int w = 0; w < WARPS; w++) begin
      pending_q[w] <= reset ? '0 : pending_d[w];
      if (taken[w] != '0) begin
        region_q[w] <= region[w];
        ranges_q[w] <= ranges[w];
      end
    end
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

  for (genvar p = 0; p < ISSUES; p++) begin : issue_rules
    wire [WARP_BITS-1:0]  warp      = issue_warp[p*WARP_BITS+:WARP_BITS];
    wire [COUNT_BITS-1:0] count     = issue_count[p*COUNT_BITS+:COUNT_BITS];
    wire entry_set        allocated = issue_allocated[p*ENTRIES+:ENTRIES];
    entry_set             pending;
    assign pending = pending_q[warp];

    room_at_issue: assert property (@(posedge clk) disable iff (reset)
        issue_valid[p] |-> has_room(count, pending))
      else $error("scoreboard: warp %0d: port %0d issues %0d destinations without room: %b", warp, p, count, pending);
    no_double_allocation: assert property (@(posedge clk) disable iff (reset)
        issue_valid[p] |-> (allocated & pending) == '0)
      else $error("scoreboard: warp %0d: port %0d takes entries in use: %b of %b", warp, p, allocated, pending);
    for (genvar older = 0; older < p; older++) begin : beside
      one_issue_of_a_warp: assert property (@(posedge clk) disable iff (reset)
          issue_valid[p] && issue_valid[older] |-> issue_warp[older*WARP_BITS+:WARP_BITS] != warp)
        else $error("scoreboard: warp %0d issues at ports %0d and %0d", warp, older, p);
    end

    // No vector bit for an entry just taken: none of its registers is an operand.
    range_table after;
    assign after = ranges[warp];
    for (genvar y = 0; y < YOUNGER; y++) begin : again
      logic missed;
      always_comb begin
        missed = 1'b0;
        if (issue_valid[p] && issue_younger_valid[p*YOUNGER+y] && 32'(count) <= ENTRIES)
          for (int e = 0; e < ENTRIES; e++)
            if (allocated[e] && !issue_dependencies[(p*YOUNGER+y)*ENTRIES+e])
              for (int o = 0; o < OPERANDS; o++)
                missed |= issue_younger_operands[((p*YOUNGER+y)*OPERANDS+o)*OPERAND_BITS+RANGE_BITS] &&
                          shares_register(
                              issue_younger_operands[((p*YOUNGER+y)*OPERANDS+o)*OPERAND_BITS+:RANGE_BITS],
                              after[e*RANGE_BITS+:RANGE_BITS]);
      end
      no_missed_dependency: assert property (@(posedge clk) disable iff (reset) !missed)
        else $error("scoreboard: warp %0d: port %0d: younger instruction %0d does not wait for %b", warp, p, y, allocated);
    end
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
`endif
endmodule
