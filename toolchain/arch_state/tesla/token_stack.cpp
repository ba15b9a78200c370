#include "toolchain/arch_state/tesla/token_stack.h"

#include <array>

#include "toolchain/arch_state/quads.h"

namespace gt200::arch_state::tesla {

token_stack::token_stack(const divergence_options& options)
    : options_(options), tokens_(options.maximum_entries), window_(options.on_chip_entries) {}

void token_stack::start() {
  depth_ = calls_ = limited_calls_ = 0;
  broken_ = returned_ = 0;
  window_.clear();
}

control_result token_stack::enter(warp_flow& flow, const isa::tesla::instruction& i) {
  control_result result;
  if (i.join && options_.join == join_moment::before) {
    meet(flow, flow.pc, flow.pc, result);
    result.executes = result.reconverged = result.fault == fault_kind::none && !result.redirected;
  }
  return result;
}

control_result token_stack::execute(warp_flow& flow, const isa::tesla::instruction& i, isa::lane_mask selected) {
  control_result result;
  const isa::code_address next = flow.pc + i.length;
  switch (i.control) {
    case isa::tesla::control_kind::none: flow.pc = next; break;
    case isa::tesla::control_kind::bra: branch(flow, i, selected, result); break;
    case isa::tesla::control_kind::call: call(flow, i, result); break;
    case isa::tesla::control_kind::ret: leave_by_ret(flow, selected, next, result); break;
    case isa::tesla::control_kind::prebrk:
      if (push(token_type::prebreak, i.target, flow.active, result)) flow.pc = next;
      break;
    case isa::tesla::control_kind::brk: leave_by_brk(flow, selected, next, result); break;
    case isa::tesla::control_kind::joinat:
      if (push(token_type::joinat, i.target, flow.active, result)) flow.pc = next;
      break;
    case isa::tesla::control_kind::quadon: quad_on(flow, next, result); break;
    case isa::tesla::control_kind::quadpop: quad_pop(flow, next, result); break;
    case isa::tesla::control_kind::trap: result.fault = fault_kind::trap; break;
    case isa::tesla::control_kind::brkpt: result.fault = fault_kind::breakpoint; break;
  }
  if (result.fault == fault_kind::none) {
    if (i.join && options_.join == join_moment::after) meet(flow, next - i.length, next, result);
    if (i.exit) leave_by_exit(flow, result);
  }
  return result;
}

stack_words token_stack::words(unsigned index) const {
  const stack_token& t = tokens_[index];
  return {t.mask, t.pc | static_cast<std::uint32_t>(t.type) << isa::tesla::code_address_bits};
}

void token_stack::set_words(unsigned index, const stack_words& words) {
  tokens_[index] = {words[1] & ((1u << isa::tesla::code_address_bits) - 1), words[0],
                    static_cast<token_type>(words[1] >> isa::tesla::code_address_bits & 7)};
}

stack_entry token_stack::entry_for_readers(unsigned index) const {
  static constexpr std::array<const char*, 8> kinds = {"",         "branch", "call",   "limited_call",
                                                       "prebreak", "quadon", "joinat", "damaged"};
  const stack_token& t = tokens_[index];
  return {kinds[static_cast<std::size_t>(t.type)], t.pc, 0, t.mask};
}

bool token_stack::push(token_type type, isa::code_address pc, isa::lane_mask mask, control_result& result) {
  if (depth_ == tokens_.size()) {
    result.fault = fault_kind::stack_overflow;
    return false;
  }
  tokens_[depth_++] = {pc, mask, type};
  window_.pushed(depth_, result);
  return true;
}

void token_stack::pop(control_result& result) {
  window_.popping(depth_, result);
  const token_type type = tokens_[--depth_].type;
  // A damaged entry may have another type than when it was counted.
  if ((type == token_type::call || type == token_type::limited_call) && calls_ != 0) --calls_;
  if (type == token_type::limited_call && limited_calls_ != 0) --limited_calls_;
}

void token_stack::branch(warp_flow& flow, const isa::tesla::instruction& i, isa::lane_mask taken,
                         control_result& result) {
  const isa::code_address next = flow.pc + i.length;
  const isa::lane_mask falling = flow.active & ~taken;
  if (taken == 0) {
    flow.pc = next;
  } else if (falling == 0) {
    flow.pc = i.target;
  } else {
    const bool taken_first = taken_runs_first(options_.first, flow.pc, i.target);
    if (!push(token_type::branch, taken_first ? next : i.target, taken_first ? falling : taken, result)) return;
    flow.pc = taken_first ? i.target : next;
    flow.active = taken_first ? taken : falling;
  }
}

void token_stack::call(warp_flow& flow, const isa::tesla::instruction& i, control_result& result) {
  const isa::code_address next = flow.pc + i.length;
  if (i.call_limit && limited_calls_ >= options_.call_limit) {
    flow.pc = next;
    return;
  }
  if (!push(i.call_limit ? token_type::limited_call : token_type::call, next, flow.active, result)) return;
  ++calls_;
  if (i.call_limit) ++limited_calls_;
  flow.pc = i.target;
}

void token_stack::leave_by_ret(warp_flow& flow, isa::lane_mask lanes, isa::code_address next,
                               control_result& result) {
  (calls_ == 0 ? flow.exited : returned_) |= lanes;
  flow.active &= ~lanes;
  flow.pc = next;
  if (flow.active == 0) resume_next_path(flow, result);
}

void token_stack::leave_by_brk(warp_flow& flow, isa::lane_mask lanes, isa::code_address next,
                               control_result& result) {
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
  flow.active &= ~lanes;
  flow.pc = next;
  if (flow.active == 0) resume_next_path(flow, result);
}

void token_stack::leave_by_exit(warp_flow& flow, control_result& result) {
  flow.exited |= flow.active;
  flow.active = 0;
  resume_next_path(flow, result);
}

void token_stack::quad_on(warp_flow& flow, isa::code_address next, control_result& result) {
  if (!push(token_type::quadon, next, flow.active, result)) return;
  flow.active = whole_quads(flow.active);
  flow.pc = next;
}

void token_stack::quad_pop(warp_flow& flow, isa::code_address next, control_result& result) {
  if (depth_ == 0 || tokens_[depth_ - 1].type != token_type::quadon) {
    result.fault = depth_ == 0 ? fault_kind::stack_underflow : fault_kind::stack_mismatch;
    return;
  }
  flow.active = tokens_[depth_ - 1].mask;
  pop(result);
  flow.pc = next;
}

// True if joinat announced another join for the innermost region, below the branches within it. So do programs that
// mark the last instruction of each path.
bool token_stack::joins_elsewhere(isa::code_address pc) const {
  unsigned n = depth_;
  while (n != 0 && tokens_[n - 1].type == token_type::branch) --n;
  return n != 0 && tokens_[n - 1].type == token_type::joinat && tokens_[n - 1].pc != pc;
}

// The running path has arrived at the join at `pc`: switch to the other path, or continue at `resume` with all
// lanes of the region.
void token_stack::meet(warp_flow& flow, isa::code_address pc, isa::code_address resume, control_result& result) {
  if (depth_ == 0) {
    result.fault = fault_kind::stack_underflow;
    return;
  }
  if (joins_elsewhere(pc)) {
    result.fault = fault_kind::wrong_convention;
    return;
  }
  const stack_token top = tokens_[depth_ - 1];
  if (top.type == token_type::branch) {
    flow.pc = top.pc;
    flow.active = top.mask;
    result.redirected = true;
  } else if (top.type == token_type::joinat) {
    flow.pc = resume;
    flow.active = top.mask & ~(broken_ | returned_ | flow.exited);
  } else {
    result.fault = fault_kind::stack_mismatch;
    return;
  }
  pop(result);
}

// The running path has no lanes left: the innermost token with lanes to run decides where the warp continues.
void token_stack::resume_next_path(warp_flow& flow, control_result& result) {
  while (flow.active == 0 && depth_ > 0) {
    const stack_token top = tokens_[depth_ - 1];
    flow.pc = top.pc;
    switch (top.type) {
      case token_type::branch: flow.active = top.mask & ~flow.exited; break;
      case token_type::joinat:
        flow.active = top.mask & ~(broken_ | returned_ | flow.exited);
        // With join `after` these lanes have already executed the instruction at the join. With `before` they have
        // not, and the token stays for that join.
        if (options_.join == join_moment::after) flow.pc = top.pc + joining_instruction_bytes;
        if (options_.join == join_moment::before && flow.active != 0) return;
        break;
      case token_type::prebreak:
        broken_ &= ~top.mask;
        flow.active = top.mask & ~(returned_ | flow.exited);
        break;
      case token_type::call:
      case token_type::limited_call:
        returned_ &= ~top.mask;
        flow.active = top.mask & ~flow.exited;
        break;
      case token_type::quadon: break;  // its lanes have just ended
      default: result.fault = fault_kind::machine_check; return;
    }
    pop(result);
  }
}

}  // namespace gt200::arch_state::tesla
