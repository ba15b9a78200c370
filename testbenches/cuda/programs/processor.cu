// What code for the host's processor (-cpu) has to keep of the device's meaning: shared memory, barriers, votes,
// atomic operations, parameters, variables. Checks itself; runs on every engine of a device with votes.
#include <stdio.h>

static int failures;
static void expect(bool good, const char* what) {
  if (!good) printf("wrong: %s\n", what);
  failures += !good;
}

// Results of one launch: words on the device, and what the host reads.
struct words {
  enum { count = 2048 };
  int* at;
  int host[count];
  words() {
    cudaMalloc(&at, sizeof host);
    cudaMemset(at, 0, sizeof host);
  }
  ~words() { cudaFree(at); }
  const int* read() {
    cudaMemcpy(host, at, sizeof host, cudaMemcpyDeviceToHost);
    return host;
  }
};

// Static and dynamic shared memory, of several types under several names, and barriers in a loop.
extern __shared__ int dynamic_words[];
__global__ void rotates(int* out, int rounds) {
  __shared__ int still[256];
  int* moving = dynamic_words;
  const int t = threadIdx.x, n = blockDim.x;
  still[t] = t;
  moving[t] = t;
  for (int k = 0; k < rounds; ++k) {
    __syncthreads();
    const int next = moving[(t + 1) % n];
    __syncthreads();
    moving[t] = next;
  }
  __syncthreads();
  out[blockIdx.x * n + t] = moving[t] + 1000 * still[n - 1 - t];
}
__global__ void overlays(int* out) {
  extern __shared__ float dynamic_floats[];
  dynamic_floats[threadIdx.x] = 1.0f + threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = dynamic_words[threadIdx.x ^ 1];
}
static void shared_memory() {
  words w;
  rotates<<<4, 256, 256 * sizeof(int)>>>(w.at, 5);
  w.read();
  bool good = true;
  for (int i = 0; i < 1024; ++i) good &= w.host[i] == (i % 256 + 5) % 256 + 1000 * (255 - i % 256);
  expect(good, "shared memory and barriers in a loop");
  overlays<<<1, 32, 32 * sizeof(float)>>>(w.at);
  w.read();
  expect(w.host[6] == 0x41000000 && w.host[7] == 0x40e00000, "dynamic shared memory has one place");
}

// Threads that have ended are not waited for.
__global__ void leaves(int* out, int stay) {
  __shared__ int sum[256];
  sum[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x >= stay) return;
  for (int s = stay / 2; s > 0; s /= 2) {
    if (threadIdx.x < s) sum[threadIdx.x] += sum[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = sum[0];
}
static void early_ends() {
  words w;
  leaves<<<1, 256>>>(w.at, 64);
  expect(w.read()[0] == 63 * 64 / 2, "a thread that ends before a barrier");
}

// Votes of the threads that are there; of a branch, and of all behind it.
__global__ void votes(int* out) {
  const int t = threadIdx.x;
  int result = __any(t % 32 == 7) + 2 * __all(t % 32 < 31) + 4 * __all(t < 64);
  if (t % 2 != 0) result += 8 * __all(t % 2 != 0) + 16 * __any(t % 2 == 0);
  result += 32 * __any(t == 40);
  for (int k = 0; k < t % 4; ++k) result += 64 * __all(k < 3);
  out[t] = result;
}
static void warp_votes() {
  words w;
  votes<<<1, 96>>>(w.at);
  w.read();
  bool good = true;
  for (int t = 0; t < 96; ++t) {
    const int expected = 1 + (t < 64 ? 4 : 0) + (t % 2 != 0 ? 8 : 0) + (t / 32 == 1 ? 32 : 0) + 64 * (t % 4);
    good &= w.host[t] == expected;
  }
  expect(good, "votes");
}

// Atomic operations of many blocks, and locks.
__global__ void counts(int* out, unsigned long long* wide) {
  atomicAdd(&out[0], 1);
  atomicMax(&out[1], static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x));
  atomicMin(&out[2], -static_cast<int>(threadIdx.x));
  atomicInc(reinterpret_cast<unsigned*>(&out[3]), 9);
  atomicOr(&out[4], 1 << threadIdx.x % 32);
  atomicXor(&out[5], 3);
  atomicSub(&out[6], 2);
  atomicAdd(wide, 0x100000001ull);
  // One block after the other adds one, without an atomic sum.
  if (threadIdx.x == 0) {
    while (atomicCAS(&out[7], 0, 1) != 0) {
    }
    volatile int* guarded = &out[8];
    *guarded = *guarded + 1;
    __threadfence();
    atomicExch(&out[7], 0);
  }
}
// The last thread waits for the first one in a loop.
__global__ void hands_over(int* out) {
  __shared__ int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    while (atomicAdd(&flag, 0) == 0) {
    }
    *out = 5;
  }
  if (threadIdx.x == 64) atomicExch(&flag, 1);
}
static void atomic_operations() {
  words w;
  unsigned long long* wide;
  cudaMalloc(&wide, sizeof *wide);
  cudaMemset(wide, 0, sizeof *wide);
  counts<<<60, 64>>>(w.at, wide);
  w.read();
  expect(w.host[0] == 3840 && w.host[1] == 3839 && w.host[2] == -63 && w.host[3] == 0, "sums and extremes");
  expect(w.host[4] == -1 && w.host[5] == 0 && w.host[6] == -7680, "atomic operations of bits");
  expect(w.host[7] == 0 && w.host[8] == 60, "a lock");
  unsigned long long sum = 0;
  cudaMemcpy(&sum, wide, sizeof sum, cudaMemcpyDeviceToHost);
  expect(sum == 3840 * 0x100000001ull, "atomic sums of 64 bits");
  hands_over<<<1, 96>>>(w.at + 100);
  expect(w.read()[100] == 5, "a thread that waits for another one in a loop");
  cudaFree(wide);
}

// Parameters of all sizes, more than registers hold.
struct pair {
  float a;
  double b;
};
struct triple {
  char c[3];
};
struct big {
  int v[9];
};
struct node {
  node* next;
  int value;
};
__global__ void takes(int* out, char c, pair p, bool yes, triple t, float f, big b, float3 v, double d, short s, float2 w,
                      long long l, float4 q, unsigned char u) {
  out[0] = c + static_cast<int>(p.a + p.b) + yes + t.c[2] + static_cast<int>(f) + b.v[8];
  out[1] = static_cast<int>(v.x + v.y + v.z + d) + s + static_cast<int>(w.x + w.y + q.x + q.w) + static_cast<int>(l >> 32) + u;
}
__global__ void walks(const node* n, int* out) {
  int sum = 0;
  for (; n != NULL; n = n->next) sum += n->value;
  *out = sum;
}
static void parameters() {
  words w;
  const pair p = {1.5f, 2.5};
  const triple t = {{1, 2, 3}};
  big b = {};
  b.v[8] = 100;
  takes<<<1, 1>>>(w.at, 7, p, true, t, 20.0f, b, make_float3(1, 2, 3), 4.0, -5, make_float2(6, 7), 8ll << 32,
                  make_float4(9, 0, 0, 10), 200);
  w.read();
  expect(w.host[0] == 7 + 4 + 1 + 3 + 20 + 100, "parameters in registers and on the stack");
  expect(w.host[1] == 1 + 2 + 3 + 4 - 5 + 6 + 7 + 9 + 10 + 8 + 200, "parameters behind the last register");
  node *list, nodes[3];
  cudaMalloc(&list, sizeof nodes);
  for (int k = 0; k < 3; ++k) {
    nodes[k].next = k < 2 ? list + k + 1 : NULL;
    nodes[k].value = 10 + k;
  }
  cudaMemcpy(list, nodes, sizeof nodes, cudaMemcpyHostToDevice);
  walks<<<1, 1>>>(list, w.at);
  expect(w.read()[0] == 33, "pointers in device memory");
  cudaFree(list);
}

// Variables of the device, static ones among them; the names are those of the C library too.
__device__ int environ = 3;
static __device__ int hidden = 4;
__constant__ int error_message_count[2] = {5, 6};
__global__ void uses(int* out) {
  static __device__ int calls;
  calls += 1;
  environ += 10;
  out[0] = environ + hidden;
  out[1] = error_message_count[0] * error_message_count[1];
  out[2] = calls;
}
static void variables() {
  words w;
  const int seven = 7;
  cudaMemcpyToSymbol(hidden, &seven, sizeof seven);
  uses<<<1, 1>>>(w.at);
  w.read();
  expect(w.host[0] == 13 + 7 && w.host[1] == 30 && w.host[2] == 1, "variables with their first values");
  cudaMemcpyToSymbol(error_message_count, &seven, sizeof seven, sizeof seven);
  int* address;
  cudaGetSymbolAddress((void**)&address, environ);
  cudaMemcpy(address, &seven, sizeof seven, cudaMemcpyHostToDevice);
  uses<<<1, 1>>>(w.at);
  w.read();
  expect(w.host[0] == 17 + 7 && w.host[1] == 35 && w.host[2] == 2, "variables that the host has written");
  int now = 0;
  cudaMemcpyFromSymbol(&now, environ, sizeof now);
  expect(now == 17, "a variable that the device has written");
}

// Sizes and places, in all three dimensions.
__global__ void places(int* out) {
  const int block = blockIdx.x + gridDim.x * blockIdx.y;
  const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  out[block * 24 + thread] = 100 * block + thread;
}
__global__ void waits(int* out) {
  const unsigned start = clock();
  int steps = 0;
  while (clock() - start < 500) ++steps;
  *out = steps;
}
static void indices() {
  words w;
  places<<<dim3(3, 2), dim3(2, 3, 4)>>>(w.at);
  w.read();
  bool good = true;
  for (int i = 0; i < 6 * 24; ++i) good &= w.host[i] == 100 * (i / 24) + i % 24;
  expect(good, "indices");
  waits<<<1, 1>>>(w.at);
  expect(w.read()[0] > 0, "clock");
}

int main() {
  shared_memory();
  early_ends();
  warp_votes();
  atomic_operations();
  parameters();
  variables();
  indices();
  expect(cudaThreadSynchronize() == cudaSuccess, "errors");
  printf("%d failures\n", failures);
  return failures != 0;
}
