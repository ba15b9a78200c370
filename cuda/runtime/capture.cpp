#include "cuda/runtime/capture.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <thread>

#include "cuda/client/event.h"

using namespace gt200::cudart;

namespace {

struct capture {
  unsigned long long id = 0;
  CUgraph_st* graph = nullptr;
  bool is_own_graph = true;  // made for the capture
  bool is_invalid = false;
  cudaStream_t origin = nullptr;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::thread::id thread;
  std::map<cudaStream_t, std::vector<CUgraphNode_st*>> last;  // what the next node of a stream needs
  std::set<CUgraphNode_st*> at_beginning;                     // nodes that the graph had before
};

struct all_captures {
  std::recursive_mutex mutex;
  std::atomic<unsigned> count{0};
  unsigned long long last_id = 0;
  std::vector<std::unique_ptr<capture>> running;
  struct place {
    capture* of = nullptr;
    std::vector<CUgraphNode_st*> nodes;
  };
  std::map<cudaEvent_t, place> events;

  capture* of(cudaStream_t stream) {
    for (const auto& c : running)
      if (c->last.count(stream) != 0) return c.get();
    return nullptr;
  }
  void end(const capture* ended) {
    for (auto at = events.begin(); at != events.end();)
      at = at->second.of == ended ? events.erase(at) : std::next(at);
    running.erase(std::find_if(running.begin(), running.end(), [&](const auto& c) { return c.get() == ended; }));
    --count;
  }
};
all_captures& all() {
  static auto* const known = new all_captures;  // see process()
  return *known;
}
using guard = std::lock_guard<std::recursive_mutex>;

// An error is what cudaGetLastError() of this thread returns.
cudaError_t noted(cudaError_t error) {
  if (error != cudaSuccess) this_thread().last_error = error;
  return error;
}

void unite(std::vector<CUgraphNode_st*>& to, const std::vector<CUgraphNode_st*>& more) {
  for (CUgraphNode_st* node : more)
    if (std::find(to.begin(), to.end(), node) == to.end()) to.push_back(node);
}

bool is_known(cudaStream_t stream) {
  process_state& state = process();
  const std::lock_guard<std::mutex> one_at_a_time(state.mutex);
  return own_stream(stream) == nullptr || is_stream(state, stream);
}

// All nodes of the other streams are joined again if only those of the origin have no dependents.
bool is_joined(const capture& c) {
  std::set<const CUgraphNode_st*> needed;
  for (const auto& node : c.graph->nodes) needed.insert(node->needs.begin(), node->needs.end());
  const std::vector<CUgraphNode_st*>& ends = c.last.at(c.origin);
  return std::all_of(c.graph->nodes.begin(), c.graph->nodes.end(), [&](const auto& node) {
    return needed.count(node.get()) != 0 || std::find(ends.begin(), ends.end(), node.get()) != ends.end() ||
           c.at_beginning.count(node.get()) != 0;
  });
}

}  // namespace

namespace gt200::cudart {

bool is_any_captured() { return all().count != 0; }

CUgraph_st* captured_graph(cudaStream_t stream) {
  const guard one_at_a_time(all().mutex);
  const capture* c = all().of(stream);
  return c == nullptr ? nullptr : c->graph;
}

CUgraphNode_st* add_captured(cudaStream_t stream, cudaGraphNodeType type) {
  const guard one_at_a_time(all().mutex);
  capture* c = all().of(stream);
  if (c->is_invalid) return nullptr;
  std::vector<CUgraphNode_st*>& last = c->last[stream];
  CUgraphNode_st* const node = add_node(*c->graph, type, last.data(), last.size());
  if (node != nullptr) last = {node};
  return node;
}

cudaError_t invalidate(cudaStream_t stream) {
  const guard one_at_a_time(all().mutex);
  if (capture* c = all().of(stream); c != nullptr) c->is_invalid = true;
  return noted(cudaErrorStreamCaptureUnsupported);
}

bool record_captured(cudaEvent_t event, cudaStream_t stream, cudaError_t& error) {
  if (!is_any_captured()) return false;
  const guard one_at_a_time(all().mutex);
  capture* c = all().of(stream);
  if (c == nullptr) {
    all().events.erase(event);
    return false;
  }
  all().events[event] = {c, c->last[stream]};
  error = c->is_invalid ? noted(cudaErrorStreamCaptureInvalidated) : cudaSuccess;
  return true;
}

bool wait_captured(cudaEvent_t event, cudaStream_t stream, cudaError_t& error) {
  if (!is_any_captured()) return false;
  const guard one_at_a_time(all().mutex);
  const auto found = all().events.find(event);
  capture* c = all().of(stream);
  if (found == all().events.end()) {
    if (c == nullptr) return false;
    // Work outside of the graph cannot be waited for within.
    c->is_invalid = true;
    error = noted(cudaErrorStreamCaptureIsolation);
    return true;
  }
  if (c != nullptr && c != found->second.of) {
    c->is_invalid = found->second.of->is_invalid = true;
    error = noted(cudaErrorStreamCaptureMerge);
    return true;
  }
  unite(found->second.of->last[stream], found->second.nodes);
  error = found->second.of->is_invalid ? noted(cudaErrorStreamCaptureInvalidated) : cudaSuccess;
  return true;
}

bool is_captured(cudaEvent_t event) {
  if (!is_any_captured()) return false;
  const guard one_at_a_time(all().mutex);
  return all().events.count(event) != 0;
}

}  // namespace gt200::cudart

extern "C" {

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                          const cudaGraphEdgeData*, size_t count, cudaStreamCaptureMode mode) {
  if (mode > cudaStreamCaptureModeRelaxed || (graph != nullptr && find_graph(graph) == nullptr))
    return noted(cudaErrorInvalidValue);
  if (!is_known(stream)) return noted(cudaErrorInvalidResourceHandle);
  // The default stream of all threads cannot be captured.
  if (stream == nullptr || reinterpret_cast<std::uintptr_t>(stream) == 1)
    return noted(cudaErrorStreamCaptureUnsupported);
  const guard one_at_a_time(all().mutex);
  if (all().of(stream) != nullptr) return noted(cudaErrorIllegalState);
  auto made = std::make_unique<capture>();
  if (graph != nullptr)
    for (const auto& node : graph->nodes) made->at_beginning.insert(node.get());
  for (size_t k = 0; k < count; ++k)
    if (needs == nullptr || made->at_beginning.count(needs[k]) == 0) return noted(cudaErrorInvalidValue);
  made->id = ++all().last_id;
  made->is_own_graph = graph == nullptr;
  made->graph = graph != nullptr ? graph : keep(std::make_unique<CUgraph_st>());
  made->origin = stream;
  made->mode = mode;
  made->thread = std::this_thread::get_id();
  made->last[stream].assign(needs, needs + count);
  all().running.push_back(std::move(made));
  ++all().count;
  return cudaSuccess;
}
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return cudaStreamBeginCaptureToGraph(stream, nullptr, nullptr, nullptr, 0, mode);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  if (graph == nullptr) return noted(cudaErrorInvalidValue);
  if (!is_known(stream)) return noted(cudaErrorInvalidResourceHandle);
  const guard one_at_a_time(all().mutex);
  capture* c = all().of(stream);
  *graph = nullptr;
  if (c == nullptr) return noted(cudaErrorIllegalState);
  cudaError_t error = cudaSuccess;
  if (c->mode != cudaStreamCaptureModeRelaxed && c->thread != std::this_thread::get_id())
    return noted(cudaErrorStreamCaptureWrongThread);
  if (c->origin != stream)
    error = cudaErrorStreamCaptureUnmatched;
  else if (c->is_invalid)
    error = cudaErrorStreamCaptureInvalidated;
  else if (!is_joined(*c))
    error = cudaErrorStreamCaptureUnjoined;
  if (error == cudaSuccess)
    *graph = c->graph;
  else if (c->is_own_graph)
    drop(c->graph);
  all().end(c);
  return noted(error);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return cudaStreamGetCaptureInfo(stream, status, nullptr, nullptr, nullptr, nullptr);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                     cudaGraph_t* graph, const cudaGraphNode_t** needs, size_t* count) {
  if (status == nullptr) return noted(cudaErrorInvalidValue);
  if (!is_known(stream)) return noted(cudaErrorInvalidResourceHandle);
  const guard one_at_a_time(all().mutex);
  capture* c = all().of(stream);
  *status = c == nullptr    ? cudaStreamCaptureStatusNone
            : c->is_invalid ? cudaStreamCaptureStatusInvalidated
                            : cudaStreamCaptureStatusActive;
  if (c == nullptr) return cudaSuccess;
  if (id != nullptr) *id = c->id;
  if (graph != nullptr) *graph = c->graph;
  if (needs != nullptr) *needs = c->last[stream].data();
  if (count != nullptr) *count = c->last[stream].size();
  return cudaSuccess;
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* needs, size_t count,
                                                unsigned flags) {
  if (flags > cudaStreamSetCaptureDependencies || (count != 0 && needs == nullptr))
    return noted(cudaErrorInvalidValue);
  const guard one_at_a_time(all().mutex);
  capture* c = all().of(stream);
  if (c == nullptr) return noted(cudaErrorIllegalState);
  for (size_t k = 0; k < count; ++k)
    if (find_node(needs[k]) == nullptr || needs[k]->graph != c->graph) return noted(cudaErrorInvalidValue);
  std::vector<CUgraphNode_st*>& last = c->last[stream];
  if (flags == cudaStreamSetCaptureDependencies) last.clear();
  unite(last, {needs, needs + count});
  return cudaSuccess;
}

// Calls that a capture does not allow are refused whatever the mode of a thread is.
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  static thread_local cudaStreamCaptureMode own = cudaStreamCaptureModeGlobal;
  if (mode == nullptr || *mode > cudaStreamCaptureModeRelaxed) return noted(cudaErrorInvalidValue);
  std::swap(own, *mode);
  return cudaSuccess;
}

}  // extern "C"
