// The bits of the instruction buffer that can be flipped.
#include <fmt/format.h>

#include "sc_models/sm/front_end/decoded_instructions.h"
#include "sc_models/sm/front_end/instruction_buffer.h"

namespace gt200::model {

// Instructions begin at whole words, so hardware needs no bits below.
unsigned instruction_buffer::pc_bits() const { return decoder_->generation().values().code_address_bits - 2; }

// Of the longest instruction.
unsigned instruction_buffer::word_bits() const { return 8u * decoder_->generation().values().lengths.long_bytes; }

unsigned instruction_buffer::bits_of_slot() const {
  return decoder_ == nullptr ? 0 : word_bits() + pc_bits() + 2 * scoreboard_entries_;
}

instruction_buffer::place instruction_buffer::place_of(std::uint64_t bit) const {
  const std::uint64_t position = bit / bits_of_slot();
  auto rest = static_cast<unsigned>(bit % bits_of_slot());
  const warp_slot warp = share_.at(static_cast<unsigned>(position / capacity_));
  const std::size_t slot = warp.index() * std::size_t{capacity_} + position % capacity_;
  if (rest < word_bits()) return {warp, slot, field::words, rest};
  rest -= word_bits();
  if (rest < pc_bits()) return {warp, slot, field::pc, rest + 2};
  rest -= pc_bits();
  if (rest < scoreboard_entries_) return {warp, slot, field::dependencies, rest};
  return {warp, slot, field::allocated, rest - scoreboard_entries_};
}

bool instruction_buffer::is_oldest(const place& at) const {
  const queue& q = queues_[at.warp];
  return q.used != 0 && at.slot % capacity_ == q.head;
}

bool instruction_buffer::is_used(const place& at) const {
  const queue& q = queues_[at.warp];
  return (at.slot % capacity_ + capacity_ - q.head) % capacity_ < q.used;
}

bool instruction_buffer::bit(std::uint64_t bit) const {
  const place at = place_of(bit);
  const buffered_instruction& b = slots_[at.slot];
  const bool idle = idle_.at(bit);
  if (!is_used(at)) return idle;
  switch (at.of) {
    case field::words: return ((b.instruction->words[at.bit / 32] >> at.bit % 32 & 1) != 0) != idle;
    case field::pc: return (b.pc >> at.bit & 1) != 0;
    case field::dependencies: return (b.dependencies >> at.bit & 1) != 0;
    case field::allocated: return (b.allocated >> at.bit & 1) != 0;
  }
  return false;
}

void instruction_buffer::flip_word(const place& at) {
  buffered_instruction& b = slots_[at.slot];
  isa::instruction_words words = b.instruction->words;
  words[at.bit / 32] ^= std::uint32_t{1} << at.bit % 32;
  const unsigned length = decoder_->generation().values().lengths.of(words[0]);
  for (unsigned w = length / 4; w < words.size(); ++w) words[w] = 0;
  const instruction_descriptor* decoded = &decoder_->at(b.pc, words);
  if (is_meeting(*b.instruction) && decoded->arrival) decoded = decoded->arrival.get();
  const bool oldest = is_oldest(at);
  if (oldest) hide_class(at.warp, b);
  b.instruction = decoded->instruction.get();
  b.fault = decoded->fault;
  b.collector = units_.collector_of(*b.instruction);
  b.alternatives = static_cast<std::uint8_t>(units_.alternatives_of(*b.instruction));
  if (oldest) show_class(at.warp, b);
}

void instruction_buffer::flip(std::uint64_t bit) {
  const place at = place_of(bit);
  buffered_instruction& b = slots_[at.slot];
  if (!is_used(at)) {
    idle_.flip(bit);
    return;
  }
  switch (at.of) {
    case field::words: {
      const std::uint32_t before = b.instruction->words[at.bit / 32];
      flip_word(at);
      // A short instruction has no second word.
      if (((before ^ b.instruction->words[at.bit / 32]) >> at.bit % 32 & 1) == 0) idle_.flip(bit);
      break;
    }
    case field::pc: b.pc ^= isa::code_address{1} << at.bit; break;
    case field::dependencies: {
      const std::uint64_t mask = std::uint64_t{1} << at.bit;
      b.dependencies ^= mask;
      if (!is_oldest(at)) break;
      settle_head(at.warp);
      warps_.oldest.change(domain_).freed ^= warp_bit(at.warp);
      break;
    }
    case field::allocated: b.allocated ^= std::uint64_t{1} << at.bit; break;
  }
  parts_.moved(at.warp.index());
}

std::string instruction_buffer::text_of_bit(std::uint64_t bit) const {
  static constexpr const char* names[] = {"instruction", "address", "dependency", "held entry"};
  const place at = place_of(bit);
  const std::string text = is_used(at) ? isa::text_of(*slots_[at.slot].instruction) : "empty";
  return fmt::format("warp {} slot {} {} bit {} ({})", at.warp.index(), at.slot % capacity_,
                     names[static_cast<unsigned>(at.of)], at.bit, text);
}

void instruction_buffer::add_occupied(std::vector<tlm_bus::bit_range>& to) const {
  if (decoder_ == nullptr) return;
  for (std::size_t slot = 0; slot < slots_in_use(); ++slot)
    if (is_used(place_of(slot * bits_of_slot()))) to.push_back({slot * bits_of_slot(), bits_of_slot()});
}

}  // namespace gt200::model
