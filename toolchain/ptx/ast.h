// A PTX module as written; nothing is resolved yet.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "toolchain/ptx/constant.h"
#include "toolchain/ptx/lexer.h"

namespace gt200::ptx {

enum class scalar : std::uint8_t {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f32,
  f64
};

unsigned bytes_of(scalar t);  // 0 for none; pred counts as 4
bool is_signed(scalar t);
bool is_float(scalar t);
// ".f32" or "f32"; none when it is no type.
scalar scalar_named(const std::string& text);

enum class state_space : std::uint8_t {
  none,
  reg,
  param,
  shared,
  constant,
  global,
  local,
  texture,
  surface,
  generic
};

// The bits of a number of this type. Throws constant_error if it is none.
std::uint64_t bits_of(const constant& c, scalar t);

struct initial_value {
  constant number;     // bits as the variable has them; of an address: the offset
  std::string symbol;  // address of a variable
  location where;
};

struct variable {
  std::string name;
  state_space space = state_space::none;
  scalar type = scalar::none;
  unsigned vector = 1;      // 2 or 4 for .v2 / .v4
  unsigned alignment = 0;   // bytes; 0: that of the type
  std::uint64_t count = 1;  // array elements; 0: unsized array
  unsigned range = 0;       // "%r<24>": number of registers; 0: a single register
  bool is_external = false;
  std::vector<initial_value> values;
  location where;
  std::uint64_t bytes() const { return count * vector * bytes_of(type); }
  unsigned natural_alignment() const { return alignment != 0 ? alignment : vector * bytes_of(type); }
};

enum class operand_kind : std::uint8_t { none, name, integer, f32_bits, f64_bits, address, vector, list };

struct operand {
  operand_kind kind = operand_kind::none;
  location where;
  std::string name;               // name; address: base, empty for an absolute one
  std::uint64_t value = 0;        // literal; address and name: offset (two's complement)
  bool negated = false;           // "!p"
  bool minus = false;             // "-r": of video instructions
  std::string part;               // "b0" to "b3", "h0", "h1", "b3210" behind a register: of video instructions
  std::string second;             // "p|q": the second destination
  std::vector<operand> elements;  // vector, list; address with coordinates "[tex, {x, y}]"
};

enum class statement_kind : std::uint8_t { instruction, label, declaration, scope_begin, scope_end };

struct statement {
  statement_kind kind = statement_kind::instruction;
  location where;
  std::string name;  // opcode without modifiers, or label
  std::vector<std::string> modifiers;
  std::string guard;  // empty: always
  bool guard_negated = false;
  std::vector<operand> operands;
  std::vector<variable> variables;  // declaration
  unsigned source_line = 0;         // of the last .loc, 0 when there was none
};

// Bounds of a kernel's launches by the source. 0: none.
struct launch_bounds {
  std::array<std::uint32_t, 3> largest_block = {};   // .maxntid: a block has at most as many threads as this one
  std::array<std::uint32_t, 3> required_block = {};  // .reqntid
  std::uint32_t blocks = 0;                          // .minnctapersm: how many shall fit into an SM
  std::uint32_t registers = 0;                       // .maxnreg

  // Threads of the largest block.
  std::uint64_t threads() const {
    const auto& b = required_block[0] != 0 ? required_block : largest_block;
    return std::uint64_t{b[0]} * b[1] * b[2];
  }
};

struct function {
  std::string name;
  bool is_entry = false;
  bool has_body = false;
  std::vector<variable> results;
  std::vector<variable> parameters;
  std::vector<statement> body;
  launch_bounds bounds;
  location where;
};

struct module_source {
  unsigned version = 0;  // 10 * major + minor
  std::string target;    // "sm_13"
  bool demote_f64 = false;
  unsigned address_bytes = 4;  // .address_size
  std::vector<variable> variables;
  std::vector<function> functions;
};

}  // namespace gt200::ptx
