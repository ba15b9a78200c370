// A short, repeatable run of the targets for stored files and messages.
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>

#include "testbenches/fuzz/short_run.h"
#include "testbenches/fuzz/targets.h"

namespace gt200::fuzz {
namespace {

const std::string program = GT200_PROGRAM;

void run(target of, const std::vector<seed>& seeds, int changes) {
  for (const seed& s : seeds) expect_no_finding(of, s.content, s.name);
  run_changes(of, seeds, changes);
}

TEST(fuzz_stored, npy) {
  run_prefixes(npy, npy_seeds(), "later");
  run(npy, npy_seeds(), 3000);
}
TEST(fuzz_stored, study) { run(study, study_seeds(), 300); }
TEST(fuzz_stored, statistics) { run(statistics, {statistics_seeds(program).back()}, 100); }
TEST(fuzz_stored, trace_log) { run(trace_log, trace_log_seeds(program), 30); }
TEST(fuzz_stored, rtl_description) {
  run_prefixes(rtl_description, rtl_description_seeds(), "all_keys");
  run(rtl_description, rtl_description_seeds(), 1000);
}
TEST(fuzz_stored, study_state) { run(study_state, study_state_seeds(program), 300); }
TEST(fuzz_stored, worker_messages) { run(worker_messages, worker_message_seeds(), 100); }

// Inputs that earlier searches have found (scripts/fuzz_corpus).
class kept_inputs : public ::testing::TestWithParam<std::pair<const char*, target>> {};

TEST_P(kept_inputs, have_no_finding) {
  const auto& [name, of] = GetParam();
  std::ifstream file(std::string(GT200_SOURCE_DIR "/testbenches/fuzz/corpora/") + name + ".bin", std::ios::binary);
  ASSERT_TRUE(file);
  const std::string all{std::istreambuf_iterator<char>(file), {}};
  unsigned count = 0;
  for (std::size_t at = 0; at < all.size();) {
    std::uint32_t length = 0;
    ASSERT_LE(at + sizeof length, all.size());
    std::memcpy(&length, all.data() + at, sizeof length);
    at += sizeof length;
    ASSERT_LE(at + length, all.size());
    std::string input = all.substr(at, length);
    const std::string root = "@ROOT@";
    for (std::size_t mark = 0; (mark = input.find(root, mark)) != std::string::npos;)
      input.replace(mark, root.size(), GT200_SOURCE_DIR);
    expect_no_finding(of, input, name + (" " + std::to_string(count++)));
    at += length;
  }
  EXPECT_GT(count, 10u);
}
INSTANTIATE_TEST_SUITE_P(of_a_search, kept_inputs,
                         ::testing::Values(std::pair("npy", target(npy)), std::pair("study", target(study)),
                                           std::pair("statistics", target(statistics)),
                                           std::pair("trace_log", target(trace_log)),
                                           std::pair("rtl_description", target(rtl_description)),
                                           std::pair("study_state", target(study_state)),
                                           std::pair("worker_messages", target(worker_messages))),
                         [](const auto& of) { return std::string(of.param.first); });

}  // namespace
}  // namespace gt200::fuzz
