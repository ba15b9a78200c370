// Graphs: nodes, executable graphs, their launches.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "cuda/runtime/capture.h"

using namespace gt200::cudart;

namespace {

// An error is what cudaGetLastError() of this thread returns.
cudaError_t noted(cudaError_t error) {
  if (error != cudaSuccess) this_thread().last_error = error;
  return error;
}

// Adds a node that `set` completes.
template <class body>
cudaError_t add(cudaGraphNode_t* node, cudaGraph_t graph, cudaGraphNodeType type, const cudaGraphNode_t* needs,
                size_t count, body set) {
  if (node == nullptr || find_graph(graph) == nullptr) return noted(cudaErrorInvalidValue);
  CUgraphNode_st* const made = add_node(*graph, type, needs, count);
  if (made == nullptr) return noted(cudaErrorInvalidValue);
  const cudaError_t error = set(*made);
  if (error != cudaSuccess)
    remove_node(*made);
  else
    *node = made;
  return noted(error);
}

template <class body>
cudaError_t with_node(cudaGraphNode_t node, cudaGraphNodeType type, body call) {
  return noted(find_node(node) == nullptr || node->type != type ? cudaErrorInvalidValue : call(*node));
}

// The node of an executable graph that was made of this one.
CUgraphNode_st* node_of(cudaGraphExec_t made, cudaGraphNode_t node) {
  if (find_executable(made) == nullptr) return nullptr;
  const auto found = made->graph->of_original.find(node);
  return found == made->graph->of_original.end() ? nullptr : found->second;
}
template <class body>
cudaError_t with_node_of(cudaGraphExec_t made, cudaGraphNode_t node, cudaGraphNodeType type, body call) {
  CUgraphNode_st* const own = node_of(made, node);
  return noted(own == nullptr || own->type != type ? cudaErrorInvalidValue : call(*own));
}

cudaError_t list(const std::vector<CUgraphNode_st*>& nodes, cudaGraphNode_t* to, size_t* count) {
  if (count == nullptr) return noted(cudaErrorInvalidValue);
  if (to != nullptr) {
    for (size_t k = 0; k < *count; ++k) to[k] = k < nodes.size() ? nodes[k] : nullptr;
    *count = std::min(*count, nodes.size());
  } else {
    *count = nodes.size();
  }
  return cudaSuccess;
}

cudaError_t add_condition(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs, size_t count,
                          cudaConditionalNodeParams& what) {
  const unsigned most = what.type == cudaGraphCondTypeIf ? 2 : what.type == cudaGraphCondTypeWhile ? 1 : 4096;
  if (what.type > cudaGraphCondTypeSwitch || what.size == 0 || what.size > most)
    return noted(cudaErrorInvalidValue);
  return add(node, graph, cudaGraphNodeTypeConditional, needs, count, [&](CUgraphNode_st& n) {
    // The program finds the graphs here, as long as the node is there.
    auto* const graphs = new cudaGraph_t[what.size];
    n.work = [kept = std::shared_ptr<cudaGraph_t[]>(graphs)](cudaStream_t) { return cudaSuccess; };
    n.condition = what.handle;
    n.condition_type = what.type;
    for (unsigned k = 0; k < what.size; ++k) {
      graphs[k] = keep(std::make_unique<CUgraph_st>());
      n.children.emplace_back(graphs[k]);
    }
    what.phGraph_out = graphs;
    return cudaSuccess;
  });
}

// What an update may not change: the nodes, their types and edges, in their order.
cudaGraphExecUpdateResult difference(const CUgraph_st& made, const CUgraph_st& graph, CUgraphNode_st*& wrong) {
  wrong = nullptr;
  if (made.nodes.size() != graph.nodes.size()) return cudaGraphExecUpdateErrorTopologyChanged;
  const auto number = [](const CUgraph_st& g, const CUgraphNode_st* node) {
    return std::find_if(g.nodes.begin(), g.nodes.end(), [&](const auto& n) { return n.get() == node; }) -
           g.nodes.begin();
  };
  for (size_t k = 0; k < graph.nodes.size(); ++k) {
    const CUgraphNode_st& before = *made.nodes[k];
    const CUgraphNode_st& now = *graph.nodes[k];
    wrong = graph.nodes[k].get();
    if (before.type != now.type) return cudaGraphExecUpdateErrorNodeTypeChanged;
    if (before.needs.size() != now.needs.size() || before.children.size() != now.children.size())
      return cudaGraphExecUpdateErrorTopologyChanged;
    for (size_t n = 0; n < now.needs.size(); ++n)
      if (number(made, before.needs[n]) != number(graph, now.needs[n]))
        return cudaGraphExecUpdateErrorTopologyChanged;
    if (now.type == cudaGraphNodeTypeMemAlloc || now.type == cudaGraphNodeTypeMemFree)
      return cudaGraphExecUpdateErrorNotSupported;
    for (size_t c = 0; c < now.children.size(); ++c) {
      CUgraphNode_st* within = nullptr;
      if (const auto result = difference(*before.children[c], *now.children[c], within);
          result != cudaGraphExecUpdateSuccess)
        return result;
    }
  }
  wrong = nullptr;
  return cudaGraphExecUpdateSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
  if (graph == nullptr || flags != 0) return noted(cudaErrorInvalidValue);
  *graph = keep(std::make_unique<CUgraph_st>());
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  if (find_graph(graph) == nullptr) return noted(cudaErrorInvalidValue);
  drop(graph);
  return cudaSuccess;
}
cudaError_t cudaGraphClone(cudaGraph_t* made, cudaGraph_t original) {
  if (made == nullptr || find_graph(original) == nullptr) return noted(cudaErrorInvalidValue);
  *made = keep(clone(*original));
  return cudaSuccess;
}
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original, cudaGraph_t made) {
  if (node == nullptr || find_graph(made) == nullptr) return noted(cudaErrorInvalidValue);
  const auto found = made->of_original.find(original);
  if (found == made->of_original.end()) return noted(cudaErrorInvalidValue);
  *node = found->second;
  return cudaSuccess;
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                   size_t count, const cudaKernelNodeParams* what) {
  return add(node, graph, cudaGraphNodeTypeKernel, needs, count,
             [&](CUgraphNode_st& n) { return what == nullptr ? cudaErrorInvalidValue : set_kernel(n, *what); });
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                   size_t count, const cudaMemcpy3DParms* what) {
  return add(node, graph, cudaGraphNodeTypeMemcpy, needs, count,
             [&](CUgraphNode_st& n) { return what == nullptr ? cudaErrorInvalidValue : set_copy(n, *what); });
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                     size_t count, void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return add(node, graph, cudaGraphNodeTypeMemcpy, needs, count,
             [&](CUgraphNode_st& n) { return set_copy(n, to, from, bytes, kind); });
}
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                           size_t count, const void* symbol, const void* from, size_t bytes,
                                           size_t offset, cudaMemcpyKind kind) {
  return add(node, graph, cudaGraphNodeTypeMemcpy, needs, count, [&](CUgraphNode_st& n) {
    n.work = [=](cudaStream_t s) { return cudaMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, s); };
    return cudaSuccess;
  });
}
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                             size_t count, void* to, const void* symbol, size_t bytes,
                                             size_t offset, cudaMemcpyKind kind) {
  return add(node, graph, cudaGraphNodeTypeMemcpy, needs, count, [&](CUgraphNode_st& n) {
    n.work = [=](cudaStream_t s) { return cudaMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind, s); };
    return cudaSuccess;
  });
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                   size_t count, const cudaMemsetParams* what) {
  return add(node, graph, cudaGraphNodeTypeMemset, needs, count,
             [&](CUgraphNode_st& n) { return what == nullptr ? cudaErrorInvalidValue : set_fill(n, *what); });
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                 size_t count, const cudaHostNodeParams* what) {
  return add(node, graph, cudaGraphNodeTypeHost, needs, count,
             [&](CUgraphNode_st& n) { return what == nullptr ? cudaErrorInvalidValue : set_host(n, *what); });
}
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                       size_t count, cudaGraph_t child) {
  return add(node, graph, cudaGraphNodeTypeGraph, needs, count, [&](CUgraphNode_st& n) {
    if (find_graph(child) == nullptr || child == graph) return cudaErrorInvalidValue;
    n.children.emplace_back(keep(clone(*child)));
    return cudaSuccess;
  });
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                  size_t count) {
  return add(node, graph, cudaGraphNodeTypeEmpty, needs, count, [](CUgraphNode_st&) { return cudaSuccess; });
}
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                        size_t count, cudaEvent_t event) {
  return add(node, graph, cudaGraphNodeTypeEventRecord, needs, count, [&](CUgraphNode_st& n) {
    n.event = event;
    n.work = [event](cudaStream_t stream) { return cudaEventRecord(event, stream); };
    return cudaSuccess;
  });
}
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                      size_t count, cudaEvent_t event) {
  return add(node, graph, cudaGraphNodeTypeWaitEvent, needs, count, [&](CUgraphNode_st& n) {
    n.event = event;
    n.work = [event](cudaStream_t stream) { return cudaStreamWaitEvent(stream, event, 0); };
    return cudaSuccess;
  });
}
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                     size_t count, cudaMemAllocNodeParams* what) {
  return add(node, graph, cudaGraphNodeTypeMemAlloc, needs, count, [&](CUgraphNode_st& n) {
    if (what == nullptr) return cudaErrorInvalidValue;
    n.memory = *what;
    const cudaError_t error = set_memory(n, what->bytesize);
    if (error == cudaSuccess) what->dptr = n.memory.dptr;
    return error;
  });
}
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                    size_t count, void* pointer) {
  return add(node, graph, cudaGraphNodeTypeMemFree, needs, count, [&](CUgraphNode_st& n) {
    n.memory.dptr = pointer;
    return is_of_graph(reinterpret_cast<std::uintptr_t>(pointer)) ? cudaSuccess : cudaErrorInvalidValue;
  });
}
cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs, size_t count,
                             cudaGraphNodeParams* what) {
  if (what == nullptr) return noted(cudaErrorInvalidValue);
  switch (static_cast<int>(what->type)) {
    case cudaGraphNodeTypeKernel: return cudaGraphAddKernelNode(node, graph, needs, count, &what->kernel);
    case cudaGraphNodeTypeMemcpy:
      return cudaGraphAddMemcpyNode(node, graph, needs, count, &what->memcpy.copyParams);
    case cudaGraphNodeTypeMemset: return cudaGraphAddMemsetNode(node, graph, needs, count, &what->memset);
    case cudaGraphNodeTypeHost: return cudaGraphAddHostNode(node, graph, needs, count, &what->host);
    case cudaGraphNodeTypeGraph: return cudaGraphAddChildGraphNode(node, graph, needs, count, what->graph.graph);
    case cudaGraphNodeTypeEmpty: return cudaGraphAddEmptyNode(node, graph, needs, count);
    case cudaGraphNodeTypeWaitEvent:
      return cudaGraphAddEventWaitNode(node, graph, needs, count, what->eventWait.event);
    case cudaGraphNodeTypeEventRecord:
      return cudaGraphAddEventRecordNode(node, graph, needs, count, what->eventRecord.event);
    case cudaGraphNodeTypeMemAlloc: return cudaGraphAddMemAllocNode(node, graph, needs, count, &what->alloc);
    case cudaGraphNodeTypeMemFree: return cudaGraphAddMemFreeNode(node, graph, needs, count, what->free.dptr);
    case cudaGraphNodeTypeConditional: return add_condition(node, graph, needs, count, what->conditional);
    default: return noted(cudaErrorInvalidValue);
  }
}

// The condition is a word of the device, and its handle the word's address.
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph, unsigned value,
                                             unsigned flags) {
  if (handle == nullptr || find_graph(graph) == nullptr || flags > cudaGraphCondAssignDefault)
    return noted(cudaErrorInvalidValue);
  void* word = nullptr;
  if (const cudaError_t error = cudaMalloc(&word, sizeof(unsigned)); error != cudaSuccess) return error;
  *handle = reinterpret_cast<std::uintptr_t>(word);
  graph->memory.push_back(std::make_shared<graph_memory>(process().current(), *handle, sizeof(unsigned)));
  graph->conditions.push_back({*handle, value, flags != 0});
  return cudaMemcpy(word, &value, sizeof value, cudaMemcpyHostToDevice);
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  if (find_node(node) == nullptr) return noted(cudaErrorInvalidValue);
  remove_node(*node);
  return cudaSuccess;
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                     size_t count) {
  if (find_graph(graph) == nullptr || (count != 0 && (from == nullptr || to == nullptr)))
    return noted(cudaErrorInvalidValue);
  for (size_t k = 0; k < count; ++k) {
    for (CUgraphNode_st* node : {from[k], to[k]})
      if (find_node(node) == nullptr || node->graph != graph) return noted(cudaErrorInvalidValue);
    std::vector<CUgraphNode_st*>& needs = to[k]->needs;
    if (from[k] == to[k] || std::find(needs.begin(), needs.end(), from[k]) != needs.end())
      return noted(cudaErrorInvalidValue);
    needs.push_back(from[k]);
  }
  return cudaSuccess;
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                        size_t count) {
  if (find_graph(graph) == nullptr || (count != 0 && (from == nullptr || to == nullptr)))
    return noted(cudaErrorInvalidValue);
  for (size_t k = 0; k < count; ++k) {
    if (find_node(to[k]) == nullptr) return noted(cudaErrorInvalidValue);
    std::vector<CUgraphNode_st*>& needs = to[k]->needs;
    const auto found = std::find(needs.begin(), needs.end(), from[k]);
    if (found == needs.end()) return noted(cudaErrorInvalidValue);
    needs.erase(found);
  }
  return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  if (find_graph(graph) == nullptr) return noted(cudaErrorInvalidValue);
  std::vector<CUgraphNode_st*> found;
  for (const auto& node : graph->nodes) found.push_back(node.get());
  return list(found, nodes, count);
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  if (find_graph(graph) == nullptr) return noted(cudaErrorInvalidValue);
  std::vector<CUgraphNode_st*> found;
  for (const auto& node : graph->nodes)
    if (node->needs.empty()) found.push_back(node.get());
  return list(found, nodes, count);
}
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, size_t* count) {
  if (find_graph(graph) == nullptr || count == nullptr || (from == nullptr) != (to == nullptr))
    return noted(cudaErrorInvalidValue);
  std::vector<CUgraphNode_st*> begins;
  std::vector<CUgraphNode_st*> ends;
  for (const auto& node : graph->nodes)
    for (CUgraphNode_st* needed : node->needs) {
      begins.push_back(needed);
      ends.push_back(node.get());
    }
  size_t same = *count;
  list(ends, to, &same);
  return list(begins, from, count);
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* needs, size_t* count) {
  return find_node(node) == nullptr ? noted(cudaErrorInvalidValue) : list(node->needs, needs, count);
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes, size_t* count) {
  if (find_node(node) == nullptr) return noted(cudaErrorInvalidValue);
  std::vector<CUgraphNode_st*> found;
  for (const auto& other : node->graph->nodes)
    if (std::find(other->needs.begin(), other->needs.end(), node) != other->needs.end())
      found.push_back(other.get());
  return list(found, nodes, count);
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  if (find_node(node) == nullptr || type == nullptr) return noted(cudaErrorInvalidValue);
  *type = node->type;
  return cudaSuccess;
}

// What a node of a type was asked to do.
#define GT200_GET(FUNCTION, TYPE, STRUCT, MEMBER)            \
  cudaError_t FUNCTION(cudaGraphNode_t node, STRUCT* what) { \
    return with_node(node, TYPE, [&](CUgraphNode_st& n) {    \
      if (what == nullptr) return cudaErrorInvalidValue;     \
      *what = n.MEMBER;                                      \
      return cudaSuccess;                                    \
    });                                                      \
  }
GT200_GET(cudaGraphKernelNodeGetParams, cudaGraphNodeTypeKernel, cudaKernelNodeParams, kernel)
GT200_GET(cudaGraphMemcpyNodeGetParams, cudaGraphNodeTypeMemcpy, cudaMemcpy3DParms, copy)
GT200_GET(cudaGraphMemsetNodeGetParams, cudaGraphNodeTypeMemset, cudaMemsetParams, fill)
GT200_GET(cudaGraphHostNodeGetParams, cudaGraphNodeTypeHost, cudaHostNodeParams, host)
GT200_GET(cudaGraphMemAllocNodeGetParams, cudaGraphNodeTypeMemAlloc, cudaMemAllocNodeParams, memory)
#undef GT200_GET
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* pointer) {
  return with_node(node, cudaGraphNodeTypeMemFree, [&](CUgraphNode_st& n) {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    std::memcpy(pointer, &n.memory.dptr, sizeof n.memory.dptr);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* child) {
  return with_node(node, cudaGraphNodeTypeGraph, [&](CUgraphNode_st& n) {
    if (child == nullptr) return cudaErrorInvalidValue;
    *child = n.children[0].get();
    return cudaSuccess;
  });
}

// The same setting of a node, and of the one that an executable graph has of it.
#define GT200_SET(FUNCTION, EXECUTABLE, TYPE, STRUCT, SET)                                                        \
  cudaError_t FUNCTION(cudaGraphNode_t node, const STRUCT* what) {                                                \
    return with_node(node, TYPE,                                                                                  \
                     [&](CUgraphNode_st& n) { return what == nullptr ? cudaErrorInvalidValue : SET(n, *what); }); \
  }                                                                                                               \
  cudaError_t EXECUTABLE(cudaGraphExec_t made, cudaGraphNode_t node, const STRUCT* what) {                        \
    return with_node_of(made, node, TYPE, [&](CUgraphNode_st& n) {                                                \
      return what == nullptr ? cudaErrorInvalidValue : SET(n, *what);                                             \
    });                                                                                                           \
  }
GT200_SET(cudaGraphKernelNodeSetParams, cudaGraphExecKernelNodeSetParams, cudaGraphNodeTypeKernel,
          cudaKernelNodeParams, set_kernel)
GT200_SET(cudaGraphMemcpyNodeSetParams, cudaGraphExecMemcpyNodeSetParams, cudaGraphNodeTypeMemcpy,
          cudaMemcpy3DParms, set_copy)
GT200_SET(cudaGraphMemsetNodeSetParams, cudaGraphExecMemsetNodeSetParams, cudaGraphNodeTypeMemset, cudaMemsetParams,
          set_fill)
GT200_SET(cudaGraphHostNodeSetParams, cudaGraphExecHostNodeSetParams, cudaGraphNodeTypeHost, cudaHostNodeParams,
          set_host)
#undef GT200_SET
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from, size_t bytes,
                                           cudaMemcpyKind kind) {
  return with_node(node, cudaGraphNodeTypeMemcpy,
                   [&](CUgraphNode_st& n) { return set_copy(n, to, from, bytes, kind); });
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t made, cudaGraphNode_t node, void* to,
                                               const void* from, size_t bytes, cudaMemcpyKind kind) {
  return with_node_of(made, node, cudaGraphNodeTypeMemcpy,
                      [&](CUgraphNode_st& n) { return set_copy(n, to, from, bytes, kind); });
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned) {
  static const char* const names[] = {
      "kernel",          "memcpy",    "memset",    "host",     "graph", "empty", "wait for an event",
      "record an event", "semaphore", "semaphore", "allocate", "free",  "",      "condition"};
  if (find_graph(graph) == nullptr || path == nullptr) return noted(cudaErrorInvalidValue);
  std::FILE* const out = std::fopen(path, "w");
  if (out == nullptr) return noted(cudaErrorOperatingSystem);
  std::map<const CUgraphNode_st*, size_t> numbers;
  std::fprintf(out, "digraph {\n");
  for (const auto& node : graph->nodes) {
    numbers.emplace(node.get(), numbers.size());
    std::fprintf(out, "  n%zu [label=\"%s\"];\n", numbers[node.get()], names[node->type]);
  }
  for (const auto& node : graph->nodes)
    for (const CUgraphNode_st* needed : node->needs)
      std::fprintf(out, "  n%zu -> n%zu;\n", numbers[needed], numbers[node.get()]);
  std::fprintf(out, "}\n");
  return noted(std::fclose(out) == 0 ? cudaSuccess : cudaErrorOperatingSystem);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* made, cudaGraph_t graph, unsigned long long flags) {
  constexpr unsigned long long known = cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
                                       cudaGraphInstantiateFlagUseNodePriority;
  if (made == nullptr || find_graph(graph) == nullptr) return noted(cudaErrorInvalidValue);
  // Kernels cannot launch graphs here.
  if ((flags & ~known) != 0)
    return noted(flags == cudaGraphInstantiateFlagDeviceLaunch ? cudaErrorNotSupported : cudaErrorInvalidValue);
  std::vector<CUgraphNode_st*> ordered;
  if (!in_order(*graph, ordered)) return noted(cudaErrorInvalidValue);
  auto result = std::make_unique<CUgraphExec_st>();
  result->graph = clone(*graph);
  *made = keep(std::move(result));
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* made, cudaGraph_t graph, unsigned long long flags) {
  return cudaGraphInstantiate(made, graph, flags);
}
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* made, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* how) {
  if (how == nullptr) return noted(cudaErrorInvalidValue);
  how->errNode_out = nullptr;
  const cudaError_t error = cudaGraphInstantiate(made, graph, how->flags);
  how->result_out = error == cudaSuccess ? 0 : 1;
  return error;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream) {
  if (find_executable(graph) == nullptr) return noted(cudaErrorInvalidValue);
  cudaError_t error = cudaSuccess;
  if (captured(stream, cudaGraphNodeTypeGraph, error, [&](CUgraphNode_st& n) {
        n.children.emplace_back(keep(clone(*graph->graph)));
        return cudaSuccess;
      }))
    return error;
  return noted(run(*graph->graph, stream));
}
cudaError_t cudaGraphUpload(cudaGraphExec_t graph, cudaStream_t) {
  return noted(find_executable(graph) == nullptr ? cudaErrorInvalidValue : cudaSuccess);
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) {
  if (find_executable(graph) == nullptr) return noted(cudaErrorInvalidValue);
  drop(graph);
  return cudaSuccess;
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t made, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* result) {
  if (find_executable(made) == nullptr || find_graph(graph) == nullptr || result == nullptr)
    return noted(cudaErrorInvalidValue);
  CUgraphNode_st* wrong = nullptr;
  *result = {difference(*made->graph, *graph, wrong), nullptr, nullptr};
  result->errorNode = wrong;
  if (result->result != cudaGraphExecUpdateSuccess) return noted(cudaErrorGraphExecUpdateFailure);
  // The program names the nodes of the first graph still.
  std::unique_ptr<CUgraph_st> updated = clone(*graph);
  for (const auto& [original, own] : made->graph->of_original)
    for (size_t k = 0; k < made->graph->nodes.size(); ++k)
      if (made->graph->nodes[k].get() == own) updated->of_original[original] = updated->nodes[k].get();
  made->graph = std::move(updated);
  return cudaSuccess;
}
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t made, cudaGraphNode_t node, unsigned is_enabled) {
  CUgraphNode_st* const own = node_of(made, node);
  if (own == nullptr) return noted(cudaErrorInvalidValue);
  own->is_enabled = is_enabled != 0;
  return cudaSuccess;
}
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t made, cudaGraphNode_t node, unsigned* is_enabled) {
  const CUgraphNode_st* const own = node_of(made, node);
  if (own == nullptr || is_enabled == nullptr) return noted(cudaErrorInvalidValue);
  *is_enabled = own->is_enabled ? 1 : 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
  if (device < 0 || static_cast<size_t>(device) >= process().boards.size()) return noted(cudaErrorInvalidDevice);
  if (value == nullptr || attribute > cudaGraphMemAttrReservedMemHigh) return noted(cudaErrorInvalidValue);
  const bool is_highest = attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
  *static_cast<std::uint64_t*>(value) = is_highest ? most_bytes_of_graphs() : bytes_of_graphs();
  return cudaSuccess;
}
cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
  if (device < 0 || static_cast<size_t>(device) >= process().boards.size()) return noted(cudaErrorInvalidDevice);
  const bool is_highest = attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
  if (value == nullptr || !is_highest || *static_cast<const std::uint64_t*>(value) != 0)
    return noted(cudaErrorInvalidValue);
  reset_most_bytes_of_graphs();
  return cudaSuccess;
}
// Memory goes back with its graph.
cudaError_t cudaDeviceGraphMemTrim(int device) {
  const bool is_device = device >= 0 && static_cast<size_t>(device) < process().boards.size();
  return noted(is_device ? cudaSuccess : cudaErrorInvalidDevice);
}

}  // extern "C"
