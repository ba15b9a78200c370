// Video instructions: the hardware's own, whose fields are those of PTX.
#include <algorithm>
#include <array>
#include <map>

#include "toolchain/ptx/fermi/lowering.h"
#include "toolchain/ptx/machine/lowering/predicate.h"

namespace gt200::ptx::fermi {
namespace {

using isa::fermi::opcode;

constexpr std::array<const char*, 6> parts = {"b0", "b1", "b2", "b3", "h0", "h1"};
constexpr std::uint8_t whole = 6;

std::uint8_t selector_of(const operand& o) {
  const auto found = std::find(parts.begin(), parts.end(), o.part);
  return found == parts.end() ? whole : static_cast<std::uint8_t>(found - parts.begin());
}

opcode video_opcode(const std::string& name) {
  static const std::map<std::string, opcode> names = {
      {"vadd", opcode::vadd},  {"vsub", opcode::vadd},  {"vabsdiff", opcode::vabsdiff},
      {"vmin", opcode::vmnmx}, {"vmax", opcode::vmnmx}, {"vset", opcode::vset},
      {"vshl", opcode::vshl},  {"vshr", opcode::vshr},  {"vmad", opcode::vmad}};
  const auto found = names.find(name);
  return found == names.end() ? opcode::nop : found->second;
}

}  // namespace

bool lowering::lower_video(const statement& s) {
  using isa::fermi::addend_mode;
  using isa::fermi::video_merge;
  const std::string& n = s.name;
  const opcode op = video_opcode(n);
  if (op == opcode::nop) return false;
  const video_types types = types_of_video();
  const auto operand_value = [&](std::size_t k) {
    operand o = at(k);
    o.part.clear();
    o.minus = false;
    return out_.in_register(source(o, scalar::b32));
  };
  const value a = operand_value(1);
  const value b = operand_value(2);
  const std::string place = at(0).part;
  // The hardware has no merge into the upper bytes of halves: the byte is computed alone, then inserted.
  const bool is_inserted = place == "b1" || place == "b3";
  const bool has_third = s.operands.size() == 4;
  const value c = has_third ? operand_value(3) : zero();
  const word_ref d = out_.word();
  operation& o = out_.emit(op, d, {a, b, is_inserted ? zero() : c});
  o.code.is_signed = types.result && op != opcode::vmad;
  o.code.source_signed = {types.first, types.second};
  o.code.selector = {selector_of(at(1)), selector_of(at(2))};
  o.code.saturate = has("sat");
  o.code.merge = place == "h1"                      ? video_merge::h1
                 : place == "h0"                    ? video_merge::h0
                 : place == "b2"                    ? video_merge::b2
                 : place == "b0" || is_inserted     ? video_merge::b0
                 : has("add") && op != opcode::vmad ? video_merge::add
                 : has("min")                       ? video_merge::min
                 : has("max")                       ? video_merge::max
                                                    : video_merge::none;
  if (n == "vsub") o.code.addend = addend_mode::sub;
  o.code.maximum = n == "vmax";
  o.code.wrap = has("wrap");
  if (op == opcode::vset) o.code.compare = static_cast<std::uint8_t>(comparison_named(types.comparison));
  if (op == opcode::vmad) {
    const bool minus_product = at(1).minus != at(2).minus;
    o.code.addend = has("po")       ? addend_mode::add_plus_one
                    : minus_product ? addend_mode::subr
                    : at(3).minus   ? addend_mode::sub
                                    : addend_mode::add;
    o.code.shift = has("shr7") ? 1 : has("shr15") ? 2 : 0;
  }
  operand to = at(0);
  to.part.clear();
  assign(to, is_inserted ? inserted(reg(d), c, imm(place == "b1" ? 8 : 24), imm(8)) : reg(d));
  return true;
}

}  // namespace gt200::ptx::fermi
