// Surface objects of arrays.
#include <map>
#include <utility>

#include "cuda/client/array.h"
#include "cuda/client/event.h"

using namespace gt200::cudart;

namespace {

// By device and object, which is an address there.
using surface_key = std::pair<unsigned, cudaSurfaceObject_t>;
struct made_surface {
  cudaResourceDesc resource{};
  std::uint64_t epoch = 0;  // of the board
};
std::map<surface_key, made_surface>& surfaces() {
  static auto* const all = new std::map<surface_key, made_surface>;  // see process()
  return *all;
}
surface_key key_of(process_state& all, cudaSurfaceObject_t surface) { return {all.current().device(), surface}; }

}  // namespace

extern "C" {

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface, const cudaResourceDesc* resource) {
  return guarded([&](process_state& all) {
    if (surface == nullptr || resource == nullptr || resource->resType != cudaResourceTypeArray)
      return cudaErrorInvalidValue;
    const cudaArray* array = resource->res.array.array;
    if (!is_alive(all, array)) return cudaErrorInvalidResourceHandle;
    board* device = nullptr;
    if (const cudaError_t error = all.ready(device); error != cudaSuccess) return error;
    device_description d;
    if (const status known = device->describe(d); known != status::success) return error_of(known);
    if (d.capability < 20) return cudaErrorNotSupported;
    message_reader reply;
    const status result = device->ask(command::make_surface, message_writer().put(array->number), reply);
    if (result != status::success) return error_of(result);
    *surface = reply.get<std::uint64_t>();
    surfaces()[key_of(all, *surface)] = {*resource, device->epoch()};
    return cudaSuccess;
  });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
  return guarded([&](process_state& all) {
    const auto found = surfaces().find(key_of(all, surface));
    if (found == surfaces().end()) return surface == 0 ? cudaSuccess : cudaErrorInvalidValue;
    const bool is_there = found->second.epoch == all.current().epoch();
    surfaces().erase(found);
    if (!is_there) return cudaSuccess;
    if (const cudaError_t error = all.wait(); error != cudaSuccess) return error;
    return error_of(all.current().ask(command::drop_surface, message_writer().put<std::uint64_t>(surface)));
  });
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t surface) {
  return guarded([&](process_state& all) {
    const auto found = surfaces().find(key_of(all, surface));
    if (resource == nullptr || found == surfaces().end()) return cudaErrorInvalidValue;
    *resource = found->second.resource;
    return cudaSuccess;
  });
}

}  // extern "C"
