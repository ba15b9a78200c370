#include "toolchain/arch_state/volta/generation.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "toolchain/arch_state/generic_address.h"
#include "toolchain/arch_state/lane_rows.h"
#include "toolchain/arch_state/refusal.h"
#include "toolchain/arch_state/volta/special_values.h"
#include "toolchain/arch_state/volta/warp_paths.h"
#include "toolchain/isa/volta/codec.h"
#include "toolchain/isa/volta/latency.h"
#include "toolchain/isa/volta/semantics/semantics.h"
#include "toolchain/isa/volta/texture.h"

namespace gt200::arch_state::volta {
namespace {

using isa::volta::as_volta;
using isa::volta::opcode;
using isa::volta::operand_kind;

// The table of latency.h, by the classes that derive.cpp gives to operands and results.
forwarding_table isa_forwarding() {
  using isa::volta::guard_class;
  using isa::volta::reader_class;
  using isa::volta::result_class;
  forwarding_table table;
  for (unsigned w = 0; w < isa::volta::result_classes; ++w) {
    const auto writer = static_cast<result_class>(w);
    for (unsigned r = 0; r < static_cast<unsigned>(reader_class::count_); ++r) {
      const auto reader = static_cast<reader_class>(r);
      table.registers[w][r] = static_cast<std::uint8_t>(isa::volta::register_latency(writer, reader));
      table.predicates[w][r] = static_cast<std::uint8_t>(isa::volta::predicate_latency(writer, reader, false));
    }
    table.predicates[w][guard_class] =
        static_cast<std::uint8_t>(isa::volta::predicate_latency(writer, reader_class::alu, true));
    for (const auto* row : {&table.registers[w], &table.predicates[w]})
      for (const std::uint8_t cycles : *row) table.longest = std::max(table.longest, cycles);
  }
  return table;
}

generation_values volta_values() {
  generation_values v;
  v.lengths = {0, isa::volta::instruction_bytes, isa::volta::instruction_bytes};
  v.code_address_bits = 24;
  v.general_registers = isa::volta::max_gpr;
  v.predicates = isa::volta::predicate_count;
  v.predicate_bits = 1;
  v.address_bits = 32;
  v.max_grid = {0x7fffffff, 65535, 65535};
  v.max_block = {1024, 1024, 64};
  v.shared_header_bytes = 0;
  v.max_parameter_bytes = 0;  // they are in constant memory
  v.thread_number_in_r0 = false;
  v.shared_window = shared_window;
  v.local_window = local_window;
  v.window_bytes = window_bytes;
  v.max_local_bytes = 512 * 1024;
  v.forwarding = isa_forwarding();
  return v;
}

void fill_source(const isa::volta::operand& o, isa::lane_words* rows) {
  if (o.kind == operand_kind::immediate) {
    const auto value = static_cast<std::uint32_t>(o.value);
    const bool is_high = o.form == isa::volta::immediate_form::high && o.words == 2;
    fill_row(rows[0].lane, is_high ? 0 : value);
    if (o.words == 2) fill_row(rows[1].lane, is_high ? value : o.value < 0 ? ~0u : 0u);
  } else if (o.kind == operand_kind::gpr && o.index == isa::volta::zero_register) {
    for (unsigned k = 0; k < o.words; ++k) fill_row(rows[k].lane, 0);
  }
}

void fill_texture_arguments(const isa::volta::instruction& i, isa::lane_bundle& b) {
  const isa::volta::texture_arguments all = isa::volta::arguments_of(i);
  for (unsigned k = 0; k < all.count; ++k) {
    const isa::volta::texture_argument& argument = all.of[k];
    if (i.source[argument.source].index == isa::volta::zero_register)
      fill_row(b.source[argument.row_source][argument.row].lane, 0);
  }
}

void finish_predicate(const isa::volta::predicate_operand& p, std::uint8_t* row) {
  if (p.index == isa::volta::true_predicate)
    std::memset(row, p.negate ? 0 : 1, isa::warp_size);
  else if (p.negate)
    for (unsigned lane = 0; lane < isa::warp_size; ++lane) row[lane] ^= 1;
}

// The base of a memory operand has arrived as source 0. Offsets are signed.
void fill_addresses(const isa::volta::operand& o, bool wide, isa::lane_bundle& b) {
  const bool has_base = o.index != isa::volta::zero_register;
  const auto offset = static_cast<std::uint64_t>(std::int64_t{o.value});
  for (unsigned lane = 0; lane < isa::warp_size; ++lane) {
    const std::uint64_t low = has_base ? b.source[0][0].lane[lane] : 0;
    const std::uint64_t high = has_base && wide ? b.source[0][1].lane[lane] : 0;
    const std::uint64_t sum = (high << 32 | low) + offset;
    b.address.lane[lane] = static_cast<std::uint32_t>(sum);
    b.address_high.lane[lane] = static_cast<std::uint32_t>(sum >> 32);
  }
}

isa::lane_mask lanes_where(const std::uint8_t* row, bool wanted) {
  isa::lane_mask lanes = 0;
  for (unsigned lane = 0; lane < isa::warp_size; ++lane)
    if ((row[lane] != 0) == wanted) lanes |= lane_bit[lane];
  return lanes;
}

isa::lane_mask executed_lanes(const isa::volta::instruction& i, const isa::lane_bundle& b, isa::lane_mask active) {
  if (i.guard.index == isa::volta::true_predicate) {
    if (i.guard.negate) active = 0;
  } else {
    active &= lanes_where(b.guard, !i.guard.negate);
  }
  // Control instructions have a second condition.
  if (i.control != isa::volta::control_kind::none && (i.predicates_used & 1) != 0)
    active &= lanes_where(b.predicate_in[0], true);
  return active;
}

// Which memory the address of a register reaches.
void query_space(const isa::volta::instruction& i, isa::lane_bundle& b) {
  constexpr unsigned local = 1;
  constexpr unsigned shared = 2;
  const isa::lane_mask in_shared = lanes_in_window(b.address, shared_window, window_bytes, all_lanes);
  const isa::lane_mask in_local = lanes_in_window(b.address, local_window, window_bytes, all_lanes);
  const isa::lane_mask inside = i.memory_kind == shared  ? in_shared
                                : i.memory_kind == local ? in_local
                                                         : ~(in_shared | in_local);
  for (unsigned lane = 0; lane < isa::warp_size; ++lane)
    b.predicate_out[0][lane] = (inside & lane_bit[lane]) != 0 ? 1 : 0;
}

}  // namespace

generation::generation(const machine_size& machine) : arch_state::generation(volta_values()), machine_(machine) {}

generation::decoded generation::decode(const isa::instruction_words& words) const {
  decoded result;
  isa::volta::decode_error error;
  const auto i = isa::volta::decode(isa::volta::words_of(words), error);
  if (!i)
    result.fault = fault_kind::illegal_instruction;
  else if (isa::volta::refusal_of(*i) != nullptr)
    result.fault = fault_kind::unsupported;
  else
    result.instruction = std::make_shared<const isa::volta::instruction>(*i);
  return result;
}

generation::explanation generation::explain(const isa::instruction_words& words) const {
  isa::volta::decode_error error;
  const auto i = isa::volta::decode(isa::volta::words_of(words), error);
  if (!i) return {{}, error.reason};
  const char* refusal = isa::volta::refusal_of(*i);
  return {isa::volta::disassemble(*i), refusal != nullptr ? refusal : refusal_of_access(*i, true)};
}

std::shared_ptr<const isa::instruction> generation::trap(const isa::instruction_words& words) const {
  isa::volta::instruction i;
  i.op = opcode::bpt;
  i.control = isa::volta::control_kind::trap;
  i.flow = isa::flow_kind::redirects;
  i.unit = isa::unit_class::control;
  i.length = isa::volta::instruction_bytes;
  i.words = words;
  return std::make_shared<const isa::volta::instruction>(i);
}

isa::lane_mask generation::collect(const isa::instruction& any, const warp_place& place, isa::lane_mask active,
                                   isa::lane_bundle& values) const {
  const isa::volta::instruction& i = as_volta(any);
  if (isa::volta::is_texture_fetch(i))
    fill_texture_arguments(i, values);
  else
    for (std::size_t k = 0; k < i.source.size(); ++k) fill_source(i.source[k], values.source[k]);
  for (std::size_t k = 0; k < i.predicate_source.size(); ++k)
    if ((i.predicates_used >> k & 1) != 0) finish_predicate(i.predicate_source[k], values.predicate_in[k]);
  if (i.op == opcode::s2r || i.op == opcode::cs2r) special_values(i.special, place, machine_, values.source[0]);
  if (i.source[0].kind == operand_kind::memory) {
    fill_addresses(i.source[0], i.wide_address, values);
    if (i.op == opcode::qspc) query_space(i, values);
  }
  return executed_lanes(i, values, active);
}

// The index register has arrived as address.
void generation::constant_addresses(const isa::instruction& any, const isa::constant_operand& operand,
                                    const isa::lane_bundle& values, std::uint32_t* addresses) const {
  const isa::volta::operand& o = as_volta(any).source[operand.slot];
  for (unsigned lane = 0; lane < isa::warp_size; ++lane)
    addresses[lane] = values.address.lane[lane] + static_cast<std::uint32_t>(o.value);
}

unsigned generation::operand_words(const isa::instruction& any, unsigned slot) const {
  const isa::volta::operand& o = as_volta(any).source[slot];
  if (isa::volta::is_texture_fetch(as_volta(any))) {
    const isa::volta::texture_arguments all = isa::volta::arguments_of(as_volta(any));
    return slot == 0 ? all.coordinates : slot == 1 ? all.extras : 1u;
  }
  if (o.kind == operand_kind::none || o.kind == operand_kind::memory) return 0;
  for (unsigned k = 0; k < any.constant_count; ++k)
    if (any.constants[k].slot == slot) return static_cast<unsigned>(isa::words_of(any.constants[k].type));
  return o.words;
}

bool generation::is_fence(const isa::instruction& any) const {
  const opcode op = as_volta(any).op;
  return op == opcode::membar || op == opcode::errbar;
}

isa::lane_mask generation::barrier_vote(const isa::instruction&, const isa::lane_bundle& values,
                                        isa::lane_mask executed) const {
  return lanes_where(values.predicate_in[0], true) & executed;
}

void generation::finish_barrier(const isa::instruction& any, const barrier_totals& totals,
                                isa::lane_bundle& values) const {
  const bool all = as_volta(any).reduction == isa::volta::barrier_reduction::and_;
  const bool truth = all ? totals.holds == totals.threads : totals.holds != 0;
  fill_row(values.destination[0].lane, totals.holds);
  std::memset(values.predicate_out[0], truth ? 1 : 0, isa::warp_size);
}

std::unique_ptr<divergence> generation::make_divergence() const { return std::make_unique<warp_paths>(); }

std::shared_ptr<const isa::instruction> generation::turn_end() const {
  std::string label;
  isa::volta::decode_error error;
  isa::volta::instruction i = *isa::volta::parse("[B------:R-:W-:Y:S01] YIELD", 0, label, error);
  i.flow = isa::flow_kind::none;
  i.join = true;
  i.length = 0;
  return std::make_shared<const isa::volta::instruction>(i);
}

}  // namespace gt200::arch_state::volta
