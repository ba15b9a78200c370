// Functions and launches.
#include <algorithm>
#include <cstring>

#include "cuda/client/event.h"
#include "cuda/client/launch.h"
#include "cuda/driver_api/driver.h"

using namespace gt200::cudart;

namespace {

template <class body>
CUresult with_function(CUfunction function, body call) {
  return in_context([&](process_state& all, board& device) {
    return find_function(all, function) == nullptr ? CUDA_ERROR_INVALID_HANDLE : call(all, device);
  });
}

CUresult set_parameter(CUfunction function, int offset, const void* value, size_t bytes) {
  return with_function(function, [&](process_state&, board&) {
    constexpr size_t room = 256;
    const auto at = static_cast<size_t>(offset);
    if (value == nullptr || offset < 0 || at > room || bytes > room - at) return CUDA_ERROR_INVALID_VALUE;
    std::vector<std::uint8_t>& to = function->parameters;
    to.resize(std::max(to.size(), at + bytes));
    std::memcpy(to.data() + at, value, bytes);
    return CUDA_SUCCESS;
  });
}

CUresult launch_grid(CUfunction function, int width, int height, CUstream stream) {
  return with_function(function, [&](process_state& all, board& device) {
    if (width < 1 || height < 1) return CUDA_ERROR_INVALID_VALUE;
    if (!takes_work(all, stream)) return CUDA_ERROR_INVALID_HANDLE;
    const dim3 grid(static_cast<unsigned>(width), static_cast<unsigned>(height));
    return result_of(launch(all, device, function->name, *function->kernel,
                            {grid, function->block, function->shared, stream}, function->parameters));
  });
}

// The parameters in one piece.
CUresult buffer_of(void** extra, std::vector<std::uint8_t>& parameters) {
  // CU_LAUNCH_PARAM_BUFFER_POINTER and CU_LAUNCH_PARAM_BUFFER_SIZE; CU_LAUNCH_PARAM_END is null.
  enum : std::uintptr_t { buffer_pointer = 1, buffer_size = 2 };
  const void* buffer = nullptr;
  size_t bytes = 0;
  for (; *extra != nullptr; extra += 2) switch (reinterpret_cast<std::uintptr_t>(*extra)) {
      case buffer_pointer: buffer = extra[1]; break;
      case buffer_size: bytes = *static_cast<const size_t*>(extra[1]); break;
      default: return CUDA_ERROR_INVALID_VALUE;
    }
  constexpr size_t room = 4096;
  if (buffer == nullptr || bytes > room) return CUDA_ERROR_INVALID_VALUE;
  const auto* first = static_cast<const std::uint8_t*>(buffer);
  parameters.assign(first, first + bytes);
  return CUDA_SUCCESS;
}

}  // namespace

extern "C" {

CUresult cuFuncSetBlockShape(CUfunction function, int x, int y, int z) {
  return with_function(function, [&](process_state&, board&) {
    if (x < 1 || y < 1 || z < 1) return CUDA_ERROR_INVALID_VALUE;
    function->block = dim3(static_cast<unsigned>(x), static_cast<unsigned>(y), static_cast<unsigned>(z));
    return CUDA_SUCCESS;
  });
}

CUresult cuFuncSetSharedSize(CUfunction function, unsigned bytes) {
  return with_function(function, [&](process_state&, board&) {
    function->shared = bytes;
    return CUDA_SUCCESS;
  });
}

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  return with_function(function, [&](process_state&, board& device) {
    if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const kernel_needs& needs = function->kernel->needs;
    device_description d;
    if (const status error = device.describe(d); error != status::success) return result_of(error);
    switch (static_cast<int>(attribute)) {
      case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = static_cast<int>(needs.threads_per_block); break;
      case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = static_cast<int>(needs.shared_bytes); break;
      case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *value = 0; break;
      case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = static_cast<int>(needs.local_bytes); break;
      case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = static_cast<int>(needs.registers); break;
      case CU_FUNC_ATTRIBUTE_PTX_VERSION:
      case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = static_cast<int>(d.capability); break;
      case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA: *value = 0; break;
      case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *value = static_cast<int>(d.shared_bytes - std::min(d.shared_bytes, needs.shared_bytes));
        break;
      case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: *value = -1; break;
      default: return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
  });
}

// Shared memory and L1 are separate on this hardware: there is nothing to prefer.
CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config) {
  return with_function(function, [&](process_state&, board&) {
    return config > CU_FUNC_CACHE_PREFER_EQUAL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  });
}
CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config) {
  return with_function(function, [&](process_state&, board&) {
    return config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  });
}

CUresult cuParamSetSize(CUfunction function, unsigned bytes) {
  return with_function(function, [&](process_state&, board&) {
    constexpr unsigned room = 256;
    if (bytes > room) return CUDA_ERROR_INVALID_VALUE;
    function->parameters.resize(bytes);
    return CUDA_SUCCESS;
  });
}
CUresult cuParamSeti(CUfunction function, int offset, unsigned value) {
  return set_parameter(function, offset, &value, sizeof value);
}
CUresult cuParamSetf(CUfunction function, int offset, float value) {
  return set_parameter(function, offset, &value, sizeof value);
}
CUresult cuParamSetv(CUfunction function, int offset, void* value, unsigned bytes) {
  return set_parameter(function, offset, value, bytes);
}

CUresult cuLaunch(CUfunction function) { return launch_grid(function, 1, 1, nullptr); }
CUresult cuLaunchGrid(CUfunction function, int width, int height) {
  return launch_grid(function, width, height, nullptr);
}
CUresult cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream) {
  return launch_grid(function, width, height, stream);
}

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared, CUstream stream, void** arguments,
                        void** extra) {
  return launch_kernel(function, {dim3(grid_x, grid_y, grid_z), dim3(block_x, block_y, block_z), shared, stream},
                       arguments, extra);
}

}  // extern "C"

CUresult gt200::cudart::launch_kernel(CUfunction function, const call_configuration& how, void** arguments,
                                      void** extra) {
  return with_function(function, [&](process_state& all, board& device) {
    if (!takes_work(all, how.stream)) return CUDA_ERROR_INVALID_HANDLE;
    std::vector<std::uint8_t> parameters;
    if (arguments != nullptr && extra != nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (arguments != nullptr) parameters = packed(*function->kernel, arguments);
    if (extra != nullptr)
      if (const CUresult error = buffer_of(extra, parameters); error != CUDA_SUCCESS) return error;
    if (arguments == nullptr && extra == nullptr && !function->kernel->parameters.empty())
      return CUDA_ERROR_INVALID_VALUE;
    return result_of(launch(all, device, function->name, *function->kernel, how, parameters));
  });
}
