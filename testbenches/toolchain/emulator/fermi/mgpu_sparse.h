// The product of a sparse matrix and a vector as the host code of seanbaxter/mgpu_old computes it with its kernels.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "testbenches/toolchain/emulator/fermi/mgpu.h"

namespace gt200::compiled {

struct sparse_case {
  const char* type = "float";      // or double
  unsigned values_per_thread = 4;  // 4, 6, 8, 10, 12, 16 or 20: which kernel

  std::string path() const { return std::string("sparse/src/cubin/spmxv_") + type + ".cubin"; }
};
inline const std::vector<sparse_case> sparse_cases = {{"float", 4},  {"float", 8},  {"float", 20},
                                                      {"double", 4}, {"double", 8}, {"double", 20}};
// Rows. The first give less work than a block has warps for.
inline constexpr std::size_t sparse_sizes[] = {20, 256, 1501};
inline std::string name_of_sparse(const testing::TestParamInfo<sparse_case>& info) {
  return std::string(info.param.type) + "_" + std::to_string(info.param.values_per_thread);
}

// y = A x, then y = 2 A x - 3 y. Each row's result must be within the bound of a sum of its products in any order:
// (elements + 8) x 2^-24 (double: 2^-53) x the sum of their absolute values.
void check_sparse_product(device& d, const cubin::module& m, const sparse_case& what, std::size_t rows);

}  // namespace gt200::compiled
