// Latches that hold values of warp instructions on their way through a stage, as storage whose bits can be flipped.
//
// The stage has places for instructions, in groups: the collector units of a class, say, or the results on their
// way from a unit. Each place has rows of 32 lanes of 32 bits. A place without an instruction, and a row that its
// instruction does not use, hold nothing; a flip there has no effect.
#pragma once

#include <string>
#include <vector>

#include "sc_models/warp_instruction.h"
#include "tlm_bus/injectable.h"

namespace gt200::tlm_bus {
class state_image;
}

namespace gt200::model {

class value_latches : public tlm_bus::injectable {
 public:
  // By group, place (0: the oldest instruction), row, lane and bit.
  const char* structure() const override { return "pipeline"; }
  std::uint64_t bits() const override { return std::uint64_t{row_bits} * rows_; }
  bool bit(std::uint64_t bit) const override;
  void flip(std::uint64_t bit) override;
  std::string text_of_bit(std::uint64_t bit) const override;
  void add_occupied(std::vector<tlm_bus::bit_range>& to) const override;

 protected:
  void add_latches(const std::string& name, unsigned places, unsigned rows_of_place);
  // The instruction at the place, once its values are there; null if there is none.
  virtual warp_instruction* held(unsigned group, unsigned place) const = 0;
  // The values of a row; null if the instruction does not use it.
  virtual isa::lane_words* row_of(warp_instruction& operation, unsigned row) const = 0;

  // The part of visit_state() that is here.
  void visit_latches(tlm_bus::state_image& state);

 private:
  static constexpr unsigned row_bits = 32 * isa::warp_size;
  struct latch_group {
    std::string name;
    unsigned places;
    unsigned rows;
  };
  struct latch_place {
    unsigned group, place, row, lane, bit;
  };
  latch_place place_of(std::uint64_t bit) const;
  isa::lane_words* row_at(const latch_place& at) const;

  std::vector<latch_group> groups_;
  unsigned rows_ = 0;  // of all groups
  tlm_bus::idle_bits idle_;
};

}  // namespace gt200::model
