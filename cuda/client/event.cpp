#include "cuda/client/event.h"

namespace gt200::cudart {
namespace {

constexpr double femtoseconds_per_millisecond = 1e12;

}  // namespace

bool is_stream(const process_state& all, const CUstream_st* stream) {
  return stream == nullptr || all.streams.count(stream) != 0;
}
bool is_event(const process_state& all, const CUevent_st* event) { return all.events.count(event) != 0; }

cudaError_t create_stream(process_state& all, CUstream_st** stream) {
  if (stream == nullptr) return cudaErrorInvalidValue;
  *stream = new CUstream_st;
  all.streams.insert(*stream);
  return cudaSuccess;
}

cudaError_t destroy_stream(process_state& all, CUstream_st* stream) {
  if (all.streams.erase(stream) == 0) return cudaErrorInvalidResourceHandle;
  delete stream;
  return cudaSuccess;
}

cudaError_t create_event(process_state& all, CUevent_st** event) {
  if (event == nullptr) return cudaErrorInvalidValue;
  *event = new CUevent_st;
  all.events.insert(*event);
  return cudaSuccess;
}

cudaError_t destroy_event(process_state& all, CUevent_st* event) {
  if (all.events.erase(event) == 0) return cudaErrorInvalidResourceHandle;
  delete event;
  return cudaSuccess;
}

cudaError_t record_event(process_state& all, CUevent_st* event, const CUstream_st* stream) {
  if (!is_event(all, event) || !is_stream(all, stream)) return cudaErrorInvalidResourceHandle;
  board* device = nullptr;
  if (const cudaError_t error = all.ready(device); error != cudaSuccess) return error;
  message_reader reply;
  const status result = device->ask(command::time, {}, reply);
  if (result != status::success) return error_of(result);
  event->at = reply.get<std::uint64_t>();
  event->is_recorded = true;
  return cudaSuccess;
}

cudaError_t elapsed_time(process_state& all, float* milliseconds, const CUevent_st* begin, const CUevent_st* end) {
  if (milliseconds == nullptr) return cudaErrorInvalidValue;
  if (!is_event(all, begin) || !is_event(all, end) || !begin->is_recorded || !end->is_recorded)
    return cudaErrorInvalidResourceHandle;
  *milliseconds = static_cast<float>((static_cast<double>(end->at) - static_cast<double>(begin->at)) /
                                     femtoseconds_per_millisecond);
  return cudaSuccess;
}

}  // namespace gt200::cudart
