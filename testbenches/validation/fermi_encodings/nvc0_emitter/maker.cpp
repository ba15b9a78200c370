// Values and instructions are never freed: nouveau frees them with pools, and the process ends soon.
#include "maker.h"

#include <string>

namespace gt200::nvc0_emitter {

using namespace nv50_ir;

maker::maker(std::uint64_t seed)
    : random_(seed),
      target_(Target::create(gf100_chipset)),
      program_(new Program(Program::TYPE_COMPUTE, target_.get())),
      function_(new Function(program_.get(), "main", 0)) {}

LValue* maker::gpr_number(int number, unsigned bytes) {
  auto* value = new LValue(function_, FILE_GPR);
  value->reg.size = static_cast<std::uint8_t>(bytes);
  value->reg.data.id = number;
  return value;
}

LValue* maker::gpr(unsigned bytes) {
  const unsigned words = bytes <= 4 ? 1 : bytes / 4;
  if (words == 1 && one_in(16)) return gpr_number(zero_register, bytes);
  return gpr_number(static_cast<int>(below(63 / words) * words), bytes);
}

LValue* maker::predicate() {
  auto* value = new LValue(function_, FILE_PREDICATE);
  value->reg.size = 1;
  value->reg.data.id = static_cast<int>(below(7));
  return value;
}

LValue* maker::flags() {
  auto* value = new LValue(function_, FILE_FLAGS);
  value->reg.size = 1;
  value->reg.data.id = 0;
  return value;
}

ImmediateValue* maker::integer(std::uint32_t value) { return new ImmediateValue(program_.get(), value); }

ImmediateValue* maker::short_integer() {
  constexpr std::uint32_t half = 0x80000;
  const std::uint32_t value = one_in(3) ? below(64) : word() % (2 * half);
  return integer(value - (value >= half ? 2 * half : 0));
}

ImmediateValue* maker::long_integer() {
  return integer((word() & 0x7fffffff) | one_of({0x40000000u, 0x00080000u}));
}

ImmediateValue* maker::short_float(unsigned bytes) {
  const std::uint32_t high = word() & 0xfffff000;
  ImmediateValue* value = integer(high);
  if (bytes != 8) return value;
  value->reg.size = 8;
  value->reg.data.u64 = std::uint64_t{high} << 32;
  return value;
}

ImmediateValue* maker::long_float() { return integer(word() | 1); }

Symbol* maker::memory(DataFile file, std::int32_t offset, unsigned bank) {
  auto* symbol = new Symbol(program_.get(), file, static_cast<std::uint8_t>(bank));
  symbol->reg.size = 4;
  symbol->setOffset(offset);
  return symbol;
}

Symbol* maker::constant(unsigned bytes) {
  return memory(FILE_MEMORY_CONST, static_cast<std::int32_t>(below(0x10000) & ~(bytes - 1)), below(16));
}

Symbol* maker::special(SVSemantic name, unsigned index) {
  Symbol* symbol = memory(FILE_SYSTEM_VALUE, 0);
  symbol->setSV(name, index);
  return symbol;
}

Instruction* maker::plain(operation op, DataType type) { return new Instruction(function_, op, type); }

CmpInstruction* maker::comparison(operation op, DataType result, DataType of) {
  auto* i = new CmpInstruction(function_, op);
  i->setType(result, of);
  return i;
}

TexInstruction* maker::texture(operation op) { return new TexInstruction(function_, op); }

FlowInstruction* maker::flow(operation op, std::uint32_t target) {
  if (op == OP_CALL) {
    auto* callee = new Function(program_.get(), "callee", 0);
    callee->binPos = target;
    return new FlowInstruction(function_, op, callee);
  }
  auto* block = new BasicBlock(function_);
  block->binPos = target;
  return new FlowInstruction(function_, op, block);
}

void maker::may_guard(Instruction& i) {
  LValue* guard = predicate();
  if (one_in(2) && target_->mayPredicate(&i, guard)) i.setPredicate(one_of({CC_P, CC_NOT_P}), guard);
}

void maker::may_modify(Instruction& i, int s, bool negate, bool absolute) {
  unsigned bits = 0;
  if (negate && one_in(3)) bits |= NV50_IR_MOD_NEG;
  if (absolute && one_in(3)) bits |= NV50_IR_MOD_ABS;
  i.src(s).mod = Modifier(bits);
}

void maker::may_invert(Instruction& i, int s) {
  if (one_in(3)) i.src(s).mod = Modifier(NV50_IR_MOD_NOT);
}

}  // namespace gt200::nvc0_emitter
