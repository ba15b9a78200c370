#include "testbenches/rtl/cosimulated_run.h"

#include "apps/support/model_run.h"
#include "observe/lockstep.h"
#include "testbenches/support/assembly_run.h"
#include "testbenches/support/own_process.h"

namespace gt200::support {

std::string run_here(const kernel_case& of, const std::string& model, const change_rtl& change,
                     const std::optional<observe::trace_settings>& trace) {
  apps::workload_options options;
  options.target = std::string(GT200_SOURCE_DIR) + "/kernels/" + of.kernel;
  options.parameters = of.parameters;
  const auto work = apps::load_workload(options);
  std::vector<std::string> overrides = of.overrides;
  for (const char* block : {"scoreboard", "scheduler"})
    overrides.push_back("tpc.sm." + std::string(block) + ".model=" + model);
  overrides.push_back("tpc.memory.coalescer.model=" + model);
  const config::gpu_config config = configuration(of.preset, overrides);
  device_options how;
  how.clocking = clocking_of(config.simulation);
  device target(config, how);
  if (change) change(target);
  apps::prepare(*work, target.allocator());
  target.load(work->prepared);
  observe::statistics statistics(target);
  const observe::lockstep lockstep(target);
  std::optional<observe::recorder> recorder;
  if (trace) recorder.emplace(target, *trace);
  const apps::run_outcome outcome =
      apps::run_on_model(target, *work, {statistics, nullptr, nullptr, recorder ? &*recorder : nullptr});
  std::string text = outcome.result.text;
  for (const auto& launch : statistics.launches()) text += "\n" + std::to_string(launch.cycles) + " cycles";
  if (model == "lockstep" && lockstep.compared() == 0) text += "\nnothing was compared";
  if (recorder) {
    recorder->close();
    text += recorder->has_recorded() ? "\nrecorded" : "\nnothing recorded";
  }
  return text;
}

std::string run(const kernel_case& of, const std::string& model, const change_rtl& change,
                const std::optional<observe::trace_settings>& trace) {
  return in_own_process([&] { return run_here(of, model, change, trace); });
}

}  // namespace gt200::support
