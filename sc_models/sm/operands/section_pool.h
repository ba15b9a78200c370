// The registers of an SM that warps share over time: a pool of sections, and which warp holds which.
//
// A warp of such a grid keeps its base registers and finds the others in a section, which its code acquires and
// releases (docs/register_sharing.md). The pool has a bit for each free section and an entry for each warp with the
// section that it holds. An acquire waits at issue until a section is free, and issues with the lowest free one;
// the register file then finds the registers of the warp in the rows of that section. A release issues when all
// results for these registers have been written. The branch unit passes it on in the order of the program, when all
// older instructions have read their operands; from the next cycle on the section is free. An acquire of a warp
// that holds a section does nothing, as does a release of a warp without one. An acquire behind releases waits
// until all of them have arrived, so that none of them gives back what it takes.
//
// What a warp finds in its section is a pattern, the same as in the emulator (initial_state.h): hardware leaves
// there what another warp wrote.
//
// Paired warps: the warps 2n and 2n + 1 of a block share one section, which lies with the registers of the block.
//
// No clock of its own: it answers issue and branch unit in their cycles. Only issue takes sections, so what is
// taken in a cycle is known to the next scheduler of this cycle; a section that becomes free is visible in the next
// cycle. Source: Khorasani, Asghari Esfeden, Farmahini-Farahani, Jayasena, Sarkar: RegMutex, ISCA 2018.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sc_models/config/sm_config.h"
#include "sc_models/distribution/occupancy.h"
#include "sc_models/sm/observers.h"
#include "sc_models/sm/operands/section_pool_if.h"
#include "tlm_bus/clock_domain.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/injectable.h"
#include "tlm_bus/registered.h"
#include "tlm_bus/registered_signal.h"
#include "tlm_bus/resettable.h"
#include "tlm_bus/signals.h"
#include "tlm_bus/tap.h"

namespace gt200::model {

class section_pool : public sc_core::sc_module,
                     public tlm_bus::signal_source,
                     public tlm_bus::injectable,
                     public section_pool_if,
                     public tlm_bus::resettable {
 public:
  tlm_bus::counter given{"given", "sections", "register sections given to warps"};
  tlm_bus::counter held_cycles{"held_cycles", "section cycles",
                               "core cycles of sections between acquire and release"};

  // `domain`: that of issue and branch unit. `rows` outlives the pool.
  section_pool(const sc_core::sc_module_name& name, const tlm_bus::clock_domain& domain,
               const config::sm_config& config, section_rows_if& rows);

  void started(warp_slot warp, const grid_descriptor& grid, block_slot block, std::uint32_t block_id,
               unsigned warp_in_block, std::uint32_t first_row) override;
  bool may_acquire(warp_slot warp) const override;
  bool holds(warp_slot warp) const override;
  void issued(warp_slot warp, isa::section_action action) override;
  const tlm_bus::registered_signal<section_mask>& free_sections() const override { return free_; }
  void released(warp_slot warp) override;

  // -- called by observers --
  // The section that a warp holds or is giving back.
  std::optional<unsigned> section_of(warp_slot warp) const { return warps_[warp].section; }
  // All sections that the warp may get, and the warps that hold them.
  section_mask sections_for(warp_slot warp) const { return warps_[warp].own; }
  warp_mask holders_of(section_mask sections) const;
  tlm_bus::tap<section_observer>& observers() { return observers_; }

  void publish(tlm_bus::signal_writer& to) override;
  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "section_pool"; }

  // The bit of each section that is free, then of each warp the number of the section that it holds.
  const char* structure() const override { return "section_pool"; }
  std::uint64_t bits() const override { return max_sections + std::uint64_t{section_bits} * warp_slots_; }
  bool bit(std::uint64_t bit) const override;
  void flip(std::uint64_t bit) override;
  std::string text_of_bit(std::uint64_t bit) const override;
  void add_occupied(std::vector<tlm_bus::bit_range>& to) const override;

  static constexpr unsigned max_sections = 64;

 private:
  static constexpr unsigned section_bits = 6;  // of the number of a section
  struct warp_entry {
    section_mask own = 0;         // that the warp may get
    std::uint32_t first_row = 0;  // paired warps: of its section
    std::optional<unsigned> section;
    tlm_bus::cycle_t since = 0;
    // For the content of a section.
    std::uint64_t seed = 0;
    std::uint32_t block_id = 0;
    std::uint8_t warp_in_block = 0;
    unsigned acquires = 0;
  };
  void map(warp_slot warp);
  void fill(warp_slot warp);
  section_mask available(warp_slot warp) const;
  bool is_releasing(warp_slot warp) const { return releases_.read(domain_.cycle())[warp] != 0; }

  const tlm_bus::clock_domain& domain_;
  const config::limits_config& limits_;
  section_rows_if& rows_;
  unsigned warp_slots_;
  std::uint64_t launch_ = 0;
  unsigned base_ = 0;   // registers that each warp keeps
  unsigned count_ = 0;  // in a section
  per_warp<warp_entry> warps_{};
  section_pool_layout pool_;
  tlm_bus::registered<per_warp<std::uint8_t>> releases_;  // that have issued and have not arrived
  tlm_bus::registered_signal<section_mask> free_;
  tlm_bus::idle_bits idle_;
  tlm_bus::tap<section_observer> observers_;
};

}  // namespace gt200::model
