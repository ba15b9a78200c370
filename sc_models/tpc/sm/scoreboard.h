// Pending destinations of every warp: a few entries per warp instead of a bit per register.
//
// When an instruction enters the instruction buffer, its sources and destinations are compared with the entries of
// its warp; the matching entries form its dependency vector. In the same step it takes an entry for each of its own
// destinations, all or none. Write-back releases the entries, which also clears their bits in the buffered vectors
// of the warp. An entry holds the first register and the number of registers ($r, $c or $a) of one destination.
//
// A release at t is seen by look-ups after t; a look-up made at t still matches the entry, and the clearing of the
// same cycle removes that bit again, so nothing is lost whichever module runs first. An instruction with more
// destinations than a warp has entries waits until the warp has none pending, takes the whole region, and no
// younger instruction of the warp enters until it has written back. Source: Coon et al., US 7,434,032 and US
// 8,225,076. Entries per warp: assumption (see the configuration).
#pragma once

#include <array>
#include <vector>

#include "sc_models/config/sm_config.h"
#include "sc_models/tpc/sm/interfaces.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/registered.h"
#include "tlm_bus/stage.h"

namespace gt200::model {

class scoreboard : public sc_core::sc_module,
                   public scoreboard_enter_if,
                   public scoreboard_fetch_if,
                   public scoreboard_complete_if,
                   public scoreboard_cause_if {
 public:
  sc_core::sc_port<instruction_buffer_release_if> instruction_buffer;

  tlm_bus::counter lookups{"lookups", "warp instructions", "instructions looked up and entered"};
  tlm_bus::counter dependent{"dependent", "warp instructions", "look-ups that found a pending register"};

  scoreboard(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const config::sm_config& config);

  lookup enter(unsigned warp, const isa::instruction& instruction) override;
  void wake_on_release(tlm_bus::stage& who) override { release_waiter_ = &who; }
  warp_mask has_room() override { return has_room_.read(domain_.cycle()); }
  void wake_on_room(tlm_bus::stage& who) override { room_waiter_ = &who; }
  void complete(unsigned warp, std::uint64_t entries) override;
  stall_cause cause_of(unsigned warp, unsigned index) const override { return entry_of(warp, index).cause; }

  const char* kind() const override { return "scoreboard"; }

 private:
  struct entry {
    isa::register_range range;
    stall_cause cause = stall_cause::none;  // of whoever waits for it
  };
  const entry& entry_of(unsigned warp, unsigned index) const { return entries_[warp * capacity_ + index]; }
  entry& entry_of(unsigned warp, unsigned index) { return entries_[warp * capacity_ + index]; }
  std::uint64_t matches(unsigned warp, const isa::register_range& range, std::uint64_t pending) const;
  void settle_room(unsigned warp);

  tlm_bus::clock_domain& domain_;
  unsigned capacity_;
  bool stall_all_;
  std::vector<entry> entries_;                                         // warps x capacity_
  std::array<tlm_bus::registered<std::uint64_t>, max_warps> pending_;  // bit e = entry e is in use
  warp_mask region_taken_ = 0;  // an instruction with more destinations than entries is pending
  warp_mask full_ = 0;
  tlm_bus::registered<warp_mask> has_room_;
  tlm_bus::stage* release_waiter_ = nullptr;
  tlm_bus::stage* room_waiter_ = nullptr;
};

// What a warp waits for when it waits for a result of this instruction.
stall_cause cause_of_result(const isa::instruction& instruction);

}  // namespace gt200::model
