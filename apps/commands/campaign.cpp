#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "apps/campaign/batch.h"
#include "apps/campaign/campaign_folder.h"
#include "apps/campaign/picture.h"
#include "apps/campaign/plan.h"
#include "apps/campaign/preparation.h"
#include "apps/campaign/table.h"
#include "apps/commands/commands.h"
#include "apps/commands/study_progress.h"
#include "apps/study/study.h"
#include "apps/support/command_files.h"
#include "apps/support/config_files.h"
#include "apps/support/interrupt.h"
#include "apps/support/workload.h"
#include "sc_models/config/load.h"
#include "toolchain/error.h"
#include "toolchain/output_file.h"

namespace gt200::apps {
namespace {

namespace fs = std::filesystem;
using word_list = std::vector<std::string>;

struct campaign_options {
  workload_options workload;
  std::string config = default_config;
  word_list overrides;
  campaign::draw_options draw;
  word_list sites;  // of --site
  std::string sites_file;
  campaign::batch_options batch;
  std::size_t part_size = 25;
  study::engine_options how;
  bool no_wait = false;
  std::string out;
  word_list command_line;
  word_list command;  // of a part
  // Options of a part:
  std::string plan;
  std::string part;
};

std::string text_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw input_error(path, 0, "cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<inject::site> given_sites(const campaign_options& options) {
  std::vector<inject::site> sites;
  for (const std::string& text : options.sites) sites.push_back(inject::parse_site(text));
  if (options.sites_file.empty()) return sites;
  std::istringstream lines(text_of_file(options.sites_file));
  unsigned number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    try {
      sites.push_back(inject::parse_site(line));
    } catch (const input_error& error) {
      throw input_error(options.sites_file, number, error.what());
    }
  }
  if (sites.empty()) throw input_error(options.sites_file, 0, "has no site");
  return sites;
}

// The words of the command line but the program's name, where the results go, how the work is spread, and which
// sites there are: that is in the plan. So a part of a larger campaign with the same sites is the same part.
word_list command_of_part(const word_list& command_line) {
  static const word_list with_value = {"--out",  "--jobs",      "--engine", "--sbatch", "--count",
                                       "--draw", "--structure", "--site",   "--sites"};
  word_list result;
  for (std::size_t i = 1; i < command_line.size(); ++i) {
    const std::string& word = command_line[i];
    const auto begins = [&](const std::string& option) {
      return word.compare(0, option.size() + 1, option + "=") == 0;
    };
    if (word == "--no-wait" || word == "--occupied" || std::any_of(with_value.begin(), with_value.end(), begins))
      continue;
    if (std::find(with_value.begin(), with_value.end(), word) != with_value.end())
      ++i;
    else
      result.push_back(word);
  }
  return result;
}

class campaign_run {
 public:
  explicit campaign_run(const campaign_options& options)
      : options_(options),
        stop_(catch_interrupts()),
        config_(config::load(find_config(options.config), options.overrides).values),
        work_(load_workload(options.workload, config_.chip.capability())) {}

  exit_code run() {
    campaign::draw_options draw = options_.draw;
    draw.sites = given_sites(options_);
    check_files();
    draw.golden_seconds = std::max(draw.golden_seconds, options_.batch.seconds);
    std::optional<campaign::plan> made = campaign::prepare_plan(*work_, config_, draw, stop_);
    if (!made) return exit_code::interrupted;
    plan_ = std::move(*made);
    plan_.options = options_.command_line;
    study_.folder = options_.out;
    study_.made_by = "campaign";
    study_.how = options_.how;
    study_.how.slurm.wait = !options_.no_wait;
    campaign::plan_points(study_, plan_, options_.part_size, options_.command, options_.workload, options_.config,
                          options_.overrides);
    const study::progress done = study::run(
        study_, stop_, [this](const study::progress& now) { show_progress(now); },
        [this] { campaign::write_plan(options_.out, plan_); });
    clear_study();
    return report(done);
  }

  exit_code run_part() {
    const campaign::part part = campaign::parse_part(options_.part);
    const campaign::plan p = campaign::read_plan(options_.plan);
    const auto results = campaign::run_batch(p, *work_, config_, part.first, part.count, options_.batch, stop_);
    if (results.size() != part.count) return exit_code::interrupted;
    make_folder(options_.out);
    write_file(options_.out + "/" + campaign::results_file, campaign::text_of(results));
    return exit_code::ok;
  }

 private:
  void check_files() const {
    command_files files;
    add_files(*work_, files);
    files.reads(options_.sites_file);
    for (const char* name : {"/injections.csv", "/structures.csv", "/structures.svg", "/plan.json", "/golden.bin"})
      files.writes("--out", options_.out + name);
    files.check();
  }

  void show_progress(const study::progress& now) const {
    show_study(now, fmt::format("{} of {} parts of {} injections", now.points - now.unfinished(), now.points,
                                options_.part_size));
  }

  exit_code report(const study::progress& done) const {
    const auto all = campaign::results_of(study_);
    const auto counts = campaign::counts_of(plan_, all);
    write_file(options_.out + "/injections.csv", campaign::injections_csv(plan_, all));
    write_file(options_.out + "/structures.csv", campaign::structures_csv(counts));
    write_file(options_.out + "/structures.svg",
               campaign::structures_svg(fmt::format("{}: {} of {} injections", work_->launch.source, all.size(),
                                                    plan_.injections.size()),
                                        counts));
    fmt::print("{}: {} core cycles without a fault, {} of {} injections\n{}", work_->launch.source,
               plan_.golden.cycles, all.size(), plan_.injections.size(), campaign::structures_text(counts));
    fmt::print("{}", campaign::advice_text(counts));
    const campaign::structure_counts& together = counts.back();
    if (together.dead != 0)
      fmt::print("bits that are written next, or never used again: {}, of these masked {}\n", together.dead,
                 together.dead_masked);
    fmt::print("{0}/injections.csv, {0}/structures.csv, {0}/structures.svg\n", options_.out);
    for (const campaign::injection_result& r : all)
      if (r.what == campaign::outcome::defect)
        fmt::print("defect of the simulator: gt200 run ... --inject {}: {}\n",
                   inject::text_of(plan_.injections[r.number].at), r.message);
    if (!done.note.empty()) fmt::print("{}\n", done.note);
    if (done.submitted)
      fmt::print("tasks are in the queue of Slurm; repeat the command, or: gt200 sweep status|cancel {}\n",
                 options_.out);
    if (done.stopped) return exit_code::interrupted;
    if (all.size() != plan_.injections.size()) return done.submitted ? exit_code::ok : failed_part();
    return together.defect == 0 ? exit_code::ok : exit_code::internal;
  }

  // A part that left nothing: a full disk, say.
  exit_code failed_part() const {
    for (const study::point& point : study_.points)
      if (const auto end = study::ending_of(study_, point); end && end->exit_code != 0)
        throw input_error(study::point_folder(study_, point), 0, end->reason);
    throw input_error(options_.out, 0, "some parts have not ended");
  }

  const campaign_options& options_;
  const volatile std::sig_atomic_t* stop_;
  config::gpu_config config_;
  std::unique_ptr<workload> work_;
  campaign::plan plan_;
  study::study study_;
};

}  // namespace

void add_campaign(CLI::App& program, action& chosen, const word_list& command_line) {
  auto* command = program.add_subcommand(
      "campaign", "flip bits of the running chip, one per run, and say which of them matter");
  const auto options = std::make_shared<campaign_options>();
  add_workload_options(*command, options->workload);
  command->add_option("--config", options->config, "configuration of the chip: file or preset")
      ->type_name("FILE")
      ->capture_default_str();
  command->add_option("--set", options->overrides, "key=value that overrides the configuration; repeatable")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  auto* count =
      command->add_option("--count", options->draw.count, "injections, spread evenly over the structures");
  count->type_name("N")->check(CLI::Range(1, 1'000'000))->capture_default_str();
  command->add_option("--draw", options->draw.seed, "seed of the draw of sites")
      ->type_name("SEED")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 62))
      ->capture_default_str();
  command
      ->add_option(
          "--structure", options->draw.structures,
          "draw from these only: register_file, scoreboard, instruction_buffer, simt_stack, shared_memory, "
          "pipeline, dram, section_pool; default: all")
      ->type_name("NAMES")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_flag("--occupied", options->draw.occupied_only,
                    "draw among the bits that something uses in their cycle, instead of all");
  command->add_option("--site", options->sites, "inject here instead of drawing: MODULE:BIT@CYCLE; repeatable")
      ->type_name("SITE")
      ->allow_extra_args(false);
  command->add_option("--sites", options->sites_file, "the same, a file with a site per line")->type_name("FILE");
  command->add_option("--seconds", options->batch.seconds, "of the host that a run may take; else it is a defect")
      ->type_name("N")
      ->check(CLI::Range(1.0, 1e6))
      ->capture_default_str();
  command->add_flag("!--no-rerun", options->batch.rerun,
                    "do not repeat silent cases with the checker, which names the first wrong instruction");
  command->add_option("--batch", options->part_size, "injections per part: per task of an engine, and per file")
      ->type_name("N")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  command->add_option("--engine", options->how.engine, "local: processes of this machine; slurm: tasks of Slurm")
      ->check(CLI::IsMember({"local", "slurm"}))
      ->capture_default_str();
  command
      ->add_option("--jobs", options->how.jobs, "runs at a time; default: one per processor; of a task of Slurm: 1")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  command
      ->add_option("--sbatch", options->how.slurm.sbatch,
                   "a further option of sbatch, such as --partition=long; repeatable")
      ->type_name("OPTION")
      ->allow_extra_args(false);
  command->add_flag("--no-wait", options->no_wait, "Slurm: ends when everything is submitted");
  command->add_option("--plan", options->plan, "")->group("");  // of points
  command->add_option("--part", options->part, "")->group("");
  command->add_option("--out", options->out, "folder for injections.csv, structures.csv and the results so far")
      ->type_name("DIR")
      ->required();
  command->footer(
      "Every injection is a run of its own, compared with the run without a fault: detected (the simulated "
      "machine\n"
      "reports a fault), hang, silent (an output buffer differs) or masked. docs/sweep.md explains structures, "
      "sites\n"
      "and tables. A campaign that was interrupted goes on where it stopped. Exit code 70: the simulator failed.");
  options->command_line = {command_line.begin() + 1, command_line.end()};
  options->command = command_of_part(command_line);
  command->callback([&chosen, options, count] {
    check(options->workload);
    if ((!options->sites.empty() || !options->sites_file.empty()) &&
        (options->draw.occupied_only || !options->draw.structures.empty() || count->count() != 0))
      throw CLI::ValidationError("--site", "does not go with --count, --occupied and --structure");
    chosen = [options] {
      campaign_run work(*options);
      return options->part.empty() ? work.run() : work.run_part();
    };
  });
}

}  // namespace gt200::apps
