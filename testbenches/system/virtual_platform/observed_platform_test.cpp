// Observers by options, on a chip that a platform programs.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "examples/virtual_platform/cpu.h"
#include "observe/observers/observers.h"
#include "observe/observers/options_file.h"
#include "observe/summary.h"
#include "sc_models/chip.h"
#include "sc_models/config/load.h"
#include "sc_models/distribution/registers.h"
#include "testbenches/support/own_process.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/error.h"

namespace gt200::platform {
namespace {

namespace registers = model::registers;

// Every thread copies its word from in to out.
constexpr const char* copy = R"(
.target sm_13
.entry copy
.param u32 in
.param u32 out
    mov b16 $r1l u16 s[%ntid.x]
    cvt u32 $r2 u16 $r0l
    add $r0 (mul u16 u16 s[%ctaid.x] $r1l) $r2
    shl b32 $r0 $r0 0x2
    add b32 $r1 b32 s[in] $r0
    ld b32 $r1 g14[$r1]
    add b32 $r0 b32 s[out] $r0
    exit st b32 g14[$r0] $r1
.end
)";
// The warps of a block wait at different barriers.
constexpr const char* deadlock = R"(
.target sm_13
.entry deadlock
.param u32 in
.param u32 out
    cvt u32 $r1 u16 $r0l
    mov b32 $r5 0x20
    set $c0 # l u32 $r1 $r5
    (lg $c0) bra other
    bar inc wait 0x1 0xfff
    exit nop
other:
    bar inc wait 0x0 0xfff
    exit nop
.end
)";

constexpr unsigned blocks = 8, threads = 64, elements = blocks * threads;
constexpr std::uint64_t table = 0x00200000, code = 0x01000000, data = 0x03000000;
constexpr std::array<std::uint32_t, 2> buffers = {0x40000000, 0x40001000};

// A module that contains what is made while it is.
class containing : public sc_core::sc_module {
 public:
  containing(const sc_core::sc_module_name& name, const std::function<void()>& make) : sc_core::sc_module(name) {
    make();
  }
};

class observed_platform : public testing::Test {
 protected:
  observed_platform() { sc_core::sc_set_time_resolution(1, sc_core::SC_FS); }

  static observe::observer_options options_of(const std::string& text) {
    return observe::parse_observers(text, "o.toml");
  }
  static std::string path(const std::string& name) { return testing::TempDir() + "observed_" + name; }
  static std::string content_of(const std::string& name) {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  // Runs the program once. `described`: parameters as the observers get them. `board`: a module around the chip.
  void run(const char* program, const observe::observer_options& options,
           const std::array<std::uint32_t, 2>& described = buffers, const std::vector<std::string>& overrides = {},
           const std::string& board = "") {
    module_ = assembler::assemble(program, "platform.s");
    const cubin::kernel& kernel = module_.kernels.front();
    const config::gpu_config config =
        config::load(std::string(GT200_SOURCE_DIR) + "/configs/gt200_small.toml", overrides).values;
    const auto make = [&] {
      chip_ = std::make_unique<model::chip>("gpu", config, options.clocking, model::chip_host::platform);
    };
    if (board.empty())
      make();
    else
      board_ = std::make_unique<containing>(board.c_str(), make);
    cpu_ = std::make_unique<cpu>("cpu", [&, described](cpu& host) {
      for (unsigned i = 0; i < elements; ++i) input_[i] = 7 * i + 1;
      host.write_memory(code, kernel.code.data(), 4 * kernel.code.size());
      host.write_memory(data, input_.data(), sizeof input_);
      host.map(buffers[0], 2 * 4096, data, config.memory_map.page_table_base, table);
      sc_core::wait(1, sc_core::SC_US);
      launch(host, described);
      host.read_memory(data + 4096, output_.data(), sizeof output_);
      if (afterwards_) afterwards_(host);
    });
    cpu_->bus.bind(chip_->command_processor.host);
    const auto attach = [&] {
      if (stops_by_itself_)
        seen_ = std::make_unique<observe::observers>(*chip_, options);
      else
        seen_ = std::make_unique<observe::observers>(*chip_, options, [this] { stopped_ = true; });
    };
    if (observed_too_early_) attach();
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    if (!observed_too_early_) attach();
    sc_core::sc_start();
  }

  void launch(cpu& host, const std::array<std::uint32_t, 2>& described = buffers) {
    const cubin::kernel& kernel = module_.kernels.front();
    host.write(registers::cp_address_low, static_cast<std::uint32_t>(code));
    host.write(registers::code_size, static_cast<std::uint32_t>(4 * kernel.code.size()));
    host.write(registers::cp_reg_alloc_temp, kernel.registers);
    host.write(registers::shared_size, kernel.shared_bytes);
    host.write(registers::griddim, blocks | 1u << 16);
    host.write(registers::blockdim_xy, threads | 1u << 16);
    host.write(registers::blockdim_z, 1);
    host.write(registers::block_alloc, threads | (kernel.barriers + 1) << 16);
    host.write(registers::user_param_count, static_cast<std::uint32_t>(buffers.size()) << 8);
    for (std::uint32_t i = 0; i < buffers.size(); ++i) host.write(registers::user_param + 4 * i, buffers[i]);
    launch::launch_parameters launch;
    launch.kernel = &kernel;
    launch.grid = {blocks, 1};
    launch.block = {threads, 1, 1};
    launch.parameter_bytes.resize(sizeof described);
    std::memcpy(launch.parameter_bytes.data(), described.data(), sizeof described);
    if (described_wrongly_) described_wrongly_(launch);
    if (begins_) seen_->launch_begins(launch);
    host.write(registers::launch, 1);
    if (begins_twice_) seen_->launch_begins(launch);
    const std::uint32_t before = host.read(registers::grids_ended);
    for (unsigned i = 0; i < 1000 && !stopped_ && host.read(registers::grids_ended) == before; ++i)
      sc_core::wait(1, sc_core::SC_US);
    if (before_the_end_) before_the_end_(host);
    result_ = seen_->launch_ended();
  }
  // Of a simulation of its own; empty without one.
  std::string error_of(const std::string& options) {
    return support::in_own_process([&]() -> std::string {
      run(copy, options_of(options));
      seen_->finish();
      return "";
    });
  }

  cubin::module module_;
  std::unique_ptr<containing> board_;
  std::unique_ptr<model::chip> chip_;
  std::unique_ptr<cpu> cpu_;
  std::unique_ptr<observe::observers> seen_;
  bool stopped_ = false;
  launch_result result_;
  // What a platform does otherwise than docs/virtual_platform.md says.
  bool observed_too_early_ = false, begins_ = true, begins_twice_ = false;
  std::function<void(launch::launch_parameters&)> described_wrongly_;
  bool stops_by_itself_ = false;              // the observers call sc_stop()
  std::function<void(cpu&)> before_the_end_;  // of the launch: before launch_ended()
  std::function<void(cpu&)> afterwards_;      // behind the launch
  std::array<std::uint32_t, elements> input_{}, output_{};
};

TEST_F(observed_platform, has_all_files_that_its_options_name) {
  const observe::observer_options options =
      options_of("[clocking]\nshuffle = 3\n[trace]\nwaves = \"" + path("{chip}.vcd") + "\"\ntimeline = \"" +
                 path("{chip}.trace") + "\"\nscope = \"{chip}.tpc_0.sm_0.*\"\n[statistics]\njson = \"" +
                 path("{chip}.json") + "\"\ncsv = \"" + path("{chip}.csv") + "\"\nsummary = \"" +
                 path("{chip}.txt") + "\"\n[check]\nreference = true\n");
  run(copy, options);
  EXPECT_EQ(result_.reason, end_reason::done);
  EXPECT_EQ(output_, input_);
  EXPECT_EQ(seen_->trouble(), "");
  const std::string said = seen_->finish();
  EXPECT_NE(said.find("compared"), std::string::npos) << said;
  EXPECT_EQ(seen_->finish(), "") << "once";
  const auto stats = nlohmann::json::parse(content_of("gpu.json"));
  EXPECT_EQ(stats["result"]["end"], "done");
  EXPECT_EQ(stats["launches"][0]["core_cycles"], result_.cycles);
  EXPECT_NE(content_of("gpu.vcd").find("$scope module gpu"), std::string::npos);
  for (const char* file : {"gpu.csv", "gpu.txt", "gpu.trace"}) EXPECT_FALSE(content_of(file).empty()) << file;
  EXPECT_EQ(seen_->statistics().total().issued(), blocks * threads / 32 * 8u);
}

// What a reader of the figures compares does not depend on where the chip stands; its name tells chips apart.
TEST_F(observed_platform, has_the_figures_of_a_chip_alone_if_a_module_contains_the_chip) {
  const observe::observer_options options =
      options_of("[statistics]\njson = \"" + path("{chip}.json") + "\"\ncsv = \"" + path("{chip}.csv") +
                 "\"\nsummary = \"" + path("{chip}.txt") + "\"\n[check]\nreference = true\n");
  const auto figures = [&](const std::string& board, const std::string& chip) {
    return support::in_own_process([&] {
      run(copy, options, buffers, {}, board);
      seen_->finish();
      auto stats = nlohmann::ordered_json::parse(content_of(chip + ".json"));
      if (stats["chip"]["name"] != chip) return "the name is " + stats["chip"]["name"].dump();
      for (const char* other : {"host", "command_line"}) stats.erase(other);
      stats["chip"].erase("name");
      std::string summary = content_of(chip + ".txt");
      const std::string first = observe::labelled("chip", chip);
      if (summary.rfind(first, 0) != 0) return "the summary begins with " + summary.substr(0, 100);
      return stats.dump(1) + content_of(chip + ".csv") + summary.substr(first.size());
    });
  };
  const std::string alone = figures("", "gpu"), within = figures("board_1", "board_1.gpu");
  EXPECT_GT(alone.size(), 50'000u) << alone.substr(0, 200);
  EXPECT_NE(alone.find("\"gpu.tpc_0.sm_0.issue.issued\""), std::string::npos);
  EXPECT_TRUE(within == alone) << within.substr(0, 500);
}

// The kernel gets other parameters than the platform says.
TEST_F(observed_platform, is_told_of_a_difference_from_the_reference) {
  run(copy, options_of("[check]\nreference = true\n"), {buffers[0] + 64, buffers[1]});
  EXPECT_TRUE(stopped_);
  EXPECT_NE(seen_->trouble().find("tpc_"), std::string::npos) << seen_->trouble();
}

TEST_F(observed_platform, is_told_of_a_hang) {
  run(deadlock, options_of("[hang]\nreport = \"" + path("{chip}.hang") + "\"\n"), buffers,
      {"simulation.watchdog_idle_cycles=3000"});
  EXPECT_TRUE(stopped_);
  EXPECT_EQ(result_.reason, end_reason::hang);
  EXPECT_NE(seen_->trouble().find("barrier"), std::string::npos) << seen_->trouble();
  seen_->finish();
  EXPECT_EQ(content_of("gpu.hang"), seen_->trouble());
}

// Behind the last page of the table.
TEST_F(observed_platform, is_told_of_a_fault_with_its_place) {
  std::string program = copy;
  program.replace(program.find("    ld b32"), 0, "    mov b32 $r1 0x10\n");
  run(program.c_str(), options_of("[check]\nreference = true\n"));
  EXPECT_EQ(result_.reason, end_reason::fault);
  EXPECT_EQ(result_.fault.kind, arch_state::fault_kind::unmapped_address);
  EXPECT_EQ(result_.fault.kernel, "copy");
  EXPECT_NE(result_.fault.disassembly.find("ld"), std::string::npos) << result_.fault.disassembly;
  EXPECT_EQ(seen_->trouble(), "") << "the reference faults as well";
}

// -- the order of calls --

std::vector<std::string> every_table() {
  const std::string file = testing::TempDir() + "observed_order";
  return {"[trace]\ntimeline = \"" + file + "\"\n", "[statistics]\nsummary = \"" + file + "\"\n",
          "[check]\nreference = true\n", "[hang]\nreport = \"" + file + "\"\n"};
}

TEST_F(observed_platform, is_not_observed_before_the_end_of_the_elaboration) {
  observed_too_early_ = true;
  for (const std::string& options : every_table())
    EXPECT_EQ(error_of(options),
              "error: observers of gpu: the elaboration has not ended: call sc_start(SC_ZERO_TIME) before")
        << options;
}

TEST_F(observed_platform, describes_each_launch_before_it_begins) {
  begins_ = false;
  for (const std::string& options : every_table()) {
    const std::string error = error_of(options);
    EXPECT_NE(error.find("call launch_begins() before"), std::string::npos) << options << error;
  }
  EXPECT_NE(
      error_of("[check]\nreference = true\n").find("observers of gpu: LAUNCH was written: call launch_begins()"),
      std::string::npos);
}

TEST_F(observed_platform, ends_a_launch_before_it_describes_the_next) {
  begins_twice_ = true;
  const std::string error = error_of("[statistics]\nsummary = \"/dev/null\"\n");
  EXPECT_NE(error.find("observers of gpu: launch_begins(): a launch runs: call launch_ended()"), std::string::npos)
      << error;
}

TEST_F(observed_platform, describes_the_launch_that_its_registers_have) {
  const auto error = [&](const std::function<void(launch::launch_parameters&)>& described) {
    described_wrongly_ = described;
    return error_of("[check]\nreference = true\n");
  };
  std::string text = error([](launch::launch_parameters& launch) { launch.kernel = nullptr; });
  EXPECT_NE(text.find("observers of gpu: launch_begins(): launch_parameters.kernel is not set"), std::string::npos)
      << text;
  text = error([](launch::launch_parameters& launch) { launch.block = {0, 1, 1}; });
  EXPECT_NE(text.find("launch_begins(): launch_parameters are wrong: block.x is 0"), std::string::npos) << text;
  text = error([](launch::launch_parameters& launch) { launch.block = {32, 1, 1}; });
  EXPECT_NE(text.find("the block is described as 32 x 1 x 1, and is 64 x 1 x 1 in the registers"),
            std::string::npos)
      << text;
  text = error([](launch::launch_parameters& launch) { launch.grid = {blocks, 2}; });
  EXPECT_NE(text.find("the grid is described as 8 x 2 x 1, and is 8 x 1 x 1 in the registers"), std::string::npos)
      << text;
}

// -- files --

TEST_F(observed_platform, says_what_was_different_in_files_without_a_launch) {
  stops_by_itself_ = true;
  run(copy,
      options_of(
          "[trace]\nwaves = \"" + path("{chip}.vcd") +
          "\"\nscope = \"*.sm_0.issue.*\"\ntrigger = \"mismatch\"\nbefore = 100\n[statistics]\nsummary = \"" +
          path("{chip}.txt") + "\"\n[check]\nreference = true\n"),
      {buffers[0] + 64, buffers[1]});
  EXPECT_NE(seen_->trouble(), "");
  seen_->finish();
  EXPECT_FALSE(content_of("gpu.vcd").empty());
  EXPECT_EQ(content_of("gpu.txt"), observe::labelled("chip", "gpu") +
                                       observe::labelled("launches", "none has ended") + seen_->trouble() + "\n");
  EXPECT_EQ(sc_core::sc_report_handler::get_count(sc_core::SC_WARNING), 0) << "stopped twice";
}

// The platform ends its program, and so the simulation, at the same instant.
TEST_F(observed_platform, stops_once_if_the_difference_is_found_at_the_end_of_a_launch) {
  stops_by_itself_ = true;
  before_the_end_ = [](cpu& host) {
    const std::uint32_t wrong = 0;
    host.write_memory(data + 4096, &wrong, sizeof wrong);
  };
  run(copy, options_of("[check]\nreference = true\n"));
  EXPECT_NE(seen_->trouble().find("byte of device memory"), std::string::npos) << seen_->trouble();
  EXPECT_EQ(sc_core::sc_report_handler::get_count(sc_core::SC_WARNING), 0) << "stopped twice";
}

TEST_F(observed_platform, finds_files_that_cannot_be_written_before_it_runs) {
  for (const char* options :
       {"[statistics]\njson = \"/proc/none/x\"\n", "[statistics]\ncsv = \"/proc/none/x\"\n",
        "[statistics]\nsummary = \"/proc/none/x\"\n", "[hang]\nreport = \"/proc/none/x\"\n",
        "[trace]\ntimeline = \"/proc/none/x\"\n", "[trace]\npipeline_view = \"/proc/none/x\"\n"}) {
    const std::string error = support::in_own_process([&]() -> std::string {
      const config::gpu_config config =
          config::load(std::string(GT200_SOURCE_DIR) + "/configs/gt200_small.toml").values;
      model::chip chip("one", config);
      sc_core::sc_start(sc_core::SC_ZERO_TIME);
      const observe::observers seen(chip, options_of(options));
      return "none";
    });
    EXPECT_EQ(error, "error: /proc/none/x: cannot be written: No such file or directory") << options;
  }
}

TEST_F(observed_platform, writes_what_can_be_written_if_one_file_cannot) {
  const std::filesystem::path folder = path("lost");
  std::filesystem::create_directories(folder);
  const std::string lost = folder.string() + "/";
  for (const char* file : {"kept.csv", "kept.txt", "kept.trace"}) std::filesystem::remove(path(file));
  afterwards_ = [&](cpu&) { std::filesystem::remove_all(folder); };
  run(copy, options_of("[trace]\nlog = \"" + path("kept.log") + "\"\npipeline_view = \"" + lost +
                       "p\"\ntimeline = \"" + path("kept.trace") + "\"\n[statistics]\njson = \"" + lost +
                       "j\"\ncsv = \"" + path("kept.csv") + "\"\nsummary = \"" + path("kept.txt") + "\"\n"));
  try {
    seen_->finish();
    FAIL();
  } catch (const input_error& error) {
    EXPECT_EQ(std::string(error.what()), lost + "p: cannot be written: No such file or directory");
  }
  for (const char* file : {"kept.csv", "kept.txt", "kept.trace"}) EXPECT_FALSE(content_of(file).empty()) << file;
}

TEST_F(observed_platform, refuses_one_file_for_two_chips) {
  const config::gpu_config config =
      config::load(std::string(GT200_SOURCE_DIR) + "/configs/gt200_small.toml").values;
  model::chip one("one", config), two("two", config);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const observe::observer_options options = options_of("[statistics]\ncsv = \"" + path("both.csv") + "\"\n");
  const observe::observers first(one, options);
  try {
    const observe::observers second(two, options);
    FAIL();
  } catch (const input_error& error) {
    EXPECT_EQ(std::string(error.what()),
              path("both.csv") + ": is written for one and for two: put {chip} in its name");
  }
}

// Through links, other paths, and in the folders of two chips.
TEST_F(observed_platform, refuses_one_file_under_two_names) {
  const std::filesystem::path folder = path("linked");
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder / "one");
  std::filesystem::create_directory_symlink("one", folder / "two");
  const std::string in = folder.string() + "/";
  const config::gpu_config config =
      config::load(std::string(GT200_SOURCE_DIR) + "/configs/gt200_small.toml").values;
  model::chip one("one", config), two("two", config);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const auto error = [](model::chip& chip, const observe::observer_options& options) -> std::string {
    try {
      const observe::observers seen(chip, options);
    } catch (const input_error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(
      error(one, options_of("[statistics]\njson = \"" + in + "one/../one/x\"\ncsv = \"" + in + "{chip}/x\"\n")),
      in + "one/x: is the same file as '" + in + "one/../one/x', which is written for one");
  EXPECT_EQ(error(one, options_of("[statistics]\njson = \"" + in + "x\"\ncsv = \"" + in + "x\"\n")),
            in + "x: is written twice for one");
  const observe::observer_options options =
      options_of("[trace]\nwaves = \"" + in + "{chip}/s.vcd\"\n[statistics]\njson = \"" + in + "{chip}/s.json\"\n");
  const observe::observers first(one, options);
  EXPECT_EQ(error(two, options),
            in + "two/s.vcd: is the same file as '" + in + "one/s.vcd', which is written for one");
  EXPECT_EQ(error(two, options_of("[statistics]\njson = \"/dev/null\"\ncsv = \"/dev/null\"\n")), "") << "a device";
}

// -- a reset --

TEST_F(observed_platform, is_reset_while_counters_and_hangs_are_observed) {
  afterwards_ = [&](cpu& host) {
    chip_->reset();
    sc_core::wait(1, sc_core::SC_US);
    launch(host);
  };
  run(copy, options_of("[statistics]\ncsv = \"" + path("{chip}.csv") + "\"\nsummary = \"" + path("{chip}.txt") +
                       "\"\n[hang]\nreport = \"" + path("{chip}.hang") + "\"\n"));
  ASSERT_EQ(seen_->statistics().launches().size(), 2u);
  EXPECT_EQ(seen_->statistics().launches()[1].cycles, seen_->statistics().launches()[0].cycles);
}

// Observers that follow the chip end before its reset; new ones write their files anew.
TEST_F(observed_platform, is_reset_after_the_end_of_its_observers) {
  const observe::observer_options options =
      options_of("[statistics]\njson = \"" + path("{chip}.json") + "\"\n[check]\nreference = true\n");
  std::string refusal, first;
  afterwards_ = [&](cpu& host) {
    try {
      chip_->reset();
    } catch (const std::logic_error& error) {
      refusal = error.what();
    }
    launch(host);
    seen_->finish();
    first = content_of("gpu.json");
    seen_.reset();
    chip_->reset();
    sc_core::wait(1, sc_core::SC_US);
    seen_ = std::make_unique<observe::observers>(*chip_, options);
    launch(host);
  };
  run(copy, options);
  EXPECT_NE(refusal, "");
  EXPECT_EQ(nlohmann::json::parse(first)["launches"].size(), 2u);
  EXPECT_EQ(seen_->trouble(), "");
  seen_->finish();
  EXPECT_EQ(nlohmann::json::parse(content_of("gpu.json"))["launches"].size(), 1u)
      << "of the second observers alone";
}

}  // namespace
}  // namespace gt200::platform
