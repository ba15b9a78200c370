// The operands and results of instructions, as events of their write-back.
//
// An event of kind `lanes` has eight lanes of one row: which row and lanes, then two lanes per detail, the lower
// one in the lower half. An operand is what the instruction has read, a result what write-back writes: of half a
// register, 16 bits.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "observe/trace/catalog.h"
#include "observe/trace/log_format.h"
#include "sc_models/sm/sm_if.h"
#include "sc_models/sm/sm_probe.h"

namespace gt200::observe {

// A row of values, one for each lane.
struct value_row {
  enum class role : std::uint8_t {
    operand,
    address,
    predicate_read,
    general,
    low_half,
    high_half,
    predicate,
    address_register
  };
  role what = role::operand;
  std::uint8_t number = 0;  // operand: 4 x its slot + its word; results: of the register

  bool operator<(const value_row& other) const {
    return what != other.what ? what < other.what : number < other.number;
  }
};
// "operand 2", "address", "predicate", "$r5", "$r5l", "$r5h", "$c0", "$a1".
std::string text_of(const value_row& row);

struct row_part {
  static constexpr unsigned lanes = 8;
  value_row row;
  unsigned first_lane = 0;
  std::array<std::uint32_t, lanes> values{};
};
// The details of an event, and back.
void put(tlm_bus::event_details& event, const row_part& part);
row_part row_part_of(const tlm_bus::event_details& event);

using write_back_tap = model::module_tap<model::write_back_observer>;

// Reports the rows of every instruction that completes in the module, to be recorded at this place.
std::unique_ptr<probe> make_operand_probe(const write_back_tap& unit, const arch_state::generation& generation,
                                          std::uint32_t place, probe_listener& listener);

}  // namespace gt200::observe
