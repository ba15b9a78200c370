// Template for RTL with registered answers: hazard_unit.sv with flip-flops at dec_gnt_o, dec_wait_o and dec_slots_o.
// The answers to the requests of a cycle appear in the next cycle. They still describe the cycle of the request, in
// which the slots are taken. wb_clear_o, kill_clear_o and full_next_o belong to the cycle of the inputs as before.
module registered_hazard_unit #(
    parameter int unsigned NUM_WARPS = 32,
    parameter int unsigned NUM_SLOTS = 6,
    localparam int unsigned WID      = NUM_WARPS > 1 ? $clog2(NUM_WARPS) : 1
) (
    input  logic                        clk_i,
    input  logic                        rst_ni,
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
    input  logic [9:0]                  wb_req_i,
    input  logic [9:0][WID-1:0]         wb_wid_i,
    input  logic [9:0][NUM_SLOTS-1:0]   wb_slots_i,
    output logic [9:0][NUM_SLOTS-1:0]   wb_clear_o,
    input  logic                        kill_req_i,
    input  logic [WID-1:0]              kill_wid_i,
    output logic [NUM_SLOTS-1:0]        kill_clear_o,
    output logic [NUM_WARPS-1:0]        full_next_o,
    input  logic [WID-1:0]              dbg_wid_i,
    output logic [NUM_SLOTS-1:0]        dbg_busy_o,
    output logic                        dbg_sealed_o,
    output logic [NUM_SLOTS-1:0][7:0]   dbg_first_o,
    output logic [NUM_SLOTS-1:0][7:0]   dbg_last_o
);
  logic [2:0]                gnt_d;
  logic [2:0][NUM_SLOTS-1:0] wait_d;
  logic [2:0][NUM_SLOTS-1:0] slots_d;

  hazard_unit #(
      .NUM_WARPS(NUM_WARPS),
      .NUM_SLOTS(NUM_SLOTS)
  ) unit (
      .dec_gnt_o(gnt_d),
      .dec_wait_o(wait_d),
      .dec_slots_o(slots_d),
      .*
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      dec_gnt_o   <= '0;
      dec_wait_o  <= '0;
      dec_slots_o <= '0;
    end else begin
      dec_gnt_o   <= gnt_d;
      dec_wait_o  <= wait_d;
      dec_slots_o <= slots_d;
    end
  end
endmodule
