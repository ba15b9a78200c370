// A short, repeatable run of the targets for stored files and messages.
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

}  // namespace
}  // namespace gt200::fuzz
