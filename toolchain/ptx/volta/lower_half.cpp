// Arithmetic and comparisons of .f16 and .f16x2.
//
// A number of 16 bits is the lower half of its word; what an operation makes of the upper halves is not looked at.
#include <set>

#include "toolchain/ptx/machine/lowering/predicate.h"
#include "toolchain/ptx/volta/lowering.h"

namespace gt200::ptx::volta {
namespace {

constexpr std::uint32_t minus_zeros = 0x80008000;  // both signs
constexpr std::uint8_t every_relation = 15;

constexpr scalar type_of_halves(bool is_pair) { return is_pair ? scalar::b32 : scalar::b16; }

}  // namespace

bool lowering::lower_halves(const statement& s) {
  static const std::set<std::string> names = {"add", "sub", "mul", "fma", "neg", "abs", "setp"};
  if (names.count(s.name) == 0 || s.modifiers.empty()) return false;
  const bool is_pair = s.modifiers.back() == "f16x2";
  if (!is_pair && s.modifiers.back() != "f16") return false;
  if (has("relu")) unsupported(".relu needs sm_80");
  if (s.name == "setp")
    compare_halves(is_pair);
  else
    compute_halves(is_pair);
  return true;
}

void lowering::compute_halves(bool is_pair) {
  const std::string& n = statement_->name;
  const std::size_t count = n == "fma" ? 4 : n == "neg" || n == "abs" ? 2 : 3;
  operand_count(count, count);
  const auto half = [&](std::size_t k) { return out_.in_register(source(at(k), type_of_halves(is_pair))); };
  const value a = half(1);
  if (count == 2 && !has("ftz")) {
    assign(at(0), n == "neg" ? out_.logic_of(logic_op::xor_, a, imm(minus_zeros))
                             : out_.logic_of(logic_op::and_, a, imm(~minus_zeros)));
    return;
  }
  const word_ref d = out_.word();
  const auto emitted = [&]() -> operation& {
    if (n == "fma") return out_.emit(opcode::hfma2, d, {a, half(2), half(3)});
    if (n == "mul") return out_.emit(opcode::hmul2, d, {a, half(2)});
    if (n == "add") return out_.emit(opcode::hadd2, d, {a, half(2)});
    if (n == "sub") return out_.emit(opcode::hadd2, d, {a, half(2).negated()});
    // x + -0 is x.
    return out_.emit(opcode::hadd2, d, {n == "neg" ? a.negated() : a.absolute(), imm(minus_zeros)});
  };
  operation& o = emitted();
  o.code.ftz = has("ftz");
  o.code.saturate = has("sat");
  assign(at(0), reg(d));
}

// For a pair, the second predicate is that of the upper halves; for a number it is the opposite.
void lowering::compare_halves(bool is_pair) {
  operand_count(3, 4);
  const statement& s = *statement_;
  const int relation = comparison_named(s.modifiers.front());
  if (relation < 0) unsupported("'" + s.modifiers.front() + "' is no comparison");
  operand name = at(0);
  name.second.clear();
  const predicate first = destination_predicate(name);
  name.name = at(0).second;
  const predicate second = name.name.empty() ? predicate{} : destination_predicate(name);
  const value a = out_.in_register(source(at(1), type_of_halves(is_pair)));
  const value b = out_.in_register(source(at(2), type_of_halves(is_pair)));
  const auto compare = [&](unsigned code, const predicate& to, const predicate& upper) {
    operation& o = out_.emit_test(opcode::hsetp2, to, {a, b}, upper);
    o.code.compare = static_cast<std::uint8_t>(code);
    o.code.ftz = has("ftz");
    if (s.operands.size() == 4) {
      writer::set_source(o, predicate_slot, predicate_source(at(3)));
      o.code.combine = has("or") ? logic_op::or_ : has("xor") ? logic_op::xor_ : logic_op::and_;
    }
    under_own_guard(o);
  };
  const auto code = static_cast<unsigned>(relation);
  if (is_pair || second.condition < 0) return compare(code, first, second);
  // Its sources may be the predicate that the first one writes.
  const predicate opposite = out_.new_predicate();
  compare(every_relation ^ code, opposite, {});
  compare(code, first, {});
  under_own_guard(combine_predicates(second, opposite, {}, logic_op::and_));
}

}  // namespace gt200::ptx::volta
