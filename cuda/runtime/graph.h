// Graphs of the runtime API: nodes with what they do, and executable copies.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "cuda/client/state.h"

namespace gt200::cudart {

// Memory of a graph's allocation nodes and conditions. It goes when the last graph that has it goes.
struct graph_memory {
  graph_memory(board& where, std::uint64_t at, std::uint64_t size);
  ~graph_memory();
  graph_memory(const graph_memory&) = delete;
  graph_memory& operator=(const graph_memory&) = delete;
  board* device;
  std::uint64_t epoch;
  std::uint64_t address;
  std::uint64_t bytes;
};

// What a node does, given the stream of the launch.
using graph_work = std::function<cudaError_t(cudaStream_t)>;

}  // namespace gt200::cudart

struct CUgraphNode_st {
  CUgraph_st* graph = nullptr;
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  std::vector<CUgraphNode_st*> needs;
  gt200::cudart::graph_work work;  // none: an empty node
  bool is_enabled = true;

  // What was asked for, by type.
  cudaKernelNodeParams kernel{};
  bool is_cooperative = false;
  std::vector<std::vector<std::uint8_t>> arguments;  // of the kernel
  std::vector<void*> argument_pointers;
  cudaMemcpy3DParms copy{};
  cudaMemsetParams fill{};
  cudaHostNodeParams host{};
  cudaMemAllocNodeParams memory{};
  cudaEvent_t event = nullptr;
  // A child graph, or those of a condition.
  std::vector<std::unique_ptr<CUgraph_st>> children;
  std::uint64_t condition = 0;  // the address of its word
  cudaGraphConditionalNodeType condition_type = cudaGraphCondTypeIf;
};

struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
  std::vector<std::shared_ptr<gt200::cudart::graph_memory>> memory;
  struct condition {
    std::uint64_t address = 0;
    unsigned value = 0;
    bool is_set_at_launch = false;
  };
  std::vector<condition> conditions;
  // Of a clone: its nodes by those of the original.
  std::map<const CUgraphNode_st*, CUgraphNode_st*> of_original;
};

struct CUgraphExec_st {
  std::unique_ptr<CUgraph_st> graph;
};

namespace gt200::cudart {

// Null unless the program has such an object.
CUgraph_st* find_graph(CUgraph_st* graph);
CUgraphNode_st* find_node(CUgraphNode_st* node);
CUgraphExec_st* find_executable(CUgraphExec_st* made);

// A graph or an executable one that the program may name from here on, and no longer.
CUgraph_st* keep(std::unique_ptr<CUgraph_st> graph);
CUgraphExec_st* keep(std::unique_ptr<CUgraphExec_st> made);
void drop(CUgraph_st* graph);
void drop(CUgraphExec_st* made);

// The needed nodes must be those of the graph; null if one is not.
CUgraphNode_st* add_node(CUgraph_st& graph, cudaGraphNodeType type, const cudaGraphNode_t* needs, size_t count);
void remove_node(CUgraphNode_st& node);
std::unique_ptr<CUgraph_st> clone(const CUgraph_st& graph);
// False if the edges have a cycle.
bool in_order(const CUgraph_st& graph, std::vector<CUgraphNode_st*>& ordered);
cudaError_t run(const CUgraph_st& graph, cudaStream_t stream);

// The memory belongs to a graph: cudaFree() does not give it back.
bool is_of_graph(std::uint64_t address);
std::uint64_t bytes_of_graphs();
std::uint64_t most_bytes_of_graphs();
void reset_most_bytes_of_graphs();

// Nodes by their parameters. False: the parameters are wrong.
cudaError_t set_kernel(CUgraphNode_st& node, const cudaKernelNodeParams& what);
cudaError_t set_copy(CUgraphNode_st& node, const cudaMemcpy3DParms& what);
cudaError_t set_copy(CUgraphNode_st& node, void* to, const void* from, size_t bytes, cudaMemcpyKind kind);
cudaError_t set_fill(CUgraphNode_st& node, const cudaMemsetParams& what);
cudaError_t set_host(CUgraphNode_st& node, const cudaHostNodeParams& what);
cudaError_t set_memory(CUgraphNode_st& node, size_t bytes);

// Copies of a kernel's arguments, as many and as long as the kernel has.
cudaError_t copy_arguments(const void* function, void** arguments, std::vector<std::vector<std::uint8_t>>& copies);

}  // namespace gt200::cudart
