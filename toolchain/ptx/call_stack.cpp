#include "toolchain/ptx/call_stack.h"

#include <algorithm>
#include <map>
#include <set>

namespace gt200::ptx {
namespace {

using statements = std::vector<statement>;

operand named(const std::string& name) {
  operand o;
  o.kind = operand_kind::name;
  o.name = name;
  return o;
}
operand number(std::uint64_t value) {
  operand o;
  o.kind = operand_kind::integer;
  o.value = value;
  return o;
}
operand address(const std::string& base, std::uint64_t offset) {
  operand o;
  o.kind = operand_kind::address;
  o.name = base;
  o.value = offset;
  return o;
}

// "ld.local.u32" with its operands.
statement instruction(const std::string& text, std::vector<operand> operands, const location& where) {
  statement s;
  s.where = where;
  std::size_t start = text.find('.');
  s.name = text.substr(0, start);
  while (start != std::string::npos) {
    const std::size_t end = text.find('.', start + 1);
    s.modifiers.push_back(text.substr(start + 1, end == std::string::npos ? end : end - start - 1));
    start = end;
  }
  s.operands = std::move(operands);
  return s;
}
statement label(const std::string& name, const location& where) {
  statement s;
  s.kind = statement_kind::label;
  s.name = name;
  s.where = where;
  return s;
}
statement branch(const std::string& target, const location& where) {
  return instruction("bra", {named(target)}, where);
}
statement guarded(statement s, const std::string& guard, bool negated = false) {
  s.guard = guard;
  s.guard_negated = negated;
  return s;
}
statement declaration(const std::string& name, state_space space, scalar type, std::uint64_t count = 1,
                      unsigned alignment = 0, unsigned range = 0) {
  statement s;
  s.kind = statement_kind::declaration;
  variable v;
  v.name = name;
  v.space = space;
  v.type = type;
  v.count = count;
  v.alignment = alignment;
  v.range = range;
  s.variables = {v};
  return s;
}

std::uint64_t words_of(const variable& v) { return (v.bytes() + 3) / 4; }
std::uint64_t up(std::uint64_t value, std::uint64_t unit) { return (value + unit - 1) / unit * unit; }

// Parts of a call: results, callee, arguments.
struct call_parts {
  std::vector<operand> results;
  operand callee;
  std::vector<operand> arguments;
};
call_parts parts_of(const statement& s) {
  call_parts parts;
  std::size_t at = 0;
  if (!s.operands.empty() && s.operands[0].kind == operand_kind::list) parts.results = s.operands[at++].elements;
  if (at < s.operands.size()) parts.callee = s.operands[at++];
  if (at < s.operands.size() && s.operands[at].kind == operand_kind::list)
    parts.arguments = s.operands[at].elements;
  return parts;
}
bool is_call(const statement& s) { return s.kind == statement_kind::instruction && s.name == "call"; }

// "%r12" of the declared range "%r", "%v.x" of "%v": the name that the declaration has.
class names {
 public:
  explicit names(const function& f) {
    const auto note = [&](const variable& v) { (v.range != 0 ? ranges_ : single_)[v.name] = v; };
    for (const variable& v : f.parameters) note(v);
    for (const variable& v : f.results) note(v);
    for (const statement& s : f.body)
      for (const variable& v : s.variables) note(v);
  }
  // Null if the function declares no such name. `length`: of the declared part of it.
  const variable* find(const std::string& name, std::size_t& length) const {
    const std::string base = name.substr(0, name.find('.'));
    length = base.size();
    if (const auto found = single_.find(base); found != single_.end()) return &found->second;
    length = base.find_last_not_of("0123456789") + 1;
    if (length == base.size()) return nullptr;
    const auto found = ranges_.find(base.substr(0, length));
    return found == ranges_.end() ? nullptr : &found->second;
  }
  const variable* find(const std::string& name) const {
    std::size_t ignored = 0;
    return find(name, ignored);
  }

 private:
  std::map<std::string, variable> single_;
  std::map<std::string, variable> ranges_;
};

template <class action>
void for_each_name(operand& o, const action& act) {
  if (!o.name.empty()) act(o.name);
  if (!o.second.empty()) act(o.second);
  for (operand& e : o.elements) for_each_name(e, act);
}

// The function with names of its own: those that it declares, and its labels, end differently.
function renamed(function f, const std::string& ending) {
  const names declared(f);
  std::set<std::string> labels;
  for (const statement& s : f.body)
    if (s.kind == statement_kind::label) labels.insert(s.name);
  const auto rename = [&](std::string& name) {
    std::size_t length = 0;
    if (labels.count(name) != 0)
      name += ending;
    else if (declared.find(name, length) != nullptr)
      name.insert(length, ending);
  };
  const auto rename_variable = [&](variable& v) { v.name += ending; };
  for (variable& v : f.parameters) rename_variable(v);
  for (variable& v : f.results) rename_variable(v);
  for (statement& s : f.body) {
    if (s.kind == statement_kind::label) rename(s.name);
    if (!s.guard.empty()) rename(s.guard);
    for (variable& v : s.variables) rename_variable(v);
    for (operand& o : s.operands) for_each_name(o, rename);
  }
  return f;
}

// Names that a function needs behind each of its calls: registers and parameters that it declares outside inner
// scopes.
class live_names {
 public:
  explicit live_names(const function& f) : f_(f), declared_(f) {
    unsigned depth = 0;
    for (const variable& v : f.parameters) outer_.insert(v.name);
    for (const variable& v : f.results) outer_.insert(v.name);
    for (const statement& s : f.body) {
      if (s.kind == statement_kind::scope_begin) ++depth;
      if (s.kind == statement_kind::scope_end) --depth;
      if (depth == 0)
        for (const variable& v : s.variables) outer_.insert(v.name);
      if (s.kind == statement_kind::label) labels_[s.name] = static_cast<std::size_t>(&s - f.body.data());
    }
    run();
  }
  const std::set<std::string>& behind(std::size_t at) const { return behind_[at]; }

 private:
  // Names that count: "%r12", not its range.
  void note(const operand& o, std::set<std::string>& to) const {
    const auto add = [&](const std::string& name) {
      const std::string base = name.substr(0, name.find('.'));
      const variable* const v = declared_.find(base);
      if (v != nullptr && outer_.count(v->name) != 0 &&
          (v->space == state_space::reg || v->space == state_space::param))
        to.insert(base);
    };
    operand copy = o;
    for_each_name(copy, add);
  }

  static bool writes_first(const statement& s) {
    static const std::set<std::string> without_result = {"st",    "red",       "bra",  "call",   "ret",
                                                         "exit",  "bar",       "trap", "membar", "prefetch",
                                                         "fence", "nanosleep", "brkpt"};
    return !s.operands.empty() && without_result.count(s.name) == 0 &&
           (s.operands[0].kind == operand_kind::name || s.operands[0].kind == operand_kind::vector);
  }

  void run() {
    const statements& body = f_.body;
    std::vector<std::set<std::string>> uses(body.size());
    std::vector<std::set<std::string>> defines(body.size());
    for (std::size_t k = 0; k < body.size(); ++k) {
      const statement& s = body[k];
      if (s.kind != statement_kind::instruction) continue;
      if (!s.guard.empty()) note(named(s.guard), uses[k]);
      const bool writes = writes_first(s);
      for (std::size_t o = 0; o < s.operands.size(); ++o) {
        const bool is_result =
            (writes && o == 0) || (is_call(s) && o == 0 && s.operands[0].kind == operand_kind::list);
        note(s.operands[o], is_result ? defines[k] : uses[k]);
      }
      if (!s.guard.empty()) {  // what it leaves as it was is needed
        uses[k].insert(defines[k].begin(), defines[k].end());
        defines[k].clear();
      }
      // The results of the function are what its return needs.
      if (s.name == "ret")
        for (const variable& v : f_.results) uses[k].insert(v.name);
    }
    std::vector<std::set<std::string>> before(body.size() + 1);
    behind_.assign(body.size(), {});
    for (const variable& v : f_.results) before[body.size()].insert(v.name);
    for (bool changes = true; changes;) {
      changes = false;
      for (std::size_t k = body.size(); k-- > 0;) {
        const statement& s = body[k];
        std::set<std::string> out;
        const bool jumps = s.kind == statement_kind::instruction && s.name == "bra";
        const bool ends = s.kind == statement_kind::instruction && (s.name == "ret" || s.name == "exit");
        if ((!jumps && !ends) || !s.guard.empty()) out = before[k + 1];
        if (jumps && !s.operands.empty())
          if (const auto to = labels_.find(s.operands[0].name); to != labels_.end())
            out.insert(before[to->second].begin(), before[to->second].end());
        std::set<std::string> in = out;
        for (const std::string& name : defines[k]) in.erase(name);
        in.insert(uses[k].begin(), uses[k].end());
        // The results of a call are its callee's, also where a guard may skip it.
        if (is_call(s) && !s.operands.empty() && s.operands[0].kind == operand_kind::list) {
          std::set<std::string> results;
          note(s.operands[0], results);
          for (const std::string& name : results) out.erase(name);
        }
        behind_[k] = std::move(out);
        if (in == before[k]) continue;
        before[k] = std::move(in);
        changes = true;
      }
    }
  }

  const function& f_;
  names declared_;
  std::set<std::string> outer_;
  std::map<std::string, std::size_t> labels_;
  std::vector<std::set<std::string>> behind_;
};

class stack_maker {
 public:
  stack_maker(module_source& module, const source_file& file) : module_(module), file_(file) {
    for (const function& f : module.functions)
      if (f.has_body || functions_.count(f.name) == 0) functions_[f.name] = &f;
  }

  void run() {
    number_addresses();
    find_stacked();
    std::vector<function> made;
    for (const function& f : module_.functions)
      if (f.is_entry && f.has_body && calls_stacked(f)) made.push_back(with_stack(f));
    for (function& f : module_.functions)
      for (function& m : made)
        if (f.is_entry && f.has_body && f.name == m.name) f = std::move(m);
  }

 private:
  const function* function_named(const std::string& name) const {
    const auto found = functions_.find(name);
    return found == functions_.end() ? nullptr : found->second;
  }
  bool is_indirect(const statement& s) const {
    const call_parts parts = parts_of(s);
    return parts.callee.kind == operand_kind::name && function_named(parts.callee.name) == nullptr;
  }

  // Wherever a function is named but called, its number stands.
  void number_addresses() {
    const auto number_of = [&](const std::string& name) {
      const function* const f = function_named(name);
      if (f == nullptr || f->is_entry) return std::uint64_t{0};
      return std::uint64_t{numbers_.emplace(name, numbers_.size() + 1).first->second};
    };
    const auto replace = [&](operand& o, const auto& self) -> void {
      if (o.kind == operand_kind::name)
        if (const std::uint64_t n = number_of(o.name); n != 0) {
          const location where = o.where;
          o = number(n);
          o.where = where;
        }
      for (operand& e : o.elements) self(e, self);
    };
    for (variable& v : module_.variables)
      for (initial_value& i : v.values)
        if (const std::uint64_t n = i.symbol.empty() ? 0 : number_of(i.symbol); n != 0) {
          i.number.bits = n;
          i.symbol.clear();
        }
    for (function& f : module_.functions)
      for (statement& s : f.body) {
        if (s.kind != statement_kind::instruction || is_call(s)) continue;
        for (operand& o : s.operands) replace(o, replace);
      }
  }

  // Functions that call themselves, in any number of steps, those whose address is taken, and all that call one of
  // them.
  void find_stacked() {
    std::map<std::string, std::set<std::string>> callees;
    bool has_indirect = false;
    for (const auto& [name, f] : functions_)
      for (const statement& s : f->body) {
        if (!is_call(s)) continue;
        if (is_indirect(s)) {
          has_indirect = true;
          if (!f->is_entry) stacked_.insert(name);
        } else {
          callees[name].insert(parts_of(s).callee.name);
        }
      }
    if (has_indirect)
      for (const auto& [name, n] : numbers_)
        if (function_named(name)->has_body) stacked_.insert(name);
    std::map<std::string, std::set<std::string>> reached = callees;
    for (bool changes = true; changes;) {
      changes = false;
      for (auto& [name, all] : reached) {
        std::set<std::string> more = all;
        for (const std::string& callee : all)
          if (const auto further = reached.find(callee); further != reached.end())
            more.insert(further->second.begin(), further->second.end());
        if (more.size() == all.size()) continue;
        all = std::move(more);
        changes = true;
      }
    }
    for (const auto& [name, all] : reached)
      if (all.count(name) != 0) stacked_.insert(name);
    const std::set<std::string> first = stacked_;
    for (const auto& [name, all] : reached)
      if (!function_named(name)->is_entry &&
          std::any_of(all.begin(), all.end(), [&](const std::string& callee) { return first.count(callee) != 0; }))
        stacked_.insert(name);
  }

  bool is_stacked_call(const statement& s) const {
    return is_call(s) && (is_indirect(s) || stacked_.count(parts_of(s).callee.name) != 0);
  }
  bool calls_stacked(const function& f) const {
    return std::any_of(f.body.begin(), f.body.end(), [&](const statement& s) { return is_stacked_call(s); });
  }

  // -- one kernel --

  struct site {
    std::string label;
    std::uint64_t number;
  };

  // `frame`: bytes of the caller's own frame; 0 in the kernel.
  void call(const statement& s, const names& declared, std::uint64_t frame, statements& to) {
    const call_parts parts = parts_of(s);
    const location& at = s.where;
    const std::string site_label = "$return" + std::to_string(sites_.size());
    const std::string skip = "$skip" + std::to_string(sites_.size());
    if (!s.guard.empty()) to.push_back(guarded(branch(skip, at), s.guard, !s.guard_negated));
    std::uint64_t word = 0;
    for (const operand& a : parts.arguments) copy_words(a, declared, "%arg$", word, true, at, to);
    words_ = std::max(words_, word);
    sites_.push_back({site_label, sites_.size() + 1});
    const auto stack_word = [&](std::uint64_t offset) { return address("%frame$", offset); };
    if (frame != 0) {
      to.push_back(instruction("add.u32", {named("%sp$"), named("%sp$"), number(frame)}, at));
      to.push_back(
          instruction("setp.gt.u32", {named("%full$"), named("%sp$"), number(call_stack_bytes - most_frame_)}, at));
      to.push_back(guarded(instruction("trap", {}, at), "%full$"));
      set_frame(to, at);
    }
    to.push_back(instruction("st.local.u32", {stack_word(0), number(sites_.back().number)}, at));
    if (is_indirect(s)) {
      calls_pointers_ = true;
      to.push_back(instruction("cvt.u32.u64", {named("%callee$"), named(parts.callee.name)}, at));
      to.push_back(branch("$call", at));
    } else {
      wanted_.insert(parts.callee.name);
      to.push_back(branch("$function" + parts.callee.name, at));
    }
    to.push_back(label(site_label, at));
    if (frame != 0) {
      to.push_back(instruction("sub.u32", {named("%sp$"), named("%sp$"), number(frame)}, at));
      set_frame(to, at);
    }
    word = 0;
    for (const operand& r : parts.results) copy_words(r, declared, "%result$", word, false, at, to);
    results_ = std::max(results_, word);
    if (!s.guard.empty()) to.push_back(label(skip, at));
  }

  // %frame$ = the address of the frame.
  static void set_frame(statements& to, const location& at) {
    to.push_back(instruction("cvt.u64.u32", {named("%offset$"), named("%sp$")}, at));
    to.push_back(instruction("mov.u64", {named("%frame$"), named("$stack")}, at));
    to.push_back(instruction("add.u64", {named("%frame$"), named("%frame$"), named("%offset$")}, at));
  }

  // Between parameters and the registers that carry them.
  void copy_words(const operand& o, const names& declared, const std::string& carrier, std::uint64_t& word,
                  bool out, const location& at, statements& to) const {
    const variable* const v = o.kind == operand_kind::name ? declared.find(o.name) : nullptr;
    if (v == nullptr || v->space != state_space::param)
      file_.fail(at, "a call with a stack has its arguments and results in parameters, not in registers");
    copy_words(o.name, *v, carrier, word, out, at, to);
  }
  static void copy_words(const std::string& name, const variable& v, const std::string& carrier,
                         std::uint64_t& word, bool out, const location& at, statements& to) {
    for (std::uint64_t k = 0; k < words_of(v); ++k, ++word) {
      const operand carried = named(carrier + std::to_string(word));
      if (out)
        to.push_back(instruction("ld.param.b32", {carried, address(name, 4 * k)}, at));
      else
        to.push_back(instruction("st.param.b32", {address(name, 4 * k), carried}, at));
    }
  }

  // Places in the frame of a function: behind the number of the call, its local variables, then what it saves.
  struct frame_plan {
    std::map<std::string, std::uint64_t> locals;
    std::map<std::string, std::uint64_t> saved;
    std::uint64_t bytes = 8;
  };
  frame_plan plan_of(const function& f, const live_names& live, const names& declared) const {
    frame_plan plan;
    constexpr std::uint64_t most_aligned = 16;
    const auto place = [&](std::map<std::string, std::uint64_t>& in, const std::string& name, std::uint64_t bytes,
                           std::uint64_t alignment) {
      if (in.count(name) != 0) return;
      plan.bytes = up(plan.bytes, std::min(std::max<std::uint64_t>(alignment, 1), most_aligned));
      in[name] = plan.bytes;
      plan.bytes += bytes;
    };
    for (const statement& s : f.body)
      for (const variable& v : s.variables)
        if (v.space == state_space::local) place(plan.locals, v.name, v.bytes(), v.natural_alignment());
    for (std::size_t k = 0; k < f.body.size(); ++k)
      if (is_stacked_call(f.body[k]))
        for (const std::string& name : live.behind(k)) {
          const variable& v = *declared.find(name);
          const std::uint64_t bytes =
              v.space == state_space::param ? 4 * words_of(v) : std::max(4u, bytes_of(v.type));
          place(plan.saved, name, bytes, v.space == state_space::param ? 4 : bytes);
        }
    plan.bytes = up(plan.bytes, most_aligned);
    return plan;
  }

  static std::string move_type(scalar type) {
    switch (bytes_of(type)) {
      case 1: return "u8";
      case 2: return "u16";
      case 8: return "u64";
      default: return "u32";
    }
  }
  void save(const std::string& name, const variable& v, std::uint64_t at, bool out, const location& where,
            statements& to) const {
    if (v.space == state_space::param) {
      for (std::uint64_t k = 0; k < words_of(v); ++k) {
        if (!out)
          to.push_back(instruction("ld.local.u32", {named("%word$"), address("%frame$", at + 4 * k)}, where));
        const operand in_parameter = address(name, 4 * k);
        if (out)
          to.push_back(instruction("ld.param.b32", {named("%word$"), in_parameter}, where));
        else
          to.push_back(instruction("st.param.b32", {in_parameter, named("%word$")}, where));
        if (out)
          to.push_back(instruction("st.local.u32", {address("%frame$", at + 4 * k), named("%word$")}, where));
      }
    } else if (v.type == scalar::pred) {
      if (out) {
        to.push_back(instruction("selp.u32", {named("%word$"), number(1), number(0), named(name)}, where));
        to.push_back(instruction("st.local.u32", {address("%frame$", at), named("%word$")}, where));
      } else {
        to.push_back(instruction("ld.local.u32", {named("%word$"), address("%frame$", at)}, where));
        to.push_back(instruction("setp.ne.u32", {named(name), named("%word$"), number(0)}, where));
      }
    } else if (out) {
      to.push_back(instruction("st.local." + move_type(v.type), {address("%frame$", at), named(name)}, where));
    } else {
      to.push_back(instruction("ld.local." + move_type(v.type), {named(name), address("%frame$", at)}, where));
    }
  }

  // The body of a function that is reached by branches.
  void add_function(const function& original, statements& to) {
    const function f = renamed(original, "$" + std::to_string(bodies_++) + "_");
    const location& at = f.where;
    const names declared(f);
    const live_names live(f);
    const frame_plan plan = plan_of(f, live, declared);
    most_frame_ = std::max(most_frame_, plan.bytes);
    statement open;
    open.kind = statement_kind::scope_begin;
    to.push_back(open);
    const auto declare = [&](const variable& v) {
      if (v.space != state_space::param)
        file_.fail(v.where,
                   "a function with a stack has its arguments and results in parameters, not in registers");
      statement s = declaration(v.name, v.space, v.type, v.count, v.alignment);
      s.variables[0] = v;
      to.push_back(s);
    };
    for (const variable& v : f.parameters) declare(v);
    for (const variable& v : f.results) declare(v);
    to.push_back(label("$function" + original.name, at));
    std::uint64_t word = 0;
    for (const variable& v : f.parameters) copy_words(v.name, v, "%arg$", word, false, at, to);
    words_ = std::max(words_, word);
    const std::string leave = "$leave" + std::to_string(bodies_);
    for (std::size_t k = 0; k < f.body.size(); ++k) {
      statement s = f.body[k];
      if (s.kind == statement_kind::declaration) {
        s.variables.erase(std::remove_if(s.variables.begin(), s.variables.end(),
                                         [](const variable& v) { return v.space == state_space::local; }),
                          s.variables.end());
        to.push_back(s);
      } else if (s.kind == statement_kind::instruction && s.name == "ret") {
        to.push_back(s.guard.empty() ? branch(leave, s.where)
                                     : guarded(branch(leave, s.where), s.guard, s.guard_negated));
      } else if (is_stacked_call(s)) {
        for (const std::string& name : live.behind(k))
          save(name, *declared.find(name), plan.saved.at(name), true, s.where, to);
        call(s, declared, plan.bytes, to);
        for (const std::string& name : live.behind(k))
          save(name, *declared.find(name), plan.saved.at(name), false, s.where, to);
      } else if (s.name != ".callprototype") {
        in_frame(s, plan, to);
        to.push_back(s);
      }
    }
    to.push_back(label(leave, at));
    word = 0;
    for (const variable& v : f.results) copy_words(v.name, v, "%result$", word, true, at, to);
    results_ = std::max(results_, word);
    to.push_back(branch("$return", at));
    statement close;
    close.kind = statement_kind::scope_end;
    to.push_back(close);
  }

  // Local variables lie in the frame: their addresses are computed.
  void in_frame(statement& s, const frame_plan& plan, statements& to) {
    if (s.kind != statement_kind::instruction) return;
    for (operand& o : s.operands) {
      const auto found = plan.locals.find(o.name);
      if (found == plan.locals.end()) continue;
      const std::string place = "%place$" + std::to_string(places_++);
      to.push_back(instruction("add.u64", {named(place), named("%frame$"), number(found->second)}, s.where));
      o.name = place;
    }
  }

  function with_stack(const function& entry) {
    sites_.clear();
    wanted_.clear();
    words_ = results_ = places_ = 0;
    most_frame_ = 0;
    calls_pointers_ = false;
    function f = entry;
    const location at = entry.where;
    // The frames decide when the stack is full: their sizes come first.
    for (const std::string& name : stacked_) {
      const function* const g = function_named(name);
      if (g != nullptr && g->has_body)
        most_frame_ = std::max(most_frame_, plan_of(*g, live_names(*g), names(*g)).bytes);
    }
    if (most_frame_ > call_stack_bytes) file_.fail(at, "a function needs more than the stack of a thread");
    statements body;
    const names declared(entry);
    const auto set_up = [&] {
      body.push_back(instruction("mov.u32", {named("%sp$"), number(0)}, at));
      set_frame(body, at);
    };
    bool is_set_up = false;
    for (const statement& s : entry.body) {
      // Behind the declarations: parameters of PTX 1.x are among them.
      if (!is_set_up && s.kind != statement_kind::declaration) {
        set_up();
        is_set_up = true;
      }
      if (is_stacked_call(s))
        call(s, declared, 0, body);
      else if (s.name != ".callprototype")
        body.push_back(s);
    }
    body.push_back(instruction("ret", {}, at));
    std::set<std::string> done;
    for (;;) {
      if (calls_pointers_)
        for (const auto& [name, n] : numbers_)
          if (function_named(name)->has_body && stacked_.count(name) != 0) wanted_.insert(name);
      std::vector<std::string> next;
      for (const std::string& name : wanted_)
        if (done.count(name) == 0) next.push_back(name);
      if (next.empty()) break;
      for (const std::string& name : next) {
        done.insert(name);
        const function* const g = function_named(name);
        if (g == nullptr || !g->has_body)
          file_.fail(at, "function '" + name + "' has no body here; link it with -rdc=true");
        add_function(*g, body);
      }
    }
    dispatch("$return", "%back$", body, at, [&](const auto& to_label) {
      for (const site& s : sites_) to_label(s.number, s.label);
    });
    dispatch("$call", "%callee$", body, at, [&](const auto& to_label) {
      for (const auto& [name, n] : numbers_)
        if (done.count(name) != 0) to_label(n, "$function" + name);
    });
    statements head = {declaration("$stack", state_space::local, scalar::b8, call_stack_bytes, 16),
                       declaration("%sp$", state_space::reg, scalar::u32),
                       declaration("%word$", state_space::reg, scalar::u32),
                       declaration("%back$", state_space::reg, scalar::u32),
                       declaration("%callee$", state_space::reg, scalar::u32),
                       declaration("%offset$", state_space::reg, scalar::u64),
                       declaration("%frame$", state_space::reg, scalar::u64),
                       declaration("%full$", state_space::reg, scalar::pred),
                       declaration("%here$", state_space::reg, scalar::pred)};
    const auto range = [&](const char* name, scalar type, std::uint64_t count) {
      if (count != 0) head.push_back(declaration(name, state_space::reg, type, 1, 0, static_cast<unsigned>(count)));
    };
    range("%arg$", scalar::b32, words_);
    range("%result$", scalar::b32, results_);
    range("%place$", scalar::u64, places_);
    f.body = std::move(head);
    f.body.insert(f.body.end(), body.begin(), body.end());
    return f;
  }

  template <class targets>
  static void dispatch(const std::string& name, const std::string& in, statements& to, const location& at,
                       targets for_each) {
    to.push_back(label(name, at));
    if (in == "%back$") to.push_back(instruction("ld.local.u32", {named(in), address("%frame$", 0)}, at));
    for_each([&](std::uint64_t n, const std::string& target) {
      to.push_back(instruction("setp.eq.u32", {named("%here$"), named(in), number(n)}, at));
      to.push_back(guarded(branch(target, at), "%here$"));
    });
    to.push_back(instruction("trap", {}, at));
    to.push_back(instruction("exit", {}, at));
  }

  module_source& module_;
  const source_file& file_;
  std::map<std::string, const function*> functions_;
  std::map<std::string, std::size_t> numbers_;
  std::set<std::string> stacked_;
  std::vector<site> sites_;       // of the current kernel
  std::set<std::string> wanted_;  // functions that it may call
  std::uint64_t words_ = 0;       // of arguments
  std::uint64_t results_ = 0;     // words
  std::uint64_t places_ = 0;      // registers for addresses of local variables
  std::uint64_t most_frame_ = 0;  // bytes of the largest frame
  bool calls_pointers_ = false;
  unsigned bodies_ = 0;
};

}  // namespace

void put_calls_on_stack(module_source& module, const source_file& file) { stack_maker(module, file).run(); }

}  // namespace gt200::ptx
