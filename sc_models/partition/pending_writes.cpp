#include "sc_models/partition/pending_writes.h"

#include <algorithm>
#include <stdexcept>

#include "sc_models/partition/write_bytes.h"

namespace gt200::model {

namespace {
constexpr std::uint32_t after_all_sectors = ~std::uint32_t{0};
}

pending_writes::pending_writes(unsigned capacity)
    : entries_(capacity), first_sector_(capacity, after_all_sectors), last_sector_(capacity, 0) {}

rop_ticket pending_writes::add(std::uint64_t offset, unsigned bytes, tlm::tlm_generic_payload* data) {
  if (full()) throw std::logic_error("pending writes: no room");
  const unsigned index = at(used_);
  entries_[index] = {offset, bytes, not_sent, false, data};
  const sector_range sectors = sectors_of(offset, bytes);
  first_sector_[index] = static_cast<std::uint32_t>(sectors.first);
  last_sector_[index] = static_cast<std::uint32_t>(sectors.last);
  ++used_;
  ++queued_;
  return rop_ticket{index};
}

bool pending_writes::conflicts(std::uint64_t offset, unsigned bytes) const {
  if (queued_ == 0) return false;
  const sector_range sectors = sectors_of(offset, bytes);
  const auto first = static_cast<std::uint32_t>(sectors.first);
  const auto last = static_cast<std::uint32_t>(sectors.last);
  const auto overlaps = [&](unsigned begin, unsigned end) {
    unsigned any = 0;  // no early exit, so that the loop vectorises
    for (unsigned i = begin; i < end; ++i)
      any |= static_cast<unsigned>(first_sector_[i] <= last) & static_cast<unsigned>(first <= last_sector_[i]);
    return any != 0;
  };
  const auto size = static_cast<unsigned>(entries_.size());
  const unsigned end = head_ + used_;
  return overlaps(head_, std::min(end, size)) || (end > size && overlaps(0, end - size));
}

void pending_writes::sent(rop_ticket ticket, std::uint64_t offset, unsigned bytes) {
  const unsigned index = index_of(ticket);
  if (entries_[index].done || entries_[index].sent_with != not_sent)
    throw std::logic_error("pending writes: sent twice");
  const sector_range sectors = sectors_of(offset, bytes);
  const auto first = static_cast<std::uint32_t>(sectors.first);
  const auto last = static_cast<std::uint32_t>(sectors.last);
  for (unsigned position = 0; at(position) != index; ++position) {
    const unsigned older = at(position);  // an entry that has been sent has no sectors to overlap
    if (entries_[older].data != nullptr && first_sector_[older] <= last && first <= last_sector_[older])
      mark_sent(older, index);
  }
  mark_sent(index, index);
}

void pending_writes::mark_sent(unsigned index, unsigned with) {
  entries_[index].sent_with = with;
  first_sector_[index] = after_all_sectors;
  last_sector_[index] = 0;
  --queued_;
}

void pending_writes::require_sent(unsigned index) const {
  if (entries_[index].done || entries_[index].sent_with != index)
    throw std::logic_error("pending writes: finished before it was sent");
}

void pending_writes::drop_done() {
  while (used_ != 0 && entries_[head_].done) {
    head_ = at(1);
    --used_;
  }
}

void pending_writes::overlay(std::uint64_t offset, unsigned bytes, std::uint8_t* to) const {
  for (unsigned position = 0; position < used_; ++position) {
    const entry& e = entries_[at(position)];
    if (!e.done && e.data != nullptr) show_write(*e.data, e.offset, offset, bytes, to);
  }
}

void pending_writes::renew(std::uint64_t offset, const tlm::tlm_generic_payload& newer) {
  for (unsigned position = 0; position < used_; ++position) {
    const entry& e = entries_[at(position)];
    if (!e.done && e.data != nullptr) renew_write(*e.data, e.offset, newer, offset);
  }
}

}  // namespace gt200::model
