#include "toolchain/ptx/texture_objects.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace gt200::ptx {
namespace {

constexpr unsigned max_moves = 8;

std::map<std::string, std::uint64_t> offsets_of(const function& entry) {
  std::map<std::string, std::uint64_t> offsets;
  std::uint64_t end = 0;
  for (const variable& v : entry.parameters) {
    const std::uint64_t unit = std::max(v.natural_alignment(), 1u);
    end = (end + unit - 1) / unit * unit;
    offsets[v.name] = end;
    end += v.bytes();
  }
  return offsets;
}

// The byte of the parameters from which all values of the register come.
std::optional<std::uint64_t> offset_of(const function& f, const std::map<std::string, std::uint64_t>& offsets,
                                       const std::string& name, unsigned depth = 0) {
  std::optional<std::uint64_t> found;
  if (depth == max_moves) return found;
  for (const statement& s : f.body) {
    if (s.kind != statement_kind::instruction || s.operands.size() != 2 || s.operands[0].name != name) continue;
    std::optional<std::uint64_t> from;
    const auto parameter = offsets.find(s.operands[1].name);
    if (s.name == "ld" && !s.modifiers.empty() && s.modifiers[0] == "param" && parameter != offsets.end())
      from = parameter->second + s.operands[1].value;
    else if (s.name == "mov" || s.name == "cvta")
      from = offset_of(f, offsets, s.operands[1].name, depth + 1);
    if (!from || (found && *found != *from)) return std::nullopt;
    found = from;
  }
  return found;
}

}  // namespace

void name_texture_objects(module_source& module) {
  std::set<std::string> textures;
  for (const variable& v : module.variables)
    if (v.space == state_space::texture) textures.insert(v.name);
  for (function& f : module.functions) {
    if (!f.is_entry) continue;
    const std::map<std::string, std::uint64_t> offsets = offsets_of(f);
    std::map<std::string, std::string> objects;  // of registers
    for (const statement& s : f.body) {
      if (s.kind != statement_kind::instruction || s.name != "tex" || s.operands.size() < 2) continue;
      const std::string& handle = s.operands[1].name;
      if (const auto offset = offset_of(f, offsets, handle)) objects[handle] = texture_object_name(f.name, *offset);
    }
    for (statement& s : f.body)
      if (s.kind == statement_kind::instruction && s.name == "tex" && s.operands.size() >= 2)
        if (const auto found = objects.find(s.operands[1].name); found != objects.end())
          s.operands[1].name = found->second;
    for (const auto& [handle, name] : objects)
      if (textures.insert(name).second) {
        variable v;
        v.name = name;
        v.space = state_space::texture;
        v.type = scalar::u64;
        v.where = f.where;
        module.variables.push_back(v);
      }
  }
}

}  // namespace gt200::ptx
