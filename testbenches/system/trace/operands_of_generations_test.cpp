// The operands that waves show at the units of each generation are the numbers that the program has at that place,
// worked out by hand here.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include "driver/device.h"
#include "observe/trace/recorder.h"
#include "observe/trace/waves.h"
#include "testbenches/support/assembly_run.h"
#include "testbenches/support/vcd_file.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/launch/pack_parameters.h"

namespace gt200::support {
namespace {

constexpr unsigned lane_seen = 5;
constexpr std::uint32_t parameter = 0x7700;

using operands = std::array<std::uint32_t, 3>;

// A source that an instruction does not have is shown as 0.
struct machine {
  std::string name;
  std::vector<std::string> settings;
  std::string shown;  // the signals of operands, but for their number
  std::string program;
  std::vector<operands> expected;  // of lane 5, among others
};

void PrintTo(const machine& m, std::ostream* to) { *to << m.name; }

std::uint32_t number_of(const std::string& binary) {
  return binary.empty() ? 0 : static_cast<std::uint32_t>(std::stoull(binary, nullptr, 2));
}

// What the three operands of each place were together, at any time.
std::vector<operands> operands_in(const vcd_file& waves) {
  std::vector<operands> found;
  const std::string end = ".source_0";
  for (const auto& [name, first] : waves.signals) {
    if (name.size() < end.size() || name.compare(name.size() - end.size(), end.size(), end) != 0) continue;
    std::array<const vcd_signal*, 3> of{};
    for (unsigned s = 0; s < of.size(); ++s)
      of[s] = &waves.signals.at(name.substr(0, name.size() - 1) + std::to_string(s));
    for (const vcd_signal* any : of)
      for (const auto& [at, value] : any->changes)
        found.push_back({number_of(of[0]->at(at)), number_of(of[1]->at(at)), number_of(of[2]->at(at))});
  }
  return found;
}

// Runs a warp of the program, whose parameter is `parameter`.
std::vector<operands> operands_on(const machine& m) {
  const std::string log = testing::TempDir() + "gt200_operands_" + std::to_string(::getpid()) + ".log";
  const std::string file = log + ".vcd";
  const cubin::module module = assembler::assemble(m.program, "test.s");
  device board(configuration(m.name, m.settings), explaining({}));
  board.load(module, {});
  board.start();
  observe::trace_settings settings;
  settings.path = log;
  settings.events = {};
  // A signal of its own, or values on request.
  (m.shown.find(".data.") != std::string::npos ? settings.values : settings.signals) = {m.shown + "source_?"};
  {
    observe::recorder recording(board, settings);
    launch::launch_parameters parameters;
    parameters.kernel = &module.kernels.front();
    parameters.grid = {1};
    parameters.block = {32, 1, 1};
    parameters.parameter_bytes = launch::pack_parameters(parameter);
    EXPECT_EQ(board.launch(parameters).reason, end_reason::done);
    recording.close();
  }
  const auto to = observe::make_vcd_writer(file);
  observe::log_reader read(log);
  observe::write_waves(read, *to, {"*"});
  const std::vector<operands> found = operands_in(read_vcd(file));
  std::filesystem::remove(log);
  std::filesystem::remove(file);
  return found;
}

const char* const tesla = R"(.entry test
.param u32 number
  cvt u32 $r1 u16 $r0l
  add b32 $r2 $r1 0x1234
  add b32 $r3 b32 s[number] $r2
  add $r4 (mul u16 $r1l $r2l) $r3
  exit nop
.end
)";

const char* const fermi = R"(.target sm_20
.entry test
.param u32 number
  mov b32 $r1 $tidx
  add b32 $r2 $r1 0x1234
  add b32 $r3 $r2 c0[number]
  add $r4 (mul u32 $r1 u32 $r2) $r3
  add b32 $r5 $r63 $r2
  add b32 $r6 $r2 $r63
  exit
.end
)";

const char* const volta = R"(.target sm_70
.entry test
.param b32 number
  [B------:R-:W0:-:S02] S2R R1, SR_TID.X
  [B0-----:R-:W-:-:S08] IADD3 R2, R1, 0x1234, RZ
  [B------:R-:W-:-:S08] IADD3 R3, R2, c[0x0][number], R1
  [B------:R-:W-:-:S08] IMAD R4, R1, R2, R3
  [B------:R-:W-:-:S08] IADD3 R5, RZ, R2, R1
  [B------:R-:W-:-:S05] EXIT
.end
)";

const std::string datapaths = "*.operations.data.lane_5.";
const std::vector<std::string> by_lane = {"tpc.sm.units.detail=lane"};

class operands_of_generations : public ::testing::TestWithParam<machine> {};

TEST_P(operands_of_generations, are_those_of_the_program) {
  const std::vector<operands> found = operands_on(GetParam());
  for (const operands& wanted : GetParam().expected)
    EXPECT_NE(std::find(found.begin(), found.end(), wanted), found.end())
        << testing::PrintToString(wanted) << " among " << testing::PrintToString(found);
}

constexpr std::uint32_t r2 = lane_seen + 0x1234;
constexpr std::uint32_t with_parameter = r2 + parameter;
const std::vector<operands> of_tesla = {
    {lane_seen, 0x1234, 0}, {parameter, r2, 0}, {lane_seen, r2, with_parameter}};
const std::vector<operands> of_fermi = {{lane_seen, 0, 0},  {lane_seen, 0x1234, 0},
                                        {r2, parameter, 0}, {lane_seen, r2, with_parameter},
                                        {0, r2, 0},         {r2, 0, 0}};
const std::vector<operands> of_volta = {{lane_seen, 0x1234, 0},
                                        {r2, parameter, lane_seen},
                                        {lane_seen, r2, with_parameter + lane_seen},
                                        {0, r2, lane_seen}};

INSTANTIATE_TEST_SUITE_P(on, operands_of_generations,
                         ::testing::Values(machine{"gt200", {}, datapaths, tesla, of_tesla},
                                           machine{"gt200", by_lane, "*.operands.", tesla, of_tesla},
                                           machine{"gtx480", {}, datapaths, fermi, of_fermi},
                                           machine{"gtx480", by_lane, "*.operands.", fermi, of_fermi},
                                           machine{"v100_small", {}, datapaths, volta, of_volta}),
                         [](const auto& of) {
                           return of.param.name + (of.param.settings.empty() ? "" : "_by_lane");
                         });

}  // namespace
}  // namespace gt200::support
