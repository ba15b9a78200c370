// Streams that are captured: their calls become nodes of a graph and are not carried out.
#pragma once

#include <utility>

#include "cuda/runtime/graph.h"

namespace gt200::cudart {

// Whether a stream is captured at all: what calls ask first.
bool is_any_captured();
// The graph that the stream's calls go to; null if it is not captured.
CUgraph_st* captured_graph(cudaStream_t stream);
// A node behind what the stream has so far.
CUgraphNode_st* add_captured(cudaStream_t stream, cudaGraphNodeType type);
// A call that cannot be captured: the capture is of no use any more.
cudaError_t invalidate(cudaStream_t stream);

// Calls about events: true if they concern a capture, and `error` is the result.
bool record_captured(cudaEvent_t event, cudaStream_t stream, cudaError_t& error);
bool wait_captured(cudaEvent_t event, cudaStream_t stream, cudaError_t& error);
bool is_captured(cudaEvent_t event);

// True if the stream is captured. Its call then becomes a node that does `work`.
template <class body>
bool captured(cudaStream_t stream, cudaGraphNodeType type, cudaError_t& error, body&& work) {
  if (!is_any_captured() || captured_graph(stream) == nullptr) return false;
  CUgraphNode_st* const node = add_captured(stream, type);
  error = node != nullptr ? work(*node) : cudaErrorStreamCaptureInvalidated;
  return true;
}

}  // namespace gt200::cudart
