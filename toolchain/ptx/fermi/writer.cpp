#include "toolchain/ptx/fermi/writer.h"

namespace gt200::ptx::fermi {

void writer::make_subtract(word_ref d, value a, value b) {
  if (a.is_immediate())
    emit(opcode::iadd, d, {b, a}).code.addend = isa::fermi::addend_mode::subr;
  else
    emit(opcode::iadd, d, {a, b}).code.addend = isa::fermi::addend_mode::sub;
}

void writer::make_extreme(word_ref d, bool maximum, value a, value b, bool is_signed) {
  operation& o = emit(opcode::imnmx, d, {a, b});
  o.code.is_signed = is_signed;
  o.code.predicate_source[predicate_slot].negate = maximum;
}

}  // namespace gt200::ptx::fermi
