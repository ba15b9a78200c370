#include "toolchain/arch_state/fermi/simt_stack.h"

#include "toolchain/arch_state/lane_rows.h"
#include "toolchain/isa/fermi/codec.h"

namespace gt200::arch_state::fermi {

using isa::fermi::control_kind;

simt_stack::simt_stack(const sync_limits& limits) : stack_(limits) {}

control_result simt_stack::enter(const isa::instruction&) {
  control_result result;
  result.pc = flow_.pc;
  result.mask = flow_.active;
  return result;
}

control_result simt_stack::execute(const isa::instruction& any, isa::lane_mask selected) {
  const isa::fermi::instruction& i = isa::fermi::as_fermi(any);
  const isa::code_address next = flow_.pc + i.length;
  control_result result;
  apply(i, selected & flow_.active, result);
  return finished_result(result, next);
}

void simt_stack::apply(const isa::fermi::instruction& i, isa::lane_mask selected, control_result& result) {
  const isa::code_address next = flow_.pc + i.length;
  const isa::code_address target = isa::fermi::has_target(i) ? isa::fermi::target_of(i, flow_.pc) : 0;
  switch (i.control) {
    case control_kind::none:
      if (i.join)
        stack_.sync(flow_, selected, next, result);
      else
        flow_.pc = next;
      return;
    case control_kind::bra:
      if (i.all_warp && selected != flow_.active) selected = 0;
      return stack_.branch(flow_, selected, target, next, result);
    case control_kind::cal: return stack_.call(flow_, target, next, i.limit, result);
    case control_kind::ret: return stack_.ret(flow_, selected, next, result);
    case control_kind::ssy: return stack_.open(flow_, sync_entry_type::ssy, target, next, result);
    case control_kind::pbk: return stack_.open(flow_, sync_entry_type::prebreak, target, next, result);
    case control_kind::pcnt: return stack_.open(flow_, sync_entry_type::precont, target, next, result);
    case control_kind::pret: return stack_.open(flow_, sync_entry_type::call, target, next, result);
    case control_kind::brk: return stack_.brk(flow_, selected, next, result);
    case control_kind::cont: return stack_.cont(flow_, selected, next, result);
    case control_kind::exit: flow_.pc = next; return stack_.exit(flow_, selected, result);
    case control_kind::trap: result.fault = fault_kind::trap; return;
    case control_kind::brx:
    case control_kind::plongjmp:
    case control_kind::longjmp: result.fault = fault_kind::unsupported; return;
  }
}

control_result simt_stack::execute_indirect(const isa::instruction& i, isa::lane_mask selected,
                                            const isa::lane_words& targets) {
  const isa::code_address at = flow_.pc;
  const isa::code_address next = at + i.length;
  control_result result;
  isa::lane_mask left = selected & flow_.active;
  if (left == 0) flow_.pc = next;
  // Each group but the last waits on the stack while the others go on.
  while (left != 0 && result.fault == fault_kind::none) {
    const std::uint32_t distance = targets.lane[lowest_lane(left)];
    isa::lane_mask group = 0;
    for (isa::lane_mask rest = left; rest != 0; rest &= rest - 1) {
      const unsigned lane = lowest_lane(rest);
      if (targets.lane[lane] == distance) group |= isa::lane_mask{1} << lane;
    }
    left &= ~group;
    stack_.branch(flow_, group, next + distance, next, result);
  }
  return finished_result(result, next);
}

control_result simt_stack::finished_result(control_result result, isa::code_address next) const {
  result.pc = flow_.pc;
  result.mask = flow_.active;
  result.finished = flow_.active == 0;
  result.redirected = result.finished || flow_.pc != next;
  return result;
}

}  // namespace gt200::arch_state::fermi
