// For any mistake of the user: one clear line on stderr, nothing on stdout, and an exit code that says whether the
// command line (2) or something it names (1) is wrong.
#include <csignal>
#include <cstdlib>
#include <regex>
#include <string>

#include "testbenches/system/cli/program.h"

namespace gt200::cli {
namespace {

class errors : public cli_test {
 protected:
  void expect_error(int code, const arguments& args, const std::string& reason) const {
    const outcome result = gt200_run(args);
    EXPECT_EQ(result.code, code) << result.err;
    EXPECT_TRUE(is_one_clear_line(result.err));
    EXPECT_NE(result.err.find(reason), std::string::npos) << result.err;
    EXPECT_EQ(result.out, "");
  }
};

TEST_F(errors, no_command) { expect_error(2, {}, "subcommand is required"); }
TEST_F(errors, unknown_command) { expect_error(2, {"rum"}, "unknown command or option 'rum'"); }
TEST_F(errors, unknown_option) { expect_error(2, {"asm", "k.s", "--fast"}, "not expected: --fast"); }
TEST_F(errors, missing_argument) { expect_error(2, {"emulate"}, "kernel is required (see gt200 emulate --help)"); }
TEST_F(errors, one_argument_too_many) { expect_error(2, {"info", "a", "b"}, "not expected: b"); }
TEST_F(errors, parameter_that_is_no_assignment) {
  expect_error(2, {"emulate", "k", "--param", "N"}, "'N' is not NAME=INTEGER");
  expect_error(2, {"emulate", "k", "--param", "N=x"}, "'N=x' is not NAME=INTEGER");
  expect_error(2, {"emulate", "k", "--param", "N=1x"}, "'N=1x' is not NAME=INTEGER");
}

TEST_F(errors, a_name_that_is_given_twice) {
  const std::string kernel = source_path("kernels/vector_add");
  for (const arguments& command : {arguments{"run"}, arguments{"emulate"}, arguments{"launch", "check"},
                                   arguments{"campaign", "--out", path("c")}}) {
    arguments words = command;
    words.insert(words.end(), {kernel, "--param", "N=256", "--param", "N=512"});
    expect_error(2, words, "--param: 'N' is given twice");
  }
  for (const char* command : {"run", "emulate"})
    expect_error(2, {command, kernel, "--input", "A=x", "--input", "B=x", "--input", "A=y"},
                 "--input: 'A' is given twice");
}

TEST_F(errors, an_option_without_what_it_concerns) {
  const std::string kernel = source_path("kernels/vector_add");
  expect_error(2, {"run", kernel, "--keep", "figures"}, "--keep: goes with --out");
  expect_error(2, {"run", kernel, "--keep", "stats,csv,config"}, "--keep: goes with --out");
  expect_error(2, {"run", kernel, "--wave-texts", "ascii"}, "--wave-texts: goes with --waves FILE.vcd");
  expect_error(2, {"run", kernel, "--waves", path("w.fst"), "--wave-texts", "ascii"},
               "--wave-texts: goes with --waves FILE.vcd");
  expect_error(2, {"trace", "convert", path("out"), "--timeline", path("t.json"), "--wave-texts", "string"},
               "--wave-texts: goes with --waves FILE.vcd");
}

TEST_F(errors, missing_files) {
  expect_error(1, {"emulate", path("nothing")}, path("nothing") + ": no such kernel folder or file");
  expect_error(1, {"asm", path("nothing.s")}, path("nothing.s") + ": cannot open");
  expect_error(1, {"disasm", path("nothing.cubin")}, path("nothing.cubin") + ": cannot open");
  expect_error(1, {"info", path("nothing.cubin")}, path("nothing.cubin") + ": cannot open");
  expect_error(1, {"config", "check", path("nothing.toml")}, path("nothing.toml") + ": no such file");
}

TEST_F(errors, a_folder_without_a_launch_description) {
  file("empty/readme", "");
  expect_error(1, {"emulate", path("empty")}, "no launch.toml");
}

TEST_F(errors, a_program_without_a_launch_description) {
  expect_error(
      1, {"emulate", file("lonely.s", "exit nop\n.end\n")},
      "no launch.toml beside it; name a launch description with --launch, or say with --grid, --block and --arg");
}

TEST_F(errors, a_file_that_is_no_cubin) {
  const std::string garbage = file("garbage.cubin", "hello");
  expect_error(1, {"info", garbage}, garbage + ": no program: neither a cubin");
  expect_error(1, {"disasm", garbage}, garbage + ": no program: neither a cubin");
}

TEST_F(errors, a_cubin_cut_short) {
  const std::string whole = path("whole.cubin");
  ASSERT_EQ(gt200_run({"asm", source_path("kernels/madloop/madloop.s"), "-o", whole}).code, 0);
  const std::string text = content_of(whole);
  const std::string half = file("half.cubin", text.substr(0, text.size() / 2));
  expect_error(1, {"info", half}, half + ":");
}

TEST_F(errors, assembly_errors_name_the_line) {
  const std::string bad = file("bad.s", ".entry k\n    exit nop\n    frobnicate $r0\n.end\n");
  expect_error(1, {"asm", bad}, bad + ":3: ");
}

TEST_F(errors, words_that_are_no_instruction) {
  expect_error(1, {"disasm", "ffffffff", "ffffffff"}, "ffffffff");
  expect_error(1, {"disasm", "10008001"}, "needs a second word");
}

TEST_F(errors, wrong_number_of_kernel_arguments) {
  const std::string folder = kernel("k", ".param u32 second\n    exit nop\n", 32);
  expect_error(1, {"emulate", folder}, "kernel 'k' has 2 parameters, 1 arguments are given");
}

TEST_F(errors, unknown_kernel) {
  const std::string other = file("other.s", ".entry q\n    exit nop\n.end\n");
  const std::string folder = kernel("k", "    exit nop\n", 32);
  expect_error(1, {"emulate", folder, "--source", other}, "has no kernel 'k'");
}

TEST_F(errors, mistakes_in_a_launch_description_name_its_line) {
  const std::string folder = kernel("k", "    exit nop\n", 32);
  const std::string good = content_of(folder + "/launch.toml");
  const std::string launch = folder + "/launch.toml:";
  struct mistake {
    const char* expectation;
    const char* reason;
  };
  for (const mistake& m :
       {mistake{"[[expect]]\nbufer = \"out\"\n", "unknown key 'bufer' in [[expect]]; did you mean 'buffer'?"},
        mistake{"[[expect]]\nbuffer = \"out\"\nreference = \"nobody\"\n", "there is no reference 'nobody'"},
        mistake{"[[expect]]\nbuffer = \"out\"\nfile = \"k.s\"\n", "buffer 'out' has 128 bytes"},
        mistake{"[[buffer]]\nname = \"b\"\ntype = \"u8\"\ncount = 1\nfile = \"k.s\"\n",
                "'b' has 1 bytes, its file"},
        mistake{"[[buffer]]\nname = \"b\"\ntype = \"u8\"\ncount = 1\nvalues = [1, 2]\n",
                "has 2 elements, but count is 1"},
        mistake{"[=]\n", "malformed TOML"}}) {
    file("k/launch.toml", good + m.expectation);
    for (const arguments& command : {arguments{"emulate", folder}, arguments{"launch", "check", folder}}) {
      expect_error(1, command, m.reason);
      expect_error(1, command, launch);
    }
  }
}

TEST_F(errors, unknown_launch_parameter) {
  expect_error(1, {"emulate", source_path("kernels/madloop"), "--param", "TURNS=2"}, "TURNS");
}

TEST_F(errors, unknown_configuration_key) {
  expect_error(1, {"config", "explain", "tpc.sm.schedular"}, "unknown key 'tpc.sm.schedular'");
  expect_error(1, {"config", "show", "--set", "tpc.sm.colour=red"}, "--set tpc.sm.colour=red");
  const std::string bad =
      file("bad.toml", "base = \"" + source_path("configs/gt200.toml") + "\"\n[chip]\ntpc = 3\n");
  expect_error(1, {"config", "check", bad}, bad + ":3: ");
}

TEST_F(errors, bad_overrides) {
  expect_error(1, {"config", "show", "--set", "chip.tpcs"}, "--set chip.tpcs: expected key=value");
  expect_error(1, {"config", "show", "--set", "chip.tpcs=0"}, "integer 1..62");
  expect_error(1, {"config", "show", "--set", "chip.tpcs=many"}, "chip.tpcs");
  expect_error(1, {"config", "show", "--set", "chip.tpcs=99999999999999999999"},
               "chip.tpcs: '99999999999999999999' is out of range; allowed: integer 1..62");
}

TEST_F(errors, limits_out_of_range_are_wrong_usage) {
  const std::string folder = source_path("kernels/vector_add");
  expect_error(2, {"run", folder, "--max-cycles", "-1"}, "--max-cycles");
  expect_error(2, {"run", folder, "--max-cycles", "9223372036854775807"}, "--max-cycles");
  expect_error(2, {"emulate", folder, "--max-instructions", "-1"}, "--max-instructions");
  for (const char* seed : {"-1", "18446744073709551616", "0x1"})
    expect_error(2, {"run", folder, "--shuffle", seed}, "--shuffle");
}

TEST_F(errors, the_range_of_a_limit_is_shown_as_it_can_be_written) {
  const std::string folder = source_path("kernels/vector_add");
  const outcome run_help = gt200_run({"run", "--help"}), emulate_help = gt200_run({"emulate", "--help"});
  EXPECT_NE(run_help.out.find("[0 - 1000000000000]"), std::string::npos) << run_help.out;
  EXPECT_NE(emulate_help.out.find("[1 - 1000000000000000]"), std::string::npos) << emulate_help.out;
  EXPECT_EQ(gt200_run({"emulate", folder, "--param", "N=256", "--max-instructions", "1000000000000000"}).code, 0);
}

TEST_F(errors, a_device_without_end_is_no_program_and_no_configuration) {
  expect_error(1, {"info", "/dev/zero"}, "larger than 512 MiB");
  expect_error(1, {"config", "check", "/dev/zero"}, "larger than 1 MiB");
}

TEST_F(errors, toml_nested_too_deeply_is_refused_with_its_line) {
  const auto repeated = [](const char* text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
  };
  const std::string base = "# [[[[[ \"\n";
  for (const std::string& deep : {repeated("a.", 50'000) + "a = 1\n", "[" + repeated("a.", 50'000) + "a]\n",
                                  "x = " + repeated("[", 50'000) + "\n", "x = " + repeated("{a=", 50'000) + "\n",
                                  repeated("\"a\" . ", 50'000) + "a = 1\n"}) {
    const std::string config = file("deep.toml", base + deep);
    expect_error(1, {"config", "check", config}, config + ":2: tables, lists or dotted keys lie more than 64");
    file("k/launch.toml", base + deep);
    expect_error(1, {"launch", "check", path("k")}, path("k/launch.toml") + ":2: tables, lists or dotted keys");
  }
}

// The system would read the name up to there, and another file than the text says.
TEST_F(errors, null_characters_in_toml_are_refused_with_their_line) {
  const std::string config = file("null.toml", "\nbase = '" + source_path("configs/gt200_small.toml") + "'\n");
  EXPECT_EQ(gt200_run({"config", "check", config}).code, 0);
  for (const char* null : {"\\u0000", "\\U00000000"}) {
    const std::string base = "base = \"" + source_path("configs/gt200_small.toml") + null + "x\"\n";
    expect_error(1, {"config", "check", file("null.toml", "\n" + base)},
                 config + ":2: a text holds a null character");
    std::string text = content_of(source_path("kernels/vector_add/launch.toml"));
    text.replace(text.find("vector_add.s\""), 12, source_path("kernels/vector_add/vector_add.s") + null + "x");
    file("k/launch.toml", text);
    expect_error(1, {"run", path("k")}, path("k/launch.toml") + ":3: a text holds a null character");
    file("study.toml", std::string("[study]\nkernels = [\"vector_add") + null + "\"]\n");
    expect_error(1, {"sweep", path("study.toml"), "--out", path("out")}, ":2: a text holds a null character");
    expect_error(1, {"config", "check", file("null.toml", std::string("\n[\"chip") + null + "\"]\n")},
                 "a text holds a null character");
  }
}

TEST_F(errors, unknown_preset_names_the_presets) { expect_error(1, {"config", "show", "gt201"}, "gt200_small"); }

TEST_F(errors, output_that_cannot_be_written) {
  const std::string source = source_path("kernels/madloop/madloop.s");
  expect_error(1, {"asm", source, "-o", path("no/such/folder.cubin")}, "cannot be written");
  expect_error(1, {"disasm", source, "-o", path("")}, "is a folder");
}

TEST_F(errors, help_that_cannot_be_written) {
  for (const char* option : {"--help", "--version"}) {
    const std::string command = std::string(GT200_PROGRAM) + " " + option + " > /dev/full 2> " + path("err");
    EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 1);
    EXPECT_EQ(content_of(path("err")), "gt200: standard output: cannot be written\n");
  }
}

TEST_F(errors, that_cannot_be_written_have_their_exit_code) {
  const std::string program = std::string(GT200_PROGRAM);
  EXPECT_EQ(WEXITSTATUS(std::system((program + " run no_such_file.s 2> /dev/full").c_str())), 1);
  EXPECT_EQ(WEXITSTATUS(std::system((program + " run no_such_file.s 2>&-").c_str())), 1);
  EXPECT_EQ(WEXITSTATUS(std::system((program + " no_such_command 2> /dev/full").c_str())), 2);
  EXPECT_EQ(WEXITSTATUS(std::system((program + " --version >&- 2>&-").c_str())), 1);
}

// The text of a run with a plug-in that goes wrong in this way (throwing_policy.cpp).
std::string text_of_throwing(unsigned way, int code = 70) {
  const outcome result =
      gt200_run({"run", source_path("kernels/reduce0"), "--param", "N=1024", "--config", "gt200_small", "--plugin",
                 GT200_THROWING_POLICY, "--set", "tpc.sm.scheduler.policy=throwing", "--set",
                 "tpc.sm.scheduler.throwing.way=" + std::to_string(way)});
  EXPECT_EQ(result.code, code) << result.err;
  EXPECT_TRUE(is_one_clear_line(result.err)) << result.err;
  return result.err;
}

class plugin_faults : public errors {
 protected:
  const std::string plugin_ = "plug-in throwing \\(.*throwing_policy\\.so\\): ";
  const std::string place_ = "gt200\\.tpc_0\\.sm_[01]\\.[a-z_]+ at cycle [0-9]+ of gt200\\.[a-z0-9_.]+: ";
  const std::string time_ = " \\(at [0-9.]+ [a-z]+\\)\n";
  void expect(const std::string& text, const std::string& pattern) {
    EXPECT_TRUE(std::regex_match(text, std::regex("gt200: " + pattern))) << text;
  }
};

TEST_F(plugin_faults, an_exception_in_the_run_is_named_with_plugin_module_cycle_and_time) {
  expect(text_of_throwing(0), "fault of " + plugin_ + place_ + "pick no\\. 50 went wrong" + time_);
}
TEST_F(plugin_faults, an_exception_that_is_none_of_the_standard_is_named_as_well) {
  expect(text_of_throwing(1), "fault of " + plugin_ + place_ + "an exception that is no std::exception" + time_);
}
TEST_F(plugin_faults, an_exception_while_the_chip_is_built_is_named) {
  expect(text_of_throwing(2), "fault of " + plugin_ + "making it went wrong\n");
}
TEST_F(plugin_faults, a_pick_that_is_no_candidate_is_named_with_the_policy) {
  for (const unsigned way : {6u, 7u})
    expect(text_of_throwing(way), "internal error: /gt200/defect at [0-9.]+ [a-z]+: " + place_ +
                                      "the policy 'throwing' has picked warp [0-9]+; the candidates are( [0-9]+)+ "
                                      "\\(a defect of a plug-in or of the simulator; loaded: throwing\\)\n");
}
TEST_F(plugin_faults, an_exception_that_is_none_of_the_standard_is_named_while_the_chip_is_built) {
  expect(text_of_throwing(8), "fault of " + plugin_ + "an exception that is no std::exception\n");
}
TEST_F(plugin_faults, a_wrong_call_of_the_program_is_named_as_such) {
  expect(text_of_throwing(3), "fault in a call by " + plugin_ + place_ + ".*no_such_key.*" + time_);
}
TEST_F(plugin_faults, an_exception_in_a_process_of_the_plugin_is_named_with_the_process) {
  expect(text_of_throwing(4),
         "fault of " + plugin_ + "process gt200\\..*failing_[0-9]+\\.act: a process went wrong" + time_);
}
TEST_F(plugin_faults, a_crash_is_named_and_still_ends_the_program_by_its_signal) {
  expect(text_of_throwing(5, 128 + SIGSEGV), "fault of " + plugin_ + "Segmentation fault( in .*)?\n");
}
TEST_F(plugin_faults, a_stack_that_is_used_up_is_a_crash_that_is_named) {
  expect(text_of_throwing(11, 128 + SIGSEGV), "fault of " + plugin_ + "Segmentation fault( in .*)?\n");
}

}  // namespace
}  // namespace gt200::cli
