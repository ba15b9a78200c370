#include "sc_models/sm/operands/section_pool.h"

#include <fmt/format.h>

#include <stdexcept>

#include "tlm_bus/state_image.h"
#include "toolchain/arch_state/initial_state.h"
#include "toolchain/bits.h"

namespace gt200::model {
namespace {

constexpr section_mask section_bit(unsigned section) { return section_mask{1} << section; }

}  // namespace

section_pool::section_pool(const sc_core::sc_module_name& name, const tlm_bus::clock_domain& domain,
                           const config::sm_config& config, section_rows_if& rows)
    : sc_core::sc_module(name),
      domain_(domain),
      limits_(config.limits),
      rows_(rows),
      warp_slots_(config.limits.warps) {}

void section_pool::started(warp_slot warp, const grid_descriptor& grid, block_slot block, std::uint32_t block_id,
                           unsigned warp_in_block, std::uint32_t first_row) {
  if (grid.launch != launch_) {
    // No warp of an earlier grid is left in the SM.
    launch_ = grid.launch;
    base_ = grid.kept_registers();
    count_ = grid.section_registers();
    free_.change(domain_) = ~section_mask{0};
    pool_ = section_pool_of(limits_, grid);
  }
  warp_entry& entry = warps_[warp];
  entry = {};
  releases_.change(domain_.cycle())[warp] = 0;
  if (count_ == 0) return;
  entry.seed = grid.initial_state_seed;
  entry.block_id = block_id;
  entry.warp_in_block = static_cast<std::uint8_t>(warp_in_block);
  if (grid.has_paired_sections) {
    const unsigned pair = warp_in_block / 2;
    entry.own = section_bit(block.index() * ((grid.warps_per_block() + 1) / 2) + pair);
    entry.first_row = first_row + layout_of(limits_, grid).first_section_of_block + pair * count_;
  } else {
    entry.own = pool_.sections == max_sections ? ~section_mask{0} : section_bit(pool_.sections) - 1;
  }
}

// Free since the last edge, and not taken in this cycle.
section_mask section_pool::available(warp_slot warp) const {
  return warps_[warp].own & free_.read(domain_.cycle()) & free_.next();
}

bool section_pool::holds(warp_slot warp) const { return !is_releasing(warp) && warps_[warp].section.has_value(); }

bool section_pool::may_acquire(warp_slot warp) const {
  if (is_releasing(warp)) return false;
  return warps_[warp].section.has_value() || available(warp) != 0;
}

void section_pool::map(warp_slot warp) {
  const warp_entry& entry = warps_[warp];
  // A damaged entry may name a section that is not there.
  const bool exists = entry.section && (entry.own & section_bit(*entry.section)) != 0;
  if (!exists) return rows_.unmap_section(warp);
  const std::uint32_t row = entry.first_row != 0 ? entry.first_row : pool_.first_row + *entry.section * count_;
  rows_.map_section(warp, row, base_, count_);
}

void section_pool::fill(warp_slot warp) {
  warp_entry& entry = warps_[warp];
  ++entry.acquires;
  isa::lane_words row;
  for (unsigned r = base_; r < base_ + count_; ++r) {
    arch_state::section_register_row(entry.seed, entry.acquires, entry.block_id, entry.warp_in_block, r, row.lane);
    rows_.fill_section(warp, r, row);
  }
}

void section_pool::issued(warp_slot warp, isa::section_action action) {
  warp_entry& entry = warps_[warp];
  if (action == isa::section_action::release) {
    ++releases_.change(domain_.cycle())[warp];
    return;
  }
  if (entry.section) return;
  const section_mask possible = available(warp);
  if (possible == 0) throw std::logic_error(std::string(name()) + ": an acquire issued without a free section");
  entry.section = static_cast<unsigned>(__builtin_ctzll(possible));
  entry.since = domain_.cycle();
  free_.change(domain_) &= ~section_bit(*entry.section);
  map(warp);
  fill(warp);
  ++given;
  observers_.notify([&](section_observer& o) { o.section_given(warp, *entry.section); });
}

void section_pool::released(warp_slot warp) {
  warp_entry& entry = warps_[warp];
  // A damaged instruction may become a release behind issue.
  if (std::uint8_t& releases = releases_.change(domain_.cycle())[warp]; releases != 0) --releases;
  section_mask& free = free_.change(domain_);  // wakes issue: an acquire may have waited for this release alone
  if (!entry.section) return;
  const unsigned section = *entry.section;
  entry.section.reset();
  free |= section_bit(section);
  rows_.unmap_section(warp);
  held_cycles += domain_.cycle() - entry.since;
  observers_.notify([&](section_observer& o) { o.section_returned(warp, section); });
}

warp_mask section_pool::holders_of(section_mask sections) const {
  warp_mask holders = 0;
  for (unsigned w = 0; w < warp_slots_; ++w) {
    const warp_entry& entry = warps_[warp_slot(w)];
    if (entry.section && (sections >> *entry.section & 1) != 0) holders |= warp_bit(warp_slot(w));
  }
  return holders;
}

void section_pool::publish(tlm_bus::signal_writer& to) {
  to.mask("free", max_sections, free_.next());
  warp_mask releasing = 0;
  for (unsigned w = 0; w < warp_slots_; ++w)
    if (releases_.next()[warp_slot(w)] != 0) releasing |= warp_bit(warp_slot(w));
  to.mask("releasing", warp_slots_, releasing);
  to.array("warp", warp_slots_, [&](unsigned w) {
    const std::optional<unsigned>& section = warps_[warp_slot(w)].section;
    to.flag("holds", section.has_value());
    to.number("section", section_bits, section.value_or(0));
  });
}

bool section_pool::bit(std::uint64_t bit) const {
  if (bit < max_sections) return (free_.next() >> bit & 1) != 0;
  const std::uint64_t n = bit - max_sections;
  const warp_entry& entry = warps_[warp_slot(static_cast<unsigned>(n / section_bits))];
  return ((entry.section.value_or(0) >> n % section_bits & 1) != 0) != idle_.at(bit);
}

void section_pool::flip(std::uint64_t bit) {
  if (bit < max_sections) {
    free_.change(domain_) ^= section_bit(static_cast<unsigned>(bit));
    return;
  }
  const std::uint64_t n = bit - max_sections;
  const warp_slot warp(static_cast<unsigned>(n / section_bits));
  warp_entry& entry = warps_[warp];
  if (!entry.section) return idle_.flip(bit);
  entry.section = *entry.section ^ 1u << n % section_bits;
  map(warp);
}

std::string section_pool::text_of_bit(std::uint64_t bit) const {
  if (bit < max_sections) return fmt::format("free bit of section {}", bit);
  const std::uint64_t n = bit - max_sections;
  return fmt::format("section of warp {} bit {}", n / section_bits, n % section_bits);
}

void section_pool::add_occupied(std::vector<tlm_bus::bit_range>& to) const {
  section_mask used = 0;
  for (unsigned w = 0; w < warp_slots_; ++w) {
    const warp_entry& entry = warps_[warp_slot(w)];
    used |= entry.own;
    if (entry.section) to.push_back({max_sections + std::uint64_t{w} * section_bits, section_bits});
  }
  for (const unsigned section : set_bits(used)) to.push_back({section, 1});
}

void section_pool::visit_state(tlm_bus::state_image& state) {
  state.fixed(warp_slots_);
  state(launch_, base_, count_, warps_, pool_, releases_, free_, idle_);
}

}  // namespace gt200::model
