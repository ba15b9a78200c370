// A plan: the launches of a transform, the tables they read, and the arrays between them.
#pragma once

#include <cstdint>
#include <vector>

#include "cuda/libraries/fft/step.h"
#include "cuda/libraries/fft/tables.h"
#include "cufft.h"

namespace gt200_fft {

// Layout of the program's array on one side. `is_own`: as cufftPlanMany() was told; else it is packed.
struct side {
  bool is_own = false;
  layout own = {};
};

struct plan {
  cufftType type = CUFFT_C2C;
  int n[3] = {1, 1, 1};  // the last dimension is the contiguous one
  int batch = 1;
  side in, out;
  cufftCompatibility compatibility = CUFFT_COMPATIBILITY_FFTW_PADDING;
  cudaStream_t stream = nullptr;

  bool is_made = false;  // cufftCreate() alone leaves it false: such a plan cannot be executed
  std::vector<step> steps;
  uint64_t context = 0;  // of the device memory
  // Device memory: complex numbers of the plan's precision, and places.
  void* tables = nullptr;
  void* order = nullptr;
  void* memory[arrays] = {};  // `packed` to `other_work`
  size_t bytes = 0;           // of this memory

  int elements() const { return n[0] * n[1] * n[2] * batch; }
  bool is_wide() const { return type == CUFFT_Z2Z || type == CUFFT_D2Z || type == CUFFT_Z2D; }
  bool is_of_complex() const { return type == CUFFT_C2C || type == CUFFT_Z2Z; }
  // Through a packed array of complex numbers; also if there is nothing to transform.
  bool moves() const { return !is_of_complex() || in.is_own || out.is_own || elements() == batch; }
  bool is_to_real() const { return type == CUFFT_C2R || type == CUFFT_Z2D; }
};

// Fills in the steps and allocates what they need; `n`, `batch`, `type` and the sides are set.
cufftResult build(plan& p);
void release(plan& p);
// The directions of real transforms are those of their types.
cufftResult execute(const plan& p, const void* in, void* out, bool inverse);

}  // namespace gt200_fft
