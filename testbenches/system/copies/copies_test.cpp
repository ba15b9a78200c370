// Copies of the host go to the partitions as transactions: each direction at the full rate of its link, seen by the
// DRAM, and paid by a kernel that needs the DRAM at the same time.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <map>

#include "observe/checker/checker.h"
#include "observe/statistics.h"
#include "sc_models/host/copy_time.h"
#include "testbenches/support/assembly_run.h"
#include "testbenches/support/own_process.h"
#include "testbenches/system/memory/memory_board.h"
#include "toolchain/error.h"

namespace gt200::support {
namespace {

using bytes = std::vector<std::uint8_t>;

// Every thread copies a word from in to out.
const char* const stream =
    ".target sm_13\n.entry stream\n.param u32 in\n.param u32 out\n"
    "  mov b16 $r0h u16 s[%ntid.x]\n  cvt u32 $r1 u16 $r0l\n  add $r0 (mul u16 u16 s[%ctaid.x] $r0h) $r1\n"
    "  shl b32 $r0 $r0 0x2\n  add b32 $r1 b32 s[in] $r0\n  add b32 $r2 b32 s[out] $r0\n"
    "  ld b32 $r3 g14[$r1]\n  st b32 g14[$r2] $r3\n  exit nop\n.end\n";
// Every thread adds, without memory, and stores once.
std::string additions() {
  std::string text =
      ".target sm_13\n.entry additions\n.param u32 in\n.param u32 out\n  mov b32 $r1 b32 s[in]\n"
      "  mov b32 $r2 b32 s[out]\n";
  for (unsigned i = 0; i < 400; ++i) text += "  add b32 $r1 $r1 $r1\n";
  return text + "  st b32 g14[$r2] $r1\n  exit nop\n.end\n";
}

constexpr unsigned threads = 256;
constexpr double link_bytes_per_fs = 8.0 * 64 / 88 / 1e6;  // of data, on a link of 8 GB/s

bytes pattern(std::size_t size, unsigned seed) {
  bytes result(size);
  for (std::size_t i = 0; i < size; ++i) result[i] = static_cast<std::uint8_t>((i * 2654435761u + seed) >> 7);
  return result;
}

tlm_bus::femtoseconds now() { return sc_core::sc_time_stamp().value(); }

std::uint64_t sum_of(const model::chip& chip, const std::string& kind) {
  std::uint64_t sum = 0;
  for (const observe::counter_entry& c : observe::counters_below(chip))
    if (observe::kind_path(c.path) == kind) sum += c.counter->value();
  return sum;
}

struct traffic_board : memory_board {
  explicit traffic_board(const char* program, const std::string& preset = "gt200",
                         const std::vector<std::string>& overrides = {})
      : memory_board(configuration(preset, overrides), program) {}
  std::uint64_t read() { return sum_of(chip.chip(), "partition.dram.controller.read_bytes"); }
  std::uint64_t written() { return sum_of(chip.chip(), "partition.dram.controller.written_bytes"); }
};

TEST(copies, go_both_ways_at_the_full_rate_at_the_same_time_with_two_engines) {
  constexpr std::size_t size = 256 * 1024;
  traffic_board board(stream, "gt200", {"host.copy_engines=2"});
  const bytes up = pattern(size, 1), down = pattern(size, 2);
  const std::uint32_t to = board.buffer(bytes(size)), from = board.buffer(down);
  const std::uint64_t read_before = board.read(), written_before = board.written();
  const tlm_bus::femtoseconds began = now();
  bytes back(size);
  board.chip.begin_copy_to_device(to, up.data(), size);
  board.chip.begin_copy_from_device(from, back.data(), size);
  board.chip.finish_copies();
  const auto took = static_cast<double>(now() - began);
  const double on_link = size / link_bytes_per_fs;
  EXPECT_GE(took, on_link);
  EXPECT_LT(took, on_link * 1.01) << size / took * 1e6 << " GB/s";
  EXPECT_EQ(back, down);
  EXPECT_EQ(board.content<std::uint8_t>(to, size), up);
  EXPECT_EQ(board.read() - read_before, size);
  EXPECT_EQ(board.written() - written_before, size);
}

// A closed form has the time of a copy that is alone: the worker of CUDA programs takes it.
TEST(copies, take_turns_with_one_engine_and_the_time_that_is_computed_for_them) {
  constexpr std::size_t size = 256 * 1024;
  traffic_board board(stream);
  const bytes up = pattern(size, 1), down = pattern(size, 2);
  const std::uint32_t to = board.buffer(bytes(size)), from = board.buffer(down);
  const auto computed = static_cast<double>(model::time_on_link(board.chip.chip().config.host, size));
  tlm_bus::femtoseconds began = now();
  board.chip.copy_to_device(to, up.data(), size);
  EXPECT_NEAR(static_cast<double>(now() - began), computed, computed * 0.01);
  began = now();
  bytes back(size);
  board.chip.begin_copy_to_device(to, up.data(), size);
  board.chip.begin_copy_from_device(from, back.data(), size);
  board.chip.begin_copy_to_device(from, up.data(), size);
  board.chip.finish_copies();
  EXPECT_NEAR(static_cast<double>(now() - began), 3 * computed, 3 * computed * 0.01);
  EXPECT_EQ(back, down) << "read before the third copy writes there";
  EXPECT_EQ(board.content<std::uint8_t>(from, size), up);
}

TEST(copies, of_any_place_and_length_move_their_bytes_alone) {
  for (const char* preset : {"gt200_small", "gtx480", "v100_small", "g80"}) {
    const std::string wrong = in_own_process([preset]() -> std::string {
      device d(configuration(preset));
      constexpr std::size_t size = 20000;
      const std::uint32_t address = d.allocate(size);
      bytes all = pattern(size, 3);
      d.poke(address, all.data(), size);
      for (const auto& [offset, count] :
           {std::pair<unsigned, unsigned>{0, 1}, {13, 1001}, {250, 12}, {4095, 8193}}) {
        const bytes part = pattern(count, offset);
        d.copy_to_device(address + offset, part.data(), count);
        std::copy(part.begin(), part.end(), all.begin() + offset);
        bytes back(count);
        d.copy_from_device(address + offset, back.data(), count);
        if (back != part) return fmt::format("{} bytes at {} come back different", count, offset);
      }
      bytes memory(size);
      d.peek(address, memory.data(), size);
      return memory == all ? "" : "other bytes have changed";
    });
    EXPECT_EQ(wrong, "") << preset;
  }
}

TEST(copies, of_one_direction_follow_one_another) {
  traffic_board board(stream);
  const bytes first = pattern(70000, 4), second = pattern(50000, 5);
  const std::uint32_t to = board.buffer(bytes(70000));
  board.chip.begin_copy_to_device(to, first.data(), first.size());
  board.chip.begin_copy_to_device(to, second.data(), second.size());
  board.chip.finish_copies();
  bytes expected = first;
  std::copy(second.begin(), second.end(), expected.begin());
  EXPECT_EQ(board.content<std::uint8_t>(to, first.size()), expected);
}

struct measured {
  double fs = 0;     // of the launch
  double bytes = 0;  // through the DRAM in that time
};

measured launch(traffic_board& board, unsigned blocks, std::uint32_t in, std::uint32_t out) {
  const std::uint64_t before = board.read() + board.written();
  launch::launch_parameters p;
  p.kernel = &board.module.kernels.at(0);
  p.grid = {blocks, 1};
  p.block = {threads, 1, 1};
  p.parameter_bytes.resize(8);
  std::memcpy(p.parameter_bytes.data(), &in, 4);
  std::memcpy(p.parameter_bytes.data() + 4, &out, 4);
  const launch_result result = board.chip.launch(p);
  EXPECT_EQ(result.reason, end_reason::done);
  return {static_cast<double>(result.ended_at - result.began_at),
          static_cast<double>(board.read() + board.written() - before)};
}

struct shares {
  double alone = 0, beside = 0;  // ns of the launch
  double expected = 0;           // for all bytes that pass the DRAM beside copies, at the rate that it has alone
};

shares stream_beside_copies(unsigned memory_mhz) {
  const std::string text = in_own_process([memory_mhz]() -> std::string {
    constexpr unsigned blocks = 1024;
    constexpr std::size_t copied = 1536 * 1024;
    traffic_board board(stream, "gt200", {fmt::format("clocks.memory_mhz={}", memory_mhz), "host.copy_engines=2"});
    const bytes input = pattern(blocks * threads * 4, 6), up = pattern(copied, 7), down = pattern(copied, 8);
    const std::uint32_t in = board.buffer(input), out = board.buffer(bytes(input.size()));
    const std::uint32_t to = board.buffer(bytes(copied)), from = board.buffer(down);
    const measured alone = launch(board, blocks, in, out);
    bytes back(copied);
    board.chip.begin_copy_to_device(to, up.data(), copied);
    board.chip.begin_copy_from_device(from, back.data(), copied);
    const measured beside = launch(board, blocks, in, out);
    if (!board.chip.chip().host.copying()) return "the copies have ended before the launch";
    board.chip.finish_copies();
    if (back != down || board.content<std::uint8_t>(to, copied) != up) return "wrong bytes are copied";
    if (board.content<std::uint8_t>(out, input.size()) != input) return "the kernel has written wrong bytes";
    const double expected = beside.bytes / alone.bytes * alone.fs;
    return fmt::format("{} {} {}", alone.fs / 1e6, beside.fs / 1e6, expected / 1e6);
  });
  shares result;
  if (std::sscanf(text.c_str(), "%lf %lf %lf", &result.alone, &result.beside, &result.expected) != 3)
    ADD_FAILURE() << text;
  const std::string name = std::to_string(memory_mhz);
  testing::Test::RecordProperty(name + "_alone_ns", static_cast<int>(result.alone));
  testing::Test::RecordProperty(name + "_beside_ns", static_cast<int>(result.beside));
  testing::Test::RecordProperty(name + "_expected_ns", static_cast<int>(result.expected));
  return result;
}

// A kernel that streams through the DRAM is slower beside copies: the DRAM moves their bytes too, in the time that
// it would need for all of them by itself, or somewhat less, because it has more accesses to choose from. The
// slower the DRAM is, the more that is.
TEST(copies, slow_a_kernel_by_their_bytes_in_the_dram) {
  double slower = 1.01;
  for (const unsigned memory_mhz : {1107u, 500u, 250u}) {
    const shares s = stream_beside_copies(memory_mhz);
    EXPECT_LT(s.beside, s.expected * 1.02) << memory_mhz << " MHz, alone " << s.alone;
    EXPECT_GT(s.beside, s.expected * 0.8) << memory_mhz << " MHz, alone " << s.alone;
    EXPECT_GT(s.beside / s.alone, slower) << memory_mhz << " MHz";
    slower = s.beside / s.alone;
  }
}

TEST(copies, do_not_slow_a_kernel_that_needs_no_memory) {
  constexpr unsigned blocks = 60;
  constexpr std::size_t copied = 512 * 1024;
  const std::string program = additions();
  traffic_board board(program.c_str());
  const std::uint32_t out = board.buffer(bytes(64)), to = board.buffer(bytes(copied));
  const measured alone = launch(board, blocks, 3, out);
  const bytes up = pattern(copied, 9);
  bytes back(copied);
  board.chip.begin_copy_to_device(to, up.data(), copied);
  board.chip.begin_copy_from_device(to, back.data(), copied);
  const measured beside = launch(board, blocks, 3, out);
  board.chip.finish_copies();
  EXPECT_NEAR(beside.fs, alone.fs, alone.fs * 0.01);
}

// A board without an engine ends its copies before a grid begins.
TEST(copies, end_before_a_grid_begins_where_they_cannot_overlap) {
  traffic_board board(stream, "gt200_small", {"host.copy_engines=0"});
  constexpr unsigned blocks = 8;
  const bytes input = pattern(blocks * threads * 4, 6);
  const std::uint32_t in = board.buffer(bytes(input.size())), out = board.buffer(bytes(input.size()));
  board.chip.begin_copy_to_device(in, input.data(), input.size());
  launch(board, blocks, in, out);
  EXPECT_FALSE(board.chip.chip().host.copying());
  EXPECT_EQ(board.content<std::uint8_t>(out, input.size()), input);
}

// Times, bytes and counters of launches with copies before, beside and behind them.
std::string figures_of(const tlm_bus::clocking_options& clocking) {
  device_options options;
  options.clocking = clocking;
  const cubin::module module = assembler::assemble(stream, "stream.s");
  device d(configuration("gt200_small"), options);
  d.load(module, {});
  constexpr unsigned blocks = 48;
  constexpr std::size_t size = blocks * threads * 4;
  const std::uint32_t in = d.allocate(size), out = d.allocate(size), other = d.allocate(size);
  const bytes input = pattern(size, 10);
  d.copy_to_device(in, input.data(), size);
  bytes back(size);
  std::string text = fmt::format("copied at {}\n", now());
  d.begin_copy_to_device(other, input.data(), size);
  d.begin_copy_from_device(in, back.data(), size);
  launch::launch_parameters p;
  p.kernel = &module.kernels.at(0);
  p.grid = {blocks, 1};
  p.block = {threads, 1, 1};
  p.parameter_bytes.resize(8);
  std::memcpy(p.parameter_bytes.data(), &in, 4);
  std::memcpy(p.parameter_bytes.data() + 4, &out, 4);
  const launch_result result = d.launch(p);
  d.finish_copies();
  text += fmt::format("{} from {} to {}\n", name_of(result.reason), result.began_at, result.ended_at);
  text += fmt::format("right: {}\n", back == input);
  d.copy_from_device(out, back.data(), size);
  text += fmt::format("right: {}, ended at {}\n", back == input, now());
  for (const observe::counter_entry& c : observe::counters_below(d.chip()))
    text += fmt::format("{} {}\n", c.path, c.counter->value());
  return text;
}

TEST(copies, are_the_same_in_every_clocking_and_with_threads) {
  const std::string due = in_own_process([] { return figures_of({}); });
  ASSERT_EQ(due.rfind("copied at ", 0), 0u) << due.substr(0, 300);
  EXPECT_EQ(due.find("false"), std::string::npos) << due.substr(0, 300);
  std::map<std::string, tlm_bus::clocking_options> others;
  others["reference"].mode = tlm_bus::clocking_options::way::reference;
  others["audit"].audit = true;
  others["shuffle"].shuffle_seed = 5;
  others["threads"].threads = 3;
  others["threads"].share_every_window = true;
  for (const auto& [name, options] : others) {
    const std::string other = in_own_process([&o = options] { return figures_of(o); });
    EXPECT_EQ(other, due) << name;
  }
}

// The copy changes what the kernel reads while it runs.
TEST(copies, that_a_kernel_sees_are_known_to_the_checker) {
  constexpr unsigned blocks = 96;
  traffic_board board(stream, "gt200_small", {"host.pcie_mb_per_s=3000"});
  const bytes input = pattern(blocks * threads * 4, 11), changed = pattern(input.size(), 12);
  const std::uint32_t in = board.buffer(input), out = board.buffer(bytes(input.size()));
  observe::checker checker(board.chip);
  launch::launch_parameters p;
  p.kernel = &board.module.kernels.at(0);
  p.grid = {blocks, 1};
  p.block = {threads, 1, 1};
  p.parameter_bytes.resize(8);
  std::memcpy(p.parameter_bytes.data(), &in, 4);
  std::memcpy(p.parameter_bytes.data() + 4, &out, 4);
  board.chip.begin_copy_to_device(in, changed.data(), changed.size());
  checker.launch_ended(board.chip.launch(p));
  board.chip.finish_copies();
  EXPECT_FALSE(checker.difference()) << observe::describe(*checker.difference());
  const bytes seen = board.content<std::uint8_t>(out, input.size());
  EXPECT_NE(seen, input);
  EXPECT_NE(seen, changed) << "the kernel was faster than the copy at its end";
}

TEST(copies, end_with_a_reset) {
  traffic_board board(stream, "gt200_small");
  const bytes up = pattern(100000, 13);
  bytes back(up.size());
  const std::uint32_t to = board.buffer(bytes(up.size()));
  board.chip.begin_copy_to_device(to, up.data(), up.size());
  board.chip.begin_copy_from_device(to, back.data(), back.size());
  board.chip.chip().host.run(sc_core::sc_time(2, sc_core::SC_US));
  EXPECT_TRUE(board.chip.chip().host.copying());
  board.chip.reset();
  EXPECT_FALSE(board.chip.chip().host.copying());
  const bytes half = board.content<std::uint8_t>(to, up.size());
  EXPECT_TRUE(std::equal(half.begin(), half.begin() + 4096, up.begin()));
  EXPECT_NE(half, up);
  board.chip.copy_to_device(to, up.data(), up.size());
  board.chip.copy_from_device(to, back.data(), back.size());
  EXPECT_EQ(back, up);
}

TEST(copies, beyond_the_memory_are_an_error) {
  traffic_board board(stream, "gt200_small");
  board.chip.start();
  const std::uint64_t end = board.chip.chip().config.memory_bytes();
  const bytes data(128);
  EXPECT_THROW(board.chip.chip().host.copy_to_device(end - 64, data.data(), data.size()), std::out_of_range);
  board.chip.chip().host.copy_to_device(end - 128, data.data(), data.size());
}

}  // namespace
}  // namespace gt200::support
