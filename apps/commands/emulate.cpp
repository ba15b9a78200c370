#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "apps/commands/commands.h"
#include "apps/support/interrupt.h"
#include "apps/support/verdict.h"
#include "apps/support/workload.h"
#include "kernels/host_table.h"
#include "observe/observers/attempts.h"
#include "toolchain/emulator/functional_device.h"
#include "toolchain/emulator/trace_writer.h"
#include "toolchain/isa/common/unit_class.h"
#include "toolchain/launch/fermi/abi.h"
#include "toolchain/launch/launch_run.h"
#include "toolchain/output_file.h"

namespace gt200::apps {
namespace {

struct emulate_options {
  workload_options workload;
  std::uint64_t max_instructions = emulator::run_options{}.instruction_limit;
  std::uint32_t max_block_threads = launch::max_threads_per_block;
  bool memcheck = false;
  std::string semantics = "join";
  std::string architecture = "sm_13";
  std::string trace;
};

std::string counts(const emulator::run_counters& c) {
  std::string text = fmt::format("instructions  {} warp instructions, {} thread instructions with a true predicate",
                                 c.warp_instructions, c.thread_instructions);
  if (c.warp_instructions != 0)
    text += fmt::format(", {:.2f} lanes each",
                        static_cast<double>(c.thread_instructions) / static_cast<double>(c.warp_instructions));
  text += "\n";
  for (const isa::unit_class_name& name : isa::unit_class_names) {
    const std::uint64_t executed = c.per_unit[static_cast<std::size_t>(name.unit)];
    if (executed != 0)
      text += fmt::format("  {:<20}{:>12}  {:5.1f} %\n", name.text, executed,
                          100.0 * static_cast<double>(executed) / static_cast<double>(c.warp_instructions));
  }
  return text;
}

exit_code code_of(arch_state::fault_kind kind) {
  switch (kind) {
    case arch_state::fault_kind::deadlock: return exit_code::hang;
    case arch_state::fault_kind::instruction_limit: return exit_code::limit;
    case arch_state::fault_kind::interrupted: return exit_code::interrupted;
    default: return exit_code::fault;
  }
}

std::string title_of(exit_code code) {
  switch (code) {
    case exit_code::hang: return "HANG: ";
    case exit_code::limit: return "LIMIT: ";
    case exit_code::interrupted: return "not checked: ";
    default: return "FAULT: ";
  }
}

exit_code emulate(const emulate_options& options) {
  const auto work = load_workload(options.workload, ptx::capability_of(options.architecture));
  command_files files;
  add_files(*work, files);
  files.writes("--trace", options.trace);
  files.check();
  launch::device_allocator allocator;
  // Blocks of later generations may be larger, unless the user has set a limit.
  const bool has_larger_blocks = work->module.capability >= cubin::fermi.first_sm &&
                                 options.max_block_threads == launch::max_threads_per_block;
  prepare(*work, allocator, has_larger_blocks ? launch::fermi::max_threads_per_block : options.max_block_threads);
  emulator::run_options run;
  run.instruction_limit = options.max_instructions;
  if (options.semantics == "ssy_sync") run.divergence.semantics = arch_state::tesla::divergence_semantics::ssy_sync;
  run.stop = catch_interrupts();
  std::optional<growing_file> trace_file;
  std::optional<emulator::trace_writer> trace;
  if (!options.trace.empty()) trace.emplace(trace_file.emplace(options.trace).stream());
  emulator::functional_device device(
      work->prepared, run, trace ? &*trace : nullptr,
      options.memcheck ? emulator::memory_bounds::buffers : emulator::memory_bounds::pages);
  const launch::device target = device.interface();
  std::cout << "program       " << work->launch.source << "\n";
  exit_code code = exit_code::ok;
  std::string outcome;
  observe::attempts files_written;
  try {
    launch::upload(work->prepared, target);
    launch::execute(work->prepared, target);
    files_written.make([&] { write_buffers(*work, target); });
    const verdict result = verdict_of(launch::check(work->prepared, kernels::host_table(), target));
    code = result.code;
    outcome = result.text;
  } catch (const emulator::launch_fault& fault) {
    code = code_of(fault.cause().kind);
    outcome = title_of(code) + fault.what();
  } catch (const launch::repetitions_used_up& loop) {
    code = exit_code::limit;
    outcome = title_of(code) + loop.what();
  }
  if (trace_file) files_written.make([&] { trace_file->close(); });
  std::cout << fmt::format("launches      {}\n{}result        {}\n", device.launches(), counts(device.counters()),
                           outcome);
  std::cout.flush();
  files_written.require();
  return code;
}

}  // namespace

void add_emulate(CLI::App& program, action& chosen) {
  auto* command = program.add_subcommand("emulate", "run a kernel on the reference emulator, which has no timing");
  const auto options = std::make_shared<emulate_options>();
  add_workload_options(*command, options->workload);
  add_buffer_options(*command, options->workload);
  command->add_option("--max-instructions", options->max_instructions, "warp instructions allowed per launch")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000'000'000}))
      ->capture_default_str();
  add_threads_per_block(*command, options->max_block_threads);
  command
      ->add_option(
          "--semantics", options->semantics,
          "what the code marks: join where paths reconverge, or, with ssy_sync, .S at the end of each path")
      ->check(CLI::IsMember({"join", "ssy_sync"}))
      ->capture_default_str();
  command
      ->add_option("--arch", options->architecture, "what PTX and CUDA C are compiled for: sm_13, sm_20 or sm_70")
      ->check(CLI::IsMember({"sm_13", "sm_20", "sm_70"}))
      ->type_name("ARCH")
      ->capture_default_str();
  command->add_option("--trace", options->trace, "every instruction and what it wrote, as text")->type_name("FILE");
  command->add_flag("--memcheck", options->memcheck,
                    "accesses outside the buffers fault even within their pages, where the chip would not notice");
  command->callback([&chosen, options] {
    check(options->workload);
    chosen = [options] { return emulate(*options); };
  });
}

}  // namespace gt200::apps
