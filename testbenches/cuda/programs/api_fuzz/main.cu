// Random sequences of calls of both APIs from several threads: api_fuzz SEQUENCES [THREADS [SEED]]. Every call has to give
// the error that is right for it, memory has to keep what was written, and nothing may crash.
#include <cstdlib>
#include <thread>

#include "world.h"

namespace api_fuzz {
namespace {

void run(unsigned long number, unsigned long seed) {
  sequence s(number, seed);
  const size_t calls = 2 + s.below(8);
  for (size_t k = 0; k < calls; ++k) s.one_in(8) ? driver_call(s) : runtime_call(s);
  const std::shared_lock<std::shared_mutex> with_others(all().mutex);
  for (const buffer& b : s.buffers) {
    bytes back(b.content.size());
    s.expect("cudaMemcpy at the end", cudaMemcpy(back.data(), b.device, back.size(), cudaMemcpyDeviceToHost), cudaSuccess);
    s.expect_equal("memory at the end", back, b.content);
    all().died(reinterpret_cast<std::uintptr_t>(b.device));
    s.expect("cudaFree at the end", cudaFree(b.device), cudaSuccess);
  }
  for (const array& a : s.arrays) s.expect("cudaFreeArray at the end", cudaFreeArray(a.handle), cudaSuccess);
  for (cudaEvent_t e : s.events) s.expect("cudaEventDestroy at the end", cudaEventDestroy(e), cudaSuccess);
  for (cudaStream_t e : s.streams) s.expect("cudaStreamDestroy at the end", cudaStreamDestroy(e), cudaSuccess);
}

__global__ void store_at(int* p) { *p = 1; }

// A kernel with a pointer to no memory: the error stays until the device is reset, which then works as before.
void fault(sequence& s, int* pointer) {
  int* p = nullptr;
  s.expect("cudaMalloc before a fault", cudaMalloc(&p, 4), cudaSuccess);
  store_at<<<1, 1>>>(pointer);
  s.expect("cudaThreadSynchronize after a fault", cudaThreadSynchronize(), cudaErrorLaunchFailure);
  s.expect("cudaMemset after a fault", cudaMemset(p, 0, 4), cudaErrorLaunchFailure);
  s.expect("cudaMalloc after a fault", cudaMalloc(&p, 4), cudaErrorLaunchFailure);
  s.expect("cudaDeviceReset", cudaDeviceReset(), cudaSuccess);
  cudaGetLastError();
}

}  // namespace
}  // namespace api_fuzz

int main(int count, char** words) {
  using namespace api_fuzz;
  const unsigned long sequences = count > 1 ? std::strtoul(words[1], nullptr, 10) : 100;
  const unsigned threads = count > 2 ? static_cast<unsigned>(std::strtoul(words[2], nullptr, 10)) : 4;
  const unsigned long seed = count > 3 ? std::strtoul(words[3], nullptr, 10) : 1;
  const std::uintptr_t places[] = {0xe0000010u, 0x100000000u | 0x10000, 0x7fff00000000u | 0x10100};
  for (const std::uintptr_t place : places) {
    sequence s(0, seed);
    fault(s, reinterpret_cast<int*>(place));
  }
  cudaFree(nullptr);
  std::atomic<unsigned long> next{1};
  std::vector<std::thread> workers;
  for (unsigned t = 0; t < threads; ++t)
    workers.emplace_back([&] {
      for (unsigned long n = next++; n <= sequences; n = next++) run(n, seed);
    });
  for (std::thread& w : workers) w.join();
  std::printf("%lu sequences, %lu calls, %lu refused as they have to be, %lu differences\n", sequences,
              all().calls.load(), all().refused.load(), all().differences.load());
  return all().differences == 0 ? 0 : 1;
}
