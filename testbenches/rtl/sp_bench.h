// The SP's RTL against the semantics functions, with functional coverage. Each instruction runs on 32 lanes; a lane
// is an operation of the RTL. Operations follow each other without and with gaps, and the clock stands still now
// and then while the pipeline is empty. Every result is compared, and so is the cycle in which it comes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "rtl_ref/sp/pins.h"
#include "testbenches/rtl/sp_coverage.h"
#include "testbenches/rtl/sp_stimuli.h"

namespace gt200::support {

class sp_bench {
 public:
  sp_bench(std::unique_ptr<rtl::sp_pins> pins, std::uint64_t seed);

  // Both run up to the first difference, which they return as text.
  //
  // At least that many random operations.
  std::optional<std::string> run(std::uint64_t operations);
  // All pairs of special values as x and y of one instruction per set of control fields; z goes through the special
  // values meanwhile. Instructions with one source get all special values.
  std::optional<std::string> run_special_values();

  std::uint64_t operations() const { return operations_; }
  const std::map<std::string, std::uint64_t> bins() const;

 private:
  struct expected {
    bool there = false;
    std::uint64_t number = 0;  // of the operation
    std::size_t instruction = 0;
    rtl::lane_operands operands;
    rtl::lane_result result;
  };
  struct known_instruction {
    isa::tesla::instruction instruction;
    rtl::sp_control control;
    rtl::sp_results results;
  };

  unsigned draw(unsigned below) { return static_cast<unsigned>(random_() % below); }
  void take(const isa::tesla::instruction& instruction);
  std::optional<std::string> run_bundle(isa::lane_bundle& bundle);
  std::optional<std::string> drain();
  std::optional<std::string> edge();
  std::optional<std::string> compare(const expected& model) const;
  bool empty() const { return in_flight_ == 0; }

  std::unique_ptr<rtl::sp_pins> pins_;
  std::mt19937_64 random_;
  sp_instructions instructions_;
  sp_coverage coverage_;
  std::vector<expected> pipeline_;         // by cycle, modulo the depth
  std::vector<known_instruction> recent_;  // those that may have operations in the pipeline
  std::size_t current_ = 0;
  std::uint64_t cycle_ = 0;
  std::uint64_t operations_ = 0;
  unsigned in_flight_ = 0;
  std::uint64_t gaps_ = 0, full_ = 0, halts_ = 0;
};

}  // namespace gt200::support
