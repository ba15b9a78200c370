// Writes tables.h to standard output, and the quality of each table to standard error.
#include <cstdio>

#include "toolchain/isa/tesla/semantics/sfu_tables/fit.h"

namespace {

using gt200::isa::tesla::semantics::sfu_fit;

void print_table(const char* name, const sfu_fit& fit) {
  std::printf("\ninline constexpr sfu_coefficients %s[%zu] = {\n", name, fit.table.size());
  for (std::size_t k = 0; k < fit.table.size(); ++k) {
    const auto& c = fit.table[k];
    std::printf("%s{%d, %d, %d},%s", k % 4 == 0 ? "    " : " ", c.c0, c.c1, c.c2, k % 4 == 3 ? "\n" : "");
  }
  std::printf("};\n");
  std::fprintf(stderr, "%s: largest error %.4f of its bound\n", name, fit.worst);
}

}  // namespace

int main() {
  using namespace gt200::isa::tesla::semantics;
  std::printf(
      "// Coefficients of the special function unit: written by generate.cpp, not by hand. A test repeats the "
      "fit.\n"
      "#pragma once\n\n"
      "#include \"toolchain/isa/tesla/semantics/sfu_units.h\"\n\n"
      "// clang-format off\n"
      "namespace gt200::isa::tesla::semantics {\n");
  print_table("rcp_table", fit_rcp());
  print_table("rsqrt_table", fit_rsqrt());
  print_table("sin_table", fit_sin());
  print_table("ex2_table", fit_ex2());
  print_table("lg2_table", fit_lg2());
  std::printf("\n}  // namespace gt200::isa::tesla::semantics\n// clang-format on\n");
  return 0;
}
