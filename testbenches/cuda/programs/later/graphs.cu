// Graphs: captured, built by hand, updated, with conditions and memory of their own. Code 0 if all is right.
#include <cstdio>

__global__ void add(int* d, int v) { d[threadIdx.x] += v; }
__global__ void scale(int* d, int v) { d[threadIdx.x] *= v; }
__global__ void count_down(int* d, cudaGraphConditionalHandle handle) {
  if (threadIdx.x == 0) cudaGraphSetConditional(handle, --d[1] > 0);
}

static int failures = 0;
static void check(bool is_right, const char* what) {
  if (!is_right) std::printf("wrong: %s\n", what), ++failures;
}
static void is(cudaError_t error, cudaError_t wanted, const char* what) {
  if (error != wanted) std::printf("%s: %s\n", what, cudaGetErrorName(error)), ++failures;
}

int main() {
  int* d;
  int h[32];
  cudaMalloc(&d, sizeof h);
  const auto read = [&] { cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost); };
  cudaStream_t s, side;
  cudaStreamCreate(&s);
  cudaStreamCreate(&side);
  cudaEvent_t forked, joined;
  cudaEventCreate(&forked);
  cudaEventCreate(&joined);

  // What is captured is done by the launch, in order, and not before.
  cudaGraph_t graph;
  cudaGraphExec_t made;
  cudaMemset(d, 0, sizeof h);
  is(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal), cudaSuccess, "begin");
  cudaMemsetAsync(d, 0, sizeof h, s);
  add<<<1, 32, 0, s>>>(d, 5);
  cudaEventRecord(forked, s);
  cudaStreamWaitEvent(side, forked, 0);
  scale<<<1, 32, 0, side>>>(d, 3);
  cudaEventRecord(joined, side);
  cudaStreamWaitEvent(s, joined, 0);
  add<<<1, 32, 0, s>>>(d, 1);
  cudaStreamCaptureStatus status;
  cudaStreamIsCapturing(side, &status);
  check(status == cudaStreamCaptureStatusActive, "the joined stream is captured");
  is(cudaStreamEndCapture(s, &graph), cudaSuccess, "end");
  read();
  check(h[0] == 0, "nothing runs while it is captured");
  size_t nodes = 0, edges = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  cudaGraphGetEdges(graph, nullptr, nullptr, &edges);
  check(nodes == 4 && edges == 4, "nodes and edges of a capture");
  is(cudaGraphInstantiate(&made, graph, NULL, NULL, 0), cudaSuccess, "instantiate");
  for (int k = 0; k < 2; ++k) is(cudaGraphLaunch(made, s), cudaSuccess, "launch");
  cudaStreamSynchronize(s);
  read();
  check(h[0] == 16 && h[31] == 16, "a captured graph");

  // The executable graph keeps what it was made of, and takes new parameters.
  int v = 7;
  void* arguments[] = {&d, &v};
  cudaKernelNodeParams kernel = {};
  kernel.func = (void*)add;
  kernel.gridDim = kernel.blockDim = dim3(1);
  kernel.blockDim.x = 32;
  kernel.kernelParams = arguments;
  cudaGraphNode_t list[4];
  cudaGraphGetNodes(graph, list, &nodes);
  is(cudaGraphExecKernelNodeSetParams(made, list[1], &kernel), cudaSuccess, "new parameters");
  v = 1000;
  cudaGraphLaunch(made, s);
  read();
  check(h[0] == 22, "parameters are copied");
  is(cudaGraphDestroy(graph), cudaSuccess, "destroy");
  is(cudaGraphDestroy(graph), cudaErrorInvalidValue, "destroy twice");
  cudaGraphExecDestroy(made);

  // Built by hand: edges give the order, not the order of the calls.
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t last, first, host;
  v = 2;
  kernel.func = (void*)scale;
  cudaGraphAddKernelNode(&last, graph, nullptr, 0, &kernel);
  cudaMemsetParams fill = {};
  fill.dst = d;
  fill.value = 3;
  fill.elementSize = 4;
  fill.width = 32;
  fill.height = 1;
  cudaGraphAddMemsetNode(&first, graph, nullptr, 0, &fill);
  cudaGraphAddDependencies(graph, &first, &last, 1);
  static int called = 0;
  cudaHostNodeParams call = {};
  call.fn = [](void* p) { ++*static_cast<int*>(p); };
  call.userData = &called;
  cudaGraphAddHostNode(&host, graph, &last, 1, &call);
  cudaGraphInstantiate(&made, graph, 0);
  cudaGraphLaunch(made, s);
  cudaStreamSynchronize(s);
  read();
  check(h[5] == 6 && called == 1, "a graph built by hand");
  is(cudaGraphAddDependencies(graph, &last, &first, 1), cudaSuccess, "an edge back");
  cudaGraphExec_t none;
  is(cudaGraphInstantiate(&none, graph, 0), cudaErrorInvalidValue, "a cycle");
  cudaGraphDestroy(graph);
  cudaGraphExecDestroy(made);

  // A condition that a kernel sets: d[1] rounds.
  cudaGraphCreate(&graph, 0);
  cudaGraphConditionalHandle handle;
  cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault);
  cudaGraphNodeParams loop = {cudaGraphNodeTypeConditional};
  loop.conditional.handle = handle;
  loop.conditional.type = cudaGraphCondTypeWhile;
  loop.conditional.size = 1;
  is(cudaGraphAddNode(&first, graph, nullptr, 0, &loop), cudaSuccess, "a condition");
  cudaStreamBeginCaptureToGraph(s, loop.conditional.phGraph_out[0], nullptr, nullptr, 0, cudaStreamCaptureModeGlobal);
  add<<<1, 1, 0, s>>>(d, 10);
  count_down<<<1, 32, 0, s>>>(d, handle);
  cudaGraph_t body;
  is(cudaStreamEndCapture(s, &body), cudaSuccess, "a captured body");
  cudaGraphInstantiate(&made, graph, 0);
  int rounds[2] = {0, 4};
  for (int k = 0; k < 2; ++k) {
    cudaMemcpy(d, rounds, sizeof rounds, cudaMemcpyHostToDevice);
    is(cudaGraphLaunch(made, s), cudaSuccess, "launch of a loop");
    read();
    check(h[0] == 40 && h[1] == 0, "a loop of a graph");
  }
  cudaGraphDestroy(graph);
  cudaGraphExecDestroy(made);

  // Memory of a graph.
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  int* own;
  is(cudaMallocAsync(&own, 128, s), cudaSuccess, "memory of a graph");
  cudaMemsetAsync(own, 0, 128, s);
  add<<<1, 32, 0, s>>>(own, 9);
  cudaMemcpyAsync(d, own, 128, cudaMemcpyDeviceToDevice, s);
  cudaFreeAsync(own, s);
  cudaStreamEndCapture(s, &graph);
  cudaGraphInstantiate(&made, graph, 0);
  cudaGraphLaunch(made, s);
  read();
  check(h[31] == 9, "memory of a graph");
  unsigned long long bytes = 0;
  cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &bytes);
  check(bytes == 128, "bytes of graphs");
  cudaGraphDestroy(graph);
  cudaGraphExecDestroy(made);
  cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &bytes);
  check(bytes == 0, "bytes go with the graphs");

  // What a capture does not allow.
  is(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal), cudaErrorStreamCaptureUnsupported, "the default stream");
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  add<<<1, 32, 0, s>>>(d, 1);
  cudaEventRecord(forked, s);
  cudaStreamWaitEvent(side, forked, 0);
  add<<<1, 32, 0, side>>>(d, 1);
  is(cudaStreamEndCapture(s, &graph), cudaErrorStreamCaptureUnjoined, "a stream that is not joined");
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  is(cudaStreamSynchronize(s), cudaErrorStreamCaptureUnsupported, "waiting for a captured stream");
  is(cudaStreamEndCapture(s, &graph), cudaErrorStreamCaptureInvalidated, "after an error");
  is(cudaStreamEndCapture(s, &graph), cudaErrorIllegalState, "no capture");
  cudaGetLastError();
  std::puts(failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
