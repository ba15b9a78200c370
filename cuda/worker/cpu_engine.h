// The host's processor as an engine, for code of `gt200 nvcc -cpu`: blocks run on threads of the host, at the
// addresses that device memory has on the chip. A grid takes a nominal time, one core cycle.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "cuda/worker/cpu/address_space.h"
#include "cuda/worker/cpu/block_runner.h"
#include "cuda/worker/cpu/device_functions.h"
#include "cuda/worker/cpu/image.h"
#include "cuda/worker/engine.h"
#include "cuda/worker/launch_watch.h"
#include "sc_models/config/chip_config.h"

namespace gt200::cudart {

class cpu_engine : public engine {
 public:
  // `end`: the first address behind device memory. `threads`: of the host; 0: as many as processors. `watch` ends
  // launches; not owned, may be null. Throws input_error if device memory cannot be at its addresses.
  cpu_engine(const config::gpu_config& config, std::uint64_t end, unsigned threads, const launch_watch* watch);

  void take_over(const inventory& all) override;
  void write(std::uint32_t address, const std::uint8_t* from, std::size_t bytes) override;
  void read(std::uint32_t address, std::uint8_t* to, std::size_t bytes) override;
  // The program has an image. Throws input_error if it cannot be loaded.
  grid_result run(const program& code, const launch::launch_parameters& grid,
                  const launch_circumstances& around) override;

 private:
  struct loaded_program {
    std::unique_ptr<cpu_image> image;
    unsigned constants_version = 0;
  };
  const cpu_image& loaded(const program& code);

  const config::gpu_config& config_;
  unsigned threads_;
  const launch_watch* watch_;
  address_space memory_;
  std::size_t extents_ = 0;
  std::map<const program*, loaded_program> programs_;
  std::vector<std::unique_ptr<block_runner>> runners_;  // one for each thread of the host
};

}  // namespace gt200::cudart
