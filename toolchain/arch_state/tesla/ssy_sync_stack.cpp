#include "toolchain/arch_state/tesla/ssy_sync_stack.h"

namespace gt200::arch_state::tesla {
namespace {

sync_limits limits_of(const divergence_options& options) {
  sync_limits limits;
  limits.on_chip_entries = options.on_chip_entries;
  limits.maximum_entries = options.maximum_entries;
  limits.limited_calls = options.call_limit;
  limits.code_address_bits = isa::tesla::code_address_bits;
  return limits;
}

}  // namespace

ssy_sync_stack::ssy_sync_stack(const divergence_options& options) : stack_(limits_of(options)) {}

control_result ssy_sync_stack::execute(warp_flow& flow, const isa::tesla::instruction& i, isa::lane_mask selected) {
  using isa::tesla::control_kind;
  control_result result;
  const isa::code_address next = flow.pc + i.length;
  if (i.join) {
    stack_.sync(flow, selected, next, result);
    return result;
  }
  switch (i.control) {
    case control_kind::none: flow.pc = next; break;
    case control_kind::bra: stack_.branch(flow, selected, i.target, next, result); break;
    case control_kind::call: stack_.call(flow, i.target, next, i.call_limit, result); break;
    case control_kind::ret: stack_.ret(flow, selected, next, result); break;
    case control_kind::prebrk: stack_.open(flow, sync_entry_type::prebreak, i.target, next, result); break;
    case control_kind::brk: stack_.brk(flow, selected, next, result); break;
    case control_kind::joinat: stack_.open(flow, sync_entry_type::ssy, i.target, next, result); break;
    case control_kind::quadon: stack_.quad_on(flow, next, result); break;
    case control_kind::quadpop: stack_.quad_pop(flow, next, result); break;
    case control_kind::trap: result.fault = fault_kind::trap; break;
    case control_kind::brkpt: result.fault = fault_kind::breakpoint; break;
  }
  if (result.fault == fault_kind::none && i.exit) stack_.exit(flow, flow.active, result);
  return result;
}

}  // namespace gt200::arch_state::tesla
