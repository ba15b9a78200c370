// CUDA C through every clang that is there: contraction follows the pragmas, and refusals are lines with their
// place.
#include "toolchain/cuda/clang.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <tuple>
#include <vector>

#include "toolchain/cuda/process.h"

namespace gt200::cuda {
namespace {

class every_clang : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    options_.program = GetParam();
    options_.capability = 20;
    if (!clang_available(options_)) GTEST_SKIP() << GetParam() << " is not there";
  }

  std::string source(const std::string& text) const {
    const std::string path = (folder_.path() / "k.cu").string();
    std::ofstream(path) << text;
    return path;
  }
  std::string ptx_of(const std::string& text) const { return compile_to_ptx(source(text), options_); }

  // The first line, and the others.
  std::vector<std::string> refusal_of(const std::string& text) const {
    try {
      ptx_of(text);
    } catch (const clang_refusal& refusal) {
      std::vector<std::string> lines = {refusal.what()};
      lines.insert(lines.end(), refusal.further().begin(), refusal.further().end());
      return lines;
    }
    return {"compiles"};
  }

  temporary_folder folder_;
  clang_options options_;
};

TEST_P(every_clang, contracts_products_and_sums_unless_a_pragma_forbids_it) {
  const std::string begin = "extern \"C\" __global__ void k(float* o) {\n";
  EXPECT_NE(ptx_of(begin + "float t = o[1] * o[2];\no[0] = t + o[3]; }\n").find("fma.rn.f32"), std::string::npos);
  EXPECT_EQ(ptx_of(begin + "#pragma clang fp contract(off)\no[0] = o[1] * o[2] + o[3]; }\n").find("fma.rn.f32"),
            std::string::npos);
}

TEST_P(every_clang, sees_the_capability_of_the_hardware_and_with_it_its_roots) {
  const std::string text =
      "extern \"C\" __global__ void k(float* o, int* n) { o[0] = sqrtf(o[1]); n[0] = __CUDA_ARCH__; }\n";
  for (const auto& [capability, number, root] :
       {std::tuple{10u, ", 100;", "sqrt.approx"}, std::tuple{13u, ", 130;", "sqrt.approx"},
        std::tuple{20u, ", 200;", "sqrt.rn"}, std::tuple{70u, ", 700;", "sqrt.rn"}}) {
    options_.capability = capability;
    const std::string ptx = ptx_of(text);
    EXPECT_NE(ptx.find(root), std::string::npos) << capability << ": " << ptx;
    EXPECT_NE(ptx.find(number), std::string::npos) << capability << ": " << ptx;
  }
}

TEST_P(every_clang, names_each_error_in_one_line_with_its_place) {
  const auto lines =
      refusal_of("__global__ void k(int* o) { missing(o); }\n__global__ void l(int* o) { *o = other; }\n");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_NE(lines[0].find("k.cu:1:29: error: use of undeclared identifier 'missing'"), std::string::npos)
      << lines[0];
  EXPECT_NE(lines[1].find("k.cu:2:34: error: use of undeclared identifier 'other'"), std::string::npos) << lines[1];
  for (const std::string& line : lines) EXPECT_EQ(line.find('\n'), std::string::npos);
}

TEST_P(every_clang, takes_kernels_that_print) {
  EXPECT_EQ(refusal_of("#include <stdio.h>\n__global__ void k(int x) {\n  printf(\"%d\\n\", x);\n}\n"),
            std::vector<std::string>{"compiles"});
}

TEST_P(every_clang, says_which_functions_of_surfaces_and_textures_are_missing) {
  const std::pair<const char*, const char*> cases[] = {
      {"surface<void, 2> image;\n__global__ void k(float* o) { *o = surf2Dread<float>(image, 0, 0); }\n",
       "surface references are not supported"},
      {"__global__ void k(float* o, unsigned long long t) { *o = tex2DLod<float>(t, 0, 0, 1); }\n",
       "levels of detail are not supported"},
      {"__global__ void k(float4* o, unsigned long long t) { *o = tex2Dgather<float4>(t, 0, 0); }\n",
       "gathers of texels are not supported"}};
  for (const auto& [code, reason] : cases) {
    bool named = false;
    for (const std::string& line : refusal_of(code)) named = named || line.find(reason) != std::string::npos;
    EXPECT_TRUE(named) << code;
  }
}

INSTANTIATE_TEST_SUITE_P(of, every_clang,
                         testing::Values("clang-14", "clang-15", "clang-16", "clang-17", "clang-18", "clang-19"),
                         [](const auto& info) {
                           std::string name = info.param;
                           name[name.find('-')] = '_';
                           return name;
                         });

}  // namespace
}  // namespace gt200::cuda
