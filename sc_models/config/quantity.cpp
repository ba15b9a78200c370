#include "sc_models/config/quantity.h"

#include <array>
#include <string_view>

#include "toolchain/real_number.h"

namespace gt200::config {
namespace {

struct unit_name {
  std::string_view name;
  unit in;
  double factor;
};
constexpr std::array unit_names = {
    unit_name{"B", unit::bytes, 1},
    unit_name{"KiB", unit::bytes, 1024},
    unit_name{"MiB", unit::bytes, 1024.0 * 1024},
    unit_name{"GiB", unit::bytes, 1024.0 * 1024 * 1024},
    unit_name{"MiB", unit::mebibytes, 1},
    unit_name{"GiB", unit::mebibytes, 1024},
    unit_name{"kHz", unit::megahertz, 1e-3},
    unit_name{"MHz", unit::megahertz, 1},
    unit_name{"GHz", unit::megahertz, 1e3},
    unit_name{"ns", unit::nanoseconds, 1},
    unit_name{"us", unit::nanoseconds, 1e3},
    unit_name{"ms", unit::nanoseconds, 1e6},
    unit_name{"MB/s", unit::megabytes_per_second, 1},
    unit_name{"GB/s", unit::megabytes_per_second, 1e3},
    unit_name{"shader cycles", unit::shader_cycles, 1},
    unit_name{"core cycles", unit::core_cycles, 1},
    unit_name{"uncore cycles", unit::uncore_cycles, 1},
    unit_name{"memory cycles", unit::memory_cycles, 1},
};

}  // namespace

quantity_result read_quantity(const std::string& text, unit wanted) {
  quantity_result result;
  const real_number<double> read = read_real<double>(text);
  result.value = read.value;
  if (read.length == 0 || read.is_too_large) {
    result.error = "is not a number";
    return result;
  }
  std::string_view name = std::string_view(text).substr(read.length);
  while (!name.empty() && name.front() == ' ') name.remove_prefix(1);
  if (name.empty()) {
    result.error = "is a string; write the number without quotes or with a unit";
    return result;
  }
  bool known = false;
  for (const unit_name& candidate : unit_names) {
    if (candidate.name != name) continue;
    known = true;
    if (candidate.in == wanted) {
      result.value *= candidate.factor;
      return result;
    }
  }
  result.error = known ? "has the wrong unit" : "has an unknown unit";
  return result;
}

}  // namespace gt200::config
