// Makes room when registers do not suffice: general registers are spilled to l[], predicates and address registers
// are recomputed where they are used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "toolchain/ptx/passes.h"

namespace gt200::ptx {

class spiller {
 public:
  explicit spiller(machine_function& f) : f_(f) {}

  // Returns false if nothing can make room.
  bool make_room(const allocation& failed, std::size_t rivals_each);

 private:
  bool is_temporary(int r) const;
  int new_temporary(register_class kind, std::uint8_t words);

  // For every register its accesses, weighted by how often their blocks run.
  std::vector<double> costs() const;

  // Keeps the mask instead of the condition, and restores the condition from it before every use.
  void recompute(int condition);

  // Recomputes the sum or shift of an address register before every use. Its source is a value, or the address
  // register has one use, right after it.
  void recompute_address(int victim);

  operation local_access(isa::tesla::opcode op, std::uint32_t offset, word_ref r, int words, unsigned line) const;

  std::uint32_t home_of(int victim, std::uint32_t bytes);

  // Loads the register into a temporary before every use, and stores it after every write.
  void spill_to_local(int victim);

  machine_function& f_;
  std::vector<bool> temporary_;        // by register: short-lived, useless as a victim
  std::map<int, std::uint32_t> home_;  // of registers spilled to l[]; masks may be used again later
};

}  // namespace gt200::ptx
