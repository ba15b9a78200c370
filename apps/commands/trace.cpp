#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <iostream>
#include <memory>

#include "apps/commands/commands.h"
#include "apps/support/trace_outputs.h"
#include "observe/trace/life.h"
#include "observe/trace/log_reader.h"
#include "sc_models/ids.h"
#include "toolchain/error.h"

namespace gt200::apps {
namespace {

struct trace_command_options {
  std::string log;
  std::string id;
  trace_outputs outputs;
};

// A log, or the folder of a run with one.
std::string log_of(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error) ? path + "/" + trace_file : path;
}

exit_code find(const trace_command_options& options) {
  const auto id = model::id_of_text(options.id);
  if (!id) throw input_error(fmt::format("'{}' is no id; ids are written like i12.345 or m3.17", options.id));
  observe::log_reader log(log_of(options.log));
  const bool found = observe::write_life(log, *id, std::cout);
  if (log.cut_off()) std::cerr << "gt200: the end of the log is missing\n";
  if (!found) throw input_error(fmt::format("{} is not in the log", options.id));
  return exit_code::ok;
}

exit_code convert(const trace_command_options& options) {
  const std::string log = log_of(options.log);
  command_files files;
  files.reads(log);
  add_files(options.outputs, files);
  files.check();
  write_trace_outputs(log, options.outputs);
  return exit_code::ok;
}

}  // namespace

void add_trace(CLI::App& program, action& chosen) {
  auto* command = program.add_subcommand("trace", "look into the log of a run with --trace");
  command->require_subcommand(1);
  const auto options = std::make_shared<trace_command_options>();
  auto* finding = command->add_subcommand("find", "print the life of a warp instruction or memory transaction");
  finding->add_option("ID", options->id, "as fault reports and views show it: i12.345, m3.17")->required();
  finding->add_option("RUN", options->log, "folder of --out, or log")->required();
  finding->callback([&chosen, options] { chosen = [options] { return find(*options); }; });

  auto* conversion = command->add_subcommand("convert", "make waveforms and views from the log");
  conversion->add_option("RUN", options->log, "folder of --out, or log")->required();
  add_trace_outputs(*conversion, options->outputs);
  conversion->callback([&chosen, options] {
    if (!options->outputs.any())
      throw CLI::ValidationError("trace convert", "needs --waves, --pipeline-view or --timeline");
    chosen = [options] { return convert(*options); };
  });
}

}  // namespace gt200::apps
