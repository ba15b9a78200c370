// The device code of one .cu file, as `gt200 nvcc` embeds it in the host's object file: PTX, and how to compile it.
// The machine code is made when a device loads it, for the compute capability of that device.
//
// Layout: container_head, then texts, each a u32 number of bytes and the bytes: the source file (for messages), and
// the PTX.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "toolchain/cuda/container_head.h"

namespace gt200::cuda {

struct container {
  std::string source_file;
  std::string ptx;
  std::uint32_t max_registers = 124;
  bool contract = true;  // products and sums may become multiply-adds
};

std::string pack(const container& content);
// Throws input_error if this is no whole container.
container unpack(std::string_view bytes);

}  // namespace gt200::cuda
