// Steps run in order; loops end when their flag is zero.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testbenches/toolchain/launch/fake_device.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/error.h"
#include "toolchain/launch/launch_run.h"

namespace gt200::launch {
namespace {

class run_test : public testing::Test {
 protected:
  run_test()
      : module_(assembler::assemble(
            ".global g u32 0x11223344\n.entry one\nexit nop\n.end\n.entry two\nexit nop\n.end\n", "p.s")) {}
  void start(const std::string& steps) {
    description_ = parse(
        "schema = 1\nsource = \"p.s\"\n[[buffer]]\nname = \"flag\"\ntype = \"u8\"\ncount = 3\nvalues = [9, 8, "
        "7]\n" +
            steps,
        "launch.toml");
    device_allocator allocator;
    prepared_ = prepare(description_, module_, {}, allocator);
    upload(prepared_, device_.connection());
  }
  std::uint32_t flag_address() const { return prepared_.buffer_at("flag").address; }
  std::vector<std::string> launched() const {
    std::vector<std::string> names;
    for (const launch_parameters& p : device_.launches) names.push_back(p.kernel->name);
    return names;
  }
  static std::string launch_text(const std::string& table, const std::string& name) {
    return table + "\nlaunch = \"" + name + "\"\ngrid = [1]\nblock = [1]\n";
  }
  cubin::module module_;
  description description_;
  prepared prepared_;
  fake_device device_;
};

TEST_F(run_test, globals_and_buffers_are_uploaded) {
  start(launch_text("[[step]]", "one"));
  EXPECT_EQ(device_.load<std::uint32_t>(prepared_.globals[0].address), 0x11223344u);
  EXPECT_EQ(device_.load<std::uint8_t>(flag_address() + 2), 7);
}

TEST_F(run_test, steps_run_in_order_and_grids_are_numbered) {
  start("[[step]]\nfill = \"flag\"\nvalue = 3\n" + launch_text("[[step]]", "two") + "[[step]]\nrepeat = 2\n" +
        launch_text("[[step.step]]", "one"));
  device_.on_launch = [&](const launch_parameters&) {
    EXPECT_EQ(device_.load<std::uint8_t>(flag_address() + 2), 3);
  };
  execute(prepared_, device_.connection());
  EXPECT_THAT(launched(), testing::ElementsAre("two", "one", "one"));
  EXPECT_EQ(device_.launches[0].grid_id, 0);
  EXPECT_EQ(device_.launches[2].grid_id, 2);
}

TEST_F(run_test, repeat_while_runs_until_the_flag_stays_zero) {
  start("[[step]]\nrepeat_while = \"flag\"\n[[step.step]]\nfill = \"flag\"\nvalue = 0\n" +
        launch_text("[[step.step]]", "one"));
  device_.on_launch = [&](const launch_parameters&) {
    if (device_.launches.size() < 4) device_.store<std::uint8_t>(flag_address(), 1);
  };
  execute(prepared_, device_.connection());
  EXPECT_EQ(device_.launches.size(), 4u);
}

TEST_F(run_test, a_loop_that_does_not_end_is_an_error_of_its_own_with_its_line) {
  start("[[step]]\nrepeat_while = \"flag\"\nrepeat = 5\n" + launch_text("[[step.step]]", "one"));
  try {
    execute(prepared_, device_.connection());
    FAIL() << "it ends";
  } catch (const repetitions_used_up& error) {
    EXPECT_THAT(error.what(),
                testing::MatchesRegex(".*launch.toml:[0-9]+: 'flag.0. != 0' still holds after 5 repetitions"));
  }
  EXPECT_EQ(device_.launches.size(), 5u) << "they have run";
}

}  // namespace
}  // namespace gt200::launch
