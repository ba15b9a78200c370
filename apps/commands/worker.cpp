// The process of a device for a CUDA program. The runtime library starts it; users set its options by environment
// variables (docs/cuda.md), or with `gt200 exec`.
#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "apps/commands/commands.h"
#include "apps/support/config_files.h"
#include "apps/support/environment.h"
#include "apps/support/host_time.h"
#include "apps/support/json_text.h"
#include "apps/support/launch_limits.h"
#include "apps/support/live_page.h"
#include "apps/support/message.h"
#include "apps/support/progress.h"
#include "apps/support/thread_option.h"
#include "cuda/worker/launch_watch.h"
#include "cuda/worker/server.h"
#include "observe/observers/attempts.h"
#include "observe/report/run_data.h"
#include "observe/statistics_csv.h"
#include "rtl_ref/library/library.h"
#include "sc_models/config/load.h"
#include "sc_models/config/print.h"
#include "sc_models/sm/cosimulation/rtl_requests.h"
#include "toolchain/error.h"
#include "toolchain/left_behind.h"
#include "toolchain/output_file.h"

namespace gt200::apps {
namespace {

struct worker_options {
  int socket = -1;
  unsigned device = 0;
  unsigned generation = 0;
};

// Files of a later worker of the same device, after cudaDeviceReset(), have its number.
std::string folder_of(const std::string& out, const worker_options& options) {
  std::string folder = out;
  if (options.device != 0) folder += fmt::format("/device{}", options.device);
  if (options.generation != 0) folder += fmt::format("/reset{}", options.generation);
  return folder;
}

std::string program_name() {
  std::error_code ignored;
  return std::filesystem::read_symlink(fmt::format("/proc/{}/exe", getppid()), ignored).string();
}

void write_results(const std::string& folder, const cudart::machine& device, const config::gpu_config& config,
                   const std::string& source, unsigned threads, const host_time& host) {
  // A file that cannot be written takes no other one along: the first failure is thrown at the end.
  observe::attempts files;
  files.make([&] { make_folder(folder); });
  files.make([&] { write_file(folder + "/launches.csv", device.log().csv()); });
  files.make([&] { write_file(folder + "/config.toml", config::to_toml(config)); });
  if (device.model() == nullptr) return files.require();
  observe::run_facts facts;
  facts.source = source;
  facts.wall_seconds = host.wall_seconds;
  facts.cpu_seconds = host.cpu_seconds;
  facts.threads = threads;
  if (std::filesystem::exists(device.source_file())) facts.source_file = device.source_file();
  if (!device.log().launches().empty() && device.health() != cudart::status::success) {
    facts.end = end_reason::fault;
    facts.message = device.log().launches().back().result.report;
  }
  files.make([&] { write_file(folder + "/stats.json", json_text(device.model()->document(facts), 1) + "\n"); });
  files.make([&] { write_file(folder + "/stats.csv", observe::to_csv(device.model()->statistics())); });
  files.require();
}

// Leaves the code that `gt200 exec` returns if the program itself returns 0.
void note_status(exit_code code) {
  if (const std::string file = setting("GT200_STATUS"); !file.empty() && code != exit_code::ok)
    write_file(file, std::to_string(static_cast<int>(code)));
}

exit_code code_of(const cudart::launch_log& log) {
  if (log.launches().empty()) return exit_code::ok;
  using end = cudart::grid_result::end;
  switch (log.launches().back().result.reason) {
    case end::done: return exit_code::ok;
    case end::fault: return exit_code::fault;
    case end::hang: return exit_code::hang;
    case end::limit: return exit_code::limit;
    case end::interrupted: return exit_code::interrupted;
    case end::difference: return exit_code::check_failed;
    case end::refused: return exit_code::bad_input;
  }
  return exit_code::internal;
}

// The page of a device, if GT200_WATCH is a port: that of device 0, the next ones follow it; 0: any that is free.
class watched_device {
 public:
  watched_device(const worker_options& options, const config::gpu_config& config, const std::string& source,
                 cudart::machine_options& settings)
      : config_(config), source_(source), number_(options.device) {
    const std::string port = setting("GT200_WATCH");
    if (port.empty()) return;
    try {
      constexpr unsigned last_port = 65535;
      unsigned wanted = 0;
      const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), wanted);
      if (error != std::errc() || end != port.data() + port.size() || wanted + number_ > last_port)
        throw input_error("GT200_WATCH", 0,
                          fmt::format("'{}' and device {} give no port from 0 to {}", port, number_, last_port));
      page_.emplace(wanted == 0 ? 0 : wanted + number_,
                    live_content{fmt::format("Device {} of {}", number_, source_),
                                 std::string(live_line) + "<div id=\"explorer\"></div>\n",
                                 [this] { return figures(); },
                                 {}});
    } catch (const input_error& error) {
      say(fmt::format("gt200: {}: this device is not watched\n", error.what()));
      return;
    }
    say(fmt::format("gt200: device {} can be watched at {}\n", number_, page_->address()));
    settings.model.on_launch = [this](const launch::launch_parameters& grid) {
      if (!progress_) progress_.emplace(device_->model()->target());
      progress_->launch_begins(grid);
      ++launches_;
    };
    settings.model.on_progress = [this] { page_->update(); };
  }
  void is(const cudart::machine& device) { device_ = &device; }
  void finish() {
    if (page_ && progress_) page_->finish();
  }

 private:
  nlohmann::ordered_json figures() const {
    observe::run_facts facts;
    facts.source = source_;
    facts.cpu_seconds = 1;
    nlohmann::ordered_json result =
        observe::report::run_data(observe::report::running(device_->model()->document(facts), config_));
    result["live"]["status"] = fmt::format("launch {}, {}", launches_, progress_->text());
    return result;
  }

  const config::gpu_config& config_;
  const std::string source_;
  const unsigned number_;
  const cudart::machine* device_ = nullptr;
  std::size_t launches_ = 0;  // on the model
  std::optional<progress_line> progress_;
  std::optional<live_page> page_;
};

exit_code serve_program(const worker_options& options) {
  const stopwatch since_start;
  // Whoever ends the program tells all of its processes. The worker ends when the program has closed the
  // connection, which it does however it ends: until then a program that takes its time can still fetch results.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
  cudart::channel program(options.socket);
  static cudart::launch_watch watch(options.socket, seconds_of(variable_max_seconds), [](cudart::stop_reason why) {
    const exit_code code = why == cudart::stop_reason::seconds_used_up ? exit_code::limit : exit_code::interrupted;
    note_status(code);
    clear_away();
    _exit(static_cast<int>(code));
  });
  watch.start();
  const std::string name = setting("GT200_CONFIG").empty() ? default_config : setting("GT200_CONFIG");
  const config::resolved_config resolved = config::load(find_config(name), words_of(setting("GT200_SET")));
  for (const rtl::request& rtl : model::rtl_in_use(resolved.values)) rtl::build(rtl);
  const std::string source = program_name();
  cudart::machine_options settings;
  settings.config_name = std::filesystem::path(name).stem().string();
  settings.engines = setting("GT200_ENGINE");
  const std::string out = setting("GT200_OUT");
  if (!out.empty()) {
    make_folder(folder_of(out, options));
    require_writable(folder_of(out, options) + "/launches.csv");
  }
  settings.model.check = !setting("GT200_CHECK").empty() && setting("GT200_CHECK") != "0";
  settings.warp_synchronous =
      !setting("GT200_WARP_SYNCHRONOUS").empty() && setting("GT200_WARP_SYNCHRONOUS") != "0";
  settings.watch = &watch;
  settings.model.limits.cycles = limit_of(variable_max_cycles);
  settings.model.limits.instructions = limit_of(variable_max_instructions);
  if (const std::string threads = setting("GT200_THREADS"); !threads.empty()) {
    settings.model.threads = thread_count(threads, resolved.values);
    settings.cpu_threads = thread_count(threads);
  }
  watched_device watched(options, resolved.values, source, settings);
  cudart::machine device(resolved.values, settings);
  watched.is(device);
  cudart::serve(program, device);
  const exit_code code = code_of(device.log());
  if (!device.log().launches().empty())
    for (const std::string& text : device.unmatched_engines())
      say(fmt::format("gt200: --engine, or GT200_ENGINE: no launch on device {} fits '{}'\n", options.device,
                      text));
  if (const std::string file = setting("GT200_TABLE"); !file.empty() && !device.log().launches().empty())
    write_file(fmt::format("{}.{}.{}", file, options.device, options.generation), device.log().table());
  note_status(code);
  if (!out.empty())
    write_results(folder_of(out, options), device, resolved.values, source, settings.model.threads,
                  since_start.elapsed());
  watched.finish();
  return code;
}

exit_code work(const worker_options& options) {
  try {
    return serve_program(options);
  } catch (const input_error&) {
    note_status(exit_code::bad_input);
    throw;
  } catch (const std::exception&) {
    note_status(exit_code::internal);
    throw;
  }
}

}  // namespace

void add_worker(CLI::App& program, action& chosen) {
  auto* command = program.add_subcommand("worker", "a device of a CUDA program; its runtime library starts this");
  const auto options = std::make_shared<worker_options>();
  command->add_option("--socket", options->socket, "number of the open connection to the program")->required();
  command->add_option("--device", options->device, "number of the device in the program");
  command->add_option("--generation", options->generation, "number of workers that the device had before");
  command->group("");  // not in the list of commands
  command->callback([&chosen, options] { chosen = [options] { return work(*options); }; });
}

}  // namespace gt200::apps
