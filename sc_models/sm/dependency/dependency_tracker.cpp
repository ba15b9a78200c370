#include "sc_models/sm/dependency/dependency_tracker.h"

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

}  // namespace gt200::model
