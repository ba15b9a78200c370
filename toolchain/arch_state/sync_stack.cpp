#include "toolchain/arch_state/sync_stack.h"

#include <array>

#include "toolchain/arch_state/quads.h"

namespace gt200::arch_state {
namespace {

constexpr bool is_call(sync_entry_type type) {
  return type == sync_entry_type::call || type == sync_entry_type::limited_call;
}

}  // namespace

sync_stack::sync_stack(const sync_limits& limits)
    : entries_(limits.maximum_entries),
      code_address_bits_(limits.code_address_bits),
      call_limit_(limits.limited_calls),
      window_(limits.on_chip_entries) {}

void sync_stack::start() {
  depth_ = limited_calls_ = 0;
  window_.clear();
}

void sync_stack::open(warp_flow& flow, sync_entry_type type, isa::code_address target, isa::code_address next,
                      control_result& result) {
  if (push(type, target, flow.active, result)) flow.pc = next;
}

void sync_stack::branch(warp_flow& flow, isa::lane_mask taken, isa::code_address target, isa::code_address next,
                        control_result& result) {
  if (taken == flow.active) {
    flow.pc = target;
    return;
  }
  if (taken != 0 && !push(sync_entry_type::div, target, taken, result)) return;
  flow.active &= ~taken;
  flow.pc = next;
}

void sync_stack::sync(warp_flow& flow, isa::lane_mask lanes, isa::code_address next, control_result& result) {
  if (marks_its_own_reconvergence(flow.pc)) {
    result.fault = fault_kind::wrong_convention;
    return;
  }
  if (lanes != 0) {
    if (depth_ == 0) {
      result.fault = fault_kind::stack_underflow;
      return;
    }
    const sync_entry_type top = entries_[depth_ - 1].type;
    if (top != sync_entry_type::ssy && top != sync_entry_type::div) {
      result.fault = fault_kind::stack_mismatch;
      return;
    }
  }
  flow.active &= ~lanes;
  flow.pc = next;
  resume_next_path(flow, result);
}

void sync_stack::brk(warp_flow& flow, isa::lane_mask lanes, isa::code_address next, control_result& result) {
  leave_loop(flow, sync_entry_type::prebreak, lanes, next, result);
}

void sync_stack::cont(warp_flow& flow, isa::lane_mask lanes, isa::code_address next, control_result& result) {
  leave_loop(flow, sync_entry_type::precont, lanes, next, result);
}

void sync_stack::leave_loop(warp_flow& flow, sync_entry_type type, isa::lane_mask lanes, isa::code_address next,
                            control_result& result) {
  const unsigned above = innermost_loop(type);
  if (above == 0) {
    result.fault = depth_ == 0 ? fault_kind::stack_underflow : fault_kind::stack_mismatch;
    return;
  }
  leave(flow, lanes, above);
  flow.pc = next;
  resume_next_path(flow, result);
}

void sync_stack::call(warp_flow& flow, isa::code_address target, isa::code_address next, bool limited,
                      control_result& result) {
  if (limited && limited_calls_ >= call_limit_) {
    flow.pc = next;
    return;
  }
  if (!push(limited ? sync_entry_type::limited_call : sync_entry_type::call, next, flow.active, result)) return;
  if (limited) ++limited_calls_;
  flow.pc = target;
}

void sync_stack::ret(warp_flow& flow, isa::lane_mask lanes, isa::code_address next, control_result& result) {
  const unsigned above = innermost_call();
  flow.pc = next;
  if (above == 0) return exit(flow, lanes, result);
  leave(flow, lanes, above);
  resume_next_path(flow, result);
}

void sync_stack::exit(warp_flow& flow, isa::lane_mask lanes, control_result& result) {
  flow.exited |= lanes;
  leave(flow, lanes, 0);
  resume_next_path(flow, result);
}

void sync_stack::quad_on(warp_flow& flow, isa::code_address next, control_result& result) {
  if (!push(sync_entry_type::quadon, next, flow.active, result)) return;
  flow.active = whole_quads(flow.active);
  flow.pc = next;
}

void sync_stack::quad_pop(warp_flow& flow, isa::code_address next, control_result& result) {
  if (depth_ == 0 || entries_[depth_ - 1].type != sync_entry_type::quadon) {
    result.fault = depth_ == 0 ? fault_kind::stack_underflow : fault_kind::stack_mismatch;
    return;
  }
  flow.active = pop(result).mask;
  flow.pc = next;
  resume_next_path(flow, result);
}

stack_words sync_stack::words(unsigned index) const {
  const sync_entry& e = entries_[index];
  return {e.mask, e.pc | static_cast<std::uint32_t>(e.type) << code_address_bits_};
}

void sync_stack::set_words(unsigned index, const stack_words& words) {
  entries_[index] = {words[1] & ((1u << code_address_bits_) - 1), words[0],
                     static_cast<sync_entry_type>(words[1] >> code_address_bits_ & 7)};
}

stack_entry sync_stack::entry_for_readers(unsigned index) const {
  static constexpr std::array<const char*, 8> kinds = {"",         "div",    "call", "limited_call",
                                                       "prebreak", "quadon", "ssy",  "precont"};
  const sync_entry& e = entries_[index];
  return {kinds[static_cast<std::size_t>(e.type)], e.pc, 0, e.mask};
}

bool sync_stack::push(sync_entry_type type, isa::code_address pc, isa::lane_mask mask, control_result& result) {
  if (depth_ == entries_.size()) {
    result.fault = fault_kind::stack_overflow;
    return false;
  }
  entries_[depth_++] = {pc, mask, type};
  window_.pushed(depth_, result);
  return true;
}

sync_entry sync_stack::pop(control_result& result) {
  window_.popping(depth_, result);
  const sync_entry top = entries_[--depth_];
  // A damaged entry may have another type than when it was counted.
  if (top.type == sync_entry_type::limited_call && limited_calls_ != 0) --limited_calls_;
  return top;
}

// The number of entries up to and with that of the innermost loop of the call frame that was opened by this type;
// 0: there is none.
unsigned sync_stack::innermost_loop(sync_entry_type type) const {
  unsigned n = depth_;
  while (n != 0 && entries_[n - 1].type != type && !is_call(entries_[n - 1].type)) --n;
  return n != 0 && entries_[n - 1].type == type ? n : 0;
}

// The same for the innermost call.
unsigned sync_stack::innermost_call() const {
  unsigned n = depth_;
  while (n != 0 && !is_call(entries_[n - 1].type)) --n;
  return n;
}

// True if the innermost region, below the branches within it, reconverges at the marked instruction itself.
bool sync_stack::marks_its_own_reconvergence(isa::code_address pc) const {
  unsigned n = depth_;
  while (n != 0 && entries_[n - 1].type == sync_entry_type::div) --n;
  return n != 0 && entries_[n - 1].type == sync_entry_type::ssy && entries_[n - 1].pc == pc;
}

// Takes these running lanes out of the active ones and out of the entries from number `above` upwards.
void sync_stack::leave(warp_flow& flow, isa::lane_mask lanes, unsigned above) {
  for (unsigned n = above; n < depth_; ++n) entries_[n].mask &= ~lanes;
  flow.active &= ~lanes;
}

// Pops entries until one of them has lanes.
void sync_stack::resume_next_path(warp_flow& flow, control_result& result) {
  while (flow.active == 0 && depth_ != 0) {
    const sync_entry top = pop(result);
    flow.pc = top.pc;
    flow.active = top.mask;
  }
  if (flow.active == 0 && (flow.started & ~flow.exited) != 0) result.fault = fault_kind::stack_underflow;
}

}  // namespace gt200::arch_state
