// Runs a few lines of assembly as a kernel and shows what each thread left in the output buffer.
//
// Every program begins with $r1 = tid.x and $r20 = address of out[tid.x]; the body ends the threads itself.
// `finish` is the usual ending: out[tid.x] = $r2.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "toolchain/assembler/assembler.h"
#include "toolchain/emulator/grid_run.h"

namespace gt200::emulator {

inline constexpr std::uint32_t out_address = 0x100000;
inline constexpr std::uint32_t out_words = 2048;
inline constexpr const char* finish = "exit st b32 g14[$r20] $r2\n";

class program_fixture : public testing::Test {
 protected:
  program_fixture() { EXPECT_TRUE(global.map(out_address, 4 * out_words)); }

  // Assembles; `directives` go between .entry and the prologue.
  void assemble(const std::string& body, const std::string& directives = "") {
    program = assembler::assemble(".entry test\n.param u32 out\n.param u32 argument\n" + directives +
                                      "\ncvt u32 $r1 u16 $r0l\nshl b32 $r20 $r1 0x2\n"
                                      "add b32 $r20 b32 s[out] $r20\n" +
                                      body + "\n.end\n",
                                  "test.s");
    if (allocated_registers) program.kernels[0].registers = *allocated_registers;
    launch.kernel = &program.kernels[0];
    launch.parameter_bytes.assign(8, 0);
    std::memcpy(launch.parameter_bytes.data(), &out_address, 4);
    std::memcpy(launch.parameter_bytes.data() + 4, &argument, 4);
  }

  run_result run(const std::string& body, const std::string& directives = "") {
    assemble(body, directives);
    const code_image code(*launch.kernel);
    const constant_memory constants(program, *launch.kernel, relocations);
    const run_result result = emulator::run(launch, code, constants, global, options, observer);
    out.resize(out_words);
    EXPECT_TRUE(global.read(out_address, out.data(), 4 * out_words));
    return result;
  }
  // The same, for programs without faults.
  void run_well(const std::string& body, const std::string& directives = "") {
    const run_result result = run(body, directives);
    EXPECT_EQ(describe(result.fault), "no fault");
  }
  arch_state::fault_kind fault_of(const std::string& body, const std::string& directives = "") {
    return run(body, directives).fault.kind;
  }

  std::uint32_t word(std::uint32_t address) const {
    std::uint32_t value = 0;
    EXPECT_TRUE(global.read(address, &value, 4));
    return value;
  }

  cubin::module program;
  launch::launch_parameters launch{nullptr, {1, 1}, {32, 1, 1}, 0, {}, 0};
  std::uint32_t argument = 0;
  std::optional<std::uint32_t> allocated_registers;  // instead of the number the assembler counted
  std::vector<std::uint8_t> relocations;
  arch_state::memory global;
  run_options options;
  run_observer* observer = nullptr;
  std::vector<std::uint32_t> out;
};

}  // namespace gt200::emulator
