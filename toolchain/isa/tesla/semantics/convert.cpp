#include "toolchain/isa/tesla/semantics/convert.h"

#include "toolchain/isa/tesla/semantics/groups.h"

namespace gt200::isa::tesla::semantics {

lane_function convert_function(const instruction& i) {
  if (bytes_of(i.source_type) == 8 || bytes_of(i.destination_type) == 8) return convert_long_function(i);
  switch (i.cvt) {
    case cvt_kind::i2i: return convert_integer_function(i);
    case cvt_kind::i2f: return convert_to_float_function(i);
    case cvt_kind::f2i: return convert_to_integer_function(i);
    case cvt_kind::f2f: return convert_float_function(i);
  }
  return nullptr;
}

}  // namespace gt200::isa::tesla::semantics
