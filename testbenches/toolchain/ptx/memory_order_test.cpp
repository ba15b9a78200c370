// Memory orders of sm_70: fences stand on the right side of an access, loads behind an acquire stay there and are
// not answered with old lines of the L1. Other targets refuse them.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "toolchain/error.h"
#include "toolchain/isa/volta/codec.h"
#include "toolchain/ptx/compile.h"

namespace gt200::ptx {
namespace {

using isa::volta::opcode;

std::string kernel_with(const std::string& body) {
  return ".version 6.0\n.target sm_70\n.address_size 64\n.entry k (.param .u64 at)\n{\n.reg .u64 %at;\n"
         ".reg .u32 %r<8>;\n.reg .pred %p;\n.shared .u32 word;\nld.param.u64 %at, [at];\n" +
         body + "\nexit;\n}\n";
}

// The accesses and fences of the optimised code, in its order: "LDG.E.SYS; MEMBAR.SC.GPU".
std::string accesses_of(const std::string& body) {
  static const std::set<opcode> shown = {opcode::ldg,   opcode::stg, opcode::lds,    opcode::sts, opcode::atomg,
                                         opcode::atoms, opcode::red, opcode::membar, opcode::cctl};
  compile_options options;
  options.capability = 70;
  const std::vector<std::uint32_t> code = compile(kernel_with(body), "k.ptx", options).kernels.at(0).code;
  std::string all;
  for (std::size_t k = 0; k + 3 < code.size(); k += 4) {
    isa::uint128 words = 0;
    for (std::size_t w = 4; w-- > 0;) words = words << 32 | code[k + w];
    isa::volta::decode_error error;
    const auto instruction = isa::volta::decode(words, error);
    if (!instruction || shown.count(instruction->op) == 0) continue;
    std::string text = isa::volta::disassemble(*instruction);
    const std::size_t from = text[0] == '@' ? text.find(' ') + 1 : 0;
    text = (from != 0 ? "@" : "") + text.substr(from, text.find(' ', from) - from);
    all += (all.empty() ? "" : "; ") + text;
  }
  return all;
}

TEST(memory_orders, loads_behind_an_acquire_stay_there_and_see_new_lines) {
  EXPECT_EQ(accesses_of("ld.acquire.gpu.global.u32 %r0, [%at];\nld.global.u32 %r1, [%at+4];\n"
                        "add.u32 %r1, %r1, %r0;\nst.global.u32 [%at+8], %r1;"),
            "LDG.E.STRONG.GPU; MEMBAR.SC.GPU; CCTL.IVALL; LDG.E.SYS; STG.E.SYS");
  EXPECT_EQ(accesses_of("ld.acquire.sys.global.u32 %r0, [%at];\nld.global.u32 %r1, [%at+4];\n"
                        "st.global.u32 [%at+8], %r1;"),
            "LDG.E.STRONG.SYS; MEMBAR.SC.SYS; CCTL.IVALL; LDG.E.SYS; STG.E.SYS")
      << "also if nobody reads its result";
}

TEST(memory_orders, within_a_block_there_is_one_l1) {
  EXPECT_EQ(accesses_of("ld.acquire.cta.global.u32 %r0, [%at];\nld.global.u32 %r1, [%at+4];\n"
                        "add.u32 %r1, %r1, %r0;\nst.global.u32 [%at+8], %r1;"),
            "LDG.E.STRONG.CTA; MEMBAR.SC.CTA; LDG.E.SYS; STG.E.SYS");
  EXPECT_EQ(accesses_of("ld.acquire.cta.shared.u32 %r0, [word];\nst.global.u32 [%at], %r0;"),
            "LDS; MEMBAR.SC.CTA; STG.E.SYS");
}

TEST(memory_orders, a_release_follows_what_stands_before_it) {
  EXPECT_EQ(accesses_of("st.global.u32 [%at], 1;\nst.release.gpu.global.u32 [%at+4], 2;"),
            "STG.E.SYS; MEMBAR.SC.GPU; STG.E.STRONG.GPU");
  EXPECT_EQ(
      accesses_of("setp.eq.u64 %p, %at, 0;\nst.global.u32 [%at], 1;\n@%p st.release.sys.global.u32 [%at+4], 2;"),
      "STG.E.SYS; @MEMBAR.SC.SYS; @STG.E.STRONG.SYS");
}

TEST(memory_orders, of_atomic_operations) {
  EXPECT_EQ(accesses_of("atom.acq_rel.gpu.global.add.u32 %r0, [%at], 1;\nst.global.u32 [%at+4], %r0;"),
            "MEMBAR.SC.GPU; ATOMG.E.ADD.STRONG.GPU; MEMBAR.SC.GPU; CCTL.IVALL; STG.E.SYS");
  EXPECT_EQ(accesses_of("red.release.gpu.global.add.u32 [%at], 1;"), "MEMBAR.SC.GPU; RED.E.ADD.STRONG.GPU");
  EXPECT_EQ(accesses_of("atom.acquire.cta.shared.add.u32 %r0, [word], 1;\nst.global.u32 [%at+4], %r0;"),
            "ATOMS.ADD; MEMBAR.SC.CTA; STG.E.SYS");
  EXPECT_EQ(accesses_of("atom.relaxed.gpu.global.add.u32 %r0, [%at], 1;\nst.global.u32 [%at+4], %r0;"),
            "ATOMG.E.ADD.STRONG.GPU; STG.E.SYS");
}

TEST(memory_orders, fences_have_their_scope) {
  EXPECT_EQ(accesses_of("fence.acq_rel.gpu;"), "MEMBAR.SC.GPU; CCTL.IVALL");
  EXPECT_EQ(accesses_of("fence.sc.sys;"), "MEMBAR.SC.SYS; CCTL.IVALL");
  EXPECT_EQ(accesses_of("fence.sc.cta;"), "MEMBAR.SC.CTA");
  EXPECT_EQ(accesses_of("membar.gl;"), "MEMBAR.SC.GPU; CCTL.IVALL");
  EXPECT_EQ(accesses_of("membar.cta;"), "MEMBAR.SC.CTA");
}

TEST(memory_orders, relaxed_loads_of_one_address_keep_their_order) {
  EXPECT_EQ(accesses_of("ld.relaxed.gpu.global.u32 %r0, [%at];\nld.relaxed.gpu.global.u32 %r1, [%at];\n"
                        "ld.global.u32 %r2, [%at+4];\nst.global.u32 [%at+8], %r2;"),
            "LDG.E.STRONG.GPU; LDG.E.STRONG.GPU; LDG.E.SYS; STG.E.SYS");
}

std::string refusal_of(const std::string& body, unsigned capability) {
  compile_options options;
  options.capability = capability;
  try {
    compile(kernel_with(body), "k.ptx", options);
  } catch (const input_error& error) {
    return error.what();
  }
  return "";
}

TEST(memory_orders, are_refused_by_targets_that_have_none) {
  for (const unsigned capability : {13u, 20u})
    for (const std::string name : {"ld.acquire.gpu.global.u32", "ld.relaxed.gpu.global.u32"}) {
      const std::string order = name.substr(2, name.find(".gpu") - 2);
      EXPECT_EQ(refusal_of(name + " %r0, [%at];", capability),
                "k.ptx:11:1: " + name + ": " + order + " needs sm_70: " + name + " %r0, [%at];");
    }
  EXPECT_NE(refusal_of("st.release.gpu.global.u32 [%at], 1;", 20), "");
  EXPECT_NE(refusal_of("atom.acq_rel.gpu.global.add.u32 %r0, [%at], 1;", 20), "");
  EXPECT_NE(refusal_of("fence.proxy.alias;", 70), "");
}

}  // namespace
}  // namespace gt200::ptx
