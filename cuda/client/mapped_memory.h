// Memory of the host that kernels access (cudaHostAllocMapped, cudaHostRegister).
//
// The worker does not share memory with the program: every block has a copy in device memory. A launch first sends
// what the host has changed; the next call that waits for the device fetches what the device has changed. Only the
// bytes that changed are written, so that host and device may work on different parts of a block at the same time.
// What either side writes during a launch is seen by the other after it. The time of accesses is that of device
// memory.
//
// From compute capability 2.0 on, kernels use the host's pointers. Memory that is allocated here then has the same
// address on both sides: its pages in the program lie where the device has its copy. A launch finds the blocks that
// its parameters point to; those of registered memory become the addresses of the copies. A pinned block is kept
// equal from the first launch on that gets its address, managed memory from the beginning.
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

  // Memory with one address on both sides; null if there is none. `is_managed`: it is kept equal at once.
  void* allocate(board& device, std::uint64_t bytes, unsigned flags, bool is_managed, status& result);
  // False if no managed block begins there.
  bool release_managed(void* pointer);
  // A variable of the host that stands for one of the device. The device's content is that of both, but for bytes
  // that the host has set already: until then it has zeros.
  status add_variable(board& device, void* host, std::uint64_t bytes, std::uint64_t address);
  // The blocks that the parameters of a launch point to are kept equal from here on.
  status prepare(board& device, std::vector<std::uint8_t>& parameters);
  // Whether both sides use this address.
  bool is_shared(std::uint64_t address) const;

  struct block {
    std::uint64_t bytes = 0;
    unsigned flags = 0;
    bool is_mapped = false;
    bool own = false;
    bool is_managed = false;
    bool has_pages = false;  // `own` ones of mmap(); else of aligned_alloc()
    // Of a block with one address on both sides: the device and its allocation. Null once the device is reset.
    board* home = nullptr;
    std::uint64_t allocation = 0;
  };
  // The block that holds the address; null if none does.
  const block* find(const void* pointer, std::uintptr_t& begin) const;

  // The address of the block's copy on this device, made by the first call.
  status device_address(board& device, void* pointer, std::uint64_t& address);

  // True if the block's copy on this device begins there.
  bool has_copy_at(const board& device, std::uint64_t address) const;

  bool has_copy_of(const board& device, const void* host) const;

  status send(board& device);
  status fetch(board& device);
  // What is on this device is gone.
  void forget(const board& device);

 private:
  void free_pages(std::uintptr_t host, const block& b);

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
