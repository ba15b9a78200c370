// Pools of device memory. Other devices reach it by copies alone, other processes not at all.
#include <algorithm>
#include <memory>
#include <vector>

#include "cuda/client/event.h"
#include "cuda/runtime/pool.h"

using namespace gt200::cudart;

namespace {

struct all_pools {
  std::vector<std::unique_ptr<CUmemPoolHandle_st>> pools;
  std::map<int, CUmemPoolHandle_st*> in_use;
};
all_pools& known() {
  static auto* const all = new all_pools;  // see process()
  return *all;
}

CUmemPoolHandle_st& make_pool(int device, bool is_default) {
  known().pools.push_back(std::make_unique<CUmemPoolHandle_st>());
  CUmemPoolHandle_st& made = *known().pools.back();
  made.device = device;
  made.is_default = is_default;
  return made;
}

// What a device had is gone once it was reset.
void follow(CUmemPoolHandle_st& pool, std::uint64_t epoch) {
  if (pool.epoch == epoch) return;
  pool.epoch = epoch;
  pool.held.clear();
  pool.used = 0;
}

bool is_device(const process_state& all, int device) {
  return device >= 0 && static_cast<size_t>(device) < all.boards.size();
}

cudaError_t refused() {
  return guarded([](process_state&) { return cudaErrorNotSupported; });
}

}  // namespace

namespace gt200::cudart {

CUmemPoolHandle_st* find_pool(cudaMemPool_t pool) {
  const auto& all = known().pools;
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& p) { return p.get() == pool; });
  return found == all.end() ? nullptr : found->get();
}

CUmemPoolHandle_st& default_pool(int device) {
  for (const auto& p : known().pools)
    if (p->is_default && p->device == device) return *p;
  return make_pool(device, true);
}

CUmemPoolHandle_st& pool_in_use(int device) {
  const auto found = known().in_use.find(device);
  return found == known().in_use.end() ? default_pool(device) : *found->second;
}

bool has_room(CUmemPoolHandle_st& pool, const board& device, std::uint64_t bytes) {
  follow(pool, device.epoch());
  return pool.most_bytes == 0 || (bytes <= pool.most_bytes && pool.used <= pool.most_bytes - bytes);
}

void note_allocation(CUmemPoolHandle_st& pool, const board& device, std::uintptr_t address, std::uint64_t bytes) {
  follow(pool, device.epoch());
  // An address that comes again has been freed by a way that does not pass here.
  std::uint64_t& held = pool.held[address];
  pool.used += bytes - held;
  held = bytes;
  pool.used_high = std::max(pool.used_high, pool.used);
  pool.reserved_high = std::max(pool.reserved_high, pool.used);
}

void note_release(const board& device, std::uintptr_t address) {
  for (const auto& p : known().pools) {
    if (p->device != static_cast<int>(device.device())) continue;
    follow(*p, device.epoch());
    const auto found = p->held.find(address);
    if (found == p->held.end()) continue;
    p->used -= found->second;
    p->held.erase(found);
  }
}

}  // namespace gt200::cudart

extern "C" {

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return guarded([&](process_state& all) {
    if (pool == nullptr) return cudaErrorInvalidValue;
    if (!is_device(all, device)) return cudaErrorInvalidDevice;
    *pool = &default_pool(device);
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return guarded([&](process_state& all) {
    if (pool == nullptr) return cudaErrorInvalidValue;
    if (!is_device(all, device)) return cudaErrorInvalidDevice;
    *pool = &pool_in_use(device);
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return guarded([&](process_state& all) {
    if (!is_device(all, device)) return cudaErrorInvalidDevice;
    CUmemPoolHandle_st* const found = find_pool(pool);
    if (found == nullptr || found->device != device) return cudaErrorInvalidValue;
    known().in_use[device] = found;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return guarded([&](process_state& all) {
    if (pool == nullptr || properties == nullptr || properties->location.type != cudaMemLocationTypeDevice ||
        properties->allocType != cudaMemAllocationTypePinned)
      return cudaErrorInvalidValue;
    if (properties->handleTypes != cudaMemHandleTypeNone) return cudaErrorNotSupported;
    if (!is_device(all, properties->location.id)) return cudaErrorInvalidDevice;
    CUmemPoolHandle_st& made = make_pool(properties->location.id, false);
    made.most_bytes = properties->maxSize;
    *pool = &made;
    return cudaSuccess;
  });
}
// What the pool has given out stays until it is freed.
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return guarded([&](process_state&) {
    const CUmemPoolHandle_st* const found = find_pool(pool);
    if (found == nullptr || found->is_default) return cudaErrorInvalidValue;
    auto& in_use = known().in_use;
    if (const auto own = in_use.find(found->device); own != in_use.end() && own->second == found) in_use.erase(own);
    auto& all = known().pools;
    all.erase(std::find_if(all.begin(), all.end(), [&](const auto& p) { return p.get() == found; }));
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return guarded([&](process_state& all) {
    CUmemPoolHandle_st* const p = find_pool(pool);
    if (p == nullptr || value == nullptr) return cudaErrorInvalidValue;
    follow(*p, all.boards[static_cast<size_t>(p->device)]->epoch());
    const auto number = [&] { return *static_cast<const std::uint64_t*>(value); };
    switch (static_cast<int>(attribute)) {
      case cudaMemPoolReuseFollowEventDependencies:
      case cudaMemPoolReuseAllowOpportunistic:
      case cudaMemPoolReuseAllowInternalDependencies:
        p->reuse[attribute - cudaMemPoolReuseFollowEventDependencies] = *static_cast<const int*>(value);
        return cudaSuccess;
      case cudaMemPoolAttrReleaseThreshold: p->threshold = number(); return cudaSuccess;
      // A high mark can be reset alone.
      case cudaMemPoolAttrReservedMemHigh:
        if (number() != 0) return cudaErrorInvalidValue;
        p->reserved_high = p->used;
        return cudaSuccess;
      case cudaMemPoolAttrUsedMemHigh:
        if (number() != 0) return cudaErrorInvalidValue;
        p->used_high = p->used;
        return cudaSuccess;
      default: return cudaErrorInvalidValue;
    }
  });
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return guarded([&](process_state& all) {
    CUmemPoolHandle_st* const p = find_pool(pool);
    if (p == nullptr || value == nullptr) return cudaErrorInvalidValue;
    follow(*p, all.boards[static_cast<size_t>(p->device)]->epoch());
    const auto give = [&](std::uint64_t number) {
      *static_cast<std::uint64_t*>(value) = number;
      return cudaSuccess;
    };
    switch (static_cast<int>(attribute)) {
      case cudaMemPoolReuseFollowEventDependencies:
      case cudaMemPoolReuseAllowOpportunistic:
      case cudaMemPoolReuseAllowInternalDependencies:
        *static_cast<int*>(value) = p->reuse[attribute - cudaMemPoolReuseFollowEventDependencies];
        return cudaSuccess;
      case cudaMemPoolAttrReleaseThreshold: return give(p->threshold);
      case cudaMemPoolAttrReservedMemCurrent:
      case cudaMemPoolAttrUsedMemCurrent: return give(p->used);
      case cudaMemPoolAttrReservedMemHigh: return give(p->reserved_high);
      case cudaMemPoolAttrUsedMemHigh: return give(p->used_high);
      default: return cudaErrorInvalidValue;
    }
  });
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  return guarded([&](process_state&) { return find_pool(pool) != nullptr ? cudaSuccess : cudaErrorInvalidValue; });
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* access, size_t count) {
  return guarded([&](process_state&) {
    const CUmemPoolHandle_st* const p = find_pool(pool);
    if (p == nullptr || (count != 0 && access == nullptr)) return cudaErrorInvalidValue;
    for (size_t k = 0; k < count; ++k)
      if (access[k].location.type != cudaMemLocationTypeDevice || access[k].location.id != p->device)
        return cudaErrorNotSupported;
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation* location) {
  return guarded([&](process_state&) {
    const CUmemPoolHandle_st* const p = find_pool(pool);
    if (flags == nullptr || location == nullptr || p == nullptr) return cudaErrorInvalidValue;
    const bool is_own = location->type == cudaMemLocationTypeDevice && location->id == p->device;
    *flags = is_own ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolExportToShareableHandle(void*, cudaMemPool_t, cudaMemAllocationHandleType, unsigned) {
  return refused();
}
cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t*, void*, cudaMemAllocationHandleType, unsigned) {
  return refused();
}
cudaError_t cudaMemPoolExportPointer(cudaMemPoolPtrExportData*, void*) { return refused(); }
cudaError_t cudaMemPoolImportPointer(void**, cudaMemPool_t, cudaMemPoolPtrExportData*) { return refused(); }

}  // extern "C"
