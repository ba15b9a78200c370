#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "apps/commands/commands.h"
#include "apps/support/cycle_window.h"
#include "apps/support/trace_outputs.h"
#include "observe/trace/difference.h"
#include "observe/trace/glob.h"
#include "observe/trace/life.h"
#include "observe/trace/log_reader.h"
#include "observe/trace/search.h"
#include "sc_models/ids.h"
#include "toolchain/error.h"

namespace gt200::apps {
namespace {

struct trace_command_options {
  std::string log;
  trace_outputs outputs;
  std::string window;
};

struct find_options {
  std::vector<std::string> id_and_log;  // the log alone with a search
  std::string sm;
  observe::log_search wanted;
  std::string cycles;

  bool searches() const { return !sm.empty() || wanted.warp || wanted.pc || wanted.address || !cycles.empty(); }
};

// A log, or the folder of a run with one.
std::string log_of(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error) ? path + "/" + trace_file : path;
}

// Its run was killed, the file is a part of it, or it is damaged.
void say_loss(const std::string& log, const std::string& loss) {
  if (!loss.empty()) std::cerr << fmt::format("gt200: {}: {}\n", log, loss);
}

exit_code find_id(const std::string& text, const std::string& path) {
  const auto id = model::id_of_text(text);
  if (!id) throw input_error(fmt::format("'{}' is no id; ids are written like i12.345 or m3.17", text));
  observe::log_reader log(log_of(path));
  const bool found = observe::write_life(log, *id, std::cout);
  say_loss(log_of(path), log.loss());
  if (!found) throw input_error(fmt::format("{} is not in the log", text));
  return exit_code::ok;
}

// Reads the number behind `name` in a path.
std::optional<unsigned> number_behind(std::string_view path, std::string_view name) {
  const std::size_t at = path.find(name);
  if (at == std::string_view::npos) return std::nullopt;
  unsigned number = 0;
  const auto result = std::from_chars(path.data() + at + name.size(), path.data() + path.size(), number);
  return result.ec == std::errc() ? std::optional(number) : std::nullopt;
}

// The number of an SM in the chip from "12", "tpc_4.sm_0" or "gt200.tpc_4.sm_0".
unsigned sm_of(const std::string& text, const observe::log_definitions& log) {
  unsigned sms = 0;  // of a TPC
  unsigned tpcs = 0;
  for (const std::string& place : log.places) {
    if (const auto sm = number_behind(place, ".sm_")) sms = std::max(sms, *sm + 1);
    if (const auto tpc = number_behind(place, ".tpc_")) tpcs = std::max(tpcs, *tpc + 1);
  }
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    const std::string path = "." + text;
    const auto tpc = number_behind(path, ".tpc_");
    const auto sm = number_behind(path, ".sm_");
    if (!tpc || !sm || !observe::matches(fmt::format("*.tpc_{}.sm_{}", *tpc, *sm), path) || *sm >= sms)
      throw input_error(fmt::format("--sm: '{}' is no SM; write a number as in i12.345, or tpc_4.sm_0", text));
    number = *tpc * sms + *sm;
  }
  if (number >= tpcs * sms)
    throw input_error(fmt::format("--sm: '{}' is not there; the chip has SMs 0 to {}", text, tpcs * sms - 1));
  return number;
}

exit_code search(const find_options& options) {
  observe::log_reader log(log_of(options.id_and_log[0]));
  observe::log_search wanted = options.wanted;
  if (!options.sm.empty()) wanted.sm = sm_of(options.sm, log.definitions());
  if (const auto cycles = observe::window_of(options.cycles)) {
    wanted.begin = cycles->begin;
    wanted.end = cycles->end;
  }
  const std::size_t found = observe::write_found(log, wanted, std::cout);
  say_loss(log_of(options.id_and_log[0]), log.loss());
  if (found == 0) throw input_error("nothing in the log is like that");
  return exit_code::ok;
}

void add_find(CLI::App& trace, action& chosen) {
  auto* command = trace.add_subcommand(
      "find", "print the life of a warp instruction or memory transaction, or search the log for them");
  const auto options = std::make_shared<find_options>();
  command
      ->add_option("ID_RUN", options->id_and_log,
                   "id as fault reports and views show it (i12.345, m3.17), and folder of --out, or log; with the "
                   "options of a search the folder or log alone")
      ->required()
      ->expected(1, 2);
  command->add_option("--sm", options->sm, "instructions of this SM and their transactions: 12, or tpc_4.sm_0");
  command->add_option("--warp", options->wanted.warp, "of this warp slot")->type_name("N");
  command->add_option("--pc", options->wanted.pc, "of instructions at this address of their kernel")
      ->type_name("ADDRESS");
  command
      ->add_option("--address", options->wanted.address,
                   "transactions that concern this byte of device memory (physical), and their instructions; with "
                   "--trace-values also instructions of which a lane computes this address")
      ->type_name("ADDRESS");
  add_window_option(*command, "--cycles", options->cycles,
                    "to which something happens in these core cycles: from A up to, not including, B");
  command->callback([&chosen, options] {
    if (options->searches() && options->id_and_log.size() != 1)
      throw CLI::ValidationError("trace find", "takes an id or the options of a search, not both");
    if (!options->searches() && options->id_and_log.size() != 2)
      throw CLI::ValidationError("trace find",
                                 "needs an id and a run, or a run and --sm, --warp, --pc, --address or "
                                 "--cycles");
    chosen = [options] {
      return options->searches() ? search(*options) : find_id(options->id_and_log[0], options->id_and_log[1]);
    };
  });
}

void add_log_diff(CLI::App& trace, action& chosen) {
  auto* command = trace.add_subcommand(
      "diff",
      "print for each module the first event or value of two logs that differs, by time; exit code 3 if one does");
  const auto compared = std::make_shared<observe::log_comparison>();
  const auto untimed = std::make_shared<bool>(false);
  command->add_option("A", compared->a, "folder of --out, or log")->required();
  command->add_option("B", compared->b, "the other one")->required();
  command->add_flag("--untimed", *untimed, "compare order and contents at each place, not times");
  command->add_option("--modules", compared->modules, "show the first differences of this many modules; 0 for all")
      ->type_name("N")
      ->capture_default_str();
  command->callback([&chosen, compared, untimed] {
    chosen = [compared, untimed] {
      const std::string a = log_of(compared->a), b = log_of(compared->b);
      const observe::log_difference found =
          observe::write_difference({a, b, !*untimed, compared->modules}, std::cout);
      say_loss(a, found.loss_a);
      say_loss(b, found.loss_b);
      return found.differing == 0 ? exit_code::ok : exit_code::check_failed;
    };
  });
}

exit_code convert(const trace_command_options& options) {
  const std::string log = log_of(options.log);
  command_files files;
  files.reads(log);
  add_files(options.outputs, files);
  files.check();
  say_loss(log, observe::write_trace_outputs(log, options.outputs,
                                             observe::window_of(options.window).value_or(observe::cycle_window{})));
  return exit_code::ok;
}

}  // namespace

void add_trace(CLI::App& program, action& chosen) {
  auto* command = program.add_subcommand("trace", "look into the log of a run with --trace");
  command->require_subcommand(1);
  add_find(*command, chosen);
  add_log_diff(*command, chosen);

  const auto options = std::make_shared<trace_command_options>();
  auto* conversion = command->add_subcommand("convert", "make waveforms and views from the log");
  conversion->add_option("RUN", options->log, "folder of --out, or log")->required();
  add_trace_outputs(*conversion, options->outputs);
  add_window_option(*conversion, "--wave-window", options->window,
                    "only these core cycles: from A up to, not including, B; either may be missing");
  conversion->callback([&chosen, options, conversion] {
    if (!options->outputs.any())
      throw CLI::ValidationError("trace convert", "needs --waves, --pipeline-view or --timeline");
    check_conversion(*conversion, options->outputs);
    chosen = [options] { return convert(*options); };
  });
}

}  // namespace gt200::apps
