// What the fuzzing threads share: which device memory is whose, what is expected of a call, and what was found.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <map>
#include <mutex>
#include <random>
#include <shared_mutex>
#include <string>
#include <vector>

namespace api_fuzz {

typedef std::vector<unsigned char> bytes;

// Calls on objects of a thread's own hold the mutex shared. Calls with pointers and handles that are not alive hold
// it alone, so that no other thread makes one of them alive in between.
struct world {
  std::shared_mutex mutex;
  std::mutex table;
  std::map<std::uintptr_t, size_t> alive;  // linear memory of all threads
  std::atomic<unsigned long> calls{0}, refused{0}, differences{0};

  void born(std::uintptr_t address, size_t size) {
    const std::lock_guard<std::mutex> lock(table);
    alive[address] = size;
  }
  void died(std::uintptr_t address) {
    const std::lock_guard<std::mutex> lock(table);
    alive.erase(address);
  }
  // Bytes from the address to the end of the memory that has it; 0 if none has.
  size_t room(std::uintptr_t address) {
    const std::lock_guard<std::mutex> lock(table);
    auto found = alive.upper_bound(address);
    if (found == alive.begin()) return 0;
    --found;
    return address < found->first + found->second ? found->first + found->second - address : 0;
  }
  bool begins(std::uintptr_t address) {
    const std::lock_guard<std::mutex> lock(table);
    return alive.count(address) != 0;
  }
};
inline world& all() {
  static world one;
  return one;
}

struct buffer {
  char* device = nullptr;
  bytes content;
};
struct array {
  cudaArray* handle = nullptr;
  size_t width = 0, height = 0;  // bytes, rows
  bytes content;
};

// One sequence of calls, by one thread.
class sequence {
 public:
  sequence(unsigned long number, unsigned long seed) : number_(number), draw_(seed * 1000003 + number) {}

  size_t below(size_t limit) { return limit == 0 ? 0 : draw_() % limit; }
  bool one_in(size_t n) { return below(n) == 0; }
  bytes random_bytes(size_t count) {
    bytes b(count);
    for (unsigned char& c : b) c = static_cast<unsigned char>(draw_());
    return b;
  }

  template <class T>
  bool expect(const char* call, T got, T wanted) {
    ++all().calls;
    all().refused += wanted != 0;
    if (got == wanted) return true;
    ++all().differences;
    std::fprintf(stderr, "sequence %lu: %s gives %d, not %d\n", number_, call, static_cast<int>(got),
                 static_cast<int>(wanted));
    return false;
  }
  void expect_equal(const char* call, const bytes& got, const bytes& wanted) {
    if (got == wanted) return;
    ++all().differences;
    std::fprintf(stderr, "sequence %lu: %s: other bytes than were written\n", number_, call);
  }

  // An address that is not alive: freed, in the middle of nothing, or with an upper half that is not zero.
  char* wrong_address() {
    const std::uintptr_t some = buffers.empty() ? 0x10000 : reinterpret_cast<std::uintptr_t>(buffers[0].device);
    switch (below(4)) {
      case 0: return freed.empty() ? nullptr : freed[below(freed.size())];
      case 1: return reinterpret_cast<char*>(some | (1 + below(1000)) << 32);
      case 2: return reinterpret_cast<char*>(draw_() & 0xffffffffu);
      default: return reinterpret_cast<char*>(std::uintptr_t{0xfffff000u});
    }
  }

  std::vector<buffer> buffers;
  std::vector<array> arrays;
  std::vector<cudaEvent_t> events;
  std::vector<cudaStream_t> streams;
  std::vector<char*> freed;
  std::vector<cudaArray*> freed_arrays;

 private:
  unsigned long number_;
  std::mt19937_64 draw_;
};

// One random call; see runtime_calls.h and driver_calls.h.
void runtime_call(sequence& s);
void driver_call(sequence& s);

}  // namespace api_fuzz
