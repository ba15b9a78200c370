#include "sc_models/tpc/sm/lockstep_comparison.h"

#include <fmt/format.h>

#include <stdexcept>

#include "toolchain/isa/codec.h"

namespace gt200::model {

std::string lockstep_difference::describe() const {
  return further == 0 ? text : text + fmt::format("  {} further answers differed\n", further);
}

std::string lockstep_comparison::place(unsigned warp, isa::code_address pc,
                                       const isa::instruction* instruction) const {
  const std::string place = fmt::format("core cycle {}, SM {}, warp {}", domain_.cycle(), sm_, warp);
  return instruction == nullptr ? place
                                : fmt::format("{}, pc {:#x}: {}", place, pc, isa::disassemble(*instruction));
}

void lockstep_comparison::differs(unsigned warp, isa::code_address pc, const std::function<std::string()>& text) {
  if (difference_)
    ++difference_->further;
  else
    difference_ = lockstep_difference{domain_.cycle(), sm_, warp, pc, text(), 0};
  if (domain_.cycle() < difference_->cycle + run_on_cycles_) return;
  if (!stop_) throw std::runtime_error(difference_->describe());
  stop_();
}

}  // namespace gt200::model
