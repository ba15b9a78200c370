// What the log of a traced run answers: which instructions and transactions are of an SM, a warp, an address, a
// time; and what happened in a window of it.
#include <algorithm>
#include <regex>
#include <set>

#include "testbenches/support/kanata_file.h"
#include "testbenches/support/vcd_file.h"
#include "testbenches/system/cli/traced_run.h"

namespace gt200::cli {
namespace {

class trace_find : public traced_run {
 protected:
  // The lines of a search, without the end line, which must give their number.
  std::vector<std::string> found(const arguments& conditions) const {
    arguments args = {"trace", "find", path("out")};
    args.insert(args.end(), conditions.begin(), conditions.end());
    const outcome o = gt200_run(args);
    EXPECT_EQ(o.code, 0) << o.err;
    std::vector<std::string> lines = lines_of(o.out);
    if (lines.empty()) return lines;
    EXPECT_EQ(lines.back(), std::to_string(lines.size() - 1) + " found");
    lines.pop_back();
    return lines;
  }
  static std::string id_of(const std::string& line) { return line.substr(0, line.find(' ')); }
  static std::set<std::string> ids_of(const std::vector<std::string>& lines) {
    std::set<std::string> ids;
    for (const std::string& line : lines) ids.insert(id_of(line));
    EXPECT_EQ(ids.size(), lines.size()) << "an id stands twice";
    return ids;
  }
  // Loads a word for each of 32 threads, adds 1 to it, stores it: instructions i0.3 and i0.5.
  void run_load(const arguments& more = {}) const {
    const std::string folder = kernel("load",
                                      "    shl b32 $r1 $r0 0x2\n    add b32 $r1 b32 s[0x10] $r1\n"
                                      "    ld b32 $r2 g14[$r1]\n    add b32 $r2 $r2 0x1\n    st b32 g14[$r1] $r2\n"
                                      "    exit nop\n",
                                      32);
    arguments args = {"run", folder, "--config", "gt200_small", "--out", path("out"), "--trace"};
    args.insert(args.end(), more.begin(), more.end());
    const outcome ran = gt200_run(args);
    ASSERT_EQ(ran.code, 0) << ran.out << ran.err;
  }
};

TEST_F(trace_find, a_pipeline_view_of_no_sm_is_refused) {
  const outcome o = run({"--pipeline-view", path("p.kanata"), "--wave-scope", "gt200.tpc_0.sm_7.*"});
  EXPECT_NE(o.code, 0);
  EXPECT_NE(o.err.find("no SM in the log matches 'gt200.tpc_0.sm_7.*'"), std::string::npos) << o.err;
}

TEST_F(trace_find, instructions_of_an_address_are_those_of_its_warps_and_sms) {
  ASSERT_EQ(run({"--trace"}).code, 0);
  const std::set<std::string> all = ids_of(found({"--pc", "0x8"}));
  EXPECT_EQ(all.size(), 64u) << "8 blocks of 8 warps execute it once";
  std::set<std::string> parts;
  for (const char* sm : {"0", "tpc_0.sm_1"}) {
    const auto of_sm = found({"--pc", "0x8", "--sm", sm});
    EXPECT_FALSE(of_sm.empty());
    for (const std::string& line : of_sm) {
      parts.insert(id_of(line));
      EXPECT_EQ(line.rfind(std::string("i") + (sm[0] == '0' ? "0" : "1") + ".", 0), 0u) << line;
      EXPECT_NE(line.find("pc 0x0008: cvt u32 $r1 u16 $r0l"), std::string::npos) << line;
    }
  }
  EXPECT_EQ(parts, all);
  for (const std::string& line : found({"--pc", "0x8", "--sm", "0", "--warp", "5"})) {
    EXPECT_NE(line.find("  warp  5, "), std::string::npos) << line;
    const outcome life = gt200_run({"trace", "find", id_of(line), path("out")});
    EXPECT_NE(life.out.find("warp 5, pc 0x8, cvt"), std::string::npos) << life.out;
  }
}

TEST_F(trace_find, a_window_of_cycles_holds_what_something_happens_to) {
  ASSERT_EQ(run({"--trace"}).code, 0);
  const std::string line = found({"--pc", "0x8", "--sm", "0", "--warp", "0"}).front();
  std::smatch cycles;
  ASSERT_TRUE(std::regex_search(line, cycles, std::regex("core cycles +([0-9]+) to +([0-9]+) "))) << line;
  const std::uint64_t first = std::stoull(cycles[1]), last = std::stoull(cycles[2]);
  ASSERT_LT(first, last);
  const auto in = [&](std::uint64_t begin, std::uint64_t end) {
    return ids_of(found({"--cycles", std::to_string(begin) + ":" + std::to_string(end), "--sm", "0"}))
        .count(id_of(line));
  };
  EXPECT_EQ(in(last, last + 1), 1u);
  EXPECT_EQ(in(last + 1, last + 100), 0u);
  EXPECT_EQ(in(first, first + 1), 1u);
  EXPECT_EQ(in(first - 100, first), 0u);
}

TEST_F(trace_find, an_address_leads_to_transactions_and_their_instructions) {
  run_load();
  const outcome load = gt200_run({"trace", "find", "i0.3", path("out")});
  std::smatch access;
  ASSERT_TRUE(std::regex_search(load.out, access, std::regex("(m0\\.[0-9]+): read of 64 bytes at (0x[0-9a-f]+)")))
      << load.out;
  const std::uint64_t address = std::stoull(access[2], nullptr, 16);
  const std::set<std::string> at_end = ids_of(found({"--address", std::to_string(address + 63)}));
  EXPECT_EQ(at_end.count(access[1]), 1u) << "its transaction";
  EXPECT_EQ(at_end.count("i0.3"), 1u) << "the load";
  EXPECT_EQ(at_end.count("i0.5"), 1u) << "the store to the same bytes";
  EXPECT_EQ(at_end.count("i0.4"), 0u) << "an addition";
  EXPECT_EQ(gt200_run({"trace", "find", path("out"), "--address", std::to_string(address + 128)}).code, 1);
}

TEST_F(trace_find, an_address_of_a_lane_leads_to_its_instruction) {
  run_load({"--trace-values"});
  const outcome load = gt200_run({"trace", "find", "i0.3", path("out")});
  std::smatch lane;
  ASSERT_TRUE(std::regex_search(load.out, lane, std::regex("\n +31 +(0x[0-9a-f]+)"))) << load.out;
  const std::uint64_t address = std::stoull(lane[1], nullptr, 16);
  const std::set<std::string> ids = ids_of(found({"--address", std::to_string(address + 3), "--sm", "0"}));
  EXPECT_EQ(ids.count("i0.3"), 1u);
  EXPECT_EQ(ids.count("i0.5"), 1u);
  EXPECT_EQ(ids.count("i0.4"), 0u);
}

// -- the page --

// The commands that docs/tracing.md begins with, one per line.
class tracing_page : public trace_find {
 protected:
  static std::vector<std::string> commands() {
    const std::string page = content_of(source_path("docs/tracing.md"));
    const std::size_t begin = page.find("```\n") + 4;
    return lines_of(page.substr(begin, page.find("```", begin) - begin));
  }
  // The words behind the program's name, as the shell makes them. Files lie in the folder of the test.
  arguments words_of(const std::string& command) const {
    arguments words;
    std::istringstream in(command);
    for (std::string word; in >> word;) {
      if (word.front() == '\'') word = word.substr(1, word.size() - 2);
      if (word.rfind("kernels/", 0) == 0) word = source_path(word);
      if (word.rfind("bfs.", 0) == 0 || word.rfind("results/", 0) == 0) word = path(word);
      words.push_back(word);
    }
    EXPECT_EQ(words.front(), "build/gt200");
    words.erase(words.begin());
    return words;
  }
  static std::string after(const arguments& words, const std::string& option) {
    const auto at = std::find(words.begin(), words.end(), option);
    return at == words.end() ? "" : *(at + 1);
  }
};

TEST_F(tracing_page, its_commands_run_in_their_order_and_find_something) {
  ASSERT_GE(commands().size(), 9u);
  for (const std::string& command : commands()) {
    const outcome o = gt200_run(words_of(command));
    EXPECT_EQ(o.code, 0) << command << "\n" << o.err;
  }
}

TEST_F(tracing_page, its_windows_show_instructions_of_the_sm_that_they_record) {
  ASSERT_EQ(gt200_run({"run", source_path("kernels/bfs"), "--out", path("out"), "--trace"}).code, 0);
  unsigned windows = 0;
  for (const std::string& command : commands()) {
    const arguments words = words_of(command);
    const std::string window = after(words, "--wave-window");
    if (window.empty()) continue;
    ++windows;
    std::smatch sm;
    const std::string scope = after(words, "--wave-scope");
    ASSERT_TRUE(std::regex_search(scope, sm, std::regex("sm_[0-9]+"))) << command;
    EXPECT_FALSE(found({"--sm", "tpc_0." + sm.str(), "--cycles", window}).empty()) << command;
  }
  EXPECT_EQ(windows, 2u);
}

TEST_F(trace_find, mistakes_are_one_line) {
  ASSERT_EQ(run({"--trace"}).code, 0);
  const auto error = [&](const arguments& more, int code) {
    arguments args = {"trace", "find"};
    args.insert(args.end(), more.begin(), more.end());
    const outcome o = gt200_run(args);
    EXPECT_EQ(o.code, code) << o.out;
    EXPECT_TRUE(is_one_clear_line(o.err));
    return o.err;
  };
  EXPECT_NE(error({path("out")}, 2).find("needs an id"), std::string::npos);
  EXPECT_NE(error({"i0.1", path("out"), "--pc", "0"}, 2).find("not both"), std::string::npos);
  error({"--cycles", "7:7", path("out")}, 2);
  EXPECT_NE(error({path("out"), "--sm", "sm_1"}, 1).find("'sm_1' is no SM"), std::string::npos);
  EXPECT_NE(error({path("out"), "--sm", "600"}, 1).find("'600' is not there; the chip has SMs 0 to "),
            std::string::npos);
  EXPECT_NE(error({path("out"), "--pc", "0x7fff0"}, 1).find("nothing in the log"), std::string::npos);
}

// -- files for other viewers --

TEST_F(trace_find, texts_in_ascii_are_those_of_string_variables) {
  ASSERT_EQ(run({"--trace"}).code, 0);
  const auto waves = [&](const std::string& name, const arguments& more) {
    arguments args = {
        "trace", "convert", path("out"), "--waves", path(name), "--wave-scope", "gt200.tpc_0.sm_0.issue.*"};
    args.insert(args.end(), more.begin(), more.end());
    const outcome o = gt200_run(args);
    EXPECT_EQ(o.code, 0) << o.err;
    return content_of(path(name));
  };
  const std::string as_strings = waves("a.vcd", {});
  const std::string as_registers = waves("b.vcd", {"--wave-texts", "ascii"});
  EXPECT_NE(as_strings.find("$var string "), std::string::npos);
  EXPECT_EQ(as_registers.find("$var string "), std::string::npos);
  EXPECT_NE(as_registers.find("$var reg 256 "), std::string::npos);
  EXPECT_EQ(as_registers.find("\ns"), std::string::npos) << "a value of a text";

  const support::vcd_file strings = support::read_vcd(path("a.vcd"));
  const support::vcd_file registers = support::read_vcd(path("b.vcd"));
  const auto& expected = strings.signals.at("gt200.tpc_0.sm_0.issue.scheduler_0.slot").changes;
  const auto& found = registers.signals.at("gt200.tpc_0.sm_0.issue.scheduler_0.slot").changes;
  ASSERT_EQ(expected.size(), found.size());
  ASSERT_GT(expected.size(), 10u);
  for (auto e = expected.begin(), f = found.begin(); e != expected.end(); ++e, ++f) {
    std::string bits = f->second;
    bits.insert(0, (8 - bits.size() % 8) % 8, '0');
    std::string text;
    for (std::size_t at = 0; at < bits.size(); at += 8)
      if (const char c = static_cast<char>(std::stoi(bits.substr(at, 8), nullptr, 2)); c != 0) text += c;
    EXPECT_EQ(f->first, e->first);
    EXPECT_EQ(text, e->second);
  }
}

// -- a window of a log --

// The last transaction of a socket and the number of transactions are known from the beginning of a recording on.
bool is_below_a_transaction(const support::vcd_file& file, std::string name) {
  for (std::size_t end = name.rfind('.'); end != std::string::npos; end = name.rfind('.')) {
    name.resize(end);
    if (file.signals.count(name + ".transactions") != 0) return true;
  }
  return false;
}

TEST_F(trace_find, converted_window_is_what_a_run_with_that_window_records) {
  const std::string scope = "gt200.tpc_0.sm_0.*";
  ASSERT_EQ(run({"--trace", "--wave-scope", "gt200.*"}).code, 0);
  ASSERT_EQ(run({"--waves", path("a.vcd"), "--wave-scope", scope, "--wave-window", "4000:4200"}, "b").code, 0);
  const outcome o = gt200_run({"trace", "convert", path("out"), "--waves", path("b.vcd"), "--wave-scope", scope,
                               "--wave-window", "4000:4200"});
  ASSERT_EQ(o.code, 0) << o.err;
  const support::vcd_file recorded = support::read_vcd(path("a.vcd"));
  const support::vcd_file converted = support::read_vcd(path("b.vcd"));
  ASSERT_EQ(recorded.signals.size(), converted.signals.size());
  EXPECT_GE(converted.first_time, 4000 * core_period);
  EXPECT_LT(converted.first_time, 4001 * core_period);
  EXPECT_LT(converted.last_time, 4200 * core_period);
  std::size_t compared = 0;
  for (const char* module : {"issue", "instruction_buffer", "scoreboard", "simt_stack", "barrier"})
    for (const auto& [name, signal] : recorded.signals) {
      if (name.rfind(std::string("gt200.tpc_0.sm_0.") + module + ".", 0) != 0) continue;
      if (is_below_a_transaction(recorded, name)) continue;
      for (std::uint64_t cycle = 4001; cycle < 4200; cycle += 3, ++compared)
        ASSERT_EQ(signal.at(cycle * core_period), converted.signals.at(name).at(cycle * core_period))
            << name << " " << cycle;
    }
  EXPECT_GT(compared, 10'000u);
}

TEST_F(trace_find, timeline_of_a_window_counts_only_what_happens_in_it) {
  ASSERT_EQ(run({"--trace"}).code, 0);
  ASSERT_EQ(
      gt200_run({"trace", "convert", path("out"), "--timeline", path("t.json"), "--wave-window", "4000:6000"}).code,
      0);
  const nlohmann::json timeline = nlohmann::json::parse(content_of(path("t.json")));
  std::size_t counted = 0;
  for (const auto& e : timeline.at("traceEvents")) {
    if (e.value("name", "") != "warp instructions per core cycle") continue;
    ++counted;
    for (const auto& [name, value] : e.at("args").items())
      EXPECT_LE(value.get<double>(), 2.0) << "a chip of two SMs issues no more";
  }
  EXPECT_GE(counted, 7u);
}

TEST_F(trace_find, a_window_without_anything_names_the_cycles_of_the_log) {
  ASSERT_EQ(run({"--trace"}).code, 0);
  const outcome o =
      gt200_run({"trace", "convert", path("out"), "--waves", path("b.vcd"), "--wave-window", "100000000:"});
  EXPECT_EQ(o.code, 1);
  EXPECT_TRUE(is_one_clear_line(o.err));
  EXPECT_NE(o.err.find("holds nothing in these cycles: it goes from core cycle 0 to "), std::string::npos) << o.err;
  EXPECT_FALSE(exists("b.vcd"));
}

}  // namespace
}  // namespace gt200::cli
