#include "toolchain/ptx/address_spaces.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

namespace gt200::ptx {
namespace {

pointee pointee_of(state_space s) {
  switch (s) {
    case state_space::global: return pointee::global;
    case state_space::shared: return pointee::shared;
    case state_space::constant: return pointee::constant;
    case state_space::local: return pointee::local;
    default: return pointee::unknown;
  }
}

pointee pointee_named(const std::string& modifier) {
  if (modifier == "global") return pointee::global;
  if (modifier == "shared") return pointee::shared;
  if (modifier == "const") return pointee::constant;
  if (modifier == "local") return pointee::local;
  return pointee::unknown;
}

// True for anything but a number or a pointer to global memory.
bool is_special(pointee p) { return may_be(p, pointee::special); }

// The sum of a pointer and a number. A number may have come from memory.
pointee sum(pointee a, pointee b) {
  if (a == pointee::unknown || b == pointee::unknown) return a | b;
  if (!is_special(a) && !is_special(b)) return a | b;
  if (a == pointee::value) return b;
  if (b == pointee::value) return a;
  return may_be(a | b, pointee::value) ? a | b : pointee::any;
}

// A pointer minus a number, or the distance of two pointers, which is a number.
pointee difference(pointee a, pointee b) {
  if (b == pointee::unknown || (b == pointee::value && a != pointee::unknown)) return a;
  if (b == pointee::value) return b;
  const bool is_distance = !is_special(a | b) || (a == b && is_one(a));
  return is_distance ? pointee::unknown : pointee::any;
}

bool has(const statement& s, const char* modifier) {
  return std::find(s.modifiers.begin(), s.modifiers.end(), modifier) != s.modifiers.end();
}

// Maps the arguments of a call to its results. Functions still being analysed, and calls nested too deeply, return
// anything.
struct call_kind {
  const function* callee;
  std::vector<pointee> arguments;
  bool operator<(const call_kind& o) const { return std::tie(callee, arguments) < std::tie(o.callee, o.arguments); }
};
struct known_calls {
  std::map<call_kind, std::vector<pointee>> results;
  unsigned depth = 0;
  pointee stored = pointee::unknown;  // by all functions so far, in 64 bits
};
constexpr unsigned max_call_depth = 32;  // as when functions are inlined

// Part of a pointer is neither a pointer nor certainly a number.
bool has_narrow_type(const statement& s) {
  for (const char* type : {"u8", "s8", "b8", "u16", "s16", "b16"})
    if (has(s, type)) return true;
  return false;
}

bool has_pointer_type(const statement& s) { return has(s, "u64") || has(s, "b64") || has(s, "s64"); }

class inference {
 public:
  inference(const function& f, const module_layout& layout, const address_spaces& arguments, known_calls& calls)
      : f_(f), layout_(layout), given_(arguments), calls_(calls) {
    const auto declare = [&](const variable& v) {
      if (v.space == state_space::param && f.is_entry) given_[v.name] = pointee::value;
      if (pointee_of(v.space) != pointee::unknown) variables_[v.name] = pointee_of(v.space);
      if (v.space == state_space::param) parameters_.insert(v.name);
    };
    for (const variable* v : layout.per_thread) declare(*v);
    for (const variable& v : f.parameters) declare(v);
    for (const variable& v : f.results) declare(v);
    // An entry of PTX 1.0 to 1.3 declares its parameters in its body; parameters in a scope belong to calls.
    unsigned depth = 0;
    for (const statement& s : f.body) {
      if (s.kind == statement_kind::scope_begin) ++depth;
      if (s.kind == statement_kind::scope_end) --depth;
      for (const variable& v : s.variables) {
        if (depth == 0)
          declare(v);
        else if (v.space == state_space::param)
          parameters_.insert(v.name);
        else if (pointee_of(v.space) != pointee::unknown)
          variables_[v.name] = pointee_of(v.space);
      }
    }
  }

  // Each round derives the registers from the findings of the round before, until nothing changes.
  address_spaces run() {
    for (unsigned round = 0;; ++round) {
      found_ = given_;
      for (const statement& s : f_.body)
        if (s.kind == statement_kind::instruction) follow(s);
      if (found_ == known_) return known_;
      if (round >= max_rounds)
        for (auto& [name, where] : found_)
          if (known_[name] != where) where = pointee::any;
      known_ = found_;
      if (round >= max_rounds) return known_;
    }
  }

 private:
  static constexpr unsigned max_rounds = 64;

  pointee of(const operand& o) const {
    if (o.kind == operand_kind::vector) return is_special(of_elements(o)) ? pointee::any : pointee::unknown;
    if (o.kind != operand_kind::name && o.kind != operand_kind::address) return pointee::unknown;
    const auto variable = variables_.find(o.name);
    if (variable != variables_.end()) return variable->second;
    const auto module = layout_.variables.find(o.name);
    if (module != layout_.variables.end()) return pointee_of(module->second.declared->space);
    const auto here = found_.find(o.name);
    if (here != found_.end()) return here->second;
    const auto before = known_.find(o.name);
    return before == known_.end() ? pointee::unknown : before->second;
  }

  pointee of_elements(const operand& o) const {
    pointee all = pointee::unknown;
    for (const operand& e : o.elements) all = all | of(e);
    return all;
  }

  void point(const operand& to, pointee where) {
    if (to.name.empty()) return;
    const auto [now, fresh] = found_.emplace(to.name, where);
    if (!fresh) now->second = now->second | where;
  }

  void follow(const statement& s) {
    if (s.name == "call") return follow_call(s);
    if (s.operands.size() < 2) return;
    const operand& to = s.operands[0];
    if (s.name == "cvta") {
      pointee where = without(of(s.operands[1]), pointee::marked);
      for (const std::string& m : s.modifiers)
        if (pointee_named(m) != pointee::unknown) where = pointee_named(m);
      if (!has(s, "to") && is_special(where)) where = where | pointee::marked;
      point(to, where);
    } else if (s.name == "ld" || s.name == "ldu") {
      const bool parameter = parameters_.count(s.operands[1].name) != 0;
      const pointee where = parameter ? of(s.operands[1]) : from_memory(s);
      if (to.kind == operand_kind::vector)
        for (const operand& e : to.elements) point(e, where);
      else
        point(to, where);
    } else if (s.name == "st") {
      if (parameters_.count(to.name) != 0)
        point(to, of(s.operands[1]));
      else
        keep(s, s.operands[1]);
    } else if (!has(s, "f32") && !has(s, "f64") && to.kind == operand_kind::name) {
      point(to, computed(s));
    } else if (s.name == "mov" && to.kind == operand_kind::vector && is_special(of(s.operands[1]))) {
      for (const operand& e : to.elements) point(e, pointee::any);
    }
  }

  // Only a load of 64 bits can be one of a marked pointer.
  pointee from_memory(const statement& s) const {
    return has_pointer_type(s) ? pointee::value | layout_.kept : pointee::value;
  }
  void keep(const statement& s, const operand& o) {
    if (!has_pointer_type(s)) return;
    calls_.stored = calls_.stored | of(o) | of_elements(o);
  }

  pointee computed(const statement& s) {
    static const std::set<std::string> sums = {"add", "or", "addc"};
    static const std::set<std::string> choices = {"mov", "selp", "min", "max", "cvt", "slct"};
    static const std::set<std::string> numbers = {"setp", "set",  "atom", "red",     "tex",
                                                  "vote", "popc", "clz",  "isspacep"};
    const std::vector<operand>& o = s.operands;
    if (s.name == "atom")
      for (std::size_t k = 2; k < o.size(); ++k) keep(s, o[k]);
    if (numbers.count(s.name) != 0) return s.name == "atom" ? from_memory(s) : pointee::unknown;
    if (choices.count(s.name) != 0) {
      pointee result = of(o[1]);
      if (is_special(result) && has_narrow_type(s)) return pointee::any;
      if (o.size() > 2) result = result | of(o[2]);
      return result;
    }
    if (o.size() > 2 && sums.count(s.name) != 0) return sum(of(o[1]), of(o[2]));
    if (o.size() > 2 && (s.name == "sub" || s.name == "subc")) return difference(of(o[1]), of(o[2]));
    if (o.size() > 2 && s.name == "and") return masked(o[1], o[2]);
    // Among the other instructions, only a multiply-add makes one pointer from another. Anything else made from a
    // special pointer cannot be followed as a pointer and is not certainly a number.
    const bool adds = (s.name == "mad" || s.name == "mad24") && o.size() > 3;
    for (std::size_t k = 1; k < (adds ? 3 : o.size()); ++k)
      if (is_special(of(o[k]))) return pointee::any;
    return adds ? of(o[3]) : pointee::unknown;
  }

  // Masking the upper bits of a pointer leaves a pointer; its lower bits are a number.
  pointee masked(const operand& a, const operand& b) const {
    if (a.kind == operand_kind::integer) return b.kind == operand_kind::integer ? pointee::unknown : masked(b, a);
    if (b.kind != operand_kind::integer)
      return is_special(of(a)) || is_special(of(b)) ? pointee::any : sum(of(a), of(b));
    constexpr std::uint64_t sign = 1u << 31;
    return (b.value & sign) != 0 || of(a) == pointee::value ? of(a) : pointee::unknown;
  }

  // call (results), function, (arguments)
  void follow_call(const statement& s) {
    const function* callee = nullptr;
    std::vector<operand> lists[2];  // before and after the name
    for (const operand& o : s.operands) {
      if (o.kind == operand_kind::list) {
        lists[callee == nullptr ? 0 : 1] = o.elements;
      } else if (const auto found = layout_.functions.find(o.name); found != layout_.functions.end()) {
        callee = found->second;
      }
    }
    if (callee == nullptr) return;
    std::vector<pointee> arguments;
    for (const operand& a : lists[1]) arguments.push_back(of(a));
    const std::vector<pointee>& results = results_of(*callee, arguments);
    for (std::size_t k = 0; k < lists[0].size() && k < results.size(); ++k) point(lists[0][k], results[k]);
  }

  const std::vector<pointee>& results_of(const function& callee, const std::vector<pointee>& arguments) {
    const auto [call, fresh] = calls_.results.try_emplace({&callee, arguments});
    if (!fresh) return call->second;
    call->second.assign(callee.results.size(), pointee::any);
    if (calls_.depth == max_call_depth) return call->second;
    address_spaces given;
    for (std::size_t k = 0; k < arguments.size() && k < callee.parameters.size(); ++k)
      given[callee.parameters[k].name] = arguments[k];
    ++calls_.depth;
    const address_spaces known = inference(callee, layout_, given, calls_).run();
    --calls_.depth;
    for (std::size_t k = 0; k < callee.results.size(); ++k) {
      const auto result = known.find(callee.results[k].name);
      call->second[k] = result == known.end() ? pointee::unknown : result->second;
    }
    return call->second;
  }

  const function& f_;
  const module_layout& layout_;
  address_spaces given_;  // parameters
  known_calls& calls_;
  address_spaces known_;  // found by the round before
  address_spaces found_;  // found in this round so far
  address_spaces variables_;
  std::set<std::string> parameters_;
};

}  // namespace

address_spaces infer_address_spaces(const function& f, const module_layout& layout,
                                    const address_spaces& arguments) {
  known_calls calls;
  return inference(f, layout, arguments, calls).run();
}

void find_kept_pointers(const module_source& module, pointee windowless, module_layout& layout) {
  pointee pointed_to = pointee::unknown;
  for (const function& f : module.functions)
    for (const statement& s : f.body)
      if (s.name == "cvta" && !has(s, "to"))
        for (const std::string& m : s.modifiers) pointed_to = pointed_to | pointee_named(m);
  if (!may_be(pointed_to, windowless)) return;
  layout.pointed_to = (pointed_to & windowless) | pointee::marked;
  // A pointer that is kept decides what a load may return, and so which others are kept.
  for (pointee before = pointee::any; before != layout.kept;) {
    before = layout.kept;
    known_calls calls;
    for (const function& f : module.functions)
      if (f.is_entry && f.has_body) inference(f, layout, {}, calls).run();
    if (may_be(calls.stored, windowless)) layout.kept = layout.kept | (calls.stored & layout.pointed_to);
  }
}

bool uses_fence(const function& f, const module_layout& layout) {
  for (const function* used : with_callees(f, layout))
    for (const statement& s : used->body)
      if ((s.name == "membar" || s.name == "fence") && !has(s, "cta")) return true;
  return false;
}

}  // namespace gt200::ptx
