// A decoded Volta (sm_70) machine instruction.
//
// The decoder fills this structure once per distinct instruction. It is plain data: no virtual functions, no
// ownership.
//
// Sources of the encodings: Mesa NAK and nouveau (MIT), samples collected by CuAssembler (MIT); restated in
// docs/isa.md.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "toolchain/isa/common/bit_stream.h"
#include "toolchain/isa/common/instruction.h"

namespace gt200::isa::volta {

inline constexpr unsigned max_gpr = 255;  // R0..R254
inline constexpr std::uint8_t zero_register = 255;
inline constexpr std::uint8_t true_predicate = 7;     // PT
inline constexpr unsigned predicate_count = 7;        // P0..P6
inline constexpr unsigned convergence_barriers = 16;  // B0..B15
inline constexpr unsigned instruction_bytes = 16;

enum class opcode : std::uint8_t {
  // float32
  fadd,
  fmul,
  ffma,
  fmnmx,
  fsel,
  fset,
  fsetp,
  fchk,
  mufu,
  // float64
  dadd,
  dmul,
  dfma,
  dsetp,
  // half pairs
  hadd2,
  hmul2,
  hfma2,
  hset2,
  hsetp2,
  // integer
  iadd3,
  imad,
  imad_wide,
  isetp,
  iabs,
  lea,
  lop3,
  shf,
  idp,
  flo,
  popc,
  brev,
  bmsk,
  sgxt,
  vabsdiff4,
  // conversions
  f2f,
  f2i,
  i2f,
  frnd,
  // moves, predicates
  mov,
  sel,
  prmt,
  plop3,
  p2r,
  r2p,
  s2r,
  cs2r,
  lepc,
  b2r,
  // between lanes
  shfl,
  vote,
  match,
  // memory
  ld,
  st,
  ldg,
  stg,
  ldl,
  stl,
  lds,
  sts,
  ldc,
  atom,
  atomg,
  atoms,
  red,
  qspc,
  cctl,
  membar,
  errbar,
  // textures
  tex,
  tld,
  // control
  bra,
  brx,
  call,
  ret,
  exit,
  bssy,
  bsync,
  break_,
  bmov,
  warpsync,
  yield,
  bar,
  depbar,
  nanosleep,
  bpt,
  nop,
  count_
};

enum class operand_kind : std::uint8_t {
  none,
  gpr,        // index
  immediate,  // value
  constant,   // c[bank][R<index> + value], value in bytes
  memory      // [R<index> + value]; words = 2: the base is a pair with a 64-bit address
};

// How an immediate fills its operand.
enum class immediate_form : std::uint8_t {
  integer,         // the word, printed without sign
  signed_integer,  // the word, printed with sign
  float32,
  high,      // the upper word of a float64, above zeros
  half_pair  // two numbers of 16 bits
};

// Which part of a register: for conversions; for half pairs, which half both results take, or that it is a float32.
enum class operand_part : std::uint8_t { whole, h1, b1, b2, b3, h0_h0, h1_h1, f32 };

struct operand {
  operand_kind kind = operand_kind::none;
  std::uint8_t index = zero_register;
  std::uint8_t words = 1;  // registers
  std::uint8_t bank = 0;
  immediate_form form = immediate_form::integer;
  operand_part part = operand_part::whole;
  bool negate = false;  // applied after absolute
  bool absolute = false;
  bool invert = false;
  bool reuse = false;  // the compiler asks to keep the register in the reuse cache
  std::int32_t value = 0;
};

struct predicate_operand {
  std::uint8_t index = true_predicate;
  bool negate = false;
};

enum class rounding : std::uint8_t { nearest, minus, plus, zero };
enum class logic_op : std::uint8_t { and_, or_, xor_ };
enum class number_type : std::uint8_t { u8, s8, u16, s16, u32, s32, u64, s64, f16, f32, f64 };
enum class mufu_function : std::uint8_t { cos, sin, ex2, lg2, rcp, rsq, rcp64h, rsq64h, sqrt };
enum class shuffle_mode : std::uint8_t { idx, up, down, bfly };
enum class vote_mode : std::uint8_t { all, any, eq };
enum class permute_mode : std::uint8_t { index, f4e, b4e, rc8, ecl, ecr, rc16 };
enum class memory_order : std::uint8_t { constant, weak, strong, mmio };
enum class memory_scope : std::uint8_t { cta, sm, gpu, sys };
enum class eviction : std::uint8_t { first, normal, last, unchanged };
enum class atomic_type : std::uint8_t { u32, s32, u64, f32, f16x2, s64, f64 };
enum class barrier_mode : std::uint8_t { sync, arrive, reduce };
enum class barrier_reduction : std::uint8_t { popc, and_, or_ };
enum class texture_shape : std::uint8_t { d1, d2, d3, cube, array_1d, array_2d, unused_, array_cube };
enum class texture_level : std::uint8_t { automatic, zero, biased, given };
enum class branch_mode : std::uint8_t { any, uniform, divergent, convergent };
enum class register_mode : std::uint8_t { to_gpr, from_gpr, active_to_barrier, barrier_to_active };  // bmov

// Each has a meaning only for the opcodes that use it. Bytes without padding, so that two sets can be compared.
struct modifiers {
  bool extended = false;  // .X, .EX: takes a carry or the comparison of the lower words
  bool ftz = false;       // denormals are zero
  bool saturate = false;
  bool is_signed = false;
  bool high = false;            // shf, lea: upper word
  bool wrap = false;            // shift count modulo 32
  bool right = false;           // shf
  bool sx32 = false;            // lea: the source is sign-extended to 64 bits
  bool shift_amount = false;    // flo: 31 - position
  bool ntz = false;             // f2i: a NaN becomes zero
  bool wide = false;            // cs2r: 64 bits; match: 64 bits
  bool predicate_and = false;   // lop3: the predicate combines by and
  bool second_signed = false;   // idp
  bool pair = false;            // idp: two products of 16 by 8 bits
  bool accumulate = false;      // vabsdiff4
  bool unordered_data = false;  // lds: .U
  bool absolute_target = false;
  bool no_increment = false;
  bool single_result = false;  // half pairs: .F32
  bool ones = false;           // hset2: 1.0 in place of all bits
  bool both_halves = false;    // hsetp2: one predicate for both
  bool clear = false;          // bmov
  bool all_lanes = false;      // match
  rounding round = rounding::nearest;
  logic_op combine = logic_op::and_;
  number_type source_type = number_type::f32;
  number_type destination_type = number_type::f32;
  std::uint8_t compare = 0;  // less 1, equal 2, greater 4, unordered 8
  std::uint8_t scale = 4;    // fmul: 4 none, 3 divided by 2, 2 divided by 4
  std::uint8_t shift = 0;    // lea
  std::uint8_t quad_lanes = 15;
  std::array<std::uint8_t, 2> lut = {0, 0};
  std::uint8_t byte = 0;     // p2r, r2p: byte of the register
  std::uint8_t special = 0;  // number of the special register
  permute_mode permute = permute_mode::index;
  mufu_function function = mufu_function::cos;
  shuffle_mode shuffle = shuffle_mode::idx;
  vote_mode vote = vote_mode::all;
  std::uint8_t memory_size = 4;  // u8 s8 u16 s16 32 64 128 u.128
  bool wide_address = false;     // .E
  memory_order order = memory_order::weak;
  memory_scope scope = memory_scope::cta;
  eviction keep = eviction::normal;
  std::uint8_t atomic_operation = 0;  // add min max inc dec and or xor exch
  atomic_type atomic_kind = atomic_type::u32;
  std::uint8_t compare_and_swap = 0;  // 0: none, 1: cas, 2: cast.spin
  std::uint8_t memory_kind = 0;       // qspc: global, local, shared; cctl, membar: operation
  barrier_mode barrier_operation = barrier_mode::sync;
  barrier_reduction reduction = barrier_reduction::popc;
  bool defer_blocking = false;
  texture_shape shape = texture_shape::d1;
  texture_level level = texture_level::automatic;
  std::uint8_t texture_write_mask = 15;  // components
  bool scalar_arguments = false;         // .SCR: the arguments are divided between both sources
  bool handle_in_register = false;       // .B
  bool texel_offset = false;             // .AOFFI
  bool depth_compare = false;            // .DC
  bool no_divergence = false;            // .NDV
  branch_mode branch = branch_mode::any;
  register_mode moves = register_mode::to_gpr;
  std::uint8_t convergence_register = 0;  // B number
  std::uint8_t dependency_barrier = 0;    // depbar
  std::uint8_t dependency_count = 0;
  std::uint8_t dependency_list = 0;
};
static_assert(std::has_unique_object_representations_v<modifiers>);

enum class control_kind : std::uint8_t {
  none,
  bra,
  brx,
  call,
  ret,
  exit,
  bssy,
  bsync,
  break_,
  warpsync,
  yield,
  trap
};

struct instruction : isa::instruction, modifiers {
  opcode op = opcode::nop;
  control_kind control = control_kind::none;
  predicate_operand guard;

  // Operands in the order of the text; three sources: a, b, c. Memory: source[0] is the address, source[1] the data
  // (cas: the value to compare with, source[2] the new one). Textures: source[0] and source[1] are the arguments
  // (texture.h), source[2] the handle if it is in constant memory.
  operand destination;
  operand second_destination;  // textures: what does not fit into the first two registers
  std::array<operand, 3> source;
  std::array<std::uint8_t, 2> predicate_destination = {true_predicate, true_predicate};
  std::array<predicate_operand, 3> predicate_source;
  std::uint8_t predicates_used = 0;  // bit per predicate source that the operation reads

  std::int32_t target = 0;  // bytes from the end of this instruction; absolute_target: the address itself
};

inline const instruction& as_volta(const isa::instruction& any) { return static_cast<const instruction&>(any); }

constexpr uint128 words_of(const isa::instruction_words& w) {
  return (uint128{w[3]} << 32 | w[2]) << 64 | (uint128{w[1]} << 32 | w[0]);
}
constexpr isa::instruction_words to_words(uint128 bits) {
  return {static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32),
          static_cast<std::uint32_t>(bits >> 64), static_cast<std::uint32_t>(bits >> 96)};
}

}  // namespace gt200::isa::volta
