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

struct sort_modules {
  cubin::module count, hist, sort;
};
// Keys of 32 bits in six passes.
void check_sort_of_keys(device& d, const sort_modules& m, std::size_t count);
// Values follow their keys, and equal keys stay in order.
void check_sort_of_pairs(device& d, const sort_modules& m, std::size_t count);

}  // namespace gt200::compiled
