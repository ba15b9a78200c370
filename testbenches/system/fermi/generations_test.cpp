// A chip executes machine code of its own generation only, and says so.
#include <gtest/gtest.h>

#include "driver/device.h"
#include "testbenches/support/assembly_run.h"
#include "testbenches/system/fermi/fermi_board.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/error.h"

namespace gt200::support {
namespace {

std::string refusal_of(const std::string& program, const std::string& preset) {
  const cubin::module module = assembler::assemble(program, "test.s");
  device board(configuration(preset, {}), {});
  try {
    board.load(module, {});
  } catch (const input_error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(generations, code_of_tesla_is_refused_by_fermi) {
  EXPECT_EQ(refusal_of(".target sm_13\n.entry k\n  exit nop\n.end\n", "gtx480"),
            "test.s: the program is machine code of Tesla (sm_13), the chip executes that of Fermi (sm_20)");
}
TEST(generations, code_of_fermi_is_refused_by_tesla) {
  EXPECT_EQ(refusal_of(fermi_program("saxpy"), "gt200_small"),
            "test.s: the program is machine code of Fermi (sm_20), the chip executes that of Tesla (sm_13)");
}
TEST(generations, the_limits_of_a_launch_are_those_of_the_generation) {
  const cubin::module module = assembler::assemble(fermi_program("places"), "test.s");
  device board(configuration("gtx480", {"chip.tpcs=1"}), {});
  board.load(module, {});
  launch::launch_parameters parameters;
  parameters.kernel = &module.kernels.front();
  parameters.parameter_bytes.resize(8);
  parameters.block = {1025, 1, 1};
  try {
    board.launch(parameters);
    FAIL() << "launched";
  } catch (const input_error& error) {
    EXPECT_STREQ(error.what(), "block.x is 1025, allowed are 1 to 1024");
  }
}

}  // namespace
}  // namespace gt200::support
