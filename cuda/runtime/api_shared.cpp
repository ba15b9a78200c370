// Attributes of streams, and what processes would share: nothing is shared between processes.
#include "cuda/client/event.h"

using namespace gt200::cudart;

namespace {

cudaError_t refused() {
  return guarded([](process_state&) { return cudaErrorNotSupported; });
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

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t*, void*) { return refused(); }
cudaError_t cudaIpcOpenMemHandle(void**, cudaIpcMemHandle_t, unsigned) { return refused(); }
cudaError_t cudaIpcCloseMemHandle(void*) { return refused(); }
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t*, cudaEvent_t) { return refused(); }
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t*, cudaIpcEventHandle_t) { return refused(); }

}  // extern "C"
