#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "apps/campaign/batch.h"
#include "apps/campaign/local_batches.h"
#include "apps/campaign/plan.h"
#include "apps/campaign/preparation.h"
#include "apps/campaign/table.h"
#include "apps/commands/commands.h"
#include "apps/support/config_files.h"
#include "apps/support/interrupt.h"
#include "apps/support/output_file.h"
#include "apps/support/workload.h"
#include "sc_models/config/load.h"
#include "tlm_bus/processors.h"
#include "tlm_bus/stall_injection.h"
#include "toolchain/error.h"

namespace gt200::apps {
namespace {

namespace fs = std::filesystem;
using words = std::vector<std::string>;

struct campaign_options {
  workload_options workload;
  std::string config = default_config;
  words overrides;
  campaign::draw_options draw;
  words sites;  // of --site
  std::string sites_file;
  campaign::batch_options batch;
  std::size_t batch_size = 25;
  unsigned jobs = 0;  // 0: one per processor
  std::string out;
  words deciding;  // words of the command line that decide the results
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

// Everything but where the results go and how many processes work.
words deciding_words(const words& command_line) {
  static const words without = {"--out", "--jobs"};
  words result;
  for (std::size_t i = 2; i < command_line.size(); ++i) {
    const std::string& word = command_line[i];
    const auto names = [&](const std::string& option) {
      return word == option || word.compare(0, option.size() + 1, option + "=") == 0;
    };
    if (std::none_of(without.begin(), without.end(), names))
      result.push_back(word);
    else if (word.find('=') == std::string::npos)
      ++i;
  }
  return result;
}

std::string hash_of_program() {
  return fmt::format("{:016x}", tlm_bus::name_hash_of(text_of_file("/proc/self/exe")));
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
    plan_ = campaign::prepare_plan(*work_, config_, draw, stop_);
    plan_.options = options_.deciding;
    plan_.program = hash_of_program();
    if (!campaign::is_plan_of(options_.out, plan_)) {
      // Results of another campaign must not pass for those of this one.
      std::error_code error;
      fs::remove_all(options_.out + "/points", error);
      campaign::write_plan(options_.out, plan_);
    }
    campaign::run_batches_here(
        options_.out, plan_.injections.size(), options_.batch_size,
        options_.jobs != 0 ? options_.jobs : std::max(1u, tlm_bus::usable_processors()),
        [&](std::size_t first, std::size_t count) {
          return campaign::run_batch(plan_, *work_, config_, first, count, options_.batch, stop_);
        },
        stop_, [&] { show_progress(); });
    if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\x1b[K");
    return report();
  }

 private:
  std::vector<campaign::injection_result> results() const {
    std::vector<campaign::injection_result> all;
    for (std::size_t first = 0; first < plan_.injections.size(); first += options_.batch_size) {
      const std::string file = campaign::batch_folder(options_.out, first) + "/" + campaign::results_file;
      if (!fs::exists(file)) continue;
      for (campaign::injection_result& r : campaign::parse_results(text_of_file(file), file)) all.push_back(r);
    }
    return all;
  }

  void show_progress() {
    if (isatty(STDERR_FILENO) == 0 || ++looks_ % 100 != 1) return;
    fmt::print(stderr, "\r\x1b[K{} of {} injections", results().size(), plan_.injections.size());
  }

  exit_code report() const {
    const auto all = results();
    const auto counts = campaign::counts_of(plan_, all);
    write_file(options_.out + "/injections.csv", campaign::injections_csv(plan_, all));
    write_file(options_.out + "/structures.csv", campaign::structures_csv(counts));
    fmt::print("{}: {} core cycles without a fault, {} of {} injections\n{}", work_->launch.source,
               plan_.golden.cycles, all.size(), plan_.injections.size(), campaign::structures_text(counts));
    const campaign::structure_counts& together = counts.back();
    if (together.dead != 0)
      fmt::print("bits that are written next, or never used again: {}, of these masked {}\n", together.dead,
                 together.dead_masked);
    fmt::print("{}/injections.csv, {}/structures.csv\n", options_.out, options_.out);
    for (const campaign::injection_result& r : all)
      if (r.what == campaign::outcome::defect)
        fmt::print("defect of the simulator: gt200 run ... --inject {}: {}\n",
                   inject::text_of(plan_.injections[r.number].at), r.message);
    if (all.size() != plan_.injections.size()) return *stop_ != 0 ? exit_code::interrupted : exit_code::internal;
    return together.defect == 0 ? exit_code::ok : exit_code::internal;
  }

  const campaign_options& options_;
  const volatile std::sig_atomic_t* stop_;
  config::gpu_config config_;
  std::unique_ptr<workload> work_;
  campaign::plan plan_;
  unsigned looks_ = 0;
};

}  // namespace

void add_campaign(CLI::App& program, action& chosen, const words& command_line) {
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
  command->add_option("--count", options->draw.count, "injections, spread evenly over the structures")
      ->type_name("N")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  command->add_option("--draw", options->draw.seed, "seed of the draw of sites")
      ->type_name("SEED")
      ->capture_default_str();
  command
      ->add_option(
          "--structure", options->draw.structures,
          "draw from these only: register_file, scoreboard, instruction_buffer, simt_stack, shared_memory, "
          "pipeline, dram; default: all")
      ->type_name("NAMES")
      ->delimiter(',');
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
  command->add_option("--batch", options->batch_size, "injections per point of the engine")
      ->type_name("N")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  command->add_option("--jobs", options->jobs, "runs at a time; default: one per processor")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  command->add_option("--out", options->out, "folder for injections.csv, structures.csv and the results so far")
      ->type_name("DIR")
      ->required();
  command->footer(
      "Every injection is a run of its own, compared with the run without a fault: detected (the simulated "
      "machine\n"
      "reports a fault), hang, silent (an output buffer differs) or masked. docs/campaign.md explains structures, "
      "sites\n"
      "and tables. A campaign that was interrupted goes on where it stopped. Exit code 70: the simulator failed.");
  options->deciding = deciding_words(command_line);
  command->callback([&chosen, options] {
    if ((!options->sites.empty() || !options->sites_file.empty()) &&
        (options->draw.occupied_only || !options->draw.structures.empty()))
      throw CLI::ValidationError("--site", "does not go with --occupied and --structure");
    chosen = [options] { return campaign_run(*options).run(); };
  });
}

}  // namespace gt200::apps
