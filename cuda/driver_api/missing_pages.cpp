// Memory that programs map page by page: no device here has it, as its attribute says.
#include "cuda.h"

extern "C" {

CUresult cuMemGetAllocationGranularity(size_t*, const CUmemAllocationProp*, CUmemAllocationGranularity_flags) {
  return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult cuMemCreate(CUmemGenericAllocationHandle*, size_t, const CUmemAllocationProp*, unsigned long long) {
  return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult cuMemRelease(CUmemGenericAllocationHandle) { return CUDA_ERROR_NOT_SUPPORTED; }
CUresult cuMemAddressReserve(CUdeviceptr*, size_t, size_t, CUdeviceptr, unsigned long long) {
  return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult cuMemAddressFree(CUdeviceptr, size_t) { return CUDA_ERROR_NOT_SUPPORTED; }
CUresult cuMemMap(CUdeviceptr, size_t, size_t, CUmemGenericAllocationHandle, unsigned long long) {
  return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult cuMemUnmap(CUdeviceptr, size_t) { return CUDA_ERROR_NOT_SUPPORTED; }
CUresult cuMemSetAccess(CUdeviceptr, size_t, const CUmemAccessDesc*, size_t) { return CUDA_ERROR_NOT_SUPPORTED; }
CUresult cuMemExportToShareableHandle(void*, CUmemGenericAllocationHandle, CUmemAllocationHandleType,
                                      unsigned long long) {
  return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle*, void*, CUmemAllocationHandleType) {
  return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp*, CUmemGenericAllocationHandle) {
  return CUDA_ERROR_NOT_SUPPORTED;
}

}  // extern "C"
