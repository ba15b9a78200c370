// Compares two modules: are they the same program?
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "toolchain/cubin/module.h"

namespace gt200::cubin {

// Content of the constant spaces; bytes that no segment initialises are zero.
inline std::array<std::vector<std::uint8_t>, 18> constant_image(const std::vector<constant_segment>& segments) {
  std::array<std::vector<std::uint8_t>, 18> image;
  for (const constant_segment& s : segments) {
    std::vector<std::uint8_t>& space = image.at(s.space);
    space.resize(std::max<std::size_t>(space.size(), s.offset + s.size), 0);
    std::copy(s.data.begin(), s.data.end(), space.begin() + s.offset);
  }
  return image;
}

inline std::vector<std::uint8_t> without_trailing_zeros(std::vector<std::uint8_t> bytes) {
  while (!bytes.empty() && bytes.back() == 0) bytes.pop_back();
  return bytes;
}

// Every block has a header of 16 bytes and its parameters, even if the container does not count them.
inline std::uint32_t least_shared_bytes(const kernel& k) {
  std::uint32_t end = 0;
  for (const parameter& p : k.parameters) end = std::max(end, p.offset + p.size);
  return std::max(k.shared_bytes, 16 + end);
}

// The first difference that matters for execution or that a user sees; empty when there is none. Names of
// constants, file names and source lines are not compared.
inline std::string difference(const module& a, const module& b) {
  const auto differs = [](const std::string& what, auto x, auto y) {
    return x == y ? std::string() : fmt::format("{}: {} and {}", what, x, y);
  };
  std::string found = differs("capability", a.capability, b.capability);
  if (found.empty()) found = differs("address bytes", a.address_bytes, b.address_bytes);
  if (found.empty()) found = differs("kernels", a.kernels.size(), b.kernels.size());
  for (std::size_t i = 0; found.empty() && i < a.kernels.size(); ++i) {
    const kernel& x = a.kernels[i];
    const kernel& y = b.kernels[i];
    found = differs("name", x.name, y.name);
    if (found.empty()) found = differs("registers", x.registers, y.registers);
    const bool parameters_in_shared = a.capability < 20;
    if (found.empty())
      found = parameters_in_shared ? differs("shared", least_shared_bytes(x), least_shared_bytes(y))
                                   : differs("shared", x.shared_bytes, y.shared_bytes);
    if (found.empty()) found = differs("parameter base", x.parameter_base, y.parameter_base);
    if (found.empty()) found = differs("local", x.local_bytes, y.local_bytes);
    if (found.empty()) found = differs("barriers", x.barriers, y.barriers);
    if (found.empty()) found = differs("code size", x.code.size(), y.code.size());
    for (std::size_t k = 0; found.empty() && k < x.code.size(); ++k)
      found = differs(fmt::format("word {} of {}", k, x.name), x.code[k], y.code[k]);
    if (found.empty()) found = differs("parameters", x.parameters.size(), y.parameters.size());
    for (std::size_t k = 0; found.empty() && k < x.parameters.size(); ++k) {
      found = differs("parameter offset", x.parameters[k].offset, y.parameters[k].offset);
      if (found.empty()) found = differs("parameter size", x.parameters[k].size, y.parameters[k].size);
    }
    if (found.empty() && constant_image(x.constants) != constant_image(y.constants))
      found = "constants of " + x.name;
  }
  if (found.empty() && constant_image(a.constants) != constant_image(b.constants)) found = "constants";
  // The order of variables follows their addresses in the container.
  auto variables_a = a.globals;
  auto variables_b = b.globals;
  for (auto* variables : {&variables_a, &variables_b})
    std::sort(variables->begin(), variables->end(),
              [](const global_variable& x, const global_variable& y) { return x.name < y.name; });
  if (found.empty()) found = differs("variables", variables_a.size(), variables_b.size());
  for (std::size_t i = 0; found.empty() && i < variables_a.size(); ++i) {
    found = differs("variable", variables_a[i].name, variables_b[i].name);
    if (found.empty()) found = differs("variable size", variables_a[i].size, variables_b[i].size);
    if (found.empty() && without_trailing_zeros(variables_a[i].data) != without_trailing_zeros(variables_b[i].data))
      found = "content of " + variables_a[i].name;
  }
  auto relocations_a = a.relocations;
  auto relocations_b = b.relocations;
  for (auto* relocations : {&relocations_a, &relocations_b})
    std::sort(relocations->begin(), relocations->end(), [](const relocation& x, const relocation& y) {
      return x.space != y.space ? x.space < y.space : x.offset < y.offset;
    });
  if (found.empty()) found = differs("relocations", relocations_a.size(), relocations_b.size());
  for (std::size_t i = 0; found.empty() && i < relocations_a.size(); ++i) {
    found = differs("relocation", relocations_a[i].name, relocations_b[i].name);
    if (found.empty()) found = differs("relocation space", relocations_a[i].space, relocations_b[i].space);
    if (found.empty()) found = differs("relocation offset", relocations_a[i].offset, relocations_b[i].offset);
  }
  if (found.empty()) found = differs("samplers", a.samplers.size(), b.samplers.size());
  for (std::size_t i = 0; found.empty() && i < a.samplers.size(); ++i) {
    found = differs("sampler", a.samplers[i].name, b.samplers[i].name);
    if (found.empty()) found = differs("texture unit", a.samplers[i].texture_unit, b.samplers[i].texture_unit);
  }
  return found;
}

}  // namespace gt200::cubin
