// The intermediate representation for Volta: machine/function.h with operations of sm_70.
#pragma once

#include <string>
#include <vector>

#include "toolchain/isa/volta/instruction.h"
#include "toolchain/ptx/machine/definitions.h"
#include "toolchain/ptx/machine/function.h"
#include "toolchain/ptx/machine/liveness.h"
#include "toolchain/ptx/machine/memory_order.h"
#include "toolchain/ptx/machine/operation.h"
#include "toolchain/ptx/machine/word_writer.h"

namespace gt200::ptx::volta {

struct operation : basic_operation<isa::volta::instruction> {};
using block = basic_block<operation>;
using machine_function = basic_function<operation>;
using value = basic_value<isa::volta::operand>;

// Slot of the predicate of comparisons and choices (machine/word_writer.h).
inline constexpr std::size_t predicate_slot = 0;

// Answers to the passes of machine/ (see there).
bool has_effect(const operation& o);
bool can_guard(const operation& o);
bool is_harmless(const operation& o);
bool differs_by_itself(const operation& o);
bool agrees_by_itself(const operation& o);
bool is_shareable(const operation& o);
bool takes_float_bits(const operation& o);
// A minus before a register of a sum can be that of an immediate.
bool negates_integer(const operation& o);
// Exchanges sources. False if no order is left that gives the same result.
bool exchange_sources(operation& o);
inline bool takes_literals(const operation&) { return false; }  // immediates have 32 bits
bool is_plain_load(const operation& o);
access_space space_of(const operation& o);
unsigned bytes_accessed(const operation& o);
bool moves_with_a_load(const operation& o);
void describe_spill(operation& o, isa::data_type width);
inline std::size_t predicate_slot_of(const operation&) { return predicate_slot; }
// Reads memory that others may change, or a counter: not the same at another time.
bool reads_memory(const operation& o);
bool encode_operation(const operation& o, isa::volta::instruction& code, std::string& reason);

// Sets the fields that an operation leaves alone as compiled code has them, such as !PT where no carry comes in.
void fill_unused_fields(isa::volta::instruction& code);

// memory_size of an access.
std::uint8_t size_code(isa::data_type width);

using liveness = basic_liveness<machine_function>;
using definitions = basic_definitions<machine_function>;

}  // namespace gt200::ptx::volta
