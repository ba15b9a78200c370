// The front end of an SM into which nobody looks.
//
// Fetch, instruction cache, decode, scoreboard, instruction buffer and issue are modules with sockets between them.
// As long as nobody looks, they share one plain state (front_end_state.h), and nothing crosses these sockets. Two
// steps do the work of a cycle: one fetches and decodes, the other issues; the clock calls each when it has work.
// The rules of fetch, instruction cache and decode stay in their modules, over links with the same times; that of
// issue is written once for both (issue_rule.h). The rules of scoreboard and buffer stand here a second time, in
// their usual form: Coon's entries, taken with the look-up.
//
// join() says whether an SM has this form. Whoever wants to look calls chip::look_inside(), or attaches to a
// tap: from then on the modules work by themselves, in the state and in the cycle that they would have reached
// without this. scripts/validate same_output compares both ways, byte for byte.
#pragma once

#include <array>
#include <cstring>

#include "sc_models/config/sm_config.h"
#include "sc_models/sm/front_end/front_end_state.h"
#include "sc_models/sm/front_end/slot_profile.h"
#include "sc_models/sm/schedulers/scheduler.h"
#include "tlm_bus/stage.h"
#include "tlm_bus/state_image.h"

namespace gt200::model {

class block_control;
class decode;
class fetch;
class icache;
class instruction_buffer;
class instruction_pool;
class issue;
class scoreboard;
class simt_stack;
class unit_list;

class joined_front_end {
 public:
  // The modules that are joined, and those that they call.
  struct parts {
    gt200::model::fetch& fetch;
    gt200::model::icache& icache;
    gt200::model::decode& decode;
    gt200::model::scoreboard& scoreboard;
    gt200::model::instruction_buffer& instruction_buffer;
    gt200::model::issue& issue;
    gt200::model::simt_stack& simt_stack;
    gt200::model::block_control& block_control;
    gt200::model::instruction_pool& instruction_pool;
    const unit_list& units;
  };

  joined_front_end(const parts& modules, const config::sm_config& config);

  // Joins the stages. After elaboration and before the first cycle. Returns false, and changes nothing, if this SM
  // has a part that works in another way, or somebody looks already.
  bool join();
  // The stages work by themselves from now on, between two cycles. Does nothing if they do already.
  void part();
  bool joined() const { return mode_ == mode::joined; }
  // Somebody has attached to one of their taps.
  bool is_looked_at() const {
    std::array<std::uint64_t, 3> words;
    std::memcpy(words.data(), looks_.data(), sizeof words);
    return (words[0] | words[1] | words[2]) != 0;
  }
  // The same as part(), in the middle of a cycle.
  void part_in_cycle();

  // -- called by the joined stages --

  // The clock has called the stage.
  template <class Stage>
  void called(Stage& by);
  // Fetch reserves slots, and sends its token.
  void reserve(warp_slot warp, unsigned count) { set_reserved(warp, state_.warps[warp].reserved + count); }
  bool room_for_two(warp_slot warp) const { return (state_.now.room_for_two & warp_bit(warp)) != 0; }
  fetch_token& next_fetch() { return state_.fetches.put(state_.cycle + fetch_latency_); }
  // The instruction cache takes it, and hands on what it has read.
  const fetch_token* oldest_fetch() {
    return state_.fetches.due() <= state_.cycle ? &state_.fetches.oldest().token : nullptr;
  }
  void take_fetch() { state_.fetches.take(state_.cycle); }
  bool can_arrive() {
    if (state_.arrivals.used_at_edge(state_.cycle) < arrival_depth_) return true;
    if (state_.arrivals.used() < arrival_depth_)
      wake_cache();
    else
      state_.cache_waits = true;
    return false;
  }
  fetched_token& next_arrival() { return state_.arrivals.put(state_.cycle + arrival_latency_); }
  // Decode gives slots back, tells fetch, and enters an instruction; false if the scoreboard refuses it.
  void cancel(warp_slot warp, unsigned count) { set_reserved(warp, state_.warps[warp].reserved - count); }
  void command(const fetch_control_token& token);
  bool enter(warp_slot warp, const instruction_descriptor& instruction, const grid_descriptor* grid,
             isa::code_address pc);

  // -- called by write-back, barrier and shared memory, by way of scoreboard and issue --
  void release(warp_slot warp, std::uint64_t entries);
  void release_from_barrier(warp_mask warps);
  void set_replaying(warp_slot warp, bool replays);
  warp_mask replaying();

  void visit_state(tlm_bus::state_image& state);

 private:
  enum class mode : std::uint8_t { parted, joined, parting };
  using warp_part = front_end_state::warp;
  class front;  // the state as issue's rule sees it

  bool is_usual() const;
  bool has_direct_links() const;
  void watch_taps();
  // The first change or question in a cycle: what was changed until the last edge is seen from now on.
  void begin_cycle(tlm_bus::cycle_t cycle) {
    if (state_.cycle == cycle) return;
    state_.now = state_.next;
    state_.cycle = cycle;
  }
  void wake_fetch() { fetch_clock_.wake_next(); }
  void wake_issue() { issue_clock_.wake_next(); }
  // The instruction cache has a place for what it reads.
  void wake_cache() {
    icache_clock_.wake_next();
    wake_fetch();
  }
  void wake_for_links();
  void front_step();
  void fetch_step();
  void icache_step();
  void run_icache();
  void decode_step();
  void issue_step();
  void remove(warp_slot warp, warp_part& w);
  void set_reserved(warp_slot warp, unsigned reserved);
  unsigned look_up(const warp_part& w, const isa::instruction& instruction, unsigned pending) const;
  unsigned take_entries(warp_part& w, const isa::instruction& instruction, unsigned wanted, unsigned free);
  void refuse(warp_slot warp);
  void show_oldest(warp_slot warp, const warp_part& w);
  const front_end_state::slot& oldest(const warp_part& w) const { return w.slots[w.head]; }

  void hand_over();
  void hand_over_links();
  void hand_over_scoreboard();
  void hand_over_buffer();

  front_end_state state_;
  mode mode_ = mode::parted;
  // By tap: not 0 while somebody is attached.
  std::array<std::uint8_t, 24> looks_{};
  bool watches_ = false;                            // looks_ is kept
  tlm_bus::cycle_t parted_at_ = tlm_bus::no_cycle;  // while parting: the cycle in which all have been called

  tlm_bus::stage &fetch_clock_, &icache_clock_, &issue_clock_;  // make themselves due
  parts modules_;
  bool tracks_shared_;
  unsigned all_;       // every scoreboard entry of a warp
  unsigned capacity_;  // of the buffer, of a warp
  unsigned fetch_depth_, fetch_latency_;
  unsigned arrival_depth_, arrival_latency_;
  unsigned command_depth_;
};

}  // namespace gt200::model
