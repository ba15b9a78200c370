#include "toolchain/emulator/simt_stack.h"

#include <algorithm>

namespace gt200::emulator {
namespace {

constexpr isa::code_address long_length = 8;

// All four lanes of every quad with an active lane.
isa::lane_mask whole_quads(isa::lane_mask mask) {
  const isa::lane_mask any = (mask | mask >> 1 | mask >> 2 | mask >> 3) & 0x11111111u;
  return any * 0xfu;
}

}  // namespace

simt_stack::simt_stack(const divergence_options& options) : options_(options), tokens_(options.maximum_entries) {}

void simt_stack::start(isa::code_address pc, isa::lane_mask mask) {
  depth_ = deepest_ = calls_ = limited_calls_ = 0;
  pc_ = pc;
  active_ = started_ = mask;
  broken_ = returned_ = exited_ = 0;
}

control_result simt_stack::enter(const isa::instruction& i) {
  control_result result;
  if (i.join && options_.join == join_moment::before) {
    meet(pc_, result);
    result.executes = result.fault == fault_kind::none && !result.redirected;
  }
  result.pc = pc_;
  result.mask = active_;
  return result;
}

control_result simt_stack::execute(const isa::instruction& i, isa::lane_mask selected) {
  control_result result;
  const isa::code_address next = pc_ + i.length;
  selected &= active_;
  switch (i.control) {
    case isa::control_kind::none: pc_ = next; break;
    case isa::control_kind::bra: branch(i, selected, result); break;
    case isa::control_kind::call: call(i, result); break;
    case isa::control_kind::ret: leave_by_ret(selected, next, result); break;
    case isa::control_kind::prebrk:
      if (push(token_type::prebreak, i.target, active_, result)) pc_ = next;
      break;
    case isa::control_kind::brk: leave_by_brk(selected, next, result); break;
    case isa::control_kind::joinat:
      if (push(token_type::joinat, i.target, active_, result)) pc_ = next;
      break;
    case isa::control_kind::quadon: quad_on(next, result); break;
    case isa::control_kind::quadpop: quad_pop(next, result); break;
    case isa::control_kind::trap: result.fault = fault_kind::trap; break;
    case isa::control_kind::brkpt: result.fault = fault_kind::breakpoint; break;
  }
  if (result.fault == fault_kind::none) {
    if (i.join && options_.join == join_moment::after) meet(next, result);
    if (i.exit) leave_by_exit(result);
  }
  return fill(result, next);
}

control_result& simt_stack::fill(control_result& result, isa::code_address sequential) const {
  result.pc = pc_;
  result.mask = active_;
  result.finished = active_ == 0;
  result.redirected = result.finished || pc_ != sequential;
  return result;
}

bool simt_stack::push(token_type type, isa::code_address pc, isa::lane_mask mask, control_result& result) {
  if (depth_ == tokens_.size()) {
    result.fault = fault_kind::stack_overflow;
    return false;
  }
  tokens_[depth_++] = {pc, mask, type};
  deepest_ = std::max(deepest_, depth_);
  if (depth_ > options_.on_chip_entries) ++result.spilled;
  return true;
}

void simt_stack::pop(control_result& result) {
  if (depth_ > options_.on_chip_entries) ++result.filled;
  const token_type type = tokens_[--depth_].type;
  if (type == token_type::call || type == token_type::limited_call) --calls_;
  if (type == token_type::limited_call) --limited_calls_;
}

void simt_stack::branch(const isa::instruction& i, isa::lane_mask taken, control_result& result) {
  const isa::code_address next = pc_ + i.length;
  const isa::lane_mask falling = active_ & ~taken;
  if (taken == 0) {
    pc_ = next;
  } else if (falling == 0) {
    pc_ = i.target;
  } else {
    const bool taken_first =
        options_.first == first_path::taken || (options_.first == first_path::last_in_program && i.target > pc_);
    if (!push(token_type::branch, taken_first ? next : i.target, taken_first ? falling : taken, result)) return;
    pc_ = taken_first ? i.target : next;
    active_ = taken_first ? taken : falling;
  }
}

void simt_stack::call(const isa::instruction& i, control_result& result) {
  const isa::code_address next = pc_ + i.length;
  if (i.call_limit && limited_calls_ >= options_.call_limit) {
    pc_ = next;
    return;
  }
  if (!push(i.call_limit ? token_type::limited_call : token_type::call, next, active_, result)) return;
  ++calls_;
  if (i.call_limit) ++limited_calls_;
  pc_ = i.target;
}

void simt_stack::leave_by_ret(isa::lane_mask lanes, isa::code_address next, control_result& result) {
  (calls_ == 0 ? exited_ : returned_) |= lanes;
  active_ &= ~lanes;
  pc_ = next;
  if (active_ == 0) resume_next_path(result);
}

void simt_stack::leave_by_brk(isa::lane_mask lanes, isa::code_address next, control_result& result) {
  // The loop must have been opened in the same call frame.
  unsigned index = depth_;
  while (index > 0 && tokens_[index - 1].type != token_type::prebreak &&
         tokens_[index - 1].type != token_type::call && tokens_[index - 1].type != token_type::limited_call)
    --index;
  if (index == 0 || tokens_[index - 1].type != token_type::prebreak) {
    result.fault = depth_ == 0 ? fault_kind::stack_underflow : fault_kind::stack_mismatch;
    return;
  }
  broken_ |= lanes;
  active_ &= ~lanes;
  pc_ = next;
  if (active_ == 0) resume_next_path(result);
}

void simt_stack::leave_by_exit(control_result& result) {
  exited_ |= active_;
  active_ = 0;
  resume_next_path(result);
}

void simt_stack::quad_on(isa::code_address next, control_result& result) {
  if (!push(token_type::quadon, next, active_, result)) return;
  active_ = whole_quads(active_);
  pc_ = next;
}

void simt_stack::quad_pop(isa::code_address next, control_result& result) {
  if (depth_ == 0 || tokens_[depth_ - 1].type != token_type::quadon) {
    result.fault = depth_ == 0 ? fault_kind::stack_underflow : fault_kind::stack_mismatch;
    return;
  }
  active_ = tokens_[depth_ - 1].mask;
  pop(result);
  pc_ = next;
}

// The running path has arrived at a join: take the other path, or go on at `resume` with all lanes of the region.
void simt_stack::meet(isa::code_address resume, control_result& result) {
  if (depth_ == 0) {
    result.fault = fault_kind::stack_underflow;
    return;
  }
  const stack_token top = tokens_[depth_ - 1];
  if (top.type == token_type::branch) {
    pc_ = top.pc;
    active_ = top.mask;
    result.redirected = true;
  } else if (top.type == token_type::joinat) {
    pc_ = resume;
    active_ = top.mask & ~(broken_ | returned_ | exited_);
  } else {
    result.fault = fault_kind::stack_mismatch;
    return;
  }
  pop(result);
}

// No lane of the running path is left: the innermost token with lanes to run says where the warp continues.
void simt_stack::resume_next_path(control_result& result) {
  while (active_ == 0 && depth_ > 0) {
    const stack_token top = tokens_[depth_ - 1];
    pc_ = top.pc;
    switch (top.type) {
      case token_type::branch: active_ = top.mask & ~exited_; break;
      case token_type::joinat:
        active_ = top.mask & ~(broken_ | returned_ | exited_);
        // With join `after` these lanes have executed the instruction at the join already; with `before` they have
        // not, and the token stays for that join.
        if (options_.join == join_moment::after) pc_ = top.pc + long_length;
        if (options_.join == join_moment::before && active_ != 0) return;
        break;
      case token_type::prebreak:
        broken_ &= ~top.mask;
        active_ = top.mask & ~(returned_ | exited_);
        break;
      case token_type::call:
      case token_type::limited_call:
        returned_ &= ~top.mask;
        active_ = top.mask & ~exited_;
        break;
      case token_type::quadon: break;  // its lanes have just ended
    }
    pop(result);
  }
}

}  // namespace gt200::emulator
