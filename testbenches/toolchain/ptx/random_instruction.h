// One random PTX instruction, with what it needs in front of it.
#pragma once

#include "testbenches/toolchain/ptx/random_text.h"

namespace gt200::ptx {

class random_instruction : protected random_text {
 protected:
  // `capability`: as for make_random_program().
  random_instruction(std::uint64_t seed, unsigned capability) : random_text(seed), is_fermi_(capability >= 20) {}

  void instruction();
  bool is_fermi() const { return is_fermi_; }

 private:
  void fermi_instruction();
  void generic_access();
  void integer32();
  void integer16();
  void integer64();
  void difference64();
  std::string amount();
  void float32();
  void float64();
  void comparison();
  void selection();
  void conversion();
  void memory();
  void bits();

  bool is_fermi_;
  unsigned known_ = 0;  // registers %k used so far
};

}  // namespace gt200::ptx
