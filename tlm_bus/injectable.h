// Storage whose bits can be flipped from outside, as a particle that hits the hardware does.
//
// The module that owns the storage implements it and says which bits there are. Nothing calls it in a normal run,
// and it costs nothing then. Who flips a bit does so between two edges of the owner's clock: when all edges before
// the flip have been executed and none at or after it (interval_observer in clocking.h).
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace gt200::tlm_bus {

struct bit_range {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

// Is told of every access to a watched bit, while the owner's clock executes the edge of the access.
class bit_access_listener {
 public:
  virtual void accessed(std::uint64_t bit, bool writes) = 0;

 protected:
  ~bit_access_listener() = default;
};

class injectable {
 public:
  virtual ~injectable() = default;

  // The name of the structure, the same for all modules that hold a part of it.
  virtual const char* structure() const = 0;
  // Bits of the storage as it is configured, in use or not. 0: nothing can be injected there.
  virtual std::uint64_t bits() const = 0;
  // `bit` is below bits().
  virtual bool bit(std::uint64_t bit) const = 0;
  // Everything that follows from the bit follows at once, or from the next edge on if it is a signal of the module.
  virtual void flip(std::uint64_t bit) = 0;
  // Which part of the storage that is, and what it holds now, for readers.
  virtual std::string text_of_bit(std::uint64_t bit) const = 0;
  // Adds the bits that belong to something in use, in ranges that do not overlap.
  virtual void add_occupied(std::vector<bit_range>& to) const = 0;
  // Watches these bits, and no longer those of the call before; false if the module cannot tell of its accesses.
  // The listener must outlive its last access.
  virtual bool watch(const std::vector<std::uint64_t>&, bit_access_listener&) { return false; }
};

// The bits of storage that holds nothing: a flip there can be read back, and has no other effect.
class idle_bits {
 public:
  bool at(std::uint64_t bit) const { return flipped_.count(bit) != 0; }
  void flip(std::uint64_t bit) {
    if (flipped_.erase(bit) == 0) flipped_.insert(bit);
  }

 private:
  std::set<std::uint64_t> flipped_;
};

}  // namespace gt200::tlm_bus
