// What the program says when the computer, or a limit of the shell, gives it no more: one line and a code, no file
// left.
#include "testbenches/system/cli/program.h"

namespace gt200::cli {
namespace {

namespace fs = std::filesystem;

class resources : public cli_test {
 protected:
  // The program under a shell that has done `before`, with a folder of its own for temporary files.
  outcome run_after(const std::string& before, const std::string& words) const {
    fs::create_directories(path("tmp"));
    return program_run("/bin/sh", {"-c", before + "; exec '" + gt200_program() + "' " + words},
                       {"TMPDIR=" + path("tmp")});
  }
  std::vector<std::string> left_in(const std::string& folder) const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) names.push_back(entry.path().string());
    return names;
  }
  std::string vector_add(const std::string& more) const {
    return "run " + source_path("kernels/vector_add") + " --config gt200_small " + more;
  }
};

TEST_F(resources, memory_that_is_used_up_has_a_code_of_its_own) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer needs more addresses than there are";
#endif
  unsigned refused = 0;
  fs::create_directories(path("waves"));
  for (const unsigned kib : {40'000, 60'000, 80'000, 120'000, 160'000, 200'000, 240'000, 280'000}) {
    const outcome result =
        run_after("ulimit -v " + std::to_string(kib), vector_add("--param N=16384 --waves " + path("waves/w.fst")));
    if (result.code == 127) continue;  // the loader of the system has said it
    if (result.code == 0) continue;    // it is enough
    ++refused;
    EXPECT_EQ(result.code, 71) << kib << result.err;
    EXPECT_TRUE(is_one_clear_line(result.err)) << kib;
    EXPECT_NE(result.err.find("out of memory"), std::string::npos) << result.err;
    EXPECT_EQ(left_in(path("waves")), std::vector<std::string>()) << kib;
    EXPECT_EQ(left_in(path("tmp")), std::vector<std::string>()) << kib;
  }
  EXPECT_GE(refused, 1u);
}

TEST_F(resources, a_file_that_may_not_grow_is_one_that_cannot_be_written) {
  const std::string waves = path("waves");
  fs::create_directories(waves);
  for (const char* name : {"w.vcd", "w.fst"}) {
    const outcome result = run_after("ulimit -f 20", vector_add("--param N=2048 --waves " + waves + "/" + name));
    EXPECT_EQ(result.code, 1) << result.err;
    EXPECT_TRUE(is_one_clear_line(result.err));
    EXPECT_NE(result.err.find(std::string(name) + ": cannot be written: "), std::string::npos) << result.err;
    EXPECT_EQ(left_in(waves), std::vector<std::string>());
  }
}

// A reader that has enough (`gt200 isa | head`) wants to hear of nothing; a full disk is another matter
// (errors_test).
TEST_F(resources, a_pipe_that_nobody_reads_ends_the_program_without_a_word) {
  for (const char* command : {"isa", "--help", "config show"}) {
    const outcome result = program_run(
        "/bin/sh", {"-c", "{ sleep 0.2; '" + gt200_program() + "' " + command + "; echo code $? >&2; } | true"},
        {});
    EXPECT_EQ(result.err, "code 1\n") << command;
  }
}

TEST_F(resources, a_folder_for_temporary_files_that_is_none_is_named) {
  const std::string source = file("k.cu", "__global__ void k(int* p) { *p = 1; }\n");
  const outcome result = gt200_run({"compile", source, "-o", path("k.cubin")}, {"TMPDIR=" + path("nowhere")});
  EXPECT_EQ(result.code, 1);
  EXPECT_TRUE(is_one_clear_line(result.err));
  EXPECT_NE(result.err.find("TMPDIR: " + path("nowhere") + ": is no folder for temporary files: "),
            std::string::npos)
      << result.err;
}

TEST_F(resources, too_few_open_files_are_said) {
  for (unsigned files = 4; files < 12; ++files) {
    const outcome result =
        run_after("ulimit -n " + std::to_string(files), vector_add("--param N=256 --out " + path("out")));
    if (result.code == 127 || result.code == 0) continue;  // the loader of the system has said it, or it is enough
    EXPECT_EQ(result.code, 71) << files << ": " << result.err;
    EXPECT_TRUE(is_one_clear_line(result.err)) << files;
  }
  // A limit that the program may raise is none.
  EXPECT_EQ(run_after("ulimit -S -n 8", vector_add("--param N=256 --out " + path("raised"))).code, 0);
}

TEST_F(resources, a_compiler_that_has_no_memory_to_start_is_not_missing) {
  const std::string source = file("k.cu", "__global__ void k(int* p) { *p = 1; }\n");
  const outcome result = run_after("ulimit -v 150000", "compile " + source + " -o " + path("k.cubin"));
  EXPECT_EQ(result.code, 71) << result.err;
  EXPECT_TRUE(is_one_clear_line(result.err));
  EXPECT_NE(result.err.find("out of memory"), std::string::npos) << result.err;
}

// Files and folders of processes that were killed: nobody holds their locks.
TEST_F(resources, what_the_dead_have_left_is_removed) {
  fs::create_directories(path("tmp/gt200-dead01"));
  file("tmp/gt200-dead01/lock", "");
  file("tmp/gt200-dead01/output.ptx", "half");
  fs::create_directories(path("tmp/gt200-young1"));  // has no lock yet
  fs::create_directories(path("tmp/other-dead01"));
  constexpr const char* nobody = "4194305";  // no process can have this number
  const std::string without_lock = path(std::string("tmp/gt200-") + nobody + "-dead02");
  const std::string of_the_living = path("tmp/gt200-" + std::to_string(getpid()) + "-young2");
  fs::create_directories(without_lock);  // killed before it had one
  fs::create_directories(of_the_living);
  file(std::string("k.cubin.") + nobody + ".tmp", "half");
  file("k.cubin.x.tmp", "of somebody else");
  const std::string source = file("k.cu", "__global__ void k(int* p) { *p = 1; }\n");
  const outcome result = gt200_run({"compile", source, "-o", path("k.cubin")}, {"TMPDIR=" + path("tmp")});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_FALSE(fs::exists(path("tmp/gt200-dead01")));
  EXPECT_TRUE(fs::exists(path("tmp/gt200-young1")));
  EXPECT_FALSE(fs::exists(without_lock));
  EXPECT_TRUE(fs::exists(of_the_living));
  EXPECT_TRUE(fs::exists(path("tmp/other-dead01")));
  EXPECT_FALSE(fs::exists(path(std::string("k.cubin.") + nobody + ".tmp")));
  EXPECT_TRUE(fs::exists(path("k.cubin.x.tmp")));
}

}  // namespace
}  // namespace gt200::cli
