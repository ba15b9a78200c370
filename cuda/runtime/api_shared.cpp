// Attributes of streams, pools, and what processes share. There is one pool, the memory of the device; nothing is
// shared between processes.
#include "cuda/client/event.h"

using namespace gt200::cudart;

namespace {

cudaError_t refused() {
  return guarded([](process_state&) { return cudaErrorNotSupported; });
}

cudaMemPool_t pool_of(int device) {
  cudaMemPool_t pool = nullptr;
  cudaDeviceGetDefaultMemPool(&pool, device);
  return pool;
}

}  // namespace

extern "C" {

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   const cudaLaunchAttributeValue* value) {
  return guarded([&](process_state& all) {
    if (!is_stream(all, stream)) return cudaErrorInvalidResourceHandle;
    if (value == nullptr) return cudaErrorInvalidValue;
    switch (static_cast<int>(attribute)) {
      case cudaLaunchAttributeAccessPolicyWindow:
      case cudaLaunchAttributeSynchronizationPolicy: return cudaSuccess;
      case cudaLaunchAttributePriority:
        if (own_stream(stream) != nullptr) stream->priority = value->priority;
        return cudaSuccess;
      default: return cudaErrorInvalidValue;
    }
  });
}
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   cudaLaunchAttributeValue* value) {
  return guarded([&](process_state& all) {
    if (!is_stream(all, stream)) return cudaErrorInvalidResourceHandle;
    if (value == nullptr) return cudaErrorInvalidValue;
    *value = {};
    switch (static_cast<int>(attribute)) {
      case cudaLaunchAttributeAccessPolicyWindow: return cudaSuccess;
      case cudaLaunchAttributeSynchronizationPolicy: value->syncPolicy = cudaSyncPolicyAuto; return cudaSuccess;
      case cudaLaunchAttributePriority:
        value->priority = own_stream(stream) == nullptr ? 0 : stream->priority;
        return cudaSuccess;
      default: return cudaErrorInvalidValue;
    }
  });
}
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  return guarded([&](process_state& all) {
    if (!is_stream(all, to) || !is_stream(all, from)) return cudaErrorInvalidResourceHandle;
    if (own_stream(to) != nullptr && own_stream(from) != nullptr) to->priority = from->priority;
    return cudaSuccess;
  });
}
// No line of the L2 is kept longer than others.
cudaError_t cudaCtxResetPersistingL2Cache(void) { return cudaSuccess; }

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  if (pool == nullptr || properties == nullptr || properties->location.type != cudaMemLocationTypeDevice)
    return guarded([](process_state&) { return cudaErrorInvalidValue; });
  if (properties->handleTypes != cudaMemHandleTypeNone) return refused();
  return cudaDeviceGetDefaultMemPool(pool, properties->location.id);
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return guarded([&](process_state&) { return pool == nullptr ? cudaErrorInvalidValue : cudaSuccess; });
}
// Other devices reach the memory by copies alone.
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* access, size_t count) {
  const bool is_pool = pool != nullptr && pool == pool_of(0);
  return guarded([&](process_state& all) {
    if (!is_pool || (count != 0 && access == nullptr)) return cudaErrorInvalidValue;
    for (size_t k = 0; k < count; ++k)
      if (access[k].location.type != cudaMemLocationTypeDevice ||
          access[k].location.id != static_cast<int>(all.current().device()))
        return cudaErrorNotSupported;
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation* location) {
  const bool is_pool = pool != nullptr && pool == pool_of(0);
  return guarded([&](process_state& all) {
    if (flags == nullptr || location == nullptr || !is_pool) return cudaErrorInvalidValue;
    const bool is_own =
        location->type == cudaMemLocationTypeDevice && location->id == static_cast<int>(all.current().device());
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
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t*, void*) { return refused(); }
cudaError_t cudaIpcOpenMemHandle(void**, cudaIpcMemHandle_t, unsigned) { return refused(); }
cudaError_t cudaIpcCloseMemHandle(void*) { return refused(); }
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t*, cudaEvent_t) { return refused(); }
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t*, cudaIpcEventHandle_t) { return refused(); }

}  // extern "C"
