// Coon's scoreboard: a few entries per warp instead of a bit per register.
//
// An entry holds the first register and the number of registers ($r, $c or $a) of one pending destination. When an
// instruction enters the instruction buffer, its sources and destinations are compared with the entries of its
// warp. The matching entries form its dependency vector, which stays with it. Write-back releases the entries and
// clears their bits in the vectors of the warp's buffered instructions.
//
// Entries can be taken in two ways. With the look-up: in program order, either for all of an instruction's
// destinations or for none; an instruction that finds too few entries is refused. At issue: nothing is refused, but
// the oldest instruction waits in the buffer until enough entries are free. The younger buffered instructions had
// their look-up before, so they are then compared with the new entries.
//
// An entry released at t can be taken again at t + 1. A look-up at t still matches it, and the clearing of the same
// cycle removes that bit again, so the order of the two does not matter. An instruction with more destinations than
// a warp has entries waits until the warp has none pending and takes all of them. Until it has completed, no
// younger instruction of the warp enters (with the look-up) or issues (at issue).
//
// With tracks_shared, a store to s[] has one destination more: shared memory. Its entry matches every access of the
// warp to s[], which then waits until the store is performed (Kanter: ready means that registers and shared memory
// are available). Without it, the queue in front of shared memory keeps these accesses in order.
//
// Ranges are compared exactly. The patent ignores the low-order bits of the register number if the size is above
// one. That is equivalent for ranges aligned to their size, which the ISA requires except for texture results of
// three components. Source: Coon et al., US 7,434,032 and US 8,225,076. Entries per warp: assumption (see the
// configuration).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sc_models/config/sm_config.h"
#include "sc_models/sm/dependency/dependency_tracker.h"
#include "sc_models/sm/units/unit_list.h"
#include "tlm_bus/clock_domain.h"
#include "tlm_bus/registered.h"
#include "toolchain/arch_state/generation.h"
#include "toolchain/isa/common/registers.h"

namespace gt200::model {

class joined_front_end;

class coon_tracker final : public dependency_tracker {
 public:
  // An extra bit in a dependency vector, at issue only: not enough entries are free.
  static constexpr scoreboard_entry room_bit{63};

  // `generation`: how many registers an entry can name.
  coon_tracker(const tlm_bus::clock_domain& domain, const config::sm_config& config,
               const arch_state::generation_values& generation = {});

  lookup enter(warp_slot warp, const isa::instruction& instruction) override;
  // The same, where entries are taken with the look-up.
  lookup look_up(warp_slot warp, const isa::instruction& instruction);
  std::uint64_t issue(warp_slot warp, dependency_vectors& buffer) override;
  void complete(warp_slot warp, const isa::instruction& instruction, std::uint64_t entries,
                dependency_vectors& buffer) override;
  bool full(warp_slot warp) const override { return (pending_[warp].next() & all_) == all_; }
  // Where entries are taken with the look-up: its issue takes none, and its completion only gives them back.
  bool takes_at_issue() const { return at_issue_; }
  void give_back(warp_slot warp, std::uint64_t entries) { pending_[warp].change(domain_.cycle()) &= ~entries; }
  std::uint64_t probes_until(core_cycle) const override { return lookups_; }
  stall_cause cause_of(warp_slot warp, scoreboard_entry dependency) const override;
  void publish(warp_slot warp, tlm_bus::signal_writer& to) const override;
  tracking_cost cost() const override;

  // For reports: the entries in use at the last edge and their contents.
  std::uint64_t pending_at_edge(warp_slot warp) { return pending_[warp].read(domain_.cycle()); }
  bool region_taken(warp_slot warp) const { return is_region(warp); }
  const isa::register_range& range_of(warp_slot warp, scoreboard_entry which) const {
    return entry_of(warp, which).range;
  }

  // By entry: whether it is in use, the number of its first register, the number of registers less one, and, with
  // tracks_shared, whether it stands for shared memory. Predicates are numbered behind the general registers,
  // address registers behind these.
  unsigned bits() const override { return capacity_ * bits_of_entry(); }
  bool bit(warp_slot warp, unsigned bit) const override;
  void flip(warp_slot warp, unsigned bit) override;
  std::string text_of_bit(warp_slot warp, unsigned bit) const override;
  bool occupied(warp_slot warp, unsigned bit) const override;

 private:
  friend class joined_front_end;
  struct entry;
  // The fields of an entry as hardware stores them.
  struct stored_entry {
    unsigned number = 0;
    unsigned size = 0;
    bool shared = false;
  };
  static constexpr unsigned size_bits = 2;
  unsigned bits_of_entry() const { return 1 + number_bits_ + size_bits + (tracks_shared_ ? 1 : 0); }
  stored_entry stored(const entry& from) const;
  void store(const stored_entry& from, entry& to) const;
  // Small, so that one line of the host's cache has those of a warp.
  struct entry {
    isa::register_range range;
    stall_cause cause;          // cause for instructions that wait for it
    isa::register_place place;  // of the range; empty: shared memory

    entry() : entry({}, stall_cause::none) {}
    // The size field has no zero: without a range the entry stands for register 0.
    entry(const isa::register_range& r, stall_cause c)
        : range(r), cause(c), place({r.file, r.first, r.count == 0 ? std::uint8_t{1} : r.count}) {}
    // `p` must be the place of `r`; a range without registers becomes shared memory.
    entry(const isa::register_range& r, stall_cause c, isa::register_place p) : range(r), cause(c), place(p) {}
    static entry of_shared(stall_cause c) {
      entry e({}, c);
      e.place.count = 0;
      return e;
    }
    bool shared() const { return place.count == 0; }
  };
  struct alignas(64) entry_line {
    std::array<entry, 8> entries;
  };
  static_assert(sizeof(entry_line) == 8 * sizeof(entry), "the entries of a warp follow one another");
  // Those of a warp, one behind the other.
  const entry* entries_of(warp_slot warp) const { return entries_[warp.index() * lines_per_warp_].entries.data(); }
  entry* entries_of(warp_slot warp) { return entries_[warp.index() * lines_per_warp_].entries.data(); }
  const entry& entry_of(warp_slot warp, scoreboard_entry which) const { return entries_of(warp)[which.index()]; }
  entry& entry_of(warp_slot warp, scoreboard_entry which) { return entries_of(warp)[which.index()]; }
  // With a destination for a store to shared memory, if that is tracked.
  unsigned destinations(const isa::instruction& instruction) const {
    unsigned count = instruction.write_count;
    if (tracks_shared_ && instruction.access.space == isa::memory_space::shared && instruction.access.stores())
      ++count;
    return count;
  }
  std::uint64_t matches(warp_slot warp, const isa::instruction& instruction, std::uint64_t pending) const;
  bool is_region(warp_slot warp) const { return (region_taken_ & warp_bit(warp)) != 0; }
  bool room_for(unsigned wanted, std::uint64_t pending) const;
  std::uint64_t with_room_bit(std::uint64_t dependencies, warp_slot warp,
                              const isa::instruction& instruction) const;
  std::uint64_t allocate(warp_slot warp, const isa::instruction& instruction, unsigned wanted,
                         std::uint64_t pending);
  std::uint64_t allocate_region(warp_slot warp, const isa::instruction& instruction);

  // What a look-up needs is together, for the host's cache.
  alignas(64) const tlm_bus::clock_domain& domain_;
  std::uint64_t all_;  // every entry of a warp
  unsigned capacity_;
  unsigned lines_per_warp_;
  bool at_issue_;
  bool tracks_shared_;
  std::vector<entry_line> entries_;  // of all warps
  // warps whose pending entries belong to an instruction with more destinations than entries
  warp_mask region_taken_ = 0;
  std::uint64_t lookups_ = 0;
  std::array<std::array<stall_cause, isa::unit_classes>, 2> cause_;  // cause_of_result(), without and with s[]
  per_warp<tlm_bus::registered<std::uint64_t>> pending_;             // bit e = entry e is in use
  tracking_cost cost_;
  unsigned general_registers_, predicates_;  // of a warp
  unsigned number_bits_;                     // of a register
};

// -- what happens at every instruction --

// The entries in `pending` that stand for something the instruction names.
[[gnu::always_inline]] inline std::uint64_t coon_tracker::matches(warp_slot warp,
                                                                  const isa::instruction& instruction,
                                                                  std::uint64_t pending) const {
  if (pending == 0) return 0;
  if (is_region(warp)) return pending;
  const entry* const entries = entries_of(warp);
  std::uint64_t found = 0;
  for (const unsigned e : set_bits(pending))
    found |= std::uint64_t{instruction.registers.meets(entries[e].place)} << e;
  if (tracks_shared_ && instruction.access.space == isa::memory_space::shared)
    for (const unsigned e : set_bits(pending)) found |= std::uint64_t{entries[e].shared()} << e;
  return found;
}

inline bool coon_tracker::room_for(unsigned wanted, std::uint64_t pending) const {
  if (wanted > capacity_) return pending == 0;
  std::uint64_t left = all_ & ~pending;
  for (; wanted != 0; --wanted, left &= left - 1)
    if (left == 0) return false;
  return true;
}

// Takes an entry for each destination from those not in `pending`. Damaged entries may have taken room that an
// issuing instruction has seen; what finds none is not tracked.
[[gnu::always_inline]] inline std::uint64_t coon_tracker::allocate(warp_slot warp,
                                                                   const isa::instruction& instruction,
                                                                   unsigned wanted, std::uint64_t pending) {
  if (wanted > capacity_) return allocate_region(warp, instruction);
  const stall_cause cause = cause_[instruction.reads_shared][static_cast<unsigned>(instruction.unit)];
  entry* const entries = entries_of(warp);
  region_taken_ &= ~warp_bit(warp);
  const std::uint64_t free = all_ & ~pending;
  std::uint64_t left = free;
  for (unsigned i = 0; i < instruction.write_count && left != 0; ++i, left &= left - 1)
    entries[__builtin_ctzll(left)] = {instruction.writes[i], cause, instruction.write_place[i]};
  if (wanted > instruction.write_count && left != 0) {
    entries[__builtin_ctzll(left)] = entry::of_shared(cause);
    left &= left - 1;
  }
  const std::uint64_t taken = free ^ left;
  if (taken != 0) pending_[warp].change(domain_.cycle()) |= taken;
  return taken;
}

[[gnu::always_inline]] inline dependency_tracker::lookup coon_tracker::look_up(
    warp_slot warp, const isa::instruction& instruction) {
  // Entries released in this cycle still match, because this cycle's clearing reaches the new instruction too.
  // Entries taken in this cycle also match.
  const std::uint64_t pending = pending_[warp].read(domain_.cycle()) | pending_[warp].next();
  lookup result;
  const unsigned wanted = destinations(instruction);
  if ((pending != 0 && is_region(warp)) || !room_for(wanted, pending)) return result;
  result.dependencies = matches(warp, instruction, pending);
  if (wanted != 0) result.allocated = allocate(warp, instruction, wanted, pending);
  result.entered = true;
  ++lookups_;
  return result;
}

}  // namespace gt200::model
