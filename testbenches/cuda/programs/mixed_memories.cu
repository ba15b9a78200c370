// Pointers that lead to one memory in some threads and to another in others: loads, stores and atomic operations reach
// the memory that each thread means, also by pointers that were kept in memory and by ones below their array.
#include <stdio.h>

#define THREADS 64

__constant__ int constants[THREADS];
__constant__ float4 wide_constants[4];
__constant__ unsigned char small_constants[THREADS];
__device__ int globals[THREADS];
__device__ double doubles[THREADS];
__device__ const int* kept[3];

static __device__ int at(int memory, int i) { return 1000 * (memory + 1) + i; }


// Two and four memories, by a choice.
__global__ void choose(int* out, int with) {
  __shared__ int s[THREADS];
  int l[8];
  const unsigned t = threadIdx.x;
  s[t] = at(1, t);
  for (int i = 0; i < 8; ++i) l[i] = at(2, i + with);
  __syncthreads();
  const int* two = t % 3 == 0 ? constants : s;
  const int* four = t % 4 == 0 ? constants : t % 4 == 1 ? s : t % 4 == 2 ? l : globals;
  out[t] = two[t ^ 1];
  if (t < 60) out[THREADS + t] = four[(t + with) % 8];
}

// The pointer changes its memory in a loop, and begins below its array.
__global__ void walk(int* out, int n) {
  __shared__ int s[THREADS];
  const unsigned t = threadIdx.x;
  s[t] = at(1, t);
  __syncthreads();
  const int* p = (t & 1 ? constants : s) - n;
  int sum = 0;
  for (int i = 0; i < 4; ++i) {
    sum += p[n + i] * (i + 1);
    p = i == 1 ? globals - n : p;
  }
  out[t] = sum;
}

// Four words, a byte and a double at once.
__global__ void widths(float4* out, unsigned char* bytes, double* numbers) {
  __shared__ float4 s[4];
  __shared__ unsigned char b[THREADS];
  __shared__ double d[THREADS];
  const unsigned t = threadIdx.x;
  if (t < 4) s[t] = make_float4(t, t + .5f, t + .25f, t + .125f);
  b[t] = 255 - t;
  d[t] = t / 8.0;
  __syncthreads();
  out[t] = (t & 1 ? s : wide_constants)[t % 4];
  bytes[t] = (t & 2 ? b : small_constants)[t];
  numbers[t] = (t & 4 ? d : doubles)[t];
}

// Stores and sums; only threads below `bound` do so.
__global__ void change(int* out, int* sums, int bound) {
  __shared__ int s[THREADS];
  __shared__ int sum;
  int l[4] = {0, 0, 0, 0};
  const unsigned t = threadIdx.x;
  s[t] = -1;
  if (t == 0) sum = 0;
  __syncthreads();
  int* to = t % 3 == 0 ? s + t : t % 3 == 1 ? out + t : l + t % 4;
  if (t < bound) *to = 7 * t;
  if (t < bound) atomicAdd(t & 1 ? &sum : sums, t);
  __syncthreads();
  if (t % 3 == 0) out[t] = s[t];
  if (t % 3 == 2) out[t] = l[(t + bound) % 4];
  if (t == 0) sums[1] = sum;
}

// Pointers kept in memory, by this kernel and by the one before.
__global__ void keep(int* out) {
  __shared__ int s[THREADS];
  __shared__ const int* places[3];
  const unsigned t = threadIdx.x;
  s[t] = at(1, t);
  if (t == 0) {
    places[0] = constants;
    places[1] = s;
    places[2] = globals;
    kept[0] = constants;
    kept[1] = globals;
  }
  __syncthreads();
  out[t] = places[t % 3][t];
}
__global__ void look_up(int* out) {
  const unsigned t = threadIdx.x;
  out[t] = kept[t % 2][t];
}

static int failures;
static void expect(const char* what, int i, double got, double right) {
  if (got != right && ++failures < 10) printf("%s, %d: %g instead of %g\n", what, i, got, right);
}
static int expected(int memory, int i) { return 1000 * (memory + 1) + i; }

int main() {
  int numbers[THREADS], got[2 * THREADS];
  float4 quads[THREADS];
  unsigned char bytes[THREADS];
  double reals[THREADS];
  int *out, *sums;
  float4* out4;
  unsigned char* out1;
  double* out8;
  cudaMalloc((void**)&out, sizeof got);
  cudaMalloc((void**)&sums, 2 * sizeof(int));
  cudaMalloc((void**)&out4, sizeof quads);
  cudaMalloc((void**)&out1, sizeof bytes);
  cudaMalloc((void**)&out8, sizeof reals);
  for (int i = 0; i < THREADS; ++i) numbers[i] = expected(0, i), bytes[i] = i, reals[i] = -i;
  for (int i = 0; i < 4; ++i) quads[i] = make_float4(-i, -i - 1, -i - 2, -i - 3);
  cudaMemcpyToSymbol(constants, numbers, sizeof numbers);
  cudaMemcpyToSymbol(wide_constants, quads, 4 * sizeof(float4));
  cudaMemcpyToSymbol(small_constants, bytes, sizeof bytes);
  cudaMemcpyToSymbol(doubles, reals, sizeof reals);
  for (int i = 0; i < THREADS; ++i) numbers[i] = expected(3, i);
  cudaMemcpyToSymbol(globals, numbers, sizeof numbers);

  choose<<<1, THREADS>>>(out, 2);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  for (int i = 0; i < THREADS; ++i) expect("one of two", i, got[i], expected(i % 3 == 0 ? 0 : 1, i ^ 1));
  for (int i = 0; i < 60; ++i)
    expect("one of four", i, got[THREADS + i], expected(i % 4, (i + 2) % 8 + (i % 4 == 2 ? 2 : 0)));

  walk<<<1, THREADS>>>(out, 5);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  for (int i = 0; i < THREADS; ++i)
    expect("a loop", i, got[i],
           expected(i & 1 ? 0 : 1, 0) + 2 * expected(i & 1 ? 0 : 1, 1) + 3 * expected(3, 2) + 4 * expected(3, 3));

  widths<<<1, THREADS>>>(out4, out1, out8);
  cudaMemcpy(quads, out4, sizeof quads, cudaMemcpyDeviceToHost);
  cudaMemcpy(bytes, out1, sizeof bytes, cudaMemcpyDeviceToHost);
  cudaMemcpy(reals, out8, sizeof reals, cudaMemcpyDeviceToHost);
  for (int i = 0; i < THREADS; ++i) {
    expect("first of four", i, quads[i].x, i & 1 ? i % 4 : -(i % 4));
    expect("last of four", i, quads[i].w, i & 1 ? i % 4 + .125 : -(i % 4) - 3);
    expect("a byte", i, bytes[i], i & 2 ? 255 - i : i);
    expect("a double", i, reals[i], i & 4 ? i / 8.0 : -i);
  }

  const int bound = 50;
  cudaMemset(out, 0, sizeof got);
  cudaMemset(sums, 0, 2 * sizeof(int));
  change<<<1, THREADS>>>(out, sums, bound);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  for (int i = 0; i < THREADS; ++i) {
    const int kept_there = i % 3 == 2 ? ((i + bound) % 4 == i % 4 ? 7 * i : 0) : 7 * i;
    expect("a store", i, got[i], i < bound ? kept_there : i % 3 == 0 ? -1 : 0);
  }
  cudaMemcpy(got, sums, 2 * sizeof(int), cudaMemcpyDeviceToHost);
  expect("a sum in global memory", 0, got[0], 600);
  expect("a sum in shared memory", 0, got[1], 625);

  keep<<<1, THREADS>>>(out);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  for (int i = 0; i < THREADS; ++i) expect("kept in the block", i, got[i], expected(i % 3 == 2 ? 3 : i % 3, i));
  look_up<<<1, THREADS>>>(out);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  for (int i = 0; i < THREADS; ++i) expect("kept by another kernel", i, got[i], expected(i % 2 ? 3 : 0, i));
  expect("no error", 0, cudaGetLastError(), 0);
  printf("%d failures\n", failures);
  return failures != 0;
}
