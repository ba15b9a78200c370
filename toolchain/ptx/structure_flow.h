// Bodies, branches and calls. Included where a target's lowering is instantiated.
#pragma once

#include "toolchain/ptx/compound.h"
#include "toolchain/ptx/library.h"
#include "toolchain/ptx/structure.h"

namespace gt200::ptx {

inline constexpr std::size_t max_call_depth = 32;
// Limits of a kernel with all its calls.
inline constexpr std::size_t max_registers_and_blocks = 1u << 17;
inline constexpr std::size_t max_registers_times_blocks = std::size_t{1} << 31;  // bits of liveness: 256 MB
inline constexpr std::size_t max_labels = 1u << 14;

template <class machine>
void structure<machine>::lower_body(const function& f, const address_spaces& argument_spaces) {
  frame& own = frames_.emplace_back();
  own.code = &f;
  own.spaces = infer_address_spaces(f, layout_, argument_spaces);
  own.first_scope = scopes_.size() - 1;
  if (frames_.size() > 1) own.exit_block = out_.add_block();
  const auto labels = static_cast<std::size_t>(std::count_if(
      f.body.begin(), f.body.end(), [](const statement& s) { return s.kind == statement_kind::label; }));
  if (labels > max_labels)
    file_.fail(f.where, "'" + f.name + "' has " + std::to_string(labels) + " labels; " +
                            std::to_string(max_labels) + " are possible");
  for (const statement& s : f.body) {
    if (s.kind != statement_kind::label) continue;
    if (!own.labels.emplace(s.name, out_.add_block()).second)
      file_.fail(s.where, "label '" + s.name + "' is defined twice");
  }
  for (const statement& s : f.body) {
    if (!is_library(f.name)) out_.set_line(s.source_line != 0 ? s.source_line : s.where.line);
    lower_statement(s);
  }
  if (frames_.back().exit_block >= 0) {
    out_.jump(frames_.back().exit_block);
    out_.continue_in(frames_.back().exit_block);
  }
  frames_.pop_back();
}

template <class machine>
void structure<machine>::lower_statement(const statement& s) {
  statement_ = &s;
  switch (s.kind) {
    case statement_kind::scope_begin: scopes_.emplace_back(); break;
    case statement_kind::scope_end: scopes_.pop_back(); break;
    case statement_kind::declaration:
      for (const variable& v : s.variables) declare(v);
      break;
    case statement_kind::label: {
      const int target = frames_.back().labels.at(s.name);
      out_.jump(target);
      out_.continue_in(target);
      break;
    }
    case statement_kind::instruction: lower(s); break;
  }
}

template <class machine>
void structure<machine>::lower(const statement& s) {
  const std::size_t values = function_.registers.size();
  const std::size_t blocks = function_.blocks.size();
  if (values + blocks > max_registers_and_blocks || values * blocks > max_registers_times_blocks)
    fail("kernel '" + function_.name + "' is too large: up to here it takes " + std::to_string(values) +
         " values and " + std::to_string(blocks) + " blocks, functions that it calls included");
  guard_ = {};
  if (!s.guard.empty()) {
    guard_ = predicate_named(s.guard, s.where);
    if (s.guard_negated && s.name != "bra") guard_ = inverse(guard_);
  }
  refuse_features();
  if (s.name == "bra") return lower_branch(s);
  if (s.name == "exit") return lower_return(s, true);
  if (s.name == "ret") return lower_return(s, frames_.size() == 1);
  if (s.name == "call") return lower_call(s);
  const std::vector<statement> parts = parts_of(s);
  if (parts.empty()) return lower_instruction(s);
  for (const statement& part : parts) lower_statement(part);
  statement_ = &s;
}

template <class machine>
std::vector<statement> structure<machine>::parts_of(const statement& s) {
  const operand* address = generic_address(s);
  const symbol* base = address != nullptr ? find(address->name) : nullptr;
  if (base == nullptr || base->kind != symbol_kind::reg)
    return statements_of(s, machine::architecture.first_sm, file_);
  const auto known = frames_.back().spaces.find(address->name);
  if (base->type == scalar::pred || known == frames_.back().spaces.end()) return {};
  const pointee where = known->second == pointee::any ? pointee::value | layout_.pointed_to : known->second;
  if (!may_be(where, machine::windowless) || is_one(where)) return {};
  if (base->words.size() != 2)
    unsupported("'" + address->name + "' points to more than one state space; that needs addresses of 64 bits");
  if (!may_be(where, pointee::marked))
    unsupported("'" + address->name + "' points to more than one state space without cvta");
  return accesses_by_space(s, where, machine::windowless, file_);
}

template <class machine>
void structure<machine>::lower_branch(const statement& s) {
  operand_count(1, 1);
  const auto target = frames_.back().labels.find(at(0).name);
  if (target == frames_.back().labels.end())
    file_.fail(at(0).where, "label '" + at(0).name + "' is not defined in this function");
  const int next = out_.add_block();
  if (guard_.condition < 0)
    out_.jump(target->second);
  else
    out_.branch(guard_, s.guard_negated, target->second, next, has("uni"));
  out_.continue_in(next);
}

template <class machine>
void structure<machine>::lower_return(const statement&, bool leaves_kernel) {
  const int leave = leaves_kernel ? out_.add_block() : frames_.back().exit_block;
  const int next = out_.add_block();
  if (guard_.condition < 0)
    out_.jump(leave);
  else
    out_.branch(guard_, false, leave, next, has("uni"));
  out_.continue_in(next);
}

template <class machine>
void structure<machine>::call_library(const std::string& name) {
  statement call = *statement_;
  operand results;
  results.kind = operand_kind::list;
  results.elements = {statement_->operands[0]};
  operand function;
  function.kind = operand_kind::name;
  function.name = library_prefix + name;
  operand arguments;
  arguments.kind = operand_kind::list;
  arguments.elements.assign(statement_->operands.begin() + 1, statement_->operands.end());
  call.operands = {results, function, arguments};
  const statement* const written = statement_;
  statement_ = &call;
  lower_call(call);
  statement_ = written;
}

template <class machine>
std::vector<operand> structure<machine>::call_list(const statement& s, std::size_t index) const {
  if (index >= s.operands.size()) return {};
  return s.operands[index].kind == operand_kind::list ? s.operands[index].elements
                                                      : std::vector<operand>{s.operands[index]};
}

template <class machine>
void structure<machine>::lower_call(const statement& s) {
  if (s.operands.empty()) unsupported("expected the name of a function");
  const bool with_results = s.operands[0].kind == operand_kind::list;
  const std::size_t name_at = with_results ? 1 : 0;
  if (name_at >= s.operands.size() || s.operands[name_at].kind != operand_kind::name)
    unsupported("expected the name of a function");
  const std::string& name = s.operands[name_at].name;
  const auto callee = layout_.functions.find(name);
  if (callee == layout_.functions.end() || !callee->second->has_body)
    unsupported("function '" + name + "' has no body here; indirect and external calls are not possible");
  const function& f = *callee->second;
  if (frames_.size() > max_call_depth) unsupported("calls are nested too deeply; recursion is not possible");
  if (guard_.condition >= 0) return under_guard([&] { lower_call(s); }, has("uni"));
  if (callee->second->is_entry) unsupported("'" + name + "' is a kernel");
  const std::vector<operand> results = with_results ? call_list(s, 0) : std::vector<operand>{};
  const std::vector<operand> arguments = call_list(s, name_at + 1);
  if (results.size() != f.results.size() || arguments.size() != f.parameters.size())
    unsupported("'" + name + "' has another number of arguments or results");

  // Makes registers and parameter bytes for the callee. Arguments are copied in, results copied out.
  scope inner;
  const auto formal = [&](const variable& v) {
    symbol x;
    if (v.space == state_space::reg) return make_register(v.type);
    x.kind = symbol_kind::parameter_bytes;
    x.type = v.type;
    for (std::uint64_t k = 0; k < (v.bytes() + 3) / 4; ++k) x.words.push_back(out_.word());
    return x;
  };
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    symbol x = formal(f.parameters[k]);
    const symbol* given = arguments[k].kind == operand_kind::name ? find(arguments[k].name) : nullptr;
    require_plain(arguments[k]);
    if (given != nullptr && given->kind == symbol_kind::reg) register_named(arguments[k]);
    if (x.type == scalar::pred) unsupported("predicates cannot be arguments");
    for (std::size_t w = 0; w < x.words.size(); ++w) {
      if (given != nullptr && given->kind != symbol_kind::memory && w < given->words.size()) {
        out_.move(x.words[w], machine::word(given->words[w]));
      } else {
        const wide v = source_wide(arguments[k], f.parameters[k].type);
        out_.move(x.words[w], w == 0 ? v.low : v.high);
      }
    }
    inner.symbols[f.parameters[k].name] = x;
  }
  std::vector<symbol> made;
  for (const variable& v : f.results) {
    made.push_back(formal(v));
    inner.symbols[v.name] = made.back();
  }
  address_spaces argument_spaces;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const auto known = frames_.back().spaces.find(arguments[k].name);
    if (known != frames_.back().spaces.end()) argument_spaces[f.parameters[k].name] = known->second;
  }
  scopes_.push_back(std::move(inner));
  const statement* const caller = statement_;
  lower_body(f, argument_spaces);
  scopes_.pop_back();
  statement_ = caller;
  guard_ = {};
  for (std::size_t k = 0; k < results.size(); ++k) {
    const symbol* to = results[k].kind == operand_kind::name ? find(results[k].name) : nullptr;
    if (to == nullptr) file_.fail(results[k].where, "expected a register or parameter for the result");
    for (std::size_t w = 0; w < made[k].words.size() && w < to->words.size(); ++w)
      out_.move(to->words[w], machine::word(made[k].words[w]));
  }
}

}  // namespace gt200::ptx
