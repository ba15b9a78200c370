// What the libraries ask the current device.
#pragma once

#include "cuda_runtime_api.h"

namespace gt200_libraries {

// Compute capability 1.3 has double precision. False if there is no device.
inline bool device_has_double() {
  int device = 0;
  struct cudaDeviceProp properties;
  if (cudaGetDevice(&device) != cudaSuccess || cudaGetDeviceProperties(&properties, device) != cudaSuccess)
    return false;
  return properties.major * 10 + properties.minor >= 13;
}

}  // namespace gt200_libraries
