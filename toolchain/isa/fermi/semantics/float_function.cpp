// mufu and rro. Assumption: the interpolator of GT200 with its range reduction (tesla/semantics/sfu_units.h).
#include <cmath>

#include "toolchain/isa/fermi/semantics/float_value.h"
#include "toolchain/isa/fermi/semantics/lanes.h"
#include "toolchain/isa/tesla/semantics/host_float.h"
#include "toolchain/isa/tesla/semantics/sfu_tables/tables.h"
#include "toolchain/isa/tesla/semantics/sfu_units.h"

namespace gt200::isa::fermi::semantics {
namespace {

using namespace tesla::semantics;

struct function {
  explicit function(const instruction& i) : change(i.source[0]), which(i.function), saturate(i.saturate) {}
  word_result operator()(std::uint32_t x, std::uint32_t, std::uint32_t, std::uint32_t) const {
    std::uint32_t r = value(change(x));
    if (saturate && which < mufu_function::rcp64h) r = semantics::saturated(r);
    return {r, semantics::float_flags(r)};
  }
  std::uint32_t value(std::uint32_t x) const {
    switch (which) {
      case mufu_function::cos: return sfu_result<cos_unit>(sin_table, x);
      case mufu_function::sin: return sfu_result<sin_unit>(sin_table, x);
      case mufu_function::ex2: return sfu_result<ex2_unit>(ex2_table, x);
      case mufu_function::lg2: return sfu_result<lg2_unit>(lg2_table, x);
      case mufu_function::rcp: return sfu_result<rcp_unit>(rcp_table, x);
      case mufu_function::rsqrt: return sfu_result<rsqrt_unit>(rsqrt_table, x);
      case mufu_function::rcp64h: return upper_word(1 / as_double(std::uint64_t{x} << 32));
      case mufu_function::rsqrt64h: break;
    }
    return upper_word(1 / std::sqrt(as_double(std::uint64_t{x} << 32)));
  }
  static std::uint32_t upper_word(double value) {
    return std::isnan(value) ? canonical_nan32 : static_cast<std::uint32_t>(bits_of(value) >> 32);
  }
  sign_change change;
  mufu_function which;
  bool saturate;
};

struct range {
  explicit range(const instruction& i) : change(i.source[1]), of_ex2(i.range_of_ex2) {}
  word_result operator()(std::uint32_t, std::uint32_t y, std::uint32_t, std::uint32_t) const {
    const std::uint32_t r = of_ex2 ? preex2(change(y)) : presin(change(y));
    return {r, 0};
  }
  sign_change change;
  bool of_ex2;
};

}  // namespace

lane_function float_function_function(const instruction& i) {
  switch (i.op) {
    case opcode::mufu: return with_host_float<map_words<function>>;
    case opcode::rro: return map_words<range>;
    default: return nullptr;
  }
}

}  // namespace gt200::isa::fermi::semantics
