// Faults of the simulated program end the launch and are reported with their place, even if the faulting
// instruction is the last one of the grid.

#include <gtest/gtest.h>

#include <cstring>

#include "testbenches/support/assembly_run.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/error.h"

namespace gt200 {
namespace {

const char* const store_to_nowhere =
    ".target sm_13\n.entry k\n.param u32 out\n"
    "  mov b32 $r1 0x10\n"
    "  exit st b32 g14[$r1] $r1\n.end\n";

TEST(fault, of_the_last_instruction_of_a_grid_is_reported) {
  const auto run = support::run_assembly(support::configuration("gt200_small"), store_to_nowhere, 1, 32, 1);
  ASSERT_EQ(run.result.reason, end_reason::fault);
  EXPECT_EQ(run.result.fault.kind, arch_state::fault_kind::unmapped_address);
  EXPECT_EQ(run.result.fault.address, 0x10u);
  EXPECT_EQ(run.result.fault.lanes, 0xffffffffu);
  EXPECT_EQ(run.result.fault.line, 5u);
}

// Even after a faulting page walk: the third page of the buffer is read-only.
TEST(fault, of_a_store_to_a_protected_page_names_lanes_and_address) {
  const char* const program =
      ".target sm_13\n.entry k\n.param u32 out\n"
      "  cvt u32 $r1 u16 $r0l\n"
      "  shl b32 $r1 $r1 0x8\n"
      "  add b32 $r1 b32 s[out] $r1\n"
      "  ld b32 $r2 g14[$r1]\n"
      "  exit st b32 g14[$r1] $r2\n.end\n";
  const cubin::module module = assembler::assemble(program, "test.s");
  device board(support::configuration("gt200_small"));
  board.load(module, {});
  const std::uint32_t out = board.allocate(16384);
  EXPECT_THROW(board.protect(out + 256, 4096), input_error);
  EXPECT_THROW(board.protect(out, 1u << 20), input_error);
  const std::uint32_t page = (out + 4095) / 4096 * 4096 + 4096;
  board.protect(page, 4096);
  launch::launch_parameters parameters;
  parameters.kernel = &module.kernels.front();
  parameters.grid = {1, 1};
  parameters.block = {32, 1, 1};
  parameters.parameter_bytes.resize(4);
  std::memcpy(parameters.parameter_bytes.data(), &out, 4);
  const launch_result result = board.launch(parameters);
  ASSERT_EQ(result.reason, end_reason::fault);
  EXPECT_EQ(result.fault.kind, arch_state::fault_kind::protected_address);
  EXPECT_EQ(result.fault.line, 8u);
  const std::uint32_t first = (page - out) / 256;
  EXPECT_EQ(result.fault.lanes, 0xffffffffu << first & (first + 16 < 32 ? (1u << (first + 16)) - 1 : 0xffffffffu));
  EXPECT_EQ(result.fault.address, page);
}

TEST(fault, of_a_trap_names_the_instruction) {
  const auto run =
      support::run_assembly(support::configuration("gt200_small"),
                            ".target sm_13\n.entry k\n.param u32 out\n  trap\n  exit nop\n.end\n", 2, 64, 1);
  ASSERT_EQ(run.result.reason, end_reason::fault);
  EXPECT_EQ(run.result.fault.kind, arch_state::fault_kind::trap);
  EXPECT_EQ(run.result.fault.pc, 0u);
}

}  // namespace
}  // namespace gt200
