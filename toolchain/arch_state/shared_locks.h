// The locks on words of shared memory that "ld lock" takes and "st unlock" gives back (compute capability 1.2 on).
//
// Every warp can hold one locked word of s[] (envytools isa.rst); no other thread can lock that word. So at most
// one lane of a warp takes the lock: the lowest lane that finds its word free. The other lanes see in $c that they
// failed and try again. A store with unlock by the warp that holds the word releases it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace gt200::arch_state {

class shared_locks {
 public:
  explicit shared_locks(unsigned warps) : held_(warps, none) {}

  void clear() { held_.assign(held_.size(), none); }

  // Tries to lock the word at this byte address for a lane of `warp`.
  bool try_lock(unsigned warp, std::uint32_t address) {
    const std::uint32_t word = address / 4;
    if (held_[warp] != none) return false;
    for (const std::uint32_t other : held_)
      if (other == word) return false;
    held_[warp] = word;
    return true;
  }
  void unlock(unsigned warp, std::uint32_t address) {
    if (held_[warp] == address / 4) held_[warp] = none;
  }
  // The byte address of the word that this warp holds.
  std::optional<std::uint32_t> held_by(unsigned warp) const {
    if (held_[warp] == none) return std::nullopt;
    return held_[warp] * 4;
  }

 private:
  static constexpr std::uint32_t none = 0xffffffffu;
  std::vector<std::uint32_t> held_;  // per warp: word number
};

}  // namespace gt200::arch_state
