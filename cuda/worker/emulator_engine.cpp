#include "cuda/worker/emulator_engine.h"

#include <algorithm>
#include <stdexcept>

#include "sc_models/machine_size.h"
#include "toolchain/arch_state/fermi/generation.h"
#include "toolchain/arch_state/volta/generation.h"
#include "toolchain/emulator/bound_textures.h"
#include "toolchain/emulator/fermi/grid_run.h"
#include "toolchain/emulator/grid_run.h"
#include "toolchain/emulator/volta/grid_run.h"
#include "toolchain/launch/device_memory.h"

namespace gt200::cudart {
namespace {

constexpr std::uint64_t cycles_per_instruction = 2;
// A kernel that runs longer does not end; the model would take days for as many.
constexpr std::uint64_t instruction_limit = 1'000'000'000'000;

grid_result::end end_of(arch_state::fault_kind kind) {
  switch (kind) {
    case arch_state::fault_kind::none: return grid_result::end::done;
    case arch_state::fault_kind::deadlock: return grid_result::end::hang;
    case arch_state::fault_kind::instruction_limit: return grid_result::end::limit;
    case arch_state::fault_kind::interrupted: return grid_result::end::interrupted;
    default: return grid_result::end::fault;
  }
}

}  // namespace

emulator_engine::emulator_engine(const config::gpu_config& config, std::uint64_t instructions,
                                 const launch_watch* watch)
    : config_(config), instruction_limit_(instructions == 0 ? instruction_limit : instructions), watch_(watch) {}

void emulator_engine::take_over(const inventory& all) {
  for (; extents_ < all.extents.size(); ++extents_) {
    const inventory::extent& added = all.extents[extents_];
    // One range from the first address on, as a program may access everything in between on the chip as well.
    const std::uint64_t end = launch::end_of_mapping(added.address + added.bytes, config_.memory_map.page_bytes);
    if (memory_.ranges().empty())
      memory_.map(launch::first_device_address, static_cast<std::uint32_t>(end - launch::first_device_address));
    else
      memory_.grow(launch::first_device_address, end);
  }
}

void emulator_engine::write(std::uint32_t address, const std::uint8_t* from, std::size_t bytes) {
  if (!memory_.write(address, from, bytes)) throw std::logic_error("the host writes memory that is not mapped");
}

void emulator_engine::read(std::uint32_t address, std::uint8_t* to, std::size_t bytes) {
  if (!memory_.read(address, to, bytes)) throw std::logic_error("the host reads memory that is not mapped");
}

emulator_engine::loaded_kernel& emulator_engine::loaded(const program& code, const cubin::kernel& kernel) {
  loaded_kernel& known = kernels_[&kernel];
  if (known.code == nullptr || known.constants_version != code.constants_version) {
    if (known.code == nullptr) known.code = std::make_unique<emulator::code_image>(kernel);
    known.constants = emulator::constant_memory(code.module, kernel, code.relocations);
    known.constants_version = code.constants_version;
  }
  return known;
}

emulator_engine::outcome emulator_engine::run_on_tesla(const program& code, const launch::launch_parameters& grid) {
  const loaded_kernel& kernel = loaded(code, *grid.kernel);
  emulator::bound_textures textures(code.textures, memory_);
  emulator::run_options options;
  options.divergence = config_.tpc.sm.simt_stack;
  options.initial_state_seed = config_.simulation.initial_state_seed;
  options.instruction_limit = instruction_limit_;
  if (watch_ != nullptr) options.stop = watch_->stop();
  options.textures = &textures;
  const emulator::run_result run = emulator::run(grid, *kernel.code, kernel.constants, memory_, options);
  return {run.fault, run.counters.warp_instructions, run.counters.thread_instructions};
}

emulator_engine::outcome emulator_engine::run_on_later(const program& code, const launch::launch_parameters& grid,
                                                       bool together) {
  emulator::bound_textures textures(code.textures, memory_);
  emulator::fermi::run_options options;
  if (together) options.patience = 1;  // blocks take turns from the beginning
  options.initial_state_seed = config_.simulation.initial_state_seed;
  options.instruction_limit = instruction_limit_;
  if (watch_ != nullptr) options.stop = watch_->stop();
  options.textures = &textures;
  const auto run_by = [&](const auto& generation, auto emulate) {
    const emulator::fermi::run_result done =
        emulate(code.module, grid, code.relocations, generation, memory_, options, nullptr);
    return outcome{done.fault, done.warp_instructions, done.thread_instructions};
  };
  const arch_state::machine_size machine = model::machine_size_of(config_);
  if (config_.chip.is_volta()) return run_by(arch_state::volta::generation(machine), emulator::volta::run);
  return run_by(arch_state::fermi::generation({}, machine), emulator::fermi::run);
}

grid_result emulator_engine::run(const program& code, const launch::launch_parameters& grid,
                                 const launch_circumstances& around) {
  const outcome run =
      config_.chip.is_tesla() ? run_on_tesla(code, grid) : run_on_later(code, grid, around.is_cooperative);
  grid_result result;
  result.reason = end_of(run.fault.kind);
  if (result.reason != grid_result::end::done) result.report = arch_state::describe(run.fault);
  if (watch_ != nullptr) end_by_seconds(result, *watch_);
  result.warp_instructions = run.warp_instructions;
  result.thread_instructions = run.thread_instructions;
  const std::uint64_t blocks = grid.grid.blocks();
  const std::uint64_t busy_sms = std::min<std::uint64_t>(config_.chip.sms(), blocks);
  result.cycles = run.warp_instructions * cycles_per_instruction / busy_sms + 1;
  result.femtoseconds = result.cycles * config_.clocks.core_period();
  result.is_estimated = true;
  return result;
}

}  // namespace gt200::cudart
