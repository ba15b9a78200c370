#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "apps/commands/commands.h"
#include "apps/support/command_files.h"
#include "apps/support/trace_outputs.h"
#include "observe/report/pages.h"
#include "toolchain/output_file.h"

namespace gt200::apps {
namespace {

struct report_options {
  std::vector<std::string> runs;
  std::string output;
};

observe::report::run_files run_in(const std::string& folder) {
  observe::report::run_files run = observe::report::read_run(folder);
  if (run.traced && !run.traced->loss.empty())
    std::cerr << "gt200: " << folder << "/" << trace_file << ": " << run.traced->loss << "\n";
  if (!run.log_error.empty()) std::cerr << "gt200: " << run.log_error << "\n";
  return run;
}

exit_code report(const report_options& options) {
  command_files files;
  for (const std::string& folder : options.runs)
    for (const char* name : {"stats.json", "config.toml", trace_file}) files.reads(folder + "/" + name);
  files.writes("--output", options.output);
  files.check();
  const observe::report::run_files first = run_in(options.runs[0]);
  const bool two = options.runs.size() == 2;
  const std::string page =
      two ? observe::report::compare(first, run_in(options.runs[1])) : observe::report::show(first);
  const std::string file =
      !options.output.empty() ? options.output : options.runs.back() + (two ? "/comparison.html" : "/report.html");
  write_file(file, page);
  std::cout << file << "\n";
  return exit_code::ok;
}

}  // namespace

void add_report(CLI::App& program, action& chosen) {
  auto* command =
      program.add_subcommand("report", "show a finished run, or two side by side, as a page for a browser");
  const auto options = std::make_shared<report_options>();
  command
      ->add_option("run", options->runs, "folder of --out of `gt200 run`; a second one is compared with the first")
      ->type_name("DIR")
      ->required()
      ->expected(1, 2);
  command
      ->add_option("-o,--output", options->output,
                   "page to write, instead of report.html, or comparison.html, in the last folder")
      ->type_name("FILE");
  command->callback([&chosen, options] { chosen = [options] { return report(*options); }; });
}

}  // namespace gt200::apps
