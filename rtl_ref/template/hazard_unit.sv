// Template for your own RTL in place of scoreboard.sv: the same behaviour, structured and named differently.
//
// Ports follow another house style: clk_i, active-low asynchronous rst_ni, packed arrays by port, request and grant.
// Operands come as first and last register; an entry is a slot. Written against the comment at the head of
// rtl_ref/scoreboard/scoreboard.sv; hazard_unit_pins.h maps one to the other.
//
// A slot holds the first and last register of a pending destination. A warp whose instruction had more destinations
// than it has slots is `sealed`: all its slots are busy, and no request of it is granted until they are free.
module hazard_unit #(
    parameter int unsigned NUM_WARPS = 32,
    parameter int unsigned NUM_SLOTS = 6,
    localparam int unsigned WID      = NUM_WARPS > 1 ? $clog2(NUM_WARPS) : 1
) (
    input  logic                        clk_i,
    input  logic                        rst_ni,
    // Decode, oldest first
    input  logic [2:0]                  dec_req_i,
    input  logic [2:0][WID-1:0]         dec_wid_i,
    input  logic [2:0][7:0]             dec_src_en_i,
    input  logic [2:0][7:0][7:0]        dec_src_first_i,
    input  logic [2:0][7:0][7:0]        dec_src_last_i,
    input  logic [2:0][3:0]             dec_dst_en_i,
    input  logic [2:0][3:0][7:0]        dec_dst_first_i,
    input  logic [2:0][3:0][7:0]        dec_dst_last_i,
    output logic [2:0]                  dec_gnt_o,
    output logic [2:0][NUM_SLOTS-1:0]   dec_wait_o,
    output logic [2:0][NUM_SLOTS-1:0]   dec_slots_o,
    // Write-back 0 to 8, 9 = an instruction that left without being issued
    input  logic [9:0]                  wb_req_i,
    input  logic [9:0][WID-1:0]         wb_wid_i,
    input  logic [9:0][NUM_SLOTS-1:0]   wb_slots_i,
    output logic [9:0][NUM_SLOTS-1:0]   wb_clear_o,
    input  logic                        kill_req_i,
    input  logic [WID-1:0]              kill_wid_i,
    output logic [NUM_SLOTS-1:0]        kill_clear_o,
    // Fetch
    output logic [NUM_WARPS-1:0]        full_next_o,
    // Debug
    input  logic [WID-1:0]              dbg_wid_i,
    output logic [NUM_SLOTS-1:0]        dbg_busy_o,
    output logic                        dbg_sealed_o,
    output logic [NUM_SLOTS-1:0][7:0]   dbg_first_o,
    output logic [NUM_SLOTS-1:0][7:0]   dbg_last_o
);
  typedef struct packed {
    logic                      sealed;
    logic [NUM_SLOTS-1:0]      busy;
    logic [NUM_SLOTS-1:0][7:0] first;
    logic [NUM_SLOTS-1:0][7:0] last;
  } region_t;

  region_t state_q[NUM_WARPS];
  region_t state_d[NUM_WARPS];

  // A granted instruction changes the region of its warp; younger instructions of the cycle see the change.
  region_t view;
  logic [3:0] wanted;
  logic [NUM_SLOTS-1:0] vacant, slot;
  logic [NUM_SLOTS-1:0] gone[NUM_WARPS];
  always_comb begin
    wb_clear_o   = '0;
    kill_clear_o = '0;
    dec_gnt_o    = '0;
    dec_wait_o   = '0;
    dec_slots_o  = '0;
    view         = '0;
    wanted       = '0;
    vacant       = '0;
    slot         = '0;
    for (int w = 0; w < NUM_WARPS; w++) begin
      state_d[w] = state_q[w];
      gone[w]    = '0;
    end

    for (int p = 0; p < 10; p++) begin
      if (wb_req_i[p]) begin
        wb_clear_o[p]     = wb_slots_i[p] & state_q[wb_wid_i[p]].busy;
        gone[wb_wid_i[p]] = gone[wb_wid_i[p]] | wb_clear_o[p];
      end
    end
    if (kill_req_i) begin
      kill_clear_o     = state_q[kill_wid_i].busy;
      gone[kill_wid_i] = kill_clear_o;
    end

    for (int p = 0; p < 3; p++) begin
      if (dec_req_i[p]) begin
        view   = state_d[dec_wid_i[p]];
        wanted = dec_dst_en_i[p];
        vacant = ~view.busy;
        // Destinations take the vacant slots from the lowest up. Destinations left over do not fit.
        for (int d = 0; d < 4; d++) begin
          if (dec_dst_en_i[p][d] && vacant != '0) begin
            slot           = vacant & (~vacant + 1'b1);
            vacant         = vacant & ~slot;
            wanted[d]      = 1'b0;
            dec_slots_o[p] = dec_slots_o[p] | slot;
            for (int s = 0; s < NUM_SLOTS; s++) begin
              if (slot[s]) begin
                view.first[s] = dec_dst_first_i[p][d];
                view.last[s]  = dec_dst_last_i[p][d];
              end
            end
          end
        end
        view.sealed  = $countones(dec_dst_en_i[p]) > NUM_SLOTS;
        dec_gnt_o[p] = !(state_d[dec_wid_i[p]].sealed && state_d[dec_wid_i[p]].busy != '0) &&
                       (view.sealed ? state_d[dec_wid_i[p]].busy == '0 : wanted == '0);
        if (dec_gnt_o[p]) begin
          for (int s = 0; s < NUM_SLOTS; s++) begin
            if (state_d[dec_wid_i[p]].busy[s]) begin
              for (int n = 0; n < 8; n++)
                if (dec_src_en_i[p][n] && dec_src_first_i[p][n] <= view.last[s] && view.first[s] <= dec_src_last_i[p][n])
                  dec_wait_o[p][s] = 1'b1;
              for (int n = 0; n < 4; n++)
                if (dec_dst_en_i[p][n] && dec_dst_first_i[p][n] <= view.last[s] && view.first[s] <= dec_dst_last_i[p][n])
                  dec_wait_o[p][s] = 1'b1;
            end
          end
          // An instruction without destinations does not change the seal: the region is empty or not sealed.
          view.busy             = view.busy | dec_slots_o[p];
          state_d[dec_wid_i[p]] = view;
        end else begin
          dec_slots_o[p] = '0;
        end
      end
    end

    for (int w = 0; w < NUM_WARPS; w++) begin
      state_d[w].busy = state_d[w].busy & ~gone[w];
      full_next_o[w]  = &state_d[w].busy;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    for (int w = 0; w < NUM_WARPS; w++)
      if (!rst_ni) state_q[w] <= '0;
      else state_q[w] <= state_d[w];
  end

  assign dbg_busy_o   = state_q[dbg_wid_i].busy;
  assign dbg_sealed_o = state_q[dbg_wid_i].sealed && state_q[dbg_wid_i].busy != '0;
  assign dbg_first_o  = state_q[dbg_wid_i].first;
  assign dbg_last_o   = state_q[dbg_wid_i].last;
endmodule
