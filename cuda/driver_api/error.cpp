#include "cuda/driver_api/driver.h"

namespace gt200::cudart {

driver_state& driver() {
  static driver_state* const state = new driver_state;  // see process()
  return *state;
}

CUresult result_of(cudaError_t error) {
  switch (static_cast<int>(error)) {
    case cudaSuccess: return CUDA_SUCCESS;
    case cudaErrorMemoryAllocation: return CUDA_ERROR_OUT_OF_MEMORY;
    case cudaErrorLaunchFailure: return CUDA_ERROR_LAUNCH_FAILED;
    case cudaErrorLaunchTimeout: return CUDA_ERROR_LAUNCH_TIMEOUT;
    case cudaErrorLaunchOutOfResources: return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    case cudaErrorInvalidDevice: return CUDA_ERROR_INVALID_DEVICE;
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorInvalidSymbol: return CUDA_ERROR_NOT_FOUND;
    case cudaErrorInvalidResourceHandle: return CUDA_ERROR_INVALID_HANDLE;
    case cudaErrorInvalidKernelImage: return CUDA_ERROR_INVALID_IMAGE;
    case cudaErrorNotReady: return CUDA_ERROR_NOT_READY;
    case cudaErrorHostMemoryAlreadyRegistered: return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    case cudaErrorHostMemoryNotRegistered: return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
    case cudaErrorUnsupportedLimit: return CUDA_ERROR_UNSUPPORTED_LIMIT;
    case cudaErrorIncompatibleDriverContext: return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    case cudaErrorUnknown: return CUDA_ERROR_UNKNOWN;
    default: return CUDA_ERROR_INVALID_VALUE;
  }
}

CUmod_st* find_module(process_state& all, CUmodule module) {
  const auto found = driver().modules.find(module);
  return found != driver().modules.end() && module->epoch == all.current().epoch() ? module : nullptr;
}

CUfunc_st* find_function(process_state& all, CUfunction function) {
  if (driver().functions.count(function) == 0) return nullptr;
  return find_module(all, function->module) != nullptr ? function : nullptr;
}

}  // namespace gt200::cudart
