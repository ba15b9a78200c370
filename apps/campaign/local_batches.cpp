#include "apps/campaign/local_batches.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <set>

#include "apps/support/output_file.h"
#include "toolchain/error.h"

namespace gt200::apps::campaign {

std::string batch_folder(const std::string& folder, std::size_t first) {
  return fmt::format("{}/points/batch_{:06}", folder, first);
}

void run_batches_here(const std::string& folder, std::size_t injections, std::size_t batch_size, unsigned jobs,
                      const std::function<std::vector<injection_result>(std::size_t, std::size_t)>& run,
                      const volatile std::sig_atomic_t* stop, const std::function<void()>& changed) {
  std::set<pid_t> running;
  const auto wait = [&](std::size_t most) {
    while (running.size() > most) {
      int status = 0;
      for (auto process = running.begin(); process != running.end();)
        process = waitpid(*process, &status, WNOHANG) == *process ? running.erase(process) : std::next(process);
      if (running.size() > most) usleep(5'000);
      if (changed) changed();
    }
  };
  for (std::size_t first = 0; first < injections && *stop == 0; first += batch_size) {
    const std::string to = batch_folder(folder, first);
    if (std::filesystem::exists(to + "/" + results_file)) continue;
    make_folder(to);
    wait(jobs - 1);
    const pid_t process = fork();
    if (process < 0) throw input_error("no process can be started");
    if (process == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      try {
        const std::size_t count = std::min(batch_size, injections - first);
        const auto results = run(first, count);
        if (results.size() == count) write_file(to + "/" + results_file, text_of(results));
      } catch (const std::exception&) {
        _exit(1);  // the batch stays without a result
      }
      _exit(0);
    }
    running.insert(process);
  }
  wait(0);
}

}  // namespace gt200::apps::campaign
