#include "toolchain/ptx/pointer_parameters.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace gt200::ptx {
namespace {

bool has(const statement& s, const char* modifier) {
  return std::find(s.modifiers.begin(), s.modifiers.end(), modifier) != s.modifiers.end();
}

class finder {
 public:
  finder(const function& f, const std::vector<cubin::parameter>& parameters) : f_(f) {
    std::size_t next = 0;
    const auto declare = [&](const variable& v) {
      if (v.space == state_space::param && next < parameters.size())
        parameters_[v.name] = parameters[next++].offset;
    };
    for (const variable& v : f.parameters) declare(v);
    // An entry of PTX 1.0 to 1.3 declares its parameters in its body; parameters in a scope belong to calls.
    unsigned depth = 0;
    for (const statement& s : f.body) {
      if (s.kind == statement_kind::scope_begin) ++depth;
      if (s.kind == statement_kind::scope_end) --depth;
      if (depth == 0)
        for (const variable& v : s.variables) declare(v);
    }
  }

  std::vector<std::uint32_t> run() {
    // Registers of a structured text get their value before it is used; a second round finds those of a loop.
    for (unsigned round = 0; round < 2; ++round)
      for (const statement& s : f_.body)
        if (s.kind == statement_kind::instruction) follow(s);
    std::vector<std::uint32_t> offsets;
    for (const std::string& name : pointers_)
      for (const std::uint32_t offset : values_[name]) offsets.push_back(offset);
    std::sort(offsets.begin(), offsets.end());
    offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
    return offsets;
  }

 private:
  // The offset of the parameter that an operand names, itself or by a register that has its address.
  std::optional<std::uint32_t> place_of(const operand& o) const {
    const auto offset = static_cast<std::uint32_t>(o.value);
    if (const auto found = parameters_.find(o.name); found != parameters_.end()) return found->second + offset;
    if (const auto found = addresses_.find(o.name); found != addresses_.end()) return found->second + offset;
    return std::nullopt;
  }

  void follow(const statement& s) {
    if (s.operands.size() < 2) return;
    const operand& to = s.operands[0];
    const operand& from = s.operands[1];
    if (s.name == "ld" && has(s, "param")) {
      const auto place = place_of(from);
      if (place && to.kind == operand_kind::name && (has(s, "u64") || has(s, "b64") || has(s, "s64")))
        values_[to.name].insert(*place);
    } else if (s.name == "mov" || s.name == "cvta") {
      if (has(s, "to") && has(s, "global")) pointers_.insert(from.name);
      if (const auto place = place_of(from)) addresses_[to.name] = *place;
      if (const auto value = values_.find(from.name); value != values_.end()) {
        const std::set<std::uint32_t> offsets = value->second;
        values_[to.name].insert(offsets.begin(), offsets.end());
      }
    }
    if (has(s, "global") && s.name != "cvta")
      for (const operand& o : s.operands)
        if (o.kind == operand_kind::address) pointers_.insert(o.name);
  }

  const function& f_;
  std::map<std::string, std::uint32_t> parameters_;
  std::map<std::string, std::uint32_t> addresses_;         // registers with the address of a parameter
  std::map<std::string, std::set<std::uint32_t>> values_;  // registers with the value of a parameter
  std::set<std::string> pointers_;                         // registers
};

}  // namespace

std::vector<std::uint32_t> pointer_parameters(const function& f, const std::vector<cubin::parameter>& parameters) {
  return finder(f, parameters).run();
}

}  // namespace gt200::ptx
