// A scoreboard for Volta's SM that looks at registers and ignores control codes. It holds an instruction back until
// it can issue without harm:
//
//   a source or a result that an older instruction of varying time will write    until it is written
//   a result that an older instruction of varying time has not read yet          until it has read
//   a source that an older instruction of fixed time writes                      until the bypass has it for this
//                                                                                reader, as the table says
//
// Results of fixed time are written in order, and an instruction of fixed time reads before any younger one writes:
// nothing is held back for these. It is the best such hardware can do: it looks at all registers of the oldest
// instruction of every warp in every cycle, and knows the bypasses (assumption). Lanes do not count: a register
// that some lanes write is awaited by all.
//
// Source: a scoreboard per register as in Huerta et al., MICRO 2025, section on alternatives to control bits.
#pragma once

#include <array>
#include <vector>

#include "sc_models/slots.h"
#include "sc_models/sm/cycles.h"
#include "sc_models/sm/stall_cause.h"
#include "toolchain/arch_state/forwarding.h"
#include "toolchain/isa/common/instruction.h"

namespace gt200::model {

class register_interlock {
 public:
  // `table`: of the pipeline.
  explicit register_interlock(const arch_state::forwarding_table& table) : table_(table) {}

  // The first cycle from `now` on in which the warp's oldest instruction may issue. Never: it waits for one of
  // varying time.
  core_cycle open_at(warp_slot warp, const isa::instruction& oldest, core_cycle now) const;
  // What it waits for if that is an instruction of varying time, else none.
  stall_cause waits_for(warp_slot warp, const isa::instruction& oldest) const;

  // An instruction issues. Its operands are read as if it issued at `read_slot`. `varies`: its time does.
  void issued(warp_slot warp, const isa::instruction& instruction, core_cycle read_slot, bool varies);
  // One of varying time has read its operands; its results are written.
  void has_read(warp_slot warp, const isa::instruction& instruction);
  void has_written(warp_slot warp, const isa::instruction& instruction);
  // A new warp occupies the slot.
  void started(warp_slot warp);

 private:
  // A register or a predicate.
  struct place {
    std::uint8_t writers = 0;  // of varying time, under way
    std::uint8_t readers = 0;  // of varying time, that have not read
    stall_cause writer = stall_cause::none;
    stall_cause reader = stall_cause::none;
  };
  struct fixed_result {
    const isa::instruction* instruction;
    core_cycle read_slot;
  };
  struct warp_state {
    std::vector<place> places;          // empty until a warp has started
    std::vector<fixed_result> results;  // of fixed time, the oldest first; old ones go at the next issue
  };
  core_cycle bypassed_at(const fixed_result& writer, const isa::instruction& reader) const;

  arch_state::forwarding_table table_;
  per_warp<warp_state> warps_{};
};

}  // namespace gt200::model
