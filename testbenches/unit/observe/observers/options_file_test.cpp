// Observer options from a file: every key, and every error with its place and reason.
#include "observe/observers/options_file.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "toolchain/error.h"

namespace gt200::observe {
namespace {

std::string error_of(const std::string& text) {
  try {
    parse_observers(text, "o.toml");
  } catch (const input_error& error) {
    return error.what();
  }
  return "";
}

TEST(observer_options, are_empty_without_a_key) {
  const observer_options o = parse_observers("", "o.toml");
  EXPECT_FALSE(o.trace.any());
  EXPECT_FALSE(o.statistics.any());
  EXPECT_FALSE(o.check);
  EXPECT_EQ(o.hang_report, "");
  EXPECT_EQ(o.clocking.mode, tlm_bus::clocking_options::way::due);
  EXPECT_EQ(o.clocking.threads, 1u);
}

TEST(observer_options, have_the_values_of_the_file) {
  const observer_options o = parse_observers(R"(
[clocking]
mode = "due"
shuffle = 9
stalls_per_1024 = 30
stall_seed = 4
threads = 2
[trace]
log = "{chip}.log"
operands = true
waves = "{chip}.vcd"
pipeline_view = "p"
timeline = "t"
scope = ["{chip}.tpc_0.*", "*.l3"]
values = "*.register_file.*"
texts = "ascii"
window = "10:500"
trigger = "{chip}.l3.misses>=3"
before = 7
after = 8
[statistics]
json = "{chip}.json"
csv = "{chip}.csv"
summary = "{chip}.txt"
[check]
reference = true
[hang]
report = "{chip}.hang"
)",
                                             "o.toml")
                                 .of_chip("gpu");
  EXPECT_EQ(o.clocking.shuffle_seed, 9u);
  EXPECT_EQ(o.clocking.stalls.per_1024, 30u);
  EXPECT_EQ(o.clocking.stalls.seed, 4u);
  EXPECT_EQ(o.clocking.threads, 2u);
  EXPECT_EQ(o.trace.log, "gpu.log");
  EXPECT_TRUE(o.trace.operands);
  EXPECT_EQ(o.trace.outputs.waves, "gpu.vcd");
  EXPECT_EQ(o.trace.outputs.pipeline_view, "p");
  EXPECT_EQ(o.trace.outputs.timeline, "t");
  EXPECT_EQ(o.trace.outputs.scope, (std::vector<std::string>{"gpu.tpc_0.*", "*.l3"}));
  EXPECT_EQ(o.trace.outputs.values, std::vector<std::string>{"*.register_file.*"});
  EXPECT_EQ(o.trace.outputs.texts, "ascii");
  EXPECT_EQ(o.trace.window.begin, 10u);
  EXPECT_EQ(o.trace.window.end, 500u);
  ASSERT_TRUE(o.trace.trigger);
  EXPECT_EQ(o.trace.trigger->counter, "gpu.l3.misses");
  EXPECT_EQ(o.trace.trigger->threshold, 3u);
  EXPECT_EQ(o.trace.trigger->before, 7u);
  EXPECT_EQ(o.trace.trigger->after, 8u);
  EXPECT_EQ(o.statistics.json, "gpu.json");
  EXPECT_EQ(o.statistics.csv, "gpu.csv");
  EXPECT_EQ(o.statistics.summary, "gpu.txt");
  EXPECT_TRUE(o.check);
  EXPECT_EQ(o.hang_report, "gpu.hang");
}

TEST(observer_options, with_the_reference_clocking) {
  const observer_options o = parse_observers("[clocking]\nmode = \"reference\"\n", "o.toml");
  EXPECT_EQ(o.clocking.mode, tlm_bus::clocking_options::way::reference);
}

TEST(observer_options, that_are_wrong_are_refused_with_their_place) {
  EXPECT_EQ(error_of("[trace]\nwave = \"a.vcd\"\n"),
            "o.toml:2: unknown key 'wave' in [trace]; did you mean 'waves'?");
  EXPECT_NE(error_of("[traces]\n").find("o.toml:1: unknown key 'traces' in the file"), std::string::npos);
  EXPECT_EQ(error_of("trace = 1\n"), "o.toml:1: 'trace' must be a table");
  EXPECT_EQ(error_of("[trace]\nwaves = \"a.txt\"\n"), "o.toml:1: 'a.txt' ends in neither .vcd nor .fst");
  EXPECT_EQ(error_of("[trace]\n\nwindow = \"9:3\"\nlog = \"a\"\n"),
            "o.toml:3: 'window' is '9:3', which is no window A:B of core cycles");
  EXPECT_NE(error_of("[trace]\nlog = \"a\"\ntrigger = \"never\"\n").find("o.toml:3: 'trigger' is wrong: 'never'"),
            std::string::npos);
  EXPECT_EQ(error_of("[trace]\nlog = \"a\"\nafter = 3\n"), "o.toml:3: 'after' goes with trigger");
  EXPECT_EQ(error_of("[trace]\nscope = \"*\"\n"), "o.toml:1: a scope is for a log, waves or a pipeline view");
  EXPECT_EQ(error_of("[trace]\ntimeline = \"t.json\"\nscope = \"*\"\n"),
            "o.toml:1: a scope is for a log, waves or a pipeline view");
  EXPECT_EQ(error_of("[trace]\nwaves = \"a.vcd\"\noperands = true\n"),
            "o.toml:1: operands are recorded in a log that is kept");
  EXPECT_EQ(error_of("[trace]\nlog = \"a\"\ntexts = \"utf\"\n"),
            "o.toml:3: 'texts' is 'utf', allowed are string and ascii");
  EXPECT_EQ(error_of("[clocking]\nmode = \"fast\"\n"), "o.toml:2: 'mode' is 'fast', allowed are due and reference");
  EXPECT_EQ(error_of("[clocking]\nstalls_per_1024 = 1024\n"),
            "o.toml:2: 'stalls_per_1024' is 1024, allowed are 0 to 1023");
  EXPECT_EQ(error_of("[clocking]\naudit = true\nthreads = 2\n"),
            "o.toml:3: 'threads' does not go with audit and mode = \"reference\"");
  EXPECT_EQ(error_of("[check]\nreference = 1\n"), "o.toml:2: 'reference' must be true or false");
  EXPECT_EQ(error_of("[hang]\n"), "o.toml:1: [hang] has no 'report'");
}

TEST(observer_options, have_as_many_threads_as_a_run_may_have) {
  EXPECT_EQ(parse_observers("[clocking]\nthreads = 256\n", "o.toml").clocking.threads, 256u);
  EXPECT_EQ(error_of("[clocking]\nthreads = 257\n"), "o.toml:2: 'threads' is 257, allowed are 1 to 256");
}

TEST(observer_options, from_what_is_no_file_of_options) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"/nowhere/o.toml", "/nowhere/o.toml: cannot be read: No such file or directory"},
      {"/dev/zero", "/dev/zero: is larger than 1 MiB, which no file of options is"},
      {"/proc", "/proc: is a folder, not a file"}};
  for (const auto& [file, why] : cases) {
    try {
      read_observers(file);
      ADD_FAILURE() << file;
    } catch (const input_error& error) {
      EXPECT_EQ(error.what(), why);
    }
  }
}

}  // namespace
}  // namespace gt200::observe
