// The intermediate representation for Fermi: machine/function.h with operations of sm_20.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "toolchain/isa/fermi/instruction.h"
#include "toolchain/ptx/machine/definitions.h"
#include "toolchain/ptx/machine/function.h"
#include "toolchain/ptx/machine/liveness.h"
#include "toolchain/ptx/machine/memory_order.h"
#include "toolchain/ptx/machine/operation.h"
#include "toolchain/ptx/machine/word_writer.h"

namespace gt200::ptx::fermi {

struct operation : basic_operation<isa::fermi::instruction> {};
using block = basic_block<operation>;
using machine_function = basic_function<operation>;
using value = basic_value<isa::fermi::operand>;

// Slot of the predicate of comparisons and choices (machine/word_writer.h).
inline constexpr std::size_t predicate_slot = 2;

// Answers to the passes of machine/ (see there).
bool has_effect(const operation& o);
bool can_guard(const operation& o);
bool is_harmless(const operation& o);
bool differs_by_itself(const operation& o);
bool agrees_by_itself(const operation& o);
void drop_unused_results(operation& o, const std::function<bool(word_ref)>& is_used);
bool is_shareable(const operation& o);
bool takes_float_bits(const operation& o);
// Exchanges the first two sources. False if the result would be another one.
bool exchange_sources(operation& o);
bool takes_literals(const operation& o);
// A minus before a register of a sum can be that of an immediate.
inline bool negates_integer(const operation&) { return false; }
bool is_plain_load(const operation& o);
access_space space_of(const operation& o);
unsigned bytes_accessed(const operation& o);
inline bool moves_with_a_load(const operation& o) {
  return has_results_only(o) && o.code.op != isa::fermi::opcode::vote;
}

inline void describe_spill(operation& o, isa::data_type type) { o.code.memory_type = type; }
inline std::size_t predicate_slot_of(const operation&) { return predicate_slot; }

// Reads memory that others may change, or a counter: not the same at another time.
bool reads_memory(const operation& o);

// Encodes, with the form of immediates that fits. `reason` says why not.
bool encode(isa::fermi::instruction& code, std::string& reason);
inline bool encode_operation(const operation&, isa::fermi::instruction& code, std::string& reason) {
  return encode(code, reason);
}

using liveness = basic_liveness<machine_function>;
using definitions = basic_definitions<machine_function>;

}  // namespace gt200::ptx::fermi
