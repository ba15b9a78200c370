// Traced runs: logs, waveforms, pipeline views and timelines as users see them.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "testbenches/support/kanata_file.h"
#include "testbenches/support/vcd_file.h"
#include "testbenches/system/cli/traced_run.h"

namespace gt200::cli {
namespace {

using nlohmann::json;

using trace = traced_run;

// -- nothing changes --

TEST_F(trace, changes_no_cycle_and_no_result) {
  ASSERT_EQ(run({}, "plain").code, 0);
  const outcome traced =
      run({"--trace", "--waves", path("w.vcd"), "--pipeline-view", path("p.kanata"), "--timeline", path("t.json")},
          "traced");
  ASSERT_EQ(traced.code, 0) << traced.err;
  EXPECT_EQ(stats("plain"), stats("traced"));
  EXPECT_NE(traced.out.find("traced        " + path("traced/trace.log")), std::string::npos) << traced.out;
}

// Scoreboards of Volta count instructions under way: up when one issues, down when it is done.
TEST_F(trace, shows_how_dependency_barriers_rise_and_fall) {
  const outcome o = gt200_run({"run", source_path("kernels/vector_add"), "--param", "N=2048", "--config",
                               "v100_small", "--source", source_path("kernels/vector_add/vector_add.cu"), "--waves",
                               path("w.vcd"), "--wave-scope", "*.sm_0.block_0.gate.*"});
  ASSERT_EQ(o.code, 0) << o.err;
  const support::vcd_file waves = support::read_vcd(path("w.vcd"));
  unsigned risen = 0;
  for (const auto& [name, signal] : waves.signals) {
    if (name.find(".sb") == std::string::npos || signal.changes.size() < 2) continue;
    ++risen;
    EXPECT_EQ(signal.changes.front().second, "0") << name;
    EXPECT_EQ(signal.changes.back().second, "0") << name << " never falls";
  }
  EXPECT_GT(risen, 4u);
}

TEST_F(trace, goes_with_a_checked_run) {
  const outcome o = run({"--check", "--trace"});
  EXPECT_EQ(o.code, 0) << o.out << o.err;
  EXPECT_GT(std::filesystem::file_size(path("out/trace.log")), 100'000u);
}

// -- one id everywhere --

TEST_F(trace, find_prints_the_life_of_an_instruction_in_order_of_time) {
  ASSERT_EQ(run({"--trace"}).code, 0);
  const outcome o = gt200_run({"trace", "find", "i0.1", path("out")});
  ASSERT_EQ(o.code, 0) << o.err;
  const auto lines = lines_of(o.out);
  ASSERT_GE(lines.size(), 4u) << o.out;
  EXPECT_NE(lines.front().find("entered"), std::string::npos) << o.out;
  // At the instant of its end it is taken out of the pipe to write-back and completed; its registers and scoreboard
  // entries are transactions.
  const auto completed = std::find_if(lines.begin(), lines.end(), [](const std::string& line) {
    return line.find("completed") != std::string::npos;
  });
  ASSERT_NE(completed, lines.end()) << o.out;
  EXPECT_EQ(completed->substr(0, 37), lines.back().substr(0, 37)) << "something follows its end";
  double last = 0;
  for (const std::string& line : lines) {
    std::smatch time;
    ASSERT_TRUE(std::regex_search(line, time, std::regex(" ([0-9.]+) ns"))) << line;
    EXPECT_GE(std::stod(time[1]), last) << o.out;
    last = std::stod(time[1]);
  }
}

TEST_F(trace, find_follows_a_load_to_the_memory_and_back) {
  const std::string folder = kernel("load",
                                    "    shl b32 $r1 $r0 0x2\n    add b32 $r1 b32 s[0x10] $r1\n"
                                    "    ld b32 $r2 g14[$r1]\n    add b32 $r2 $r2 0x1\n    st b32 g14[$r1] $r2\n"
                                    "    exit nop\n",
                                    32);
  const outcome ran = gt200_run({"run", folder, "--config", "gt200_small", "--out", path("out"), "--trace"});
  ASSERT_TRUE(ran.code == 0) << ran.out << ran.err;
  const outcome load = gt200_run({"trace", "find", "i0.3", path("out")});
  ASSERT_EQ(load.code, 0) << load.err;
  // The transaction of the load, found by its own id, reaches the DRAM.
  std::smatch id;
  ASSERT_TRUE(std::regex_search(load.out, id, std::regex("(m0\\.[0-9]+): read of 128 bytes|(m0\\.[0-9]+): read")))
      << load.out;
  const outcome transaction = gt200_run({"trace", "find", id[1].matched ? id[1].str() : id[2].str(), path("out")});
  ASSERT_EQ(transaction.code, 0) << transaction.err;
  for (const char* place : {"load_store_queue", "crossbar.source_0", "arbiter.requests", "dram"})
    EXPECT_NE(transaction.out.find(place), std::string::npos) << place << "\n" << transaction.out;
}

TEST_F(trace, find_reports_mistakes) {
  ASSERT_EQ(run({"--trace"}).code, 0);
  for (const auto& [id, reason] : std::map<std::string, std::string>{
           {"17", "'17' is no id"}, {"i0.999999999", "i0.999999999 is not in the log"}}) {
    const outcome o = gt200_run({"trace", "find", id, path("out")});
    EXPECT_EQ(o.code, 1);
    EXPECT_TRUE(is_one_clear_line(o.err));
    EXPECT_NE(o.err.find(reason), std::string::npos) << o.err;
  }
  const outcome none = gt200_run({"trace", "find", "i0.1", path("nowhere")});
  EXPECT_EQ(none.code, 1);
  EXPECT_TRUE(is_one_clear_line(none.err));
  const outcome other = gt200_run({"trace", "find", "i0.1", path("out/stats.json")});
  EXPECT_EQ(other.code, 1);
  EXPECT_NE(other.err.find("is not the log of a traced run"), std::string::npos) << other.err;
}

TEST_F(trace, the_scope_applies_to_events_too) {
  ASSERT_EQ(run({"--trace", "--wave-scope", "gt200.tpc_0.sm_1.*"}).code, 0);
  const outcome inside = gt200_run({"trace", "find", "i1.1", path("out")});
  EXPECT_EQ(inside.code, 0) << inside.err;
  EXPECT_NE(inside.out.find("gt200.tpc_0.sm_1.write_back"), std::string::npos) << inside.out;
  const outcome outside = gt200_run({"trace", "find", "i0.1", path("out")});
  EXPECT_EQ(outside.code, 1);
  EXPECT_NE(outside.err.find("i0.1 is not in the log"), std::string::npos) << outside.err;
  // A view needs the surroundings of its SMs.
  ASSERT_EQ(run({"--trace", "--wave-scope", "gt200.tpc_0.sm_1.*", "--pipeline-view", path("p.kanata")}).code, 0);
  EXPECT_EQ(gt200_run({"trace", "find", "i0.1", path("out")}).code, 0);
}

// The log that a killed run leaves.
TEST_F(trace, a_log_without_its_end_is_read_as_far_as_it_is_whole) {
  ASSERT_EQ(run({"--trace"}).code, 0);
  std::filesystem::resize_file(path("out/trace.log"), std::filesystem::file_size(path("out/trace.log")) - 100);
  const outcome o = gt200_run({"trace", "find", "i0.1", path("out")});
  EXPECT_EQ(o.code, 0);
  EXPECT_NE(o.out.find("entered"), std::string::npos) << o.out;
  EXPECT_NE(o.err.find("the end of the log is missing"), std::string::npos) << o.err;
}

TEST_F(trace, every_reader_of_a_log_without_its_end_says_so) {
  ASSERT_EQ(run({"--trace"}).code, 0);
  const std::string log = path("out/trace.log"), warning = "gt200: " + log + ": the end of the log is missing\n";
  for (const arguments& reader :
       {arguments{"trace", "convert", log, "--waves", path("w.vcd")},
        arguments{"trace", "convert", log, "--timeline", path("t.json")}, arguments{"trace", "find", "i0.1", log},
        arguments{"trace", "find", "--warp", "0", log}, arguments{"report", path("out"), "-o", path("r.html")}})
    EXPECT_EQ(gt200_run(reader).err, "") << reader[0] << " " << reader[1];
  // A reader cannot know it from the last chunk, which is whole.
  std::filesystem::resize_file(log, std::filesystem::file_size(log) - 16);
  for (const arguments& reader :
       {arguments{"trace", "convert", log, "--waves", path("w.vcd")},
        arguments{"trace", "convert", log, "--timeline", path("t.json")}, arguments{"trace", "find", "i0.1", log},
        arguments{"trace", "find", "--warp", "0", log}, arguments{"report", path("out"), "-o", path("r.html")}}) {
    const outcome o = gt200_run(reader);
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_EQ(o.err, warning) << reader[0] << " " << reader[1];
  }
  EXPECT_NE(content_of(path("r.html")).find("The end of the log is missing"), std::string::npos);
}

TEST_F(trace, a_log_with_a_flipped_bit_is_said_to_be_damaged) {
  ASSERT_EQ(run({"--trace"}).code, 0);
  const std::string log = path("out/trace.log");
  std::fstream bytes(log, std::ios::in | std::ios::out | std::ios::binary);
  const auto middle = static_cast<std::streamoff>(std::filesystem::file_size(log) / 2);
  bytes.seekg(middle);
  const int byte = bytes.get();
  bytes.seekp(middle);
  bytes.put(static_cast<char>(byte ^ 1));
  bytes.close();
  const outcome o = gt200_run({"trace", "convert", path("out"), "--timeline", path("t.json")});
  EXPECT_EQ(o.code, 0);
  EXPECT_EQ(o.err, "gt200: " + log + ": the log is damaged: what follows the damage is missing\n");
}

TEST_F(trace, convert_makes_what_the_run_would_have_made) {
  ASSERT_EQ(
      run({"--trace", "--waves", path("a.vcd"), "--pipeline-view", path("a.kanata"), "--timeline", path("a.json")})
          .code,
      0);
  ASSERT_EQ(gt200_run({"trace", "convert", path("out"), "--waves", path("b.vcd"), "--pipeline-view",
                       path("b.kanata"), "--timeline", path("b.json")})
                .code,
            0);
  for (const char* kind : {"vcd", "kanata", "json"})
    EXPECT_TRUE(content_of(path(std::string("a.") + kind)) == content_of(path(std::string("b.") + kind))) << kind;
  const outcome nothing = gt200_run({"trace", "convert", path("out")});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_TRUE(is_one_clear_line(nothing.err));
}

// -- waveforms --

TEST_F(trace, waves_show_the_window_and_the_scope_that_were_asked_for) {
  ASSERT_EQ(
      run({"--waves", path("w.vcd"), "--wave-scope", "gt200.tpc_0.sm_1.*", "--wave-window", "3600:4200"}).code, 0);
  const support::vcd_file file = support::read_vcd(path("w.vcd"));
  EXPECT_GE(file.first_time, 3600 * core_period);
  EXPECT_LT(file.first_time, 3601 * core_period);
  EXPECT_LT(file.last_time, 4200 * core_period);
  EXPECT_GT(file.last_time, 4190 * core_period);
  std::set<std::string> clocks;
  for (const auto& [name, signal] : file.signals) {
    if (name.find(".clock") != std::string::npos || name.find(".cycle") != std::string::npos)
      clocks.insert(name);
    else
      EXPECT_EQ(name.rfind("gt200.tpc_0.sm_1.", 0), 0u) << name;
  }
  EXPECT_EQ(clocks.size(), 8u);
  EXPECT_GT(file.signals.size(), 300u);
  // Texts are readable from their first value, even in the middle of a run.
  const auto& slot = file.signals.at("gt200.tpc_0.sm_1.issue.scheduler_0.slot");
  EXPECT_EQ(slot.type, "string");
  EXPECT_GE(slot.changes.size(), 3u);
  std::set<std::string> uses;
  for (const auto& [at, text] : slot.changes) uses.insert(text);
  EXPECT_TRUE(uses.count("issued")) << "nothing issued";
  EXPECT_FALSE(exists("out/trace.log"));
}

TEST_F(trace, a_trigger_leaves_only_what_surrounds_it) {
  // A warp reaches this address once.
  ASSERT_EQ(run({"--waves", path("w.vcd"), "--wave-scope", "*.sm_0.*", "--wave-trigger", "pc=0x20", "--wave-before",
                 "40", "--wave-after", "60"})
                .code,
            0);
  const support::vcd_file file = support::read_vcd(path("w.vcd"));
  const std::uint64_t cycles = (file.last_time - file.first_time) / core_period;
  EXPECT_GE(cycles, 98u);
  EXPECT_LE(cycles, 101u);
  const std::uint64_t fired = file.first_time / core_period + 40;
  const auto& pc = file.signals.at("gt200.tpc_0.sm_0.issue.scheduler_0.pc");
  const auto& slot = file.signals.at("gt200.tpc_0.sm_0.issue.scheduler_0.slot");
  EXPECT_EQ(slot.at((fired + 1) * core_period - 1), "issued");
  EXPECT_EQ(pc.at((fired + 1) * core_period - 1), "100000");
}

// A window of core cycles would be guesswork: the host takes time before the kernel starts.
TEST_F(trace, a_launch_can_be_the_trigger) {
  ASSERT_EQ(
      run({"--waves", path("w.vcd"), "--wave-scope", "*.sm_0.*", "--wave-trigger", "launch", "--wave-after", "600"})
          .code,
      0);
  const support::vcd_file file = support::read_vcd(path("w.vcd"));
  const auto began = stats("out")["launches"][0]["began_at_fs"].get<std::uint64_t>();
  EXPECT_GE(file.first_time, began);
  EXPECT_LE(file.first_time, began + 2 * core_period);
  EXPECT_LE(file.last_time, file.first_time + 601 * core_period);
  EXPECT_EQ(file.signals.at("gt200.tpc_0.sm_0.block_control.resident").at(file.first_time), "0");
  EXPECT_NE(file.signals.at("gt200.tpc_0.sm_0.block_control.resident").at(file.last_time), "0");
}

TEST_F(trace, a_counter_can_be_the_trigger) {
  ASSERT_EQ(run({"--waves", path("w.vcd"), "--wave-scope", "*.sm_0.issue.*", "--wave-trigger",
                 "gt200.tpc_0.sm_0.issue.issued>=100", "--wave-after", "50"})
                .code,
            0);
  const support::vcd_file file = support::read_vcd(path("w.vcd"));
  EXPECT_EQ(file.signals.at("gt200.tpc_0.sm_0.issue.issued").at(file.first_time), "1100100");
}

TEST_F(trace, a_fault_can_be_the_trigger_and_has_the_id_of_its_instruction) {
  const std::string folder = kernel("fault", "    mov b32 $r1 0x3\n    ld b32 $r2 g14[$r1]\n    exit nop\n", 32);
  const outcome o = gt200_run({"run", folder, "--config", "gt200_small", "--waves", path("w.vcd"), "--wave-trigger",
                               "fault", "--wave-before", "30", "--out", path("out"), "--trace"});
  EXPECT_NE(o.code, 0);
  EXPECT_NE(o.out.find("FAULT"), std::string::npos) << o.out;
  std::smatch id;
  ASSERT_TRUE(std::regex_search(o.out, id, std::regex("instruction (i[0-9]+\\.[0-9]+)"))) << o.out;
  const outcome life = gt200_run({"trace", "find", id[1], path("out")});
  EXPECT_EQ(life.code, 0) << life.err;
  EXPECT_NE(life.out.find("fault"), std::string::npos) << life.out;
  EXPECT_GT(support::read_vcd(path("w.vcd")).signals.size(), 1000u);
}

TEST_F(trace, a_trigger_that_does_not_fire_leaves_no_file) {
  const outcome o = run({"--waves", path("w.vcd"), "--wave-trigger", "fault", "--trace"});
  EXPECT_EQ(o.code, 0);
  EXPECT_NE(o.out.find("traced        nothing: the trigger did not fire"), std::string::npos) << o.out;
  EXPECT_FALSE(exists("w.vcd"));
  EXPECT_FALSE(exists("out/trace.log"));
}

TEST_F(trace, a_window_that_the_run_does_not_reach_leaves_no_file) {
  const outcome o = run({"--waves", path("w.vcd"), "--wave-window", "1000000000:", "--trace"});
  EXPECT_EQ(o.code, 0);
  EXPECT_NE(o.out.find("traced        nothing: the run ended before the window"), std::string::npos) << o.out;
  EXPECT_FALSE(exists("w.vcd"));
  EXPECT_FALSE(exists("out/trace.log"));
}

// -- mistakes found before and while the chip runs --

// Before the chip runs.
TEST_F(trace, a_second_view_that_cannot_be_written_is_found_at_the_start) {
  const outcome o = run({"--waves", path("w.vcd"), "--timeline", path("missing/t.json")});
  EXPECT_EQ(o.code, 1);
  EXPECT_EQ(o.err, "gt200: " + path("missing/t.json") + ": cannot be written: No such file or directory\n");
  EXPECT_FALSE(exists("w.vcd"));
}

TEST_F(trace, a_mistake_found_late_leaves_no_file) {
  const std::vector<arguments> wrong = {{"--waves", path("w.vcd"), "--wave-scope", "nothing.*"},
                                        {"--waves", path("w.vcd"), "--wave-trigger", "a.b>=3"},
                                        {"--trace", "--wave-scope", "nothing.*"}};
  for (const arguments& options : wrong) {
    EXPECT_EQ(run(options).code, 1);
    for (const auto& left : std::filesystem::recursive_directory_iterator(path("")))
      EXPECT_TRUE(left.is_directory()) << left.path();
  }
}

TEST_F(trace, a_file_that_cannot_be_opened_is_named_as_the_user_did) {
  const outcome o = run({"--waves", path("missing/w.vcd")});
  EXPECT_EQ(o.err, "gt200: " + path("missing/w.vcd") + ": cannot be written: No such file or directory\n");
}

// -- layouts for viewers --

TEST_F(trace, the_layouts_name_existing_signals_and_match_their_script) {
  const std::string patterns_of = "python3 " + source_path("waves/make_views") +
                                  " --patterns --view one_warp --view one_register > " + path("patterns");
  ASSERT_EQ(std::system(patterns_of.c_str()), 0);
  arguments options = {"--waves", path("w.vcd"), "--wave-window", "0:2", "--set", "tpc.sm.units.detail=lane"};
  std::istringstream patterns(content_of(path("patterns")));
  for (std::string word; patterns >> word;) {
    word.erase(std::remove(word.begin(), word.end(), '\''), word.end());
    options.push_back(word);
  }
  ASSERT_EQ(run(options).code, 0);
  const support::vcd_file file = support::read_vcd(path("w.vcd"));
  // Layouts without values are those of a dump without values.
  ASSERT_EQ(run({"--waves", path("plain.vcd"), "--wave-window", "0:2", "--set", "tpc.sm.units.detail=lane"}).code,
            0);
  const std::string script = "python3 " + source_path("waves/make_views") + " ";
  ASSERT_EQ(std::system((script + path("plain.vcd") + " " + path("views")).c_str()), 0);
  ASSERT_EQ(
      std::system((script + path("w.vcd") + " " + path("views") + " --view one_warp --view one_register").c_str()),
      0);
  const std::vector<std::string> views = {"front_end",   "scoreboard", "warp",     "one_sp",
                                          "memory_path", "dram",       "one_warp", "one_register"};
  for (const std::string& view : views) {
    for (const char* kind : {".gtkw", ".sucl"}) {
      const std::string committed = content_of(source_path("waves/" + view + kind));
      EXPECT_EQ(committed, content_of(path("views/" + view + kind))) << view << kind << " is stale";
      std::size_t signals = 0;
      for (const std::string& line : lines_of(committed)) {
        std::smatch name;
        if (!std::regex_match(line, name, std::regex("(?:variable_add )?(gt200\\.[^\\[ ]+)(\\[[0-9]+:0\\])?")))
          continue;
        ++signals;
        const auto found = file.signals.find(name[1]);
        ASSERT_NE(found, file.signals.end()) << view << kind << ": " << line;
        if (found->second.type == "real") continue;
        if (name[2].matched) {
          EXPECT_EQ(name[2].str(), "[" + std::to_string(found->second.bits - 1) + ":0]") << line;
        }
      }
      EXPECT_GT(signals, 10u) << view << kind;
    }
  }
}

TEST_F(trace, a_volta_has_layouts_of_its_own) {
  ASSERT_EQ(gt200_run({"run", source_path("kernels/reduce0"), "--config", "v100_small", "--waves", path("w.vcd"),
                       "--wave-window", "0:2"})
                .code,
            0);
  const std::string script = "python3 " + source_path("waves/make_views") + " " + path("w.vcd") + " ";
  ASSERT_EQ(std::system((script + path("views")).c_str()), 0);
  ASSERT_EQ(std::system((script + path("of_seven") + " --warp 7 --view volta_warp").c_str()), 0);
  for (const char* view : {"volta_front_end", "volta_gate", "volta_warp", "volta_memory_path", "dram"})
    for (const char* kind : {".gtkw", ".sucl"})
      EXPECT_GT(lines_of(content_of(path(std::string("views/") + view + kind))).size(), 10u) << view << kind;
  EXPECT_NE(content_of(path("of_seven/volta_warp.sucl")).find("gt200.tpc_0.sm_0.block_3.gate.warp_7.sb0"),
            std::string::npos);
  ASSERT_NE(std::system((script + path("values") + " --view one_warp 2> " + path("err")).c_str()), 0);
  EXPECT_EQ(content_of(path("err")),
            "one_warp is no layout of a Volta: volta_front_end, volta_gate, volta_warp, volta_memory_path, dram\n");
  EXPECT_FALSE(exists("values"));
}

// -- pipeline view --

TEST_F(trace, the_pipeline_view_has_every_instruction_with_its_stages) {
  ASSERT_EQ(run({"--pipeline-view", path("p.kanata")}).code, 0);
  const auto lines = support::read_kanata(path("p.kanata"));
  std::uint64_t retired = 0;
  std::set<std::string> causes;
  std::set<std::string> stages;
  std::uint64_t arrows = 0;
  for (const auto& [number, line] : lines) {
    arrows += line.producers.size();
    for (const auto& s : line.stages) (s.lane == 0 ? stages : causes).insert(s.name);
    if (!line.retired) continue;
    ++retired;
    ASSERT_GE(line.stages.size(), 4u) << line.label;
    EXPECT_EQ(line.stages.front().name, "F") << line.label;
    EXPECT_NE(line.label.find("gt200.tpc_0.sm_"), std::string::npos) << line.label;
    EXPECT_EQ(line.detail[0], 'i');
    for (const std::uint64_t producer : line.producers) EXPECT_LT(producer, number);
  }
  const json counters = stats("out")["launches"][0]["cycle_accounting"];
  std::uint64_t issued = 0;
  for (const json& sm : counters["sms"]) issued += sm["slots"]["issued"].get<std::uint64_t>();
  EXPECT_EQ(retired, issued);
  for (const char* stage :
       {"F", "D", "B", "Rd", "SP", "Sh", "Br", "Ba", "MP", "SC", "AG", "TL", "CO", "LQ", "Rp", "Wb"})
    EXPECT_TRUE(stages.count(stage)) << stage;
  for (const char* cause : {"dependency_global", "dependency_sp", "barrier"})
    EXPECT_TRUE(causes.count(cause)) << cause;
  EXPECT_GT(arrows, retired / 4);
}

// -- timeline --

// The fields of an event by its phase, with their JSON types, after the trace event format.
const std::map<std::string, std::map<std::string, std::string>>& schema_of_timeline() {
  static const std::map<std::string, std::string> any = {
      {"name", "string"}, {"ph", "string"}, {"pid", "number"}, {"tid", "number"}, {"args", "object"}};
  const auto with = [](std::map<std::string, std::string> more) {
    more.insert(any.begin(), any.end());
    return more;
  };
  static const std::map<std::string, std::map<std::string, std::string>> schema = {
      {"M", any},
      {"X", with({{"ts", "number"}, {"dur", "number"}})},
      {"C", with({{"ts", "number"}})},
      {"b", with({{"ts", "number"}, {"cat", "string"}, {"id", "string"}})},
      {"e", with({{"ts", "number"}, {"cat", "string"}, {"id", "string"}})}};
  return schema;
}

TEST_F(trace, the_timeline_has_the_schema_of_trace_events) {
  ASSERT_EQ(run({"--timeline", path("t.json")}, "out", "bfs").code, 0);
  const json document = json::parse(content_of(path("t.json")));
  ASSERT_EQ(document.size(), 2u);
  EXPECT_EQ(document.at("displayTimeUnit"), "ns");
  std::set<std::string> phases;
  for (const json& e : document.at("traceEvents")) {
    const auto fields = schema_of_timeline().find(e.at("ph").get<std::string>());
    ASSERT_NE(fields, schema_of_timeline().end()) << e;
    phases.insert(fields->first);
    EXPECT_EQ(e.size(), fields->second.size()) << e;
    for (const auto& [name, type] : fields->second) EXPECT_EQ(e.at(name).type_name(), type) << name << " " << e;
  }
  EXPECT_EQ(phases.size(), schema_of_timeline().size());
}

TEST_F(trace, the_timeline_is_what_perfetto_reads) {
  ASSERT_EQ(run({"--timeline", path("t.json")}).code, 0);
  const json document = json::parse(content_of(path("t.json")));
  ASSERT_TRUE(document.is_object());
  const json& events = document.at("traceEvents");
  ASSERT_TRUE(events.is_array());
  std::map<std::string, int> phases;
  std::set<std::string> names;
  std::map<std::pair<int, std::string>, int> open;  // memory transactions
  std::uint64_t blocks = 0;
  for (const json& e : events) {
    ASSERT_TRUE(e.at("name").is_string() && e.at("ph").is_string()) << e;
    ASSERT_TRUE(e.at("pid").is_number_unsigned() && e.at("tid").is_number_unsigned()) << e;
    const std::string ph = e.at("ph");
    ++phases[ph];
    names.insert(e.at("name"));
    if (ph == "M") {
      EXPECT_TRUE(e.at("args").at("name").is_string()) << e;
      continue;
    }
    ASSERT_TRUE(e.at("ts").is_number()) << e;
    EXPECT_GE(e.at("ts").get<double>(), 0.0) << e;
    if (ph == "X") {
      EXPECT_GE(e.at("dur").get<double>(), 0.0) << e;
      blocks += e.at("name").get<std::string>().rfind("block ", 0) == 0 ? 1 : 0;
    } else if (ph == "C") {
      EXPECT_TRUE(e.at("args").at("value").is_number()) << e;
    } else if (ph == "b") {
      EXPECT_EQ((open[{e.at("pid"), e.at("id")}]++), 0) << e;
    } else {
      ASSERT_EQ(ph, "e") << e;
      EXPECT_EQ((open[{e.at("pid"), e.at("id")}]--), 1) << e;
    }
  }
  for (const auto& [id, count] : open) EXPECT_EQ(count, 0) << id.second;
  for (const char* ph : {"M", "X", "C", "b", "e"}) EXPECT_GT(phases[ph], 0) << ph;
  for (const char* name : {"load", "store", "activate", "read", "write", "resident warps", "DRAM GB/s", "warp 0",
                           "requests waiting", "warp instructions per core cycle"})
    EXPECT_TRUE(names.count(name)) << name;
  const json launch = stats("out")["launches"][0];
  EXPECT_EQ(blocks, launch["grid"][0].get<std::uint64_t>() * launch["grid"][1].get<std::uint64_t>());
}

// -- what is refused --

TEST_F(trace, meaningless_options_are_refused) {
  const std::vector<std::pair<arguments, std::string>> wrong = {
      {{"--waves", path("w.txt")}, "ends in neither .vcd nor .fst"},
      {{"--waves", path("w.vcd"), "--timeline", path("./w.vcd")}, "writes the file that another option writes"},
      {{"--trace", "--timeline", path("out/trace.log")}, "writes the file that another option writes"},
      {{"--waves", path("w.vcd"), "--wave-window", "7"}, "is no window"},
      {{"--waves", path("w.vcd"), "--wave-window", "9:3"}, "is no window"},
      {{"--wave-window", "1:2"}, "goes with --trace"},
      {{"--wave-values", "*.r1.*"}, "goes with --trace or --waves"},
      {{"--pipeline-view", path("p.kanata"), "--wave-values", "*.r1.*"}, "goes with --trace or --waves"},
      {{"--waves", path("w.vcd"), "--trace-values"}, "goes with --trace"},
      {{"--waves", path("w.vcd"), "--wave-values", "nothing.*"}, "no value of the chip matches 'nothing.*'"},
      {{"--waves", path("w.vcd"), "--wave-values", std::string(256, '*')}, "longer than 255 characters"},
      {{"--wave-scope", "*"}, "goes with --trace"},
      {{"--timeline", path("t.json"), "--wave-scope", "*"}, "goes with --trace, --waves or --pipeline-view"},
      {{"--pipeline-view", path("p.kanata"), "--wave-scope", "nothing"}, "no SM in the log matches 'nothing'"},
      {{"--waves", path("w.vcd"), "--wave-trigger", "mismatch"}, "the trigger 'mismatch' never fires"},
      {{"--waves", path("w.vcd"), "--wave-trigger", "gt200.core.cycle>=100"},
       "the clock 'gt200.core.cycle', which is no signal"},
      {{"--waves", path("w.vcd"), "--wave-before", "3"}, "goes with --wave-trigger"},
      {{"--waves", path("w.vcd"), "--wave-scope", "nothing.*"}, "no signal of the chip matches 'nothing.*'"},
      {{"--waves", path("w.vcd"), "--wave-trigger", "sunrise"}, "'sunrise' is not a trigger"},
      {{"--waves", path("w.vcd"), "--wave-trigger", "a.b>=3"}, "which is not a signal of the chip"},
      {{"--waves", path("missing/w.vcd")}, "cannot be written"}};
  for (const auto& [options, reason] : wrong) {
    const outcome o = run(options);
    EXPECT_NE(o.code, 0) << reason;
    EXPECT_TRUE(is_one_clear_line(o.err)) << reason;
    EXPECT_NE(o.err.find(reason), std::string::npos) << o.err;
  }
  const outcome no_out = gt200_run({"run", source_path("kernels/reduce0"), "--trace"});
  EXPECT_EQ(no_out.code, 2);
  EXPECT_NE(no_out.err.find("needs --out"), std::string::npos) << no_out.err;
}

TEST_F(trace, meaningless_options_of_a_conversion_are_refused) {
  ASSERT_EQ(
      run({"--trace", "--wave-window", "3500:3600", "--wave-values", "*.sm_0.register_file.warp_0.r1.*"}).code, 0);
  const std::string waves = path("w.vcd"), timeline = path("t.json");
  const std::vector<std::pair<arguments, std::string>> wrong = {
      {{"--waves", waves, "--wave-values", "nothing.*"}, "no signal in the log matches 'nothing.*'"},
      {{"--waves", waves, "--wave-scope", "nothing.*", "--wave-values", "*.r1.*"},
       "no signal in the log matches 'nothing.*'"},
      {{"--timeline", timeline, "--wave-values", "*.r1.*"}, "--wave-values: goes with --waves"},
      {{"--timeline", timeline, "--wave-scope", "*"}, "--wave-scope: goes with --waves or --pipeline-view"}};
  for (const auto& [options, reason] : wrong) {
    arguments all = {"trace", "convert", path("out")};
    all.insert(all.end(), options.begin(), options.end());
    const outcome o = gt200_run(all);
    EXPECT_NE(o.code, 0) << reason;
    EXPECT_TRUE(is_one_clear_line(o.err)) << reason;
    EXPECT_NE(o.err.find(reason), std::string::npos) << o.err;
    EXPECT_FALSE(exists("w.vcd") || exists("t.json"));
  }
}

TEST_F(trace, only_runs_of_the_model_are_traced) {
  for (const char* command : {"emulate", "sweep"}) {
    const outcome o = gt200_run({command, source_path("kernels/reduce0"), "--waves", path("w.vcd"),
                                 command == std::string("sweep") ? "--out" : "--seed",
                                 command == std::string("sweep") ? path("s") : "1"});
    EXPECT_EQ(o.code, 2);
    EXPECT_TRUE(is_one_clear_line(o.err));
    EXPECT_NE(o.err.find("--waves"), std::string::npos) << o.err;
  }
}

}  // namespace
}  // namespace gt200::cli
