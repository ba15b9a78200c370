#include "toolchain/ptx/address_spaces.h"

#include <algorithm>
#include <set>

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

// A certain space outweighs what may be no pointer at all.
pointee join(pointee a, pointee b) {
  if (a == b || b == pointee::unknown) return a;
  if (a == pointee::unknown) return b;
  if (a == pointee::global_value) return b;
  if (b == pointee::global_value) return a;
  return pointee::generic;
}

bool has(const statement& s, const char* modifier) {
  return std::find(s.modifiers.begin(), s.modifiers.end(), modifier) != s.modifiers.end();
}

class inference {
 public:
  inference(const function& f, const module_layout& layout, const address_spaces& arguments)
      : f_(f), layout_(layout), known_(arguments) {
    const auto declare = [&](const variable& v) {
      if (v.space == state_space::param && f.is_entry) known_[v.name] = pointee::global_value;
      if (pointee_of(v.space) != pointee::unknown) variables_[v.name] = pointee_of(v.space);
      if (v.space == state_space::param) parameters_.insert(v.name);
    };
    for (const variable& v : f.parameters) declare(v);
    for (const variable& v : f.results) declare(v);
    for (const statement& s : f.body)
      for (const variable& v : s.variables) declare(v);
  }

  address_spaces run() {
    for (changed_ = true; changed_;) {
      changed_ = false;
      for (const statement& s : f_.body)
        if (s.what == statement::kind::instruction) follow(s);
    }
    return known_;
  }

 private:
  pointee of(const operand& o) const {
    if (o.kind != operand_kind::name && o.kind != operand_kind::address) return pointee::unknown;
    const auto variable = variables_.find(o.name);
    if (variable != variables_.end()) return variable->second;
    const auto module = layout_.variables.find(o.name);
    if (module != layout_.variables.end()) return pointee_of(module->second.declared->space);
    const auto found = known_.find(o.name);
    return found == known_.end() ? pointee::unknown : found->second;
  }

  void point(const operand& to, pointee where) {
    if (where == pointee::unknown || to.name.empty()) return;
    pointee& now = known_[to.name];
    const pointee joined = join(now, where);
    changed_ = changed_ || joined != now;
    now = joined;
  }

  void follow(const statement& s) {
    static const std::set<std::string> arithmetic = {"mov",  "add", "sub", "and", "or",
                                                     "selp", "mad", "min", "max", "cvt"};
    if (s.operands.size() < 2) return;
    const operand& to = s.operands[0];
    if (s.name == "cvta") {
      pointee where = of(s.operands[1]);
      for (const std::string& m : s.modifiers)
        if (pointee_named(m) != pointee::unknown) where = pointee_named(m);
      point(to, where);
    } else if (arithmetic.count(s.name) != 0 && !has(s, "f32") && !has(s, "f64")) {
      for (std::size_t k = 1; k < s.operands.size(); ++k) point(to, of(s.operands[k]));
    } else if (s.name == "ld") {
      const bool parameter = parameters_.count(s.operands[1].name) != 0;
      const pointee where = parameter ? of(s.operands[1]) : pointee::global_value;
      if (to.kind == operand_kind::vector)
        for (const operand& e : to.elements) point(e, where);
      else
        point(to, where);
    } else if (s.name == "st" && parameters_.count(to.name) != 0) {
      point(to, of(s.operands[1]));
    } else if (s.name == "call" && to.kind == operand_kind::list) {
      for (const operand& e : to.elements) point(e, pointee::global_value);
    }
  }

  const function& f_;
  const module_layout& layout_;
  address_spaces known_;
  address_spaces variables_;
  std::set<std::string> parameters_;
  bool changed_ = false;
};

bool uses_fence(const function& f, const module_layout& layout, std::set<std::string>& seen) {
  if (!seen.insert(f.name).second) return false;
  for (const statement& s : f.body) {
    if ((s.name == "membar" || s.name == "fence") && !has(s, "cta")) return true;
    if (s.name != "call") continue;
    for (const operand& o : s.operands) {
      const auto callee = layout.functions.find(o.name);
      if (callee != layout.functions.end() && uses_fence(*callee->second, layout, seen)) return true;
    }
  }
  return false;
}

}  // namespace

address_spaces infer_address_spaces(const function& f, const module_layout& layout,
                                    const address_spaces& arguments) {
  return inference(f, layout, arguments).run();
}

bool uses_fence(const function& f, const module_layout& layout) {
  std::set<std::string> seen;
  return uses_fence(f, layout, seen);
}

}  // namespace gt200::ptx
