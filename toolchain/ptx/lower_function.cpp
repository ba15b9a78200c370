// Declarations, control flow, calls and barriers.
#include <algorithm>

#include "toolchain/launch/abi.h"
#include "toolchain/ptx/library.h"
#include "toolchain/ptx/lowering.h"

namespace gt200::ptx {
namespace {

constexpr std::size_t max_call_depth = 32;
constexpr std::uint32_t max_local_bytes = 16384;
constexpr std::size_t max_registers_and_blocks = 1u << 15;  // of a kernel with all its calls

std::uint32_t align(std::uint32_t value, std::uint32_t alignment) {
  return launch::align_up(value, std::max(alignment, 1u));
}

}  // namespace

lowering::lowering(const module_layout& layout, const source_file& file, const lowering_options& options,
                   machine_function& target)
    : layout_(layout), file_(file), options_(options), function_(target), out_(target) {}

void lowering::run(const function& entry, cubin::kernel& kernel) {
  function_.name = entry.name;
  kernel.name = entry.name;
  out_.continue_in(out_.add_block());
  thread_index_ = out_.word();
  function_.registers[static_cast<std::size_t>(thread_index_.reg)].fixed = 0;
  scopes_.emplace_back();
  place_parameters(entry, kernel);
  place_shared(entry);
  declare_per_thread(entry);
  const bool has_fence = uses_fence(entry, layout_);
  if (has_fence) {
    fence_ = out_.word();
    out_.move(fence_, imm(0));
  }
  lower_body(entry, {});
}

void lowering::place_parameters(const function& entry, cubin::kernel& kernel) {
  std::uint32_t end = 0;
  const auto place = [&](const variable& v) {
    const auto bytes = static_cast<std::uint32_t>(v.bytes());
    end = align(end, v.natural_alignment());
    symbol s;
    s.kind = symbol_kind::memory;
    s.space = state_space::param;
    s.type = v.type;
    s.offset = launch::shared_header_bytes + end;
    if (!scopes_.back().symbols.emplace(v.name, s).second)
      file_.fail(v.where, "'" + v.name + "' is declared twice");
    kernel.parameters.push_back({end, bytes});
    end += bytes;
    if (end > launch::max_parameter_bytes) file_.fail(v.where, "the parameters exceed 256 bytes");
  };
  for (const variable& v : entry.parameters) place(v);
  // PTX 1.0 to 1.3 declares the parameters of an entry in its body.
  unsigned depth = 0;
  for (const statement& s : entry.body) {
    if (s.kind == statement_kind::scope_begin) ++depth;
    if (s.kind == statement_kind::scope_end) --depth;
    if (s.kind != statement_kind::declaration || depth != 0 || !entry.parameters.empty()) continue;
    for (const variable& v : s.variables)
      if (v.space == state_space::param) place(v);
  }
  function_.shared_bytes = launch::shared_header_bytes + end;
}

void lowering::place_shared(const function& entry) {
  const std::set<std::string> used = names_used(entry, layout_);
  std::vector<const variable*> dynamic;
  const auto place = [&](const variable& v) {
    function_.shared_bytes = align(function_.shared_bytes, v.natural_alignment());
    symbol s;
    s.kind = symbol_kind::memory;
    s.space = state_space::shared;
    s.offset = function_.shared_bytes;
    function_.shared_bytes += static_cast<std::uint32_t>(v.bytes());
    if (function_.shared_bytes > launch::max_shared_bytes) file_.fail(v.where, "shared memory exceeds 16 KB");
    scopes_.front().symbols[v.name] = s;
  };
  for (const auto& [name, placed] : layout_.variables) {
    if (placed.declared->space != state_space::shared || used.count(name) == 0) continue;
    if (placed.declared->count == 0 || placed.declared->is_external)
      dynamic.push_back(placed.declared);
    else
      place(*placed.declared);
  }
  for (const statement& s : entry.body) {
    if (s.kind != statement_kind::declaration) continue;
    for (const variable& v : s.variables)
      if (v.space == state_space::shared && v.count != 0) place(v);
  }
  // Dynamic shared memory follows the static, aligned for every type. All unsized arrays share it.
  std::uint32_t alignment = dynamic.empty() ? 1 : 16;
  for (const variable* v : dynamic) alignment = std::max(alignment, v->natural_alignment());
  function_.shared_bytes = align(function_.shared_bytes, alignment);
  for (const variable* v : dynamic) {
    symbol s;
    s.kind = symbol_kind::memory;
    s.space = state_space::shared;
    s.offset = function_.shared_bytes;
    scopes_.front().symbols[v->name] = s;
  }
}

// Those of module scope. Memory is allocated only for what the kernel uses.
void lowering::declare_per_thread(const function& entry) {
  if (layout_.per_thread.empty()) return;
  const std::set<std::string> used = names_used(entry, layout_);
  std::set<std::string> own;
  for (const statement& s : entry.body)
    for (const variable& v : s.variables) own.insert(v.name);
  for (const variable* v : layout_.per_thread) {
    if (own.count(v->name) != 0 || scopes_.front().symbols.count(v->name) != 0)
      file_.fail(v->where, "'" + v->name + "' is also declared in kernel '" + entry.name + "'");
    if (v->space == state_space::reg || used.count(v->name) != 0) declare(*v);
  }
}

void lowering::declare(const variable& v) {
  scope& here = scopes_.back();
  symbol s;
  switch (v.space) {
    case state_space::reg:
      if (v.vector != 1 || v.count != 1) file_.fail(v.where, "vector registers are not supported");
      if (v.range != 0) {
        s.type = v.type;
        here.ranges[v.name] = {s, v.range};
        return;
      }
      s = make_register(v.type);
      break;
    case state_space::local:
      s.kind = symbol_kind::memory;
      s.space = state_space::local;
      function_.local_bytes = align(function_.local_bytes, v.natural_alignment());
      s.offset = function_.local_bytes;
      if (v.bytes() > max_local_bytes - function_.local_bytes) file_.fail(v.where, "local memory exceeds 16 KB");
      function_.local_bytes += static_cast<std::uint32_t>(v.bytes());
      break;
    case state_space::param:
      if (scopes_.size() == 1 && here.symbols.count(v.name) != 0) return;  // a parameter of the entry
      s.kind = symbol_kind::parameter_bytes;
      s.type = v.type;
      if (v.bytes() > launch::max_parameter_bytes) file_.fail(v.where, "the parameter exceeds 256 bytes");
      for (std::uint64_t k = 0; k < (v.bytes() + 3) / 4; ++k) s.words.push_back(out_.word());
      break;
    case state_space::shared: {
      if (scopes_.size() == 1 && scopes_.front().symbols.count(v.name) != 0) return;  // of the entry itself
      file_.fail(v.where, "shared variables of device functions must stand outside the function");
    }
    default: file_.fail(v.where, "this declaration is not possible inside functions");
  }
  here.symbols[v.name] = std::move(s);
}

void lowering::lower_body(const function& f, const address_spaces& argument_spaces) {
  frame& own = frames_.emplace_back();
  own.code = &f;
  own.spaces = infer_address_spaces(f, layout_, argument_spaces);
  own.first_scope = scopes_.size() - 1;
  if (frames_.size() > 1) own.exit_block = out_.add_block();
  for (const statement& s : f.body) {
    if (s.kind != statement_kind::label) continue;
    if (!own.labels.emplace(s.name, out_.add_block()).second)
      file_.fail(s.where, "label '" + s.name + "' is defined twice");
  }
  for (const statement& s : f.body) {
    statement_ = &s;
    if (!is_library(f.name)) out_.set_line(s.source_line != 0 ? s.source_line : s.where.line);
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
  if (frames_.back().exit_block >= 0) {
    out_.jump(frames_.back().exit_block);
    out_.continue_in(frames_.back().exit_block);
  }
  frames_.pop_back();
}

void lowering::lower(const statement& s) {
  if (function_.registers.size() + function_.blocks.size() > max_registers_and_blocks)
    fail("the kernel becomes too large; device functions are inlined wherever they are called");
  guard_ = {};
  if (!s.guard.empty()) {
    guard_ = predicate_named(s.guard, s.where);
    if (s.guard_negated && s.name != "bra") guard_ = inverse(guard_);
  }
  if (s.name == "bra") return lower_branch(s);
  if (s.name == "exit") return lower_return(s, true);
  if (s.name == "ret") return lower_return(s, frames_.size() == 1);
  if (s.name == "call") return lower_call(s);
  if (s.name == "bar" || s.name == "barrier") return lower_barrier(s);
  if (s.name == "trap" || s.name == "brkpt") return lower_trap(s);
  if (s.name == "pmevent") {
    operand_count(1, 1);
    if (at(0).kind != operand_kind::integer || at(0).value > 15) unsupported("events are numbered 0 to 15");
    return under_guard(
        [&] { out_.emit(isa::tesla::opcode::pmevent, {}, {imm(static_cast<std::uint32_t>(at(0).value))}); });
  }
  if (lower_memory(s) || lower_bits(s) || lower_move(s) || lower_predicate(s) || lower_convert(s) ||
      lower_double(s) || lower_float(s) || lower_integer(s) || lower_atomic(s) || lower_texture(s))
    return;
  unsupported("this instruction is unknown, or the hardware cannot do it");
}

void lowering::lower_trap(const statement& s) {
  under_guard([&] { out_.emit(s.name == "trap" ? isa::tesla::opcode::trap : isa::tesla::opcode::brkpt, {}, {}); });
}

void lowering::lower_branch(const statement& s) {
  operand_count(1, 1);
  const auto target = frames_.back().labels.find(at(0).name);
  if (target == frames_.back().labels.end())
    file_.fail(at(0).where, "label '" + at(0).name + "' is not defined in this function");
  const int next = out_.add_block();
  if (guard_.condition < 0)
    out_.jump(target->second);
  else
    out_.branch(guard_.condition, s.guard_negated, target->second, next, has("uni"));
  out_.continue_in(next);
}

void lowering::lower_return(const statement&, bool leaves_kernel) {
  const int leave = leaves_kernel ? out_.add_block() : frames_.back().exit_block;
  const int next = out_.add_block();
  if (guard_.condition < 0)
    out_.jump(leave);
  else
    out_.branch(guard_.condition, false, leave, next, has("uni"));
  out_.continue_in(next);
}

void lowering::lower_barrier(const statement& s) {
  if (s.name == "bar" && !s.modifiers.empty() && s.modifiers[0] != "sync") {
    if (s.modifiers[0] != "warp") unsupported("this hardware only knows bar.sync");
    return;  // the threads of a warp run in step
  }
  operand_count(0, 2);
  if (s.operands.size() > 1) unsupported("barriers of this hardware are for all threads of the block");
  std::uint64_t number = 0;
  if (!s.operands.empty()) {
    if (at(0).kind != operand_kind::integer) unsupported("the number of the barrier must be a constant");
    number = at(0).value;
  }
  if (number > 15) unsupported("barriers are numbered 0 to 15");
  under_guard([&] {
    operation& o = out_.emit(isa::tesla::opcode::bar, {}, {});
    o.code.barrier_id = static_cast<std::uint8_t>(number);
    o.code.barrier_increment = o.code.barrier_wait = true;
  });
  function_.highest_barrier = std::max(function_.highest_barrier, static_cast<std::uint32_t>(number));
}

void lowering::call_library(const std::string& name) {
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

std::vector<operand> lowering::call_list(const statement& s, std::size_t index) const {
  if (index >= s.operands.size()) return {};
  return s.operands[index].kind == operand_kind::list ? s.operands[index].elements
                                                      : std::vector<operand>{s.operands[index]};
}

void lowering::lower_call(const statement& s) {
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
    if (x.type == scalar::pred) unsupported("predicates cannot be arguments");
    for (std::size_t w = 0; w < x.words.size(); ++w) {
      if (given != nullptr && given->kind != symbol_kind::memory && w < given->words.size()) {
        out_.move(x.words[w], reg(given->words[w]));
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
      out_.move(to->words[w], reg(made[k].words[w]));
  }
}

}  // namespace gt200::ptx
