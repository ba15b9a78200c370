#include "cuda/client/attributes.h"

#include <map>

#include "driver_types.h"

namespace gt200::cudart {
namespace {

// The same for every chip.
const std::map<int, int>& constants() {
  static const std::map<int, int> all = {{cudaDevAttrMaxPitch, 0x7fffffff},
                                         {cudaDevAttrTextureAlignment, 256},
                                         {cudaDevAttrKernelExecTimeout, 0},
                                         {cudaDevAttrIntegrated, 0},
                                         {cudaDevAttrCanMapHostMemory, 1},
                                         {cudaDevAttrComputeMode, 0},
                                         {cudaDevAttrMaxTexture1DWidth, 8192},
                                         {cudaDevAttrMaxTexture2DWidth, 65536},
                                         {cudaDevAttrMaxTexture2DHeight, 32768},
                                         {cudaDevAttrMaxTexture3DWidth, 2048},
                                         {cudaDevAttrMaxTexture3DHeight, 2048},
                                         {cudaDevAttrMaxTexture3DDepth, 2048},
                                         {cudaDevAttrMaxTexture1DLayeredWidth, 2048},
                                         {cudaDevAttrMaxTexture1DLayeredLayers, 2048},
                                         {cudaDevAttrMaxTexture2DLayeredWidth, 2048},
                                         {cudaDevAttrMaxTexture2DLayeredHeight, 2048},
                                         {cudaDevAttrMaxTexture2DLayeredLayers, 2048},
                                         {cudaDevAttrMaxTextureCubemapWidth, 2048},
                                         {cudaDevAttrSurfaceAlignment, 256},
                                         {cudaDevAttrTexturePitchAlignment, 32},
                                         {cudaDevAttrMaxTexture1DLinearWidth, 1 << 27},
                                         {cudaDevAttrHostRegisterSupported, 1}};
  return all;
}

// Features that no chip here has.
bool is_absent(int attribute) {
  switch (attribute) {
    case cudaDevAttrConcurrentKernels:
    case cudaDevAttrEccEnabled:
    case cudaDevAttrPciDeviceId:
    case cudaDevAttrTccDriver:
    case cudaDevAttrMaxTexture2DGatherWidth:
    case cudaDevAttrMaxTexture2DGatherHeight:
    case cudaDevAttrPciDomainId:
    case cudaDevAttrMaxTexture2DLinearWidth:
    case cudaDevAttrMaxTexture2DLinearHeight:
    case cudaDevAttrMaxTexture2DLinearPitch:
    case cudaDevAttrIsMultiGpuBoard:
    case cudaDevAttrHostNativeAtomicSupported:
    case cudaDevAttrPageableMemoryAccess:
    case cudaDevAttrConcurrentManagedAccess:
    case cudaDevAttrComputePreemptionSupported:
    case cudaDevAttrCooperativeMultiDeviceLaunch:
    case cudaDevAttrCanFlushRemoteWrites:
    case cudaDevAttrPageableMemoryAccessUsesHostPageTables:
    case cudaDevAttrDirectManagedMemAccessFromHost:
    case cudaDevAttrMaxPersistingL2CacheSize:
    case cudaDevAttrMaxAccessPolicyWindowSize:
    case cudaDevAttrReservedSharedMemoryPerBlock:
    case cudaDevAttrSparseCudaArraySupported:
    case cudaDevAttrHostRegisterReadOnlySupported:
    case cudaDevAttrTimelineSemaphoreInteropSupported:
    case cudaDevAttrGPUDirectRDMASupported:
    case cudaDevAttrGPUDirectRDMAFlushWritesOptions:
    case cudaDevAttrGPUDirectRDMAWritesOrdering:
    case cudaDevAttrMemoryPoolSupportedHandleTypes:
    case cudaDevAttrClusterLaunch:
    case cudaDevAttrDeferredMappingCudaArraySupported:
    case cudaDevAttrIpcEventSupport:
    // Memory that programs map page by page, its handles, and compression: CUdevice_attribute alone names them.
    case 102:
    case 103:
    case 104:
    case 105:
    case 107: return true;
    default: return false;
  }
}

constexpr unsigned fermi = 20;
constexpr unsigned volta = 70;

}  // namespace

bool attribute_of(const device_description& d, unsigned device, int attribute, int& value) {
  const auto set = [&](std::uint64_t number) {
    value = static_cast<int>(number);
    return true;
  };
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: return set(d.threads_per_block);
    case cudaDevAttrMaxBlockDimX: return set(d.block[0]);
    case cudaDevAttrMaxBlockDimY: return set(d.block[1]);
    case cudaDevAttrMaxBlockDimZ: return set(d.block[2]);
    case cudaDevAttrMaxGridDimX: return set(d.grid[0]);
    case cudaDevAttrMaxGridDimY: return set(d.grid[1]);
    case cudaDevAttrMaxGridDimZ: return set(d.grid[2]);
    case cudaDevAttrMaxSharedMemoryPerBlock:
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: return set(d.shared_bytes);
    case cudaDevAttrTotalConstantMemory: return set(d.constant_bytes);
    case cudaDevAttrWarpSize: return set(d.warp_size);
    case cudaDevAttrMaxRegistersPerBlock: return set(d.registers);
    case cudaDevAttrClockRate: return set(d.clock_khz);
    case cudaDevAttrMultiProcessorCount: return set(d.multiprocessors);
    case cudaDevAttrPciBusId: return set(std::uint64_t{device} + 1);
    case cudaDevAttrMemoryClockRate: return set(d.memory_clock_khz);
    case cudaDevAttrGlobalMemoryBusWidth: return set(d.memory_bus_bits);
    case cudaDevAttrL2CacheSize: return set(d.l2_bytes);
    case cudaDevAttrGpuOverlap: return set(d.copy_engines != 0);
    case cudaDevAttrAsyncEngineCount: return set(d.copy_engines);
    case cudaDevAttrMaxThreadsPerMultiProcessor: return set(d.threads_per_multiprocessor);
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrCanUseHostPointerForRegisteredMem:
    case cudaDevAttrMemoryPoolsSupported: return set(d.capability >= fermi);
    case cudaDevAttrComputeCapabilityMajor: return set(d.capability / 10);
    case cudaDevAttrComputeCapabilityMinor: return set(d.capability % 10);
    case cudaDevAttrStreamPrioritiesSupported:
    case cudaDevAttrCooperativeLaunch: return set(d.capability >= volta);
    case cudaDevAttrGlobalL1CacheSupported:
    case cudaDevAttrLocalL1CacheSupported: return set(d.l1_bytes != 0);
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: return set(d.shared_bytes_per_multiprocessor);
    case cudaDevAttrMaxRegistersPerMultiprocessor: return set(d.registers_per_multiprocessor);
    // As large as arrays are.
    case cudaDevAttrMaxSurface1DWidth:
      return set(d.capability >= fermi ? constants().at(cudaDevAttrMaxTexture1DWidth) : 0);
    case cudaDevAttrMaxSurface2DWidth:
      return set(d.capability >= fermi ? constants().at(cudaDevAttrMaxTexture2DWidth) : 0);
    case cudaDevAttrMaxSurface2DHeight:
      return set(d.capability >= fermi ? constants().at(cudaDevAttrMaxTexture2DHeight) : 0);
    case cudaDevAttrMaxSurface3DWidth:
    case cudaDevAttrMaxSurface3DHeight:
    case cudaDevAttrMaxSurface3DDepth:
      return set(d.capability >= fermi ? constants().at(cudaDevAttrMaxTexture3DWidth) : 0);
    case cudaDevAttrMultiGpuBoardGroupID: return set(device);
    case cudaDevAttrSingleToDoublePrecisionPerfRatio: return set(d.float_to_double_ratio);
    case cudaDevAttrMaxBlocksPerMultiprocessor: return set(d.blocks_per_multiprocessor);
    default: break;
  }
  if (const auto found = constants().find(attribute); found != constants().end())
    return set(static_cast<std::uint64_t>(found->second));
  return is_absent(attribute) && set(0);
}

}  // namespace gt200::cudart
