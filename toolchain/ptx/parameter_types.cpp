#include "toolchain/ptx/parameter_types.h"

#include "toolchain/ptx/ast.h"

namespace gt200::ptx {
namespace {

number_kind kind_of(const variable& v) {
  if (v.count != 1 || v.vector != 1) return number_kind::none;
  switch (v.type) {
    case scalar::u8:
    case scalar::u16:
    case scalar::u32:
    case scalar::u64:
    case scalar::s8:
    case scalar::s16:
    case scalar::s32:
    case scalar::s64: return number_kind::integer;
    case scalar::f32:
    case scalar::f64: return number_kind::real;
    default: return number_kind::none;
  }
}

}  // namespace

std::vector<number_kind> parameter_types_of(const function& entry) {
  std::vector<number_kind> kinds;
  for (const variable& v : entry.parameters) kinds.push_back(kind_of(v));
  if (!kinds.empty()) return kinds;
  // An entry of PTX 1.0 to 1.3 declares its parameters in its body; parameters in a scope belong to calls.
  unsigned depth = 0;
  for (const statement& s : entry.body) {
    if (s.kind == statement_kind::scope_begin) ++depth;
    if (s.kind == statement_kind::scope_end) --depth;
    if (s.kind != statement_kind::declaration || depth != 0) continue;
    for (const variable& v : s.variables)
      if (v.space == state_space::param) kinds.push_back(kind_of(v));
  }
  return kinds;
}

}  // namespace gt200::ptx
