// cuda::atomic and cuda::atomic_ref: every operation counts right among many threads, on device and host. Code 0 if
// right.
#include <cuda/atomic>
#include <cuda/std/atomic>

#include <cstdio>

static int failures = 0;
static void is(bool holds, const char* what) {
  if (!holds) std::printf("%s\n", what), ++failures;
}

struct counters {
  cuda::atomic<int, cuda::thread_scope_device> sum, least, most, ones, any, flips, old_sum;
  cuda::atomic<unsigned long long, cuda::thread_scope_device> wide;
  cuda::std::atomic<float> real;
  cuda::atomic<unsigned, cuda::thread_scope_block> taken;
  int plain;
  double pair_of_words;
};

__global__ void count(counters* c) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  c->sum.fetch_add(t, cuda::memory_order_relaxed);
  c->old_sum += (c->sum.fetch_sub(0) >= 0 ? 1 : 0);
  c->least.fetch_min(-t);
  c->most.fetch_max(t, cuda::std::memory_order_acq_rel);
  c->ones.fetch_and(~(1 << t % 32));
  c->any.fetch_or(1 << t % 31);
  c->flips.fetch_xor(t);
  c->wide.fetch_add(1ull << 33);
  c->real.fetch_add(0.5f);
  c->taken++;
  cuda::atomic_ref<int, cuda::thread_scope_device> plain(c->plain);
  int seen = plain.load();
  while (!plain.compare_exchange_weak(seen, seen + 3)) {
  }
  cuda::atomic_ref<double, cuda::thread_scope_device>(c->pair_of_words).fetch_add(0.25);
}

// One block writes, the other waits for the flag.
__global__ void pass(int* data, cuda::atomic<int, cuda::thread_scope_device>* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 42;
    flag->store(1, cuda::memory_order_release);
  } else {
    while (flag->load(cuda::memory_order_acquire) == 0) {
    }
    *out = *data;
    out[1] = flag->exchange(7);
  }
}

int main() {
  counters* c;
  cudaMalloc(&c, sizeof *c);
  counters h = {};
  h.ones = -1;
  cudaMemcpy(c, &h, sizeof h, cudaMemcpyHostToDevice);
  const int blocks = 3, threads = 64, n = blocks * threads;
  count<<<blocks, threads>>>(c);
  is(cudaMemcpy(&h, c, sizeof h, cudaMemcpyDeviceToHost) == cudaSuccess, "launch");
  int flips = 0;
  for (int t = 0; t < n; ++t) flips ^= t;
  is(h.sum == n * (n - 1) / 2 && h.old_sum == n, "sum");
  is(h.least == 1 - n && h.most == n - 1, "minimum and maximum");
  is(h.ones == 0 && h.any == 0x7fffffff && h.flips == flips, "bits");
  is(h.wide == static_cast<unsigned long long>(n) << 33, "64 bits");
  is(h.real == 0.5f * n && h.pair_of_words == 0.25 * n, "floating point");
  is(h.plain == 3 * n, "compare and exchange");

  int *data, *out, result[2];
  cuda::atomic<int, cuda::thread_scope_device>* flag;
  cudaMalloc(&data, 4);
  cudaMalloc(&flag, 4);
  cudaMalloc(&out, 8);
  cudaMemset(flag, 0, 4);
  pass<<<2, 1>>>(data, flag, out);
  cudaMemcpy(result, out, 8, cudaMemcpyDeviceToHost);
  is(result[0] == 42 && result[1] == 1, "message");

  cuda::atomic<int> on_host(5);
  int expected = 4;
  is(!on_host.compare_exchange_strong(expected, 9) && expected == 5, "host: another value");
  is(on_host.compare_exchange_strong(expected, 9, cuda::memory_order_acq_rel) && on_host.load() == 9,
     "host: exchange");
  is(on_host.fetch_max(20) == 9 && --on_host == 19 && (on_host |= 4) == 23 && on_host.exchange(1) == 23,
     "host: operations");
  std::puts(failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
