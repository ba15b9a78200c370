// Pools of device memory: what each has given out. Memory that is freed goes back to the device at once, so a pool
// has reserved what is used.
#pragma once

#include <cstdint>
#include <map>

#include "cuda/client/state.h"

struct CUmemPoolHandle_st {
  int device = 0;
  bool is_default = false;
  std::uint64_t most_bytes = 0;  // 0: all of the device's
  std::uint64_t threshold = 0;   // kept as it was set; nothing is held back
  int reuse[3] = {1, 1, 1};      // from cudaMemPoolReuseFollowEventDependencies on
  std::uint64_t used = 0;
  std::uint64_t used_high = 0, reserved_high = 0;
  std::uint64_t epoch = 0;  // of the board that the memory is of
  std::map<std::uintptr_t, std::uint64_t> held;
};

namespace gt200::cudart {

// Null if there is no such pool.
CUmemPoolHandle_st* find_pool(cudaMemPool_t pool);
CUmemPoolHandle_st& default_pool(int device);
// The pool that cudaMallocAsync takes memory from.
CUmemPoolHandle_st& pool_in_use(int device);
bool has_room(CUmemPoolHandle_st& pool, const board& device, std::uint64_t bytes);
void note_allocation(CUmemPoolHandle_st& pool, const board& device, std::uintptr_t address, std::uint64_t bytes);
// Memory of any kind that is freed.
void note_release(const board& device, std::uintptr_t address);

}  // namespace gt200::cudart
