#include "cuda/client/host_time.h"

#include <atomic>

namespace gt200::cudart {
namespace {

// Assumption: a system call that needs no kernel.
constexpr std::uint64_t femtoseconds_per_reading = 25'000'000;

std::atomic<std::uint64_t> now{0};

}  // namespace

std::uint64_t host_time() { return now; }

void pass_host_time_to(std::uint64_t femtoseconds) {
  std::uint64_t before = now;
  while (before < femtoseconds && !now.compare_exchange_weak(before, femtoseconds)) {
  }
}

std::uint64_t host_time_at_reading() { return now += femtoseconds_per_reading; }

}  // namespace gt200::cudart
