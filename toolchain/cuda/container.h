// The device code of one .cu file, as `gt200 nvcc` embeds it in the host's object file: PTX, and how to compile it.
// The machine code is made when a device loads it, for the compute capability of that device.
//
// The PTX may be there for several compute capabilities, because the source may depend on __CUDA_ARCH__.
//
// Layout: container_head, then the source file (for messages), a u32 number of variants, and each variant: u32
// compute capability, PTX, the shared object of the same code for the host's processor, and why there is no PTX, if
// there is none. A text is a u32 number of bytes and the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "toolchain/cuda/container_head.h"
#include "toolchain/error.h"

namespace gt200::cuda {

struct variant {
  std::uint32_t capability = 13;  // x 10
  std::string ptx;
  std::string cpu_image;  // the same for the host's processor, a shared object (cuda/worker/cpu); usually empty
  std::string refusal;    // why the source does not compile for this capability; empty: it does
};

struct container {
  std::string source_file;
  std::vector<variant> variants;  // at least one, ascending
  std::uint32_t max_registers = 255;
  bool contract = true;      // products and sums may become multiply-adds
  bool relocatable = false;  // may use functions and variables of other containers that are relocatable
};

// There is no code for a device.
class no_variant : public input_error {
 public:
  using input_error::input_error;
};

std::string pack(const container& content);
// Throws input_error if this is no whole container.
container unpack(std::string_view bytes);
// The variant that a device of this compute capability takes: the highest that it has, and a Tesla one of Tesla.
// Throws no_variant if there is none for it, with what says why.
const variant& variant_for(const container& content, unsigned capability);

}  // namespace gt200::cuda
