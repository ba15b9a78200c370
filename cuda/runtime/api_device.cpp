// Devices and errors.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "cuda/client/state.h"

using namespace gt200::cudart;

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  return guarded([&](process_state& all) {
    if (count == nullptr) return cudaErrorInvalidValue;
    *count = static_cast<int>(all.boards.size());
    return cudaSuccess;
  });
}

cudaError_t cudaGetDevice(int* device) {
  return guarded([&](process_state&) {
    if (device == nullptr) return cudaErrorInvalidValue;
    *device = static_cast<int>(this_thread().device);
    return cudaSuccess;
  });
}

cudaError_t cudaSetDevice(int device) {
  return guarded([&](process_state& all) {
    if (device < 0 || static_cast<size_t>(device) >= all.boards.size()) return cudaErrorInvalidDevice;
    this_thread().device = static_cast<unsigned>(device);
    return cudaSuccess;
  });
}

cudaError_t cudaSetValidDevices(int* devices, int count) {
  return guarded([&](process_state& all) {
    if (devices == nullptr || count < 1) return cudaErrorInvalidValue;
    for (int k = 0; k < count; ++k)
      if (devices[k] < 0 || static_cast<size_t>(devices[k]) >= all.boards.size()) return cudaErrorInvalidDevice;
    this_thread().device = static_cast<unsigned>(devices[0]);
    return cudaSuccess;
  });
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  return guarded([&](process_state& all) {
    constexpr unsigned known = cudaDeviceScheduleSpin | cudaDeviceScheduleYield | cudaDeviceBlockingSync |
                               cudaDeviceMapHost | cudaDeviceLmemResizeToMax;
    if ((flags & ~known) != 0) return cudaErrorInvalidValue;
    return all.current().is_in_use() ? cudaErrorSetOnActiveProcess : cudaSuccess;
  });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return guarded([&](process_state& all) {
    if (properties == nullptr) return cudaErrorInvalidValue;
    if (device < 0 || static_cast<size_t>(device) >= all.boards.size()) return cudaErrorInvalidDevice;
    device_description d;
    const status result = all.boards[static_cast<size_t>(device)]->describe(d);
    if (result != status::success) return error_of(result);
    cudaDeviceProp& p = *properties;
    p = {};
    std::memcpy(p.name, d.name, sizeof p.name);
    p.totalGlobalMem = d.memory_bytes;
    p.sharedMemPerBlock = d.shared_bytes;
    p.regsPerBlock = static_cast<int>(d.registers);
    p.warpSize = static_cast<int>(d.warp_size);
    p.memPitch = 0x7fffffff;
    p.maxThreadsPerBlock = static_cast<int>(d.threads_per_block);
    for (size_t k = 0; k < 3; ++k) {
      p.maxThreadsDim[k] = static_cast<int>(d.block[k]);
      p.maxGridSize[k] = static_cast<int>(d.grid[k]);
    }
    p.clockRate = static_cast<int>(d.clock_khz);
    p.totalConstMem = d.constant_bytes;
    p.major = static_cast<int>(d.capability / 10);
    p.minor = static_cast<int>(d.capability % 10);
    p.textureAlignment = 256;
    p.texturePitchAlignment = 32;
    p.deviceOverlap = d.copy_engines != 0;
    p.canMapHostMemory = 1;
    p.asyncEngineCount = static_cast<int>(d.copy_engines);
    p.multiProcessorCount = static_cast<int>(d.multiprocessors);
    p.maxTexture1D = 8192;
    p.maxTexture1DLinear = 1 << 27;
    p.maxTexture2D[0] = 65536;
    p.maxTexture2D[1] = 32768;
    for (int& extent : p.maxTexture3D) extent = 2048;
    p.surfaceAlignment = 256;
    p.pciBusID = device + 1;
    p.memoryClockRate = static_cast<int>(d.memory_clock_khz);
    p.memoryBusWidth = static_cast<int>(d.memory_bus_bits);
    p.l2CacheSize = static_cast<int>(d.l2_bytes);
    p.maxThreadsPerMultiProcessor = static_cast<int>(d.threads_per_multiprocessor);
    return cudaSuccess;
  });
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wanted) {
  return guarded([&](process_state&) {
    if (device == nullptr || wanted == nullptr) return cudaErrorInvalidValue;
    *device = 0;  // they are all alike
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSynchronize(void) {
  return guarded([](process_state& all) { return all.wait(); });
}
cudaError_t cudaThreadSynchronize(void) { return cudaDeviceSynchronize(); }

cudaError_t cudaDeviceReset(void) {
  return guarded([](process_state& all) {
    if (context_is_destroyed()) return cudaErrorIncompatibleDriverContext;
    all.forget(all.current());
    all.current().reset();
    return cudaSuccess;
  });
}
cudaError_t cudaThreadExit(void) { return cudaDeviceReset(); }

// Shared memory and L1 are separate on this hardware: there is nothing to prefer.
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache cache) {
  return guarded(
      [&](process_state&) { return cache > cudaFuncCachePreferEqual ? cudaErrorInvalidValue : cudaSuccess; });
}
cudaError_t cudaThreadSetCacheConfig(cudaFuncCache cache) { return cudaDeviceSetCacheConfig(cache); }

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* cache) {
  return guarded([&](process_state&) {
    if (cache == nullptr) return cudaErrorInvalidValue;
    *cache = cudaFuncCachePreferNone;
    return cudaSuccess;
  });
}
cudaError_t cudaThreadGetCacheConfig(cudaFuncCache* cache) { return cudaDeviceGetCacheConfig(cache); }

// The device says which limits it has.
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return guarded([&](process_state& all) {
    board* device = nullptr;
    if (const cudaError_t error = all.ready(device); error != cudaSuccess) return error;
    return error_of(device->ask(command::set_limit,
                                message_writer().put(static_cast<limit_kind>(limit)).put<std::uint64_t>(value)));
  });
}
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return guarded([&](process_state& all) {
    if (value == nullptr) return cudaErrorInvalidValue;
    board* device = nullptr;
    if (const cudaError_t error = all.ready(device); error != cudaSuccess) return error;
    message_reader reply;
    const status result = device->ask(command::limit, message_writer().put(static_cast<limit_kind>(limit)), reply);
    if (result == status::success) *value = reply.get<std::uint64_t>();
    return error_of(result);
  });
}
cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value) { return cudaDeviceSetLimit(limit, value); }
cudaError_t cudaThreadGetLimit(size_t* value, cudaLimit limit) { return cudaDeviceGetLimit(value, limit); }

// Direct access to the memory of another device needs compute capability 2.0.
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return guarded([&](process_state& all) {
    for (const int d : {device, peer})
      if (d < 0 || static_cast<size_t>(d) >= all.boards.size()) return cudaErrorInvalidDevice;
    if (can == nullptr) return cudaErrorInvalidValue;
    *can = 0;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
  return guarded([](process_state&) { return cudaErrorInvalidDevice; });
}
cudaError_t cudaDeviceDisablePeerAccess(int) {
  return guarded([](process_state&) { return cudaErrorPeerAccessNotEnabled; });
}

cudaError_t cudaDeviceGetPCIBusId(char* name, int bytes, int device) {
  return guarded([&](process_state& all) {
    if (device < 0 || static_cast<size_t>(device) >= all.boards.size()) return cudaErrorInvalidDevice;
    if (name == nullptr || bytes < 1) return cudaErrorInvalidValue;
    std::snprintf(name, static_cast<size_t>(bytes), "0000:%02x:00.0", static_cast<unsigned>(device + 1));
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetByPCIBusId(int* device, char* name) {
  return guarded([&](process_state& all) {
    unsigned domain = 0;
    unsigned bus = 0;
    if (device == nullptr || name == nullptr) return cudaErrorInvalidValue;
    if (std::sscanf(name, "%x:%x", &domain, &bus) != 2 || domain != 0 || bus == 0 || bus > all.boards.size())
      return cudaErrorInvalidDevice;
    *device = static_cast<int>(bus) - 1;
    return cudaSuccess;
  });
}

// There is no profiler to switch.
cudaError_t cudaProfilerInitialize(const char*, const char*, cudaOutputMode) { return cudaSuccess; }
cudaError_t cudaProfilerStart(void) { return cudaSuccess; }
cudaError_t cudaProfilerStop(void) { return cudaSuccess; }

cudaError_t cudaDriverGetVersion(int* version) {
  return guarded([&](process_state&) {
    if (version == nullptr) return cudaErrorInvalidValue;
    *version = CUDART_VERSION;
    return cudaSuccess;
  });
}
cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }

cudaError_t cudaGetLastError(void) {
  const cudaError_t error = this_thread().last_error;
  this_thread().last_error = cudaSuccess;
  return error;
}
cudaError_t cudaPeekAtLastError(void) { return this_thread().last_error; }

const char* cudaGetErrorString(cudaError_t error) {
  switch (static_cast<int>(error)) {
    case cudaSuccess: return "no error";
    case cudaErrorMissingConfiguration: return "a launch without a configuration";
    case cudaErrorMemoryAllocation: return "out of memory";
    case cudaErrorInitializationError: return "the device cannot be initialised";
    case cudaErrorLaunchFailure: return "unspecified launch failure";
    case cudaErrorPriorLaunchFailure: return "an earlier launch has failed";
    case cudaErrorLaunchTimeout: return "the launch does not end";
    case cudaErrorLaunchOutOfResources: return "too many resources requested for launch";
    case cudaErrorInvalidDeviceFunction: return "invalid device function";
    case cudaErrorInvalidConfiguration: return "invalid configuration argument";
    case cudaErrorInvalidDevice: return "invalid device ordinal";
    case cudaErrorInvalidValue: return "invalid argument";
    case cudaErrorInvalidPitchValue: return "invalid pitch argument";
    case cudaErrorInvalidSymbol: return "invalid device symbol";
    case cudaErrorInvalidHostPointer: return "invalid host pointer";
    case cudaErrorInvalidDevicePointer: return "invalid device pointer";
    case cudaErrorInvalidTexture: return "invalid texture reference";
    case cudaErrorInvalidTextureBinding: return "texture is not bound to a pointer";
    case cudaErrorInvalidChannelDescriptor: return "invalid channel descriptor";
    case cudaErrorInvalidMemcpyDirection: return "invalid copy direction for memcpy";
    case cudaErrorNotYetImplemented: return "feature not yet implemented";
    case cudaErrorInvalidResourceHandle: return "invalid resource handle";
    case cudaErrorNotReady: return "device not ready";
    case cudaErrorSetOnActiveProcess: return "cannot set while device is active in this process";
    case cudaErrorNoDevice: return "no CUDA-capable device is detected";
    case cudaErrorUnsupportedLimit: return "limit is not supported on this architecture";
    case cudaErrorInvalidKernelImage: return "device kernel image is invalid";
    case cudaErrorPeerAccessNotEnabled: return "peer access has not been enabled";
    case cudaErrorHostMemoryAlreadyRegistered: return "part or all of the requested memory range is already mapped";
    case cudaErrorHostMemoryNotRegistered: return "pointer does not correspond to a registered memory region";
    default: return "unknown error";
  }
}

cudaError_t cudaSetDoubleForDevice(double* value) {
  return guarded([&](process_state&) { return value == nullptr ? cudaErrorInvalidValue : cudaSuccess; });
}
cudaError_t cudaSetDoubleForHost(double* value) { return cudaSetDoubleForDevice(value); }

}  // extern "C"
