// Streams and events. Grids run one at a time, as this hardware runs them, and every call joins one order, which
// keeps the order within each stream. Times are those of the device.
#include "cuda/runtime/state.h"

using namespace gt200::cudart;

namespace {

constexpr double femtoseconds_per_millisecond = 1e12;

bool is_stream(const process_state& all, cudaStream_t stream) {
  return stream == nullptr || all.streams.count(stream) != 0;
}

cudaError_t wait(process_state& all) {
  return all.current().is_running() ? error_of(all.current().ask(command::wait)) : cudaSuccess;
}

cudaError_t create(process_state& all, cudaEvent_t* event) {
  if (event == nullptr) return cudaErrorInvalidValue;
  *event = new CUevent_st;
  all.events.insert(*event);
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return guarded([&](process_state& all) {
    if (stream == nullptr) return cudaErrorInvalidValue;
    *stream = new CUstream_st;
    all.streams.insert(*stream);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return guarded([&](process_state& all) {
    if (all.streams.erase(stream) == 0) return cudaErrorInvalidResourceHandle;
    delete stream;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return guarded(
      [&](process_state& all) { return is_stream(all, stream) ? wait(all) : cudaErrorInvalidResourceHandle; });
}
cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return guarded([&](process_state& all) {
    if (flags != 0) return cudaErrorInvalidValue;
    return is_stream(all, stream) && all.events.count(event) != 0 ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return guarded([&](process_state& all) { return create(all, event); });
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return guarded([&](process_state& all) {
    constexpr unsigned known = cudaEventBlockingSync | cudaEventDisableTiming;
    return (flags & ~known) != 0 ? cudaErrorInvalidValue : create(all, event);
  });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return guarded([&](process_state& all) {
    if (all.events.erase(event) == 0) return cudaErrorInvalidResourceHandle;
    delete event;
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return guarded([&](process_state& all) {
    if (all.events.count(event) == 0 || !is_stream(all, stream)) return cudaErrorInvalidResourceHandle;
    board* device = nullptr;
    if (const cudaError_t error = all.ready(device); error != cudaSuccess) return error;
    message_reader reply;
    const status result = device->ask(command::time, {}, reply);
    if (result != status::success) return error_of(result);
    event->at = reply.get<std::uint64_t>();
    event->is_recorded = true;
    return cudaSuccess;
  });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return guarded([&](process_state& all) {
    return all.events.count(event) != 0 ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return guarded([&](process_state& all) {
    return all.events.count(event) != 0 ? wait(all) : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  return guarded([&](process_state& all) {
    if (milliseconds == nullptr) return cudaErrorInvalidValue;
    if (all.events.count(begin) == 0 || all.events.count(end) == 0 || !begin->is_recorded || !end->is_recorded)
      return cudaErrorInvalidResourceHandle;
    *milliseconds = static_cast<float>((static_cast<double>(end->at) - static_cast<double>(begin->at)) /
                                       femtoseconds_per_millisecond);
    return cudaSuccess;
  });
}

}  // extern "C"
