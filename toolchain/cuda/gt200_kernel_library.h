// Functions of the C library in kernels: printf, assert, malloc and free, memcpy and its kin. clang's <new> calls
// them. Source: CUDA C Programming Guide, "Formatted Output", "Assertion", "Dynamic Global Memory Allocation and
// Operations". kernel_library.h says what the worker does.
//
// They need compute capability 2.0.
#pragma once

#include "gt200_warp.h"

GT200_DEVICE void* memcpy(void* to, const void* from, __SIZE_TYPE__ bytes) {
  return __builtin_memcpy(to, from, bytes);
}
GT200_DEVICE void* memset(void* to, int value, __SIZE_TYPE__ bytes) { return __builtin_memset(to, value, bytes); }
GT200_DEVICE void* memmove(void* to, const void* from, __SIZE_TYPE__ bytes) {
  unsigned char* const target = static_cast<unsigned char*>(to);
  const unsigned char* const source = static_cast<const unsigned char*>(from);
  if (target <= source)
    for (__SIZE_TYPE__ k = 0; k < bytes; ++k) static_cast<volatile unsigned char*>(target)[k] = source[k];
  else
    for (__SIZE_TYPE__ k = bytes; k > 0; --k) static_cast<volatile unsigned char*>(target)[k - 1] = source[k - 1];
  return to;
}
GT200_DEVICE int memcmp(const void* a, const void* b, __SIZE_TYPE__ bytes) {
  const unsigned char* const x = static_cast<const unsigned char*>(a);
  const unsigned char* const y = static_cast<const unsigned char*>(b);
  for (__SIZE_TYPE__ k = 0; k < bytes; ++k)
    if (x[k] != y[k]) return x[k] < y[k] ? -1 : 1;
  return 0;
}
GT200_DEVICE __SIZE_TYPE__ strlen(const char* text) {
  __SIZE_TYPE__ length = 0;
  while (text[length] != 0) ++length;
  return length;
}
GT200_DEVICE int strcmp(const char* a, const char* b) {
  __SIZE_TYPE__ k = 0;
  while (a[k] != 0 && a[k] == b[k]) ++k;
  return static_cast<unsigned char>(a[k]) - static_cast<unsigned char>(b[k]);
}
GT200_DEVICE char* strcpy(char* to, const char* from) {
  __SIZE_TYPE__ k = 0;
  do static_cast<volatile char*>(to)[k] = from[k];
  while (from[k++] != 0);
  return to;
}

#if GT200_HAS(200)

struct gt200_print_state {
  unsigned long long address;
  unsigned bytes;
  unsigned position;
};
// Only modules that use them have these variables.
template <int>
struct gt200_state {
  static __device__ gt200_print_state print;
  static __device__ unsigned long long heap;
};
template <int n>
__device__ gt200_print_state gt200_state<n>::print = {0, 0, 0};
template <int n>
__device__ unsigned long long gt200_state<n>::heap = 0;

GT200_DEVICE unsigned long long gt200_printed(double v) { return __builtin_bit_cast(unsigned long long, v); }
GT200_DEVICE unsigned long long gt200_printed(float v) { return gt200_printed(static_cast<double>(v)); }
template <class T>
GT200_DEVICE unsigned long long gt200_printed(T* p) {
  return reinterpret_cast<unsigned long long>(p);
}
template <class T>
GT200_DEVICE unsigned long long gt200_printed(T v) {
  return static_cast<unsigned long long>(static_cast<long long>(v));
}

// Writes a record of `count` values, and returns their number.
GT200_DEVICE int gt200_print(const char* format, const unsigned long long* values, unsigned count, unsigned kind) {
  gt200_print_state& state = gt200_state<0>::print;
  const unsigned position = atomicAdd(&state.position, 8 * (count + 2));
  const unsigned long long head =
      0x7e57ull << 48 | static_cast<unsigned long long>(kind << 8 | count) << 32 | position;
  const auto put = [&](unsigned k, unsigned long long word) {
    *reinterpret_cast<unsigned long long*>(state.address + ((position + 8 * k) & (state.bytes - 1))) = word;
  };
  put(0, head);
  put(1, reinterpret_cast<unsigned long long>(format));
#pragma unroll
  for (unsigned k = 0; k < count; ++k) put(k + 2, values[k]);
  return static_cast<int>(count);
}
template <class... T>
__device__ inline __attribute__((always_inline)) int printf(const char* format, T... values) {
  const unsigned long long words[sizeof...(T) + 1] = {gt200_printed(values)...};
  return gt200_print(format, words, sizeof...(T), 0);
}

// assert() calls this if its condition is false.
__attribute__((noreturn)) GT200_DEVICE void __assert_fail(const char* condition, const char* file, unsigned line,
                                                          const char* function) noexcept {
  const unsigned long long words[] = {
      gt200_printed(file), line,        gt200_printed(function), blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x,
      threadIdx.y,         threadIdx.z, gt200_printed(condition)};
  gt200_print("%s:%d: %s: block: [%d,%d,%d], thread: [%d,%d,%d] Assertion `%s` failed.\n", words, 10, 1);
  __threadfence();
  __trap();
  __builtin_unreachable();
}

// The heap: a head, and blocks that once were taken from its free end. A block keeps its class, four classes of
// sizes to a power of two, and comes back to the list of that class. An entry of a list is a count of its changes,
// in the upper half, and the place of the first block in units of 16 bytes; the blocks name the next ones.
struct gt200_heap {
  unsigned long long bytes;
  unsigned long long used;  // behind the head
  unsigned long long lists[128];
};
GT200_DEVICE gt200_heap* gt200_own_heap() { return reinterpret_cast<gt200_heap*>(gt200_state<0>::heap); }
GT200_DEVICE unsigned long long gt200_bytes_of_class(unsigned number) {
  return static_cast<unsigned long long>(4 + number % 4) << (number / 4 + 3);  // 32, 40, 48, 56, 64, 80, ...
}
GT200_DEVICE unsigned gt200_class_of(unsigned long long bytes) {
  if (bytes <= 32) return 0;
  const unsigned power = 63 - __clzll(static_cast<long long>(bytes - 1));
  const unsigned quarter = static_cast<unsigned>((bytes - 1) >> (power - 2)) & 3;
  return 4 * (power - 5) + quarter + 1;
}
GT200_DEVICE void* gt200_from_list(gt200_heap* heap, unsigned number) {
  unsigned long long head = *static_cast<volatile unsigned long long*>(&heap->lists[number]);
  while (static_cast<unsigned>(head) != 0) {
    char* const block = reinterpret_cast<char*>(heap) + (head & 0xffffffffu) * 16;
    const unsigned next = reinterpret_cast<volatile unsigned*>(block)[1];
    const unsigned long long changed = ((head >> 32) + 1) << 32 | next;
    const unsigned long long seen = atomicCAS(&heap->lists[number], head, changed);
    if (seen == head) return block;
    head = seen;
  }
  return nullptr;
}
GT200_DEVICE void* gt200_from_end(gt200_heap* heap, unsigned number) {
  const unsigned long long bytes = (gt200_bytes_of_class(number) + 15) / 16 * 16;
  const unsigned long long head = (sizeof(gt200_heap) + 15) / 16 * 16;
  unsigned long long used = *static_cast<volatile unsigned long long*>(&heap->used);
  while (head + used + bytes <= heap->bytes) {
    const unsigned long long seen = atomicCAS(&heap->used, used, used + bytes);
    if (seen == used) {
      char* const block = reinterpret_cast<char*>(heap) + head + used;
      *reinterpret_cast<unsigned*>(block) = number;
      return block;
    }
    used = seen;
  }
  return nullptr;
}
__device__ inline void* malloc(__SIZE_TYPE__ bytes) {
  gt200_heap* const heap = gt200_own_heap();
  const unsigned long long head_of_block = 16;
  if (bytes == 0 || bytes > heap->bytes) return nullptr;
  const unsigned number = gt200_class_of(bytes + head_of_block);
  void* block = gt200_from_list(heap, number);
  if (block == nullptr) block = gt200_from_end(heap, number);
  // A larger one, rather than none.
  for (unsigned k = number + 1; block == nullptr && k < 128; ++k) block = gt200_from_list(heap, k);
  return block == nullptr ? nullptr : static_cast<char*>(block) + head_of_block;
}
__device__ inline void free(void* pointer) {
  if (pointer == nullptr) return;
  gt200_heap* const heap = gt200_own_heap();
  char* const block = static_cast<char*>(pointer) - 16;
  const unsigned place = static_cast<unsigned>((block - reinterpret_cast<char*>(heap)) / 16);
  unsigned long long* const list = &heap->lists[*reinterpret_cast<unsigned*>(block) & 127];
  unsigned long long head = *static_cast<volatile unsigned long long*>(list);
  for (;;) {
    reinterpret_cast<volatile unsigned*>(block)[1] = static_cast<unsigned>(head);
    __threadfence();
    const unsigned long long seen = atomicCAS(list, head, ((head >> 32) + 1) << 32 | place);
    if (seen == head) return;
    head = seen;
  }
}

#else

template <class... T>
__device__ __attribute__((error("device code cannot print before compute capability 2.0"))) int printf(
    const char* format, T... values);
__device__ __attribute__((error("assert() needs compute capability 2.0"))) void __assert_fail(const char*,
                                                                                              const char*, unsigned,
                                                                                              const char*) noexcept;
__device__ __attribute__((error("malloc() in kernels needs compute capability 2.0"))) void* malloc(__SIZE_TYPE__);
__device__ __attribute__((error("free() in kernels needs compute capability 2.0"))) void free(void*);

#endif
