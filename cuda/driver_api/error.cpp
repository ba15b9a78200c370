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
    case cudaErrorNoKernelImageForDevice: return CUDA_ERROR_NO_BINARY_FOR_GPU;
    case cudaErrorInvalidPtx: return CUDA_ERROR_INVALID_PTX;
    case cudaErrorAssert: return CUDA_ERROR_ASSERT;
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

namespace {

struct error_text {
  CUresult error;
  const char* name;
  const char* meaning;
};
#define GT200_ERROR(NAME, TEXT) {CUDA_##NAME, "CUDA_" #NAME, TEXT},
const error_text texts[] =
    {GT200_ERROR(SUCCESS, "no error") GT200_ERROR(ERROR_INVALID_VALUE, "invalid argument") GT200_ERROR(
        ERROR_OUT_OF_MEMORY,
        "out of memory") GT200_ERROR(ERROR_NOT_INITIALIZED,
                                     "initialization error") GT200_ERROR(ERROR_DEINITIALIZED,
                                                                         "driver shutting down")
         GT200_ERROR(ERROR_PROFILER_DISABLED, "profiler disabled while using external profiling tool") GT200_ERROR(
             ERROR_PROFILER_NOT_INITIALIZED,
             "profiler not initialized: call cudaProfilerInitialize()") GT200_ERROR(ERROR_PROFILER_ALREADY_STARTED,
                                                                                    "profiler already started")
             GT200_ERROR(ERROR_PROFILER_ALREADY_STOPPED, "profiler already stopped") GT200_ERROR(
                 ERROR_NO_DEVICE, "no CUDA-capable device is detected") GT200_ERROR(ERROR_INVALID_DEVICE,
                                                                                    "invalid device ordinal")
                 GT200_ERROR(ERROR_INVALID_IMAGE, "device kernel image is invalid") GT200_ERROR(
                     ERROR_INVALID_CONTEXT, "invalid device context") GT200_ERROR(ERROR_CONTEXT_ALREADY_CURRENT,
                                                                                  "context already current")
                     GT200_ERROR(ERROR_MAP_FAILED, "mapping of buffer object failed") GT200_ERROR(
                         ERROR_UNMAP_FAILED, "unmapping of buffer object failed") GT200_ERROR(ERROR_ARRAY_IS_MAPPED,
                                                                                              "array is mapped")
                         GT200_ERROR(ERROR_ALREADY_MAPPED, "resource already mapped") GT200_ERROR(
                             ERROR_NO_BINARY_FOR_GPU, "no kernel image is available for execution on the device")
                             GT200_ERROR(ERROR_ALREADY_ACQUIRED, "resource already acquired") GT200_ERROR(
                                 ERROR_NOT_MAPPED, "resource not mapped")
                                 GT200_ERROR(ERROR_NOT_MAPPED_AS_ARRAY, "resource not mapped as array") GT200_ERROR(
                                     ERROR_NOT_MAPPED_AS_POINTER, "resource not mapped as pointer")
                                     GT200_ERROR(ERROR_ECC_UNCORRECTABLE, "uncorrectable ECC error encountered")
                                         GT200_ERROR(
                                             ERROR_UNSUPPORTED_LIMIT,
                                             "limit is not supported on this architecture") GT200_ERROR(ERROR_CONTEXT_ALREADY_IN_USE,
                                                                                                        "exclusive-"
                                                                                                        "thread "
                                                                                                        "device "
                                                                                                        "already "
                                                                                                        "in use by "
                                                                                                        "a "
                                                                                                        "different "
                                                                                                        "thread")
                                             GT200_ERROR(ERROR_INVALID_PTX, "a PTX JIT compilation failed") GT200_ERROR(
                                                 ERROR_INVALID_SOURCE, "device kernel image is invalid")
                                                 GT200_ERROR(ERROR_FILE_NOT_FOUND, "file not found") GT200_ERROR(
                                                     ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND,
                                                     "shared object symbol not found")
                                                     GT200_ERROR(
                                                         ERROR_SHARED_OBJECT_INIT_FAILED,
                                                         "shared object "
                                                         "initialization "
                                                         "failed") GT200_ERROR(ERROR_OPERATING_SYSTEM,
                                                                               "OS call failed or operation not "
                                                                               "supported "
                                                                               "on this OS") GT200_ERROR(ERROR_INVALID_HANDLE,
                                                                                                         "invalid "
                                                                                                         "resource "
                                                                                                         "handle")
                                                         GT200_ERROR(
                                                             ERROR_ILLEGAL_STATE,
                                                             "the "
                                                             "operati"
                                                             "on "
                                                             "cannot "
                                                             "be "
                                                             "perform"
                                                             "ed in "
                                                             "the "
                                                             "present"
                                                             " state") GT200_ERROR(ERROR_NOT_FOUND,
                                                                                   "named symbol not found")
                                                             GT200_ERROR(ERROR_NOT_READY, "device not ready") GT200_ERROR(
                                                                 ERROR_LAUNCH_FAILED,
                                                                 "unspecifi"
                                                                 "ed "
                                                                 "launch "
                                                                 "failure")
                                                                 GT200_ERROR(
                                                                     ERROR_LAUNCH_OUT_OF_RESOURCES,
                                                                     "too many resources requested for "
                                                                     "launch") GT200_ERROR(ERROR_LAUNCH_TIMEOUT,
                                                                                           "the launch "
                                                                                           "timed out and "
                                                                                           "was "
                                                                                           "terminated")
                                                                     GT200_ERROR(
                                                                         ERROR_LAUNCH_INCOMPATIBLE_TEXTURING,
                                                                         "launch uses incompatible "
                                                                         "texturing mode") GT200_ERROR(ERROR_PEER_ACCESS_ALREADY_ENABLED,
                                                                                                       "peer"
                                                                                                       " acc"
                                                                                                       "ess "
                                                                                                       "is "
                                                                                                       "alre"
                                                                                                       "ady "
                                                                                                       "enab"
                                                                                                       "led")
                                                                         GT200_ERROR(
                                                                             ERROR_PEER_ACCESS_NOT_ENABLED,
                                                                             "peer "
                                                                             "access "
                                                                             "has not "
                                                                             "been "
                                                                             "enabled")
                                                                             GT200_ERROR(
                                                                                 ERROR_PRIMARY_CONTEXT_ACTIVE,
                                                                                 "cannot "
                                                                                 "set "
                                                                                 "while "
                                                                                 "device "
                                                                                 "is "
                                                                                 "active "
                                                                                 "in "
                                                                                 "this "
                                                                                 "proces"
                                                                                 "s") GT200_ERROR(ERROR_CONTEXT_IS_DESTROYED,
                                                                                                  "context "
                                                                                                  "is "
                                                                                                  "destroye"
                                                                                                  "d") GT200_ERROR(ERROR_ASSERT,
                                                                                                                   "device-side assert "
                                                                                                                   "triggered")
                                                                                 GT200_ERROR(
                                                                                     ERROR_TOO_MANY_PEERS,
                                                                                     "peer mapping "
                                                                                     "resources "
                                                                                     "exhausted") GT200_ERROR(ERROR_HOST_MEMORY_ALREADY_REGISTERED,
                                                                                                              "part"
                                                                                                              " or "
                                                                                                              "all "
                                                                                                              "of "
                                                                                                              "the "
                                                                                                              "requ"
                                                                                                              "este"
                                                                                                              "d "
                                                                                                              "memo"
                                                                                                              "ry "
                                                                                                              "rang"
                                                                                                              "e "
                                                                                                              "is "
                                                                                                              "alre"
                                                                                                              "ady "
                                                                                                              "mapp"
                                                                                                              "ed")
                                                                                     GT200_ERROR(
                                                                                         ERROR_HOST_MEMORY_NOT_REGISTERED,
                                                                                         "pointer "
                                                                                         "does not "
                                                                                         "correspond"
                                                                                         " to a "
                                                                                         "registered"
                                                                                         " memory "
                                                                                         "region")
                                                                                         GT200_ERROR(
                                                                                             ERROR_ILLEGAL_ADDRESS,
                                                                                             "an "
                                                                                             "illega"
                                                                                             "l "
                                                                                             "memory"
                                                                                             " acces"
                                                                                             "s was "
                                                                                             "encoun"
                                                                                             "tered")
                                                                                             GT200_ERROR(
                                                                                                 ERROR_MISALIGNED_ADDRESS,
                                                                                                 "misaligned "
                                                                                                 "address")
                                                                                                 GT200_ERROR(
                                                                                                     ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
                                                                                                     "to"
                                                                                                     "o "
                                                                                                     "ma"
                                                                                                     "ny"
                                                                                                     " b"
                                                                                                     "lo"
                                                                                                     "ck"
                                                                                                     "s "
                                                                                                     "in"
                                                                                                     " c"
                                                                                                     "oo"
                                                                                                     "pe"
                                                                                                     "ra"
                                                                                                     "ti"
                                                                                                     "ve"
                                                                                                     " l"
                                                                                                     "au"
                                                                                                     "nc"
                                                                                                     "h")
                                                                                                     GT200_ERROR(
                                                                                                         ERROR_NOT_PERMITTED,
                                                                                                         "opera"
                                                                                                         "tion "
                                                                                                         "not "
                                                                                                         "permi"
                                                                                                         "tted")
                                                                                                         GT200_ERROR(
                                                                                                             ERROR_NOT_SUPPORTED,
                                                                                                             "o"
                                                                                                             "p"
                                                                                                             "e"
                                                                                                             "r"
                                                                                                             "a"
                                                                                                             "t"
                                                                                                             "i"
                                                                                                             "o"
                                                                                                             "n"
                                                                                                             " "
                                                                                                             "n"
                                                                                                             "o"
                                                                                                             "t"
                                                                                                             " "
                                                                                                             "s"
                                                                                                             "u"
                                                                                                             "p"
                                                                                                             "p"
                                                                                                             "o"
                                                                                                             "r"
                                                                                                             "t"
                                                                                                             "e"
                                                                                                             "d")
                                                                                                             GT200_ERROR(
                                                                                                                 ERROR_UNKNOWN,
                                                                                                                 "u"
                                                                                                                 "n"
                                                                                                                 "k"
                                                                                                                 "n"
                                                                                                                 "o"
                                                                                                                 "w"
                                                                                                                 "n"
                                                                                                                 " "
                                                                                                                 "e"
                                                                                                                 "r"
                                                                                                                 "r"
                                                                                                                 "o"
                                                                                                                 "r")};
#undef GT200_ERROR

CUresult text_of(CUresult error, const char** text, const char* error_text::*part) {
  if (text == nullptr) return CUDA_ERROR_INVALID_VALUE;
  for (const error_text& t : texts)
    if (t.error == error) {
      *text = t.*part;
      return CUDA_SUCCESS;
    }
  *text = nullptr;
  return CUDA_ERROR_INVALID_VALUE;
}

}  // namespace

extern "C" {

CUresult cuGetErrorName(CUresult error, const char** name) { return text_of(error, name, &error_text::name); }
CUresult cuGetErrorString(CUresult error, const char** text) { return text_of(error, text, &error_text::meaning); }

}  // extern "C"
