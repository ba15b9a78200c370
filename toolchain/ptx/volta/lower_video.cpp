// Video instructions, which this hardware has no longer: computed with 64 bits, so that nothing overflows before
// the saturation.
#include <set>

#include "toolchain/ptx/machine/lowering/predicate.h"
#include "toolchain/ptx/volta/lowering.h"

namespace gt200::ptx::volta {
namespace {

const std::set<std::string> names = {"vadd", "vsub", "vabsdiff", "vmin", "vmax", "vset", "vshl", "vshr", "vmad"};

unsigned bits_of(const std::string& part) { return part.empty() ? 32 : part[0] == 'b' ? 8 : 16; }
unsigned first_of(const std::string& part) {
  return part.empty() ? 0 : bits_of(part) * static_cast<unsigned>(part[1] - '0');
}

}  // namespace

// The part of a source that the instruction names, with its sign.
lowering::wide lowering::video_operand(const operand& o, bool is_signed) {
  operand whole = o;
  whole.part.clear();
  whole.minus = false;
  value v = out_.in_register(source(whole, scalar::b32));
  if (!o.part.empty()) v = out_.in_register(out_.field(v, first_of(o.part), bits_of(o.part), is_signed));
  return {v, is_signed ? out_.shift_right(v, imm(31), true) : out_.copy(imm(0))};
}

lowering::wide lowering::video_result(const std::string& n, wide a, wide b) {
  const auto chosen = [&](unsigned condition, wide x, wide y) {
    const predicate p = out_.new_predicate();
    compare_wide(condition, a, b, true, p, {});
    return choose_wide(p, x, y);
  };
  if (n == "vadd") return add_wide(a, b);
  if (n == "vsub") return subtract_wide(a, b);
  if (n == "vmin") return chosen(less, a, b);
  if (n == "vmax") return chosen(greater, a, b);
  if (n == "vabsdiff") return chosen(less, subtract_wide(b, a), subtract_wide(a, b));
  const value count =
      has("wrap") ? out_.logic_of(logic_op::and_, b.low, imm(31)) : out_.extreme(false, b.low, imm(32), false);
  return shift_wide(n == "vshl" ? "shl" : "shr", a, count, true);
}

// Saturation, then a merge into the third source or a second operation with it.
void lowering::finish_video(wide result, bool is_signed, scalar held) {
  const std::string place = at(0).part;
  const unsigned bits = bits_of(place);
  const bool has_third = statement_->operands.size() == 4;
  if (has("sat")) {
    const scalar limit = bits == 8    ? (is_signed ? scalar::s8 : scalar::u8)
                         : bits == 16 ? (is_signed ? scalar::s16 : scalar::u16)
                                      : (is_signed ? scalar::s32 : scalar::u32);
    result = clamped(result, held, limit);
  }
  value v = out_.in_register(result.low);
  if (has_third) {
    const value c = out_.in_register(source(at(3), scalar::b32));
    if (!place.empty())
      v = inserted(v, c, imm(first_of(place)), imm(bits));
    else if (has("add"))
      v = out_.add(v, c);
    else
      v = out_.extreme(has("max"), v, c, is_signed);
  }
  operand to = at(0);
  to.part.clear();
  assign(to, v);
}

// vmad: a product and a sum, with minus signs before either, moved down.
value lowering::video_product(bool is_signed_a, bool is_signed_b) {
  const bool minus_product = at(1).minus != at(2).minus;
  const bool minus_sum = at(3).minus;
  const bool has_sign = is_signed_a || is_signed_b || minus_product || minus_sum;
  if (has_sign && !is_signed_a && !is_signed_b && has("sat"))
    unsupported("the product of unsigned numbers with a minus sign does not saturate here");
  const wide a = video_operand(at(1), is_signed_a);
  const wide b = video_operand(at(2), is_signed_b);
  wide product = multiply_add_wide(a.low, b.low, false, std::nullopt);
  // The signs of both factors, which the product of natural numbers takes for 2^32.
  value high = product.high;
  if (is_signed_a) high = out_.subtract(high, out_.in_register(out_.logic_of(logic_op::and_, a.high, b.low)));
  if (is_signed_b) high = out_.subtract(high, out_.in_register(out_.logic_of(logic_op::and_, b.high, a.low)));
  product = {product.low, out_.in_register(high)};
  operand third = at(3);
  const wide c = video_operand(third, is_signed_a || is_signed_b || minus_product);
  wide sum = minus_sum       ? subtract_wide(product, c)
             : minus_product ? subtract_wide(c, product)
                             : add_wide(product, c);
  if (has("po")) sum = add_wide(sum, {imm(1), imm(0)});
  if (has("shr7") || has("shr15")) sum = shift_wide("shr", sum, imm(has("shr7") ? 7 : 15), has_sign);
  if (!has("sat")) return sum.low;
  return clamped(sum, has_sign ? scalar::s64 : scalar::u64, has_sign ? scalar::s32 : scalar::u32).low;
}

bool lowering::lower_video(const statement& s) {
  if (names.count(s.name) == 0) return false;
  const video_types types = types_of_video();
  if (s.name == "vmad") {
    assign(at(0), video_product(types.first, types.second));
    return true;
  }
  const wide a = video_operand(at(1), types.first);
  const wide b = video_operand(at(2), types.second);
  if (s.name != "vset") {
    const bool is_natural = s.name == "vshl" && !types.first;  // up to 2^64
    finish_video(video_result(s.name, a, b), types.result, is_natural ? scalar::u64 : scalar::s64);
    return true;
  }
  const predicate p = out_.new_predicate();
  compare_wide(static_cast<unsigned>(comparison_named(types.comparison)), a, b, true, p, {});
  finish_video({out_.choose(p, imm(1), imm(0)), out_.copy(imm(0))}, types.result, scalar::s64);
  return true;
}

}  // namespace gt200::ptx::volta
