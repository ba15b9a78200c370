// A command does not overwrite its inputs, and no two of its outputs are the same file.
#include <filesystem>

#include "testbenches/system/cli/program.h"

namespace gt200::cli {
namespace {

class files : public cli_test {
 protected:
  void expect_kept(const std::string& input, const arguments& args, const std::string& option) const {
    const std::string before = content_of(input);
    const outcome o = gt200_run(args);
    EXPECT_EQ(o.code, 2) << o.err;
    EXPECT_TRUE(is_one_clear_line(o.err));
    EXPECT_NE(o.err.find(option + ": would write over '"), std::string::npos) << o.err;
    EXPECT_NE(o.err.find("', which the command reads"), std::string::npos) << o.err;
    EXPECT_EQ(content_of(input), before) << args.front();
  }
  void expect_one_file_refused(const arguments& args, const std::string& option) const {
    const outcome o = gt200_run(args);
    EXPECT_EQ(o.code, 2) << o.err;
    EXPECT_NE(o.err.find(option + ": writes the file that another option writes"), std::string::npos) << o.err;
  }
  std::string copy(const std::string& name, const std::string& of) const { return file(name, content_of(of)); }
};

TEST_F(files, a_source_is_not_overwritten_by_its_output) {
  const std::string source = copy("k.s", source_path("kernels/madloop/madloop.s"));
  expect_kept(source, {"asm", source, "-o", source}, "--output");
  expect_kept(source, {"disasm", source, "-o", source}, "--output");
  const std::string ptx = copy("n.ptx", source_path("kernels/nbody/nbody.ptx"));
  expect_kept(ptx, {"compile", ptx, "-o", ptx}, "--output");
}

TEST_F(files, a_cubin_is_not_overwritten_by_its_default_output) {
  const std::string cubin = path("k.cubin");
  ASSERT_EQ(gt200_run({"asm", source_path("kernels/madloop/madloop.s"), "-o", cubin}).code, 0);
  expect_kept(cubin, {"asm", cubin, "--format", "text"}, "--output");
}

TEST_F(files, another_name_of_an_input_is_recognised) {
  const std::string source = copy("k.s", source_path("kernels/madloop/madloop.s"));
  std::filesystem::create_symlink(source, path("link.cubin"));
  std::filesystem::create_hard_link(source, path("second.cubin"));
  for (const std::string& name : {path("link.cubin"), path("second.cubin"), path("./k.s")})
    expect_kept(source, {"asm", source, "-o", name}, "--output");
}

TEST_F(files, inputs_of_a_launch_are_not_overwritten) {
  const std::string folder = kernel("k", "    exit nop\n", 32, "[[expect]]\nbuffer = \"out\"\nfile = \"e.bin\"\n");
  const std::string program = folder + "/k.s", launch = folder + "/launch.toml";
  const std::string expected = file("k/e.bin", std::string(128, '\0'));
  const std::string config = file("c.toml", "base = \"" + source_path("configs/gt200_small.toml") + "\"\n");
  for (const std::string& input : {program, launch, expected}) {
    expect_kept(input, {"emulate", folder, "--trace", input}, "--trace");
    expect_kept(input, {"emulate", folder, "--dump", "out=" + input}, "--dump");
    expect_kept(input, {"run", folder, "--timeline", input}, "--timeline");
    expect_kept(input, {"run", folder, "--record", "tpc_0.sm_0.scoreboard", input}, "--record");
  }
  expect_kept(config, {"run", folder, "--config", config, "--pipeline-view", config}, "--pipeline-view");
  std::filesystem::rename(config, path("config.toml"));
  expect_kept(path("config.toml"), {"run", folder, "--config", path("config.toml"), "--out", path("")}, "--out");
  expect_kept(program, {"sweep", folder, "--source", copy("s/sweep.csv", program), "--out", path("s")}, "--out");
}

TEST_F(files, a_log_is_not_overwritten_by_its_views) {
  ASSERT_EQ(gt200_run({"run", source_path("kernels/vector_add"), "--param", "N=256", "--config", "gt200_small",
                       "--out", path("out"), "--trace"})
                .code,
            0);
  const std::string log = path("out/trace.log");
  expect_kept(log, {"trace", "convert", path("out"), "--timeline", log}, "--timeline");
  const std::string stats = path("out/stats.json");
  expect_kept(stats, {"report", path("out"), "-o", stats}, "--output");
}

TEST_F(files, two_outputs_in_one_file_are_refused) {
  const std::string folder = kernel("k", "    exit nop\n", 32);
  const std::string one = path("one");
  expect_one_file_refused({"emulate", folder, "--dump", "out=" + one, "--trace", one}, "--trace");
  expect_one_file_refused({"run", folder, "--dump", "out=" + one, "--dump", "out=" + path("./one")}, "--dump");
  expect_one_file_refused({"run", folder, "--timeline", one, "--record", "tpc_0.sm_0.scoreboard", one}, "--record");
  expect_one_file_refused({"run", folder, "--out", path("out"), "--timeline", path("out/stats.json")},
                          "--timeline");
}

TEST_F(files, a_device_may_take_several_outputs) {
  const std::string folder = kernel("k", "    exit nop\n", 32);
  EXPECT_EQ(gt200_run({"emulate", folder, "--dump", "out=/dev/null", "--trace", "/dev/null"}).code, 0);
}

}  // namespace
}  // namespace gt200::cli
