// Template for your own RTL in place of coalescer.sv: the same behaviour, structured and named differently.
//
// It has one rule, that of compute capability 1.2. Ports follow another house style: clk_i, active-low asynchronous
// rst_ni, packed arrays by lane, the size of a word one hot and that of a segment in bytes. The unit takes a half-warp
// in the cycle in which it is offered and keeps what is left of it in registers. Written against the comment at the
// head of rtl_ref/coalescer/coalescer.sv; merge_unit_pins.h maps one to the other.
module merge_unit (
    input  logic              clk_i,
    input  logic              rst_ni,
    // A half-warp; taken when the unit has finished the one before
    input  logic              req_vld_i,
    output logic              req_rdy_o,
    input  logic [15:0][31:0] req_addr_i,
    input  logic [15:0]       req_en_i,
    input  logic [4:0]        req_word_i,  // bit n: words of 2 ** n bytes
    input  logic              req_rmw_i,   // a segment per lane
    // A segment
    output logic              seg_vld_o,
    input  logic              seg_rdy_i,
    output logic [31:0]       seg_addr_o,
    output logic [7:0]        seg_len_o,
    output logic [15:0]       seg_en_o,
    output logic              seg_seq_o,   // 16 successive words of 4 bytes
    output logic              seg_end_o,   // of the half-warp
    // Debug
    output logic [15:0]       dbg_left_o
);
  typedef struct packed {
    logic [15:0]       left;
    logic [15:0][31:0] addr;
    logic [4:0]        word;
    logic              rmw;
  } access_t;

  access_t held_q, now;
  logic    busy_q;

  assign req_rdy_o  = !busy_q;
  assign now        = busy_q ? held_q : {req_en_i, req_addr_i, req_word_i, req_rmw_i};
  assign seg_vld_o  = busy_q || req_vld_i;
  assign dbg_left_o = now.left;

  // The first lane to do, and those in the same segment. A bit for each quarter of a block of 128 bytes they touch.
  logic [15:0] first;
  logic [31:0] first_addr, outside;
  logic [3:0]  quarters;
  always_comb begin
    first      = '0;
    first_addr = '0;
    for (int n = 15; n >= 0; n--) begin
      if (now.left[n]) begin
        first      = 16'd1 << n;
        first_addr = now.addr[n];
      end
    end
    outside  = now.word[0] ? 32'hffff_ffe0 : now.word[1] ? 32'hffff_ffc0 : 32'hffff_ff80;
    seg_en_o = '0;
    quarters = '0;
    for (int n = 0; n < 16; n++) begin
      if (now.rmw ? first[n] : now.left[n] && ((now.addr[n] ^ first_addr) & outside) == '0) begin
        seg_en_o[n]                = 1'b1;
        quarters[now.addr[n][6:5]] = 1'b1;
      end
    end
  end

  always_comb begin
    if (now.rmw) seg_len_o = {3'd0, now.word};
    else if (quarters[1:0] != '0 && quarters[3:2] != '0) seg_len_o = 8'd128;
    else if (quarters[1:0] == '1 || quarters[3:2] == '1) seg_len_o = 8'd64;
    else seg_len_o = 8'd32;
  end
  assign seg_addr_o = first_addr & ~({24'd0, seg_len_o} - 32'd1);
  assign seg_end_o  = seg_en_o == now.left;

  always_comb begin
    seg_seq_o = !now.rmw && now.word[2] && seg_en_o == '1;
    for (int n = 1; n < 16; n++) if (now.addr[n] != now.addr[0] + 32'(4 * n)) seg_seq_o = 1'b0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      held_q <= '0;
    end else if (seg_vld_o) begin
      busy_q <= !(seg_rdy_i && seg_end_o);
      held_q <= now;
      if (seg_rdy_i) held_q.left <= now.left & ~seg_en_o;
    end
  end
endmodule
