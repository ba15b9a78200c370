#include "toolchain/arch_state/volta/warp_paths.h"

#include <algorithm>

#include "toolchain/arch_state/lane_rows.h"

namespace gt200::arch_state::volta {

using isa::volta::as_volta;
using isa::volta::control_kind;

void warp_paths::started() {
  count_ = 0;
  registers_.fill(0);
  last_ = flow_.active;
}

void warp_paths::split_off(isa::lane_mask lanes, isa::code_address pc, wait waits, std::uint8_t barrier,
                           isa::lane_mask together) {
  if (lanes == 0) return;
  flow_.active &= ~lanes;
  paths_[count_++] = {pc, lanes, waits, barrier, together};
}

// Lets the lanes go on that wait for the same, if all of them have arrived. They become one path.
bool warp_paths::merge(wait waits, std::uint8_t barrier, isa::lane_mask together) {
  isa::lane_mask arrived = 0;
  for (unsigned k = 0; k < count_; ++k) {
    const path& p = paths_[k];
    if (p.waits == waits && (waits == wait::convergence ? p.barrier == barrier : p.together == together))
      arrived |= p.mask;
  }
  const isa::lane_mask wanted = waits == wait::convergence ? registers_[barrier] : together & live_mask();
  if (arrived == 0 || (wanted & ~arrived) != 0) return false;
  path merged;
  unsigned kept = 0;
  for (unsigned k = 0; k < count_; ++k) {
    const path p = paths_[k];
    if (p.waits == waits && (waits == wait::convergence ? p.barrier == barrier : p.together == together)) {
      merged.pc = p.pc;
      merged.mask |= p.mask;
    } else {
      paths_[kept++] = p;
    }
  }
  paths_[kept++] = merged;
  count_ = kept;
  if (waits == wait::convergence) registers_[barrier] = 0;
  return true;
}

void warp_paths::resume_complete() {
  for (bool again = true; again;) {
    again = false;
    for (unsigned k = 0; k < count_ && !again; ++k)
      if (paths_[k].waits == wait::convergence || paths_[k].waits == wait::warp)
        again = merge(paths_[k].waits, paths_[k].barrier, paths_[k].together);
  }
}

// Makes the next runnable path the running one: that of the next higher lane behind the last one's lowest lane.
void warp_paths::choose_next() {
  if (flow_.active != 0) split_off(flow_.active, flow_.pc, wait::nothing, 0, 0);
  unsigned best = count_;
  unsigned best_distance = 2 * isa::warp_size;
  const unsigned from = last_ == 0 ? 0 : lowest_lane(last_);
  for (unsigned k = 0; k < count_; ++k) {
    if (paths_[k].waits != wait::nothing) continue;
    const unsigned lane = lowest_lane(paths_[k].mask);
    const unsigned distance = lane > from ? lane - from : lane + isa::warp_size - from;
    if (distance < best_distance) {
      best = k;
      best_distance = distance;
    }
  }
  if (best == count_) return;
  run_path(best);
  ++turns_;
}

bool warp_paths::others_can_run() const {
  return std::any_of(paths_.begin(), paths_.begin() + count_,
                     [](const path& p) { return p.waits == wait::nothing; });
}

void warp_paths::run_path(unsigned index) {
  flow_.pc = paths_[index].pc;
  flow_.active = paths_[index].mask;
  last_ = flow_.active;
  std::copy(paths_.begin() + index + 1, paths_.begin() + count_, paths_.begin() + index);
  --count_;
}

void warp_paths::run(isa::lane_mask lanes) {
  for (unsigned k = 0; k < count_; ++k) {
    if (paths_[k].mask != lanes || paths_[k].waits != wait::nothing) continue;
    const path running{flow_.pc, flow_.active, wait::nothing, 0, 0};
    run_path(k);
    if (running.mask != 0) paths_[count_++] = running;
    return;
  }
}

control_result warp_paths::finish(isa::code_address behind) {
  control_result r;
  r.pc = flow_.pc;
  r.mask = flow_.active;
  r.redirected = flow_.pc != behind;
  r.finished = live_mask() == 0;
  return r;
}

control_result warp_paths::execute(const isa::instruction& any, isa::lane_mask selected) {
  const isa::volta::instruction& i = as_volta(any);
  const isa::code_address behind = flow_.pc + i.length;
  const isa::code_address target = i.absolute_target ? static_cast<isa::code_address>(i.target)
                                                     : behind + static_cast<isa::code_address>(i.target);
  bool give_way = false;
  const isa::code_address at = flow_.pc;
  flow_.pc = behind;
  switch (i.control) {
    case control_kind::bra:
      if (i.branch == isa::volta::branch_mode::uniform && selected != flow_.active) selected = 0;
      [[fallthrough]];
    case control_kind::call:
      if (selected == 0) break;
      // The lanes that branch go on as the running path, unless they go back: then the others are first.
      if (selected == flow_.active)
        flow_.pc = target;
      else
        split_off(selected, target, wait::nothing, 0, 0);
      give_way = target <= at;
      break;
    case control_kind::bssy: registers_[i.convergence_register] = selected; break;
    case control_kind::break_:
      registers_[i.convergence_register] &= ~selected;
      resume_complete();
      break;
    case control_kind::bsync: {
      const isa::lane_mask members = selected & registers_[i.convergence_register];
      split_off(members, behind, wait::convergence, i.convergence_register, 0);
      give_way = members != 0;
      break;
    }
    case control_kind::yield:
      // A path whose turn is over does not follow itself, even if it has just split off.
      if (i.join) last_ = flow_.active;
      give_way = selected != 0;
      break;
    case control_kind::exit:
      flow_.exited |= selected;
      flow_.active &= ~selected;
      for (isa::lane_mask& mask : registers_) mask &= ~selected;
      give_way = selected != 0;
      break;
    case control_kind::trap: {
      control_result r;
      r.fault = fault_kind::breakpoint;
      return r;
    }
    default: break;
  }
  if (give_way) {
    resume_complete();
    choose_next();
  }
  return finish(behind);
}

control_result warp_paths::execute_indirect(const isa::instruction& any, isa::lane_mask selected,
                                            const isa::lane_words& targets) {
  const isa::volta::instruction& i = as_volta(any);
  const isa::code_address behind = flow_.pc + i.length;
  const auto offset = static_cast<isa::code_address>(i.target);
  const isa::code_address base = i.absolute_target ? offset : behind + offset;
  flow_.pc = behind;
  if (selected == 0) return finish(behind);
  if (i.control == control_kind::warpsync) {
    const isa::lane_mask together = targets.lane[lowest_lane(selected)];
    split_off(selected, behind, wait::warp, 0, together);
  } else {
    for (isa::lane_mask rest = selected; rest != 0;) {
      const std::uint32_t target = targets.lane[lowest_lane(rest)];
      isa::lane_mask same = 0;
      for (unsigned lane = 0; lane < isa::warp_size; ++lane)
        if (targets.lane[lane] == target) same |= lane_bit[lane];
      same &= rest;
      split_off(same, base + target, wait::nothing, 0, 0);
      rest &= ~same;
    }
  }
  resume_complete();
  choose_next();
  return finish(behind);
}

void warp_paths::wait_at_block_barrier(unsigned number) {
  split_off(flow_.active, flow_.pc, wait::block, static_cast<std::uint8_t>(number), 0);
  resume_complete();
  choose_next();
}

void warp_paths::release_block_barrier(unsigned number, isa::lane_mask lanes) {
  for (unsigned k = 0; k < count_; ++k)
    if (paths_[k].waits == wait::block && paths_[k].barrier == number && (paths_[k].mask & lanes) != 0)
      paths_[k].waits = wait::nothing;
  if (flow_.active == 0) choose_next();
}

void warp_paths::move_state(const isa::instruction& any, isa::lane_bundle& values, isa::lane_mask selected) {
  const isa::volta::instruction& i = as_volta(any);
  if (i.moves == isa::volta::register_mode::to_gpr)
    fill_row(values.destination[0].lane, registers_[i.convergence_register]);
  if (selected == 0) return;
  if (i.moves == isa::volta::register_mode::from_gpr)
    set_convergence_register(i.convergence_register, values.source[0][0].lane[lowest_lane(selected)]);
  else if (i.clear)
    set_convergence_register(i.convergence_register, 0);
}

void warp_paths::set_convergence_register(unsigned n, isa::lane_mask mask) {
  registers_[n] = mask & live_mask();
  resume_complete();
}

stack_words warp_paths::words(unsigned index) const {
  const path& p = paths_[index];
  return {p.pc, p.mask, static_cast<std::uint32_t>(p.waits), p.barrier};
}

stack_entry warp_paths::entry(unsigned index) const {
  static constexpr const char* kinds[] = {"path", "bsync", "warpsync", "bar"};
  const path& p = paths_[index];
  return {kinds[static_cast<unsigned>(p.waits)], p.pc, 0, p.mask};
}

}  // namespace gt200::arch_state::volta
