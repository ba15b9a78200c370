// Mistakes in a source are reported with line, column and the line itself; no input crashes the compiler.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "toolchain/cubin/load.h"
#include "toolchain/error.h"
#include "toolchain/ptx/compile.h"

namespace gt200::ptx {
namespace {

std::string message_of(const std::string& source, unsigned capability = 13) {
  compile_options options;
  options.capability = capability;
  try {
    compile(source, "f.ptx", options);
  } catch (const input_error& error) {
    return error.what();
  }
  return "";
}

std::string with_body(const std::string& body) {
  return ".version 1.4\n.target sm_13\n.entry k (.param .u64 out)\n{\n.reg .u32 %r<4>;\n.reg .u64 %rd<4>;\n" +
         body + "\nexit;\n}\n";
}

TEST(malformed_ptx, names_place_and_line) {
  EXPECT_EQ(message_of(with_body("add.u32 %r1, %r2, %q;")),
            "f.ptx:7:19: '%q' is not declared: add.u32 %r1, %r2, %q;");
  EXPECT_EQ(message_of(with_body("  bra nowhere;")),
            "f.ptx:7:7: label 'nowhere' is not defined in this function: bra nowhere;");
  EXPECT_NE(message_of(with_body("{ a: a: bra a; }")).find("label 'a' is defined twice"), std::string::npos);
  EXPECT_EQ(message_of(with_body("mov.u32 %r1 %r2;")), "f.ptx:7:13: expected ';', not '%r2': mov.u32 %r1 %r2;");
}

TEST(malformed_ptx, quotations_are_short_and_printable) {
  EXPECT_EQ(message_of("\x7f"
                       "ELF\x02\x1b[2J\xff"),
            "f.ptx:1:1: this character has no meaning in PTX: \\x7fELF\\x02\\x1b[2J\\xff");
  const std::string name(5000, 'y');
  EXPECT_EQ(message_of(with_body("add.u32 %r1, %r2, " + name + ";")),
            "f.ptx:7:19: '" + name.substr(0, 80) + "...' is not declared: add.u32 %r1, %r2, " + name.substr(0, 62) +
                "...");
}

TEST(malformed_ptx, names_what_the_hardware_cannot_do) {
  EXPECT_NE(message_of(with_body("ld.u32 %r1, [%rd1];")).find("the state space of '%rd1' is not known"),
            std::string::npos);
  EXPECT_NE(
      message_of(with_body(".shared .u32 s; .local .u32 l; mov.u64 %rd1, s; mov.u64 %rd1, l; ld.u32 %r1, [%rd1];"))
          .find("'%rd1' points to more than one state space without cvta"),
      std::string::npos);
  EXPECT_NE(message_of(with_body("suld.b.1d.b32.trap %r1, [x, {%r2}];")).find("f.ptx:7:1: suld.b.1d.b32.trap"),
            std::string::npos);
  EXPECT_EQ(message_of(with_body("mov.u32 %r1, !%r2;")),
            "f.ptx:7:14: '!' stands before predicates only: mov.u32 %r1, !%r2;");
  EXPECT_NE(message_of(with_body("bar.sync 1, 32;")).find("barriers of this hardware are for all threads"),
            std::string::npos);
}

TEST(malformed_ptx, arithmetic_of_halves_is_refused_by_name) {
  const std::string registers = ".reg .f16 %h<4>; .reg .f32 %f; .reg .pred %p;\n";
  for (const unsigned capability : {13u, 20u, 70u}) {
    const bool computes = capability == 70;
    for (const std::string name :
         {"min.f16", "add.f16", "sub.rn.f16", "mul.f16", "fma.rn.f16", "neg.f16", "abs.f16"}) {
      if (computes && name != "min.f16") break;
      EXPECT_EQ(message_of(with_body(registers + name + " %h0, %h1, %h2;"), capability),
                "f.ptx:8:1: " + name +
                    ": arithmetic of .f16 is not supported; .f16 and .f16x2 need sm_70, others sm_80: " + name +
                    " %h0, %h1, %h2;")
          << capability;
    }
    for (const std::string code : {"set.lt.u32.f16 %r0, %h0, %h1", "set.lt.f16.u32 %h0, %r0, %r1",
                                   "setp.lt.f16 %p, %h0, %h1", "add.f16x2 %r0, %r1, %r2"}) {
      if (computes && code.find("set.lt.f16") != 0) continue;
      EXPECT_NE(message_of(with_body(registers + code + ";"), capability).find("f.ptx:8:1: " + code.substr(0, 3)),
                std::string::npos)
          << code << " " << capability;
    }
    EXPECT_EQ(message_of(with_body(registers + "cvt.f32.f16 %f, %h0; cvt.rn.f16.f32 %h1, %f; mov.b16 %h2, %h1;"),
                         capability),
              "")
        << capability;
  }
}

TEST(malformed_ptx, calls_nested_without_end_are_refused) {
  constexpr int functions = 20000;
  std::string text = ".version 3.2\n.target sm_20\n.func f0()\n{\nret;\n}\n";
  for (int i = 1; i < functions; ++i)
    text += ".func f" + std::to_string(i) + "()\n{\ncall f" + std::to_string(i - 1) + ";\nret;\n}\n";
  text += ".entry k()\n{\ncall f" + std::to_string(functions - 1) + ";\nret;\n}\n";
  EXPECT_NE(message_of(text).find("calls are nested too deeply"), std::string::npos);
}

TEST(malformed_ptx, any_damage_is_refused_or_compiled_but_never_a_crash) {
  const std::string path = GT200_SOURCE_DIR "/kernels/reduce0/reduce0.ptx";
  const std::string whole = cubin::read_file(path);
  std::mt19937 random(1);
  unsigned refused = 0;
  for (int round = 0; round < 600; ++round) {
    compile_options options;
    if (round % 2 != 0) options.capability = 20;
    std::string damaged = whole;
    const std::size_t at = random() % damaged.size();
    switch (random() % 3) {
      case 0: damaged[at] = static_cast<char>(random() % 256); break;
      case 1: damaged.erase(at, 1 + random() % 20); break;
      default: damaged.resize(at); break;
    }
    try {
      compile(damaged, "damaged.ptx", options);
    } catch (const input_error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 200u);
}

}  // namespace
}  // namespace gt200::ptx
