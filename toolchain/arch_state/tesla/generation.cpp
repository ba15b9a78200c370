#include "toolchain/arch_state/tesla/generation.h"

#include "toolchain/arch_state/tesla/launch_limits.h"
#include "toolchain/arch_state/tesla/operand_access.h"
#include "toolchain/arch_state/tesla/simt_stack.h"
#include "toolchain/arch_state/tesla/thread_stacks.h"
#include "toolchain/isa/tesla/codec.h"
#include "toolchain/isa/tesla/derive.h"
#include "toolchain/isa/tesla/semantics/semantics.h"

namespace gt200::arch_state::tesla {
namespace {

using isa::tesla::as_tesla;

generation_values tesla_values() {
  generation_values v;
  v.lengths = {isa::tesla::long_form_bit, 4, 8};
  v.code_address_bits = isa::tesla::code_address_bits;
  v.general_registers = isa::tesla::max_gpr;
  v.predicates = 4;
  v.predicate_bits = 4;
  v.predicate_true = isa::tesla::flags_true;
  v.predicate_false = isa::tesla::flags_false;
  v.address_registers = 5;  // $a0 reads as zero
  v.address_register_bits = 16;
  v.address_bits = 32;
  v.max_grid = {max_grid[0], max_grid[1], 1};
  v.max_block = max_block;
  v.shared_header_bytes = shared_header_bytes;
  v.max_parameter_bytes = max_parameter_bytes;
  return v;
}

void read_special(const isa::tesla::operand& o, const warp_place& place, std::uint32_t* lanes) {
  constexpr unsigned physid = 0;
  constexpr unsigned clock = 1;
  if (o.index == physid) {
    const std::uint32_t warp =
        std::uint32_t{place.warp} << 8 | std::uint32_t{place.sm} << 16 | std::uint32_t{place.tpc} << 20;
    for (unsigned lane = 0; lane < isa::warp_size; ++lane) lanes[lane] = warp | lane;
  } else {
    fill_row(lanes, o.index == clock ? static_cast<std::uint32_t>(place.clock) : 0);
  }
}

// Operands that are not registers, and halves of registers that have arrived whole.
void finish_source(const isa::tesla::operand& o, isa::lane_words& value) {
  if (o.kind == isa::tesla::operand_kind::immediate)
    fill_row(value.lane, static_cast<std::uint32_t>(o.value));
  else if (o.kind == isa::tesla::operand_kind::gpr && o.part != isa::tesla::half::whole)
    narrow_to_half(value.lane, o.part == isa::tesla::half::high, o.type == isa::data_type::s16);
}

bool is_comparison(const isa::tesla::instruction& i) {
  return i.op == isa::tesla::opcode::set || i.op == isa::tesla::opcode::fset;
}

// The operation that issues when a path arrives at an instruction with join, if join acts before its instruction.
isa::tesla::instruction arrival_at(const isa::tesla::instruction& i) {
  isa::tesla::instruction arrival;
  arrival.unit = isa::unit_class::control;
  arrival.join = true;
  arrival.length = i.length;
  arrival.words = i.words;
  arrival.text = i.text;
  return arrival;
}

}  // namespace

generation::generation(unsigned capability, const divergence_options& divergence, bool unit_for_comparisons)
    : arch_state::generation(tesla_values()),
      capability_(capability),
      divergence_(divergence),
      unit_for_comparisons_(unit_for_comparisons) {}

generation::decoded generation::decode(const isa::instruction_words& words) const {
  decoded result;
  isa::tesla::decode_error error;
  const auto i = isa::tesla::decode(words[0], words[1], error);
  if (!i) {
    result.fault = fault_kind::illegal_instruction;
  } else if (i->capability > capability_) {
    result.fault = fault_kind::unsupported;
  } else {
    const auto made = std::make_shared<isa::tesla::instruction>(*i);
    if (unit_for_comparisons_ && is_comparison(*i)) made->unit = isa::unit_class::compare;
    result.instruction = made;
    if (i->join && divergence_.reconverges_before())
      result.arrival = std::make_shared<const isa::tesla::instruction>(arrival_at(*i));
  }
  return result;
}

std::shared_ptr<const isa::instruction> generation::trap(const isa::instruction_words& words) const {
  isa::tesla::instruction i;
  i.op = isa::tesla::opcode::trap;
  i.control = isa::tesla::control_kind::trap;
  i.flow = isa::tesla::flow_of(i.control);
  i.unit = isa::unit_class::control;
  i.words = words;
  i.text = isa::tesla::text_of_tesla;
  return std::make_shared<const isa::tesla::instruction>(i);
}

isa::lane_mask generation::collect(const isa::instruction& any, const warp_place& place, isa::lane_mask active,
                                   isa::lane_bundle& values) const {
  const isa::tesla::instruction& i = as_tesla(any);
  for (std::size_t k = 0; k < i.source.size(); ++k) finish_source(i.source[k], values.source[k][0]);
  if (i.op == isa::tesla::opcode::mov_from_sr) read_special(i.source[0], place, values.source[0][0].lane);
  switch (i.access.space) {
    case isa::memory_space::none:
    case isa::memory_space::texture:
    case isa::memory_space::global: break;
    case isa::memory_space::shared:
    case isa::memory_space::local: indexed_addresses(i.source[i.access.slot], values, values.address.lane); break;
  }
  if (const isa::tesla::operand* o = isa::tesla::post_incremented(i)) post_increment(*o, values);
  return executed_lanes(i, values.flags_in, active);
}

isa::lane_mask generation::guarded_lanes(const isa::instruction& any, const register_rows& registers,
                                         isa::lane_mask active) const {
  const isa::tesla::instruction& i = as_tesla(any);
  return i.predicated ? executed_lanes(i, registers.condition(i.condition_source), active) : active;
}

void generation::constant_addresses(const isa::instruction& i, const isa::constant_operand& operand,
                                    const isa::lane_bundle& values, std::uint32_t* addresses) const {
  indexed_addresses(as_tesla(i).source[operand.slot], values, addresses);
}

unsigned generation::operand_words(const isa::instruction& any, unsigned slot) const {
  const isa::tesla::instruction& i = as_tesla(any);
  if (any.access.kind == isa::access_kind::texture) return slot == 0 ? i.texture_arguments : 0;
  const isa::tesla::operand& o = i.source[slot];
  using kind = isa::tesla::operand_kind;
  bool has_value = o.kind == kind::gpr || o.kind == kind::immediate || o.kind == kind::special;
  if (o.kind == kind::shared) has_value = any.access.kind == isa::access_kind::operand && any.access.slot == slot;
  for (unsigned k = 0; k < any.constant_count; ++k) has_value |= any.constants[k].slot == slot;
  return has_value ? static_cast<unsigned>(isa::words_of(o.type)) : 0;
}

std::unique_ptr<divergence> generation::make_divergence() const {
  return std::make_unique<simt_stack>(divergence_);
}

std::unique_ptr<thread_flow> generation::make_thread_flow() const {
  return std::make_unique<thread_stacks>(divergence_);
}

}  // namespace gt200::arch_state::tesla
