#include "cuda/worker/cpu/address_space.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>

#include "toolchain/error.h"

namespace gt200::cudart {

address_space::address_space(std::uint64_t begin, std::uint64_t end)
    : begin_(begin), reserved_end_(end), end_(begin) {
  void* const wanted = reinterpret_cast<void*>(begin);
  void* const got = mmap(wanted, end - begin, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (got == wanted) return;
  if (got != MAP_FAILED) munmap(got, end - begin);
  throw input_error(
      fmt::format("device code cannot run on this CPU: the addresses {:#x} to {:#x} of device memory are "
                  "not free in the process",
                  begin, end));
}

address_space::~address_space() { munmap(at(begin_), reserved_end_ - begin_); }

void address_space::grow(std::uint64_t end) {
  end = std::min(end, reserved_end_);
  if (end <= end_) return;
  if (mprotect(at(end_), end - end_, PROT_READ | PROT_WRITE) != 0)
    throw input_error("no memory of the host for the device's");
  end_ = end;
}

bool address_space::holds(std::uint64_t address, std::size_t bytes) const {
  return address >= begin_ && address <= end_ && bytes <= end_ - address;
}

}  // namespace gt200::cudart
