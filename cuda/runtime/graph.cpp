#include "cuda/runtime/graph.h"

#include <algorithm>
#include <mutex>
#include <set>

namespace gt200::cudart {
namespace {

struct all_graphs {
  std::recursive_mutex mutex;
  std::set<CUgraph_st*> graphs;
  std::set<CUgraphNode_st*> nodes;
  std::set<CUgraphExec_st*> executables;
  std::map<std::uint64_t, std::uint64_t> memory;  // bytes by address
  std::uint64_t bytes = 0;
  std::uint64_t most_bytes = 0;
};
all_graphs& all() {
  static auto* const known = new all_graphs;  // see process()
  return *known;
}
using guard = std::lock_guard<std::recursive_mutex>;

void know(CUgraph_st& graph) {
  all().graphs.insert(&graph);
  for (const auto& node : graph.nodes) {
    all().nodes.insert(node.get());
    for (const auto& child : node->children) know(*child);
  }
}
void forget(CUgraph_st& graph) {
  all().graphs.erase(&graph);
  for (const auto& node : graph.nodes) {
    all().nodes.erase(node.get());
    for (const auto& child : node->children) forget(*child);
  }
}

cudaError_t set_word(std::uint64_t address, unsigned value, cudaStream_t stream) {
  void* const to = reinterpret_cast<void*>(address);
  return cudaMemcpyAsync(to, &value, sizeof value, cudaMemcpyHostToDevice, stream);
}

cudaError_t run_condition(const CUgraphNode_st& node, cudaStream_t stream) {
  const auto value = [&](unsigned& is) {
    return cudaMemcpyAsync(&is, reinterpret_cast<const void*>(node.condition), sizeof is, cudaMemcpyDeviceToHost,
                           stream);
  };
  unsigned is = 0;
  if (const cudaError_t error = value(is); error != cudaSuccess) return error;
  if (node.condition_type == cudaGraphCondTypeWhile) {
    while (is != 0) {
      if (const cudaError_t error = run(*node.children[0], stream); error != cudaSuccess) return error;
      if (const cudaError_t error = value(is); error != cudaSuccess) return error;
    }
    return cudaSuccess;
  }
  const size_t chosen = node.condition_type == cudaGraphCondTypeSwitch ? is : is != 0 ? 0 : 1;
  return chosen < node.children.size() ? run(*node.children[chosen], stream) : cudaSuccess;
}

}  // namespace

graph_memory::graph_memory(board& where, std::uint64_t at, std::uint64_t size)
    : device(&where), epoch(where.epoch()), address(at), bytes(size) {
  const guard one_at_a_time(all().mutex);
  all().memory[at] = size;
  all().bytes += size;
  all().most_bytes = std::max(all().most_bytes, all().bytes);
}
graph_memory::~graph_memory() {
  const guard one_at_a_time(all().mutex);
  all().memory.erase(address);
  all().bytes -= bytes;
  // After a reset it is gone.
  if (device->epoch() != epoch) return;
  const turn one_call(process());
  device->release(address);
}

CUgraph_st* find_graph(CUgraph_st* graph) {
  const guard one_at_a_time(all().mutex);
  return all().graphs.count(graph) != 0 ? graph : nullptr;
}
CUgraphNode_st* find_node(CUgraphNode_st* node) {
  const guard one_at_a_time(all().mutex);
  return all().nodes.count(node) != 0 ? node : nullptr;
}
CUgraphExec_st* find_executable(CUgraphExec_st* made) {
  const guard one_at_a_time(all().mutex);
  return all().executables.count(made) != 0 ? made : nullptr;
}
CUgraph_st* keep(std::unique_ptr<CUgraph_st> graph) {
  const guard one_at_a_time(all().mutex);
  know(*graph);
  return graph.release();
}
CUgraphExec_st* keep(std::unique_ptr<CUgraphExec_st> made) {
  const guard one_at_a_time(all().mutex);
  all().executables.insert(made.get());
  return made.release();
}
void drop(CUgraph_st* graph) {
  const guard one_at_a_time(all().mutex);
  forget(*graph);
  delete graph;
}
void drop(CUgraphExec_st* made) {
  const guard one_at_a_time(all().mutex);
  all().executables.erase(made);
  delete made;
}

CUgraphNode_st* add_node(CUgraph_st& graph, cudaGraphNodeType type, const cudaGraphNode_t* needs, size_t count) {
  const guard one_at_a_time(all().mutex);
  if (count != 0 && needs == nullptr) return nullptr;
  for (size_t k = 0; k < count; ++k)
    if (find_node(needs[k]) == nullptr || needs[k]->graph != &graph) return nullptr;
  auto made = std::make_unique<CUgraphNode_st>();
  made->graph = &graph;
  made->type = type;
  if (count != 0) made->needs.assign(needs, needs + count);
  CUgraphNode_st* const node = made.get();
  graph.nodes.push_back(std::move(made));
  all().nodes.insert(node);
  return node;
}

void remove_node(CUgraphNode_st& node) {
  const guard one_at_a_time(all().mutex);
  CUgraph_st& graph = *node.graph;
  for (const auto& child : node.children) forget(*child);
  all().nodes.erase(&node);
  for (const auto& other : graph.nodes)
    other->needs.erase(std::remove(other->needs.begin(), other->needs.end(), &node), other->needs.end());
  graph.nodes.erase(
      std::find_if(graph.nodes.begin(), graph.nodes.end(), [&](const auto& n) { return n.get() == &node; }));
}

std::unique_ptr<CUgraph_st> clone(const CUgraph_st& graph) {
  auto made = std::make_unique<CUgraph_st>();
  made->memory = graph.memory;
  made->conditions = graph.conditions;
  for (const auto& original : graph.nodes) {
    auto node = std::make_unique<CUgraphNode_st>();
    node->graph = made.get();
    node->type = original->type;
    node->is_enabled = original->is_enabled;
    node->kernel = original->kernel;
    node->is_cooperative = original->is_cooperative;
    node->copy = original->copy;
    node->fill = original->fill;
    node->host = original->host;
    node->memory = original->memory;
    node->event = original->event;
    node->condition = original->condition;
    node->condition_type = original->condition_type;
    for (const auto& child : original->children) node->children.push_back(clone(*child));
    made->of_original[original.get()] = node.get();
    if (node->type == cudaGraphNodeTypeKernel) {
      // Its work is to launch what the node itself holds.
      node->arguments = original->arguments;
      for (auto& a : node->arguments) node->argument_pointers.push_back(a.data());
      node->kernel.kernelParams = node->argument_pointers.data();
    } else {
      node->work = original->work;
    }
    made->nodes.push_back(std::move(node));
  }
  for (const auto& original : graph.nodes)
    for (const CUgraphNode_st* needed : original->needs)
      made->of_original[original.get()]->needs.push_back(made->of_original[needed]);
  return made;
}

bool in_order(const CUgraph_st& graph, std::vector<CUgraphNode_st*>& ordered) {
  std::map<const CUgraphNode_st*, size_t> left;
  std::map<const CUgraphNode_st*, std::vector<CUgraphNode_st*>> dependents;
  for (const auto& node : graph.nodes) {
    left[node.get()] = node->needs.size();
    for (const CUgraphNode_st* needed : node->needs) dependents[needed].push_back(node.get());
  }
  for (const auto& node : graph.nodes)
    if (node->needs.empty()) ordered.push_back(node.get());
  for (size_t k = 0; k < ordered.size(); ++k)
    for (CUgraphNode_st* next : dependents[ordered[k]])
      if (--left[next] == 0) ordered.push_back(next);
  return ordered.size() == graph.nodes.size();
}

cudaError_t run(const CUgraph_st& graph, cudaStream_t stream) {
  for (const CUgraph_st::condition& c : graph.conditions)
    if (c.is_set_at_launch)
      if (const cudaError_t error = set_word(c.address, c.value, stream); error != cudaSuccess) return error;
  std::vector<CUgraphNode_st*> ordered;
  if (!in_order(graph, ordered)) return cudaErrorInvalidValue;
  for (const CUgraphNode_st* node : ordered) {
    if (!node->is_enabled) continue;
    cudaError_t error = cudaSuccess;
    if (node->type == cudaGraphNodeTypeKernel)
      error = (node->is_cooperative ? &cudaLaunchCooperativeKernel : &cudaLaunchKernel)(
          node->kernel.func, node->kernel.gridDim, node->kernel.blockDim, node->kernel.kernelParams,
          node->kernel.sharedMemBytes, stream);
    else if (node->type == cudaGraphNodeTypeGraph)
      error = run(*node->children[0], stream);
    else if (node->type == cudaGraphNodeTypeConditional)
      error = run_condition(*node, stream);
    else if (node->work)
      error = node->work(stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

bool is_of_graph(std::uint64_t address) {
  const guard one_at_a_time(all().mutex);
  return all().memory.count(address) != 0;
}
std::uint64_t bytes_of_graphs() { return all().bytes; }
std::uint64_t most_bytes_of_graphs() { return all().most_bytes; }
void reset_most_bytes_of_graphs() { all().most_bytes = all().bytes; }

cudaError_t set_kernel(CUgraphNode_st& node, const cudaKernelNodeParams& what) {
  if (what.func == nullptr || what.extra != nullptr) return cudaErrorInvalidValue;
  std::vector<std::vector<std::uint8_t>> copies;
  if (const cudaError_t error = copy_arguments(what.func, what.kernelParams, copies); error != cudaSuccess)
    return error;
  node.kernel = what;
  node.arguments = std::move(copies);
  node.argument_pointers.clear();
  for (auto& a : node.arguments) node.argument_pointers.push_back(a.data());
  node.kernel.kernelParams = node.argument_pointers.data();
  return cudaSuccess;
}

cudaError_t set_copy(CUgraphNode_st& node, const cudaMemcpy3DParms& what) {
  const bool has_sides = (what.srcArray != nullptr) != (what.srcPtr.ptr != nullptr) &&
                         (what.dstArray != nullptr) != (what.dstPtr.ptr != nullptr);
  if (!has_sides) return cudaErrorInvalidValue;
  node.copy = what;
  node.work = [what](cudaStream_t stream) { return cudaMemcpy3DAsync(&what, stream); };
  return cudaSuccess;
}

cudaError_t set_copy(CUgraphNode_st& node, void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  if (to == nullptr || from == nullptr) return cudaErrorInvalidValue;
  node.copy = {};
  node.copy.dstPtr = {to, bytes, bytes, 1};
  node.copy.srcPtr = {const_cast<void*>(from), bytes, bytes, 1};
  node.copy.extent = {bytes, 1, 1};
  node.copy.kind = kind;
  node.work = [=](cudaStream_t stream) { return cudaMemcpyAsync(to, from, bytes, kind, stream); };
  return cudaSuccess;
}

cudaError_t set_fill(CUgraphNode_st& node, const cudaMemsetParams& what) {
  const bool is_size = what.elementSize == 1 || what.elementSize == 2 || what.elementSize == 4;
  if (what.dst == nullptr || !is_size || what.width == 0 || what.height == 0) return cudaErrorInvalidValue;
  node.fill = what;
  node.work = [what](cudaStream_t stream) -> cudaError_t {
    const size_t bytes = what.width * what.elementSize;
    const size_t pitch = what.height > 1 ? what.pitch : bytes;
    if (what.elementSize == 1)
      return cudaMemset2DAsync(what.dst, pitch, static_cast<int>(what.value), bytes, what.height, stream);
    // Elements of more than a byte, as the device fills them.
    return guarded([&](process_state& state) {
      board* device = nullptr;
      if (const cudaError_t error = state.ready(device); error != cudaSuccess) return error;
      const call_scope scope(in_stream(stream));
      const memory_rows rows = {reinterpret_cast<std::uintptr_t>(what.dst), pitch, bytes, what.height};
      return error_of(device->ask(
          command::fill,
          message_writer().put(rows).put(std::uint32_t{what.value}).put(std::uint32_t{what.elementSize})));
    });
  };
  return cudaSuccess;
}

cudaError_t set_host(CUgraphNode_st& node, const cudaHostNodeParams& what) {
  if (what.fn == nullptr) return cudaErrorInvalidValue;
  node.host = what;
  node.work = [what](cudaStream_t stream) { return cudaLaunchHostFunc(stream, what.fn, what.userData); };
  return cudaSuccess;
}

cudaError_t set_memory(CUgraphNode_st& node, size_t bytes) {
  void* pointer = nullptr;
  if (bytes == 0) return cudaErrorInvalidValue;
  if (const cudaError_t error = cudaMalloc(&pointer, bytes); error != cudaSuccess) return error;
  node.memory.dptr = pointer;
  node.memory.bytesize = bytes;
  node.graph->memory.push_back(
      std::make_shared<graph_memory>(process().current(), reinterpret_cast<std::uintptr_t>(pointer), bytes));
  return cudaSuccess;
}

}  // namespace gt200::cudart
