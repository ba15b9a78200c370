// What PTX instructions compute, as the PTX ISA describes them, for the threads of some warps.
//
// Numbers that PTX leaves open are marked: quotients by zero, and the bits of NaNs (any NaN is as good).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "testbenches/toolchain/ptx/second_reading/reading.h"

namespace gt200::second_reading {

// Of an instruction or a special register that is not defined here.
struct unknown_instruction : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct machine_register {
  number_type type;
  std::vector<std::uint64_t> lanes;   // bits of each thread
  std::vector<std::uint8_t> is_open;  // PTX defines no value
};

class meaning {
 public:
  // `target`: 13, 20 or 70. The threads are those of one block in one dimension.
  meaning(unsigned target, unsigned threads) : target_(target), threads_(threads), carry_(threads) {}

  machine_register& declare(const std::string& name, number_type type);
  const machine_register& of(const std::string& name) const { return registers_.at(name); }
  void execute(const instruction& i);

 private:
  __extension__ using number = __int128;

  std::uint64_t bits(const argument& a, number_type t, unsigned lane) const;
  number value(const argument& a, number_type t, unsigned lane) const;  // of an integer
  bool truth(const argument& a, unsigned lane) const;
  bool executes(const instruction& i, unsigned lane) const;
  void put(const std::string& name, unsigned lane, number v, bool is_open = false);
  std::vector<unsigned> members(const instruction& i, unsigned warp) const;

  bool integers(const instruction& i, unsigned lane);
  bool carries(const instruction& i, unsigned lane);
  bool bit_fields(const instruction& i, unsigned lane);
  bool products_of_parts(const instruction& i, unsigned lane);
  bool predicates(const instruction& i, unsigned lane);
  bool moves(const instruction& i, unsigned lane);
  bool conversions(const instruction& i, unsigned lane);
  bool floats(const instruction& i, unsigned lane);
  bool halves(const instruction& i, unsigned lane);
  bool video(const instruction& i, unsigned lane);
  bool video_of_lanes(const instruction& i, unsigned lane);
  bool warps(const instruction& i);

  bool flushes(const instruction& i) const { return target_ < 20 || i.has("ftz"); }
  // `part`: of a pair of halves.
  bool compare(const instruction& i, number_type t, unsigned lane, unsigned part) const;

  unsigned target_;
  unsigned threads_;
  std::map<std::string, machine_register> registers_;
  std::vector<std::uint8_t> carry_;
};

// Rounds a number to fewer bits: ties to even, or towards zero, minus or plus infinity ("rn", "rz", "rm", "rp").
std::uint16_t half_of(double value, const std::string& rounding);
double of_half(std::uint16_t bits);
// The rounding of an instruction, "rn" where it names none.
std::string rounding_of(const instruction& i);

}  // namespace gt200::second_reading
