// The emulator as an engine. Its grids take a nominal time: every SM issues one warp instruction in two core cycles
// (assumption; it is marked as estimated wherever it is shown).
#pragma once

#include <map>
#include <memory>

#include "cuda/worker/engine.h"
#include "cuda/worker/launch_watch.h"
#include "sc_models/config/chip_config.h"
#include "toolchain/arch_state/fault.h"
#include "toolchain/arch_state/memory.h"
#include "toolchain/emulator/code_image.h"
#include "toolchain/emulator/constant_memory.h"

namespace gt200::cudart {

class emulator_engine : public engine {
 public:
  // `instructions`: warp instructions that a launch may take; 0: as many as it needs. `watch` ends launches; not
  // owned, may be null.
  emulator_engine(const config::gpu_config& config, std::uint64_t instructions, const launch_watch* watch);

  void take_over(const inventory& all) override;
  void write(std::uint32_t address, const std::uint8_t* from, std::size_t bytes) override;
  void read(std::uint32_t address, std::uint8_t* to, std::size_t bytes) override;
  grid_result run(const program& code, const launch::launch_parameters& grid,
                  const launch_circumstances& around) override;

 private:
  struct loaded_kernel {
    std::unique_ptr<emulator::code_image> code;
    emulator::constant_memory constants;
    unsigned constants_version = 0;
  };
  loaded_kernel& loaded(const program& code, const cubin::kernel& kernel);
  // What the emulator of a generation counts, and how the grid ended.
  struct outcome {
    arch_state::fault fault;
    std::uint64_t warp_instructions = 0;
    std::uint64_t thread_instructions = 0;
  };
  outcome run_on_tesla(const program& code, const launch::launch_parameters& grid);
  outcome run_on_later(const program& code, const launch::launch_parameters& grid, bool together);

  const config::gpu_config& config_;
  std::uint64_t instruction_limit_;
  const launch_watch* watch_;
  arch_state::memory memory_;
  std::size_t extents_ = 0;
  std::map<const cubin::kernel*, loaded_kernel> kernels_;
};

}  // namespace gt200::cudart
