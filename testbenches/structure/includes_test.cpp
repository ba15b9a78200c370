// Which folder may include which. Every rule lists its exceptions with a reason, and an exception that nothing
// needs fails as well.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct exception {
  std::string file;
  std::string reason;
};

const fs::path root = GT200_SOURCE_DIR;

std::vector<fs::path> sources_in(const std::string& folder) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
    const std::string extension = entry.path().extension().string();
    if (extension == ".h" || extension == ".cpp" || extension == ".in") found.push_back(entry.path());
  }
  EXPECT_FALSE(found.empty()) << folder;
  return found;
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

// As they are written, with their quotes or brackets.
std::vector<std::string> includes_of(const std::string& text) {
  static const std::regex directive(R"(\s*#\s*include\s*(["<][^">]+[">]).*)");
  std::vector<std::string> found;
  std::istringstream lines(text);
  std::string line;
  std::smatch match;
  while (std::getline(lines, line))
    if (line.find('#') != std::string::npos && std::regex_match(line, match, directive)) found.push_back(match[1]);
  return found;
}

bool begins_with(const std::string& text, const std::string& begin) {
  return text.compare(0, begin.size(), begin) == 0;
}

// `complaint(text)` says what is wrong with a file, nothing if nothing is.
template <class F>
void expect_of_all(const std::string& folder, const std::vector<exception>& exceptions, const F& complaint) {
  std::set<std::string> needed;
  for (const fs::path& file : sources_in(folder)) {
    const std::string name = fs::relative(file, root).generic_string();
    const std::string wrong = complaint(text_of(file));
    if (wrong.empty()) continue;
    const auto is_this = [&](const exception& e) { return e.file == name; };
    if (std::none_of(exceptions.begin(), exceptions.end(), is_this)) ADD_FAILURE() << name << " " << wrong;
    needed.insert(name);
  }
  for (const exception& e : exceptions)
    EXPECT_TRUE(needed.count(e.file)) << e.file << " keeps the rule: its exception (" << e.reason << ") can go";
}

void expect_no_include(const std::string& folder, const std::vector<std::string>& forbidden,
                       const std::vector<exception>& exceptions = {}) {
  expect_of_all(folder, exceptions, [&](const std::string& text) {
    std::string wrong;
    for (const std::string& include : includes_of(text))
      for (const std::string& begin : forbidden)
        if (begins_with(include, begin)) wrong += "includes " + include + " ";
    return wrong;
  });
}

TEST(includes, a_model_includes_no_observer_driver_or_program) {
  expect_no_include("sc_models", {"\"observe/", "\"apps/", "\"driver/", "\"kernels/", "\"testbenches/"});
}

TEST(includes, observers_and_driver_include_no_program) {
  expect_no_include("observe", {"\"apps/", "\"testbenches/"});
  expect_no_include("driver", {"\"apps/", "\"observe/", "\"testbenches/"});
}

TEST(includes, the_toolchain_is_plain_cpp) {
  const std::vector<std::string> others = {"<systemc",  "<tlm",       "\"systemc", "\"tlm",         "\"sc_models/",
                                           "\"driver/", "\"observe/", "\"apps/",   "\"testbenches/"};
  expect_no_include("toolchain", others);
}

// What is linked into programs knows how to reach a worker and nothing else.
TEST(includes, the_runtime_library_holds_nothing_of_the_models) {
  const std::vector<std::string> others = {"<systemc",  "<tlm",       "\"tlm_bus/", "\"sc_models/",
                                           "\"driver/", "\"observe/", "\"apps/",    "\"cuda/worker/"};
  for (const char* library : {"cuda/client", "cuda/driver_api", "cuda/runtime"}) expect_no_include(library, others);
  expect_no_include("cuda/protocol", others);
  for (const char* library : {"cuda/client", "cuda/driver_api", "cuda/runtime"})
    for (const fs::path& file : sources_in(library))
      for (const std::string& include : includes_of(text_of(file)))
        if (begins_with(include, "\"toolchain/")) {
          EXPECT_TRUE(include == "\"toolchain/cuda/container_head.h\"" ||
                      include == "\"toolchain/cuda/kernel_library.h\"")
              << file << " " << include;
        }
}

// The interpreter must not hold a SystemC kernel, which simulates once.
TEST(includes, the_python_package_knows_the_messages_of_a_session_and_nothing_else) {
  expect_no_include("python", {"<systemc", "<tlm", "\"tlm_bus/", "\"sc_models/", "\"driver/", "\"observe/",
                               "\"toolchain/", "\"kernels/", "\"cuda/worker/", "\"apps/commands/",
                               "\"apps/support/", "\"apps/session/board.h", "\"apps/session/server.h"});
}

// The border between timing and one generation.
TEST(includes, models_know_neither_the_emulator_nor_one_generation) {
  expect_no_include(
      "sc_models",
      {"\"toolchain/emulator/", "\"toolchain/isa/tesla/", "\"toolchain/arch_state/tesla/", "\"toolchain/isa/fermi/",
       "\"toolchain/arch_state/fermi/", "\"toolchain/isa/volta/", "\"toolchain/arch_state/volta/"},
      {
          {"sc_models/sm/tesla/sm.cpp", "chooses the generation"},
          {"sc_models/sm/fermi/sm.cpp", "chooses the generation"},
          {"sc_models/sm/volta/sm.cpp", "chooses the generation"},
          {"sc_models/config/sm_front_end_config.h", "has the options of Tesla's divergence as keys"},
      });
}

TEST(includes, what_all_generations_share_knows_none_of_them) {
  const std::vector<std::string> one = {"\"toolchain/isa/tesla/", "\"toolchain/arch_state/tesla/",
                                        "\"toolchain/isa/fermi/", "\"toolchain/arch_state/fermi/",
                                        "\"toolchain/isa/volta/", "\"toolchain/arch_state/volta/"};
  expect_no_include("toolchain/isa/common", one);
  for (const auto& entry : fs::directory_iterator(root / "toolchain/arch_state"))
    if (entry.is_regular_file()) {
      for (const std::string& include : includes_of(text_of(entry.path())))
        for (const std::string& begin : one)
          EXPECT_FALSE(begins_with(include, begin)) << entry.path() << " includes " << include;
    }
}

TEST(includes, the_checker_knows_a_generation_by_its_reference_alone) {
  expect_no_include(
      "observe/checker",
      {"\"toolchain/emulator/", "\"toolchain/isa/tesla/", "\"toolchain/arch_state/tesla/", "\"toolchain/isa/fermi/",
       "\"toolchain/arch_state/fermi/", "\"toolchain/isa/volta/", "\"toolchain/arch_state/volta/"},
      {
          {"observe/checker/emulator_reference.h", "is Tesla's reference"},
          {"observe/checker/emulator_reference.cpp", "is Tesla's reference"},
          {"observe/checker/emulated_launch.h", "is what the references of Fermi and Volta share"},
          {"observe/checker/fermi_reference.h", "is Fermi's reference"},
          {"observe/checker/fermi_reference.cpp", "is Fermi's reference"},
          {"observe/checker/volta_reference.h", "is Volta's reference"},
          {"observe/checker/volta_reference.cpp", "is Volta's reference"},
      });
}

// The border of the SM: sm_if.h, sm_probe.h and the types they name.
TEST(includes, who_stands_outside_an_sm_knows_none_of_its_modules) {
  const std::vector<std::string> inside = {
      "\"sc_models/sm/blocks/",     "\"sc_models/sm/completion/", "\"sc_models/sm/dependency/",
      "\"sc_models/sm/divergence/", "\"sc_models/sm/front_end/",  "\"sc_models/sm/operands/",
      "\"sc_models/sm/schedulers/", "\"sc_models/sm/tesla/",      "\"sc_models/sm/fermi/",
      "\"sc_models/sm/units/",      "\"sc_models/sm/volta/"};
  expect_no_include("observe", inside);
  for (const char* folder : {"apps", "driver", "sc_models/cluster", "sc_models/distribution",
                             "sc_models/memory_path", "sc_models/texture"})
    expect_no_include(folder, inside);
}

// Results of instructions come from the units and from nowhere else: the target functions of their sockets alone
// include what calls the semantics.
TEST(includes, the_units_alone_calculate) {
  expect_no_include("sc_models", {"\"sc_models/sm/units/arithmetic.h"},
                    {
                        {"sc_models/sm/units/group_datapath.h", "calculates for a warp"},
                        {"sc_models/sm/units/functional_unit.cpp", "calculates for a lane"},
                    });
}

// Every member access to a function of that name.
std::string uses_of_execute_in(const std::string& text) {
  static const std::regex use(R"((\.|->)\s*execute\b)");
  return std::regex_search(text, use) ? "names a member 'execute'" : "";
}

TEST(includes, no_other_file_of_the_models_calls_the_semantics_of_an_instruction) {
  expect_of_all("sc_models",
                {
                    {"sc_models/sm/units/arithmetic.h", "is that place"},
                    {"sc_models/sm/completion/result_latch.cpp", "asks whether an instruction has arithmetic"},
                    {"sc_models/sm/divergence/simt_stack.cpp", "calls that of arch_state::divergence"},
                    {"sc_models/sm/divergence/warp_former.cpp", "calls that of arch_state::thread_flow"},
                    {"sc_models/sm/divergence/branch.cpp", "calls that of the SIMT stack"},
                    {"sc_models/sm/volta/branch_unit.cpp", "calls that of the SIMT stack"},
                },
                uses_of_execute_in);
}

TEST(includes, the_bus_includes_itself_systemc_and_the_standard_library) {
  const std::vector<exception> exceptions = {
      {"tlm_bus/processors.cpp",
       "<sched.h>: which processors the process may use is known to the operating system only"}};
  expect_of_all("tlm_bus", exceptions, [](const std::string& text) {
    std::string wrong;
    for (const std::string& include : includes_of(text)) {
      const bool standard = include.front() == '<' && include.find_first_of("./") == std::string::npos;
      const bool systemc = include == "<systemc>" || include == "<tlm>" || begins_with(include, "<tlm_utils/");
      if (!begins_with(include, "\"tlm_bus/") && !standard && !systemc) wrong += "includes " + include + " ";
    }
    return wrong;
  });
}

// The word, alone or as part of a name, in one or more.
std::string gpu_words_in(const std::string& text) {
  static const std::regex word(R"([A-Za-z0-9]+)");
  static const std::set<std::string> of_gpus = {"gpu", "gpus", "sm", "sms", "tpc", "tpcs", "warp", "warps"};
  std::string wrong;
  std::istringstream lines(text);
  std::string line;
  for (unsigned number = 1; std::getline(lines, line); ++number)
    for (std::sregex_iterator at(line.begin(), line.end(), word), end; at != end; ++at) {
      std::string lower = at->str();
      std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
      if (of_gpus.count(lower)) wrong += "line " + std::to_string(number) + " says '" + at->str() + "' ";
    }
  return wrong;
}

TEST(includes, the_bus_speaks_no_word_of_gpus) { expect_of_all("tlm_bus", {}, gpu_words_in); }

// What SystemC would do at its own time. A TPC runs ahead of it (docs/threads.md).
std::string systemc_time_in(const std::string& text) {
  static const std::regex word(R"(\b(sc_time_stamp|sc_event|sc_pause|sc_start|sc_signal|SC_METHOD|SC_THREAD)\b)");
  std::smatch found;
  return std::regex_search(text, found, word) ? "uses " + found.str() : "";
}

TEST(includes, what_lies_in_a_tpc_takes_the_time_from_its_clock) {
  for (const char* folder : {"cache", "cluster", "memory_path", "sm", "texture"})
    expect_of_all(std::string("sc_models/") + folder, {}, systemc_time_in);
}

TEST(includes, the_rules_find_what_breaks_them) {
  EXPECT_EQ(systemc_time_in("domain().driver().now(); // sc_time_stamps"), "");
  EXPECT_EQ(systemc_time_in("x = sc_core::sc_time_stamp();"), "uses sc_time_stamp");
  EXPECT_EQ(includes_of("#include <a>\n# include \"b/c.h\"\nint include;\n"),
            (std::vector<std::string>{"<a>", "\"b/c.h\""}));
  EXPECT_EQ(uses_of_execute_in("is_executed(operation.executed); i.execute_all(); execute(i);"), "");
  EXPECT_NE(uses_of_execute_in("i->execute(*i, values, lanes)"), "");
  EXPECT_NE(uses_of_execute_in("const auto f = i.execute;"), "");
  EXPECT_EQ(gpu_words_in("no\nof a Warp, tpc_0; small warped"), "line 2 says 'Warp' line 2 says 'tpc' ");
}

}  // namespace
