// Streams and events, of either API. Calls take effect in one order, which keeps the order within each stream; the
// worker has the times at which the work of every stream runs (cuda/worker/schedule.h). Times are those of the
// device.
#pragma once

#include "cuda/client/state.h"

namespace gt200::cudart {

// They belong to the device, or context, that was current when they were made, and end with its worker. Null is the
// default stream of the current device.
bool is_stream(const process_state& all, const CUstream_st* stream);
bool is_event(const process_state& all, const CUevent_st* event);
// Launches, copies and fills of the current device can join the stream.
bool takes_work(process_state& all, const CUstream_st* stream);

cudaError_t create_stream(process_state& all, CUstream_st** stream, unsigned flags = 0, int priority = 0);
cudaError_t destroy_stream(process_state& all, CUstream_st* stream);
// `has_time`: elapsed_time() takes it.
cudaError_t create_event(process_state& all, CUevent_st** event, bool has_time);
cudaError_t destroy_event(process_state& all, CUevent_st* event);
// cudaErrorInvalidResourceHandle unless there is such a stream or event; else waits for its device.
cudaError_t wait_for_stream(process_state& all, const CUstream_st* stream);
cudaError_t wait_for_event(process_state& all, const CUevent_st* event);
// The event and the stream must be of one device.
cudaError_t record_event(process_state& all, CUevent_st* event, const CUstream_st* stream);
// Later work of the stream begins no earlier than the event.
cudaError_t hold_back(process_state& all, const CUstream_st* stream, const CUevent_st* event);
cudaError_t elapsed_time(process_state& all, float* milliseconds, const CUevent_st* begin, const CUevent_st* end);

// guarded() for a call that gives the stream work.
template <class body>
cudaError_t guarded_in(const CUstream_st* stream, body call) {
  return guarded([&](process_state& all) -> cudaError_t {
    if (!takes_work(all, stream)) return cudaErrorInvalidResourceHandle;
    const call_scope scope(in_stream(stream));
    return call(all);
  });
}

}  // namespace gt200::cudart
