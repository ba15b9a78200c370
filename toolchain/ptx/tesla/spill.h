// Makes room when registers do not suffice: general registers are spilled to l[], predicates and address registers
// are recomputed where they are used.
#pragma once

#include <cstddef>
#include <cstdint>

#include "toolchain/ptx/machine/spill.h"
#include "toolchain/ptx/tesla/machine_code.h"

namespace gt200::ptx::tesla {

class spiller final : public basic_spiller<machine_function> {
 public:
  using basic_spiller::basic_spiller;

 private:
  bool can_spill(int r) const override;
  void spill(int victim) override;
  operation load_local(std::uint32_t offset, word_ref r, int words, unsigned line) const override;
  operation store_local(std::uint32_t offset, word_ref r, int words, unsigned line) const override;

  // Keeps the mask instead of the condition, and restores the condition from it before every use.
  void recompute(int condition);

  // Recomputes the sum or shift of an address register before every use. Its source is a value, or the address
  // register has one use, right after it.
  void recompute_address(int victim);
};

}  // namespace gt200::ptx::tesla
