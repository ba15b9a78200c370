// Arrays, their copies, and textures.
#include <vector>

#include "cuda/client/array.h"
#include "cuda/client/event.h"
#include "cuda/runtime/capture.h"

using namespace gt200::cudart;

namespace {

cudaError_t bind(process_state& all, const textureReference* texture, const cudaChannelFormatDesc* description,
                 const texture_description& wanted) {
  const registered* entry = all.code.texture(texture);
  if (entry == nullptr) return cudaErrorInvalidTexture;
  board* device = nullptr;
  if (const cudaError_t error = all.ready(device, *entry); error != cudaSuccess) return error;
  return bind_texture(*device, device->module_of(entry->code->container), entry->name, *texture, description,
                      entry->normalised_values, wanted);
}

cudaError_t rows_to_array(cudaArray* array, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                          size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return guarded_in(stream, [&](process_state& all) {
    if (!is_alive(all, array)) return cudaErrorInvalidResourceHandle;
    return copy_rows_to_array(all, array, x, y, from, pitch, {width, height, 1}, kind);
  });
}

cudaError_t rows_from_array(void* to, size_t pitch, const cudaArray* array, size_t x, size_t y, size_t width,
                            size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return guarded_in(stream, [&](process_state& all) {
    if (!is_alive(all, array)) return cudaErrorInvalidResourceHandle;
    return copy_rows_from_array(all, to, pitch, array, x, y, {width, height, 1}, kind);
  });
}

cudaError_t copy_box(const cudaMemcpy3DParms* given, cudaStream_t stream) {
  return guarded_in(stream, [&](process_state& all) {
    if (given == nullptr) return cudaErrorInvalidValue;
    const cudaMemcpy3DParms& p = *given;
    if ((p.srcArray == nullptr) == (p.srcPtr.ptr == nullptr) ||
        (p.dstArray == nullptr) == (p.dstPtr.ptr == nullptr))
      return cudaErrorInvalidValue;
    place::kind to_side{};
    place::kind from_side{};
    if (const cudaError_t error = sides_of(p.kind, p.dstPtr.ptr, p.srcPtr.ptr, to_side, from_side);
        error != cudaSuccess)
      return error;
    if ((p.dstArray != nullptr && to_side == place::kind::host) ||
        (p.srcArray != nullptr && from_side == place::kind::host))
      return cudaErrorInvalidMemcpyDirection;
    for (const cudaArray* array : {p.srcArray, p.dstArray})
      if (array != nullptr && !is_alive(all, array)) return cudaErrorInvalidResourceHandle;
    // With an array the extent and its position count texels, else bytes.
    const cudaArray* array = p.srcArray != nullptr ? p.srcArray : p.dstArray;
    const size_t unit = array != nullptr ? array->texel_bytes() : 1;
    const auto side = [&](place::kind where, cudaArray* in, const cudaPitchedPtr& memory, const cudaPos& at) {
      if (in != nullptr) return place::in_array(in, at.x * in->texel_bytes(), at.y, at.z);
      const size_t slice = memory.pitch * memory.ysize;
      const char* first = static_cast<const char*>(memory.ptr) + at.x * unit + at.y * memory.pitch + at.z * slice;
      return place::in_memory(where, first, memory.pitch, slice);
    };
    return copy(all, side(to_side, p.dstArray, p.dstPtr, p.dstPos), side(from_side, p.srcArray, p.srcPtr, p.srcPos),
                {p.extent.width * unit, p.extent.height, p.extent.depth});
  });
}

}  // namespace

extern "C" {

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* description, const cudaArray* array) {
  return guarded([&](process_state& all) {
    if (description == nullptr) return cudaErrorInvalidValue;
    if (!is_alive(all, array)) return cudaErrorInvalidResourceHandle;
    *description = array->description;
    return cudaSuccess;
  });
}

cudaError_t cudaMallocArray(cudaArray** array, const cudaChannelFormatDesc* description, size_t width,
                            size_t height, unsigned flags) {
  return guarded([&](process_state& all) {
    return (flags & ~cudaArraySurfaceLoadStore) != 0 ? cudaErrorInvalidValue
                                                     : allocate_array(all, array, description, width, height, 0);
  });
}

cudaError_t cudaMalloc3DArray(cudaArray** array, const cudaChannelFormatDesc* description, cudaExtent extent,
                              unsigned flags) {
  return guarded([&](process_state& all) {
    return (flags & ~(cudaArraySurfaceLoadStore | cudaArrayLayered | cudaArrayCubemap)) != 0
               ? cudaErrorInvalidValue
               : allocate_array(all, array, description, extent.width, extent.height, extent.depth, flags);
  });
}

cudaError_t cudaFreeArray(cudaArray* array) {
  return guarded([&](process_state& all) { return free_array(all, array); });
}

cudaError_t cudaMemcpyToArray(cudaArray* array, size_t x, size_t y, const void* from, size_t bytes,
                              cudaMemcpyKind kind) {
  return guarded([&](process_state& all) { return copy_to_array(all, array, x, y, from, bytes, kind); });
}

cudaError_t cudaMemcpyFromArray(void* to, const cudaArray* array, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind) {
  return guarded([&](process_state& all) { return copy_from_array(all, to, array, x, y, bytes, kind); });
}

cudaError_t cudaMemcpy2DToArray(cudaArray* array, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                                size_t height, cudaMemcpyKind kind) {
  return rows_to_array(array, x, y, from, pitch, width, height, kind, nullptr);
}

cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, const cudaArray* array, size_t x, size_t y, size_t width,
                                  size_t height, cudaMemcpyKind kind) {
  return rows_from_array(to, pitch, array, x, y, width, height, kind, nullptr);
}

// Calls return when they have ended: that keeps the order within every stream.
cudaError_t cudaMemcpyToArrayAsync(cudaArray* array, size_t x, size_t y, const void* from, size_t bytes,
                                   cudaMemcpyKind kind, cudaStream_t stream) {
  const returns_early call;
  return guarded_in(stream, [&](process_state& all) { return copy_to_array(all, array, x, y, from, bytes, kind); });
}
cudaError_t cudaMemcpyFromArrayAsync(void* to, const cudaArray* array, size_t x, size_t y, size_t bytes,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  const returns_early call;
  return guarded_in(stream, [&](process_state& all) { return copy_from_array(all, to, array, x, y, bytes, kind); });
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray* array, size_t x, size_t y, const void* from, size_t pitch,
                                     size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  const returns_early call;
  return rows_to_array(array, x, y, from, pitch, width, height, kind, stream);
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, const cudaArray* array, size_t x, size_t y,
                                       size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  const returns_early call;
  return rows_from_array(to, pitch, array, x, y, width, height, kind, stream);
}

// By way of the host.
cudaError_t cudaMemcpyArrayToArray(cudaArray* to, size_t to_x, size_t to_y, const cudaArray* from, size_t from_x,
                                   size_t from_y, size_t bytes, cudaMemcpyKind kind) {
  if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return guarded([](process_state&) { return cudaErrorInvalidMemcpyDirection; });
  return guarded([&](process_state& all) {
    if (bytes > most_bytes_of_array) return cudaErrorInvalidValue;
    if (!is_alive(all, to) || !is_alive(all, from)) return cudaErrorInvalidResourceHandle;
    const call_scope scope(copying(all, nullptr));
    std::vector<char> content(bytes);
    const cudaError_t error =
        copy_from_array(all, content.data(), from, from_x, from_y, bytes, cudaMemcpyDeviceToHost);
    return error != cudaSuccess ? error
                                : copy_to_array(all, to, to_x, to_y, content.data(), bytes, cudaMemcpyHostToDevice);
  });
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray* to, size_t to_x, size_t to_y, const cudaArray* from, size_t from_x,
                                     size_t from_y, size_t width, size_t height, cudaMemcpyKind kind) {
  return guarded([&](process_state& all) {
    if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
    if (!is_alive(all, to) || !is_alive(all, from)) return cudaErrorInvalidResourceHandle;
    return copy(all, place::in_array(to, to_x, to_y, 0), place::in_array(from, from_x, from_y, 0),
                {width, height, 1});
  });
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* given) { return copy_box(given, nullptr); }
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* given, cudaStream_t stream) {
  cudaError_t result = cudaSuccess;
  if (captured(stream, cudaGraphNodeTypeMemcpy, result,
               [&](CUgraphNode_st& n) { return given == nullptr ? cudaErrorInvalidValue : set_copy(n, *given); }))
    return result;
  const returns_early call;
  return copy_box(given, stream);
}

cudaError_t cudaBindTexture(size_t* offset, const textureReference* texture, const void* pointer,
                            const cudaChannelFormatDesc* description, size_t bytes) {
  return guarded([&](process_state& all) {
    texture_description wanted = {};
    wanted.memory = texture_memory::linear;
    if (!split_address(reinterpret_cast<std::uintptr_t>(pointer), offset, wanted.address))
      return cudaErrorInvalidValue;
    wanted.bytes = bytes + (reinterpret_cast<std::uintptr_t>(pointer) - wanted.address);
    return bind(all, texture, description, wanted);
  });
}

cudaError_t cudaBindTexture2D(size_t* offset, const textureReference* texture, const void* pointer,
                              const cudaChannelFormatDesc* description, size_t width, size_t height, size_t pitch) {
  return guarded([&](process_state& all) {
    constexpr size_t limit = 65536;
    if (width == 0 || height == 0 || width > limit || height > limit || pitch > limit * 16)
      return cudaErrorInvalidValue;
    texture_description wanted = {};
    wanted.memory = texture_memory::pitch;
    if (!split_address(reinterpret_cast<std::uintptr_t>(pointer), offset, wanted.address))
      return cudaErrorInvalidValue;
    wanted.width = static_cast<std::uint32_t>(width);
    wanted.height = static_cast<std::uint32_t>(height);
    wanted.pitch = static_cast<std::uint32_t>(pitch);
    return bind(all, texture, description, wanted);
  });
}

cudaError_t cudaBindTextureToArray(const textureReference* texture, const cudaArray* array,
                                   const cudaChannelFormatDesc* description) {
  return guarded([&](process_state& all) {
    if (!is_alive(all, array)) return cudaErrorInvalidResourceHandle;
    texture_description wanted = {};
    wanted.memory = texture_memory::array;
    wanted.address = array->number;
    return bind(all, texture, description, wanted);
  });
}

cudaError_t cudaUnbindTexture(const textureReference* texture) {
  return guarded([&](process_state& all) { return bind(all, texture, nullptr, {}); });
}

cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const textureReference* texture) {
  return guarded([&](process_state& all) {
    if (offset == nullptr) return cudaErrorInvalidValue;
    if (all.code.texture(texture) == nullptr) return cudaErrorInvalidTexture;
    *offset = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaGetTextureReference(const textureReference** texture, const void* symbol) {
  return guarded([&](process_state& all) {
    if (texture == nullptr || symbol == nullptr) return cudaErrorInvalidValue;
    const void* found =
        all.code.texture(symbol) != nullptr ? symbol : all.code.texture_named(static_cast<const char*>(symbol));
    *texture = static_cast<const textureReference*>(found);
    return found == nullptr ? cudaErrorInvalidTexture : cudaSuccess;
  });
}

}  // extern "C"
