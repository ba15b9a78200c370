// Streams and events, of either API. Grids run one at a time, as this hardware runs them, and every call joins one
// order, which keeps the order within each stream. Times are those of the device.
#pragma once

#include "cuda/client/state.h"

namespace gt200::cudart {

bool is_stream(const process_state& all, const CUstream_st* stream);
bool is_event(const process_state& all, const CUevent_st* event);

cudaError_t create_stream(process_state& all, CUstream_st** stream);
cudaError_t destroy_stream(process_state& all, CUstream_st* stream);
cudaError_t create_event(process_state& all, CUevent_st** event);
cudaError_t destroy_event(process_state& all, CUevent_st* event);
cudaError_t record_event(process_state& all, CUevent_st* event, const CUstream_st* stream);
cudaError_t elapsed_time(process_state& all, float* milliseconds, const CUevent_st* begin, const CUevent_st* end);

}  // namespace gt200::cudart
