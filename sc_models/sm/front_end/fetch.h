// First half of the front end's first loop: picks a warp with room in its instruction buffer and fetches for it.
//
// One fetch per core cycle reads one or two instructions. The predecode bit of the instruction cache line gives the
// next address; if the line is absent, the warp waits until decode has seen the instruction. There is no branch
// prediction: decode stops a warp at a control instruction, and a redirect from the branch unit restarts it under a
// new epoch, which makes fetches of the old one void. The instructions of one fetch start in the same granule of
// the line. A policy chooses the warp: one of the issue policies, or coordinated_order.h. Source: two-loop front
// end as in the coordinated-scheduling patent; no prediction: Kanter; granule: Wong 2010. Details: assumption.
#pragma once

#include <array>
#include <memory>

#include "sc_models/config/sm_config.h"
#include "sc_models/sm/front_end/icache.h"
#include "sc_models/sm/front_end/instruction_buffer.h"
#include "sc_models/sm/interfaces.h"
#include "sc_models/sm/schedulers/scheduler.h"
#include "sc_models/sm/stage_tokens.h"
#include "sc_models/sm/usual_port.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/port.h"
#include "tlm_bus/registered_signal.h"
#include "tlm_bus/signals.h"
#include "tlm_bus/stage.h"
#include "tlm_bus/transaction.h"

namespace gt200::model {

class joined_front_end;

class fetch : public tlm_bus::stage, public tlm_bus::signal_source {
 public:
  tlm_bus::pipe_in<start_token> start;            // from block control
  tlm_bus::pipe_in<redirect_token> redirect;      // from the branch unit
  tlm_bus::pipe_in<fetch_control_token> control;  // from decode
  tlm_bus::pipe_out<fetch_token> out;             // to the instruction cache

  tlm_bus::transaction_out<buffer_reservation, gt200::model::instruction_buffer>
      reservations;  // to the instruction buffer

  tlm_bus::port<instruction_buffer_fetch_if> instruction_buffer;
  usual_port<icache_predecode_if, gt200::model::icache> icache;
  tlm_bus::port<scoreboard_fetch_if> scoreboard;
  tlm_bus::port<issue_order_if> issue_order;

  tlm_bus::counter fetches{"fetches", "fetches", "requests sent to the instruction cache"};
  tlm_bus::counter redirects{"redirects", "redirects", "warps restarted by the branch unit"};

  fetch(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const config::sm_config& config);

  void tick() override;
  void publish(tlm_bus::signal_writer& to) override;
  tlm_bus::part_tap* parts() override { return &parts_; }
  // For observers: the next fetch address of a warp, and the warps that are not stopped.
  isa::code_address next_pc(warp_slot warp) const { return warps_[warp].pc; }
  warp_mask runnable() const { return runnable_; }

  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "fetch"; }

 private:
  friend class joined_front_end;
  struct warp_state {
    const grid_descriptor* grid = nullptr;
    isa::code_address pc = 0;
    std::uint8_t epoch = 0;
    bool met = false;  // for the next fetch: the paths have reconverged before its first instruction
  };
  std::unique_ptr<scheduler> make_policy();
  void end_of_elaboration() override;
  void run();
  void take_commands();
  void obey(const fetch_control_token& token);
  void fetch_for(warp_slot index) { per_fetch_ == 1 ? fetch_up_to<1>(index) : fetch_up_to<2>(index); }
  template <unsigned MOST>
  void fetch_up_to(warp_slot index);

  // The members needed in every cycle are together, for the host's cache.
  alignas(64) warp_mask runnable_ = 0;  // started, not stopped, next address known
  joined_front_end* step_ = nullptr;    // does the work of a tick, if not null
  joined_front_end* joined_ = nullptr;  // has the links
  const warp_signal* room_ = nullptr;   // warps with room in the buffer for an instruction
  const warp_signal* room_for_two_ = nullptr;
  const warp_signal* scoreboard_room_ = nullptr;
  std::unique_ptr<scheduler> policy_;
  const tlm_bus::registered_signal<warp_observation>* observed_ = nullptr;  // null: the policy does not observe
  tlm_bus::part_tap parts_;
  unsigned warp_slots_;
  unsigned per_fetch_;
  unsigned granule_;
  per_warp<warp_state> warps_{};
  per_warp<known_line> lines_{};  // of the code, where the warp has fetched last
  const config::sm_config& config_;
};

}  // namespace gt200::model
