// A decoded Fermi (sm_20) machine instruction.
//
// The decoder fills this structure once per distinct instruction. Emulator, disassembler and checker only read it;
// the models read only its base class. It is plain data: no virtual functions, no ownership.
//
// Source of the encodings: envytools gf100.c and docs/hw/graph/fermi/cuda/isa.rst; restated in docs/isa.md.
#pragma once

#include <array>
#include <cstdint>

#include "toolchain/isa/common/instruction.h"

namespace gt200::isa::fermi {

inline constexpr unsigned max_gpr = 63;  // $r0..$r62
inline constexpr std::uint8_t zero_register = 63;
inline constexpr std::uint8_t true_predicate = 7;  // $p7
inline constexpr unsigned predicate_count = 7;     // $p0..$p6
// $c is in the file of predicates, behind $p6.
inline constexpr std::uint8_t condition_code_index = 7;
inline constexpr unsigned code_address_bits = 24;
inline constexpr unsigned instruction_bytes = 8;

// Bits of $c.
inline constexpr std::uint8_t flag_zero = 1;
inline constexpr std::uint8_t flag_sign = 2;
inline constexpr std::uint8_t flag_carry = 4;
inline constexpr std::uint8_t flag_overflow = 8;

enum class opcode : std::uint8_t {
  // float32
  fmnmx,
  fset,
  fsetp,
  ffma,
  fcmp,
  fadd,
  fmul,
  rro,
  mufu,
  // float64
  dmnmx,
  dset,
  dsetp,
  dfma,
  dadd,
  dmul,
  // integer
  imnmx,
  iset,
  isetp,
  imad,
  bfi,
  icmp,
  isad,
  iscadd,
  iadd,
  imul,
  shr,
  shl,
  lop,
  bfe,
  flo,
  popc,
  // conversion, moves, predicates
  f2f,
  f2i,
  i2f,
  i2i,
  sel,
  prmt,
  mov,
  s2r,
  p2r,
  r2p,
  lepc,
  cset,
  csetp,
  pset,
  psetp,
  vote,
  nop,
  pmtrig,
  // video
  vadd,
  vmnmx,
  vabsdiff,
  vset,
  vsetp,
  vshr,
  vshl,
  vmad,
  // memory
  ld,
  ldu,
  st,
  ldl,
  stl,
  lds,
  sts,
  ldslk,
  stsul,
  ldc,
  red,
  atom,
  cctl,
  cctll,
  membar,
  tex,
  tld,
  bar,
  // control
  bra,
  brx,
  jmp,
  cal,
  jcal,
  ssy,
  pbk,
  pcnt,
  pret,
  plongjmp,
  exit,
  ret,
  brk,
  cont,
  longjmp,
  bpt,
  count_
};

enum class operand_kind : std::uint8_t {
  none,
  gpr,        // index
  immediate,  // value
  constant,   // c<bank>[$r<index> + value], value in bytes
  memory      // [$r<index> + value]; words = 2: the base is a pair with a 64-bit address
};

// How the value of an immediate fills an operand of two words.
enum class immediate_form : std::uint8_t {
  integer,  // the low word, sign-extended
  high      // the high word of a float64, above zeros
};

struct operand {
  operand_kind kind = operand_kind::none;
  std::uint8_t index = zero_register;
  std::uint8_t words = 1;  // registers
  std::uint8_t bank = 0;
  immediate_form form = immediate_form::integer;
  bool negate = false;  // applied after absolute
  bool absolute = false;
  bool invert = false;
  std::int32_t value = 0;
};

struct predicate_operand {
  std::uint8_t index = true_predicate;
  bool negate = false;
};

enum class rounding : std::uint8_t { nearest, minus, plus, zero };
// s1 + s2, s1 - s2, s2 - s1, s1 + s2 + 1; of a multiply-add s1 is the product.
enum class addend_mode : std::uint8_t { add, sub, subr, add_plus_one };
enum class logic_op : std::uint8_t { and_, or_, xor_, second };  // second: the second source alone
enum class number_type : std::uint8_t { u8, s8, u16, s16, u32, s32, u64, s64, f16, f32, f64 };
enum class mufu_function : std::uint8_t { cos, sin, ex2, lg2, rcp, rsqrt, rcp64h, rsqrt64h };
enum class vote_mode : std::uint8_t { all, any, uni };
enum class barrier_mode : std::uint8_t { popc, and_, or_, arrive };
enum class permute_mode : std::uint8_t { index, f4e, b4e, rc8, ecl, ecr, rc16 };
// The last step of a video instruction, with its result and source 2: merges it into a part, or combines both.
enum class video_merge : std::uint8_t { h1, h0, b0, b2, add, min, max, none };
enum class membar_level : std::uint8_t { cta, gl, sys };
enum class breakpoint_mode : std::uint8_t { drain, cal, pause, trap };
// ld: ca cg cs (lu of local memory) cv; st: wb cg cs wt.
enum class cache_operator : std::uint8_t { all, global, streaming, last };

enum class control_kind : std::uint8_t {
  none,
  bra,
  brx,  // the target is read from constant memory
  cal,
  ret,
  ssy,
  pbk,
  pcnt,
  pret,
  plongjmp,
  brk,
  cont,
  longjmp,
  exit,
  trap
};

constexpr flow_kind flow_of(control_kind control) {
  switch (control) {
    case control_kind::none: return flow_kind::none;
    case control_kind::bra:
    case control_kind::brx: return flow_kind::branch;
    case control_kind::ssy:
    case control_kind::pbk:
    case control_kind::pcnt:
    case control_kind::pret:
    case control_kind::plongjmp: return flow_kind::continues;
    default: return flow_kind::redirects;
  }
}

struct instruction : isa::instruction {
  opcode op = opcode::nop;
  control_kind control = control_kind::none;

  predicate_operand guard;
  std::uint8_t condition = 15;  // test of $c in front of control instructions and nop; 15 = true

  // Operands are in the order in which they are computed:
  //   two sources     source[0] op source[1]
  //   ffma, dfma, imad, bfi, isad, cmp, prmt   source[0], source[1], source[2]
  //   ld              source[0] = memory operand; destination = register
  //   st, red         source[0] = memory operand, source[1] = value
  //   atom            source[0] = memory operand, source[1] = value; cas: compare value, source[2] = new value
  //   f2f .. i2i, mov, rro, flo   source[1] alone
  //   lds.. lock      destination, and predicate_destination[0] = success
  //   bar             source[0] = number, source[1] = threads, predicate_source[2]
  //   tex, tld        source[0] = coordinates, source[1] = level, offset
  operand destination;
  std::array<operand, 3> source;
  std::array<std::uint8_t, 2> predicate_destination = {true_predicate, true_predicate};
  // [2] is the one that combines with a comparison, selects, or goes to a barrier.
  std::array<predicate_operand, 3> predicate_source;
  std::uint8_t predicates_used = 0;   // bit per predicate source that the operation reads
  bool reads_condition_code = false;  // as carry, by a test, or as operand
  bool writes_condition_code = false;

  bool long_immediate = false;  // the form with an immediate of 32 bits, even if a shorter one would do

  // modifiers; each has a meaning only for the opcodes that use it
  bool carry_in = false;
  bool ftz = false;  // denormals are zero
  bool fmz = false;  // zero times anything is zero
  bool saturate = false;
  bool negate_product = false;
  bool high = false;       // imul, imad: bits 63:32 of the product; p2r, r2p: upper part of the flags
  bool is_signed = false;  // comparisons, min, max, shr, bfe, flo, sad; vadd: the destination
  std::array<bool, 2> source_signed = {false, false};  // imul, imad, video
  bool float_result = false;                           // set: 1.0f in place of all ones
  bool reverse = false;                                // bits of source 0
  bool wrap = false;                                   // shift count modulo 32
  bool shift_amount = false;                           // flo: 31 - position
  bool integral_round = false;                         // f2f: to an integral value
  bool merge_flags = false;                            // p2r: bits outside of the mask come from source 0
  addend_mode addend = addend_mode::add;
  logic_op logic = logic_op::and_;    // lop, pset
  logic_op combine = logic_op::and_;  // of the result with predicate_source[2]
  atomic_op atomic = atomic_op::add;
  bool atomic_float = false;
  rounding round = rounding::nearest;
  number_type source_type = number_type::u32;
  number_type destination_type = number_type::u32;
  std::uint8_t part = 0;     // conversions: number of the byte or half of source 1 that a narrow source is
  std::uint8_t compare = 0;  // less 1, equal 2, greater 4, unordered 8; cset: test of $c
  std::uint8_t scale = 0;    // fmul: 0, 1..3 = divided by 2, 4, 8; 4..6 = multiplied by 8, 4, 2
  std::uint8_t shift = 0;    // iscadd; vmad: 0, 1 = right by 7, 2 = by 15
  std::uint8_t lane_write_mask = 0xf;  // mov: lanes of each quad
  mufu_function function = mufu_function::cos;
  bool range_of_ex2 = false;  // rro: for ex2 rather than sin and cos
  permute_mode permute = permute_mode::index;
  std::uint8_t special = 0;  // s2r: number of the special register
  vote_mode vote = vote_mode::all;
  bool maximum = false;  // vmnmx

  // video: which byte (0..3), half (4, 5) or whole (6) of each source
  video_merge merge = video_merge::none;
  std::array<std::uint8_t, 2> selector = {6, 6};

  // memory
  data_type memory_type = data_type::b32;
  cache_operator cache = cache_operator::all;
  membar_level level = membar_level::cta;
  std::uint8_t cache_control = 0;
  std::uint8_t cache_control_kind = 0;

  // bar
  barrier_mode barrier_operation = barrier_mode::popc;

  // control
  std::int32_t target = 0;  // bytes from the end of this instruction; jmp, jcal: the address itself
  bool limit = false;
  bool all_warp = false;  // bra: taken only if all active lanes take it (.U)
  breakpoint_mode breakpoint = breakpoint_mode::drain;

  // texture
  std::uint8_t texture_unit = 0;
  std::uint8_t sampler_unit = 0;
  std::uint8_t texture_write_mask = 0xf;
  std::uint8_t texture_mode = 0;   // 1 = t, 2 = p
  std::uint8_t texture_shape = 0;  // 0 t1d, 1 a1d, 2 t2d, 3 a2d, 4 t3d
  bool texture_live = false;
  bool texture_all_derivatives = false;  // tex: of helper lanes too; without meaning for level 0
  std::uint8_t texture_level = 0;        // tex: 0 by derivatives, 1 zero
};

// Casts an instruction that the decoder of this generation created.
inline const instruction& as_fermi(const isa::instruction& any) { return static_cast<const instruction&>(any); }

}  // namespace gt200::isa::fermi
