// A decoded Tesla (sm_10 .. sm_13) machine instruction.
//
// The decoder fills this structure once per distinct instruction; emulator, model, disassembler and
// checker only read it. It is plain data: no virtual functions, no ownership.
//
// Source of the encodings: envytools g80.c / isa.rst, restated in docs/isa.md.
#pragma once

#include <array>
#include <cstdint>

namespace gt200::isa {

inline constexpr int warp_size = 32;
inline constexpr int max_gpr = 128;  // $r0..$r127

// Byte address in code space, 24 bits on this hardware.
using code_address = std::uint32_t;
using lane_mask = std::uint32_t;  // bit n = lane n

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
  count_
};

// Which functional unit executes an instruction; the configuration gives interval and latency per class.
enum class unit_class : std::uint8_t {
  sp,        // integer, logic, fp32 add/mad, conversions, moves
  sp_mul,    // fp32 multiply: SP, or the multipliers of the SFU
  sfu,       // rcp rsqrt lg2 sin cos ex2
  dp,        // float64
  shared,    // dedicated ld/st s[]
  memory,    // ld/st/red/atom on g[], ld/st on l[]
  constant,  // dedicated ld c[]
  texture,
  control,  // bra call ret brk prebrk joinat quadon quadpop trap brkpt
  barrier,
  none  // nop, pmevent (still occupies an issue slot)
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
enum class atomic_op : std::uint8_t { add, exch, cas, inc, dec, max, min, and_, or_, xor_ };
enum class cvt_kind : std::uint8_t { i2i, i2f, f2i, f2f };

// Where an instruction continues and what it does to the warp.
enum class control_kind : std::uint8_t { none, bra, call, ret, prebrk, brk, joinat, quadon, quadpop, trap, brkpt };

// A run of consecutive registers in one of the three register files.
enum class register_file_kind : std::uint8_t { gpr, condition, address };
struct register_range {
  register_file_kind file = register_file_kind::gpr;
  std::uint8_t first = 0;
  std::uint8_t count = 0;  // 0 = unused entry
};

struct instruction;
struct lane_bundle;
// Computes the destination words and condition flags of the lanes in `mask`.
using lane_function = void (*)(const instruction&, lane_bundle&, lane_mask mask);

struct instruction {
  opcode op = opcode::nop;
  unit_class unit = unit_class::none;
  control_kind control = control_kind::none;
  std::uint8_t length = 8;          // bytes: 4 or 8
  std::uint8_t capability = 10;     // needed compute capability x 10: 10, 11, 12, 13
  std::uint32_t words[2] = {0, 0};  // encoding; words[1] = 0 for short instructions

  // exit and join act on the active lanes whatever the predicate says: compilers end programs with
  // "exit (never) nop" and join with "join (never) nop".
  bool exit = false;                  // lanes that are active finish after this instruction
  bool join = false;                  // pops the divergence stack
  bool predicated = false;            // condition is not "always"; false for vote, whose input the predicate is
  std::uint8_t condition = 0xf;       // predicate code, see condition.h
  std::uint8_t condition_source = 0;  // $c register read for predicate, carry, or as source
  bool reads_condition = false;       // predicate, carry or explicit source needs $c<condition_source>
  bool writes_condition = false;
  std::uint8_t condition_destination = 0;

  // Operands stand in the order in which they are written and computed, whatever field of the encoding holds them:
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
  // A register half has type s16 if the operation takes it as signed, else u16; whole registers are b32, pairs b64.
  operand destination;
  std::array<operand, 3> source;  // unused ones have kind none

  // modifiers, meaningful where the opcode uses them
  bool is_signed = false;  // sources (set, min, max, shr, sad, mad); cvt to integer: the destination
  // mul, mul24, cvt from integer: sign of each source. data_type has no sign for 32 and 64 bits, so this counts.
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
  // cvt widths: integers u8 s8 u16 s16 b32 b64 (sign of b32, b64: is_signed and source_signed[0]); floats by width
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
  bool barrier_all = false;            // "all" form: no mask field
  std::uint16_t barrier_mask = 0xfff;  // 12-bit field of the other form; ptxas writes 0xfff, meaning unknown

  // texture
  std::uint8_t texture_unit = 0;
  std::uint8_t sampler_unit = 0;
  std::uint8_t texture_arguments = 0;   // 1..4 coordinates, in destination.index ...
  std::uint8_t texture_write_mask = 0;  // components written, consecutive registers from destination.index
  bool texture_live = false;
  bool texture_derivatives = false;
  std::array<std::int8_t, 3> texture_offset = {0, 0, 0};  // texels, -8..7

  // quadop: operation (0 add, 1 subr, 2 sub, 3 mov2) per lane of the quad, and the lane that supplies source[0]:
  // 0..3 that lane, 4 the horizontal neighbour, 5 the vertical neighbour
  std::array<std::uint8_t, 4> quad_operation = {0, 0, 0, 0};
  std::uint8_t quad_lane = 0;

  // Derived once by the decoder: what the instruction reads and writes, for dependency tracking.
  std::array<register_range, 8> reads;   // first `read_count` entries valid
  std::array<register_range, 4> writes;  // first `write_count` entries valid
  std::uint8_t read_count = 0;
  std::uint8_t write_count = 0;
  bool reads_shared = false;    // any s[] source operand
  bool reads_constant = false;  // any c[] source operand

  // Arithmetic semantics; null for memory, texture, control and barrier instructions.
  lane_function execute = nullptr;

  bool ends_or_redirects() const {  // fetch cannot run past this instruction before it is resolved
    return exit || join ||
           (control != control_kind::none && control != control_kind::prebrk && control != control_kind::joinat);
  }
};

}  // namespace gt200::isa
