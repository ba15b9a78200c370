#include "testbenches/system/fermi/fermi_board.h"

#include <fmt/format.h>

#include <cstring>

#include "observe/checker/checker.h"
#include "testbenches/support/assembly_run.h"
#include "testbenches/support/own_process.h"
#include "toolchain/arch_state/initial_state.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/cubin/load.h"
#include "toolchain/launch/pack_parameters.h"

namespace gt200::support {
namespace {

// Two SMs and two partitions of the GTX 480: for quick runs.
std::vector<std::string> small_chip(const std::vector<std::string>& overrides) {
  std::vector<std::string> all = {"chip.tpcs=2", "chip.partitions=2"};
  all.insert(all.end(), overrides.begin(), overrides.end());
  return all;
}

const std::uint8_t* bytes_of(const std::vector<std::uint32_t>& words) {
  return reinterpret_cast<const std::uint8_t*>(words.data());
}

}  // namespace

std::uint32_t fermi_input(std::uint32_t i) { return arch_state::mix_bits(i + 1); }

std::string fermi_program(const std::string& name) {
  return cubin::read_file(std::string(GT200_SOURCE_DIR) + "/testbenches/system/fermi/programs/" + name + ".s");
}

std::string fermi_outcome::text() const {
  std::string text = fmt::format("{}\n{} cycles, {} instructions\n", error, cycles, issued);
  for (const std::uint32_t word : out) text += fmt::format("{:08x}\n", word);
  return text;
}

fermi_outcome run_on_fermi(const std::string& program, const fermi_grid& grid, const device_options& options,
                           const std::vector<std::string>& overrides) {
  const cubin::module module = assembler::assemble(program, "test.s");
  device board(configuration("gtx480", small_chip(overrides)), explaining(options));
  board.load(module, {});
  const std::uint32_t out = board.allocate(4 * std::uint64_t{grid.out_words});
  const std::uint32_t in = board.allocate(4 * std::uint64_t{fermi_input_words});
  observe::checker checker(board);
  fermi_outcome outcome;
  outcome.out.resize(grid.out_words);
  board.poke(out, bytes_of(outcome.out), 4 * outcome.out.size());
  std::vector<std::uint32_t> words(fermi_input_words);
  for (std::uint32_t i = 0; i < words.size(); ++i) words[i] = fermi_input(i);
  board.poke(in, bytes_of(words), 4 * words.size());

  launch::launch_parameters parameters;
  parameters.kernel = &module.kernels.front();
  parameters.grid = grid.blocks;
  parameters.block = grid.threads;
  parameters.parameter_bytes = launch::pack_parameters(out, in);
  const launch_result result = board.launch(parameters);
  checker.launch_ended(result);
  outcome.cycles = result.cycles;
  outcome.fault = result.fault.kind;
  for (model::sm_if* sm : board.chip().sms()) outcome.issued += sm->probe().instructions_issued();
  if (result.reason != end_reason::done)
    outcome.error =
        std::string(name_of(result.reason)) + ": " + arch_state::describe(result.fault) + result.explanation;
  if (checker.difference()) outcome.error += observe::describe(*checker.difference());
  const bool all_checked = checker.counts().instructions == outcome.issued;
  if (outcome.error.empty() && !all_checked) outcome.error = "not every instruction was checked";
  if (result.reason == end_reason::done)
    board.peek(out, reinterpret_cast<std::uint8_t*>(outcome.out.data()), 4 * outcome.out.size());
  return outcome;
}

std::string run_apart(const std::string& program, const fermi_grid& grid, const device_options& options,
                      const std::vector<std::string>& overrides) {
  return in_own_process([&] { return run_on_fermi(program, grid, options, overrides).text(); });
}

}  // namespace gt200::support
