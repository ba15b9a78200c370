// Linear memory, memory of the host, copies.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "cuda/client/event.h"
#include "cuda/driver_api/driver.h"

using namespace gt200::cudart;

namespace {

constexpr size_t pitch_alignment = 256;

// One side of a copy between two or three dimensions.
struct side {
  CUmemorytype type;
  const void* host;
  CUdeviceptr device;
  CUarray array;
  size_t x, y, z;
  size_t pitch, height;
};

CUresult place_of(const side& s, place& result) {
  switch (static_cast<int>(s.type)) {
    case CU_MEMORYTYPE_ARRAY:
      if (s.array == nullptr) return CUDA_ERROR_INVALID_VALUE;
      result = place::in_array(s.array, s.x, s.y, s.z);
      return CUDA_SUCCESS;
    case CU_MEMORYTYPE_HOST:
    case CU_MEMORYTYPE_DEVICE: {
      const bool is_host = s.type == CU_MEMORYTYPE_HOST;
      if (is_host ? s.host == nullptr : s.device == 0) return CUDA_ERROR_INVALID_VALUE;
      const size_t slice = s.pitch * s.height;
      const auto* first = static_cast<const char*>(is_host ? s.host : pointer_of(s.device));
      result = place::in_memory(is_host ? place::kind::host : place::kind::device,
                                first + s.x + s.y * s.pitch + s.z * slice, s.pitch, slice);
      return CUDA_SUCCESS;
    }
    // CU_MEMORYTYPE_UNIFIED needs compute capability 2.0.
    default: return CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult copy_box(process_state& all, side to, side from, const box& size) {
  for (side* s : {&to, &from})
    if (s->pitch == 0) s->pitch = size.width;
  place to_place;
  place from_place;
  if (const CUresult error = place_of(to, to_place); error != CUDA_SUCCESS) return error;
  if (const CUresult error = place_of(from, from_place); error != CUDA_SUCCESS) return error;
  if (to_place.where == place::kind::host && from_place.where == place::kind::host) {
    if (size.bytes() == 0) return CUDA_SUCCESS;
    for (const place& p : {to_place, from_place})
      if (const cudaError_t error = require(all, p, size); error != cudaSuccess) return result_of(error);
    for (size_t z = 0; z < size.slices; ++z)
      for (size_t y = 0; y < size.rows; ++y)
        std::memmove(
            reinterpret_cast<void*>(to_place.address + z * to_place.slice_pitch + y * to_place.pitch),
            reinterpret_cast<const void*>(from_place.address + z * from_place.slice_pitch + y * from_place.pitch),
            size.width);
    return CUDA_SUCCESS;
  }
  return result_of(copy(all, to_place, from_place, size));
}

// in_context() for a call that gives the stream work.
template <class body>
CUresult in_stream(CUstream stream, body call) {
  return in_context([&](process_state& all, board& device) {
    if (!takes_work(all, stream)) return CUDA_ERROR_INVALID_HANDLE;
    const call_scope scope(gt200::cudart::in_stream(stream));
    return call(all, device);
  });
}

place line(place::kind where, const void* pointer, size_t bytes) {
  return place::in_memory(where, pointer, bytes, bytes);
}

CUresult copy_line(place::kind to_side, const void* to, place::kind from_side, const void* from, size_t bytes,
                   CUstream stream = nullptr) {
  return in_stream(stream, [&](process_state& all, board&) {
    if (bytes != 0 && (to == nullptr || from == nullptr)) return CUDA_ERROR_INVALID_VALUE;
    return result_of(copy(all, line(to_side, to, bytes), line(from_side, from, bytes), {bytes, 1, 1}));
  });
}

CUresult fill(CUdeviceptr address, size_t pitch, unsigned value, unsigned size, size_t width, size_t height,
              CUstream stream = nullptr) {
  return in_stream(stream, [&](process_state&, board& device) {
    constexpr size_t limit = size_t{1} << 32;
    if (width > limit || address % size != 0) return CUDA_ERROR_INVALID_VALUE;
    const memory_rows rows = {address, pitch, width * size, height};
    if (rows.width == 0 || rows.rows == 0) return CUDA_SUCCESS;
    if (rows.rows > 1 && rows.pitch < rows.width) return CUDA_ERROR_INVALID_VALUE;
    return result_of(device.ask(command::fill, message_writer().put(rows).put(value).put(size)));
  });
}

// Addresses below 4 GiB are the device's.
CUresult copy_anywhere(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  place::kind to_side{};
  place::kind from_side{};
  sides_of(cudaMemcpyDefault, pointer_of(to), pointer_of(from), to_side, from_side);
  if (to_side == place::kind::device || from_side == place::kind::device)
    return copy_line(to_side, pointer_of(to), from_side, pointer_of(from), bytes, stream);
  const auto copy_on_host = [&] {
    if (bytes == 0) return CUDA_SUCCESS;
    if (to == 0 || from == 0) return CUDA_ERROR_INVALID_VALUE;
    std::memmove(pointer_of(to), pointer_of(from), bytes);
    return CUDA_SUCCESS;
  };
  // The host's own memory needs no context, but a stream does.
  if (stream == nullptr) return copy_on_host();
  return in_stream(stream, [&](process_state&, board&) { return copy_on_host(); });
}

// The stream may be one of any context.
CUresult copy_between(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, size_t bytes,
                      CUstream stream) {
  return initialised([&](process_state& all) {
    if (!is_stream(all, stream)) return CUDA_ERROR_INVALID_HANDLE;
    for (const CUcontext c : {to_context, from_context})
      if (all.contexts.count(c) == 0) return CUDA_ERROR_INVALID_CONTEXT;
    if (bytes == 0) return CUDA_SUCCESS;
    const call_scope scope(by_way_of_host(stream));
    message_reader reply;
    memory_rows rows = {from, bytes, bytes, 1};
    const status read = from_context->own.ask(command::read, message_writer().put(rows), reply);
    if (read != status::success) return result_of(read);
    size_t count = 0;
    const std::uint8_t* content = reply.bytes(count);
    rows.address = to;
    return result_of(to_context->own.ask(command::write, message_writer().put(rows).bytes(content, count)));
  });
}

CUresult copy_into_array(CUarray to, size_t offset, const void* from, size_t bytes, CUstream stream) {
  return in_stream(stream, [&](process_state& all, board&) {
    return result_of(copy_to_array(all, to, offset, 0, from, bytes, cudaMemcpyHostToDevice));
  });
}
CUresult copy_out_of_array(void* to, CUarray from, size_t offset, size_t bytes, CUstream stream) {
  return in_stream(stream, [&](process_state& all, board&) {
    return result_of(copy_from_array(all, to, from, offset, 0, bytes, cudaMemcpyDeviceToHost));
  });
}

CUresult copy_plane(const CUDA_MEMCPY2D* c, CUstream stream) {
  return in_stream(stream, [&](process_state& all, board&) {
    if (c == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return copy_box(all,
                    {c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray, c->dstXInBytes, c->dstY, 0,
                     c->dstPitch, c->Height},
                    {c->srcMemoryType, c->srcHost, c->srcDevice, c->srcArray, c->srcXInBytes, c->srcY, 0,
                     c->srcPitch, c->Height},
                    {c->WidthInBytes, c->Height, 1});
  });
}
CUresult copy_volume(const CUDA_MEMCPY3D* c, CUstream stream) {
  return in_stream(stream, [&](process_state& all, board&) {
    if (c == nullptr || c->srcLOD != 0 || c->dstLOD != 0) return CUDA_ERROR_INVALID_VALUE;
    return copy_box(all,
                    {c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray, c->dstXInBytes, c->dstY, c->dstZ,
                     c->dstPitch, c->dstHeight},
                    {c->srcMemoryType, c->srcHost, c->srcDevice, c->srcArray, c->srcXInBytes, c->srcY, c->srcZ,
                     c->srcPitch, c->srcHeight},
                    {c->WidthInBytes, c->Height, c->Depth});
  });
}

CUresult allocate_host(void** pointer, size_t bytes, unsigned flags) {
  return in_context([&](process_state& all, board&) {
    constexpr unsigned known = CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED;
    constexpr size_t page = 4096;
    if (pointer == nullptr || bytes == 0 || (flags & ~known) != 0) return CUDA_ERROR_INVALID_VALUE;
    if (bytes > SIZE_MAX - page) return CUDA_ERROR_OUT_OF_MEMORY;
    *pointer = std::aligned_alloc(page, (bytes + page - 1) / page * page);
    if (*pointer == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
    all.mapped.add(*pointer, bytes, flags, (flags & CU_MEMHOSTALLOC_DEVICEMAP) != 0, true);
    return CUDA_SUCCESS;
  });
}

}  // namespace

extern "C" {

CUresult cuMemGetInfo(size_t* free_bytes, size_t* bytes) {
  return in_context([&](process_state&, board& device) {
    if (free_bytes == nullptr || bytes == nullptr) return CUDA_ERROR_INVALID_VALUE;
    message_reader reply;
    const status result = device.ask(command::memory, {}, reply);
    if (result != status::success) return result_of(result);
    *free_bytes = reply.get<std::uint64_t>();
    *bytes = reply.get<std::uint64_t>();
    return CUDA_SUCCESS;
  });
}

CUresult cuMemAlloc(CUdeviceptr* address, size_t bytes) {
  return in_context([&](process_state&, board& device) {
    if (address == nullptr || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    std::uint64_t at = 0;
    const status result = device.allocate(bytes, at);
    if (result == status::success) *address = at;
    return result_of(result);
  });
}

CUresult cuMemAllocPitch(CUdeviceptr* address, size_t* pitch, size_t width, size_t height, unsigned element) {
  return in_context([&](process_state&, board& device) {
    constexpr size_t limit = size_t{1} << 32;
    if (address == nullptr || pitch == nullptr || width == 0 || height == 0 || width > limit || height > limit ||
        (element != 4 && element != 8 && element != 16))
      return CUDA_ERROR_INVALID_VALUE;
    *pitch = (width + pitch_alignment - 1) / pitch_alignment * pitch_alignment;
    std::uint64_t at = 0;
    const status result = device.allocate(*pitch * height, at);
    if (result == status::success) *address = at;
    return result_of(result);
  });
}

CUresult cuMemFree(CUdeviceptr address) {
  return in_context([&](process_state& all, board& device) {
    // The copies of mapped memory go with the memory of the host.
    if (all.mapped.has_copy_at(device, address)) return CUDA_ERROR_INVALID_VALUE;
    return result_of(device.release(address));
  });
}

CUresult cuMemGetAddressRange(CUdeviceptr* base, size_t* bytes, CUdeviceptr address) {
  return in_context([&](process_state&, board& device) {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
    if (!device.allocation_at(address, first, count)) return CUDA_ERROR_NOT_FOUND;
    if (base != nullptr) *base = first;
    if (bytes != nullptr) *bytes = count;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemHostAlloc(void** pointer, size_t bytes, unsigned flags) {
  return allocate_host(pointer, bytes, flags);
}
CUresult cuMemAllocHost(void** pointer, size_t bytes) { return allocate_host(pointer, bytes, 0); }
CUresult cuMemFreeHost(void* pointer) {
  return in_context([&](process_state& all, board&) {
    all.wait();
    return all.mapped.remove(pointer, true) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}
CUresult cuMemHostGetDevicePointer(CUdeviceptr* address, void* pointer, unsigned flags) {
  return in_context([&](process_state& all, board& device) {
    if (address == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
    std::uint64_t at = 0;
    const status result = all.mapped.device_address(device, pointer, at);
    *address = at;
    return result_of(result);
  });
}
CUresult cuMemHostGetFlags(unsigned* flags, void* pointer) {
  return in_context([&](process_state& all, board&) {
    std::uintptr_t begin = 0;
    const mapped_memory::block* known = all.mapped.find(pointer, begin);
    if (flags == nullptr || known == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *flags = known->flags;
    return CUDA_SUCCESS;
  });
}
CUresult cuMemHostRegister(void* pointer, size_t bytes, unsigned flags) {
  return in_context([&](process_state& all, board&) {
    constexpr unsigned known = CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP;
    if (pointer == nullptr || bytes == 0 || (flags & ~known) != 0) return CUDA_ERROR_INVALID_VALUE;
    std::uintptr_t begin = 0;
    if (all.mapped.find(pointer, begin) != nullptr) return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    all.mapped.add(pointer, bytes, flags, (flags & CU_MEMHOSTREGISTER_DEVICEMAP) != 0, false);
    return CUDA_SUCCESS;
  });
}
CUresult cuMemHostUnregister(void* pointer) {
  return in_context([&](process_state& all, board&) {
    all.wait();
    return all.mapped.remove(pointer, false) ? CUDA_SUCCESS : CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
  });
}

CUresult cuPointerGetAttribute(void* value, CUpointer_attribute attribute, CUdeviceptr pointer) {
  return in_context([&](process_state& all, board& device) {
    if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
    std::uint64_t first = 0;
    std::uint64_t count = 0;
    std::uintptr_t begin = 0;
    const bool on_device = device.allocation_at(pointer, first, count);
    if (!on_device && all.mapped.find(pointer_of(pointer), begin) == nullptr) return CUDA_ERROR_INVALID_VALUE;
    switch (static_cast<int>(attribute)) {
      case CU_POINTER_ATTRIBUTE_CONTEXT:
        *static_cast<CUcontext*>(value) = this_thread().contexts.empty() ? nullptr : this_thread().contexts.back();
        return CUDA_SUCCESS;
      case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *static_cast<unsigned*>(value) = on_device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
        return CUDA_SUCCESS;
      case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        if (!on_device) return CUDA_ERROR_INVALID_VALUE;
        *static_cast<CUdeviceptr*>(value) = pointer;
        return CUDA_SUCCESS;
      case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        if (on_device) return CUDA_ERROR_INVALID_VALUE;
        *static_cast<void**>(value) = pointer_of(pointer);
        return CUDA_SUCCESS;
      default: return CUDA_ERROR_INVALID_VALUE;
    }
  });
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t bytes) {
  return copy_line(place::kind::device, pointer_of(to), place::kind::host, from, bytes);
}
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t bytes) {
  return copy_line(place::kind::host, to, place::kind::device, pointer_of(from), bytes);
}
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return copy_line(place::kind::device, pointer_of(to), place::kind::device, pointer_of(from), bytes);
}
CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return copy_anywhere(to, from, bytes, nullptr);
}
CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                      size_t bytes) {
  return copy_between(to, to_context, from, from_context, bytes, nullptr);
}

CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                           size_t bytes, CUstream stream) {
  const returns_early call;
  return copy_between(to, to_context, from, from_context, bytes, stream);
}

CUresult cuMemcpyHtoA(CUarray to, size_t offset, const void* from, size_t bytes) {
  return copy_into_array(to, offset, from, bytes, nullptr);
}
CUresult cuMemcpyDtoA(CUarray to, size_t offset, CUdeviceptr from, size_t bytes) {
  return in_context([&](process_state& all, board&) {
    return result_of(copy_to_array(all, to, offset, 0, pointer_of(from), bytes, cudaMemcpyDeviceToDevice));
  });
}
CUresult cuMemcpyAtoH(void* to, CUarray from, size_t offset, size_t bytes) {
  return copy_out_of_array(to, from, offset, bytes, nullptr);
}
CUresult cuMemcpyAtoD(CUdeviceptr to, CUarray from, size_t offset, size_t bytes) {
  return in_context([&](process_state& all, board&) {
    return result_of(copy_from_array(all, pointer_of(to), from, offset, 0, bytes, cudaMemcpyDeviceToDevice));
  });
}
// By way of the host.
CUresult cuMemcpyAtoA(CUarray to, size_t to_offset, CUarray from, size_t from_offset, size_t bytes) {
  return in_context([&](process_state& all, board&) {
    if (bytes > most_bytes_of_array) return CUDA_ERROR_INVALID_VALUE;
    const call_scope scope(copying(all, nullptr));
    std::vector<char> content(bytes);
    const cudaError_t error =
        copy_from_array(all, content.data(), from, from_offset, 0, bytes, cudaMemcpyDeviceToHost);
    return result_of(error != cudaSuccess
                         ? error
                         : copy_to_array(all, to, to_offset, 0, content.data(), bytes, cudaMemcpyHostToDevice));
  });
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D* c) { return copy_plane(c, nullptr); }
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* c) { return cuMemcpy2D(c); }
CUresult cuMemcpy3D(const CUDA_MEMCPY3D* c) { return copy_volume(c, nullptr); }

// Calls return when they have ended: that keeps the order within every stream.
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  const returns_early call;
  return copy_anywhere(to, from, bytes, stream);
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t bytes, CUstream stream) {
  const returns_early call;
  return copy_line(place::kind::device, pointer_of(to), place::kind::host, from, bytes, stream);
}
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t bytes, CUstream stream) {
  const returns_early call;
  return copy_line(place::kind::host, to, place::kind::device, pointer_of(from), bytes, stream);
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  const returns_early call;
  return copy_line(place::kind::device, pointer_of(to), place::kind::device, pointer_of(from), bytes, stream);
}
CUresult cuMemcpyHtoAAsync(CUarray to, size_t offset, const void* from, size_t bytes, CUstream stream) {
  const returns_early call;
  return copy_into_array(to, offset, from, bytes, stream);
}
CUresult cuMemcpyAtoHAsync(void* to, CUarray from, size_t offset, size_t bytes, CUstream stream) {
  const returns_early call;
  return copy_out_of_array(to, from, offset, bytes, stream);
}
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* c, CUstream stream) {
  const returns_early call;
  return copy_plane(c, stream);
}
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* c, CUstream stream) {
  const returns_early call;
  return copy_volume(c, stream);
}

CUresult cuMemsetD8(CUdeviceptr address, unsigned char value, size_t count) {
  return fill(address, 0, value, 1, count, 1);
}
CUresult cuMemsetD16(CUdeviceptr address, unsigned short value, size_t count) {
  return fill(address, 0, value, 2, count, 1);
}
CUresult cuMemsetD32(CUdeviceptr address, unsigned value, size_t count) {
  return fill(address, 0, value, 4, count, 1);
}
CUresult cuMemsetD2D8(CUdeviceptr address, size_t pitch, unsigned char value, size_t width, size_t height) {
  return fill(address, pitch, value, 1, width, height);
}
CUresult cuMemsetD2D16(CUdeviceptr address, size_t pitch, unsigned short value, size_t width, size_t height) {
  return fill(address, pitch, value, 2, width, height);
}
CUresult cuMemsetD2D32(CUdeviceptr address, size_t pitch, unsigned value, size_t width, size_t height) {
  return fill(address, pitch, value, 4, width, height);
}
CUresult cuMemsetD2D8Async(CUdeviceptr address, size_t pitch, unsigned char value, size_t width, size_t height,
                           CUstream stream) {
  return fill(address, pitch, value, 1, width, height, stream);
}
CUresult cuMemsetD2D16Async(CUdeviceptr address, size_t pitch, unsigned short value, size_t width, size_t height,
                            CUstream stream) {
  return fill(address, pitch, value, 2, width, height, stream);
}
CUresult cuMemsetD2D32Async(CUdeviceptr address, size_t pitch, unsigned value, size_t width, size_t height,
                            CUstream stream) {
  return fill(address, pitch, value, 4, width, height, stream);
}
CUresult cuMemsetD8Async(CUdeviceptr address, unsigned char value, size_t count, CUstream stream) {
  return fill(address, 0, value, 1, count, 1, stream);
}
CUresult cuMemsetD16Async(CUdeviceptr address, unsigned short value, size_t count, CUstream stream) {
  return fill(address, 0, value, 2, count, 1, stream);
}
CUresult cuMemsetD32Async(CUdeviceptr address, unsigned value, size_t count, CUstream stream) {
  return fill(address, 0, value, 4, count, 1, stream);
}

}  // extern "C"
