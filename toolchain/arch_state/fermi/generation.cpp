#include "toolchain/arch_state/fermi/generation.h"

#include <cstring>

#include "toolchain/arch_state/fermi/simt_stack.h"
#include "toolchain/arch_state/fermi/special_values.h"
#include "toolchain/arch_state/lane_rows.h"
#include "toolchain/arch_state/refusal.h"
#include "toolchain/isa/fermi/codec.h"
#include "toolchain/isa/fermi/condition.h"
#include "toolchain/isa/fermi/semantics/semantics.h"

namespace gt200::arch_state::fermi {
namespace {

using isa::fermi::as_fermi;
using isa::fermi::operand_kind;

generation_values fermi_values() {
  generation_values v;
  v.lengths = {0, isa::fermi::instruction_bytes, isa::fermi::instruction_bytes};
  v.code_address_bits = isa::fermi::code_address_bits;
  v.general_registers = isa::fermi::max_gpr;
  v.predicates = isa::fermi::predicate_count + 1;  // with $c
  v.predicate_bits = 4;
  v.address_bits = 32;
  v.max_grid = {65535, 65535, 65535};
  v.max_block = {1024, 1024, 64};
  v.shared_header_bytes = 0;
  v.max_parameter_bytes = 0;  // they are in constant memory
  v.thread_number_in_r0 = false;
  v.shared_window = shared_window;
  v.local_window = local_window;
  v.window_bytes = window_bytes;
  v.max_local_bytes = 512 * 1024;
  return v;
}

void fill_source(const isa::fermi::operand& o, isa::lane_words* rows) {
  if (o.kind == operand_kind::immediate) {
    const auto value = static_cast<std::uint32_t>(o.value);
    const bool is_high = o.form == isa::fermi::immediate_form::high && o.words == 2;
    fill_row(rows[0].lane, is_high ? 0 : value);
    if (o.words == 2) fill_row(rows[1].lane, is_high ? value : o.value < 0 ? ~0u : 0u);
  } else if (o.kind == operand_kind::gpr && o.index == isa::fermi::zero_register) {
    for (unsigned k = 0; k < o.words; ++k) fill_row(rows[k].lane, 0);
  }
}

void finish_predicate(const isa::fermi::predicate_operand& p, std::uint8_t* row) {
  if (p.index == isa::fermi::true_predicate)
    std::memset(row, p.negate ? 0 : 1, isa::warp_size);
  else if (p.negate)
    for (unsigned lane = 0; lane < isa::warp_size; ++lane) row[lane] ^= 1;
}

// The base of a memory operand has arrived as source 0.
void fill_addresses(const isa::fermi::operand& o, bool wide, isa::lane_bundle& b) {
  const isa::lane_words* base = b.source[0];
  const bool has_base = o.index != isa::fermi::zero_register;
  const auto offset = static_cast<std::uint32_t>(o.value);
  for (unsigned lane = 0; lane < isa::warp_size; ++lane) {
    const std::uint32_t low = has_base ? base[0].lane[lane] : 0;
    b.address.lane[lane] = low + offset;
    if (!wide) continue;
    const std::uint64_t high = has_base ? base[1].lane[lane] : 0;
    const std::uint64_t sum = (high << 32 | low) + static_cast<std::uint64_t>(std::int64_t{o.value});
    b.address_high.lane[lane] = static_cast<std::uint32_t>(sum >> 32);
  }
}

isa::lane_mask executed_lanes(const isa::fermi::instruction& i, const isa::lane_bundle& b, isa::lane_mask active) {
  if (i.guard.index == isa::fermi::true_predicate) {
    if (i.guard.negate) active = 0;
  } else {
    isa::lane_mask holds = 0;
    for (unsigned lane = 0; lane < isa::warp_size; ++lane)
      if ((b.guard[lane] != 0) != i.guard.negate) holds |= lane_bit[lane];
    active &= holds;
  }
  if (i.condition != 15)
    for (unsigned lane = 0; lane < isa::warp_size; ++lane)
      if (!isa::fermi::condition_holds(i.condition, b.flags_in[lane])) active &= ~lane_bit[lane];
  return active;
}

}  // namespace

generation::generation(const sync_limits& divergence, const machine_size& machine)
    : arch_state::generation(fermi_values()), divergence_(divergence), machine_(machine) {
  divergence_.code_address_bits = isa::fermi::code_address_bits;
}

generation::decoded generation::decode(const isa::instruction_words& words) const {
  decoded result;
  isa::fermi::decode_error error;
  const auto i = isa::fermi::decode(isa::fermi::words_of(words), error);
  if (!i)
    result.fault = fault_kind::illegal_instruction;
  else if (isa::fermi::refusal_of(*i) != nullptr)
    result.fault = fault_kind::unsupported;
  else
    result.instruction = std::make_shared<const isa::fermi::instruction>(*i);
  return result;
}

generation::explanation generation::explain(const isa::instruction_words& words) const {
  isa::fermi::decode_error error;
  const auto i = isa::fermi::decode(isa::fermi::words_of(words), error);
  if (!i) return {{}, error.reason};
  const char* refusal = isa::fermi::refusal_of(*i);
  return {isa::fermi::disassemble(*i), refusal != nullptr ? refusal : refusal_of_access(*i, false)};
}

std::shared_ptr<const isa::instruction> generation::trap(const isa::instruction_words& words) const {
  isa::fermi::instruction i;
  i.op = isa::fermi::opcode::bpt;
  i.breakpoint = isa::fermi::breakpoint_mode::trap;
  i.control = isa::fermi::control_kind::trap;
  i.flow = isa::fermi::flow_of(i.control);
  i.unit = isa::unit_class::control;
  i.words = words;
  return std::make_shared<const isa::fermi::instruction>(i);
}

isa::lane_mask generation::collect(const isa::instruction& any, const warp_place& place, isa::lane_mask active,
                                   isa::lane_bundle& values) const {
  const isa::fermi::instruction& i = as_fermi(any);
  for (std::size_t k = 0; k < i.source.size(); ++k) fill_source(i.source[k], values.source[k]);
  for (std::size_t k = 0; k < i.predicate_source.size(); ++k)
    if ((i.predicates_used >> k & 1) != 0) finish_predicate(i.predicate_source[k], values.predicate_in[k]);
  if (i.op == isa::fermi::opcode::s2r) special_values(i.special, place, machine_, values.source[0][0].lane);
  if (i.source[0].kind == operand_kind::memory) fill_addresses(i.source[0], i.access.wide_address, values);
  return executed_lanes(i, values, active);
}

// The index register has arrived as address.
void generation::constant_addresses(const isa::instruction& any, const isa::constant_operand& operand,
                                    const isa::lane_bundle& values, std::uint32_t* addresses) const {
  const isa::fermi::operand& o = as_fermi(any).source[operand.slot];
  for (unsigned lane = 0; lane < isa::warp_size; ++lane)
    addresses[lane] = values.address.lane[lane] + static_cast<std::uint32_t>(o.value);
}

unsigned generation::operand_words(const isa::instruction& any, unsigned slot) const {
  const isa::fermi::operand& o = as_fermi(any).source[slot];
  if (o.kind == operand_kind::none || o.kind == operand_kind::memory) return 0;
  for (unsigned k = 0; k < any.constant_count; ++k)
    if (any.constants[k].slot == slot) return static_cast<unsigned>(isa::words_of(any.constants[k].type));
  return o.words;
}

bool generation::is_fence(const isa::instruction& any) const {
  const isa::fermi::opcode op = as_fermi(any).op;
  return op == isa::fermi::opcode::membar || op == isa::fermi::opcode::bpt;
}

isa::lane_mask generation::barrier_vote(const isa::instruction&, const isa::lane_bundle& values,
                                        isa::lane_mask executed) const {
  isa::lane_mask yes = 0;
  for (unsigned lane = 0; lane < isa::warp_size; ++lane)
    if (values.predicate_in[2][lane] != 0) yes |= lane_bit[lane];
  return yes & executed;
}

void generation::finish_barrier(const isa::instruction& any, const barrier_totals& totals,
                                isa::lane_bundle& values) const {
  const bool all = as_fermi(any).barrier_operation == isa::fermi::barrier_mode::and_;
  const bool truth = all ? totals.holds == totals.threads : totals.holds != 0;
  fill_row(values.destination[0].lane, totals.holds);
  std::memset(values.predicate_out[0], truth ? 1 : 0, isa::warp_size);
}

std::unique_ptr<divergence> generation::make_divergence() const {
  return std::make_unique<simt_stack>(divergence_);
}

}  // namespace gt200::arch_state::fermi
