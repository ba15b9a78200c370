// Streams and events.
#include "cuda/client/event.h"

using namespace gt200::cudart;

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return guarded([&](process_state& all) { return create_stream(all, stream); });
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return guarded([&](process_state& all) { return destroy_stream(all, stream); });
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return guarded([&](process_state& all) { return wait_for_stream(all, stream); });
}
cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return guarded([&](process_state& all) {
    if (flags != 0) return cudaErrorInvalidValue;
    return hold_back(all, stream, event);
  });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return guarded([&](process_state& all) { return create_event(all, event, true); });
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return guarded([&](process_state& all) {
    constexpr unsigned known = cudaEventBlockingSync | cudaEventDisableTiming;
    if ((flags & ~known) != 0) return cudaErrorInvalidValue;
    return create_event(all, event, (flags & cudaEventDisableTiming) == 0);
  });
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return guarded([&](process_state& all) { return destroy_event(all, event); });
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return guarded([&](process_state& all) { return record_event(all, event, stream); });
}
cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return guarded([&](process_state& all) { return wait_for_event(all, event); });
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  return guarded([&](process_state& all) { return elapsed_time(all, milliseconds, begin, end); });
}

}  // extern "C"
