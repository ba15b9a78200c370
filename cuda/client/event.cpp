#include "cuda/client/event.h"

#include "cuda/client/host_time.h"

namespace gt200::cudart {
namespace {

constexpr double femtoseconds_per_millisecond = 1e12;

}  // namespace

bool is_stream(const process_state& all, const CUstream_st* stream) {
  return own_stream(stream) == nullptr || all.streams.count(stream) != 0;
}
bool is_event(const process_state& all, const CUevent_st* event) { return all.events.count(event) != 0; }
bool takes_work(process_state& all, const CUstream_st* given) {
  const CUstream_st* const stream = own_stream(given);
  return stream == nullptr || (is_stream(all, stream) && stream->owner == &all.current());
}

cudaError_t create_stream(process_state& all, CUstream_st** stream, unsigned flags, int priority) {
  if (stream == nullptr) return cudaErrorInvalidValue;
  *stream = new CUstream_st{&all.current(), ++all.last_stream, flags, priority};
  all.streams.insert(*stream);
  return cudaSuccess;
}

cudaError_t destroy_stream(process_state& all, CUstream_st* stream) {
  if (all.streams.erase(stream) == 0) return cudaErrorInvalidResourceHandle;
  delete stream;
  return cudaSuccess;
}

cudaError_t create_event(process_state& all, CUevent_st** event, bool has_time) {
  if (event == nullptr) return cudaErrorInvalidValue;
  *event = new CUevent_st;
  (*event)->owner = &all.current();
  (*event)->has_time = has_time;
  all.events.insert(*event);
  return cudaSuccess;
}

cudaError_t destroy_event(process_state& all, CUevent_st* event) {
  if (all.events.erase(event) == 0) return cudaErrorInvalidResourceHandle;
  delete event;
  return cudaSuccess;
}

cudaError_t wait_for_stream(process_state& all, const CUstream_st* given) {
  const CUstream_st* const stream = own_stream(given);
  if (!is_stream(all, stream)) return cudaErrorInvalidResourceHandle;
  const call_scope scope(in_stream(stream));
  return stream == nullptr ? all.wait() : all.wait(*stream->owner);
}

cudaError_t wait_for_event(process_state& all, const CUevent_st* event) {
  if (!is_event(all, event)) return cudaErrorInvalidResourceHandle;
  // Work behind the event is not waited for.
  const call_scope scope(in_stream(no_stream));
  const cudaError_t error = all.wait(*event->owner);
  if (event->is_recorded) pass_host_time_to(event->at);
  return error;
}

cudaError_t record_event(process_state& all, CUevent_st* event, const CUstream_st* given) {
  const CUstream_st* const stream = own_stream(given);
  if (!is_event(all, event) || !is_stream(all, stream)) return cudaErrorInvalidResourceHandle;
  board* device = stream == nullptr ? &all.current() : stream->owner;
  if (event->owner != device) return cudaErrorInvalidResourceHandle;
  if (device == &all.current())
    if (const cudaError_t error = all.ready(device); error != cudaSuccess) return error;
  message_reader reply;
  const call_scope scope(in_stream(stream));
  const status result = device->ask(command::time, {}, reply);
  if (result != status::success) return error_of(result);
  event->at = reply.get<std::uint64_t>();
  event->is_recorded = true;
  return cudaSuccess;
}

cudaError_t hold_back(process_state& all, const CUstream_st* given, const CUevent_st* event) {
  const CUstream_st* const stream = own_stream(given);
  if (!is_stream(all, stream) || !is_event(all, event)) return cudaErrorInvalidResourceHandle;
  board& device = stream == nullptr ? all.current() : *stream->owner;
  if (!event->is_recorded || !device.is_in_use()) return cudaSuccess;
  const call_scope scope(in_stream(stream));
  return error_of(device.ask(command::hold_back, message_writer().put<std::uint64_t>(event->at)));
}

cudaError_t elapsed_time(process_state& all, float* milliseconds, const CUevent_st* begin, const CUevent_st* end) {
  if (milliseconds == nullptr) return cudaErrorInvalidValue;
  for (const CUevent_st* e : {begin, end})
    if (!is_event(all, e) || !e->has_time || !e->is_recorded) return cudaErrorInvalidResourceHandle;
  if (begin->owner != end->owner) return cudaErrorInvalidResourceHandle;
  *milliseconds = static_cast<float>((static_cast<double>(end->at) - static_cast<double>(begin->at)) /
                                     femtoseconds_per_millisecond);
  return cudaSuccess;
}

}  // namespace gt200::cudart
