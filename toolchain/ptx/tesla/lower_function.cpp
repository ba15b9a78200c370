// The kernel as a whole, and barriers.
#include <algorithm>

#include "toolchain/ptx/structure_declarations.h"
#include "toolchain/ptx/structure_flow.h"
#include "toolchain/ptx/structure_names.h"
#include "toolchain/ptx/tesla/lowering.h"

namespace gt200::ptx {

template class structure<tesla::machine>;

}  // namespace gt200::ptx

namespace gt200::ptx::tesla {

void lowering::run(const function& entry, cubin::kernel& kernel) {
  function_.name = entry.name;
  kernel.name = entry.name;
  out_.continue_in(out_.add_block());
  thread_index_ = out_.word();
  function_.registers[static_cast<std::size_t>(thread_index_.reg)].fixed = 0;
  scopes_.emplace_back();
  function_.shared_bytes = place_parameters(entry, kernel);
  place_shared(entry);
  declare_per_thread(entry);
  const bool has_fence = uses_fence(entry, layout_);
  if (has_fence) {
    fence_ = out_.word();
    out_.move(fence_, imm(0));
  }
  lower_body(entry, {});
}

void lowering::lower_instruction(const statement& s) {
  refuse_arithmetic_of_halves();
  refuse_memory_orders();
  refuse_modifiers();
  if (s.name == "bar" || s.name == "barrier") return lower_barrier(s);
  if (s.name == "trap" || s.name == "brkpt") return lower_trap(s);
  if (s.name == "pmevent") {
    operand_count(1, 1);
    if (at(0).kind != operand_kind::integer || at(0).value > 15) unsupported("events are numbered 0 to 15");
    return under_guard(
        [&] { out_.emit(isa::tesla::opcode::pmevent, {}, {imm(static_cast<std::uint32_t>(at(0).value))}); });
  }
  if (lower_memory(s) || lower_bits(s) || lower_move(s) || lower_predicate(s) || lower_convert(s) ||
      lower_double(s) || lower_float(s) || lower_integer(s) || lower_atomic(s) || lower_texture(s))
    return;
  unknown_instruction();
}

void lowering::lower_trap(const statement& s) {
  under_guard([&] { out_.emit(s.name == "trap" ? isa::tesla::opcode::trap : isa::tesla::opcode::brkpt, {}, {}); });
}

void lowering::lower_barrier(const statement& s) {
  if (s.name == "bar" && !s.modifiers.empty() && s.modifiers[0] != "sync") {
    if (s.modifiers[0] != "warp") unsupported("this hardware only knows bar.sync");
    return;  // the threads of a warp run in step
  }
  operand_count(0, 2);
  if (s.operands.size() > 1) unsupported("barriers of this hardware are for all threads of the block");
  std::uint64_t number = 0;
  if (!s.operands.empty()) {
    if (at(0).kind != operand_kind::integer) unsupported("the number of the barrier must be a constant");
    number = at(0).value;
  }
  if (number > 15) unsupported("barriers are numbered 0 to 15");
  under_guard([&] {
    operation& o = out_.emit(isa::tesla::opcode::bar, {}, {});
    o.code.barrier_id = static_cast<std::uint8_t>(number);
    o.code.barrier_increment = o.code.barrier_wait = true;
  });
  function_.highest_barrier = std::max(function_.highest_barrier, static_cast<std::uint32_t>(number));
}

}  // namespace gt200::ptx::tesla
