#include "testbenches/timing/volta_launch.h"

#include <fmt/format.h>

#include <cstring>
#include <stdexcept>

#include "testbenches/support/own_process.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/ptx/compile.h"

namespace gt200::timing {
namespace {

cubin::module module_of(const std::string& source) {
  if (source.compare(0, 7, ".target") == 0) return assembler::assemble(source, "bench.s");
  ptx::compile_options options;
  options.capability = 70;
  return ptx::compile(source, "bench.ptx", options);
}

}  // namespace

volta_bench::volta_bench(const config::gpu_config& config, const std::string& source)
    : module_(module_of(source)), board_(config) {
  board_.load(module_, {});
}

std::uint32_t volta_bench::word_at(std::uint32_t address) {
  std::uint8_t bytes[4];
  board_.peek(address, bytes, sizeof bytes);
  std::uint32_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

void volta_bench::bind_texture(std::uint32_t address, std::uint32_t words) {
  board_.bind_texture(
      0, model::texture_binding::linear_memory(address, words, {sampling::texel_format::u32, 1, false}));
}

std::uint64_t volta_bench::run(std::uint32_t blocks, std::uint32_t threads,
                               const std::vector<std::uint64_t>& parameters, std::uint32_t dynamic_shared) {
  launch::launch_parameters grid;
  grid.kernel = &module_.kernels.front();
  grid.grid = {blocks};
  grid.block = {threads, 1, 1};
  grid.dynamic_shared = dynamic_shared;
  grid.parameter_bytes.resize(8 * parameters.size());
  std::memcpy(grid.parameter_bytes.data(), parameters.data(), grid.parameter_bytes.size());
  const launch_result result = board_.launch(grid);
  if (result.reason != end_reason::done)
    throw std::runtime_error(fmt::format("{}: {}", name_of(result.reason), arch_state::describe(result.fault)));
  return result.cycles;
}

double apart(const std::function<double()>& simulate) {
  const std::string text = support::in_own_process([&] { return fmt::format("{}", simulate()); });
  try {
    return std::stod(text);
  } catch (const std::invalid_argument&) {
    throw std::runtime_error("a program of sm_70: " + text);
  }
}

}  // namespace gt200::timing
