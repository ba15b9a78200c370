#include "sc_models/cache/l1_lines.h"

#include <algorithm>

namespace gt200::model {

l1_lines::miss l1_lines::start_miss(std::uint64_t address, tlm_bus::cycle_t now) {
  const std::uint64_t line = tags_.line_of(address);
  if (mshrs_.find_also_invalidated(line) != mshr_file::none) return miss::merged;
  const unsigned mshr = mshrs_.take(line, now);
  if (mshr == mshr_file::none) return miss::no_mshr;
  fill_.start(mshr, line, origin_, now);
  return miss::reserved;
}

line_index l1_lines::fill_at_once(std::uint64_t address) {
  std::vector<std::uint8_t> bytes(tags_.line_bytes());
  if (!read_at_once(port_, tags_.line_of(address), bytes.data(), tags_.line_bytes())) return no_line;
  const line_index line = tags_.allocate(address).line;
  fill(line, bytes.data());
  return line;
}

bool l1_lines::take_fill(tlm_bus::cycle_t now) {
  const auto filled = fill_.receive();
  if (!filled) return false;
  arrived_ = *filled;
  arrived_at_ = now;
  readable_from_ = now + 1;
  settles_from_ = std::min(settles_from_, readable_from_);
  return true;
}

tlm_bus::cycle_t l1_lines::settle_due(tlm_bus::cycle_t now) {
  // A line that has arrived came before the invalidation: its MSHR is still busy.
  if (invalid_from_ <= now) {
    tags_.invalidate();
    ++version_;
    mshrs_.invalidate();
    invalid_from_ = tlm_bus::no_cycle;
  }
  const tlm_bus::cycle_t held = readable_from_ <= now ? place_line() : 0;
  settles_from_ = std::min(readable_from_, invalid_from_);
  return held;
}

tlm_bus::cycle_t l1_lines::place_line() {
  const mshr_file::entry& m = mshrs_[arrived_.mshr];
  const tlm_bus::cycle_t held = arrived_at_ + 1 - m.taken_at;
  latencies_.add(arrived_.caches_missed, held);
  if (!m.invalidated) fill(tags_.allocate(m.line).line, arrived_.data);
  mshrs_.release(arrived_.mshr);
  readable_from_ = tlm_bus::no_cycle;
  return held;
}

void l1_lines::invalidate(tlm_bus::cycle_t now) {
  invalid_from_ = std::min(invalid_from_, now + 1);
  settles_from_ = std::min(settles_from_, invalid_from_);
}

}  // namespace gt200::model
