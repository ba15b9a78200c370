#include "sc_models/tpc/sm/scoreboard.h"

#include <string>

#include "toolchain/error.h"

namespace gt200::model {

stall_cause cause_of_result(const isa::instruction& instruction) {
  switch (instruction.unit) {
    case isa::unit_class::sfu: return stall_cause::dependency_sfu;
    case isa::unit_class::dp: return stall_cause::dependency_dp;
    case isa::unit_class::shared: return stall_cause::dependency_shared;
    case isa::unit_class::memory: return stall_cause::dependency_global;
    case isa::unit_class::texture: return stall_cause::dependency_texture;
    case isa::unit_class::constant: return stall_cause::dependency_constant;
    case isa::unit_class::control:
    case isa::unit_class::barrier: return stall_cause::dependency_control;
    case isa::unit_class::sp:
    case isa::unit_class::sp_mul:
    case isa::unit_class::none: break;
  }
  return instruction.reads_shared ? stall_cause::dependency_shared : stall_cause::dependency_sp;
}

scoreboard::scoreboard(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain,
                       const config::sm_config& config)
    : sc_core::sc_module(name),
      instruction_buffer("instruction_buffer"),
      domain_(domain),
      capacity_(config.scoreboard.entries_per_warp),
      stall_all_(config.scoreboard.when_full == config::scoreboard_full::stall_all),
      entries_(std::size_t{max_warps} * capacity_),
      has_room_(~warp_mask{0}) {
  const auto refuse = [](const std::string& key, const char* value, const char* available) {
    throw input_error(key + " = \"" + value + "\" is not available in this version; available is \"" + available +
                      "\"");
  };
  if (config.scoreboard.mechanism != config::scoreboard_mechanism::coon)
    refuse(
        "tpc.sm.scoreboard.mechanism",
        config::choice_names<config::scoreboard_mechanism>[static_cast<std::size_t>(config.scoreboard.mechanism)],
        "coon");
  if (config.scoreboard.model != config::model_kind::systemc)
    refuse("tpc.sm.scoreboard.model",
           config::choice_names<config::model_kind>[static_cast<std::size_t>(config.scoreboard.model)], "systemc");
  if (config.scoreboard.allocate != config::scoreboard_allocation::with_lookup)
    refuse("tpc.sm.scoreboard.allocate", "at_issue", "with_lookup");
}

std::uint64_t scoreboard::matches(unsigned warp, const isa::register_range& range, std::uint64_t pending) const {
  std::uint64_t found = 0;
  for (; pending != 0; pending &= pending - 1) {
    const auto index = static_cast<unsigned>(__builtin_ctzll(pending));
    const isa::register_range& busy = entry_of(warp, index).range;
    if (busy.file == range.file && busy.first < range.first + range.count && range.first < busy.first + busy.count)
      found |= std::uint64_t{1} << index;
  }
  return found;
}

scoreboard_enter_if::lookup scoreboard::enter(unsigned warp, const isa::instruction& instruction) {
  // Entries released in this cycle still match: the clearing of this cycle reaches the new instruction too. Entries
  // taken in this cycle match as well.
  const std::uint64_t before = pending_[warp].read(domain_.cycle());
  const std::uint64_t pending = before | pending_[warp].next();
  const bool whole_region = instruction.write_count > capacity_;
  lookup result;
  if ((region_taken_ & warp_bit(warp)) != 0 && pending != 0) {
    return result;
  }
  const std::uint64_t all = capacity_ == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << capacity_) - 1;
  const auto free = static_cast<unsigned>(__builtin_popcountll(all & ~pending));
  if (whole_region ? pending != 0 : free < instruction.write_count) {
    return result;
  }
  region_taken_ &= ~warp_bit(warp);
  if (pending != 0) {
    for (unsigned i = 0; i < instruction.read_count; ++i)
      result.dependencies |= matches(warp, instruction.reads[i], pending);
    for (unsigned i = 0; i < instruction.write_count; ++i)
      result.dependencies |= matches(warp, instruction.writes[i], pending);
  }
  const stall_cause cause = cause_of_result(instruction);
  if (whole_region) {
    // The entries cannot describe it; they only keep everything younger out.
    result.allocated = all;
    region_taken_ |= warp_bit(warp);
    for (unsigned e = 0; e < capacity_; ++e) entry_of(warp, e) = {{}, cause};
  } else {
    std::uint64_t left = all & ~pending;
    for (unsigned i = 0; i < instruction.write_count; ++i, left &= left - 1) {
      const auto index = static_cast<unsigned>(__builtin_ctzll(left));
      entry_of(warp, index) = {instruction.writes[i], cause};
      result.allocated |= std::uint64_t{1} << index;
    }
  }
  result.entered = true;
  if (result.allocated != 0) {
    pending_[warp].change(domain_.cycle()) |= result.allocated;
    settle_room(warp);
  }
  ++lookups;
  if (result.dependencies != 0) ++dependent;
  return result;
}

void scoreboard::settle_room(unsigned warp) {
  const std::uint64_t all = capacity_ == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << capacity_) - 1;
  const bool full = (pending_[warp].next() & all) == all;
  if (((full_ & warp_bit(warp)) != 0) == full) return;
  full_ ^= warp_bit(warp);
  has_room_.change(domain_.cycle()) = stall_all_ ? (full_ == 0 ? ~warp_mask{0} : 0) : ~full_;
  if (!full && room_waiter_ != nullptr) room_waiter_->wake_after(domain_);
}

void scoreboard::complete(unsigned warp, std::uint64_t entries) {
  if (entries == 0) return;
  pending_[warp].change(domain_.cycle()) &= ~entries;
  instruction_buffer->clear_dependencies(warp, entries);
  settle_room(warp);
  if (release_waiter_ != nullptr) release_waiter_->wake_after(domain_);
}

}  // namespace gt200::model
