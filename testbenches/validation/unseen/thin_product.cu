// C = A B for A of M x 16 and B of 16 x N, and C = A A^T, as NVIDIA's Best Practices Guide optimises them: everything from
// device memory; the block's tile of A in shared memory; the tile of B as well.
constexpr int tile = 16;

extern "C" __global__ void simple(float* c, const float* a, const float* b, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int i = 0; i < tile; ++i) sum += a[row * tile + i] * b[i * n + col];
  c[row * n + col] = sum;
}

extern "C" __global__ void coalesced(float* c, const float* a, const float* b, int n) {
  __shared__ float tile_a[tile][tile];
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  tile_a[threadIdx.y][threadIdx.x] = a[row * tile + threadIdx.x];
  for (int i = 0; i < tile; ++i) sum += tile_a[threadIdx.y][i] * b[i * n + col];
  c[row * n + col] = sum;
}

extern "C" __global__ void shared_ab(float* c, const float* a, const float* b, int n) {
  __shared__ float tile_a[tile][tile];
  __shared__ float tile_b[tile][tile];
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  tile_a[threadIdx.y][threadIdx.x] = a[row * tile + threadIdx.x];
  tile_b[threadIdx.y][threadIdx.x] = b[threadIdx.y * n + col];
  __syncthreads();
  for (int i = 0; i < tile; ++i) sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
  c[row * n + col] = sum;
}

extern "C" __global__ void simple_transposed(float* c, const float* a, const float*, int m) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int i = 0; i < tile; ++i) sum += a[row * tile + i] * a[col * tile + i];
  c[row * m + col] = sum;
}
