// Accesses to device memory in the order in which partitions and L1s perform them, and the end of windows.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "observe/checker/checker_state.h"

namespace gt200::observe {

namespace {

using arch_state::fault_kind;

bool is_prefetch(const tlm::tlm_generic_payload& access) {
  return access.get_extension<model::memory_extension>()->kind == model::memory_kind::prefetch;
}

}  // namespace

difference_found checker::state::started_again(std::uint32_t block_id) {
  return {-1, "start of a block", "a block not started yet", "block " + std::to_string(block_id)};
}

void checker::state::window_ends() {
  kept_.take([this](const tlm::tlm_generic_payload& access, tlm_bus::femtoseconds at) {
    if (checking() && !performed_difference_) take_performed(access, at);
  });
  put_together();
}

// Puts the findings of clusters and partitions together. The earliest counts; later ones are of no interest.
void checker::state::put_together() {
  if (difference_) return;
  std::optional<timed_difference> first = std::move(performed_difference_);
  performed_difference_.reset();
  const auto is_first = [&first](tlm_bus::femtoseconds at) { return !first || at < first->at; };
  tlm_bus::femtoseconds faulted_at = tlm_bus::no_time;
  std::vector<checked_cluster::begun_block> begun;
  for (checked_cluster& c : clusters_) {
    if (c.difference && is_first(c.difference->at)) first = c.difference;
    faulted_at = std::min(faulted_at, c.faulted_at);
    begun.insert(begun.end(), c.begun.begin(), c.begun.end());
    c.begun.clear();
  }
  std::stable_sort(begun.begin(), begun.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
  for (const checked_cluster::begun_block& b : begun) {
    if (block_seen_[b.block_id] != 0 && is_first(b.at))
      first = timed_difference{b.at, described_at(b.at, &sms_[b.sm], nullptr, started_again(b.block_id))};
    block_seen_[b.block_id] = 1;
  }
  if (first && first->at <= faulted_at) end_with(std::move(first->found));
  faulted_ = faulted_ || faulted_at != tlm_bus::no_time;
}

unsigned checker::state::sm_of(const tlm::tlm_generic_payload& access) const {
  const auto* extension = access.get_extension<model::memory_extension>();
  return extension->tpc * chip_.config.chip.sms_per_tpc + extension->sm;
}

template <class Act>
void checker::state::for_instruction_of(const tlm::tlm_generic_payload& access, tlm_bus::femtoseconds at, Act act) {
  const auto* extension = access.get_extension<model::memory_extension>();
  if (extension->instruction_id == 0) return;  // entries of divergence stacks
  checked_sm& s = sms_[sm_of(access)];
  in_flight* f = s.find(extension->warp, extension->instruction_id);
  try {
    const bool prefetches = f != nullptr && f->record.access.prefetches();
    if (f == nullptr || (!f->device_memory && !prefetches)) {
      if (s.warps[extension->warp].faulted) return;
      throw difference_found{-1, "access to memory", "none",
                             fmt::format("a transaction at {:#x}", access.get_address())};
    }
    act(*f);
  } catch (const difference_found& found) {
    report_performed(at, s, f, found);
  }
}

void checker::state::perform(in_flight& f, const tlm::tlm_generic_payload& access,
                             const l1_contents::content* line) {
  const auto* extension = access.get_extension<model::memory_extension>();
  checked_sm& s = sms_[sm_of(access)];
  for_slots_beside(s, f, [&](model::warp_slot slot) {
    for (const in_flight* older : s.warps[slot].under_way) {
      if (!older->device_memory || older->all_performed() || older->fault != fault_kind::none) continue;
      if (is_earlier_of_a_thread(*older, f) || (slot != extension->warp && f.follows_by_barrier(*older)))
        memory_order::check_order(*older, f, access);
    }
  });
  memory_.perform(f, access, line);
  ++cluster_of(s).counts.memory_accesses;
}

// A copy of the host during a launch: kernels may see it from here on.
void checker::state::host_stores(const tlm::tlm_generic_payload& access) {
  if (!access.is_write() || !checking()) return;
  const std::uint8_t* const enables = access.get_byte_enable_ptr();
  for (unsigned i = 0; i < access.get_data_length(); ++i)
    if (enables == nullptr || enables[i % access.get_byte_enable_length()] != 0)
      shadow_.write(access.get_address() + i, access.get_data_ptr() + i, 1);
}

void checker::state::performed(const tlm::tlm_generic_payload& access, unsigned, tlm_bus::femtoseconds at) {
  if (!checking()) return;
  switch (access.get_extension<model::memory_extension>()->space) {
    case model::memory_space::host:
    case model::memory_space::global:
    case model::memory_space::local: break;
    case model::memory_space::texture:
      // Clusters read its texels in the shadow later.
      if (by_cluster()) copy_to_shadow(access);
      return;
    default: return;
  }
  if (!by_cluster()) return take_performed(access, at);
  copy_to_shadow(access);
  kept_.keep(access, at);
}

// Copies the pages of the access from memory that is still unchanged.
void checker::state::copy_to_shadow(const tlm::tlm_generic_payload& access) {
  const std::uint64_t first = access.get_address();
  const std::uint64_t last = first + model::bytes_of_memory(access) - 1;
  for (std::uint64_t a = first; a <= last; a = (a / shadow_memory::page_bytes + 1) * shadow_memory::page_bytes)
    if (shadow_.contains(a, 1)) shadow_.look(a);
}

void checker::state::take_performed(const tlm::tlm_generic_payload& access, tlm_bus::femtoseconds at) {
  const auto* extension = access.get_extension<model::memory_extension>();
  if (extension->space == model::memory_space::host) return host_stores(access);
  switch (extension->kind) {
    case model::memory_kind::write_back: return;  // what an L1 has performed
    case model::memory_kind::prefetch: return;    // nobody takes its data
    case model::memory_kind::fill:
      if (extension->space == model::memory_space::local) return;  // the L1 has performed what it is for
      for_instruction_of(access, at, [&](in_flight&) {
        l1_.performed(access, shadow_.look(access.get_address()),
                      [&](const tlm::tlm_generic_payload& load, const l1_contents::content& line) {
                        if (is_prefetch(load)) return;
                        for_instruction_of(load, at, [&](in_flight& f) { perform(f, load, &line); });
                      });
      });
      return;
    default: for_instruction_of(access, at, [&](in_flight& f) { perform(f, access); });
  }
}

// -- L1 data caches --

// Local memory belongs to one thread, so its place in the L1 is its place in the order of accesses.
void checker::state::looked_up(const tlm::tlm_generic_payload& access, std::uint64_t fill) {
  if (!checking()) return;
  const auto* extension = access.get_extension<model::memory_extension>();
  if (access.is_write()) l1_has_stores_[extension->tpc] = true;
  if (extension->last_use) last_used_rows_.insert(access.get_address());
  for_instruction_of(access, chip_.clocks.main_driver().now(), [&](in_flight& f) {
    if (is_prefetch(access)) {
      if (extension->space != model::memory_space::local) l1_.look_up(access, fill);
      return;
    }
    if (extension->space == model::memory_space::local) return perform(f, access);
    if (f.instruction->access.past_l1)
      throw difference_found{-1, "load that bypasses the L1", "performed at a partition", "answered by the L1"};
    if (const l1_contents::content* line = l1_.look_up(access, fill)) perform(f, access, line);
  });
}

void checker::state::evicted(const tlm::tlm_generic_payload& access) {
  if (checking()) l1_.evicted(access);
}

}  // namespace gt200::observe
