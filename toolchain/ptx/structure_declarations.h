// Declarations: parameters, shared variables, local variables and registers. Included where a target's lowering is
// instantiated.
#pragma once

#include "toolchain/ptx/structure.h"

namespace gt200::ptx {

constexpr std::uint32_t align_to(std::uint32_t value, std::uint32_t alignment) {
  const std::uint32_t unit = std::max(alignment, 1u);
  return (value + unit - 1) / unit * unit;
}

template <class machine>
std::uint32_t structure<machine>::place_parameters(const function& entry, cubin::kernel& kernel) {
  constexpr const cubin::architecture& hardware = machine::architecture;
  const std::uint32_t first =
      hardware.parameters_in_shared ? hardware.shared_header_bytes : hardware.parameter_base;
  std::uint32_t end = 0;
  const auto place = [&](const variable& v) {
    const auto bytes = static_cast<std::uint32_t>(v.bytes());
    end = align_to(end, v.natural_alignment());
    symbol s;
    s.kind = symbol_kind::memory;
    s.space = state_space::param;
    s.type = v.type;
    s.offset = first + end;
    if (!scopes_.back().symbols.emplace(v.name, s).second)
      file_.fail(v.where, "'" + v.name + "' is declared twice");
    kernel.parameters.push_back({end, bytes});
    end += bytes;
    if (end > hardware.max_parameter_bytes)
      file_.fail(v.where, "the parameters exceed " + std::to_string(hardware.max_parameter_bytes) + " bytes");
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
  return first + end;
}

template <class machine>
void structure<machine>::place_shared(const function& entry) {
  const std::set<std::string> used = names_used(entry, layout_);
  std::vector<const variable*> dynamic;
  const auto place = [&](const variable& v) {
    function_.shared_bytes = align_to(function_.shared_bytes, v.natural_alignment());
    symbol s;
    s.kind = symbol_kind::memory;
    s.space = state_space::shared;
    s.offset = function_.shared_bytes;
    function_.shared_bytes += static_cast<std::uint32_t>(v.bytes());
    if (v.bytes() > machine::architecture.max_shared_bytes ||
        function_.shared_bytes > machine::architecture.max_shared_bytes)
      file_.fail(v.where,
                 "shared memory exceeds " + std::to_string(machine::architecture.max_shared_bytes / 1024) + " KB");
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
  function_.shared_bytes = align_to(function_.shared_bytes, alignment);
  for (const variable* v : dynamic) {
    symbol s;
    s.kind = symbol_kind::memory;
    s.space = state_space::shared;
    s.offset = function_.shared_bytes;
    scopes_.front().symbols[v->name] = s;
  }
}

// Those of module scope. Memory is allocated only for what the kernel uses.
template <class machine>
void structure<machine>::declare_per_thread(const function& entry) {
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

template <class machine>
void structure<machine>::declare(const variable& v) {
  scope& here = scopes_.back();
  symbol s;
  switch (v.space) {
    case state_space::reg:
      if (v.count != 1) file_.fail(v.where, "there are no arrays of registers; %r<8> declares %r0 to %r7");
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
      function_.local_bytes = align_to(function_.local_bytes, v.natural_alignment());
      s.offset = function_.local_bytes;
      if (function_.local_bytes > machine::architecture.max_local_bytes ||
          v.bytes() > machine::architecture.max_local_bytes - function_.local_bytes)
        file_.fail(v.where,
                   "local memory exceeds " + std::to_string(machine::architecture.max_local_bytes / 1024) + " KB");
      function_.local_bytes += static_cast<std::uint32_t>(v.bytes());
      break;
    case state_space::param:
      if (scopes_.size() == 1 && here.symbols.count(v.name) != 0) return;  // a parameter of the entry
      s.kind = symbol_kind::parameter_bytes;
      s.type = v.type;
      if (v.bytes() > machine::architecture.max_parameter_bytes)
        file_.fail(v.where,
                   "the parameter exceeds " + std::to_string(machine::architecture.max_parameter_bytes) + " bytes");
      for (std::uint64_t k = 0; k < (v.bytes() + 3) / 4; ++k) s.words.push_back(out_.word());
      break;
    case state_space::shared: {
      if (scopes_.size() == 1 && scopes_.front().symbols.count(v.name) != 0) return;  // of the entry itself
      file_.fail(v.where,
                 "shared variables of device functions, and within braces, must stand outside the function");
    }
    default: file_.fail(v.where, "this declaration is not possible inside functions");
  }
  here.symbols[v.name] = std::move(s);
}

}  // namespace gt200::ptx
