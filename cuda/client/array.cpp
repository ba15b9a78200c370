#include "cuda/client/array.h"

#include <algorithm>

namespace gt200::cudart {
namespace {

constexpr size_t texture_alignment = 256;

// A copy of `bytes` bytes that begins at byte x of row y and goes on in the next rows: up to three boxes.
template <class action>
cudaError_t for_each_box(const cudaArray& array, size_t x, size_t y, size_t bytes, action copy_box) {
  const size_t width = array.width * array.texel_bytes();
  if (x >= width || y >= array.rows() || bytes > width * (array.rows() - y) - x) return cudaErrorInvalidValue;
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

// The memory of a copy in boxes, all of it before the first of them; `to` or `from` is the array, and null.
cudaError_t require_line(process_state& all, cudaMemcpyKind kind, const void* to, const void* from, size_t bytes) {
  place::kind to_side{};
  place::kind from_side{};
  if (const cudaError_t error = sides_of(kind, to, from, to_side, from_side); error != cudaSuccess) return error;
  if (bytes == 0) return cudaSuccess;
  if (to == nullptr && from == nullptr) return cudaErrorInvalidValue;
  if ((to == nullptr ? to_side : from_side) == place::kind::host) return cudaErrorInvalidMemcpyDirection;
  return require(
      all,
      to != nullptr ? place::in_memory(to_side, to, bytes, bytes) : place::in_memory(from_side, from, bytes, bytes),
      {bytes, 1, 1});
}

}  // namespace

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
                           size_t width, size_t height, size_t depth, unsigned flags) {
  flags &= cudaArrayLayered | cudaArrayCubemap;
  const bool is_cube = (flags & cudaArrayCubemap) != 0;
  const bool has_layers = (flags & cudaArrayLayered) != 0;
  if (array == nullptr || description == nullptr || width == 0 || (height == 0 && depth != 0 && !has_layers) ||
      (flags != 0 && depth == 0) || (is_cube && (width != height || depth % 6 != 0 || (depth != 6 && !has_layers))))
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
  made->flags = flags;
  const array_description wanted = {
      {static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(flags != 0 ? made->rows() : height),
       static_cast<std::uint32_t>(depth)},
      made->channels(),
      static_cast<std::uint32_t>(description->x)};
  message_reader reply;
  const status result = device->ask(command::allocate_array, message_writer().put(wanted), reply);
  if (result != status::success) return error_of(result);
  made->number = reply.get<std::uint64_t>();
  made->epoch = device->epoch();
  all.arrays.insert(made.get());
  *array = made.release();
  return cudaSuccess;
}

cudaError_t free_array(process_state& all, cudaArray* array) {
  if (array == nullptr) return cudaSuccess;
  if (all.arrays.count(array) == 0) return cudaErrorInvalidResourceHandle;
  status result = status::success;
  if (is_alive(all, array)) result = all.current().ask(command::release_array, message_writer().put(array->number));
  all.arrays.erase(array);
  delete array;
  return error_of(result);
}

cudaError_t copy_rows_to_array(process_state& all, cudaArray* array, size_t x, size_t y, const void* from,
                               size_t pitch, const box& size, cudaMemcpyKind kind) {
  place::kind to_side{};
  place::kind from_side{};
  if (const cudaError_t error = sides_of(kind, nullptr, from, to_side, from_side); error != cudaSuccess)
    return error;
  if (to_side == place::kind::host) return cudaErrorInvalidMemcpyDirection;
  return copy(all, place::in_array(array, x, y, 0), place::in_memory(from_side, from, pitch, pitch * size.rows),
              size);
}

cudaError_t copy_rows_from_array(process_state& all, void* to, size_t pitch, const cudaArray* array, size_t x,
                                 size_t y, const box& size, cudaMemcpyKind kind) {
  place::kind to_side{};
  place::kind from_side{};
  if (const cudaError_t error = sides_of(kind, to, nullptr, to_side, from_side); error != cudaSuccess) return error;
  if (from_side == place::kind::host) return cudaErrorInvalidMemcpyDirection;
  return copy(all, place::in_memory(to_side, to, pitch, pitch * size.rows), place::in_array(array, x, y, 0), size);
}

cudaError_t copy_to_array(process_state& all, cudaArray* array, size_t x, size_t y, const void* from, size_t bytes,
                          cudaMemcpyKind kind) {
  if (!is_alive(all, array)) return cudaErrorInvalidResourceHandle;
  if (const cudaError_t error = require_line(all, kind, nullptr, from, bytes); error != cudaSuccess) return error;
  return for_each_box(*array, x, y, bytes, [&](size_t at_x, size_t at_y, size_t done, const box& part) {
    return copy_rows_to_array(all, array, at_x, at_y, static_cast<const char*>(from) + done, part.width, part,
                              kind);
  });
}

cudaError_t copy_from_array(process_state& all, void* to, const cudaArray* array, size_t x, size_t y, size_t bytes,
                            cudaMemcpyKind kind) {
  if (!is_alive(all, array)) return cudaErrorInvalidResourceHandle;
  if (const cudaError_t error = require_line(all, kind, to, nullptr, bytes); error != cudaSuccess) return error;
  return for_each_box(*array, x, y, bytes, [&](size_t at_x, size_t at_y, size_t done, const box& part) {
    return copy_rows_from_array(all, static_cast<char*>(to) + done, part.width, array, at_x, at_y, part, kind);
  });
}

bool split_address(std::uint64_t address, size_t* offset, std::uint64_t& base) {
  const size_t rest = address % texture_alignment;
  if (rest != 0 && offset == nullptr) return false;
  if (offset != nullptr) *offset = rest;
  base = address - rest;
  return true;
}

cudaError_t describe_texture(const textureReference& reading, const cudaChannelFormatDesc* description,
                             bool normalised_values, texture_description& wanted) {
  if (description == nullptr || !is_format(*description)) return cudaErrorInvalidChannelDescriptor;
  const int parts[] = {description->x, description->y, description->z, description->w};
  wanted.channels = static_cast<std::uint32_t>(std::count_if(parts, parts + 4, [](int bits) { return bits != 0; }));
  wanted.channel_bits = static_cast<std::uint32_t>(description->x);
  wanted.channel_kind = static_cast<std::uint32_t>(description->f);
  wanted.normalised_values = normalised_values ? 1 : 0;
  wanted.normalised_coordinates = reading.normalized != 0 ? 1 : 0;
  wanted.linear_filter = reading.filterMode == cudaFilterModeLinear ? 1 : 0;
  // An image repeats in normalised coordinates only; without them it is clamped.
  for (size_t k = 0; k < 3; ++k) {
    const cudaTextureAddressMode mode = reading.addressMode[k];
    const bool repeats = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
    wanted.addressing[k] = repeats && reading.normalized == 0 ? cudaAddressModeClamp : mode;
  }
  if (wanted.layers != 0) wanted.addressing[2] = cudaAddressModeClamp;
  return cudaSuccess;
}

cudaError_t bind_texture(board& device, std::uint32_t module, const std::string& name,
                         const textureReference& reading, const cudaChannelFormatDesc* description,
                         bool normalised_values, texture_description wanted) {
  if (wanted.memory != texture_memory::unbound)
    if (const cudaError_t error = describe_texture(reading, description, normalised_values, wanted);
        error != cudaSuccess)
      return error;
  return error_of(device.ask(command::bind_texture, message_writer().put(module).text(name).put(wanted)));
}

}  // namespace gt200::cudart
