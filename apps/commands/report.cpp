#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "apps/commands/commands.h"
#include "apps/commands/report_study.h"
#include "apps/support/command_files.h"
#include "apps/support/trace_outputs.h"
#include "observe/report/pages.h"
#include "toolchain/error.h"
#include "toolchain/output_file.h"

namespace gt200::apps {
namespace {

struct report_options {
  std::vector<std::string> runs;
  std::string output;
  bool fixed = false;
};

observe::report::run_files run_in(const std::string& folder) {
  observe::report::run_files run = observe::report::read_run(folder);
  if (run.traced && !run.traced->loss.empty())
    std::cerr << "gt200: " << folder << "/" << trace_file << ": " << run.traced->loss << "\n";
  if (!run.log_error.empty()) std::cerr << "gt200: " << run.log_error << "\n";
  return run;
}

exit_code report(const report_options& options) {
  const auto style = options.fixed ? observe::report::page_style::fixed : observe::report::page_style::explorer;
  if (is_study(options.runs[0])) {
    if (options.runs.size() == 2)
      throw input_error(options.runs[0], 0, "is a study; two runs are compared, and a study has its own page");
    const std::string file = options.output.empty() ? options.runs[0] + "/report.html" : options.output;
    write_study_page(options.runs[0], file, style);
    std::cout << file << "\n";
    return exit_code::ok;
  }
  command_files files;
  for (const std::string& folder : options.runs)
    for (const char* name : {"stats.json", "config.toml", trace_file}) files.reads(folder + "/" + name);
  files.writes("--output", options.output);
  files.check();
  const observe::report::run_files first = run_in(options.runs[0]);
  const bool two = options.runs.size() == 2;
  const std::string page =
      two ? observe::report::compare(first, run_in(options.runs[1]), style) : observe::report::show(first, style);
  const std::string file =
      !options.output.empty() ? options.output : options.runs.back() + (two ? "/comparison.html" : "/report.html");
  write_file(file, page);
  std::cout << file << "\n";
  return exit_code::ok;
}

}  // namespace

void add_report(CLI::App& program, action& chosen) {
  auto* command = program.add_subcommand(
      "report", "show a finished run, two side by side, or a study, as a page for a browser");
  const auto options = std::make_shared<report_options>();
  command
      ->add_option("run", options->runs,
                   "folder of --out of `gt200 run` or `gt200 sweep`; a second run is compared with the first")
      ->type_name("DIR")
      ->required()
      ->expected(1, 2);
  command
      ->add_option("-o,--output", options->output,
                   "page to write, instead of report.html, or comparison.html, in the last folder")
      ->type_name("FILE");
  command->add_flag("--static", options->fixed, "a page without a script, which does not respond");
  command->callback([&chosen, options] { chosen = [options] { return report(*options); }; });
}

}  // namespace gt200::apps
