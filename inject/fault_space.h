// All storage of a chip whose bits can be flipped, found by walking the hierarchy.
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <vector>

#include "tlm_bus/injectable.h"

namespace gt200::inject {

// The storage of one module.
struct storage_part {
  std::string module;
  tlm_bus::injectable* storage = nullptr;
  std::uint64_t bits = 0;
};

// The parts of all modules with one structure.
struct structure {
  std::string name;
  std::vector<storage_part> parts;  // in the order of the hierarchy
  std::uint64_t bits() const;
};

class fault_space {
 public:
  // After construction of the chip, which must outlive it. Modules without bits are left out.
  explicit fault_space(const sc_core::sc_object& chip);

  const std::vector<structure>& structures() const { return structures_; }
  // By the name of the module, with or without that of the chip in front. Throws input_error.
  const storage_part& find(const std::string& module) const;

 private:
  void add(sc_core::sc_object& object);

  std::string chip_;
  std::vector<structure> structures_;  // in the order in which they are found
};

}  // namespace gt200::inject
