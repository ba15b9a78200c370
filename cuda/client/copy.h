// Copies between places: memory of the host, memory of the device, arrays. A box has rows of bytes, and slices of
// rows.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cuda/client/state.h"

namespace gt200::cudart {

struct box {
  size_t width = 0;  // bytes
  size_t rows = 1;
  size_t slices = 1;
  // The greatest number if there are more.
  size_t bytes() const {
    size_t product = 0;
    return __builtin_mul_overflow(width, rows, &product) || __builtin_mul_overflow(product, slices, &product)
               ? SIZE_MAX
               : product;
  }
};

struct place {
  enum class kind { host, device, array } where = kind::host;
  std::uintptr_t address = 0;
  size_t pitch = 0;        // from row to row; of memory
  size_t slice_pitch = 0;  // from slice to slice; of memory
  const cudaArray* array = nullptr;
  std::array<size_t, 3> first = {};  // in an array: bytes, row, slice

  static place in_memory(kind where, const void* pointer, size_t pitch, size_t slice_pitch) {
    place p;
    p.where = where;
    p.address = reinterpret_cast<std::uintptr_t>(pointer);
    p.pitch = pitch;
    p.slice_pitch = slice_pitch;
    return p;
  }
  static place in_array(const cudaArray* array, size_t x, size_t y, size_t z) {
    place p;
    p.where = kind::array;
    p.array = array;
    p.first = {x, y, z};
    return p;
  }
};

// cudaErrorInvalidValue unless the box lies within one allocation of the current device, or, for memory of the host
// below 4 GiB, where addresses of the device are taken for it, within what the process has there.
cudaError_t require(process_state& all, const place& p, const box& size);
// Copies between the two sides of `kind`. cudaMemcpyDefault: addresses below 4 GiB are the device's.
cudaError_t sides_of(cudaMemcpyKind kind, const void* to, const void* from, place::kind& to_side,
                     place::kind& from_side);
// The call of this thread as a copy from or to this memory of the host, which may be page-locked. Null: the copy is
// between two places of the device.
call_context copying(process_state& all, const void* host);
// The call of this thread as a copy between two devices, through page-locked memory of the driver.
call_context by_way_of_host(const CUstream_st* stream);
cudaError_t copy(process_state& all, const place& to, const place& from, const box& size);
// True if the array is one of the current device that has not been freed.
bool is_alive(process_state& all, const cudaArray* array);

}  // namespace gt200::cudart
