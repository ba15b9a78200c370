#include "testbenches/timing/kernel_rate.h"

#include <fmt/format.h>

#include <sstream>
#include <stdexcept>

#include "apps/support/model_run.h"
#include "testbenches/support/own_process.h"

namespace gt200::timing {
namespace {

std::string simulated(const config::gpu_config& config, const apps::workload_options& options) {
  const auto work = apps::load_workload(options);
  device target(config);
  apps::prepare(*work, target.allocator());
  target.load(work->prepared);
  observe::statistics statistics(target);
  const apps::run_outcome outcome = apps::run_on_model(target, *work, {statistics});
  if (outcome.result.code != apps::exit_code::ok) throw std::runtime_error(outcome.result.text);
  std::string text;
  for (const observe::launch_record& launch : statistics.launches())
    text += fmt::format("{} ", static_cast<double>(launch.duration()) * 1e-15);
  return text;
}

}  // namespace

std::vector<double> launch_seconds(const config::gpu_config& config, const std::string& what,
                                   const std::vector<std::string>& parameters) {
  apps::workload_options options;
  options.target = std::string(GT200_SOURCE_DIR) + "/kernels/" + what;
  options.parameters = parameters;
  const std::string text = support::in_own_process([&] { return simulated(config, options); });
  std::istringstream words(text);
  std::vector<double> result;
  for (double seconds = 0; words >> seconds;) result.push_back(seconds);
  if (result.empty() || !words.eof()) throw std::runtime_error(what + ": " + text);
  return result;
}

}  // namespace gt200::timing
