// One level of a breadth-first search per pair of grids, one thread per node.
struct node_edges {
  int first;
  int count;
};

extern "C" __global__ void bfs_kernel1(const node_edges* nodes, const int* edges, signed char* mask, signed char* updating,
                                       const signed char* visited, int* cost, int n) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= n || mask[node] == 0) return;
  mask[node] = 0;
  const int first = nodes[node].first;
  const int end = first + nodes[node].count;
  for (int k = first; k < end; ++k) {
    const int other = edges[k];
    if (visited[other] == 0) {
      cost[other] = cost[node] + 1;
      updating[other] = 1;
    }
  }
}

extern "C" __global__ void bfs_kernel2(signed char* mask, signed char* updating, signed char* visited, unsigned char* over,
                                       int n) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= n || updating[node] == 0) return;
  mask[node] = 1;
  visited[node] = 1;
  *over = 1;
  updating[node] = 0;
}
