// The view that the chip has of a machine instruction of any instruction set.
//
// Each generation derives its own instruction from this one and adds opcode, operands and modifiers
// (isa::tesla::instruction). Its decoder fills both parts once per distinct instruction. The stages of the models
// read only this part; for what depends on the operands they pass the instruction to the generation
// (toolchain/arch_state/generation.h). It is plain data: no virtual functions, no ownership.
//
// On Tesla exit and join act on all active lanes, and these fields are each set by a single opcode:
//   barrier        bar: the barrier unit has no other instruction
//   sp_mul         fmul: the one operation that two kinds of units can execute
//   flow_kind::branch  bra: the only one whose two paths are counted
// No Tesla opcode sets `codes`; later generations need it.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "toolchain/isa/common/registers.h"
#include "toolchain/isa/common/unit_class.h"

namespace gt200::isa {

inline constexpr int warp_size = 32;
inline constexpr unsigned max_general_reads = 32;

// Byte address in code space.
using code_address = std::uint32_t;
using lane_mask = std::uint32_t;  // bit n = lane n

// The encoding, first word first; words beyond the length of the instruction are 0.
inline constexpr unsigned max_instruction_words = 4;
using instruction_words = std::array<std::uint32_t, max_instruction_words>;

// Width and, for narrow memory operands, the extension to 32 bits.
enum class data_type : std::uint8_t { u8, s8, u16, s16, b32, b64, b128 };

constexpr int bytes_of(data_type t) {
  switch (t) {
    case data_type::u8:
    case data_type::s8: return 1;
    case data_type::u16:
    case data_type::s16: return 2;
    case data_type::b32: return 4;
    case data_type::b64: return 8;
    case data_type::b128: return 16;
  }
  return 4;
}
// Number of 32-bit registers a value of this type occupies.
constexpr int words_of(data_type t) { return bytes_of(t) <= 4 ? 1 : bytes_of(t) / 4; }

// Which part of a general register.
enum class register_part : std::uint8_t { whole, low, high };

// `count` registers of one file whose values move between the register file and the bundle of the instruction
// (lane_bundle.h). Values are rows of 32 lanes: words for general registers, bytes for predicates, 16 bits for
// address registers.
struct register_transfer {
  register_file_kind file = register_file_kind::gpr;
  std::uint8_t first = 0;
  std::uint8_t count = 1;  // 1 for predicates and address registers
  // Results only. The value of a half is in the low 16 bits of each word; an operand arrives whole.
  register_part part = register_part::whole;
  std::uint16_t place = 0;  // byte in the bundle at which the first row begins
  // For compilers that schedule: the row or column of arch_state::forwarding_table.
  std::uint8_t latency_class = 0;
};

// The effect of an instruction on the flow of its warp. The details belong to the generation's divergence rule.
enum class flow_kind : std::uint8_t {
  none,
  continues,  // changes the divergence state; the warp continues behind the instruction
  branch,     // the lanes it selects continue at its target
  redirects   // any other instruction that decides where the warp continues
};

enum class memory_space : std::uint8_t { none, shared, local, global, texture };
enum class access_kind : std::uint8_t {
  none,
  load,             // the value goes to the destination
  store,            // the value is source 1
  atomic,           // the old value goes to the destination
  reduction,        // an atomic without a result
  locked_load,      // of shared memory: value to the destination, success to the predicate it writes
  unlocking_store,  // to shared memory
  operand,          // shared-memory source of an arithmetic instruction: the value goes to source `slot`
  texture           // texture fetch: values go to the destination
};
// Effect of an instruction without an access on the cache lines at its addresses. Only speed and the age of later
// values depend on it: lanes whose address reaches no line do nothing.
enum class line_action : std::uint8_t {
  none,
  prefetch_l1,  // into the L1 data cache and what lies behind it
  prefetch_l2,  // into the L2 alone
  write_back,   // the L1 writes the line to memory if it is dirty, and keeps it
  invalidate    // the L1 drops the line, and writes it back before if it is dirty
};
enum class atomic_op : std::uint8_t { add, exch, cas, inc, dec, max, min, and_, or_, xor_ };

// An access to memory that other threads can change, so its time matters. Constant memory does not count: it is
// read together with the registers.
struct memory_access {
  access_kind kind = access_kind::none;
  memory_space space = memory_space::none;
  std::uint8_t slot = 0;  // the source that holds the address
  data_type type = data_type::b32;
  // Atomics and reductions: operand in source 1; cas: compare value in source 1, new value in source 2.
  atomic_op atomic = atomic_op::add;
  bool atomic_signed = false;  // min, max
  bool atomic_float = false;   // add
  bool same_address = false;   // all lanes access the same address
  bool wide_address = false;   // of 64 bits: lane_bundle::address_high holds the upper half
  // A global address may lie in a window of shared or local memory and then accesses that memory.
  bool generic = false;
  bool past_l1 = false;      // a load of global memory that no L1 data cache may answer
  bool evict_first = false;  // the lines that it uses are the first to give way
  bool evict_first_if_local = false;
  bool last_use = false;                 // nobody loads these bytes of local memory again before they are stored
  bool drops_lines = false;              // no access: the L1 data cache forgets what it has read from memory
  line_action line = line_action::none;  // no access: kind is none

  bool has_address() const {
    return (kind != access_kind::none && kind != access_kind::texture) || line != line_action::none;
  }
  bool prefetches() const { return line == line_action::prefetch_l1 || line == line_action::prefetch_l2; }
  bool stores() const { return kind == access_kind::store || kind == access_kind::unlocking_store; }
  bool loads() const { return !stores(); }
};

struct texture_access {
  std::uint8_t unit = 0;
  bool by_handle = false;                         // the unit is not a number of the instruction: source 2 has it
  std::uint8_t arguments = 0;                     // coordinates, in the words of source 0
  std::uint8_t write_mask = 0;                    // components written, to consecutive registers
  bool texel_numbers = false;                     // integer coordinates: no filtering, no wrapping
  std::array<std::int8_t, 3> offset = {0, 0, 0};  // texels
};

struct barrier_action {
  std::uint8_t id = 0;
  bool arrives = false;
  bool waits = false;
  bool combines = false;  // a predicate of all threads, for a later instruction
};

// A value read from constant memory.
struct constant_operand {
  std::uint8_t slot = 0;  // source 0..2
  std::uint8_t bank = 0;
  data_type type = data_type::b32;
  bool indexed = false;      // each lane has its own address: generation::constant_addresses()
  std::uint32_t offset = 0;  // bytes; only if not indexed
};

// Scheduling information from the compiler.
struct control_codes {
  static constexpr std::uint8_t no_barrier = 7;
  std::uint8_t stall_cycles = 0;            // before the warp's next instruction
  bool yield = false;                       // prefer another warp next
  std::uint8_t write_barrier = no_barrier;  // dependency barrier that is released when the results are written
  std::uint8_t read_barrier = no_barrier;   // dependency barrier that is released when the operands have been read
  std::uint8_t wait_mask = 0;               // dependency barriers that must be free before the instruction issues
  std::uint8_t reuse = 0;                   // bit per source: keep the operand in the reuse cache
};

// An instruction that waits until a dependency barrier counts no more than `count`, and those of `list` count zero.
struct dependency_wait {
  bool waits = false;
  std::uint8_t barrier = 0;
  std::uint8_t count = 0;
  std::uint8_t list = 0;  // bit per barrier
};

// An instruction that asks for a section of the registers that warps share over time, or gives it back. The section
// holds registers [first, first + count) of the warp.
enum class section_action : std::uint8_t { none, acquire, release };
struct section_request {
  section_action action = section_action::none;
  std::uint8_t first = 0;
  std::uint8_t count = 0;
};

struct instruction;
struct lane_bundle;
// Computes the destination words and predicates of the lanes in `mask`.
using lane_function = void (*)(const instruction&, lane_bundle&, lane_mask mask);
// Returns the instruction as assembly text.
using text_function = std::string (*)(const instruction&);

struct instruction {
  unit_class unit = unit_class::none;
  flow_kind flow = flow_kind::none;
  std::uint8_t length = 8;  // bytes

  // Whether they act on all active lanes or only on those whose predicate holds is a rule of the generation.
  bool exit = false;  // lanes finish after this instruction
  bool join = false;  // reconvergence point: the paths of the warp reconverge here

  bool reads_shared = false;    // by an operand of an arithmetic instruction, or by a load
  bool reads_constant = false;  // constant_count != 0
  bool crosses_lanes = false;   // the result of a lane depends on operands of other lanes
  // For generations with a file of single-bit predicates: all of them are the low bits of the first word of source
  // 2, or of the result.
  bool reads_predicate_file = false;
  bool writes_predicate_file = false;
  bool indirect = false;  // control: the lanes' targets, or masks of lanes, are the first word of source 0
  bool moves_divergence_state = false;  // between registers and the divergence state

  // Arithmetic semantics; null for memory, texture, control and barrier instructions.
  lane_function execute = nullptr;
  text_function text = nullptr;

  memory_access access;
  barrier_action barrier;

  // The registers that the instruction reads and writes, for dependency tracking.
  std::uint8_t read_count = 0;
  std::uint8_t write_count = 0;
  std::array<register_range, 8> reads;   // first `read_count` entries valid
  std::array<register_range, 4> writes;  // first `write_count` entries valid
  // The same as a set, and the general registers whose values it reads, in order; one named twice counts twice. An
  // instruction without operands may wait for registers without reading them. The decoder sets all of these with
  // note_registers() when it has set ranges and operands.
  register_set registers;
  std::array<register_place, 4> write_place{};  // of `writes`
  std::uint8_t general_reads = 0;
  std::uint8_t general_writes = 0;
  std::array<std::uint8_t, max_general_reads> general_read{};  // first `general_reads` entries valid

  // Bit n: source n has a value in the bundle when the instruction is calculated, from wherever it comes.
  std::uint8_t sources = 0;
  // The same registers, as values that move: read at the collection, written at write-back.
  std::uint8_t operand_count = 0;
  std::uint8_t result_count = 0;
  std::array<register_transfer, 6> operands;  // first `operand_count` entries valid
  std::array<register_transfer, 4> results;   // first `result_count` entries valid
  // False: whole registers and constants are all it needs, and it executes in all active lanes, so that
  // generation::collect() has nothing to add.
  bool needs_collect = true;

  std::uint8_t constant_count = 0;
  std::array<constant_operand, 3> constants;  // first `constant_count` entries valid

  texture_access texture;
  // For compilers that schedule: the time of its results varies, so that they need a dependency barrier.
  bool variable_latency = false;
  dependency_wait dependency;
  section_request section;
  control_codes codes;
  instruction_words words = {};

  // True if fetch must stop at this instruction until it is resolved.
  bool ends_or_redirects() const {
    return exit || join || flow == flow_kind::branch || flow == flow_kind::redirects;
  }
  bool concerns_divergence() const { return flow != flow_kind::none || exit || join; }
};

inline std::string text_of(const instruction& i) { return i.text != nullptr ? i.text(i) : std::string(); }

// Sets what the decoder does not set itself: registers, write_place, general_reads, general_writes and
// general_read.
inline void note_registers(instruction& i) {
  i.registers = {};
  i.general_reads = i.general_writes = 0;
  for (unsigned k = 0; k < i.read_count; ++k) {
    const register_range& range = i.reads[k];
    i.registers.add(range);
    for (unsigned r = 0; r < range.count && range.file == register_file_kind::gpr && i.operand_count != 0; ++r)
      i.general_read.at(i.general_reads++) = static_cast<std::uint8_t>(range.first + r);
  }
  for (unsigned k = 0; k < i.write_count; ++k) {
    const register_range& range = i.writes[k];
    i.registers.add(range);
    i.write_place[k] = register_place(range);
    if (range.file == register_file_kind::gpr)
      i.general_writes = static_cast<std::uint8_t>(i.general_writes + range.count);
  }
}

}  // namespace gt200::isa
