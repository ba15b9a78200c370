// Files of DRAM commands, read back by parsers that know nothing but the forms' descriptions: every form holds the
// same commands, as many as the devices count, in an order and at times that the rules of the device allow.
#include "observe/dram_commands.h"

#include <gtest/gtest.h>

#include <unistd.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>

#include "sc_models/partition/dram/devices.h"
#include "sc_models/partition/dram/protocol.h"
#include "testbenches/support/assembly_run.h"
#include "testbenches/system/memory/memory_board.h"
#include "toolchain/error.h"

namespace gt200::support {
namespace {

using model::dram_command;

// Every thread adds its number to a word, with a stride that meets many rows.
constexpr const char* program = R"(
.target sm_13
.entry strides
.param u32 data
  cvt u32 $r1 u16 $r0l
  shl b32 $r2 $r1 0xc
  add b32 $r2 b32 s[data] $r2
  ld b32 $r3 g14[$r2]
  add b32 $r3 $r3 $r1
  exit st b32 g14[$r2] $r3
.end
)";

struct line {
  std::uint64_t at = 0;
  dram_command command = dram_command::activate;
  unsigned bank = 0;
  std::uint32_t row = 0, column = 0;
};

dram_command command_of(const std::string& name) {
  static const std::map<std::string, dram_command> names = {
      {"ACT", dram_command::activate},   {"activate", dram_command::activate},
      {"PRE", dram_command::precharge},  {"precharge", dram_command::precharge},
      {"RD", dram_command::read},        {"read", dram_command::read},
      {"WR", dram_command::write},       {"write", dram_command::write},
      {"REF", dram_command::refresh},    {"REFA", dram_command::refresh},
      {"refresh", dram_command::refresh}};
  return names.at(name);
}

unsigned number(const std::ssub_match& text) { return text.matched ? static_cast<unsigned>(std::stoul(text)) : 0; }

std::vector<line> read(const std::string& file, const std::regex& form) {
  std::ifstream in(file);
  std::vector<line> result;
  for (std::string text; std::getline(in, text);) {
    if (text.find("END") != std::string::npos) continue;
    std::smatch m;
    if (!std::regex_match(text, m, form)) {
      ADD_FAILURE() << file << ": " << text;
      return result;
    }
    line l{std::stoull(m.str(1)), command_of(m.str(2)), number(m[3]), 0, 0};
    if (m.size() > 5) {
      l.row = number(m[4]);
      l.column = number(m[5]);
    } else if (m.size() > 4) {
      const bool is_column = l.command == dram_command::read || l.command == dram_command::write;
      (is_column ? l.column : l.row) = number(m[4]);
    }
    result.push_back(l);
  }
  return result;
}

class commands_of_dram : public ::testing::Test {
 protected:
  commands_of_dram() : board(configuration("gt200_small", {"partition.dram.refresh=true"}), program) {}
  ~commands_of_dram() override { std::filesystem::remove_all(folder); }

  std::string made(const std::string& ending) {
    const std::string file = (folder / ("commands" + ending)).string();
    std::filesystem::create_directories(folder);
    observe::dram_commands commands(board.chip, file);
    const std::vector<std::uint32_t> zeros(threads << 10);
    const std::uint32_t data = board.buffer(zeros);
    EXPECT_EQ(board.run(1, threads, {data}), "");
    commands.close();
    return observe::file_of_partition(file, 0);
  }
  const model::dram_devices& devices() const {
    return *dynamic_cast<const model::dram_devices*>(sc_core::sc_find_object("gt200.partition_0.dram.devices"));
  }
  void expect_legal(const std::vector<line>& lines) {
    model::dram_protocol judge(board.chip.chip().config.partition.dram);
    std::map<dram_command, std::uint64_t> count;
    for (const line& l : lines) {
      model::dram_transaction c;
      c.command = l.command;
      c.at = l.at;
      c.bank = l.bank;
      c.bursts = 1;
      ASSERT_EQ(judge.judge(c), "");
      ++count[l.command];
    }
    EXPECT_GT(count[dram_command::activate], 4u);
    EXPECT_GT(count[dram_command::refresh], 0u);
    EXPECT_EQ(count[dram_command::activate], devices().activates.value());
    EXPECT_EQ(count[dram_command::read], devices().reads.value());
    EXPECT_EQ(count[dram_command::write], devices().writes.value());
    EXPECT_EQ(count[dram_command::refresh], devices().refreshes.value());
  }

  static constexpr unsigned threads = 128;
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("gt200-commands-" + std::to_string(getpid()));
  memory_board board;
};

TEST_F(commands_of_dram, are_read_by_what_reads_traces_of_ramulator) {
  expect_legal(read(made(".cmdtrace"), std::regex(R"((\d+),(ACT|PRE|RD|WR|REF)(?:,(\d+))?)")));
}
TEST_F(commands_of_dram, are_read_by_what_reads_traces_of_drampower) {
  expect_legal(read(made(".csv"), std::regex(R"((\d+),(ACT|PRE|RD|WR|REFA),0,0,(\d+),(\d+),(\d+))")));
}
TEST_F(commands_of_dram, are_read_by_what_reads_traces_of_dramsim) {
  expect_legal(
      read(made(".dramsim"),
           std::regex(
               R"((\d+): (activate|precharge|read|write|refresh) \(0(?:,(\d+),(\d+)(?:,0(?: , 0, 'h0)?)?)?\);)")));
}

TEST(dram_without_commands, is_refused) {
  memory_board ideal(configuration("gt200_small", {"partition.dram.model=fixed_latency"}), program);
  EXPECT_THROW(observe::dram_commands(ideal.chip, "a.csv"), input_error);
}

}  // namespace
}  // namespace gt200::support
