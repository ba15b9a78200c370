#include "apps/support/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>

#include "apps/support/message.h"
#include "apps/support/repeated_run.h"
#include "observe/trace/wave_writer.h"

namespace gt200::apps {
namespace {

namespace fs = std::filesystem;
using words = std::vector<std::string>;

constexpr double longest = 60;  // seconds that a repetition may take by estimate
// Core cycles, more than a part of the chip can be ahead of simulated time.
constexpr std::uint64_t run_ahead = 100;
constexpr double slower_traced = 2;  // a chip whose stages can be looked into, at least in the window

// Waves in the form that this build writes.
std::string wave_file(const std::string& folder) {
  return folder + (observe::can_write_fst() ? "/waves.fst" : "/waves.vcd");
}

// Options of other records and of what is printed, with the words that follow; those that choose the run stay.
const std::map<std::string, unsigned> left_out = {
    {"--out", 1},   {"--keep", 1},       {"--record", 2},  {"--dram-trace", 1},  {"--json", 0},
    {"--watch", 0}, {"--watch-port", 1}, {"--profile", 0}, {"--no-evidence", 0}, {"--threads", 1}};

words command_of(const failed_run& run, const std::string& folder) {
  words command = without_options({run.command_line.begin() + 1, run.command_line.end()}, left_out);
  const std::uint64_t before = evidence_cycles + run.idle_cycles;
  const std::uint64_t begin = run.cycle > before ? run.cycle - before : 0;
  command.insert(command.end(), {"--out", folder, "--trace", "--waves", wave_file(folder), "--wave-window",
                                 fmt::format("{}:{}", begin, run.cycle + run_ahead), "--wave-scope",
                                 scope_of_failure(run.message, run.sms_per_tpc)});
  return command;
}

}  // namespace

std::string scope_of_failure(const std::string& message, unsigned sms_per_tpc) {
  static const std::regex path(R"(\bgt200\.(tpc_\d+(\.sm_\d+)?|[a-z]\w*))"), id(R"(\b[if](\d+)\.\d+\b)");
  std::smatch found;
  if (std::regex_search(message, found, path)) return found.str() + ".*";
  if (std::regex_search(message, found, id) && found.str(1).size() <= 5) {
    const unsigned sm = static_cast<unsigned>(std::stoul(found.str(1)));
    return fmt::format("gt200.tpc_{}.sm_{}.*", sm / sms_per_tpc, sm % sms_per_tpc);
  }
  return "*";
}

void leave_evidence(const failed_run& run, const volatile std::sig_atomic_t* stop) {
  const std::string folder = (run.out.empty() ? "" : run.out + "/") + "gt200_failure";
  const words command = command_of(run, folder);
  const std::string waves = wave_file(folder);
  std::error_code ignored;
  fs::remove(waves, ignored);
  if (run.seconds * slower_traced <= longest) {
    words quiet = command;
    quiet.push_back("--no-evidence");
    repeat({quiet, "", true, 2 * longest, stop});
    if (fs::exists(waves, ignored)) {
      say(fmt::format(
          "gt200: the run was repeated with waves of the {} cycles before its end: {}, log: {}/trace.log\n",
          std::min(evidence_cycles + run.idle_cycles, run.cycle), waves, folder));
      return;
    }
  }
  if (stop != nullptr && *stop != 0) return;
  say(fmt::format("gt200: waves of its end: gt200 {}\n", as_shell_words(command)));
}

}  // namespace gt200::apps
