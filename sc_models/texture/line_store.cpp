#include "sc_models/texture/line_store.h"

#include <cstring>

namespace gt200::model {

texture_line_store::texture_line_store(unsigned sets, unsigned ways, unsigned line_bytes)
    : sets_(sets),
      ways_(ways),
      line_bytes_(line_bytes),
      lines_(std::size_t{sets} * ways),
      data_(lines_.size() * line_bytes + read_ahead_bytes) {}

std::uint16_t texture_line_store::find(std::uint64_t address) const {
  const unsigned first = first_of_set(address);
  for (unsigned way = first; way < first + ways_; ++way) {
    const entry& e = lines_[way];
    if (e.address == address && (e.state == line_state::filled || e.state == line_state::expected))
      return static_cast<std::uint16_t>(way);
  }
  return no_line;
}

std::uint16_t texture_line_store::candidate(std::uint64_t address) const {
  const unsigned first = first_of_set(address);
  unsigned best = no_line;
  for (unsigned way = first; way < first + ways_; ++way) {
    const entry& e = lines_[way];
    if (e.pins != 0 || e.state == line_state::expected) continue;
    if (e.state == line_state::free) return static_cast<std::uint16_t>(way);
    if (best == no_line || e.used_at < lines_[best].used_at) best = way;
  }
  return static_cast<std::uint16_t>(best);
}

void texture_line_store::expect(std::uint16_t line, std::uint64_t address) {
  lines_[line].address = address;
  lines_[line].state = line_state::expected;
}

void texture_line_store::pin(std::uint16_t line) {
  ++lines_[line].pins;
  lines_[line].used_at = ++pinned_;
}

void texture_line_store::fill(std::uint16_t line, const std::uint8_t* bytes, unsigned caches_missed) {
  std::memcpy(&data_[std::size_t{line} * line_bytes_], bytes, line_bytes_);
  lines_[line].state = line_state::filled;
  lines_[line].caches_missed = static_cast<std::uint8_t>(caches_missed);
}

void texture_line_store::invalidate() {
  for (entry& e : lines_) e.address = no_address;
}

}  // namespace gt200::model
