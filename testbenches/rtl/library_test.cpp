// The library of Verilated RTL: what it is made of decides which library it is, and whatever happens to a build, a
// library is complete or not there. The RTL is a counter, so that a build is short.
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "rtl_ref/library/cache.h"
#include "rtl_ref/library/compile.h"
#include "rtl_ref/library/files.h"
#include "rtl_ref/library/library.h"
#include "toolchain/error.h"

namespace gt200::rtl {

// As in rtl_ref/counter/pins.h below.
struct counter_pins {
  virtual ~counter_pins() = default;
  virtual unsigned add(unsigned step) = 0;
};

namespace {

namespace fs = std::filesystem;

constexpr const char* interface_text = R"(#pragma once
namespace gt200::rtl {
struct counter_pins {
  virtual ~counter_pins() = default;
  virtual unsigned add(unsigned step) = 0;
};
}
)";
constexpr const char* shim_text = R"(#include "rtl_ref/counter/pins.h"
namespace gt200::rtl {
template <class module, unsigned bits>
struct verilated_counter final : counter_pins {
  unsigned add(unsigned step) override {
    top.clk = 0;
    top.step = step;
    top.eval();
    top.clk = 1;
    top.eval();
    return top.sum;
  }
  VerilatedContext context;
  module top{&context};
};
}
)";
constexpr const char* rtl_text = R"(`include "defaults.svh"
module counter #(parameter int BITS = 8, parameter int TIMES = `TIMES) (
    input logic clk, input logic [BITS-1:0] step, output logic [BITS-1:0] sum);
  initial sum = '0;
  always_ff @(posedge clk) sum <= sum + BITS'(TIMES) * step;
endmodule
)";
constexpr const char* description_text = R"(sources = ["counter.sv"]
module = "counter"
pins = "verilated_pins.h"
class = "verilated_counter"
arguments = ["bits"]
[parameters]
BITS = "bits"
)";

// The environment as it was before the test.
class environment {
 public:
  environment() {
    for (const char* name : {"PATH", "CXX", "HOME", "XDG_CACHE_HOME", "GT200_RTL_CACHE", "GT200_RTL_DIR"}) {
      const char* const value = std::getenv(name);
      values_.emplace_back(name, value != nullptr ? std::optional<std::string>(value) : std::nullopt);
    }
  }
  ~environment() {
    for (const auto& [name, value] : values_)
      if (value)
        setenv(name, value->c_str(), 1);
      else
        unsetenv(name);
  }
  environment(const environment&) = delete;
  environment& operator=(const environment&) = delete;

 private:
  std::vector<std::pair<const char*, std::optional<std::string>>> values_;
};

class rtl_library : public ::testing::Test {
 protected:
  rtl_library() {
    std::string name = (fs::temp_directory_path() / "gt200-rtl.XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = name;
    write("pins.h", interface_text);
    write("verilated_pins.h", shim_text);
    write("counter.sv", rtl_text);
    write("defaults.svh", "`define TIMES 1\n");
    write("counter.toml", description_text);
    if (const char* const shared = std::getenv("GT200_RTL_CACHE")) shared_cache_ = shared;
    setenv("GT200_RTL_DIR", folder_.c_str(), 1);
    setenv("GT200_RTL_CACHE", (folder_ / "cache").c_str(), 1);
  }
  ~rtl_library() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / "rtl_ref/counter" / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories(fs::path(path(name)).parent_path());
    std::ofstream(path(name)) << text;
  }
  static request counter(std::uint64_t bits = 8) {
    return {{"counter", "counter_pins", "rtl_ref/counter/pins.h", interface_text},
            {{"bits", bits}},
            std::to_string(bits),
            ""};
  }
  // Takes Verilator's runtime from the cache that all tests share, if it is there.
  void keep_runtime() const {
    std::error_code error;
    fs::create_directories(folder_ / "cache");
    for (const auto& entry : fs::directory_iterator(shared_cache_, error))
      if (entry.path().filename().string().rfind("runtime-", 0) == 0 && entry.path().extension().empty())
        fs::copy(entry.path(), folder_ / "cache" / entry.path().filename(), fs::copy_options::recursive, error);
  }
  // Names of the folders in the cache that end like this.
  std::vector<std::string> in_cache(const std::string& end) const {
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder_ / "cache", error)) {
      const std::string name = entry.path().filename().string();
      if (name.size() >= end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0)
        names.push_back(name);
    }
    return names;
  }
  static std::string error_of(const request& what) {
    try {
      build(what);
    } catch (const input_error& error) {
      return error.what();
    }
    return "no error";
  }

  const environment before_the_test_;
  fs::path folder_;
  fs::path shared_cache_;
};

// Starts a process that builds and uses the counter, with its messages in a file. It ends with 0 when all is right.
pid_t start_user(const request& what, const std::string& messages) {
  const pid_t child = fork();
  if (child != 0) return child;
  setpgid(0, 0);
  dup2(open(messages.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600), STDERR_FILENO);
  try {
    const auto pins = make<counter_pins>(what);
    pins->add(40);
    _exit(pins->add(2) == 42 ? 0 : 1);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    _exit(2);
  }
}
int code_of(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST_F(rtl_library, eight_processes_that_begin_with_an_empty_cache_make_a_library_once) {
  std::vector<pid_t> users;
  for (int n = 0; n < 8; ++n) users.push_back(start_user(counter(), path("messages" + std::to_string(n))));
  unsigned made = 0;
  for (int n = 0; n < 8; ++n) {
    EXPECT_EQ(code_of(users[static_cast<std::size_t>(n)]), 0) << n;
    const std::string messages = content_of(path("messages" + std::to_string(n)));
    EXPECT_TRUE(messages.empty() || messages.find("verilating counter 8") == 0) << messages;
    if (!messages.empty() && messages.find("in another process") == std::string::npos) ++made;
  }
  EXPECT_EQ(made, 1u);
  EXPECT_EQ(in_cache(".building"), std::vector<std::string>());
  EXPECT_EQ(in_cache(".failed"), std::vector<std::string>());

  testing::internal::CaptureStderr();
  const auto pins = make<counter_pins>(counter());
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "found in the cache";
  EXPECT_EQ(pins->add(255), 255u);
  EXPECT_EQ(pins->add(2), 1u) << "eight bits";
}

class killed_build : public rtl_library, public ::testing::WithParamInterface<bool> {};

TEST_P(killed_build, leaves_nothing_that_a_later_one_could_take_for_a_library) {
  keep_runtime();
  const pid_t user = start_user(counter(), path("messages"));
  for (int tries = 0; tries < 3000 && in_cache(".building").empty(); ++tries) usleep(10'000);
  ASSERT_FALSE(in_cache(".building").empty());
  usleep(200'000);
  // Alone, so that the tool it has started goes on for a while; or together with that tool.
  kill(GetParam() ? -user : user, SIGKILL);
  EXPECT_EQ(code_of(user), 128 + SIGKILL);
  EXPECT_TRUE(cached_libraries().empty());
  EXPECT_EQ(code_of(start_user(counter(), path("messages"))), 0) << content_of(path("messages"));
  EXPECT_EQ(cached_libraries().size(), 1u);
  EXPECT_EQ(in_cache(".building"), std::vector<std::string>());
}
INSTANTIATE_TEST_SUITE_P(rtl_library, killed_build, ::testing::Bool(),
                         [](const auto& of) { return std::string(of.param ? "with_its_tools" : "alone"); });

// The key alone: nothing is compiled.
class key_of_rtl : public rtl_library {
 protected:
  std::string key(std::uint64_t bits = 8) const { return compilation(counter(bits)).key(); }
  const std::string before_ = key();
};

TEST_F(key_of_rtl, stays_when_nothing_changes_and_when_the_files_lie_elsewhere) {
  EXPECT_EQ(key(), before_);
  const fs::path elsewhere = folder_.string() + "-moved";
  fs::copy(folder_, elsewhere, fs::copy_options::recursive);
  setenv("GT200_RTL_DIR", elsewhere.c_str(), 1);
  EXPECT_EQ(key(), before_);
  fs::remove_all(elsewhere);
}

TEST_F(key_of_rtl, changes_with_the_parameters) {
  EXPECT_NE(key(9), before_);
  write("counter.toml", std::string(description_text) + "TIMES = 3\n");
  EXPECT_NE(key(), before_);
}

TEST_F(key_of_rtl, changes_with_every_file_that_goes_in) {
  const std::vector<std::pair<const char*, std::string>> files = {{"counter.sv", rtl_text},
                                                                  {"defaults.svh", "`define TIMES 1\n"},
                                                                  {"verilated_pins.h", shim_text},
                                                                  {"pins.h", interface_text}};
  for (const auto& [name, text] : files) {
    write(name, text + "// changed\n");
    EXPECT_NE(key(), before_) << name;
    write(name, text);
    EXPECT_EQ(key(), before_) << name;
  }
}

TEST_F(key_of_rtl, changes_with_compiler_and_verilator) {
  const auto tool = [&](const char* name, const char* version) {
    fs::create_directories(folder_ / "bin");
    const fs::path file = folder_ / "bin" / name;
    std::ofstream(file) << "#!/bin/sh\necho " << version << "\n";
    fs::permissions(file, fs::perms::owner_all);
    return file.string();
  };
  setenv("CXX", tool("compiler", "compiler 7").c_str(), 1);
  const std::string other_compiler = key();
  EXPECT_NE(other_compiler, before_);
  tool("verilator", "Verilator 4");
  setenv("PATH", (folder_ / "bin").c_str(), 1);
  EXPECT_NE(key(), other_compiler);
}

TEST_F(rtl_library, a_changed_source_is_another_library) {
  keep_runtime();
  EXPECT_EQ(code_of(start_user(counter(), path("messages"))), 0) << content_of(path("messages"));
  write("defaults.svh", "`define TIMES 3\n");
  EXPECT_EQ(code_of(start_user(counter(), path("messages"))), 1) << "counts three times as fast";
  EXPECT_EQ(cached_libraries().size(), 2u);
}

TEST_F(rtl_library, a_folder_whose_name_holds_a_dot_is_listed_and_cleared) {
  const std::string folder = cached(
      "coalescer-1.2-0123",
      [](const std::string& building) {
        std::ofstream(building + "/content") << "x";
        EXPECT_TRUE(cached_with("content").empty()) << "it is being made";
      },
      [] {});
  EXPECT_EQ(cached_with("content"), std::vector<std::string>{folder});
  clear_cache();
  EXPECT_FALSE(fs::exists(folder));
}

TEST_F(rtl_library, clearing_empties_the_cache_but_for_what_is_being_made) {
  keep_runtime();
  build(counter());
  const pid_t user = start_user(counter(9), path("messages"));
  for (int tries = 0; tries < 3000 && in_cache(".building").empty(); ++tries) usleep(10'000);
  EXPECT_GT(clear_cache(), 0u);
  EXPECT_TRUE(cached_libraries().empty());
  EXPECT_EQ(code_of(user), 0) << content_of(path("messages"));
  EXPECT_EQ(cached_libraries().size(), 1u);
}

// A folder with a file that is there at once.
class own_cache : public rtl_library {
 protected:
  std::string error_of_use() const {
    try {
      cached(
          "unit-1", [](const std::string& building) { std::ofstream(building + "/content") << "x"; }, [] {});
    } catch (const input_error& error) {
      return error.what();
    }
    return "no error";
  }
  fs::path place() const { return folder_ / "cache/unit-1"; }
};

TEST_F(own_cache, is_made_for_its_owner_whatever_the_umask_is) {
  const mode_t before = umask(0);
  EXPECT_EQ(error_of_use(), "no error");
  umask(before);
  for (const fs::path& made : {folder_ / "cache", place(), place() / "content"})
    EXPECT_EQ(fs::status(made).permissions() & (fs::perms::group_write | fs::perms::others_write), fs::perms::none)
        << made;
  EXPECT_EQ(error_of_use(), "no error");
}

TEST_F(own_cache, is_not_used_if_others_may_write_it) {
  ASSERT_EQ(error_of_use(), "no error");
  for (const fs::path& open : {folder_ / "cache", place(), place() / "content"})
    for (const fs::perms more : {fs::perms::group_write, fs::perms::others_write}) {
      fs::permissions(open, more, fs::perm_options::add);
      EXPECT_NE(error_of_use().find(open.string() + ": can be written by others (mode 0"), std::string::npos)
          << error_of_use();
      fs::permissions(open, more, fs::perm_options::remove);
      EXPECT_EQ(error_of_use(), "no error");
    }
}

TEST_F(own_cache, is_not_used_below_a_folder_in_which_everybody_may_exchange_names) {
  ASSERT_EQ(error_of_use(), "no error");
  fs::permissions(folder_, fs::perms::others_write, fs::perm_options::add);
  EXPECT_NE(error_of_use().find(folder_.string() + ": can be written by everybody"), std::string::npos);
  fs::permissions(folder_, fs::perms::sticky_bit, fs::perm_options::add);
  EXPECT_EQ(error_of_use(), "no error");
}

TEST_F(own_cache, holds_no_links) {
  ASSERT_EQ(error_of_use(), "no error");
  fs::remove(place() / "content");
  fs::create_symlink(folder_ / "elsewhere", place() / "content");
  EXPECT_NE(error_of_use().find("content: is a link"), std::string::npos) << error_of_use();
  fs::rename(place(), folder_ / "elsewhere");
  fs::create_symlink(folder_ / "elsewhere", place());
  EXPECT_NE(error_of_use().find("unit-1: is a link"), std::string::npos) << error_of_use();
}

TEST_F(own_cache, of_another_user_is_not_used) {
  ASSERT_EQ(error_of_use(), "no error");
  if (geteuid() != 0) GTEST_SKIP() << "only root gives files away";
  ASSERT_EQ(chown((place() / "content").c_str(), 12345, 12345), 0);
  EXPECT_NE(error_of_use().find("content: belongs to user 12345, not to user 0"), std::string::npos);
}

TEST_F(own_cache, gives_only_what_was_compiled) {
  keep_runtime();
  const std::string library = build(counter());
  ASSERT_EQ(code_of(start_user(counter(), path("messages"))), 0) << content_of(path("messages"));
  // The last byte, behind all that the loader looks at.
  std::fstream file(library, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(-1, std::ios::end);
  const char last = static_cast<char>(file.get());
  file.seekp(-1, std::ios::end);
  file.put(static_cast<char>(last ^ 1));
  file.close();
  EXPECT_EQ(code_of(start_user(counter(), path("messages"))), 2);
  EXPECT_NE(content_of(path("messages")).find("is not what was compiled; 'gt200 rtl clear' empties the cache"),
            std::string::npos);
}

class missing : public rtl_library {};

TEST_F(missing, verilator_is_named) {
  setenv("PATH", folder_.c_str(), 1);
  EXPECT_NE(error_of(counter()).find("no program 'verilator' on PATH; install it"), std::string::npos);
}

TEST_F(missing, a_compiler_is_named) {
  std::ofstream(folder_ / "verilator") << "#!/bin/sh\necho Verilator 5\n";
  fs::permissions(folder_ / "verilator", fs::perms::owner_all);
  setenv("PATH", folder_.c_str(), 1);
  unsetenv("CXX");
  EXPECT_NE(error_of(counter()).find("needs a C++ compiler, and none of c++, g++ and clang++ is on PATH"),
            std::string::npos);
  setenv("CXX", "gcc-of-tomorrow", 1);
  EXPECT_NE(error_of(counter()).find("CXX names 'gcc-of-tomorrow', which is no program"), std::string::npos);
}

TEST_F(missing, a_place_for_the_cache_is_named) {
  std::ofstream(folder_ / "file");
  setenv("GT200_RTL_CACHE", (folder_ / "file/cache").c_str(), 1);
  EXPECT_NE(error_of(counter()).find("file/cache cannot be written: "), std::string::npos) << error_of(counter());
  EXPECT_NE(error_of(counter()).find("set GT200_RTL_CACHE to a folder that can"), std::string::npos);
  if (geteuid() != 0) {  // root may write everywhere
    fs::create_directories(folder_ / "read_only");
    fs::permissions(folder_ / "read_only", fs::perms::owner_read | fs::perms::owner_exec);
    setenv("GT200_RTL_CACHE", (folder_ / "read_only").c_str(), 1);
    EXPECT_NE(error_of(counter()).find("cannot be written: "), std::string::npos);
  }
  for (const char* variable : {"GT200_RTL_CACHE", "XDG_CACHE_HOME", "HOME"}) unsetenv(variable);
  EXPECT_NE(error_of(counter()).find("none of GT200_RTL_CACHE, XDG_CACHE_HOME and HOME names a place"),
            std::string::npos);
}

TEST_F(missing, headers_of_another_version_are_refused) {
  write("pins.h", std::string(interface_text) + "// changed\n");
  EXPECT_NE(error_of(counter()).find("has changed since the program was built; build again"), std::string::npos);
}

TEST(cache_folder, is_the_first_place_that_the_environment_names) {
  const environment before_the_test;
  setenv("HOME", "/home/somebody", 1);
  unsetenv("XDG_CACHE_HOME");
  unsetenv("GT200_RTL_CACHE");
  EXPECT_EQ(cache_folder(), "/home/somebody/.cache/gt200");
  setenv("XDG_CACHE_HOME", "/var/caches", 1);
  EXPECT_EQ(cache_folder(), "/var/caches/gt200");
  setenv("GT200_RTL_CACHE", "/var/rtl", 1);
  EXPECT_EQ(cache_folder(), "/var/rtl");
}

TEST_F(rtl_library, rtl_that_ends_the_simulation_throws_with_its_place) {
  keep_runtime();
  write("counter.sv", std::string(rtl_text).replace(std::string(rtl_text).find("endmodule"), 9,
                                                    "  always @(posedge clk) if (step == 3) $finish;\nendmodule"));
  const auto pins = make<counter_pins>(counter());
  EXPECT_EQ(pins->add(2), 2u);
  try {
    pins->add(3);
    FAIL() << "not ended";
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("RTL: $finish at "), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("counter.sv:"), std::string::npos) << error.what();
  }
}

TEST_F(rtl_library, unpacked_ports_are_refused_where_a_module_has_signals) {
  keep_runtime();
  write("counter.sv",
        "module counter #(parameter int BITS = 8, parameter int TIMES = 1) (\n"
        "    input logic clk, input logic [BITS-1:0] step [2], output logic [BITS-1:0] sum);\n"
        "  assign sum = step[0];\nendmodule\n");
  write("counter.toml", std::string("systemc = true\n") + description_text);
  write("../systemc_module.h", "");
  EXPECT_NE(error_of(counter()).find("port 'step' is an unpacked array; with systemc = true, ports must be packed"),
            std::string::npos)
      << error_of(counter());
}

TEST_F(rtl_library, wrong_rtl_is_reported_with_the_first_error_and_the_file_with_all) {
  keep_runtime();
  write("counter.sv", "module counter(input logic clk, output logic sum); assign sum = clock; endmodule\n");
  const std::string text = error_of(counter());
  EXPECT_EQ(text.find(path("counter.toml") + ": %Error"), 0u) << text;
  const std::size_t log = text.find("(all messages: ");
  ASSERT_NE(log, std::string::npos) << text;
  const std::string file = text.substr(log + 15, text.size() - log - 16);
  EXPECT_NE(content_of(file).find("%Error"), std::string::npos) << file;
  write("counter.sv", rtl_text);
  EXPECT_EQ(error_of(counter()), "no error") << "a failure is not kept";
}

struct wrong_description {
  const char* name;
  const char* text;  // in the description
  const char* instead;
  const char* error;
};
void PrintTo(const wrong_description& w, std::ostream* out) { *out << w.name; }

class description_file : public rtl_library, public ::testing::WithParamInterface<wrong_description> {};

TEST_P(description_file, that_is_wrong_is_refused_with_file_line_and_key) {
  std::string text = description_text;
  text.replace(text.find(GetParam().text), std::string(GetParam().text).size(), GetParam().instead);
  write("counter.toml", text);
  const std::string error = error_of(counter());
  EXPECT_EQ(error.find(path("counter.toml") + ":"), 0u) << error;
  EXPECT_NE(error.find(GetParam().error), std::string::npos) << error;
}

INSTANTIATE_TEST_SUITE_P(
    rtl_library, description_file,
    ::testing::Values(
        wrong_description{"unknown_key", "module =", "modul =", "unknown key 'modul'"},
        wrong_description{"missing_key", "module = \"counter\"\n", "", "has no 'module'"},
        wrong_description{"missing_file", "counter.sv", "other.sv", "'sources' there is no '"},
        wrong_description{"no_source", "[\"counter.sv\"]", "[]", "'sources' names no file"},
        wrong_description{"no_name", "\"counter\"", "\"counter; rm\"", "'module' 'counter; rm' is no name"},
        wrong_description{"unknown_value", "BITS = \"bits\"", "BITS = \"warps\"", "parameter 'BITS' "},
        wrong_description{"no_number", "BITS = \"bits\"", "BITS = true", "parameter 'BITS' must be an integer"}),
    [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace gt200::rtl
