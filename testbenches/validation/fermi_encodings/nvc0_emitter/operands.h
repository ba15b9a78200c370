// The forms of the second and the third source that the operand fields of a GF100 can hold.
#pragma once

#include "maker.h"

namespace gt200::nvc0_emitter {

enum class number { integer, float32, float64 };

constexpr unsigned bytes_of(number n) { return n == number::float64 ? 8 : 4; }

// Register, constant or short immediate.
inline nv50_ir::Value* second(maker& m, number n) {
  switch (m.below(3)) {
    case 0: return m.constant(bytes_of(n));
    case 1:
      if (n == number::integer) return m.short_integer();
      return m.short_float(bytes_of(n));
    default: return m.gpr(bytes_of(n));
  }
}

// Sources 1 and 2 of an operation of three: one of them may be a constant.
inline void set_second_and_third(maker& m, nv50_ir::Instruction& i, number n) {
  if (m.one_in(4)) {
    i.setSrc(1, m.gpr(bytes_of(n)));
    i.setSrc(2, m.constant(bytes_of(n)));
  } else {
    i.setSrc(1, second(m, n));
    i.setSrc(2, m.gpr(bytes_of(n)));
  }
}

inline bool is_immediate(const nv50_ir::Instruction& i, int s) {
  return i.src(s).getFile() == nv50_ir::FILE_IMMEDIATE;
}

inline nv50_ir::RoundMode float_rounding(maker& m) {
  return m.one_of({nv50_ir::ROUND_N, nv50_ir::ROUND_M, nv50_ir::ROUND_P, nv50_ir::ROUND_Z});
}

// The last steps of an ordinary instruction.
inline nv50_ir::Instruction* finished(maker& m, nv50_ir::Instruction* i) {
  m.may_guard(*i);
  m.may_join(*i);
  return i;
}

}  // namespace gt200::nvc0_emitter
