#include "sc_models/sm/volta/control_gate.h"

#include <algorithm>

#include "sc_models/sm/units/unit_list.h"
#include "sc_models/sm/volta/issue_path.h"
#include "sc_models/sm/volta/pipeline_latency.h"
#include "tlm_bus/state_image.h"
#include "toolchain/bits.h"

namespace gt200::model {
namespace {

using config::dependency_rule;

constexpr core_cycles stall_0_with_yield{45};
constexpr unsigned longest_staying_stall = 11;
constexpr core_cycles barrier_raise{2};    // from the issue until an instruction sees it
constexpr core_cycles dependency_wait{4};  // from the issue of DEPBAR until it holds the warp

}  // namespace

control_gate::control_gate(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain,
                           const config::sm_config& config, const arch_state::generation& generation)
    : sc_core::sc_module(name),
      lookups("lookups", *this),
      answers("answers", *this),
      releases("releases", *this),
      steps("steps", *this),
      dependency_updates("dependency_updates"),
      domain_(domain),
      rule_(config.dependencies),
      long_stall_(config.processing_block.long_stall_cycles),
      warp_slots_(config.limits.warps),
      room_(~warp_mask{0}) {
  if (rule_ != dependency_rule::control_codes) interlock_.emplace(pipeline_latency(config, generation));
  for (auto& causes : barrier_cause_) causes.fill(stall_cause::dependency_global);
}

void control_gate::transport(barrier_release& release) {
  changes_.push_back({now() + core_cycles(1), release.warp, release.barrier, false});
  parts_.moved(release.warp.index());
  released_.notify(domain_);
}

void control_gate::transport(operand_progress& progress) {
  steps_.push_back({now() + core_cycles(1), progress});
  released_.notify(domain_);
}

// Changes of this cycle are visible in the next one, so the order of the modules does not matter.
void control_gate::settle() {
  const auto take = [this](const step& s) {
    if (s.at > now()) return false;
    if (s.progress.written)
      interlock_->has_written(s.progress.warp, *s.progress.instruction);
    else
      interlock_->has_read(s.progress.warp, *s.progress.instruction);
    return true;
  };
  if (!steps_.empty()) steps_.erase(std::remove_if(steps_.begin(), steps_.end(), take), steps_.end());
  if (changes_.empty()) return;
  const auto visible = [this](const change& c) {
    if (c.at > now()) return false;
    std::uint16_t& count = warps_[c.warp].counts[c.barrier];
    count = static_cast<std::uint16_t>(c.raises ? count + 1 : count - 1);
    return true;
  };
  changes_.erase(std::remove_if(changes_.begin(), changes_.end(), visible), changes_.end());
}

std::uint8_t control_gate::awaited(warp_slot warp, const isa::instruction& oldest) const {
  const warp_state& w = warps_[warp];
  std::uint8_t mask = oldest.codes.wait_mask;
  std::uint8_t result = 0;
  for (const pending_wait& p : w.waits) {
    if (!p.wait.waits || now() < p.from) continue;
    mask |= p.wait.list;
    if (w.counts[p.wait.barrier] > p.wait.count) result |= static_cast<std::uint8_t>(1u << p.wait.barrier);
  }
  for (unsigned b = 0; b < barriers; ++b)
    if ((mask >> b & 1) != 0 && w.counts[b] != 0) result |= static_cast<std::uint8_t>(1u << b);
  return result;
}

stall_cause control_gate::waits_for(warp_slot warp, const isa::instruction& oldest) const {
  if (interlock_) return interlock_->waits_for(warp, oldest);
  const std::uint8_t barriers_awaited = awaited(warp, oldest);
  return barriers_awaited == 0 ? stall_cause::none : barrier_cause_[warp][__builtin_ctz(barriers_awaited)];
}

bool control_gate::waits_for_memory(warp_slot warp, const isa::instruction& oldest) const {
  const auto is_of_memory = [](stall_cause cause) {
    return cause == stall_cause::dependency_global || cause == stall_cause::dependency_texture;
  };
  if (interlock_) return is_of_memory(interlock_->waits_for(warp, oldest));
  for (const unsigned b : set_bits(unsigned{awaited(warp, oldest)}))
    if (is_of_memory(barrier_cause_[warp][b])) return true;
  return false;
}

core_cycle control_gate::open_at(warp_slot warp, const isa::instruction& oldest) {
  settle();
  warp_state& w = warps_[warp];
  if (interlock_) return interlock_->open_at(warp, oldest, std::max(w.open_at, now()));
  if (w.open_at > now()) return w.open_at;
  if (awaited(warp, oldest) != 0) return core_cycle::never();
  return now();
}

// The last releases of the warp before it lie in earlier cycles.
void control_gate::started(warp_slot warp) {
  settle();
  warps_[warp] = {};
  parts_.moved(warp.index());
  if (interlock_) interlock_->started(warp);
}

core_cycles control_gate::stall_of(const isa::control_codes& codes) const {
  const unsigned stall = codes.stall_cycles;
  if (stall == 0 && codes.yield) return stall_0_with_yield;
  if (stall > longest_staying_stall && !codes.yield) return long_stall_;
  if (stall <= 1) return core_cycles(codes.yield ? 2 : 1);
  return core_cycles(stall);
}

void control_gate::raise(warp_slot warp, std::uint8_t barrier) {
  if (barrier >= barriers) return;
  changes_.push_back({now() + barrier_raise, warp, barrier, true});
  parts_.moved(warp.index());
}

void control_gate::issued(warp_slot warp, const isa::instruction& instruction, core_cycles held) {
  settle();
  warp_state& w = warps_[warp];
  if (interlock_) {
    const bool stalls = rule_ == dependency_rule::checked_stalls;
    w.open_at = now() + (stalls ? stall_of(instruction.codes) : core_cycles(1)) + held;
    interlock_->issued(warp, instruction, now() + held, path_of(instruction) != issue_path::fixed);
    return;
  }
  w.open_at = now() + stall_of(instruction.codes) + held;
  for (pending_wait& p : w.waits)
    if (p.wait.waits && now() >= p.from) p = {};
  if (instruction.dependency.waits) {
    auto* const free =
        std::find_if(w.waits.begin(), w.waits.end(), [](const pending_wait& p) { return !p.wait.waits; });
    *free = {instruction.dependency, now() + dependency_wait};
  }
  for (const std::uint8_t barrier : {instruction.codes.write_barrier, instruction.codes.read_barrier}) {
    raise(warp, barrier);
    if (barrier < barriers) barrier_cause_[warp][barrier] = cause_of_result(instruction);
  }
}

// With the changes that instructions do not see yet, as all registers are shown.
void control_gate::publish(tlm_bus::signal_writer& to) {
  per_warp<std::array<std::uint16_t, barriers>> counts;
  for (unsigned warp = 0; warp < warp_slots_; ++warp) counts[warp_slot(warp)] = warps_[warp_slot(warp)].counts;
  for (const change& c : changes_) {
    std::uint16_t& count = counts[c.warp][c.barrier];
    count = static_cast<std::uint16_t>(c.raises ? count + 1 : count - 1);
  }
  to.array("warp", warp_slots_, [&](unsigned warp) {
    static constexpr const char* names[] = {"sb0", "sb1", "sb2", "sb3", "sb4", "sb5"};
    for (unsigned b = 0; b < barriers; ++b) to.number(names[b], 6, counts[warp_slot(warp)][b]);
  });
}

void control_gate::visit_state(tlm_bus::state_image& state) {
  state.fixed(rule_, long_stall_, warp_slots_);
  state(interlock_, warps_, barrier_cause_, changes_, steps_, room_);
}

}  // namespace gt200::model
