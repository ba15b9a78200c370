// The text that kernels print, and their failed assertions: reads the records of toolchain/cuda/kernel_library.h.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gt200::cudart {

struct kernel_output {
  std::string text;
  std::string assertions;  // of threads that ended by one
};

// `ring`: its content behind a launch, `position`: the bytes written to it. `text_at` reads a text of the device
// that ends with 0. Records that others have overwritten are left out.
kernel_output output_of(const std::vector<std::uint8_t>& ring, std::uint32_t position,
                        const std::function<std::string(std::uint64_t)>& text_at);

}  // namespace gt200::cudart
