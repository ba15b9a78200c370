// Memory of the host that kernels access (cudaHostAllocMapped, cudaHostRegister).
//
// The worker does not share memory with the program: every block has a copy in device memory. A launch first sends
// what the host has changed; the next call that waits for the device fetches what the device has changed. Only the
// bytes that changed are written, so that host and device may work on different parts of a block at the same time.
// What either side writes during a launch is seen by the other after it. The time of accesses is that of device
// memory.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "cuda/client/board.h"

namespace gt200::cudart {

class mapped_memory {
 public:
  // A block of the host, allocated or registered. `own`: release() frees it.
  void add(void* pointer, std::uint64_t bytes, unsigned flags, bool is_mapped, bool own);
  // False if no block begins there, or if it was registered and this is no cudaHostUnregister, or the other way
  // round.
  bool remove(void* pointer, bool own);
  bool is_empty() const { return copies_.empty(); }

  struct block {
    std::uint64_t bytes = 0;
    unsigned flags = 0;
    bool is_mapped = false;
    bool own = false;
  };
  // The block that holds the address; null if none does.
  const block* find(const void* pointer, std::uintptr_t& begin) const;

  // The address of the block's copy on this device, made by the first call.
  status device_address(board& device, void* pointer, std::uint64_t& address);

  // True if the block's copy on this device begins there.
  bool has_copy_at(const board& device, std::uint64_t address) const;

  status send(board& device);
  status fetch(board& device);
  // What is on this device is gone.
  void forget(const board& device);

 private:
  struct copy {
    const board* device = nullptr;
    std::uintptr_t host = 0;
    std::uint64_t address = 0;
    std::vector<std::uint8_t> last;  // as both sides last saw it
  };
  std::map<std::uintptr_t, block> blocks_;
  std::vector<copy> copies_;
};

}  // namespace gt200::cudart
