// Where the results of an instruction come together whose lanes pass the units one by one.
//
// Units deliver the lanes of a beat in one shader cycle, and beat after beat. All are here at the core edge at
// which the token of the instruction reaches write-back; nobody reads them earlier. Write-back then takes the
// instruction out.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sc_models/sm/units/unit_transactions.h"
#include "sc_models/warp_instruction.h"
#include "tlm_bus/transaction.h"

namespace gt200::model {

class result_latch final : public tlm_bus::transaction_target<lane_result> {
 public:
  // `owner`: name of the module, for errors.
  explicit result_latch(std::string owner) : owner_(std::move(owner)) {}

  void transport(lane_result& result) override;

  // The lanes that executed, by beat.
  struct beats {
    std::array<isa::lane_mask, isa::warp_size> lanes{};
    unsigned count = 0;
  };
  // Moves the results into the values of the instruction, and forgets them. Throws std::logic_error if a lane that
  // executed is missing.
  beats take(warp_instruction& operation);

  // Instructions that have results here.
  unsigned used() const { return used_; }

 private:
  struct entry {
    std::uint64_t id = 0;
    isa::lane_mask arrived = 0;
    beats by_beat;
    isa::lane_words destination[4];
    std::array<std::uint8_t, isa::warp_size> flags;
    std::array<std::uint16_t, isa::warp_size> addresses;
    std::array<std::array<std::uint8_t, isa::warp_size>, 2> predicates;
  };
  entry& entry_of(std::uint64_t id);

  std::string owner_;
  std::vector<entry> entries_;  // the first used_ are in use; grows to the largest number needed
  unsigned used_ = 0;
};

}  // namespace gt200::model
