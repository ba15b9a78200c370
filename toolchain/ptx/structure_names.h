// Names, registers and literals. Included where a target's lowering is instantiated.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "toolchain/ptx/modifiers.h"
#include "toolchain/ptx/structure.h"

namespace gt200::ptx {

template <class machine>
void structure<machine>::fail(const std::string& reason) const {
  file_.fail(statement_ != nullptr ? statement_->where : location{}, reason);
}

template <class machine>
void structure<machine>::unsupported(const std::string& why) const {
  std::string name = statement_->name;
  for (const std::string& m : statement_->modifiers) name += "." + m;
  fail(name + ": " + why);
}

template <class machine>
bool structure<machine>::has(const char* modifier) const {
  for (const std::string& m : statement_->modifiers)
    if (m == modifier) return true;
  return false;
}

template <class machine>
scalar structure<machine>::type(std::size_t from_end) const {
  for (auto m = statement_->modifiers.rbegin(); m != statement_->modifiers.rend(); ++m) {
    const scalar t = scalar_named(*m);
    if (t == scalar::none) continue;
    if (from_end-- == 0) return options_.demote_f64 && t == scalar::f64 ? scalar::f32 : t;
  }
  fail("'" + statement_->name + "' lacks a type");
}

template <class machine>
void structure<machine>::undeclared(const operand& o) const {
  static const std::set<std::string> special = {
      "%clock",   "%clock_hi", "%dynamic_smem_size", "%envreg", "%globaltimer",     "%globaltimer_hi",
      "%gridid",  "%laneid",   "%globaltimer_lo",    "%nsmid",  "%lanemask_eq",     "%lanemask_ge",
      "%nwarpid", "%pm",       "%lanemask_gt",       "%smid",   "%total_smem_size", "%lanemask_le",
      "%warpid",  "%clock64",  "%lanemask_lt"};
  const std::string kind = o.name.substr(0, o.name.find_last_not_of("0123456789") + 1);
  if (special.count(o.name) != 0 || special.count(kind) != 0)
    file_.fail(o.where, "special register '" + o.name + "' is not supported");
  file_.fail(o.where, "'" + o.name + "' is not declared");
}

template <class machine>
void structure<machine>::refuse_features() const {
  static const std::map<std::string, const char*> reasons = {
      {".callprototype", "indirect calls are not possible"},
      {".calltargets", "indirect calls are not possible"},
      {".branchtargets", "branches through a table are not possible"},
      {"brx", "branches through a table are not possible"},
      {"suld", "surfaces are not supported"},
      {"sust", "surfaces are not supported"},
      {"sured", "surfaces are not supported"},
      {"suq", "surfaces are not supported"},
      {"wmma", "products of matrices are not supported"},
      {"mma", "products of matrices are not supported"}};
  const auto known = reasons.find(statement_->name);
  if (known != reasons.end()) unsupported(known->second);
}

template <class machine>
void structure<machine>::refuse_arithmetic_of_halves() const {
  static const std::set<std::string> computes = {"abs", "add", "copysign", "cos",  "div",  "ex2", "fma",  "lg2",
                                                 "mad", "max", "min",      "mul",  "neg",  "rcp", "rem",  "rsqrt",
                                                 "set", "sin", "setp",     "slct", "sqrt", "sub", "tanh", "testp"};
  static const std::set<std::string> halves = {"f16", "f16x2", "bf16", "bf16x2"};
  if (computes.count(statement_->name) == 0) return;
  for (const std::string& m : statement_->modifiers)
    if (halves.count(m) != 0)
      unsupported("arithmetic of ." + m + " is not supported; .f16 and .f16x2 need sm_70, others sm_80");
}

template <class machine>
void structure<machine>::refuse_modifiers() const {
  const std::string reason = modifier_refusal(*statement_);
  if (!reason.empty()) unsupported(reason);
}

template <class machine>
void structure<machine>::unknown_instruction() const {
  const std::string least = first_target_of(statement_->name);
  if (least.empty()) unsupported("there is no instruction of this name");
  const unsigned own = machine::architecture.first_sm;
  unsupported((own < cubin::fermi.first_sm ? "sm_1x" : "sm_" + std::to_string(own)) +
              " does not have it; it needs " + least);
}

template <class machine>
void structure<machine>::refuse_memory_orders() const {
  static const std::set<std::string> accesses = {"ld", "st", "atom", "red"};
  if (accesses.count(statement_->name) == 0) return;
  for (const char* order : {"relaxed", "acquire", "release", "acq_rel"})
    if (has(order)) unsupported(std::string(".") + order + " needs sm_70");
}

template <class machine>
std::size_t structure<machine>::operand_count(std::size_t at_least, std::size_t at_most) const {
  const std::size_t count = statement_->operands.size();
  if (count < at_least || count > at_most)
    unsupported("expected " + std::to_string(at_least) +
                (at_most != at_least ? " to " + std::to_string(at_most) : "") + " operands, not " +
                std::to_string(count));
  return count;
}

template <class machine>
typename structure<machine>::symbol structure<machine>::make_register(scalar t) {
  symbol s;
  s.type = options_.demote_f64 && t == scalar::f64 ? scalar::f32 : t;
  if (t == scalar::pred) {
    s.flags = out_.new_predicate();
    return s;
  }
  if (machine::pairs && bytes_of(s.type) == 8) {
    const word_ref pair = out_.tuple(2);
    s.words = {pair, {pair.reg, 1}};
    return s;
  }
  s.words.push_back(out_.word());
  if (bytes_of(s.type) == 8) s.words.push_back(out_.word());
  return s;
}

template <class machine>
typename structure<machine>::symbol* structure<machine>::find(const std::string& name) {
  const std::size_t first = frames_.empty() ? 0 : frames_.back().first_scope;
  for (std::size_t k = scopes_.size(); k-- > 0;) {
    if (k < first && k != 0) continue;  // scopes of the caller
    scope& s = scopes_[k];
    const auto found = s.symbols.find(name);
    if (found != s.symbols.end()) return &found->second;
    std::size_t digits = name.size();
    while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
    if (digits == name.size() || name.size() - digits > 6) continue;
    const auto range = s.ranges.find(name.substr(0, digits));
    if (range == s.ranges.end()) continue;
    if (std::stoul(name.substr(digits)) >= range->second.second) continue;
    return &s.symbols.emplace(name, make_register(range->second.first.type)).first->second;
  }
  return nullptr;
}

// Fails if the operand has a part that nothing here reads: it would be lost.
template <class machine>
void structure<machine>::require_plain(const operand& o) const {
  if (o.negated) file_.fail(o.where, "'!' stands before predicates only");
  if (o.minus) file_.fail(o.where, "'-' stands before numbers, and before registers in vmad only");
  if (!o.part.empty()) file_.fail(o.where, "'." + o.part + "' stands behind registers of video instructions only");
  if (!o.second.empty()) file_.fail(o.where, "'|' stands between the two results of setp, shfl and match only");
}

template <class machine>
typename structure<machine>::symbol& structure<machine>::register_named(const operand& o) {
  require_plain(o);
  if (o.kind == operand_kind::name && o.value != 0) file_.fail(o.where, "an offset follows the name of a variable");
  symbol* s = o.kind == operand_kind::name ? find(o.name) : nullptr;
  if (s == nullptr || s->kind != symbol_kind::reg)
    file_.fail(o.where, o.kind == operand_kind::name ? "'" + o.name + "' is not a register declared here"
                                                     : "expected a register");
  return *s;
}

template <class machine>
const typename structure<machine>::predicate& structure<machine>::predicate_named(const std::string& name,
                                                                                  location where) {
  const symbol* s = find(name);
  if (s == nullptr || s->kind != symbol_kind::reg || s->type != scalar::pred)
    file_.fail(where, "'" + name + "' is not a predicate declared here");
  return s->flags;
}

// A destination without a name ("_", or no second result) gives none.
template <class machine>
typename structure<machine>::predicate structure<machine>::destination_predicate(const operand& o) {
  require_plain(o);
  if (o.kind == operand_kind::name && o.name == "_") return {};
  return predicate_named(o.name, o.where);
}

template <class machine>
std::uint64_t structure<machine>::literal(const operand& o, scalar t) const {
  constant c = {constant_kind::s64, o.value};
  switch (o.kind) {
    case operand_kind::integer: break;
    case operand_kind::f32_bits: c.kind = constant_kind::f32; break;
    case operand_kind::f64_bits: c.kind = constant_kind::f64; break;
    default: file_.fail(o.where, "expected a register or a number");
  }
  try {
    return bits_of(c, t);
  } catch (const constant_error& error) {
    file_.fail(o.where, error.what());
  }
}

// A texture, or a register that holds the handle of one: all that is moved to the register is that texture.
template <class machine>
const placed_variable* structure<machine>::texture_named(const std::string& name, unsigned depth) const {
  const auto placed = layout_.variables.find(name);
  if (placed != layout_.variables.end())
    return placed->second.declared->space == state_space::texture ? &placed->second : nullptr;
  constexpr unsigned max_moves = 8;
  if (depth == max_moves) return nullptr;
  const placed_variable* found = nullptr;
  for (const statement& s : frames_.back().code->body) {
    if (s.operands.empty() || s.operands[0].name != name || s.operands[0].kind != operand_kind::name) continue;
    const bool moves = (s.name == "mov" || s.name == "cvta") && s.operands.size() == 2;
    const placed_variable* source = moves ? texture_named(s.operands[1].name, depth + 1) : nullptr;
    if (source == nullptr || (found != nullptr && found != source)) return nullptr;
    found = source;
  }
  return found;
}

template <class machine>
bool structure<machine>::is_named_elsewhere(const std::string& register_name) const {
  const auto base = [](const std::string& name) { return name.substr(0, name.find('.')); };  // "%v.x" is of %v
  const std::string wanted = base(register_name);
  const std::function<bool(const operand&)> names_it = [&](const operand& o) {
    return base(o.name) == wanted || base(o.second) == wanted ||
           std::any_of(o.elements.begin(), o.elements.end(), names_it);
  };
  const function& code = *frames_.back().code;
  for (const variable& v : code.results)
    if (v.name == wanted) return true;
  return std::any_of(code.body.begin(), code.body.end(), [&](const statement& s) {
    const std::size_t first = &s == statement_ ? 1 : 0;  // its results stand in front
    return s.guard == wanted ||
           std::any_of(s.operands.begin() + static_cast<std::ptrdiff_t>(std::min(first, s.operands.size())),
                       s.operands.end(), names_it);
  });
}

template <class machine>
typename structure<machine>::texture_parts structure<machine>::texture_operands() const {
  operand_count(2, 3);
  texture_parts parts;
  const operand& where = at(1);
  const operand coordinates = statement_->operands.size() == 3 ? at(2)
                              : where.elements.size() == 1     ? where.elements[0]
                                                               : operand{};
  parts.texture = texture_named(where.name);
  if (parts.texture == nullptr) unsupported("'" + where.name + "' is no texture");
  const std::size_t dimensions = has("1d") ? 1 : has("2d") ? 2 : has("3d") ? 3 : 0;
  if (dimensions == 0) unsupported("only .1d, .2d and .3d are supported");
  parts.coordinates =
      coordinates.kind == operand_kind::vector ? coordinates.elements : std::vector<operand>{coordinates};
  parts.results = at(0).elements;
  if (parts.coordinates.size() < dimensions || parts.results.size() != 4)
    unsupported("expected coordinates and four results");
  parts.coordinates.resize(dimensions);
  while (parts.needed > 1 && !is_named_elsewhere(parts.results[parts.needed - 1].name)) --parts.needed;
  return parts;
}

}  // namespace gt200::ptx
