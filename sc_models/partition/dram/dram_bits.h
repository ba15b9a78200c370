// The contents of a DRAM as storage whose bits can be flipped, whichever model stores them.
#pragma once

#include "sc_models/partition/dram/storage.h"
#include "tlm_bus/injectable.h"

namespace gt200::model {

class dram_bits : public tlm_bus::injectable {
 public:
  // By byte of the partition and bit.
  const char* structure() const override { return "dram"; }
  std::uint64_t bits() const override;
  bool bit(std::uint64_t bit) const override;
  void flip(std::uint64_t bit) override;
  std::string text_of_bit(std::uint64_t bit) const override;
  // Pages of the storage that have been written.
  void add_occupied(std::vector<tlm_bus::bit_range>& to) const override;

 protected:
  virtual dram_storage& stored() = 0;

 private:
  const dram_storage& contents() const { return const_cast<dram_bits*>(this)->stored(); }
};

}  // namespace gt200::model
