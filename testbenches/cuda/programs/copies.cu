// Copies of the host: rates from page-locked and from pageable memory, the fixed cost of a copy, and what runs beside
// what. Prints the number of copy engines. With --host-clock model, the clocks of the host show the same times.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include <chrono>

enum { megabyte = 1 << 20, bytes = 8 * megabyte };

__global__ void count(int* out, int steps) {
  int sum = 0;
  for (int k = 0; k < steps; ++k) sum += k ^ sum;
  out[threadIdx.x] = sum;
}

static int failures = 0;
static void expect(const char* what, double ms, double least, double most) {
  if (ms >= least && ms <= most) return;
  printf("%s: %g ms, expected %g to %g\n", what, ms, least, most), ++failures;
}

static cudaEvent_t begin_event, end_event;
static void start() { cudaEventRecord(begin_event, 0); }
static double milliseconds() {
  float time = -1;
  cudaEventRecord(end_event, 0);
  cudaEventSynchronize(end_event);
  cudaEventElapsedTime(&time, begin_event, end_event);
  return time;
}

static double gettimeofday_ms() {
  struct timeval now;
  gettimeofday(&now, 0);
  return now.tv_sec * 1e3 + now.tv_usec / 1e3;
}
static double clock_gettime_ms() {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}
static double chrono_ms() {
  using milli = std::chrono::duration<double, std::milli>;
  return std::chrono::duration_cast<milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
static double clock_ms() { return clock() * 1e3 / CLOCKS_PER_SEC; }

int main(int argc, char** argv) {
  const bool host_clocks = argc > 1 && strcmp(argv[1], "host_clocks") == 0;
  cudaDeviceProp board;
  cudaGetDeviceProperties(&board, 0);
  printf("%d copy engines\n", board.asyncEngineCount);
  char *device, *locked, *locked_too;
  int* out;
  cudaMalloc((void**)&device, 2 * bytes);
  cudaMalloc((void**)&out, 128);
  cudaMallocHost((void**)&locked, bytes);
  cudaMallocHost((void**)&locked_too, bytes);
  char* const pageable = (char*)calloc(bytes, 1);
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEventCreate(&begin_event);
  cudaEventCreate(&end_event);

  // 1. Each alone.
  start();
  cudaMemcpy(device, locked, bytes, cudaMemcpyHostToDevice);
  const double up = milliseconds();
  start();
  cudaMemcpy(locked, device, bytes, cudaMemcpyDeviceToHost);
  expect("copies both ways", milliseconds(), up, up);
  start();
  cudaMemcpy(device, locked, 4, cudaMemcpyHostToDevice);
  const double small = milliseconds();
  start();
  cudaMemcpy(device, pageable, bytes, cudaMemcpyHostToDevice);
  const double slow = milliseconds();
  printf("page-locked %.2f GB/s, pageable %.2f GB/s, 4 bytes %.1f us\n", bytes / (up - small) / 1e6,
         bytes / (slow - small) / 1e6, small * 1e3);
  start();
  for (int k = 0; k < 10; ++k) cudaMemcpy(device, locked, 4, cudaMemcpyHostToDevice);
  expect("ten small copies", milliseconds(), 9.99 * small, 10.01 * small);

  // 2. A grid that takes about as long as a copy.
  int steps = 1000;
  double grid = 0;
  for (int k = 0; k < 4; ++k) {
    start();
    count<<<1, 32, 0, first>>>(out, steps);
    grid = milliseconds();
    if (grid < up) steps = (int)(steps * 1.1 * up / grid);
  }
  expect("a grid of the right length", grid, up, 3 * up);

  // 3. Beside each other: a grid and a copy of another stream, in either order; pageable memory never.
  const double together = board.deviceOverlap ? grid : grid + up - small;
  start();
  count<<<1, 32, 0, first>>>(out, steps);
  cudaMemcpyAsync(device, locked, bytes, cudaMemcpyHostToDevice, second);
  expect("a grid, then a copy", milliseconds(), 0.98 * together, 1.05 * together);
  start();
  cudaMemcpyAsync(device, locked, bytes, cudaMemcpyHostToDevice, second);
  count<<<1, 32, 0, first>>>(out, steps);
  expect("a copy, then a grid", milliseconds(), 0.98 * together, 1.05 * together);
  start();
  count<<<1, 32, 0, first>>>(out, steps);
  cudaMemcpyAsync(device, pageable, bytes, cudaMemcpyHostToDevice, second);
  expect("a grid and a copy of pageable memory", milliseconds(), 0.98 * (grid + slow - small),
         1.02 * (grid + slow - small));
  start();
  count<<<1, 32, 0, first>>>(out, steps);
  cudaMemcpyAsync(device, locked, bytes, cudaMemcpyHostToDevice, first);
  expect("a grid and a copy of its stream", milliseconds(), 0.98 * (grid + up - small), 1.02 * (grid + up));
  start();
  cudaMemcpyAsync(device, locked, bytes, cudaMemcpyHostToDevice, first);
  cudaMemcpyAsync(locked_too, device + bytes, bytes, cudaMemcpyDeviceToHost, second);
  const double both = board.asyncEngineCount > 1 ? up : 2 * up;
  expect("copies both ways at once", milliseconds(), 0.98 * both, 1.02 * both + small);
  start();
  cudaEvent_t grid_ended;
  cudaEventCreate(&grid_ended);
  count<<<1, 32, 0, first>>>(out, steps);
  cudaEventRecord(grid_ended, first);
  cudaStreamWaitEvent(second, grid_ended, 0);
  cudaMemcpyAsync(device, locked, bytes, cudaMemcpyHostToDevice, second);
  expect("a copy that waits for the grid", milliseconds(), 0.98 * (grid + up - small), 1.02 * (grid + up));

  // 4. The clocks of the host.
  if (host_clocks) {
    typedef double (*reader)();
    const reader clocks[] = {gettimeofday_ms, clock_gettime_ms, chrono_ms, clock_ms};
    const char* const names[] = {"gettimeofday", "clock_gettime", "std::chrono", "clock"};
    for (int k = 0; k < 4; ++k) {
      double began = clocks[k]();
      cudaMemcpy(device, locked, bytes, cudaMemcpyHostToDevice);
      expect(names[k], clocks[k]() - began, up - 0.003, up + 0.003);
      began = clocks[k]();
      count<<<1, 32, 0, first>>>(out, steps);
      expect("a launch", clocks[k]() - began, 0.002, 0.008);
      cudaStreamSynchronize(first);
      expect("a grid by the clock of the host", clocks[k]() - began, grid - 0.003, grid + 0.003);
    }
    // The time of the device does not stand still for a program that waits for a time.
    const double began = clock_gettime_ms();
    while (clock_gettime_ms() < began + 1) {
    }
    printf("began at %ld\n", (long)time(0));
  }
  return failures != 0;
}
