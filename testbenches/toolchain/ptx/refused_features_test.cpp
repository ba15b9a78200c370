// What no target here has concerns the kernel that uses it, and the refusal says what it is.
#include <gtest/gtest.h>

#include <string>

#include "toolchain/ptx/compile.h"

namespace gt200::ptx {
namespace {

struct feature {
  std::string name;
  std::string body;
  std::string reason;
  std::string in_module = "";
};

void PrintTo(const feature& f, std::ostream* out) { *out << f.name; }

class refused_feature : public testing::TestWithParam<feature> {};

TEST_P(refused_feature, concerns_its_kernel) {
  const feature& f = GetParam();
  for (const unsigned capability : {13u, 20u, 70u}) {
    compile_options options;
    options.capability = capability;
    const cubin::module module = compile(
        ".version 3.1\n.target sm_20\n.address_size 64\n" + f.in_module +
            ".entry good () { exit; }\n.entry bad (.param .u64 at)\n{\n.reg .u64 %at, %f;\n.reg .u32 %r;\n" +
            f.body + "exit;\n}\n",
        "k.ptx", options);
    EXPECT_NE(module.find("good"), nullptr);
    ASSERT_EQ(module.refused.size(), 1u);
    EXPECT_EQ(module.refused[0].name, "bad");
    EXPECT_NE(module.refused[0].reason.find(f.reason), std::string::npos) << module.refused[0].reason;
    EXPECT_EQ(module.refused[0].reason.find('\n'), std::string::npos);
  }
}

INSTANTIATE_TEST_SUITE_P(
    of, refused_feature,
    testing::Values(
        feature{"indirect_call", "P: .callprototype (.param .b32 _) _ (.param .b32 _);\n",
                ".callprototype: indirect calls are not possible"},
        feature{"table_of_calls", "P: .calltargets good, bad;\n", ".calltargets: indirect calls are not possible"},
        feature{"table_of_branches", "ld.param.u64 %at, [at];\nT: .branchtargets A, B;\nbrx.idx %r, T;\nA: B:\n",
                ".branchtargets: branches through a table are not possible"},
        feature{"special_register", "mov.u32 %r, %envreg3;\n", "special register '%envreg3' is not supported"},
        feature{"surface", "suld.b.1d.b32.trap {%r}, [image, {%r}];\n", "surfaces are not supported",
                ".global .surfref image;\n"}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace gt200::ptx
