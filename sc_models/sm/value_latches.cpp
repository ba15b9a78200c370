#include "sc_models/sm/value_latches.h"

#include <fmt/format.h>

#include "tlm_bus/state_image.h"

namespace gt200::model {

void value_latches::add_latches(const std::string& name, unsigned places, unsigned rows_of_place) {
  groups_.push_back({name, places, rows_of_place});
  rows_ += places * rows_of_place;
}

value_latches::latch_place value_latches::place_of(std::uint64_t bit) const {
  latch_place at{};
  at.bit = static_cast<unsigned>(bit % 32);
  at.lane = static_cast<unsigned>(bit / 32 % isa::warp_size);
  auto row = static_cast<unsigned>(bit / row_bits);
  for (; row >= groups_[at.group].places * groups_[at.group].rows; ++at.group)
    row -= groups_[at.group].places * groups_[at.group].rows;
  at.place = row / groups_[at.group].rows;
  at.row = row % groups_[at.group].rows;
  return at;
}

isa::lane_words* value_latches::row_at(const latch_place& at) const {
  warp_instruction* operation = held(at.group, at.place);
  return operation == nullptr ? nullptr : row_of(*operation, at.row);
}

bool value_latches::bit(std::uint64_t bit) const {
  const latch_place at = place_of(bit);
  const isa::lane_words* row = row_at(at);
  return row == nullptr ? idle_.at(bit) : (row->lane[at.lane] >> at.bit & 1) != 0;
}

void value_latches::flip(std::uint64_t bit) {
  const latch_place at = place_of(bit);
  isa::lane_words* row = row_at(at);
  if (row == nullptr)
    idle_.flip(bit);
  else
    row->lane[at.lane] ^= std::uint32_t{1} << at.bit;
}

std::string value_latches::text_of_bit(std::uint64_t bit) const {
  const latch_place at = place_of(bit);
  const warp_instruction* operation = held(at.group, at.place);
  const std::string holds = operation == nullptr ? "empty"
                                                 : fmt::format("warp {}: {}", operation->warp.index(),
                                                               isa::text_of(*operation->instruction));
  return fmt::format("{} place {} row {} lane {} bit {} ({})", groups_[at.group].name, at.place, at.row, at.lane,
                     at.bit, holds);
}

void value_latches::add_occupied(std::vector<tlm_bus::bit_range>& to) const {
  std::uint64_t row = 0;
  for (unsigned g = 0; g < groups_.size(); ++g)
    for (unsigned p = 0; p < groups_[g].places; ++p)
      for (unsigned r = 0; r < groups_[g].rows; ++r, ++row)
        if (row_at({g, p, r, 0, 0}) != nullptr) to.push_back({row * row_bits, row_bits});
}

void value_latches::visit_latches(tlm_bus::state_image& state) {
  state.fixed(groups_, rows_);
  state(idle_);
}

}  // namespace gt200::model
