// Runs small programs of sm_70 on a Volta chip, for measurements; unchecked.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "driver/device.h"
#include "sc_models/config/chip_config.h"

namespace gt200::timing {

// A Volta board with the first kernel of one program. One per process.
class volta_bench {
 public:
  // `source`: PTX, or assembly if it begins with ".target". Throws input_error.
  volta_bench(const config::gpu_config& config, const std::string& source);

  std::uint32_t allocate(std::uint64_t bytes) { return board_.allocate(bytes); }
  std::uint32_t word_at(std::uint32_t address);
  // Words of memory as the first texture.
  void bind_texture(std::uint32_t address, std::uint32_t words);

  // Core cycles of a launch. The parameters are words of 64 bits. Throws std::runtime_error if it does not end
  // well.
  std::uint64_t run(std::uint32_t blocks, std::uint32_t threads, const std::vector<std::uint64_t>& parameters,
                    std::uint32_t dynamic_shared = 0);

 private:
  cubin::module module_;
  device board_;
};

// What `simulate` returns, in a process of its own. Throws std::runtime_error with the text of an error.
double apart(const std::function<double()>& simulate);

}  // namespace gt200::timing
