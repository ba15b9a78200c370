// The bits of the SIMT stacks that can be flipped.
#include <fmt/format.h>

#include "sc_models/sm/divergence/simt_stack.h"

namespace gt200::model {

unsigned simt_stack::bits_of_entry() const {
  unsigned sum = 0;
  for (const unsigned word : warps_.front()->word_bits()) sum += word;
  return sum;
}

std::uint64_t simt_stack::bits_of_warp() const {
  const unsigned entries = warps_.front()->on_chip_entries();
  return entries == 0 ? 0 : isa::warp_size + std::uint64_t{entries} * bits_of_entry();
}

simt_stack::place simt_stack::place_of(std::uint64_t bit) const {
  place at{warp_slot(static_cast<unsigned>(bit / bits_of_warp())), true, 0, 0,
           static_cast<unsigned>(bit % bits_of_warp())};
  if (at.bit < isa::warp_size) return at;
  at.is_active_mask = false;
  at.on_chip = (at.bit - isa::warp_size) / bits_of_entry();
  at.bit = (at.bit - isa::warp_size) % bits_of_entry();
  const auto words = warps_.front()->word_bits();
  for (; at.bit >= words[at.word]; ++at.word) at.bit -= words[at.word];
  return at;
}

// The places on the chip are used in turn, so entry i is at place i modulo their number.
unsigned simt_stack::entry_at(const place& at) const {
  const arch_state::divergence& stack = *warps_[at.warp.index()];
  const unsigned entries = stack.on_chip_entries();
  const unsigned oldest = stack.entries_in_memory();
  return oldest + (at.on_chip + entries - oldest % entries) % entries;
}

bool simt_stack::bit(std::uint64_t bit) const {
  const place at = place_of(bit);
  const arch_state::divergence& stack = *warps_[at.warp.index()];
  if (at.is_active_mask) return (stack.active_mask() >> at.bit & 1) != 0;
  const unsigned entry = entry_at(at);
  if (entry >= stack.max_depth()) return idle_.at(bit);
  return (stack.words(entry)[at.word] >> at.bit & 1) != 0;
}

void simt_stack::flip(std::uint64_t bit) {
  const place at = place_of(bit);
  arch_state::divergence& stack = *warps_[at.warp.index()];
  const unsigned entry = at.is_active_mask ? 0 : entry_at(at);
  if (at.is_active_mask) {
    stack.set_active_mask(stack.active_mask() ^ isa::lane_mask{1} << at.bit);
  } else if (entry >= stack.max_depth()) {
    idle_.flip(bit);
  } else {
    arch_state::stack_words words = stack.words(entry);
    words[at.word] ^= std::uint32_t{1} << at.bit;
    stack.set_words(entry, words);
  }
  moved(at.warp);
}

std::string simt_stack::text_of_bit(std::uint64_t bit) const {
  const place at = place_of(bit);
  if (at.is_active_mask) return fmt::format("warp {} active lane {}", at.warp.index(), at.bit);
  const arch_state::divergence& stack = *warps_[at.warp.index()];
  const unsigned entry = entry_at(at);
  const bool used = entry < stack.depth();
  return fmt::format("warp {} entry {} ({}) word {} bit {}", at.warp.index(), at.on_chip,
                     used ? stack.entry(entry).kind : "empty", at.word, at.bit);
}

void simt_stack::add_occupied(std::vector<tlm_bus::bit_range>& to) const {
  const std::uint64_t size = bits_of_warp();
  if (size == 0) return;
  const warp_mask resident = blocks_ == nullptr ? ~warp_mask{0} : blocks_->resident().next();
  for (unsigned w = 0; w < warps_.size(); ++w) {
    if ((resident & warp_bit(warp_slot(w))) == 0) continue;
    to.push_back({w * size, isa::warp_size});
    place at{warp_slot(w), false, 0, 0, 0};
    for (; at.on_chip < warps_[w]->on_chip_entries(); ++at.on_chip)
      if (entry_at(at) < warps_[w]->depth())
        to.push_back({w * size + isa::warp_size + std::uint64_t{at.on_chip} * bits_of_entry(), bits_of_entry()});
  }
}

}  // namespace gt200::model
