// Arrays, their copies, and textures.
#include <algorithm>
#include <cstring>

#include "cuda/runtime/copy.h"

using namespace gt200::cudart;

namespace {

constexpr size_t texture_alignment = 256;

bool is_format(const cudaChannelFormatDesc& d) {
  const int parts[] = {d.x, d.y, d.z, d.w};
  if ((d.x != 8 && d.x != 16 && d.x != 32) || d.f < cudaChannelFormatKindSigned ||
      d.f > cudaChannelFormatKindFloat || (d.f == cudaChannelFormatKindFloat && d.x != 32))
    return false;
  unsigned used = 0;
  while (used < 4 && parts[used] == d.x) ++used;
  for (unsigned k = used; k < 4; ++k)
    if (parts[k] != 0) return false;
  return used != 3;
}

cudaError_t allocate_array(process_state& all, cudaArray** array, const cudaChannelFormatDesc* description,
                           size_t width, size_t height, size_t depth) {
  if (array == nullptr || description == nullptr || width == 0 || (height == 0 && depth != 0))
    return cudaErrorInvalidValue;
  if (!is_format(*description)) return cudaErrorInvalidChannelDescriptor;
  constexpr size_t limit = 65536;
  if (width > limit || height > limit || depth > limit) return cudaErrorInvalidValue;
  board* device = nullptr;
  if (const cudaError_t error = all.ready(device); error != cudaSuccess) return error;
  auto made = std::make_unique<cudaArray>();
  made->description = *description;
  made->width = width;
  made->height = height;
  made->depth = depth;
  const array_description wanted = {
      {static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), static_cast<std::uint32_t>(depth)},
      made->channels(),
      static_cast<std::uint32_t>(description->x)};
  message_reader reply;
  const status result = device->ask(command::allocate_array, message_writer().put(wanted), reply);
  if (result != status::success) return error_of(result);
  made->number = reply.get<std::uint64_t>();
  made->device = this_thread().device;
  made->generation = device->generation();
  all.arrays.insert(made.get());
  *array = made.release();
  return cudaSuccess;
}

// A copy of `bytes` bytes that begins at byte x of row y and goes on in the next rows: up to three boxes.
template <class action>
cudaError_t for_each_box(const cudaArray& array, size_t x, size_t y, size_t bytes, action copy_box) {
  const size_t width = array.width * array.texel_bytes();
  if (x >= width) return cudaErrorInvalidValue;
  size_t done = 0;
  while (done < bytes) {
    const size_t left = bytes - done;
    box part;
    if (x != 0 || left < width) {
      part.width = std::min(width - x, left);
    } else {
      part.width = width;
      part.rows = left / width;
    }
    if (const cudaError_t error = copy_box(x, y, done, part); error != cudaSuccess) return error;
    done += part.bytes();
    y += part.rows;
    x = 0;
  }
  return cudaSuccess;
}

cudaError_t copy_rows_to_array(process_state& all, cudaArray* array, size_t x, size_t y, const void* from,
                               size_t pitch, const box& size, cudaMemcpyKind kind) {
  place::kind to_side{};
  place::kind from_side{};
  if (const cudaError_t error = sides_of(kind, nullptr, from, to_side, from_side); error != cudaSuccess)
    return error;
  return copy(all, place::in_array(array, x, y, 0), place::in_memory(from_side, from, pitch, pitch * size.rows),
              size);
}

cudaError_t copy_rows_from_array(process_state& all, void* to, size_t pitch, const cudaArray* array, size_t x,
                                 size_t y, const box& size, cudaMemcpyKind kind) {
  place::kind to_side{};
  place::kind from_side{};
  if (const cudaError_t error = sides_of(kind, to, nullptr, to_side, from_side); error != cudaSuccess) return error;
  return copy(all, place::in_memory(to_side, to, pitch, pitch * size.rows), place::in_array(array, x, y, 0), size);
}

cudaError_t bind(process_state& all, const textureReference* texture, const cudaChannelFormatDesc* description,
                 texture_description wanted) {
  const registered* entry = all.code.texture(texture);
  if (entry == nullptr) return cudaErrorInvalidTexture;
  board* device = nullptr;
  if (const cudaError_t error = all.ready(device); error != cudaSuccess) return error;
  if (wanted.memory != texture_memory::unbound) {
    if (description == nullptr || !is_format(*description)) return cudaErrorInvalidChannelDescriptor;
    const int parts[] = {description->x, description->y, description->z, description->w};
    wanted.channels =
        static_cast<std::uint32_t>(std::count_if(parts, parts + 4, [](int bits) { return bits != 0; }));
    wanted.channel_bits = static_cast<std::uint32_t>(description->x);
    wanted.channel_kind = static_cast<std::uint32_t>(description->f);
    wanted.normalised_values = entry->normalised_values ? 1 : 0;
    wanted.normalised_coordinates = texture->normalized != 0 ? 1 : 0;
    wanted.linear_filter = texture->filterMode == cudaFilterModeLinear ? 1 : 0;
    // An image repeats in normalised coordinates only; without them it is clamped.
    for (size_t k = 0; k < 3; ++k)
      wanted.wrap[k] = texture->addressMode[k] == cudaAddressModeWrap && texture->normalized != 0 ? 1 : 0;
  }
  return error_of(
      device->ask(command::bind_texture,
                  message_writer().put(device->module_of(entry->code->container)).text(entry->name).put(wanted)));
}

// The part of an address that a texture cannot have: the program adds it to its coordinates.
cudaError_t split_address(const void* pointer, size_t* offset, std::uint64_t& base) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const size_t rest = address % texture_alignment;
  if (rest != 0 && offset == nullptr) return cudaErrorInvalidValue;
  if (offset != nullptr) *offset = rest;
  base = address - rest;
  return cudaSuccess;
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
    return flags != 0 ? cudaErrorInvalidValue : allocate_array(all, array, description, width, height, 0);
  });
}

cudaError_t cudaMalloc3DArray(cudaArray** array, const cudaChannelFormatDesc* description, cudaExtent extent,
                              unsigned flags) {
  return guarded([&](process_state& all) {
    return flags != 0 ? cudaErrorInvalidValue
                      : allocate_array(all, array, description, extent.width, extent.height, extent.depth);
  });
}

cudaError_t cudaFreeArray(cudaArray* array) {
  return guarded([&](process_state& all) {
    if (array == nullptr) return cudaSuccess;
    if (all.arrays.count(array) == 0) return cudaErrorInvalidResourceHandle;
    status result = status::success;
    if (is_alive(all, array))
      result = all.current().ask(command::release_array, message_writer().put(array->number));
    all.arrays.erase(array);
    delete array;
    return error_of(result);
  });
}

cudaError_t cudaMemcpyToArray(cudaArray* array, size_t x, size_t y, const void* from, size_t bytes,
                              cudaMemcpyKind kind) {
  return guarded([&](process_state& all) {
    if (!is_alive(all, array)) return cudaErrorInvalidResourceHandle;
    return for_each_box(*array, x, y, bytes, [&](size_t at_x, size_t at_y, size_t done, const box& part) {
      return copy_rows_to_array(all, array, at_x, at_y, static_cast<const char*>(from) + done, part.width, part,
                                kind);
    });
  });
}

cudaError_t cudaMemcpyFromArray(void* to, const cudaArray* array, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind) {
  return guarded([&](process_state& all) {
    if (!is_alive(all, array)) return cudaErrorInvalidResourceHandle;
    return for_each_box(*array, x, y, bytes, [&](size_t at_x, size_t at_y, size_t done, const box& part) {
      return copy_rows_from_array(all, static_cast<char*>(to) + done, part.width, array, at_x, at_y, part, kind);
    });
  });
}

cudaError_t cudaMemcpy2DToArray(cudaArray* array, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                                size_t height, cudaMemcpyKind kind) {
  return guarded([&](process_state& all) {
    if (!is_alive(all, array)) return cudaErrorInvalidResourceHandle;
    return copy_rows_to_array(all, array, x, y, from, pitch, {width, height, 1}, kind);
  });
}

cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, const cudaArray* array, size_t x, size_t y, size_t width,
                                  size_t height, cudaMemcpyKind kind) {
  return guarded([&](process_state& all) {
    if (!is_alive(all, array)) return cudaErrorInvalidResourceHandle;
    return copy_rows_from_array(all, to, pitch, array, x, y, {width, height, 1}, kind);
  });
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* given) {
  return guarded([&](process_state& all) {
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

cudaError_t cudaBindTexture(size_t* offset, const textureReference* texture, const void* pointer,
                            const cudaChannelFormatDesc* description, size_t bytes) {
  return guarded([&](process_state& all) {
    texture_description wanted = {};
    wanted.memory = texture_memory::linear;
    if (const cudaError_t error = split_address(pointer, offset, wanted.address); error != cudaSuccess)
      return error;
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
    if (const cudaError_t error = split_address(pointer, offset, wanted.address); error != cudaSuccess)
      return error;
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
