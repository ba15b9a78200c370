#include "toolchain/arch_state/tesla/pdom_stack.h"

#include <array>

#include "toolchain/arch_state/quads.h"

namespace gt200::arch_state::tesla {
namespace {

constexpr bool is_call(pdom_region region) {
  return region == pdom_region::call || region == pdom_region::limited_call;
}

}  // namespace

pdom_stack::pdom_stack(const divergence_options& options)
    : options_(options), entries_(options.maximum_entries + 1), window_(options.on_chip_entries) {}

void pdom_stack::start(const warp_flow& flow) {
  size_ = 1;
  limited_calls_ = 0;
  closed_at_ = pdom_entry::no_address;
  window_.clear();
  entries_[0] = {flow.pc, pdom_entry::no_address, flow.active, pdom_region::start};
}

control_result pdom_stack::enter(warp_flow& flow, const isa::tesla::instruction& i) {
  control_result result;
  if (i.join && options_.join == join_moment::before) {
    const isa::code_address here = flow.pc;
    if (here != closed_at_ && reconverges_elsewhere(here)) {
      result.fault = fault_kind::wrong_convention;
      return result;
    }
    reconverge(flow, result);
    result.redirected = flow.pc != here;
    result.executes = result.reconverged = !result.redirected;
  }
  return result;
}

control_result pdom_stack::execute(warp_flow& flow, const isa::tesla::instruction& i, isa::lane_mask selected) {
  control_result result;
  const isa::code_address next = flow.pc + i.length;
  if (i.join && options_.join == join_moment::after && reconverges_elsewhere(next)) {
    result.fault = fault_kind::wrong_convention;
    return result;
  }
  switch (i.control) {
    case isa::tesla::control_kind::none: flow.pc = next; break;
    case isa::tesla::control_kind::bra: branch(flow, i, selected, result); break;
    case isa::tesla::control_kind::call: call(flow, i, result); break;
    case isa::tesla::control_kind::ret: ret(flow, selected, next); break;
    case isa::tesla::control_kind::prebrk: open(flow, pdom_region::loop, i.target, next, result); break;
    case isa::tesla::control_kind::brk: brk(flow, selected, next, result); break;
    case isa::tesla::control_kind::joinat:
      open(flow, pdom_region::joinat,
           options_.join == join_moment::after ? i.target + joining_instruction_bytes : i.target, next, result);
      break;
    case isa::tesla::control_kind::quadon: quad_on(flow, next, result); break;
    case isa::tesla::control_kind::quadpop: quad_pop(flow, next, result); break;
    case isa::tesla::control_kind::trap: result.fault = fault_kind::trap; break;
    case isa::tesla::control_kind::brkpt: result.fault = fault_kind::breakpoint; break;
  }
  if (result.fault != fault_kind::none) return result;
  if (i.exit) exit(flow, flow.active);
  if (i.exit || i.join || isa::tesla::flow_of(i.control) >= isa::flow_kind::branch) {
    reconverge(flow, result);
    result.reconverged = true;
  }
  return result;
}

stack_words pdom_stack::words(unsigned index) const {
  const pdom_entry& e = entries_[index];
  return {e.mask, e.pc | static_cast<std::uint32_t>(e.region) << isa::tesla::code_address_bits, e.reconvergence_pc};
}

void pdom_stack::set_words(unsigned index, const stack_words& words) {
  entries_[index] = {words[1] & ((1u << isa::tesla::code_address_bits) - 1), words[2], words[0],
                     static_cast<pdom_region>(words[1] >> isa::tesla::code_address_bits & 7)};
}

stack_entry pdom_stack::entry_for_readers(unsigned index) const {
  static constexpr std::array<const char*, 8> kinds = {"start", "branch",       "joinat", "loop",
                                                       "call",  "limited_call", "quad",   "damaged"};
  const pdom_entry& e = entries_[index];
  return {kinds[static_cast<std::size_t>(e.region)], e.pc, e.reconvergence_pc, e.mask};
}

bool pdom_stack::push(const pdom_entry& entry, control_result& result) {
  if (size_ == entries_.size()) {
    result.fault = fault_kind::stack_overflow;
    return false;
  }
  entries_[size_++] = entry;
  window_.pushed(depth(), result);
  return true;
}

void pdom_stack::pop(control_result& result) {
  window_.popping(depth(), result);
  // A damaged entry may have another region than when it was counted.
  if (running().region == pdom_region::limited_call && limited_calls_ != 0) --limited_calls_;
  --size_;
}

// Opens a region: the lanes of the running entry will reconverge at `reconvergence`.
void pdom_stack::open(warp_flow& flow, pdom_region region, isa::code_address reconvergence, isa::code_address next,
                      control_result& result) {
  if (!push({next, reconvergence, flow.active, region}, result)) return;
  entries_[size_ - 2].pc = reconvergence;
  flow.pc = next;
}

void pdom_stack::branch(warp_flow& flow, const isa::tesla::instruction& i, isa::lane_mask taken,
                        control_result& result) {
  const isa::code_address next = flow.pc + i.length;
  const isa::lane_mask falling = flow.active & ~taken;
  if (taken == 0) {
    flow.pc = next;
  } else if (falling == 0) {
    flow.pc = i.target;
  } else {
    const bool taken_first = taken_runs_first(options_.first, flow.pc, i.target);
    const isa::code_address first = taken_first ? i.target : next;
    const isa::lane_mask lanes = taken_first ? taken : falling;
    if (!push({first, running().reconvergence_pc, lanes, pdom_region::branch}, result)) return;
    pdom_entry& second = entries_[size_ - 2];
    second.pc = taken_first ? next : i.target;
    second.mask = flow.active & ~lanes;
    flow.pc = first;
    flow.active = lanes;
  }
}

void pdom_stack::call(warp_flow& flow, const isa::tesla::instruction& i, control_result& result) {
  const isa::code_address next = flow.pc + i.length;
  if (i.call_limit && limited_calls_ >= options_.call_limit) {
    flow.pc = next;
    return;
  }
  const pdom_region region = i.call_limit ? pdom_region::limited_call : pdom_region::call;
  if (!push({i.target, pdom_entry::no_address, flow.active, region}, result)) return;
  if (i.call_limit) ++limited_calls_;
  entries_[size_ - 2].pc = next;
  flow.pc = i.target;
}

void pdom_stack::ret(warp_flow& flow, isa::lane_mask lanes, isa::code_address next) {
  flow.pc = next;
  unsigned frame = size_ - 1;
  while (frame > 0 && !is_call(entries_[frame].region)) --frame;
  if (frame == 0)
    exit(flow, lanes);
  else
    leave(flow, lanes, frame);
}

void pdom_stack::brk(warp_flow& flow, isa::lane_mask lanes, isa::code_address next, control_result& result) {
  // The loop must have been opened in the same call frame.
  unsigned loop = size_ - 1;
  while (loop > 0 && entries_[loop].region != pdom_region::loop && !is_call(entries_[loop].region)) --loop;
  if (entries_[loop].region != pdom_region::loop) {
    result.fault = depth() == 0 ? fault_kind::stack_underflow : fault_kind::stack_mismatch;
    return;
  }
  flow.pc = next;
  leave(flow, lanes, loop);
}

void pdom_stack::exit(warp_flow& flow, isa::lane_mask lanes) {
  flow.exited |= lanes;
  leave(flow, lanes, 0);
}

void pdom_stack::quad_on(warp_flow& flow, isa::code_address next, control_result& result) {
  const isa::lane_mask quads = whole_quads(flow.active);
  if (!push({next, pdom_entry::no_address, quads, pdom_region::quad}, result)) return;
  flow.active = quads;
  flow.pc = next;
}

void pdom_stack::quad_pop(warp_flow& flow, isa::code_address next, control_result& result) {
  if (running().region != pdom_region::quad) {
    result.fault = depth() == 0 ? fault_kind::stack_underflow : fault_kind::stack_mismatch;
    return;
  }
  pop(result);
  flow.active = running().mask;
  flow.pc = next;
}

// True if joinat announced another PC of reconvergence for the innermost region, below the branches within it. So
// do programs that mark the last instruction of each path.
bool pdom_stack::reconverges_elsewhere(isa::code_address pc) const {
  unsigned n = size_ - 1;
  while (n != 0 && entries_[n].region == pdom_region::branch) --n;
  return entries_[n].region == pdom_region::joinat && entries_[n].reconvergence_pc != pc;
}

// Removes these running lanes from all entries from `from` upwards.
void pdom_stack::leave(warp_flow& flow, isa::lane_mask lanes, unsigned from) {
  for (unsigned i = from; i < size_; ++i) entries_[i].mask &= ~lanes;
  flow.active &= ~lanes;
}

// Pops paths that have reached their reconvergence PC, and paths without lanes.
void pdom_stack::reconverge(warp_flow& flow, control_result& result) {
  while (size_ > 1 && (flow.active == 0 || flow.pc == running().reconvergence_pc)) {
    const pdom_entry closed = running();
    pop(result);
    flow.pc = running().pc;
    flow.active = running().mask;
    if (closed.region == pdom_region::joinat && flow.active != 0) closed_at_ = closed.reconvergence_pc;
  }
}

}  // namespace gt200::arch_state::tesla
