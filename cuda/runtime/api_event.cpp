// Streams and events.
#include <algorithm>

#include "cuda/client/event.h"
#include "cuda/runtime/capture.h"

using namespace gt200::cudart;

namespace {

// Of streams; those of lower numbers come first. Grids run one at a time here, in the order of their launches.
int greatest_priority(const device_description& d) {
  constexpr unsigned first_with_priorities = 35;
  constexpr int greatest = -5;
  return d.capability >= first_with_priorities ? greatest : 0;
}

}  // namespace

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return guarded([&](process_state& all) { return create_stream(all, stream); });
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return guarded([&](process_state& all) {
    if ((flags & ~static_cast<unsigned>(cudaStreamNonBlocking)) != 0) return cudaErrorInvalidValue;
    device_description d;
    if (const status result = all.current().describe(d); result != status::success) return error_of(result);
    return create_stream(all, stream, flags, std::clamp(priority, greatest_priority(d), 0));
  });
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  return guarded([&](process_state& all) {
    if (flags == nullptr) return cudaErrorInvalidValue;
    if (!is_stream(all, stream)) return cudaErrorInvalidResourceHandle;
    *flags = own_stream(stream) == nullptr ? cudaStreamDefault : stream->flags;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return guarded([&](process_state& all) {
    if (priority == nullptr) return cudaErrorInvalidValue;
    if (!is_stream(all, stream)) return cudaErrorInvalidResourceHandle;
    *priority = own_stream(stream) == nullptr ? 0 : stream->priority;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return guarded([&](process_state& all) {
    device_description d;
    if (const status result = all.current().describe(d); result != status::success) return error_of(result);
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = greatest_priority(d);
    return cudaSuccess;
  });
}

// What was asked for before has ended when the function is called. It may not call the API, as CUDA has it.
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned flags) {
  if (callback == nullptr || flags != 0) return guarded([](process_state&) { return cudaErrorInvalidValue; });
  cudaError_t result = cudaSuccess;
  if (captured(stream, cudaGraphNodeTypeHost, result, [&](CUgraphNode_st& n) {
        n.work = [=](cudaStream_t s) { return cudaStreamAddCallback(s, callback, data, 0); };
        return cudaSuccess;
      }))
    return result;
  const cudaError_t error = cudaStreamSynchronize(stream);
  if (error == cudaErrorInvalidResourceHandle) return error;
  callback(stream, error, data);
  return cudaSuccess;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  if (function == nullptr) return guarded([](process_state&) { return cudaErrorInvalidValue; });
  cudaError_t result = cudaSuccess;
  if (captured(stream, cudaGraphNodeTypeHost, result, [&](CUgraphNode_st& n) {
        return set_host(n, {function, data});
      }))
    return result;
  if (const cudaError_t error = cudaStreamSynchronize(stream); error != cudaSuccess) return error;
  function(data);
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return guarded([&](process_state& all) { return destroy_stream(all, stream); });
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  if (is_any_captured() && captured_graph(stream) != nullptr) return invalidate(stream);
  return guarded([&](process_state& all) { return wait_for_stream(all, stream); });
}
cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  cudaError_t result = cudaSuccess;
  if (wait_captured(event, stream, result)) return result;
  return guarded([&](process_state& all) {
    if (flags > cudaEventWaitExternal) return cudaErrorInvalidValue;
    return hold_back(all, stream, event);
  });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return guarded([&](process_state& all) { return create_event(all, event, true); });
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return guarded([&](process_state& all) {
    constexpr unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    if ((flags & ~known) != 0) return cudaErrorInvalidValue;
    return create_event(all, event, (flags & cudaEventDisableTiming) == 0);
  });
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return guarded([&](process_state& all) { return destroy_event(all, event); });
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  cudaError_t result = cudaSuccess;
  if (record_captured(event, stream, result)) return result;
  return guarded([&](process_state& all) { return record_event(all, event, stream); });
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  if (flags > 1) return guarded([](process_state&) { return cudaErrorInvalidValue; });
  return cudaEventRecord(event, stream);
}
cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  if (is_captured(event)) return guarded([](process_state&) { return cudaErrorCapturedEvent; });
  return guarded([&](process_state& all) { return wait_for_event(all, event); });
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  return guarded([&](process_state& all) { return elapsed_time(all, milliseconds, begin, end); });
}

}  // extern "C"
