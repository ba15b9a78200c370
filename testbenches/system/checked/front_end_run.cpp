#include "testbenches/system/checked/front_end_run.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "observe/lockstep.h"
#include "testbenches/support/assembly_run.h"
#include "testbenches/system/checked/checked_device.h"
#include "testbenches/system/checked/test_textures.h"
#include "toolchain/emulator/bound_textures.h"
#include "toolchain/emulator/constant_memory.h"
#include "toolchain/emulator/grid_run.h"

namespace gt200::support {
namespace {

class front_end_run : checked_device {
 public:
  front_end_run(const checked_program_text& program, const std::vector<std::string>& overrides,
                const tlm_bus::clocking_options& clocking, const std::string& preset)
      : config_(configuration(preset, overrides)), program_(program) {
    device_options options;
    options.clocking = clocking;
    build(program.text, overrides, options, preset);
    rtl_.emplace(*board);
    textures_.emplace(*board, program.race_free ? in : out);
    for (const cubin::source_line& line : module.kernels[0].lines)
      if (line.line <= program.line_depth.size()) {
        if (line.offset / 4 >= depths_.size()) depths_.resize(line.offset / 4 + 1);
        depths_[line.offset / 4] = program.line_depth[line.line - 1];
      }
    for (model::sm_if* sm : board->chip().sms()) record_coverage(tesla(*sm), depths_, outcome_.bins);
  }

  front_end_outcome finish() {
    const launch_result result = run(program_.blocks, program_.threads);
    outcome_.instructions = checker->counts().instructions;
    outcome_.cycles = result.cycles;
    outcome_.answers = rtl_->compared();
    outcome_.rtl_sms = rtl_->sms();
    const end_reason expected = program_.faults ? end_reason::fault : end_reason::done;
    if (const auto of_rtl = rtl_->difference())
      outcome_.error = of_rtl->describe();
    else if (checker->difference())
      outcome_.error = difference();
    else if (result.reason != expected)
      outcome_.error =
          std::string(name_of(result.reason)) + ": " + result.explanation + arch_state::describe(result.fault);
    else if (program_.race_free && !program_.faults)
      compare_with_emulator_alone();
    return std::move(outcome_);
  }

 private:
  std::vector<std::uint8_t> content(std::uint32_t address) {
    std::vector<std::uint8_t> bytes(buffer_words * 4);
    board->peek(address, bytes.data(), bytes.size());
    return bytes;
  }
  // The emulator takes warps in its own order.
  void compare_with_emulator_alone() {
    arch_state::memory global;
    const std::vector<std::uint8_t> input = content(in);
    if (!global.map(out, buffer_words * 4) || !global.map(in, buffer_words * 4) ||
        !global.write(in, input.data(), input.size()))
      throw std::logic_error("the buffers cannot be mapped in the emulator");
    textures_->map_arrays(global);
    emulator::bound_textures textures(textures_->bound(), global);
    const cubin::kernel& kernel_run = module.kernels[0];
    const emulator::code_image code(kernel_run);
    const emulator::constant_memory constants(module, kernel_run, {});
    emulator::run_options options;
    options.divergence = config_.tpc.sm.simt_stack;
    options.initial_state_seed = config_.simulation.initial_state_seed;
    options.textures = &textures;
    const emulator::run_result alone = emulator::run(board->parameters(), code, constants, global, options);
    if (alone.fault) {
      outcome_.error = "the emulator alone: " + arch_state::describe(alone.fault);
      return;
    }
    const std::vector<std::uint8_t> modelled = content(out);
    std::vector<std::uint8_t> emulated(modelled.size());
    global.read(out, emulated.data(), emulated.size());
    const auto first = std::mismatch(modelled.begin(), modelled.end(), emulated.begin()).first;
    if (first != modelled.end())
      outcome_.error =
          "results differ from those of the emulator alone at byte " + std::to_string(first - modelled.begin());
  }

  config::gpu_config config_;
  const checked_program_text& program_;
  std::optional<observe::lockstep> rtl_;
  depth_of_code depths_;
  front_end_outcome outcome_;
  std::optional<test_textures> textures_;
};

}  // namespace

front_end_outcome run_checked(const checked_program_text& program, const front_end_combination& combination) {
  return front_end_run(program, combination.overrides(), combination.clocking(), "gt200_small").finish();
}

front_end_outcome run_checked(const checked_program_text& program, const std::vector<std::string>& overrides,
                              const std::string& preset) {
  return front_end_run(program, overrides, clocking_of(configuration(preset, overrides).simulation), preset)
      .finish();
}

}  // namespace gt200::support
