// Signals of the chip in a sc_trace_file, beside a signal of the team that owns the file.
#include "observe/trace/sc_trace.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <regex>

#include "testbenches/support/assembly_run.h"
#include "testbenches/support/own_process.h"
#include "testbenches/support/tesla_sm.h"
#include "testbenches/support/vcd_file.h"
#include "testbenches/system/checked/checked_device.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/error.h"

namespace gt200 {
namespace {

// A VCD file of SystemC without its comments, which the reader does not take between values.
support::vcd_file read_file_of_systemc(const std::string& path) {
  std::ifstream in(path);
  std::string text((std::istreambuf_iterator<char>(in)), {});
  const std::size_t values = text.find("$enddefinitions");
  std::string body = std::regex_replace(text.substr(values + 20), std::regex(R"(\$comment[^$]*\$end)"), "");
  std::ofstream(path) << text.substr(0, values + 20) << body;
  return support::read_vcd(path);
}

std::string text_of(const std::string& bits) {
  std::string text;
  const std::string padded = std::string((8 - bits.size() % 8) % 8, '0') + bits;
  for (std::size_t i = 0; i < padded.size(); i += 8)
    if (const auto c = static_cast<char>(std::stoi(padded.substr(i, 8), nullptr, 2)); c != 0) text += c;
  return text;
}

class sc_trace_file : public testing::Test {
 protected:
  sc_trace_file() { std::filesystem::create_directories(folder_); }
  ~sc_trace_file() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }

 private:
  std::string folder_ = testing::TempDir() + "gt200_sc_trace_" + std::to_string(::getpid());
};

// A board with a program, not yet run.
struct own_board {
  own_board() { board.load(module, {}); }
  void run() {
    launch::launch_parameters parameters;
    parameters.kernel = &module.kernels.front();
    parameters.grid = {1, 1};
    parameters.block = {32, 1, 1};
    parameters.parameter_bytes.resize(8);
    board.launch(parameters);
  }
  cubin::module module =
      assembler::assemble(support::checked_program("  mov b32 $r7 0x40490fdb\n  add b32 $r8 $r1 0x5\n"), "test.s");
  device board{support::configuration("gt200_small")};
};

TEST_F(sc_trace_file, has_numbers_words_reals_and_texts_at_their_times) {
  EXPECT_EQ(
      support::in_own_process([&] {
        own_board board;
        board.board.start();
        model::chip& chip = board.board.chip();
        const observe::traced_signals signals(
            chip, {"gt200.tpc_0.sm_0.issue.*"},
            {"gt200.tpc_0.sm_0.register_file.warp_0.r7.*_7", "*.sm_0.register_file.warp_0.r8.lane_*"});
        sc_core::sc_trace_file* file = sc_core::sc_create_vcd_trace_file(path("ours").c_str());
        sc_trace(file, signals, "");
        sc_trace(file, signals.at("gt200.tpc_0.sm_0.register_file.warp_0.r7.float_7"), "pi");
        board.run();
        sc_core::sc_close_vcd_trace_file(file);
        const arch_state::register_rows& rows = support::first_sm(chip).register_file.rows(model::warp_slot(0));
        const support::vcd_file back = read_file_of_systemc(path("ours.vcd"));
        const auto signal = [&](const std::string& name) {
          for (const auto& [path, found] : back.signals)
            if (path == name || path == "SystemC." + name) return found;
          ADD_FAILURE() << name;
          return support::vcd_signal{"", 0, {{0, "0"}}};
        };
        const auto last = [&](const std::string& name) { return signal(name).changes.back().second; };
        for (unsigned lane = 0; lane < isa::warp_size; ++lane)
          EXPECT_EQ(
              std::stoul(last("gt200.tpc_0.sm_0.register_file.warp_0.r8.lane_" + std::to_string(lane)), nullptr, 2),
              rows.gpr(8)[lane]);
        EXPECT_EQ(rows.gpr(8)[9], 14u);
        EXPECT_EQ(std::stof(last("pi")), 3.14159274f);
        EXPECT_EQ(std::stoul(last("gt200.tpc_0.sm_0.register_file.warp_0.r7.lane_7"), nullptr, 2), 0x40490fdbu);
        bool issued = false;
        for (const auto& [at, bits] : signal("gt200.tpc_0.sm_0.issue.scheduler_0.slot").changes)
          issued |= text_of(bits) == "issued";
        EXPECT_TRUE(issued);
        return std::string(HasFailure() ? "differs" : "equal");
      }),
      "equal");
}

TEST_F(sc_trace_file, refuses_a_pattern_or_a_path_that_names_nothing) {
  EXPECT_EQ(support::in_own_process([&] {
              own_board board;
              board.board.start();
              model::chip& chip = board.board.chip();
              EXPECT_THROW(observe::traced_signals(chip, {"nothing.*"}), input_error);
              EXPECT_THROW(observe::traced_signals(chip, {}, {"*.register_file.warp_99.r0.lane_0"}), input_error);
              EXPECT_THROW(observe::traced_signals(chip, {}, {"*"}), input_error) << "too many";
              EXPECT_THROW(observe::traced_signals(chip, {"*.issue.issued"}).at("gt200.issued"), input_error);
              return std::string(HasFailure() ? "taken" : "refused");
            }),
            "refused");
}

}  // namespace
}  // namespace gt200
