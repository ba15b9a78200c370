// Functions as they were before CUDA 3.2 and 4.0, with addresses and sizes of 32 bits, for executables of that
// time. Every one calls its successor.
#include "cuda.h"

// The successors are named as they are exported; these functions have the plain names.
#undef cuDeviceTotalMem
#undef cuCtxCreate
#undef cuCtxDestroy
#undef cuCtxPopCurrent
#undef cuCtxPushCurrent
#undef cuModuleGetGlobal
#undef cuMemGetInfo
#undef cuMemAlloc
#undef cuMemAllocPitch
#undef cuMemFree
#undef cuMemGetAddressRange
#undef cuMemAllocHost
#undef cuMemHostGetDevicePointer
#undef cuMemcpyHtoD
#undef cuMemcpyDtoH
#undef cuMemcpyDtoD
#undef cuMemcpyDtoA
#undef cuMemcpyAtoD
#undef cuMemcpyHtoA
#undef cuMemcpyAtoH
#undef cuMemcpyAtoA
#undef cuMemcpyHtoAAsync
#undef cuMemcpyAtoHAsync
#undef cuMemcpy2D
#undef cuMemcpy2DUnaligned
#undef cuMemcpy2DAsync
#undef cuMemcpyHtoDAsync
#undef cuMemcpyDtoHAsync
#undef cuMemcpyDtoDAsync
#undef cuMemsetD8
#undef cuMemsetD16
#undef cuMemsetD32
#undef cuMemsetD2D8
#undef cuMemsetD2D16
#undef cuMemsetD2D32
#undef cuArrayCreate
#undef cuArrayGetDescriptor
#undef cuTexRefSetAddress
#undef cuTexRefGetAddress
#undef cuTexRefSetAddress2D
#undef cuStreamDestroy
#undef cuEventDestroy

using address_32 = unsigned;

struct array_description_32 {
  unsigned width;
  unsigned height;
  CUarray_format format;
  unsigned components;
};
struct side_32 {
  unsigned x;
  unsigned y;
  CUmemorytype type;
  void* host;
  address_32 device;
  CUarray array;
  unsigned pitch;
};
struct copy_32 {
  side_32 from;
  side_32 to;
  unsigned width;
  unsigned height;
};

namespace {

CUDA_MEMCPY2D widened(const copy_32& c) {
  CUDA_MEMCPY2D d = {};
  d.srcXInBytes = c.from.x;
  d.srcY = c.from.y;
  d.srcMemoryType = c.from.type;
  d.srcHost = c.from.host;
  d.srcDevice = c.from.device;
  d.srcArray = c.from.array;
  d.srcPitch = c.from.pitch;
  d.dstXInBytes = c.to.x;
  d.dstY = c.to.y;
  d.dstMemoryType = c.to.type;
  d.dstHost = c.to.host;
  d.dstDevice = c.to.device;
  d.dstArray = c.to.array;
  d.dstPitch = c.to.pitch;
  d.WidthInBytes = c.width;
  d.Height = c.height;
  return d;
}

// Calls `call` with a wide result in place of each narrow one that is asked for.
template <class wide, class body>
CUresult narrowed(unsigned* result, body call) {
  wide value = 0;
  const CUresult error = call(result == nullptr ? nullptr : &value);
  if (error == CUDA_SUCCESS && result != nullptr) *result = static_cast<unsigned>(value);
  return error;
}
template <class body>
CUresult narrowed_pair(address_32* address, unsigned* bytes, body call) {
  CUdeviceptr wide_address = 0;
  size_t wide_bytes = 0;
  const CUresult error =
      call(address == nullptr ? nullptr : &wide_address, bytes == nullptr ? nullptr : &wide_bytes);
  if (error != CUDA_SUCCESS) return error;
  if (address != nullptr) *address = static_cast<address_32>(wide_address);
  if (bytes != nullptr) *bytes = static_cast<unsigned>(wide_bytes);
  return error;
}

}  // namespace

extern "C" {

CUresult cuDeviceTotalMem(unsigned* bytes, CUdevice device) {
  return narrowed<size_t>(bytes, [&](size_t* wide) { return cuDeviceTotalMem_v2(wide, device); });
}
CUresult cuCtxCreate(CUcontext* context, unsigned flags, CUdevice device) {
  return cuCtxCreate_v2(context, flags, device);
}
CUresult cuCtxDestroy(CUcontext context) { return cuCtxDestroy_v2(context); }
CUresult cuCtxPopCurrent(CUcontext* context) { return cuCtxPopCurrent_v2(context); }
CUresult cuCtxPushCurrent(CUcontext context) { return cuCtxPushCurrent_v2(context); }
CUresult cuStreamDestroy(CUstream stream) { return cuStreamDestroy_v2(stream); }
CUresult cuEventDestroy(CUevent event) { return cuEventDestroy_v2(event); }
CUresult cuModuleGetGlobal(address_32* address, unsigned* bytes, CUmodule module, const char* name) {
  return narrowed_pair(address, bytes,
                       [&](CUdeviceptr* a, size_t* b) { return cuModuleGetGlobal_v2(a, b, module, name); });
}
CUresult cuMemGetInfo(unsigned* free_bytes, unsigned* bytes) {
  size_t wide_free = 0;
  return narrowed<size_t>(bytes, [&](size_t* wide) {
    const CUresult error = cuMemGetInfo_v2(free_bytes == nullptr ? nullptr : &wide_free, wide);
    if (error == CUDA_SUCCESS) *free_bytes = static_cast<unsigned>(wide_free);
    return error;
  });
}
CUresult cuMemAlloc(address_32* address, unsigned bytes) {
  return narrowed<CUdeviceptr>(address, [&](CUdeviceptr* wide) { return cuMemAlloc_v2(wide, bytes); });
}
CUresult cuMemAllocPitch(address_32* address, unsigned* pitch, unsigned width, unsigned height, unsigned element) {
  return narrowed_pair(address, pitch,
                       [&](CUdeviceptr* a, size_t* p) { return cuMemAllocPitch_v2(a, p, width, height, element); });
}
CUresult cuMemFree(address_32 address) { return cuMemFree_v2(address); }
CUresult cuMemGetAddressRange(address_32* base, unsigned* bytes, address_32 address) {
  return narrowed_pair(base, bytes,
                       [&](CUdeviceptr* a, size_t* b) { return cuMemGetAddressRange_v2(a, b, address); });
}
CUresult cuMemAllocHost(void** pointer, unsigned bytes) { return cuMemAllocHost_v2(pointer, bytes); }
CUresult cuMemHostGetDevicePointer(address_32* address, void* pointer, unsigned flags) {
  return narrowed<CUdeviceptr>(
      address, [&](CUdeviceptr* wide) { return cuMemHostGetDevicePointer_v2(wide, pointer, flags); });
}
CUresult cuMemcpyHtoD(address_32 to, const void* from, unsigned bytes) { return cuMemcpyHtoD_v2(to, from, bytes); }
CUresult cuMemcpyDtoH(void* to, address_32 from, unsigned bytes) { return cuMemcpyDtoH_v2(to, from, bytes); }
CUresult cuMemcpyDtoD(address_32 to, address_32 from, unsigned bytes) { return cuMemcpyDtoD_v2(to, from, bytes); }
CUresult cuMemcpyHtoA(CUarray to, unsigned offset, const void* from, unsigned bytes) {
  return cuMemcpyHtoA_v2(to, offset, from, bytes);
}
CUresult cuMemcpyAtoH(void* to, CUarray from, unsigned offset, unsigned bytes) {
  return cuMemcpyAtoH_v2(to, from, offset, bytes);
}
CUresult cuMemcpyHtoDAsync(address_32 to, const void* from, unsigned bytes, CUstream stream) {
  return cuMemcpyHtoDAsync_v2(to, from, bytes, stream);
}
CUresult cuMemcpyDtoHAsync(void* to, address_32 from, unsigned bytes, CUstream stream) {
  return cuMemcpyDtoHAsync_v2(to, from, bytes, stream);
}
CUresult cuMemcpyDtoDAsync(address_32 to, address_32 from, unsigned bytes, CUstream stream) {
  return cuMemcpyDtoDAsync_v2(to, from, bytes, stream);
}
CUresult cuMemcpyHtoAAsync(CUarray to, unsigned offset, const void* from, unsigned bytes, CUstream stream) {
  return cuMemcpyHtoAAsync_v2(to, offset, from, bytes, stream);
}
CUresult cuMemcpyAtoHAsync(void* to, CUarray from, unsigned offset, unsigned bytes, CUstream stream) {
  return cuMemcpyAtoHAsync_v2(to, from, offset, bytes, stream);
}
CUresult cuMemcpyDtoA(CUarray to, unsigned offset, address_32 from, unsigned bytes) {
  return cuMemcpyDtoA_v2(to, offset, from, bytes);
}
CUresult cuMemcpyAtoD(address_32 to, CUarray from, unsigned offset, unsigned bytes) {
  return cuMemcpyAtoD_v2(to, from, offset, bytes);
}
CUresult cuMemcpyAtoA(CUarray to, unsigned to_offset, CUarray from, unsigned from_offset, unsigned bytes) {
  return cuMemcpyAtoA_v2(to, to_offset, from, from_offset, bytes);
}
CUresult cuMemsetD8(address_32 address, unsigned char value, unsigned count) {
  return cuMemsetD8_v2(address, value, count);
}
CUresult cuMemsetD2D8(address_32 address, unsigned pitch, unsigned char value, unsigned width, unsigned height) {
  return cuMemsetD2D8_v2(address, pitch, value, width, height);
}
CUresult cuMemsetD16(address_32 address, unsigned short value, unsigned count) {
  return cuMemsetD16_v2(address, value, count);
}
CUresult cuMemsetD2D16(address_32 address, unsigned pitch, unsigned short value, unsigned width, unsigned height) {
  return cuMemsetD2D16_v2(address, pitch, value, width, height);
}
CUresult cuMemsetD32(address_32 address, unsigned value, unsigned count) {
  return cuMemsetD32_v2(address, value, count);
}
CUresult cuMemsetD2D32(address_32 address, unsigned pitch, unsigned value, unsigned width, unsigned height) {
  return cuMemsetD2D32_v2(address, pitch, value, width, height);
}
CUresult cuMemcpy2D(const copy_32* copy) {
  if (copy == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const CUDA_MEMCPY2D wide = widened(*copy);
  return cuMemcpy2D_v2(&wide);
}
CUresult cuMemcpy2DUnaligned(const copy_32* copy) { return cuMemcpy2D(copy); }
CUresult cuMemcpy2DAsync(const copy_32* copy, CUstream stream) {
  if (copy == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const CUDA_MEMCPY2D wide = widened(*copy);
  return cuMemcpy2DAsync_v2(&wide, stream);
}
CUresult cuArrayCreate(CUarray* array, const array_description_32* d) {
  if (d == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const CUDA_ARRAY_DESCRIPTOR wide = {d->width, d->height, d->format, d->components};
  return cuArrayCreate_v2(array, &wide);
}
CUresult cuArrayGetDescriptor(array_description_32* d, CUarray array) {
  CUDA_ARRAY_DESCRIPTOR wide;
  const CUresult error = cuArrayGetDescriptor_v2(d == nullptr ? nullptr : &wide, array);
  if (error == CUDA_SUCCESS)
    *d = {static_cast<unsigned>(wide.Width), static_cast<unsigned>(wide.Height), wide.Format, wide.NumChannels};
  return error;
}
CUresult cuTexRefSetAddress(unsigned* offset, CUtexref texture, address_32 address, unsigned bytes) {
  return narrowed<size_t>(offset,
                          [&](size_t* wide) { return cuTexRefSetAddress_v2(wide, texture, address, bytes); });
}
CUresult cuTexRefGetAddress(address_32* address, CUtexref texture) {
  return narrowed<CUdeviceptr>(address, [&](CUdeviceptr* wide) { return cuTexRefGetAddress_v2(wide, texture); });
}
CUresult cuTexRefSetAddress2D(CUtexref texture, const array_description_32* d, address_32 address, unsigned pitch) {
  if (d == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const CUDA_ARRAY_DESCRIPTOR wide = {d->width, d->height, d->format, d->components};
  return cuTexRefSetAddress2D_v3(texture, &wide, address, pitch);
}
// Of CUDA 3.2 and 4.0: without the rules on alignment of its successor.
CUresult cuTexRefSetAddress2D_v2(CUtexref texture, const CUDA_ARRAY_DESCRIPTOR* d, CUdeviceptr address,
                                 size_t pitch) {
  return cuTexRefSetAddress2D_v3(texture, d, address, pitch);
}

}  // extern "C"
