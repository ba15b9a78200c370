// What the joined front end (joined_front_end.h) holds between two edges: plain data, laid out by use.
//
// What neighbours see of each other is a mask of warps, twice: as of the last edge, and with the changes of the
// present cycle. Everything that belongs to one warp is together.
#pragma once

#include <array>
#include <cstdint>

#include "sc_models/slots.h"
#include "sc_models/sm/stage_tokens.h"
#include "sc_models/sm/stall_cause.h"
#include "tlm_bus/time.h"
#include "toolchain/arch_state/fault.h"
#include "toolchain/isa/common/registers.h"

namespace gt200::model {

struct front_end_state {
  static constexpr unsigned max_entries = 8;  // of the scoreboard, of a warp
  static constexpr unsigned max_slots = 4;    // of the instruction buffer, of a warp; a power of two
  static constexpr unsigned max_tokens = 16;  // between two stages; a power of two

  // A pending destination. Its registers are bits of a register set: `count` of them from bit `shift` of byte
  // `byte` on; none: shared memory.
  struct entry {
    std::uint16_t byte = 0;
    std::uint8_t shift = 0;
    std::uint8_t count = 0;
    isa::register_range range;
    stall_cause cause = stall_cause::none;
  };
  // An instruction in the buffer.
  struct slot {
    const isa::instruction* instruction = nullptr;
    const grid_descriptor* grid = nullptr;
    std::uint64_t id = 0;
    isa::code_address pc = 0;
    arch_state::fault_kind fault = arch_state::fault_kind::none;
    std::uint8_t dependencies = 0;  // scoreboard entries that it waits for
    std::uint8_t allocated = 0;     // those that it holds
    std::uint8_t route = 0;         // collector class, and in the upper half the alternatives (unit_list.h)
  };
  struct alignas(64) warp {
    std::uint8_t head = 0;      // position of the oldest instruction
    std::uint8_t used = 0;      // instructions in the buffer
    std::uint8_t reserved = 0;  // these, and the slots that fetches have reserved
    std::uint8_t pending = 0;   // scoreboard entries in use
    // In cycle `cleared_at`: the entries released, and those that the oldest instruction was waiting for.
    std::uint8_t cleared = 0;
    std::uint8_t freed = 0;
    tlm_bus::cycle_t cleared_at = tlm_bus::no_cycle;
    std::array<entry, max_entries> entries;
    std::array<slot, max_slots> slots;
  };
  struct masks {
    warp_mask ready = 0;     // the oldest instruction waits for nothing
    warp_mask occupied = 0;  // an instruction is buffered
    warp_mask room = ~warp_mask{0};
    warp_mask room_for_two = ~warp_mask{0};
    warp_mask without_entry = 0;  // no scoreboard entry is free
    warp_mask refused = 0;        // the next instruction found too few of them
    warp_mask at_barrier = 0;
    warp_mask replaying = 0;
  };
  // Tokens from one stage to the next, in order.
  template <class Token>
  struct ring {
    struct place {
      tlm_bus::cycle_t visible_at = 0;
      Token token;
    };
    std::array<place, max_tokens> places;
    std::uint32_t sent = 0, taken = 0;
    tlm_bus::cycle_t taken_at = tlm_bus::no_cycle;  // cycle of the last take

    std::uint32_t used() const { return sent - taken; }
    // A place that is freed in this cycle is free from the next one on. At most one is.
    std::uint32_t used_at_edge(tlm_bus::cycle_t present) const { return used() + (taken_at == present ? 1 : 0); }
    void take(tlm_bus::cycle_t present) {
      ++taken;
      taken_at = present;
    }
    place& oldest() { return places[taken % max_tokens]; }
    const place& at(std::uint32_t position) const { return places[(taken + position) % max_tokens]; }
    tlm_bus::cycle_t due() const { return sent == taken ? tlm_bus::no_cycle : at(0).visible_at; }
    Token& put(tlm_bus::cycle_t visible_at) {
      place& p = places[sent++ % max_tokens];
      p.visible_at = visible_at;
      return p.token;
    }
  };

  tlm_bus::cycle_t cycle = tlm_bus::no_cycle;  // the one to which the changes in `next` belong
  masks now, next;
  // Warps by what their oldest instruction needs: a class of the collector, or an alternative unit.
  std::array<warp_mask, max_collector_classes> of_class{};
  std::array<warp_mask, max_alternatives> of_alternative{};
  tlm_bus::cycle_t released_at = tlm_bus::no_cycle;  // cycle of the last release of a scoreboard entry
  bool retries = false;                              // refused instructions are looked up again in the next cycle
  bool cache_waits = false;                          // for a place on the way to decode
  // The last cycles in which cache, front step and issue worked; each works once in a cycle.
  tlm_bus::cycle_t cache_ran_at = tlm_bus::no_cycle;
  tlm_bus::cycle_t front_ran_at = tlm_bus::no_cycle;
  tlm_bus::cycle_t issue_ran_at = tlm_bus::no_cycle;
  bool has_command = false;
  fetch_control_token command;  // from decode to fetch, visible in the cycle after `commanded_at`
  tlm_bus::cycle_t commanded_at = 0;
  ring<fetch_token> fetches;     // fetch -> instruction cache
  ring<fetched_token> arrivals;  // instruction cache -> decode
  per_warp<warp> warps;
};

}  // namespace gt200::model
