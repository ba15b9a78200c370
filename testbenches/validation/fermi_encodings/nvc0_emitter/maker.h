// Makes operands and instructions of nouveau's intermediate representation for a GF100, with registers already
// chosen.
//
// nouveau's code generator (Mesa) is not part of this project. See driver.cpp.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <random>
#include <vector>

#include "nv50_ir.h"
#include "nv50_ir_target.h"

namespace gt200::nvc0_emitter {

constexpr unsigned gf100_chipset = 0xc0;
constexpr int zero_register = 63;
constexpr unsigned instruction_bytes = 8;

class maker {
 public:
  explicit maker(std::uint64_t seed);

  // -- chance --
  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }
  bool one_in(unsigned n) { return below(n) == 0; }
  template <class T>
  T one_of(std::initializer_list<T> values) {
    return values.begin()[below(static_cast<unsigned>(values.size()))];
  }
  std::uint32_t word() { return static_cast<std::uint32_t>(random_()); }

  // -- operands --
  // A register, a pair or a quad; a single one may be the zero register.
  nv50_ir::LValue* gpr(unsigned bytes = 4);
  nv50_ir::LValue* gpr_number(int number, unsigned bytes = 4);
  nv50_ir::LValue* predicate();
  nv50_ir::LValue* flags();
  nv50_ir::ImmediateValue* integer(std::uint32_t value);
  nv50_ir::ImmediateValue* short_integer();              // fits 20 bits with sign
  nv50_ir::ImmediateValue* long_integer();               // does not
  nv50_ir::ImmediateValue* short_float(unsigned bytes);  // the upper 20 bits of a float
  nv50_ir::ImmediateValue* long_float();
  nv50_ir::Symbol* memory(nv50_ir::DataFile file, std::int32_t offset, unsigned bank = 0);
  // In the banks 0 to 15: nouveau knows no other, and its emitter has no bit for them in arithmetic.
  nv50_ir::Symbol* constant(unsigned bytes = 4);
  nv50_ir::Symbol* special(nv50_ir::SVSemantic name, unsigned index);

  // -- instructions --
  nv50_ir::Instruction* plain(nv50_ir::operation op, nv50_ir::DataType type);
  nv50_ir::CmpInstruction* comparison(nv50_ir::operation op, nv50_ir::DataType result, nv50_ir::DataType of);
  nv50_ir::TexInstruction* texture(nv50_ir::operation op);
  // The target is the byte address of an instruction.
  nv50_ir::FlowInstruction* flow(nv50_ir::operation op, std::uint32_t target);

  // Adds a guard to about half of the instructions that may have one.
  void may_guard(nv50_ir::Instruction& i);
  // Marks some as the place where lanes join.
  void may_join(nv50_ir::Instruction& i) { i.join = one_in(8); }
  // Negates or takes the absolute value of source s, as the flags allow.
  void may_modify(nv50_ir::Instruction& i, int s, bool negate, bool absolute);
  void may_invert(nv50_ir::Instruction& i, int s);

  nv50_ir::Target& target() { return *target_; }
  // Byte address of the next instruction; driver.cpp keeps it.
  std::uint32_t position = 0;

 private:
  std::mt19937_64 random_;
  std::unique_ptr<nv50_ir::Target> target_;
  std::unique_ptr<nv50_ir::Program> program_;
  nv50_ir::Function* function_;
};

}  // namespace gt200::nvc0_emitter
