#include "toolchain/ptx/module_layout.h"

namespace gt200::ptx {
namespace {

constexpr std::uint64_t constant_bank_bytes = 65536;

std::vector<std::uint8_t> bytes_of_values(const variable& v, const source_file& file) {
  const unsigned size = bytes_of(v.type);
  std::vector<std::uint8_t> bytes;
  for (const initial_value& i : v.values) {
    if (!i.symbol.empty()) file.fail(i.where, "addresses as initial values are not supported");
    for (unsigned k = 0; k < size; ++k) bytes.push_back(static_cast<std::uint8_t>(i.number.bits >> (8 * k)));
  }
  if (bytes.size() > v.bytes()) file.fail(v.where, "more initial values than elements");
  return bytes;
}

void collect_names(const operand& o, std::set<std::string>& names) {
  if (!o.name.empty()) names.insert(o.name);
  for (const operand& e : o.elements) collect_names(e, names);
}

}  // namespace

module_layout lay_out_module(const module_source& source, const source_file& file,
                             const cubin::architecture& hardware, cubin::module& module) {
  module_layout layout;
  std::uint64_t constant_end = 0;
  for (const variable& v : source.variables) {
    placed_variable placed{&v, 0};
    switch (v.space) {
      case state_space::constant: {
        const std::uint64_t alignment = v.natural_alignment();
        constant_end = (constant_end + alignment - 1) / alignment * alignment;
        placed.offset = static_cast<std::uint32_t>(constant_end);
        constant_end += v.bytes();
        if (constant_end > constant_bank_bytes) file.fail(v.where, "constants exceed 64 KB");
        module.constants.push_back({v.name, hardware.user_space, placed.offset,
                                    static_cast<std::uint32_t>(v.bytes()), bytes_of_values(v, file)});
        break;
      }
      case state_space::global:
        placed.offset = static_cast<std::uint32_t>(module.address_bytes * module.relocations.size());
        module.globals.push_back(
            {v.name, static_cast<std::uint32_t>(v.bytes()), v.natural_alignment(), bytes_of_values(v, file)});
        module.relocations.push_back({v.name, hardware.address_space, placed.offset});
        break;
      case state_space::texture:
        placed.offset = static_cast<std::uint32_t>(module.samplers.size());
        module.samplers.push_back({v.name, placed.offset});
        break;
      case state_space::shared: break;
      case state_space::reg:
      case state_space::local:
      case state_space::param: layout.per_thread.push_back(&v); continue;
      default: file.fail(v.where, "this state space is not possible outside functions");
    }
    if (!layout.variables.emplace(v.name, placed).second) file.fail(v.where, "'" + v.name + "' is defined twice");
  }
  std::set<std::string> names;
  for (const variable* v : layout.per_thread)
    if (layout.variables.count(v->name) != 0 || !names.insert(v->name).second)
      file.fail(v->where, "'" + v->name + "' is defined twice");
  for (const function& f : source.functions) {
    const auto [known, is_new] = layout.functions.emplace(f.name, &f);
    if (is_new || !f.has_body) continue;
    if (known->second->has_body) file.fail(f.where, "'" + f.name + "' is defined twice");
    known->second = &f;
  }
  return layout;
}

std::vector<const function*> with_callees(const function& f, const module_layout& layout) {
  std::vector<const function*> found = {&f};
  std::set<const function*> seen = {&f};
  for (std::size_t next = 0; next < found.size(); ++next)
    for (const statement& s : found[next]->body) {
      if (s.name != "call") continue;
      std::set<std::string> names;
      for (const operand& o : s.operands) collect_names(o, names);
      for (const std::string& name : names) {
        const auto callee = layout.functions.find(name);
        if (callee != layout.functions.end() && seen.insert(callee->second).second) found.push_back(callee->second);
      }
    }
  return found;
}

std::set<std::string> names_used(const function& f, const module_layout& layout) {
  std::set<std::string> names;
  for (const function* used : with_callees(f, layout))
    for (const statement& s : used->body)
      for (const operand& o : s.operands) collect_names(o, names);
  return names;
}

}  // namespace gt200::ptx
