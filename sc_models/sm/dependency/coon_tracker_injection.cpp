// The bits of Coon's scoreboard that can be flipped.
#include <fmt/format.h>

#include <algorithm>

#include "sc_models/sm/dependency/coon_tracker.h"
#include "toolchain/arch_state/register_rows.h"

namespace gt200::model {

using isa::register_file_kind;

coon_tracker::stored_entry coon_tracker::stored(const entry& from) const {
  stored_entry to{from.range.first, from.range.count == 0 ? 0 : std::min(from.range.count - 1u, 3u), from.shared()};
  if (from.range.file != register_file_kind::gpr) to.number += general_registers_;
  if (from.range.file == register_file_kind::address) to.number += predicates_;
  return to;
}

// A number that no register has stays one of the general registers that do not exist.
void coon_tracker::store(const stored_entry& from, entry& to) const {
  const unsigned first_address = general_registers_ + predicates_;
  unsigned first = from.number;
  to.range.file = register_file_kind::gpr;
  if (first >= general_registers_ && first < first_address) {
    to.range.file = register_file_kind::condition;
    first -= general_registers_;
  } else if (first >= first_address && first < first_address + arch_state::register_rows::addresses) {
    to.range.file = register_file_kind::address;
    first -= first_address;
  }
  to.range.first = static_cast<std::uint8_t>(first);
  to.range.count = static_cast<std::uint8_t>(from.size + 1);
  to = entry(to.range, to.cause);
  if (from.shared) to.place.count = 0;
}

bool coon_tracker::bit(warp_slot warp, unsigned bit) const {
  const scoreboard_entry which(bit / bits_of_entry());
  const unsigned at = bit % bits_of_entry();
  if (at == 0) return (pending_[warp].next() & entry_bit(which)) != 0;
  const stored_entry e = stored(entry_of(warp, which));
  if (at <= number_bits_) return (e.number >> (at - 1) & 1) != 0;
  if (at <= number_bits_ + size_bits) return (e.size >> (at - 1 - number_bits_) & 1) != 0;
  return e.shared;
}

void coon_tracker::flip(warp_slot warp, unsigned bit) {
  const scoreboard_entry which(bit / bits_of_entry());
  const unsigned at = bit % bits_of_entry();
  if (at == 0) {
    pending_[warp].change(domain_.cycle()) ^= entry_bit(which);
    return;
  }
  stored_entry e = stored(entry_of(warp, which));
  if (at <= number_bits_)
    e.number ^= 1u << (at - 1);
  else if (at <= number_bits_ + size_bits)
    e.size ^= 1u << (at - 1 - number_bits_);
  else
    e.shared = !e.shared;
  store(e, entry_of(warp, which));
}

std::string coon_tracker::text_of_bit(warp_slot warp, unsigned bit) const {
  const scoreboard_entry which(bit / bits_of_entry());
  const unsigned at = bit % bits_of_entry();
  const std::string text = fmt::format("warp {} entry {} ", warp.index(), which.index());
  if (at == 0) return text + "in use";
  if (at <= number_bits_) return text + fmt::format("register bit {}", at - 1);
  if (at <= number_bits_ + size_bits) return text + fmt::format("size bit {}", at - 1 - number_bits_);
  return text + "shared memory";
}

bool coon_tracker::occupied(warp_slot warp, unsigned bit) const {
  return (pending_[warp].next() & entry_bit(scoreboard_entry(bit / bits_of_entry()))) != 0;
}

}  // namespace gt200::model
