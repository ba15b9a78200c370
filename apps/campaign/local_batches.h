// Runs the batches of a plan that have no result yet, several at a time, on this machine.
#pragma once

#include <csignal>
#include <functional>
#include <string>

#include "apps/campaign/batch.h"

namespace gt200::apps::campaign {

// The folder of the batch that begins with this injection, and the file in it.
std::string batch_folder(const std::string& folder, std::size_t first);
inline constexpr const char* results_file = "results.json";

// Each batch is a file that appears whole, so that a campaign may be killed at any time. `changed` is called once
// in a while. Returns when all batches have ended or `stop` became non-zero.
void run_batches_here(const std::string& folder, std::size_t injections, std::size_t batch_size, unsigned jobs,
                      const std::function<std::vector<injection_result>(std::size_t first, std::size_t count)>& run,
                      const volatile std::sig_atomic_t* stop, const std::function<void()>& changed);

}  // namespace gt200::apps::campaign
