// Streams and events.
#include "cuda/client/event.h"
#include "cuda/driver_api/driver.h"

using namespace gt200::cudart;

extern "C" {

CUresult cuStreamCreate(CUstream* stream, unsigned flags) {
  return in_context([&](process_state& all, board&) {
    if ((flags & ~static_cast<unsigned>(CU_STREAM_NON_BLOCKING)) != 0) return CUDA_ERROR_INVALID_VALUE;
    return result_of(create_stream(all, stream, flags));
  });
}
CUresult cuStreamDestroy(CUstream stream) {
  return in_context([&](process_state& all, board&) { return result_of(destroy_stream(all, stream)); });
}
CUresult cuStreamSynchronize(CUstream stream) {
  return in_context([&](process_state& all, board&) { return result_of(wait_for_stream(all, stream)); });
}
CUresult cuStreamQuery(CUstream stream) { return cuStreamSynchronize(stream); }
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  return in_context([&](process_state& all, board&) {
    if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
    return result_of(hold_back(all, stream, event));
  });
}

CUresult cuEventCreate(CUevent* event, unsigned flags) {
  return in_context([&](process_state& all, board&) {
    constexpr unsigned known = CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING;
    if ((flags & ~known) != 0) return CUDA_ERROR_INVALID_VALUE;
    return result_of(create_event(all, event, (flags & CU_EVENT_DISABLE_TIMING) == 0));
  });
}
CUresult cuEventDestroy(CUevent event) {
  return in_context([&](process_state& all, board&) { return result_of(destroy_event(all, event)); });
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
  return in_context([&](process_state& all, board&) { return result_of(record_event(all, event, stream)); });
}
CUresult cuEventSynchronize(CUevent event) {
  return in_context([&](process_state& all, board&) { return result_of(wait_for_event(all, event)); });
}
CUresult cuEventQuery(CUevent event) { return cuEventSynchronize(event); }
CUresult cuEventElapsedTime(float* milliseconds, CUevent begin, CUevent end) {
  return in_context(
      [&](process_state& all, board&) { return result_of(elapsed_time(all, milliseconds, begin, end)); });
}

}  // extern "C"
