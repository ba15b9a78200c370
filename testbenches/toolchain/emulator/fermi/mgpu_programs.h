// What the host code of seanbaxter/mgpu_old does with its kernels: scan, search, radix sort, on an emulator or a
// chip. Each function compares the results with those of the standard library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "testbenches/toolchain/emulator/fermi/mgpu.h"

namespace gt200::compiled {

// Inclusive and exclusive; `count` numbers.
void check_scan(device& d, const cubin::module& m, std::size_t count, bool inclusive);
void check_scan_of_one_warp(device& d, const cubin::module& m);

// Lower or upper bounds of `queries` keys among `count` sorted values. `type`: Int, Float, Int64 or Double.
void check_search(device& d, const cubin::module& m, const std::string& type, bool upper, std::size_t count,
                  std::size_t queries);

// What moves with the keys: nothing, numbers that the first pass makes, one array of values, or several.
enum class sorted_values : std::uint8_t { key, index, single, multi };
struct sort_modules {
  cubin::module count, hist, first, other;  // of the sort kernel: of the first pass and of the others
};
struct sort_case {
  std::string folder;  // cubin: pointers of 4 bytes; cubin64: of 8
  unsigned threads = 128;
  sorted_values values = sorted_values::key;
  unsigned arrays = 0;  // of values

  std::string name() const;
  template <class function>
  sort_modules load(function read) const {
    const auto file = [&](const std::string& name) { return read("sort/src/" + folder + "/" + name + ".cubin"); };
    const auto sort = [&](sorted_values v) { return file(kernel_file(v)); };
    return {file("count"), file("hist_simple"), sort(values),
            sort(values == sorted_values::index ? sorted_values::single : values)};
  }
  std::string kernel_file(sorted_values v) const;
};
// Every kernel of both pointer widths.
std::vector<sort_case> sort_cases();
// The first is less than a block takes, the last fills none of its last blocks.
inline constexpr std::size_t sort_sizes[] = {500, 8192, 13001};
inline std::string name_of_sort(const testing::TestParamInfo<sort_case>& info) { return info.param.name(); }

// Keys of 32 bits in six passes: sorted, equal keys in their order, with all that moves with them.
void check_sort(device& d, const sort_modules& m, const sort_case& what, std::size_t count);

}  // namespace gt200::compiled
