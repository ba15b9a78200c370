// Texture objects.
#include <map>

#include "cuda/client/array.h"
#include "cuda/client/event.h"

using namespace gt200::cudart;

namespace {

struct made_object {
  cudaResourceDesc resource{};
  cudaTextureDesc reading{};
  std::uint64_t epoch = 0;  // of the board
};
std::map<cudaTextureObject_t, made_object>& objects() {
  static auto* const all = new std::map<cudaTextureObject_t, made_object>;  // see process()
  return *all;
}

// What the object reads: `description` of its texels.
cudaError_t memory_of(process_state& all, const cudaResourceDesc& r, texture_description& wanted,
                      cudaChannelFormatDesc& description) {
  size_t offset = 0;
  switch (static_cast<int>(r.resType)) {
    case cudaResourceTypeLinear:
      wanted.memory = texture_memory::linear;
      description = r.res.linear.desc;
      if (!split_address(reinterpret_cast<std::uintptr_t>(r.res.linear.devPtr), &offset, wanted.address) ||
          offset != 0)
        return cudaErrorInvalidValue;
      wanted.bytes = r.res.linear.sizeInBytes;
      return cudaSuccess;
    case cudaResourceTypePitch2D: {
      const auto& p = r.res.pitch2D;
      constexpr size_t limit = 65536;
      if (p.width == 0 || p.height == 0 || p.width > limit || p.height > limit || p.pitchInBytes > limit * 16)
        return cudaErrorInvalidValue;
      wanted.memory = texture_memory::pitch;
      description = p.desc;
      if (!split_address(reinterpret_cast<std::uintptr_t>(p.devPtr), &offset, wanted.address) || offset != 0)
        return cudaErrorInvalidValue;
      wanted.width = static_cast<std::uint32_t>(p.width);
      wanted.height = static_cast<std::uint32_t>(p.height);
      wanted.pitch = static_cast<std::uint32_t>(p.pitchInBytes);
      return cudaSuccess;
    }
    case cudaResourceTypeArray: {
      const cudaArray* array = r.res.array.array;
      if (!is_alive(all, array)) return cudaErrorInvalidResourceHandle;
      wanted.memory = texture_memory::array;
      wanted.address = array->number;
      wanted.layers = array->layers();
      description = array->description;
      return cudaSuccess;
    }
    default: return cudaErrorNotSupported;
  }
}

}  // namespace

extern "C" {

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* reading, const void* view) {
  return guarded([&](process_state& all) {
    if (texture == nullptr || resource == nullptr || reading == nullptr) return cudaErrorInvalidValue;
    if (view != nullptr || reading->sRGB != 0) return cudaErrorNotSupported;
    board* device = nullptr;
    if (const cudaError_t error = all.ready(device); error != cudaSuccess) return error;
    texture_description wanted = {};
    cudaChannelFormatDesc description = {};
    if (const cudaError_t error = memory_of(all, *resource, wanted, description); error != cudaSuccess)
      return error;
    textureReference how = {};
    how.normalized = reading->normalizedCoords;
    how.filterMode = reading->filterMode;
    for (size_t k = 0; k < 3; ++k) how.addressMode[k] = reading->addressMode[k];
    const bool normalised = reading->readMode == cudaReadModeNormalizedFloat;
    if (const cudaError_t error = describe_texture(how, &description, normalised, wanted); error != cudaSuccess)
      return error;
    message_reader reply;
    const status result = device->ask(command::make_texture, message_writer().put(wanted), reply);
    if (result != status::success) return error_of(result);
    *texture = reply.get<std::uint64_t>();
    objects()[*texture] = {*resource, *reading, device->epoch()};
    return cudaSuccess;
  });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
  return guarded([&](process_state& all) {
    const auto found = objects().find(texture);
    if (found == objects().end()) return texture == 0 ? cudaSuccess : cudaErrorInvalidValue;
    const bool is_there = found->second.epoch == all.current().epoch();
    objects().erase(found);
    return is_there
               ? error_of(all.current().ask(command::drop_texture, message_writer().put<std::uint64_t>(texture)))
               : cudaSuccess;
  });
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t texture) {
  return guarded([&](process_state&) {
    const auto found = objects().find(texture);
    if (resource == nullptr || found == objects().end()) return cudaErrorInvalidValue;
    *resource = found->second.resource;
    return cudaSuccess;
  });
}
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* reading, cudaTextureObject_t texture) {
  return guarded([&](process_state&) {
    const auto found = objects().find(texture);
    if (reading == nullptr || found == objects().end()) return cudaErrorInvalidValue;
    *reading = found->second.reading;
    return cudaSuccess;
  });
}

}  // extern "C"
