// Buffers that come from files and go to files: --input and --arrays.
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "testbenches/system/cli/program.h"

namespace gt200::cli {
namespace {

class buffer_files : public cli_test, public testing::WithParamInterface<const char*> {
 protected:
  arguments add(const arguments& more) const {
    arguments all = {GetParam(), source_path("kernels/vector_add"), "--param", "N=1024"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::string elements_of(const std::string& npy) const {
    const std::string content = content_of(npy);
    return content.substr(content.size() - 4096);
  }
  void expect_refused(const arguments& more, const std::string& reason) const {
    const outcome result = gt200_run(add(more));
    EXPECT_EQ(result.code, 1) << result.out;
    EXPECT_TRUE(is_one_clear_line(result.err));
    EXPECT_NE(result.err.find(reason), std::string::npos) << result.err;
  }
};

TEST_P(buffer_files, every_buffer_is_written_and_can_be_read_again) {
  ASSERT_EQ(gt200_run(add({"--arrays", path("first"), "--dump", "C=" + path("c")})).code, 0);
  EXPECT_EQ(elements_of(path("first/C.npy")), content_of(path("c")));
  // The operands exchanged give the same sum.
  const outcome again = gt200_run(add(
      {"--input", "A=" + path("first/B.npy"), "--input", "B=" + path("first/A.npy"), "--arrays", path("second")}));
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(elements_of(path("second/C.npy")), content_of(path("c")));
  EXPECT_EQ(content_of(path("second/A.npy")), content_of(path("first/B.npy")));
}

TEST_P(buffer_files, the_reference_checks_other_inputs_and_fixed_results_do_not_apply) {
  const std::string zeros = file("zeros", std::string(4096 * 64, '\0'));
  const outcome result = gt200_run({GetParam(), source_path("kernels/vector_add"), "--input", "A=" + zeros});
  EXPECT_EQ(result.code, 0) << result.out;
  EXPECT_NE(result.out.find("correct (1 check"), std::string::npos) << result.out;
}

TEST_P(buffer_files, each_mistake_gives_one_line) {
  ASSERT_EQ(
      gt200_run({"launch", "check", source_path("kernels/vector_add"), "--param", "N=512", "--arrays", path("a")})
          .code,
      0);
  ASSERT_EQ(gt200_run({"launch", "check", source_path("kernels/bfs"), "--arrays", path("b")}).code, 0);
  expect_refused({"--input", "A=" + path("a/A.npy")}, "A.npy: has f32[512], but buffer 'A' is f32[1024]");
  expect_refused({"--input", "A=" + path("b/edges.npy")}, "but buffer 'A' is f32[1024]");
  expect_refused({"--input", "A=" + file("short", "abc")}, "short: has 3 bytes, but buffer 'A' is f32[1024]");
  expect_refused({"--input", "A=" + file("bad.npy", "\x93NUMPY")}, "bad.npy: not a NumPy file for a buffer");
  expect_refused({"--input", "A=nowhere"}, "nowhere");
  expect_refused({"--input", "Z=nowhere"}, "--input names the unknown buffer 'Z'");
  const outcome usage = gt200_run(add({"--input", "A"}));
  EXPECT_EQ(usage.code, 2);
  EXPECT_NE(usage.err.find("is not BUFFER=FILE"), std::string::npos) << usage.err;
}

TEST_P(buffer_files, an_input_is_not_overwritten) {
  ASSERT_EQ(gt200_run(add({"--arrays", path("a")})).code, 0);
  const std::string before = content_of(path("a/A.npy"));
  const outcome result = gt200_run(add({"--input", "B=" + path("a/A.npy"), "--arrays", path("a")}));
  EXPECT_EQ(result.code, 2) << result.out;
  EXPECT_EQ(content_of(path("a/A.npy")), before);
}

INSTANTIATE_TEST_SUITE_P(of, buffer_files, testing::Values("run", "emulate"),
                         [](const auto& command) { return std::string(command.param); });

using launch_check = cli_test;

TEST_F(launch_check, shows_steps_with_their_bytes_as_json) {
  const outcome result =
      gt200_run({"launch", "check", source_path("kernels/vector_add"), "--param", "N=512", "--json"});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto told = nlohmann::json::parse(result.out);
  ASSERT_EQ(told.at("buffers").size(), 3u);
  EXPECT_EQ(told.at("buffers").at(1).at("address"), 0x00100000 + 2048);
  EXPECT_EQ(told.at("buffers").at(1).at("type"), "f32");
  const auto& step = told.at("steps").at(0);
  EXPECT_EQ(step.at("launch"), "VecAdd");
  EXPECT_EQ(step.at("grid"), (std::vector<unsigned>{2, 1, 1}));
  EXPECT_EQ(step.at("parameters"),
            "0000100000000000"
            "0008100000000000"
            "0010100000000000"
            "00020000");
}

TEST_F(launch_check, shows_repetitions_constants_and_textures_as_json) {
  const auto bfs = nlohmann::json::parse(gt200_run({"launch", "check", source_path("kernels/bfs"), "--json"}).out);
  bool repeats = false;
  for (const auto& step : bfs.at("steps")) repeats |= step.contains("repeat_while") && !step.at("steps").empty();
  EXPECT_TRUE(repeats);
  const auto blur =
      nlohmann::json::parse(gt200_run({"launch", "check", source_path("kernels/convolution"), "--json"}).out);
  EXPECT_EQ(blur.at("textures").size(), 1u);
  EXPECT_FALSE(blur.at("constants").at(0).at("bytes").get<std::string>().empty());
}

using config_json = cli_test;

TEST_F(config_json, has_every_key_with_its_explanation) {
  const outcome result = gt200_run({"config", "explain", "--json", "--set", "tpc.sm.scheduler.policy=gto"});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto told = nlohmann::json::parse(result.out);
  const std::string shown = gt200_run({"config", "check", "gt200"}).out;
  EXPECT_NE(shown.find(" " + std::to_string(told.at("keys").size()) + " keys"), std::string::npos) << shown;
  const auto& policy = told.at("keys").at("tpc.sm.scheduler.policy");
  EXPECT_EQ(policy.at("value"), "gto");
  EXPECT_TRUE(policy.at("choices").contains("lrr"));
  EXPECT_NE(policy.at("set_at").get<std::string>().find("--set"), std::string::npos);
  const auto& entries = told.at("keys").at("tpc.sm.scoreboard.entries_per_warp");
  EXPECT_TRUE(entries.at("value").is_number_unsigned());
  EXPECT_LT(entries.at("low"), entries.at("high"));
  EXPECT_TRUE(told.at("keys").at("idealisations.ideal_memory").at("value").is_boolean());
  EXPECT_NEAR(told.at("peaks").at("single_flops_per_second").get<double>(), 622.1e9, 0.1e9);
  EXPECT_EQ(gt200_run({"config", "explain", "tpc.sm", "--json"}).code, 1);
}

}  // namespace
}  // namespace gt200::cli
