#include "toolchain/ptx/compound.h"

#include <algorithm>
#include <set>
#include <string>

namespace gt200::ptx {
namespace {

operand number(std::uint64_t value) {
  operand o;
  o.kind = operand_kind::integer;
  o.value = value;
  return o;
}

operand pair_of(const operand& low, const operand& high) {
  operand o;
  o.kind = operand_kind::vector;
  o.elements = {low, high};
  return o;
}

class expansion {
 public:
  expansion(const statement& s, const source_file& file) : s_(s), file_(file) {}

  std::vector<statement> carries();
  std::vector<statement> logic();
  std::vector<statement> comparison();  // set of halves
  std::vector<statement> lanes();       // SIMD video
  std::vector<statement> by_space(const std::vector<std::string>& spaces);

 private:
  bool has(const char* modifier) const {
    return std::find(s_.modifiers.begin(), s_.modifiers.end(), modifier) != s_.modifiers.end();
  }
  const operand& at(std::size_t k) const { return s_.operands[k]; }
  [[noreturn]] void refuse(const std::string& why) const {
    std::string name = s_.name;
    for (const std::string& m : s_.modifiers) name += "." + m;
    file_.fail(s_.where, name + ": " + why);
  }
  void operands(std::size_t count) const {
    if (s_.operands.size() != count)
      refuse("expected " + std::to_string(count) + " operands, not " + std::to_string(s_.operands.size()));
  }

  // A register of this instruction alone; no name in a file has an @.
  operand temporary(scalar type) {
    variable v;
    v.space = state_space::reg;
    v.type = type;
    v.where = s_.where;
    v.name = "%part@" + std::to_string(declared_.size());
    operand o;
    o.kind = operand_kind::name;
    o.where = s_.where;
    o.name = v.name;
    declared_.push_back(std::move(v));
    return o;
  }

  // "add.cc.u32". The guard of the instruction is for what writes its results.
  void add(const std::string& opcode, std::vector<operand> of, bool guarded = false) {
    statement made = s_;
    if (!guarded) made.guard.clear();
    if (!guarded) made.guard_negated = false;
    made.modifiers.clear();
    std::size_t start = opcode.find('.');
    made.name = opcode.substr(0, start);
    while (start != std::string::npos) {
      const std::size_t end = opcode.find('.', start + 1);
      made.modifiers.push_back(opcode.substr(start + 1, end == std::string::npos ? end : end - start - 1));
      start = end;
    }
    made.operands = std::move(of);
    made_.push_back(std::move(made));
  }

  std::vector<statement> in_scope() {
    statement begin;
    begin.kind = statement_kind::scope_begin;
    begin.where = s_.where;
    begin.source_line = s_.source_line;
    statement declaration = begin;
    declaration.kind = statement_kind::declaration;
    declaration.variables = std::move(declared_);
    statement end = begin;
    end.kind = statement_kind::scope_end;
    made_.insert(made_.begin(), {begin, declaration});
    made_.push_back(end);
    return std::move(made_);
  }

  std::pair<operand, operand> halves_of(const operand& o) {
    const std::pair<operand, operand> halves = {temporary(scalar::u32), temporary(scalar::u32)};
    add("mov.b64", {pair_of(halves.first, halves.second), o});
    return halves;
  }

  // SIMD video
  std::vector<unsigned> selected(std::size_t k, unsigned width, unsigned least) const;
  operand lane_of(const operand& a, const operand& b, unsigned number, unsigned width, bool is_signed);
  operand computed(const std::string& what, const operand& x, const operand& y, const std::string& comparison);

  const statement& s_;
  const source_file& file_;
  std::vector<variable> declared_;
  std::vector<statement> made_;
};

// The lower words, then the upper ones with the carry between. Without .cc the flag stays as it is, so the sum
// takes it as a number.
std::vector<statement> expansion::carries() {
  const bool multiplies = s_.name == "mad" || s_.name == "madc";
  const bool takes = s_.name.back() == 'c';
  const bool subtracts = s_.name.compare(0, 3, "sub") == 0;
  const std::string type = s_.modifiers.back();
  for (const std::string& m : s_.modifiers)
    if (m != "cc" && m != type && !(multiplies && (m == "lo" || m == "hi")))
      refuse("." + m + " has no meaning here");
  operands(multiplies ? 4 : 3);
  operand a = at(1);
  operand b = at(2);
  if (multiplies) {
    if (has("lo") == has("hi")) refuse("expected .lo or .hi");
    a = temporary(scalar::u64);
    add(std::string("mul.") + (has("hi") ? "hi." : "lo.") + type, {a, at(1), at(2)});
    b = at(3);
  }
  const std::string op = subtracts ? "sub" : "add";
  const operand sum = temporary(scalar::u64);
  if (has("cc")) {
    const auto [a_low, a_high] = halves_of(a);
    const auto [b_low, b_high] = halves_of(b);
    const operand low = temporary(scalar::u32);
    const operand high = temporary(scalar::u32);
    add(op + (takes ? "c" : "") + ".cc.u32", {low, a_low, b_low}, true);
    add(op + "c.cc.u32", {high, a_high, b_high}, true);
    add("mov.b64", {sum, pair_of(low, high)});
  } else {
    const operand flag = temporary(scalar::u32);
    const operand wide = temporary(scalar::u64);
    add(op + "c.u32", {flag, number(0), number(0)});
    add(subtracts ? "cvt.s64.s32" : "cvt.u64.u32", {wide, flag});  // -1 or 0; 1 or 0
    add(op + ".u64", {sum, a, b});
    add("add.u64", {sum, sum, wide});
  }
  add("mov.b64", {at(0), sum}, true);
  return in_scope();
}

// lop3.op.b32 d|p, a, b, c, table, q: p is (d != 0) op q.
std::vector<statement> expansion::logic() {
  operands(6);
  if (s_.modifiers.size() != 2 || s_.modifiers[1] != "b32" || (!has("and") && !has("or")))
    refuse("expected .and or .or, and .b32");
  if (at(0).kind != operand_kind::name || at(0).second.empty()) refuse("expected two results, d|p");
  const operand made = temporary(scalar::b32);
  add("lop3.b32", {made, at(1), at(2), at(3), at(4)});
  operand to = at(0);
  to.second.clear();
  operand holds = to;
  holds.name = at(0).second;
  add("setp.ne." + s_.modifiers[0] + ".u32", {holds, made, number(0), at(5)}, true);
  if (to.name != "_") add("mov.b32", {to, made}, true);
  return in_scope();
}

// set.cmp.dtype.f16: a comparison, then all bits or 1.0.
std::vector<statement> expansion::comparison() {
  if (s_.modifiers.size() < 3) refuse("expected a comparison and two types");
  const std::string& to = s_.modifiers[s_.modifiers.size() - 2];
  const bool is_real = to == "f32" || to == "f16";
  if (!is_real && to != "u16" && to != "s16" && to != "u32" && to != "s32")
    refuse("the result is of .u16, .s16, .u32, .s32, .f16 or .f32");
  if (s_.operands.size() != 3) operands(4);
  const operand holds = temporary(scalar::pred);
  std::string test = "setp";
  for (std::size_t k = 0; k + 2 < s_.modifiers.size(); ++k) test += "." + s_.modifiers[k];
  std::vector<operand> of = s_.operands;
  of[0] = holds;
  add(test + ".f16", std::move(of));
  const std::uint64_t one = to == "f32" ? 0x3f800000 : to == "f16" ? 0x3c00 : ~std::uint64_t{0};
  add(std::string("selp.b") + to.substr(1), {at(0), number(one), number(0), holds}, true);
  return in_scope();
}

// The digits behind a source: which of the lanes of both words each lane takes, lane 0 first. `least`: without
// digits.
std::vector<unsigned> expansion::selected(std::size_t k, unsigned width, unsigned least) const {
  const unsigned count = 32 / width;
  std::vector<unsigned> lanes;
  const std::string& part = at(k).part;
  if (part.empty()) {
    for (unsigned lane = 0; lane < count; ++lane) lanes.push_back(least + lane);
    return lanes;
  }
  for (auto digit = part.rbegin(); digit + 1 != part.rend(); ++digit)
    lanes.push_back(static_cast<unsigned>(*digit - '0'));
  const bool fits = std::all_of(lanes.begin(), lanes.end(), [&](unsigned lane) { return lane < 2 * count; });
  if (part[0] != (width == 8 ? 'b' : 'h') || lanes.size() != count || !fits)
    file_.fail(at(k).where, "'." + part + "' is no choice of " + std::to_string(count) + " lanes");
  return lanes;
}

operand expansion::lane_of(const operand& a, const operand& b, unsigned number_of_lane, unsigned width,
                           bool is_signed) {
  const unsigned count = 32 / width;
  const operand value = temporary(scalar::s32);
  add(is_signed ? "bfe.s32" : "bfe.u32",
      {value, number_of_lane < count ? a : b, number(number_of_lane % count * width), number(width)});
  return value;
}

operand expansion::computed(const std::string& what, const operand& x, const operand& y,
                            const std::string& comparison) {
  const operand r = temporary(scalar::s32);
  if (what == "vset") {
    const operand p = temporary(scalar::pred);
    add("setp." + comparison + ".s32", {p, x, y});
    add("selp.s32", {r, number(1), number(0), p});
  } else if (what != "vabsdiff" && what != "vavrg") {
    add(what.substr(1) + ".s32", {r, x, y});
  } else if (what == "vabsdiff") {
    add("sub.s32", {r, x, y});
    add("abs.s32", {r, r});
  } else {  // the mean, rounded up unless the sum is negative
    const operand sign = temporary(scalar::s32);
    add("add.s32", {r, x, y});
    add("shr.s32", {sign, r, number(31)});
    add("add.s32", {r, r, sign});
    add("add.s32", {r, r, number(1)});
    add("shr.s32", {r, r, number(1)});
  }
  return r;
}

std::vector<statement> expansion::lanes() {
  const std::string what = s_.name.substr(0, s_.name.size() - 1);
  const unsigned width = s_.name.back() == '2' ? 16 : 8;
  const unsigned count = 32 / width;
  const bool compares = what == "vset";
  static const std::set<std::string> comparisons = {"eq", "ne", "lt", "le", "gt", "ge"};
  std::vector<bool> signs;
  std::string comparison;
  for (const std::string& m : s_.modifiers) {
    if (m == "u32" || m == "s32")
      signs.push_back(m == "s32");
    else if (compares && comparisons.count(m) != 0)
      comparison = m;
    else if (m != "add" && (m != "sat" || compares))
      refuse("." + m + " has no meaning here");
  }
  if (compares) signs.insert(signs.begin(), false);
  if (signs.size() != 3) refuse("expected the types of the result and of both sources");
  if (compares && comparison.empty()) refuse("the comparison is missing");
  if (has("sat") && has("add")) refuse("a sum of lanes does not saturate");
  operands(4);
  for (const operand& o : s_.operands)
    if (o.minus || o.negated) file_.fail(o.where, "there is no sign before operands here");
  if (!at(3).part.empty()) file_.fail(at(3).where, "the third source has no lanes to choose");

  const std::vector<unsigned> from_a = selected(1, width, 0);
  const std::vector<unsigned> from_b = selected(2, width, count);
  std::set<char> written(at(0).part.begin(), at(0).part.end());
  const char kind = width == 8 ? 'b' : 'h';
  const std::string digits = at(0).part.empty() ? "" : at(0).part.substr(1);
  if (!at(0).part.empty() &&
      (written.erase(kind) == 0 || written.size() != digits.size() ||
       !std::is_sorted(digits.rbegin(), digits.rend()) || *written.rbegin() >= static_cast<char>('0' + count)))
    file_.fail(at(0).where, "'." + at(0).part + "' is no set of lanes");

  std::vector<operand> whole = {at(0), at(1), at(2)};
  for (operand& o : whole) o.part.clear();
  const operand a = temporary(scalar::u32);
  const operand b = temporary(scalar::u32);
  const operand result = temporary(scalar::u32);
  add("mov.b32", {a, whole[1]});
  add("mov.b32", {b, whole[2]});
  add("mov.b32", {result, at(3)});
  for (unsigned lane = 0; lane < count; ++lane) {
    if (!written.empty() && written.count(static_cast<char>('0' + lane)) == 0) continue;
    const operand x = lane_of(a, b, from_a[lane], width, signs[1]);
    const operand y = lane_of(a, b, from_b[lane], width, signs[2]);
    const operand r = computed(what, x, y, comparison);
    if (has("sat")) {
      const std::uint64_t top = (1u << (signs[0] ? width - 1 : width)) - 1;
      add("max.s32", {r, r, number(signs[0] ? 0 - top - 1 : 0)});
      add("min.s32", {r, r, number(top)});
    }
    if (has("add"))
      add("add.u32", {result, result, r});
    else
      add("bfi.b32", {result, r, result, number(lane * width), number(width)});
  }
  add("mov.b32", {whole[0], result}, true);
  return in_scope();
}

// The offset of an address may lead into its memory from a place below: it is added before the memory is told.
std::vector<statement> expansion::by_space(const std::vector<std::string>& spaces) {
  const auto at_address = static_cast<std::size_t>(generic_address(s_) - s_.operands.data());
  operand base = at(at_address);
  base.kind = operand_kind::name;
  base.value = 0;
  const operand whole = temporary(scalar::u64);
  if (at(at_address).value == 0)
    add("mov.u64", {whole, base});
  else
    add("add.u64", {whole, base, number(at(at_address).value)});
  std::vector<statement> accesses;
  operand others;  // holds where an access has been made
  for (std::size_t k = 0; k < spaces.size(); ++k) {
    statement access = s_;
    operand place = whole;
    operand holds = temporary(scalar::pred);
    access.guard = holds.name;
    access.guard_negated = false;
    const bool is_last = k + 1 == spaces.size();
    if (!is_last) {
      add("isspacep." + spaces[k], {holds, whole});
      if (k == 0) others = holds;
    } else {
      add("not.pred", {holds, others});
    }
    if (k > 0 && !is_last) {
      const operand either = temporary(scalar::pred);
      add("or.pred", {either, others, holds});
      others = either;
    }
    if (!s_.guard.empty()) {
      operand outer = holds;
      outer.name = s_.guard;
      const operand both = temporary(scalar::pred);
      if (s_.guard_negated) {
        const operand inverse = temporary(scalar::pred);
        add("not.pred", {inverse, outer});
        outer = inverse;
      }
      add("and.pred", {both, holds, outer});
      access.guard = both.name;
    }
    if (!spaces[k].empty()) {
      place = temporary(scalar::u64);
      add("cvta.to." + spaces[k] + ".u64", {place, whole});
      access.modifiers.insert(access.modifiers.begin(), spaces[k]);
    }
    place.kind = operand_kind::address;
    access.operands[at_address] = place;
    accesses.push_back(access);
  }
  made_.insert(made_.end(), accesses.begin(), accesses.end());
  return in_scope();
}

}  // namespace

const operand* generic_address(const statement& s) {
  static const std::set<std::string> accesses = {"ld", "ldu", "st", "atom", "red"};
  if (accesses.count(s.name) == 0) return nullptr;
  for (const std::string& m : s.modifiers)
    for (const char* space : {"global", "shared", "const", "local", "param"})
      if (m.compare(0, m.find(':'), space) == 0) return nullptr;
  for (const operand& o : s.operands)
    if (o.kind == operand_kind::address) return &o;
  return nullptr;
}

std::vector<statement> accesses_by_space(const statement& s, pointee where, pointee windowless,
                                         const source_file& file) {
  const bool loads = s.name == "ld" || s.name == "ldu";
  const bool stores = s.name == "st";
  std::vector<std::string> spaces;
  const auto may_be_in = [&](pointee memory, const char* name, bool possible) {
    if (possible && may_be(where & windowless, memory)) spaces.emplace_back(name);
  };
  may_be_in(pointee::constant, "const", loads);
  may_be_in(pointee::shared, "shared", true);
  may_be_in(pointee::local, "local", loads || stores);
  const bool has_windows = !may_be(windowless, pointee::shared);
  const pointee rest = has_windows ? pointee::any : pointee::value | pointee::global;
  if (may_be(where, without(rest, windowless))) spaces.emplace_back(has_windows ? "" : "global");
  if (spaces.size() > 1) return expansion(s, file).by_space(spaces);
  if (spaces.empty() || spaces[0].empty()) return {};
  statement only = s;
  only.modifiers.insert(only.modifiers.begin(), spaces[0]);
  return {only};
}

std::vector<statement> statements_of(const statement& s, unsigned capability, const source_file& file) {
  static const std::set<std::string> sums = {"add", "addc", "sub", "subc", "mad", "madc"};
  static const std::set<std::string> video = {"vadd2",  "vadd4",     "vsub2",     "vsub4", "vavrg2",
                                              "vavrg4", "vabsdiff2", "vabsdiff4", "vmin2", "vmin4",
                                              "vmax2",  "vmax4",     "vset2",     "vset4"};
  constexpr unsigned first_with_lanes = 30;
  constexpr unsigned first_with_products = 20;
  constexpr unsigned first_with_lop3 = 50;
  constexpr unsigned first_with_halves = 53;
  if (s.modifiers.empty()) return {};
  if (sums.count(s.name) != 0) {
    const bool is_wide = s.modifiers.back() == "u64" || s.modifiers.back() == "s64";
    const bool has_flag = s.name.back() == 'c' || std::count(s.modifiers.begin(), s.modifiers.end(), "cc") != 0;
    const bool possible = s.name[0] != 'm' || capability >= first_with_products;
    return is_wide && has_flag && possible ? expansion(s, file).carries() : std::vector<statement>{};
  }
  if (s.name == "lop3" && capability >= first_with_lop3 && s.modifiers.size() > 1)
    return expansion(s, file).logic();
  if (s.name == "set" && capability >= first_with_halves && s.modifiers.back() == "f16")
    return expansion(s, file).comparison();
  if (video.count(s.name) != 0 && capability >= first_with_lanes) return expansion(s, file).lanes();
  return {};
}

}  // namespace gt200::ptx
