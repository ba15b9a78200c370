// A decoded Tesla (sm_10 .. sm_13) machine instruction.
//
// The decoder fills this structure once per distinct instruction. Emulator, disassembler and checker only read it;
// the models read only its base class. It is plain data: no virtual functions, no ownership.
//
// Source of the encodings: envytools g80.c / isa.rst, restated in docs/isa.md.
#pragma once

#include <array>
#include <cstdint>

#include "toolchain/isa/common/instruction.h"

namespace gt200::isa::tesla {

inline constexpr int max_gpr = 128;  // $r0..$r127
inline constexpr unsigned code_address_bits = 24;

enum class opcode : std::uint8_t {
  // data movement
  mov,          // $r <- $r | s[] | c[] | immediate
  mov_from_c,   // $r <- $c
  mov_to_c,     // $c <- $r
  mov_from_a,   // $r <- $a
  mov_from_sr,  // $r <- special register
  shl_to_a,     // $a <- ($r | s[]) << imm
  add_to_a,     // $a <- $a + imm16
  ld_const,     // $r <- c[]
  ld_shared,
  st_shared,
  ld_local,
  st_local,
  ld_global,
  st_global,
  red_global,
  atom_global,
  // integer
  add,
  sub,
  subr,
  addc,
  mul,
  mul24,
  sad,
  mad,
  mad24,  // the addend variant (add, sub, subr, addc) is in `addend`
  min,
  max,
  set,
  shl,
  shr,
  logic,  // and, or, xor, mov2 with optional inversions
  // float32
  fadd,
  fmul,
  fmad,
  fset,
  fmin,
  fmax,
  fslct,
  rcp,
  rsqrt,
  lg2,
  sin,
  cos,
  ex2,
  presin,
  preex2,
  quadop,
  // float64
  dfma,
  dadd,
  dmul,
  dmin,
  dmax,
  dset,
  // conversion, texture, vote, misc
  cvt,
  tex,
  texfetch,
  vote_any,
  vote_all,
  nop,
  pmevent,
  // control
  bra,
  call,
  ret,
  prebrk,
  brk,
  joinat,
  quadon,
  quadpop,
  bar,
  trap,
  brkpt,
  regacquire,  // registers shared over time: docs/register_sharing.md
  regrelease,
  count_
};

enum class operand_kind : std::uint8_t {
  none,
  gpr,        // index = register number, type gives the width; half selects a 16-bit half
  immediate,  // value
  shared,     // s[$a + value], value in bytes
  constant,   // c<index>[$a + value], value in bytes
  local,      // l[$a + value]
  global,     // g<index>[$r base]; base = GPR number
  address,    // $a<index>
  condition,  // $c<index>
  special,    // $sr<index>
  discard     // bit bucket '#'
};

enum class half : std::uint8_t { whole, low, high };

struct operand {
  operand_kind kind = operand_kind::none;
  data_type type = data_type::b32;
  half part = half::whole;
  std::uint8_t index = 0;             // register number or memory space number
  std::uint8_t base = 0;              // global: GPR with the byte address
  std::uint8_t address_register = 0;  // 0 = none ($a0 reads as 0), 1..4
  bool post_increment = false;        // address is $aX alone; afterwards $aX += value
  bool negate = false;                // float sign flip, applied after absolute
  bool absolute = false;
  bool invert = false;     // bitwise not (logic)
  std::int32_t value = 0;  // immediate bits or byte offset
};

enum class rounding : std::uint8_t { nearest, minus, plus, zero };
enum class addend_mode : std::uint8_t { add, sub, subr, addc };  // s1*s2+s3, s1*s2-s3, s3-s1*s2, with carry in
enum class logic_op : std::uint8_t { and_, or_, xor_, mov2 };
enum class cvt_kind : std::uint8_t { i2i, i2f, f2i, f2f };

// The way of the warp behind an instruction, and other effects on the warp.
enum class control_kind : std::uint8_t { none, bra, call, ret, prebrk, brk, joinat, quadon, quadpop, trap, brkpt };

constexpr flow_kind flow_of(control_kind control) {
  switch (control) {
    case control_kind::none: return flow_kind::none;
    case control_kind::bra: return flow_kind::branch;
    case control_kind::prebrk:
    case control_kind::joinat: return flow_kind::continues;
    default: return flow_kind::redirects;
  }
}

struct instruction : isa::instruction {
  opcode op = opcode::nop;
  control_kind control = control_kind::none;
  std::uint8_t capability = 10;  // required compute capability x 10: 10, 11, 12, 13

  // Predicates do not mask exit and join: compilers end programs with "exit (never) nop" and join with
  // "join (never) nop".
  // true if the condition is not "always"; false for vote, which uses the predicate as input
  bool predicated = false;
  std::uint8_t condition = 0xf;       // predicate code, see condition.h
  std::uint8_t condition_source = 0;  // $c register read for predicate, carry, or as source
  bool reads_condition = false;       // predicate, carry or explicit source needs $c<condition_source>
  bool writes_condition = false;
  std::uint8_t condition_destination = 0;

  // Operands are in the order in which they are written and computed, not in the order of encoding fields:
  //   two sources     source[0] op source[1]; sub = source[0] - source[1], subr = source[1] - source[0]
  //   mad, sad, slct  source[0], source[1], source[2] (addend, or selector of slct)
  //   ld              source[0] = memory operand; destination = register
  //   st, red         source[0] = memory operand, source[1] = value; no destination
  //   atom            source[0] = memory operand, source[1] = value; cas: compare value, source[2] = new value
  //   mov_to_c        source[0]; the $c register is condition_destination; no destination
  //   shl_to_a        destination = address register, source[0], source[1] = immediate count
  //   add_to_a        destination = address register, source[0] = address register, source[1] = immediate
  //   pmevent         source[0] = immediate event number
  //   tex, texfetch   no sources: coordinates are read from the registers that start at destination.index
  //   vote            no operands: the input is the predicate field
  // A register half has type s16 if the operation treats it as signed, else u16. Whole registers are b32, pairs
  // b64.
  operand destination;
  std::array<operand, 3> source;  // unused sources have kind none

  // modifiers; each has a meaning only for the opcodes that use it
  bool is_signed = false;  // sources (set, min, max, shr, sad, mad); cvt to integer: the destination
  // mul, mul24, cvt from integer: sign of each source. Needed because data_type has no sign for 32 and 64 bits.
  std::array<bool, 2> source_signed = {false, false};
  bool high = false;  // mul24/mad24: bits 47:16 of the product
  bool saturate = false;
  bool is_16bit = false;  // b16 form of an integer operation
  bool arithmetic_shift = false;
  bool lock = false;            // ld s[] lock / st s[] unlock
  bool integral_round = false;  // cvt: round to an integral value (rint)
  bool call_limit = false;
  bool sfu_path = false;  // mov executed by the SFU
  addend_mode addend = addend_mode::add;
  logic_op logic = logic_op::and_;
  atomic_op atomic = atomic_op::add;
  rounding round = rounding::nearest;
  cvt_kind cvt = cvt_kind::i2i;
  // cvt types. Integers: u8 s8 u16 s16 b32 b64 (sign of b32, b64: is_signed and source_signed[0]). Floats by width
  // alone: u16 = f16, b32 = f32, b64 = f64.
  data_type source_type = data_type::b32;
  data_type destination_type = data_type::b32;
  std::uint8_t compare = 0;            // set: condition code (integer: l=1 e=2 g=4; float: 16 codes)
  std::uint8_t lane_write_mask = 0xf;  // mov lane mask field

  code_address target = 0;  // absolute byte address for control instructions

  // bar
  std::uint8_t barrier_id = 0;
  bool barrier_increment = false;
  bool barrier_wait = false;
  bool barrier_all = false;  // "all" form: no mask field
  // 12-bit field of the other form; ptxas writes 0xfff, whose meaning is unknown
  std::uint16_t barrier_mask = 0xfff;

  // texture
  std::uint8_t texture_unit = 0;
  std::uint8_t sampler_unit = 0;
  std::uint8_t texture_arguments = 0;   // 1..4 coordinates, starting at destination.index
  std::uint8_t texture_write_mask = 0;  // components written, to consecutive registers from destination.index on
  bool texture_live = false;
  bool texture_derivatives = false;
  std::array<std::int8_t, 3> texture_offset = {0, 0, 0};  // texels, -8..7

  // quadop: the operation per lane of the quad (0 add, 1 subr, 2 sub, 3 mov2), and the lane that supplies
  // source[0]: 0..3 is that lane, 4 the horizontal neighbour, 5 the vertical neighbour.
  std::array<std::uint8_t, 4> quad_operation = {0, 0, 0, 0};
  std::uint8_t quad_lane = 0;
};

// Casts an instruction that the decoder of this generation created.
inline const instruction& as_tesla(const isa::instruction& any) { return static_cast<const instruction&>(any); }

}  // namespace gt200::isa::tesla
