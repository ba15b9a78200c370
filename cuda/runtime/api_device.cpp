// Devices and errors.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include "cuda/client/attributes.h"
#include "cuda/client/state.h"

using namespace gt200::cudart;

namespace {

// Name and meaning.
std::pair<const char*, const char*> text_of(cudaError_t error) {
#define GT200_ERROR(NAME, TEXT) \
  case NAME: return {#NAME, TEXT};
  switch (static_cast<int>(error)) {
    GT200_ERROR(cudaSuccess, "no error")
    GT200_ERROR(cudaErrorMissingConfiguration, "a launch without a configuration")
    GT200_ERROR(cudaErrorMemoryAllocation, "out of memory")
    GT200_ERROR(cudaErrorInitializationError, "the device cannot be initialised")
    GT200_ERROR(cudaErrorLaunchFailure, "unspecified launch failure")
    GT200_ERROR(cudaErrorPriorLaunchFailure, "an earlier launch has failed")
    GT200_ERROR(cudaErrorLaunchTimeout, "the launch does not end")
    GT200_ERROR(cudaErrorLaunchOutOfResources, "too many resources requested for launch")
    GT200_ERROR(cudaErrorInvalidDeviceFunction, "invalid device function")
    GT200_ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument")
    GT200_ERROR(cudaErrorInvalidDevice, "invalid device ordinal")
    GT200_ERROR(cudaErrorInvalidValue, "invalid argument")
    GT200_ERROR(cudaErrorInvalidPitchValue, "invalid pitch argument")
    GT200_ERROR(cudaErrorInvalidSymbol, "invalid device symbol")
    GT200_ERROR(cudaErrorMapBufferObjectFailed, "mapping of buffer object failed")
    GT200_ERROR(cudaErrorUnmapBufferObjectFailed, "unmapping of buffer object failed")
    GT200_ERROR(cudaErrorInvalidHostPointer, "invalid host pointer")
    GT200_ERROR(cudaErrorInvalidDevicePointer, "invalid device pointer")
    GT200_ERROR(cudaErrorInvalidTexture, "invalid texture reference")
    GT200_ERROR(cudaErrorInvalidTextureBinding, "texture is not bound to a pointer")
    GT200_ERROR(cudaErrorInvalidChannelDescriptor, "invalid channel descriptor")
    GT200_ERROR(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy")
    GT200_ERROR(cudaErrorAddressOfConstant, "invalid address of constant")
    GT200_ERROR(cudaErrorTextureFetchFailed, "fetch from texture failed")
    GT200_ERROR(cudaErrorTextureNotBound, "cannot fetch from a texture that is not bound")
    GT200_ERROR(cudaErrorSynchronizationError, "incorrect use of __syncthreads()")
    GT200_ERROR(cudaErrorInvalidFilterSetting, "linear filtering not supported for non-float type")
    GT200_ERROR(cudaErrorInvalidNormSetting, "read as normalized float not supported for 32-bit non float type")
    GT200_ERROR(cudaErrorMixedDeviceExecution, "device code and its emulation cannot be mixed")
    GT200_ERROR(cudaErrorCudartUnloading, "driver shutting down")
    GT200_ERROR(cudaErrorUnknown, "unknown error")
    GT200_ERROR(cudaErrorNotYetImplemented, "feature not yet implemented")
    GT200_ERROR(cudaErrorMemoryValueTooLarge, "memory size or pointer value too large to fit in 32 bit")
    GT200_ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle")
    GT200_ERROR(cudaErrorNotReady, "device not ready")
    GT200_ERROR(cudaErrorInsufficientDriver, "CUDA driver version is insufficient for CUDA runtime version")
    GT200_ERROR(cudaErrorSetOnActiveProcess, "cannot set while device is active in this process")
    GT200_ERROR(cudaErrorInvalidSurface, "invalid surface reference")
    GT200_ERROR(cudaErrorNoDevice, "no CUDA-capable device is detected")
    GT200_ERROR(cudaErrorECCUncorrectable, "uncorrectable ECC error encountered")
    GT200_ERROR(cudaErrorSharedObjectSymbolNotFound, "shared object symbol not found")
    GT200_ERROR(cudaErrorSharedObjectInitFailed, "shared object initialization failed")
    GT200_ERROR(cudaErrorUnsupportedLimit, "limit is not supported on this architecture")
    GT200_ERROR(cudaErrorDuplicateVariableName, "duplicate global variable looked up by string name")
    GT200_ERROR(cudaErrorDuplicateTextureName, "duplicate texture looked up by string name")
    GT200_ERROR(cudaErrorDuplicateSurfaceName, "duplicate surface looked up by string name")
    GT200_ERROR(cudaErrorDevicesUnavailable, "all CUDA-capable devices are busy or unavailable")
    GT200_ERROR(cudaErrorInvalidKernelImage, "device kernel image is invalid")
    GT200_ERROR(cudaErrorNoKernelImageForDevice, "no kernel image is available for execution on the device")
    GT200_ERROR(cudaErrorIncompatibleDriverContext, "incompatible driver context")
    GT200_ERROR(cudaErrorPeerAccessAlreadyEnabled, "peer access is already enabled")
    GT200_ERROR(cudaErrorPeerAccessNotEnabled, "peer access has not been enabled")
    GT200_ERROR(cudaErrorDeviceAlreadyInUse, "exclusive-thread device already in use by a different thread")
    GT200_ERROR(cudaErrorProfilerDisabled, "profiler disabled while using external profiling tool")
    GT200_ERROR(cudaErrorProfilerNotInitialized, "profiler not initialized")
    GT200_ERROR(cudaErrorProfilerAlreadyStarted, "profiler already started")
    GT200_ERROR(cudaErrorProfilerAlreadyStopped, "profiler already stopped")
    GT200_ERROR(cudaErrorAssert, "device-side assert triggered")
    GT200_ERROR(cudaErrorTooManyPeers, "peer mapping resources exhausted")
    GT200_ERROR(cudaErrorHostMemoryAlreadyRegistered, "part or all of the requested memory range is already mapped")
    GT200_ERROR(cudaErrorHostMemoryNotRegistered, "pointer does not correspond to a registered memory region")
    GT200_ERROR(cudaErrorOperatingSystem, "OS call failed or operation not supported on this OS")
    GT200_ERROR(cudaErrorPeerAccessUnsupported, "peer access is not supported between these two devices")
    GT200_ERROR(cudaErrorLaunchMaxDepthExceeded, "launch would exceed maximum depth of nested launches")
    GT200_ERROR(cudaErrorLaunchFileScopedTex, "launch failed because of texture references of file scope")
    GT200_ERROR(cudaErrorLaunchFileScopedSurf, "launch failed because of surface references of file scope")
    GT200_ERROR(cudaErrorSyncDepthExceeded, "nested synchronization is too deep")
    GT200_ERROR(cudaErrorLaunchPendingCountExceeded, "too many pending nested launches")
    GT200_ERROR(cudaErrorNotPermitted, "operation not permitted")
    GT200_ERROR(cudaErrorNotSupported, "operation not supported")
    GT200_ERROR(cudaErrorHardwareStackError, "hardware stack error")
    GT200_ERROR(cudaErrorIllegalInstruction, "an illegal instruction was encountered")
    GT200_ERROR(cudaErrorMisalignedAddress, "misaligned address")
    GT200_ERROR(cudaErrorInvalidAddressSpace, "operation not supported on global/shared address space")
    GT200_ERROR(cudaErrorInvalidPc, "invalid program counter")
    GT200_ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered")
    GT200_ERROR(cudaErrorInvalidPtx, "a PTX JIT compilation failed")
    GT200_ERROR(cudaErrorInvalidGraphicsContext, "invalid OpenGL or DirectX context")
    GT200_ERROR(cudaErrorNvlinkUncorrectable, "uncorrectable NVLink error detected during the execution")
    GT200_ERROR(cudaErrorJitCompilerNotFound, "PTX JIT compiler library not found")
    GT200_ERROR(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch")
    GT200_ERROR(cudaErrorDeviceNotLicensed, "device is not licensed")
    GT200_ERROR(cudaErrorStartupFailure, "startup failure")
    GT200_ERROR(cudaErrorDeviceUninitialized, "the device has no context")
    GT200_ERROR(cudaErrorArrayIsMapped, "array is mapped")
    GT200_ERROR(cudaErrorAlreadyMapped, "resource already mapped")
    GT200_ERROR(cudaErrorAlreadyAcquired, "resource already acquired")
    GT200_ERROR(cudaErrorNotMapped, "resource not mapped")
    GT200_ERROR(cudaErrorNotMappedAsArray, "resource not mapped as array")
    GT200_ERROR(cudaErrorNotMappedAsPointer, "resource not mapped as pointer")
    GT200_ERROR(cudaErrorUnsupportedPtxVersion, "the PTX is of an unsupported version")
    GT200_ERROR(cudaErrorJitCompilationDisabled, "compilation of PTX is disabled")
    GT200_ERROR(cudaErrorUnsupportedExecAffinity, "affinity of execution is not supported")
    GT200_ERROR(cudaErrorUnsupportedDevSideSync, "kernels that wait for kernels are not supported")
    GT200_ERROR(cudaErrorInvalidSource, "device kernel source is invalid")
    GT200_ERROR(cudaErrorFileNotFound, "file not found")
    GT200_ERROR(cudaErrorIllegalState, "the operation cannot be performed in the present state")
    GT200_ERROR(cudaErrorLossyQuery, "the answer would leave out information")
    GT200_ERROR(cudaErrorSymbolNotFound, "named symbol not found")
    GT200_ERROR(cudaErrorLaunchIncompatibleTexturing, "launch uses incompatible texturing mode")
    GT200_ERROR(cudaErrorContextIsDestroyed, "context is destroyed")
    GT200_ERROR(cudaErrorSystemNotReady, "system not yet initialized")
    GT200_ERROR(cudaErrorSystemDriverMismatch, "the versions of driver and runtime do not fit")
    GT200_ERROR(cudaErrorCompatNotSupportedOnDevice, "the device does not support forward compatibility")
    GT200_ERROR(cudaErrorMpsConnectionFailed, "MPS client failed to connect")
    GT200_ERROR(cudaErrorMpsRpcFailure, "MPS server failed to answer")
    GT200_ERROR(cudaErrorMpsServerNotReady, "MPS server is not ready")
    GT200_ERROR(cudaErrorMpsMaxClientsReached, "MPS has its most clients")
    GT200_ERROR(cudaErrorMpsMaxConnectionsReached, "MPS has its most connections")
    GT200_ERROR(cudaErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing")
    GT200_ERROR(cudaErrorStreamCaptureInvalidated, "operation failed due to a previous error during capture")
    GT200_ERROR(cudaErrorStreamCaptureMerge, "operation would result in a merge of separate capture sequences")
    GT200_ERROR(cudaErrorStreamCaptureUnmatched, "capture was not ended in the same stream as it began")
    GT200_ERROR(cudaErrorStreamCaptureUnjoined, "capturing stream has unjoined work")
    GT200_ERROR(cudaErrorStreamCaptureIsolation, "dependency created on uncaptured work in another stream")
    GT200_ERROR(cudaErrorStreamCaptureImplicit,
                "operation would make the legacy stream depend on a capturing blocking stream")
    GT200_ERROR(cudaErrorCapturedEvent, "operation not permitted on an event last recorded in a capturing stream")
    GT200_ERROR(cudaErrorStreamCaptureWrongThread,
                "attempt to terminate a thread-local capture sequence from another thread")
    GT200_ERROR(cudaErrorTimeout, "the wait operation has timed out")
    GT200_ERROR(cudaErrorGraphExecUpdateFailure,
                "the graph update was not performed because it included changes which violated constraints "
                "specific to instantiated graph update")
    GT200_ERROR(cudaErrorExternalDevice, "an error of a device outside CUDA")
    GT200_ERROR(cudaErrorInvalidClusterSize, "the size of the cluster is invalid")
    default: return {"unrecognized error code", "unknown error"};
  }
#undef GT200_ERROR
}

cudaError_t describe(process_state& all, int device, device_description& d) {
  if (device < 0 || static_cast<size_t>(device) >= all.boards.size()) return cudaErrorInvalidDevice;
  return error_of(all.boards[static_cast<size_t>(device)]->describe(d));
}

}  // namespace

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
    this_thread().has_chosen_device = true;
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
    device_description d;
    if (const cudaError_t error = describe(all, device, d); error != cudaSuccess) return error;
    const auto attribute = [&](cudaDeviceAttr which) {
      int value = 0;
      attribute_of(d, static_cast<unsigned>(device), which, value);
      return value;
    };
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
    if (p.major >= 2) {
      p.maxSurface1D = p.maxTexture1D;
      std::copy(std::begin(p.maxTexture2D), std::end(p.maxTexture2D), std::begin(p.maxSurface2D));
      std::copy(std::begin(p.maxTexture3D), std::end(p.maxTexture3D), std::begin(p.maxSurface3D));
    }
    p.surfaceAlignment = 256;
    p.pciBusID = device + 1;
    p.memoryClockRate = static_cast<int>(d.memory_clock_khz);
    p.memoryBusWidth = static_cast<int>(d.memory_bus_bits);
    p.l2CacheSize = static_cast<int>(d.l2_bytes);
    p.maxThreadsPerMultiProcessor = static_cast<int>(d.threads_per_multiprocessor);
    p.unifiedAddressing = attribute(cudaDevAttrUnifiedAddressing);
    p.managedMemory = attribute(cudaDevAttrManagedMemory);
    p.canUseHostPointerForRegisteredMem = attribute(cudaDevAttrCanUseHostPointerForRegisteredMem);
    p.memoryPoolsSupported = attribute(cudaDevAttrMemoryPoolsSupported);
    p.hostRegisterSupported = attribute(cudaDevAttrHostRegisterSupported);
    p.streamPrioritiesSupported = attribute(cudaDevAttrStreamPrioritiesSupported);
    p.cooperativeLaunch = attribute(cudaDevAttrCooperativeLaunch);
    p.globalL1CacheSupported = attribute(cudaDevAttrGlobalL1CacheSupported);
    p.localL1CacheSupported = attribute(cudaDevAttrLocalL1CacheSupported);
    p.sharedMemPerMultiprocessor = d.shared_bytes_per_multiprocessor;
    p.sharedMemPerBlockOptin = d.shared_bytes;
    p.regsPerMultiprocessor = static_cast<int>(d.registers_per_multiprocessor);
    p.maxBlocksPerMultiProcessor = static_cast<int>(d.blocks_per_multiprocessor);
    p.singleToDoublePrecisionPerfRatio = static_cast<int>(d.float_to_double_ratio);
    p.multiGpuBoardGroupID = device;
    p.uuid.bytes[15] = static_cast<char>(device + 1);
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
    this_thread().has_chosen_device = false;
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

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return guarded([&](process_state& all) {
    if (value == nullptr) return cudaErrorInvalidValue;
    device_description d;
    if (const cudaError_t error = describe(all, device, d); error != cudaSuccess) return error;
    return attribute_of(d, static_cast<unsigned>(device), attribute, *value) ? cudaSuccess : cudaErrorInvalidValue;
  });
}
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int device, int peer) {
  return guarded([&](process_state& all) {
    if (value == nullptr || attribute < cudaDevP2PAttrPerformanceRank ||
        attribute > cudaDevP2PAttrCudaArrayAccessSupported || device == peer)
      return cudaErrorInvalidValue;
    for (const int d : {device, peer})
      if (d < 0 || static_cast<size_t>(d) >= all.boards.size()) return cudaErrorInvalidDevice;
    *value = 0;
    return cudaSuccess;
  });
}
cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  return guarded([&](process_state&) {
    if (flags == nullptr) return cudaErrorInvalidValue;
    *flags = cudaDeviceMapHost;
    return cudaSuccess;
  });
}
cudaError_t cudaInitDevice(int device, unsigned, unsigned) { return cudaSetDevice(device); }
// Banks have four bytes.
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  return guarded([&](process_state&) {
    return config > cudaSharedMemBankSizeEightByte ? cudaErrorInvalidValue : cudaSuccess;
  });
}
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return guarded([&](process_state&) {
    if (config == nullptr) return cudaErrorInvalidValue;
    *config = cudaSharedMemBankSizeFourByte;
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

const char* cudaGetErrorString(cudaError_t error) { return text_of(error).second; }
const char* cudaGetErrorName(cudaError_t error) { return text_of(error).first; }

cudaError_t cudaSetDoubleForDevice(double* value) {
  return guarded([&](process_state&) { return value == nullptr ? cudaErrorInvalidValue : cudaSuccess; });
}
cudaError_t cudaSetDoubleForHost(double* value) { return cudaSetDoubleForDevice(value); }

}  // extern "C"
