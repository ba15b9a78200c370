// The bits of the scoreboard that can be flipped: those of its mechanism.
#include "sc_models/sm/dependency/scoreboard.h"

namespace gt200::model {
namespace {

struct place {
  warp_slot warp;
  unsigned bit;
};
place place_of(std::uint64_t bit, unsigned bits_of_warp) {
  return {warp_slot(static_cast<unsigned>(bit / bits_of_warp)), static_cast<unsigned>(bit % bits_of_warp)};
}

}  // namespace

bool scoreboard::bit(std::uint64_t bit) const {
  const place at = place_of(bit, tracker_->bits());
  return tracker_->bit(at.warp, at.bit);
}

void scoreboard::flip(std::uint64_t bit) {
  const place at = place_of(bit, tracker_->bits());
  tracker_->flip(at.warp, at.bit);
  settle_room(at.warp);
  parts_.moved(at.warp.index());
}

std::string scoreboard::text_of_bit(std::uint64_t bit) const {
  const place at = place_of(bit, tracker_->bits());
  return tracker_->text_of_bit(at.warp, at.bit);
}

void scoreboard::add_occupied(std::vector<tlm_bus::bit_range>& to) const {
  const unsigned bits = tracker_->bits();
  for (unsigned w = 0; w < warp_slots_; ++w)
    for (unsigned b = 0; b < bits; ++b) {
      if (!tracker_->occupied(warp_slot(w), b)) continue;
      const std::uint64_t at = std::uint64_t{w} * bits + b;
      if (!to.empty() && to.back().first + to.back().count == at)
        ++to.back().count;
      else
        to.push_back({at, 1});
    }
}

}  // namespace gt200::model
