// Random calls of the runtime API, right and wrong, with the error that each has to give.
#include <cstring>

#include "world.h"

namespace api_fuzz {
namespace {

__global__ void add(unsigned char* p, int n, int k) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = static_cast<unsigned char>(p[i] + k);
}

__device__ unsigned char variable[512];
__constant__ unsigned char constant[256];
__global__ void use(unsigned char* p) { p[0] = variable[threadIdx.x] + constant[threadIdx.x]; }

typedef std::shared_lock<std::shared_mutex> with_others;
typedef std::unique_lock<std::shared_mutex> alone;

void allocate(sequence& s) {
  const with_others lock(all().mutex);
  void* p = &p;
  switch (s.below(8)) {
    case 0: s.expect("cudaMalloc(0)", cudaMalloc(&p, 0), cudaSuccess); return;
    case 1: s.expect("cudaMalloc(all)", cudaMalloc(&p, SIZE_MAX - s.below(1000)), cudaErrorMemoryAllocation); return;
    case 2: s.expect("cudaMalloc(null)", cudaMalloc(static_cast<void**>(nullptr), 16), cudaErrorInvalidValue); return;
    case 3: {
      size_t pitch = 0;
      s.expect("cudaMallocPitch(all)", cudaMallocPitch(&p, &pitch, SIZE_MAX - 3, 1 + s.below(9)), cudaErrorMemoryAllocation);
      return;
    }
    default: break;
  }
  const size_t size = 1 + s.below(s.one_in(10) ? 20000 : 600);
  if (!s.expect("cudaMalloc", cudaMalloc(&p, size), cudaSuccess)) return;
  buffer b;
  b.device = static_cast<char*>(p);
  b.content = s.random_bytes(size);
  all().born(reinterpret_cast<std::uintptr_t>(p), size);
  s.expect("cudaMemcpy to new memory", cudaMemcpy(p, b.content.data(), size, cudaMemcpyHostToDevice), cudaSuccess);
  s.buffers.push_back(b);
}

void release(sequence& s) {
  if (s.one_in(3) || s.buffers.empty()) {
    const alone lock(all().mutex);
    char* p = s.wrong_address();
    if (!s.buffers.empty() && s.one_in(3) && s.buffers[0].content.size() > 1) p = s.buffers[0].device + 1;
    if (p == nullptr)
      s.expect("cudaFree(null)", cudaFree(p), cudaSuccess);
    else if (!all().begins(reinterpret_cast<std::uintptr_t>(p)))
      s.expect("cudaFree of no memory", cudaFree(p), cudaErrorInvalidDevicePointer);
    return;
  }
  const with_others lock(all().mutex);
  const size_t k = s.below(s.buffers.size());
  char* p = s.buffers[k].device;
  bytes back(s.buffers[k].content.size());
  s.expect("cudaMemcpy before cudaFree", cudaMemcpy(back.data(), p, back.size(), cudaMemcpyDeviceToHost), cudaSuccess);
  s.expect_equal("cudaMemcpy before cudaFree", back, s.buffers[k].content);
  // Before it is free for others.
  all().died(reinterpret_cast<std::uintptr_t>(p));
  s.expect("cudaFree", cudaFree(p), cudaSuccess);
  s.freed.push_back(p);
  s.buffers.erase(s.buffers.begin() + static_cast<long>(k));
}

// Copies with a pointer, a length or a direction that is wrong.
void wrong_copy(sequence& s) {
  const alone lock(all().mutex);
  bytes host = s.random_bytes(700);
  char* p = s.wrong_address();
  const size_t room = all().room(reinterpret_cast<std::uintptr_t>(p));
  const size_t count = 1 + s.below(host.size() - 1);
  switch (s.below(6)) {
    case 0:
      if (room < count)
        s.expect("cudaMemcpy to no memory", cudaMemcpy(p, host.data(), count, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
      return;
    case 1:
      if (room < count)
        s.expect("cudaMemcpy from no memory", cudaMemcpy(host.data(), p, count, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
      return;
    case 2:
      if (room < count) s.expect("cudaMemset of no memory", cudaMemset(p, 1, count), cudaErrorInvalidValue);
      return;
    case 3:
      s.expect("cudaMemcpy in no direction", cudaMemcpy(host.data(), host.data() + 1, count / 2, static_cast<cudaMemcpyKind>(5 + s.below(90))),
               cudaErrorInvalidMemcpyDirection);
      return;
    case 4:
      s.expect("cudaMemset of no bytes", cudaMemset(p, 1, 0), cudaSuccess);
      return;
    default: break;
  }
  if (s.buffers.empty()) return;
  const buffer& b = s.buffers[s.below(s.buffers.size())];
  const size_t size = b.content.size();
  switch (s.below(7)) {
    case 0:
      // Much more than the host has: nothing of it may be read.
      s.expect("cudaMemcpy of too much", cudaMemcpy(b.device, host.data(), size + 1 + s.below(1ul << 40), cudaMemcpyHostToDevice),
               cudaErrorInvalidValue);
      return;
    case 1:
      s.expect("cudaMemcpy beyond the end", cudaMemcpy(host.data(), b.device + size / 2, size + 1, cudaMemcpyDeviceToHost),
               cudaErrorInvalidValue);
      return;
    case 2:
      s.expect("cudaMemcpy with the device as host", cudaMemcpy(b.device, b.device, size, cudaMemcpyHostToDevice),
               cudaErrorInvalidValue);
      return;
    case 3:
      s.expect("cudaMemcpy with the host as device", cudaMemcpy(host.data(), b.device, 1, cudaMemcpyDeviceToDevice),
               cudaErrorInvalidValue);
      return;
    case 4:
      s.expect("cudaMemcpy2D with a short pitch", cudaMemcpy2D(b.device, 3, host.data(), 4, 4, 2, cudaMemcpyHostToDevice),
               cudaErrorInvalidPitchValue);
      return;
    case 5:
      s.expect("cudaMemcpy2D of too much", cudaMemcpy2D(b.device, SIZE_MAX / 2, host.data(), 4, 1, 3, cudaMemcpyHostToDevice),
               cudaErrorInvalidValue);
      return;
    default:
      s.expect("cudaMemset beyond the end", cudaMemset(b.device, 7, size + 1 + s.below(1ul << 33)), cudaErrorInvalidValue);
      return;
  }
}

void copy(sequence& s) {
  if (s.buffers.empty() || s.one_in(4)) return wrong_copy(s);
  const with_others lock(all().mutex);
  buffer& b = s.buffers[s.below(s.buffers.size())];
  const size_t size = b.content.size(), at = s.below(size), count = s.below(size - at + 1);
  switch (s.below(5)) {
    case 0: {
      const bytes from = s.random_bytes(count);
      s.expect("cudaMemcpy to the device", cudaMemcpy(b.device + at, from.data(), count, cudaMemcpyHostToDevice), cudaSuccess);
      std::copy(from.begin(), from.end(), b.content.begin() + static_cast<long>(at));
      return;
    }
    case 1: {
      bytes to(count);
      s.expect("cudaMemcpy to the host", cudaMemcpy(to.data(), b.device + at, count, cudaMemcpyDefault), cudaSuccess);
      s.expect_equal("cudaMemcpy to the host", to, bytes(b.content.begin() + static_cast<long>(at), b.content.begin() + static_cast<long>(at + count)));
      return;
    }
    case 2: {  // overlapping
      const size_t to = s.below(size - count + 1);
      s.expect("cudaMemcpy within memory", cudaMemcpy(b.device + to, b.device + at, count, cudaMemcpyDeviceToDevice), cudaSuccess);
      std::memmove(b.content.data() + to, b.content.data() + at, count);
      return;
    }
    case 3: {
      const int value = static_cast<int>(s.below(1000));
      s.expect("cudaMemset", cudaMemset(b.device + at, value, count), cudaSuccess);
      std::memset(b.content.data() + at, value, count);
      return;
    }
    default: {
      const size_t width = 1 + s.below(20), rows = 1 + s.below(6), pitch = width + s.below(9);
      if (at + (rows - 1) * pitch + width > size) return;
      const bytes from = s.random_bytes(width * rows);
      s.expect("cudaMemcpy2D", cudaMemcpy2D(b.device + at, pitch, from.data(), width, width, rows, cudaMemcpyHostToDevice), cudaSuccess);
      for (size_t r = 0; r < rows; ++r) std::memcpy(b.content.data() + at + r * pitch, from.data() + r * width, width);
      return;
    }
  }
}

void launch(sequence& s) {
  if (s.buffers.empty()) return;
  const with_others lock(all().mutex);
  buffer& b = s.buffers[s.below(s.buffers.size())];
  const int n = static_cast<int>(b.content.size()), k = static_cast<int>(s.below(256));
  auto* p = reinterpret_cast<unsigned char*>(b.device);
  const auto result = [&](dim3 grid, dim3 block, size_t shared) {
    add<<<grid, block, shared>>>(p, n, k);
    return cudaGetLastError();
  };
  cudaGetLastError();
  switch (s.below(7)) {
    case 0: s.expect("launch of no block", result(dim3(0), dim3(32), 0), cudaErrorInvalidConfiguration); return;
    case 1: s.expect("launch of large blocks", result(dim3(1), dim3(513 + s.below(9999)), 0), cudaErrorInvalidConfiguration); return;
    case 2: s.expect("launch of large shared memory", result(dim3(1), dim3(32), 16385 + s.below(1u << 20)), cudaErrorInvalidValue); return;
    case 3: s.expect("launch of a large grid", result(dim3(65536), dim3(32), 0), cudaErrorInvalidConfiguration); return;
    case 4:
      s.expect("launch of no function", cudaLaunch(static_cast<const void*>(p)), cudaErrorMissingConfiguration);
      return;
    default: break;
  }
  const unsigned block = 1 + static_cast<unsigned>(s.below(128));
  s.expect("launch", result(dim3((static_cast<unsigned>(n) + block - 1) / block), dim3(block), s.below(64)), cudaSuccess);
  for (unsigned char& c : b.content) c = static_cast<unsigned char>(c + k);
  if (s.one_in(3)) s.expect("cudaThreadSynchronize", cudaThreadSynchronize(), cudaSuccess);
}

void images(sequence& s) {
  const cudaChannelFormatDesc good = cudaCreateChannelDesc<unsigned char>();
  if (s.arrays.empty() || s.one_in(3)) {
    const with_others lock(all().mutex);
    cudaArray* made = nullptr;
    if (s.one_in(4)) {
      const cudaChannelFormatDesc bad = {8, 16, 0, 0, cudaChannelFormatKindUnsigned};
      s.expect("cudaMallocArray of no form", cudaMallocArray(&made, &bad, 4, 4), cudaErrorInvalidChannelDescriptor);
      s.expect("cudaMallocArray of much", cudaMallocArray(&made, &good, 70000, 4), cudaErrorInvalidValue);
      return;
    }
    array a;
    a.width = 1 + s.below(30);
    a.height = 1 + s.below(10);
    a.content.assign(a.width * a.height, 0);
    if (!s.expect("cudaMallocArray", cudaMallocArray(&a.handle, &good, a.width, a.height), cudaSuccess)) return;
    s.expect("cudaMemcpyToArray", cudaMemcpyToArray(a.handle, 0, 0, a.content.data(), a.content.size(), cudaMemcpyHostToDevice), cudaSuccess);
    s.arrays.push_back(a);
    return;
  }
  const alone lock(all().mutex);
  array& a = s.arrays[s.below(s.arrays.size())];
  const size_t x = s.below(a.width), y = s.below(a.height), rest = a.content.size() - (y * a.width + x), count = s.below(rest + 1);
  const bytes from = s.random_bytes(rest + 1);
  bytes to(rest + 1);
  switch (s.below(6)) {
    case 0:
      s.expect("cudaMemcpyToArray", cudaMemcpyToArray(a.handle, x, y, from.data(), count, cudaMemcpyHostToDevice), cudaSuccess);
      std::memcpy(a.content.data() + y * a.width + x, from.data(), count);
      return;
    case 1:
      s.expect("cudaMemcpyFromArray", cudaMemcpyFromArray(to.data(), a.handle, x, y, count, cudaMemcpyDeviceToHost), cudaSuccess);
      to.resize(count);
      s.expect_equal("cudaMemcpyFromArray", to, bytes(a.content.end() - static_cast<long>(rest), a.content.end() - static_cast<long>(rest - count)));
      return;
    case 2:
      s.expect("cudaMemcpyToArray of too much", cudaMemcpyToArray(a.handle, x, y, from.data(), rest + 1, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
      return;
    case 3:
      s.expect("cudaMemcpyToArray backwards", cudaMemcpyToArray(a.handle, x, y, from.data(), 1, cudaMemcpyDeviceToHost), cudaErrorInvalidMemcpyDirection);
      return;
    case 4:
      if (s.freed_arrays.empty()) return;
      // A new array may be where a freed one was.
      for (const array& other : s.arrays)
        if (other.handle == s.freed_arrays.back()) return;
      if (s.one_in(1000)) s.freed_arrays.clear();
      return;
    default:
      s.expect("cudaFreeArray", cudaFreeArray(a.handle), cudaSuccess);
      s.expect("cudaFreeArray twice", cudaFreeArray(a.handle), cudaErrorInvalidResourceHandle);
      s.expect("cudaMemcpyFromArray of a freed one", cudaMemcpyFromArray(to.data(), a.handle, 0, 0, 1, cudaMemcpyDeviceToHost),
               cudaErrorInvalidResourceHandle);
      s.arrays.erase(s.arrays.begin() + (&a - s.arrays.data()));
      return;
  }
}

// Every call that gives a stream work, with one that is none.
void wrong_stream(sequence& s, cudaStream_t stream) {
  if (s.buffers.empty()) return;
  buffer& b = s.buffers[0];
  bytes host = s.random_bytes(b.content.size());
  const size_t size = host.size();
  auto* p = reinterpret_cast<unsigned char*>(b.device);
  cudaGetLastError();
  add<<<1, 1, 0, stream>>>(p, 1, 1);
  s.expect("launch in no stream", cudaGetLastError(), cudaErrorInvalidResourceHandle);
  s.expect("cudaMemcpyAsync in no stream", cudaMemcpyAsync(p, host.data(), size, cudaMemcpyHostToDevice, stream),
           cudaErrorInvalidResourceHandle);
  s.expect("cudaMemcpy2DAsync in no stream",
           cudaMemcpy2DAsync(p, size, host.data(), size, size, 1, cudaMemcpyHostToDevice, stream),
           cudaErrorInvalidResourceHandle);
  s.expect("cudaMemcpyPeerAsync in no stream", cudaMemcpyPeerAsync(p, 0, p, 0, size, stream),
           cudaErrorInvalidResourceHandle);
  s.expect("cudaMemsetAsync in no stream", cudaMemsetAsync(p, 1, size, stream), cudaErrorInvalidResourceHandle);
  s.expect("cudaMemset2DAsync in no stream", cudaMemset2DAsync(p, size, 1, size, 1, stream), cudaErrorInvalidResourceHandle);
  s.expect("cudaMemcpyToSymbolAsync in no stream",
           cudaMemcpyToSymbolAsync(variable, host.data(), 1, 0, cudaMemcpyHostToDevice, stream), cudaErrorInvalidResourceHandle);
  s.expect("cudaStreamQuery of none", cudaStreamQuery(stream), cudaErrorInvalidResourceHandle);
  s.expect("cudaStreamSynchronize of none", cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  if (!s.events.empty()) {
    s.expect("cudaEventRecord in no stream", cudaEventRecord(s.events[0], stream), cudaErrorInvalidResourceHandle);
    s.expect("cudaStreamWaitEvent in no stream", cudaStreamWaitEvent(stream, s.events[0], 0), cudaErrorInvalidResourceHandle);
  }
}

// The same calls do their work in a stream.
void right_stream(sequence& s, cudaStream_t stream) {
  if (s.buffers.empty()) return;
  buffer& b = s.buffers[0];
  const bytes from = s.random_bytes(b.content.size());
  auto* p = reinterpret_cast<unsigned char*>(b.device);
  s.expect("cudaMemcpyAsync", cudaMemcpyAsync(p, from.data(), from.size(), cudaMemcpyHostToDevice, stream), cudaSuccess);
  s.expect("cudaMemsetAsync", cudaMemsetAsync(p, 7, 1, stream), cudaSuccess);
  cudaGetLastError();
  add<<<1, 1, 0, stream>>>(p, 1, 1);
  s.expect("launch in a stream", cudaGetLastError(), cudaSuccess);
  s.expect("cudaStreamSynchronize", cudaStreamSynchronize(stream), cudaSuccess);
  b.content = from;
  b.content[0] = 8;
}

// Events without time may be recorded, and not subtracted.
void event_without_time(sequence& s) {
  cudaEvent_t e = nullptr;
  float time = 0;
  if (!s.expect("cudaEventCreateWithFlags", cudaEventCreateWithFlags(&e, cudaEventDisableTiming), cudaSuccess)) return;
  s.expect("cudaEventRecord without time", cudaEventRecord(e, nullptr), cudaSuccess);
  s.expect("cudaEventElapsedTime without time", cudaEventElapsedTime(&time, e, e), cudaErrorInvalidResourceHandle);
  s.expect("cudaEventDestroy without time", cudaEventDestroy(e), cudaSuccess);
}

void handles(sequence& s) {
  const alone lock(all().mutex);
  float time = 0;
  switch (s.below(8)) {
    case 0: {
      cudaEvent_t e = nullptr;
      if (s.expect("cudaEventCreate", cudaEventCreate(&e), cudaSuccess)) s.events.push_back(e);
      s.expect("cudaEventElapsedTime of none", cudaEventElapsedTime(&time, e, e), cudaErrorInvalidResourceHandle);
      return;
    }
    case 1: {
      cudaStream_t made = nullptr;
      if (s.expect("cudaStreamCreate", cudaStreamCreate(&made), cudaSuccess)) s.streams.push_back(made);
      return;
    }
    case 2:
      if (s.events.empty()) return;
      s.expect("cudaEventRecord", cudaEventRecord(s.events[0], s.streams.empty() ? nullptr : s.streams[0]), cudaSuccess);
      s.expect("cudaEventSynchronize", cudaEventSynchronize(s.events[0]), cudaSuccess);
      s.expect("cudaEventElapsedTime", cudaEventElapsedTime(&time, s.events[0], s.events[0]), cudaSuccess);
      return;
    case 3:
      if (s.events.empty()) return;
      s.expect("cudaEventDestroy", cudaEventDestroy(s.events.back()), cudaSuccess);
      s.expect("cudaEventDestroy twice", cudaEventDestroy(s.events.back()), cudaErrorInvalidResourceHandle);
      s.expect("cudaEventRecord of none", cudaEventRecord(s.events.back(), nullptr), cudaErrorInvalidResourceHandle);
      s.events.pop_back();
      return;
    case 4:
      if (s.streams.empty()) return;
      s.expect("cudaStreamDestroy", cudaStreamDestroy(s.streams.back()), cudaSuccess);
      wrong_stream(s, s.streams.back());
      s.streams.pop_back();
      return;
    case 5: return s.one_in(2) ? wrong_stream(s, reinterpret_cast<cudaStream_t>(&s)) : event_without_time(s);
    case 6:
      if (!s.streams.empty()) right_stream(s, s.streams[0]);
      return;
    default:
      s.expect("cudaSetDevice of none", cudaSetDevice(1 + static_cast<int>(s.below(50))), cudaErrorInvalidDevice);
      s.expect("cudaGetLastError", cudaGetLastError(), cudaErrorInvalidDevice);
      s.expect("cudaGetLastError again", cudaGetLastError(), cudaSuccess);
      return;
  }
}

void symbols(sequence& s) {
  const alone lock(all().mutex);
  const bytes from = s.random_bytes(600);
  bytes to(600);
  const bool in_constant = s.one_in(2);
  const size_t size = in_constant ? sizeof constant : sizeof variable;
  const size_t at = s.below(size), count = s.below(size - at + 1);
  const auto write = [&](size_t n) { return in_constant ? cudaMemcpyToSymbol(constant, from.data(), n, at) : cudaMemcpyToSymbol(variable, from.data(), n, at); };
  const auto read = [&](size_t n) { return in_constant ? cudaMemcpyFromSymbol(to.data(), constant, n, at) : cudaMemcpyFromSymbol(to.data(), variable, n, at); };
  s.expect("cudaMemcpyToSymbol", write(count), cudaSuccess);
  s.expect("cudaMemcpyFromSymbol", read(count), cudaSuccess);
  to.resize(count);
  s.expect_equal("cudaMemcpyFromSymbol", to, bytes(from.begin(), from.begin() + static_cast<long>(count)));
  s.expect("cudaMemcpyToSymbol of too much", write(size - at + 1 + s.below(1000)), cudaErrorInvalidValue);
  void* address = nullptr;
  if (!s.one_in(4)) return;
  s.expect("cudaGetSymbolAddress", cudaGetSymbolAddress(&address, variable), cudaSuccess);
  s.expect("cudaFree of a variable", cudaFree(address), cudaErrorInvalidDevicePointer);
}

}  // namespace

void runtime_call(sequence& s) {
  switch (s.below(12)) {
    case 0:
    case 1: return allocate(s);
    case 2: return release(s);
    case 3:
    case 4:
    case 5: return copy(s);
    case 6:
    case 7: return launch(s);
    case 8:
    case 9: return images(s);
    case 10: return handles(s);
    default: return symbols(s);
  }
}

}  // namespace api_fuzz
