// Cache operators and prefetches of PTX as instructions of sm_20.
#include <gtest/gtest.h>

#include <string>

#include "toolchain/error.h"
#include "toolchain/isa/fermi/codec.h"
#include "toolchain/ptx/compile.h"

namespace gt200::ptx {
namespace {

using isa::fermi::opcode;

// The accesses of the optimised code, with address and data left out: "ld b32 cg; cctl pf1".
std::string accesses_of(const std::string& body) {
  compile_options options;
  options.capability = 20;
  const std::string text =
      ".version 2.3\n.target sm_20\n.address_size 32\n.entry k (.param .u32 at)\n{\n.reg .u32 %at, %r<8>;\n"
      ".local .u32 mine[16];\nld.param.u32 %at, [at];\n" +
      body + "\nexit;\n}\n";
  const std::vector<std::uint32_t> code = compile(text, "k.ptx", options).kernels.at(0).code;
  std::string all;
  for (std::size_t k = 0; k + 1 < code.size(); k += 2) {
    isa::fermi::decode_error error;
    const auto i = isa::fermi::decode(code[k] | std::uint64_t{code[k + 1]} << 32, error);
    if (!i) return error.reason;
    const bool shown = i->op == opcode::ld || i->op == opcode::ldl || i->op == opcode::st || i->op == opcode::stl ||
                       i->op == opcode::cctl || i->op == opcode::cctll;
    if (!shown) continue;
    std::string line = isa::fermi::disassemble(*i);
    std::string kept;
    for (std::size_t from = 0, to; from < line.size(); from = to + 1) {
      to = std::min(line.find(' ', from), line.size());
      const std::string word = line.substr(from, to - from);
      if (word.find('$') == std::string::npos && word.find('[') == std::string::npos)
        kept += (kept.empty() ? "" : " ") + word;
    }
    all += (all.empty() ? "" : "; ") + kept;
  }
  return all;
}

std::string load_by(const std::string& cache) {
  const std::string code = accesses_of("ld" + cache + ".global.u32 %r0, [%at];\nst.global.u32 [%at], %r0;");
  return code.substr(0, code.find(';'));
}
std::string store_by(const std::string& cache) {
  return accesses_of("mov.u32 %r0, 5;\nst" + cache + ".global.u32 [%at], %r0;");
}

TEST(cache_operators, of_loads) {
  EXPECT_EQ(load_by(""), "ld b32 ca");
  EXPECT_EQ(accesses_of("ld.global.cg.u32 %r0, [%at];\nst.global.u32 [%at], %r0;"), "ld b32 cg; st b32 wb");
  EXPECT_EQ(accesses_of("ld.global.cs.u32 %r0, [%at];\nst.global.u32 [%at], %r0;"), "ld b32 cs; st b32 wb");
  EXPECT_EQ(accesses_of("ld.global.lu.u32 %r0, [%at];\nst.global.u32 [%at], %r0;"), "ld b32 cs; st b32 wb");
  EXPECT_EQ(accesses_of("ld.global.cv.u32 %r0, [%at];\nst.global.u32 [%at], %r0;"), "ld b32 cv; st b32 wb");
  EXPECT_EQ(load_by(".volatile"), "ld b32 cv");
}
TEST(cache_operators, of_stores) {
  EXPECT_EQ(store_by(""), "st b32 wb");
  EXPECT_EQ(store_by(".volatile"), "st b32 wt");
  for (const char* cache : {"wb", "cg", "cs", "wt"})
    EXPECT_EQ(accesses_of(std::string("mov.u32 %r0, 5;\nst.global.") + cache + ".u32 [%at], %r0;"),
              std::string("st b32 ") + cache);
}
TEST(cache_operators, of_local_memory) {
  EXPECT_EQ(accesses_of("st.local.cs.u32 [mine], %at;\nld.local.lu.u32 %r0, [mine];\nst.global.u32 [%at], %r0;"),
            "st b32 cs; ld b32 cs; st b32 wb");
}
TEST(prefetches, are_cache_control) {
  EXPECT_EQ(accesses_of("prefetch.global.L1 [%at];"), "cctl pf1");
  EXPECT_EQ(accesses_of("prefetch.global.L2 [%at+256];"), "cctl pf2");
  EXPECT_EQ(accesses_of("prefetch.L1 [%at];"), "cctl pf1");
  EXPECT_EQ(accesses_of("prefetch.local.L1 [mine];"), "cctl pf1");
  EXPECT_EQ(accesses_of("prefetchu.L1 [%at];"), "") << "there is no uniform cache in the model";
}

}  // namespace
}  // namespace gt200::ptx
