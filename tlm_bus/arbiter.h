// Round-robin arbitration among up to 64 requesters, given as a bit mask.
#pragma once

#include <cstdint>
#include <stdexcept>

namespace gt200::tlm_bus {

class round_robin {
 public:
  // `requesters` 1..64.
  explicit round_robin(unsigned requesters) : requesters_(requesters) {
    if (requesters == 0 || requesters > 64) throw std::invalid_argument("round robin: 1 to 64 requesters");
  }

  // Returns the first requester after the last winner, or -1 if `requests` is 0. Bits beyond the number of
  // requesters must be 0. Does not change state: the choice takes effect when granted() is called.
  int choose(std::uint64_t requests) const {
    if (requests == 0) return -1;
    const std::uint64_t later = requests & (~std::uint64_t{0} << next_);
    return __builtin_ctzll(later != 0 ? later : requests);
  }
  void granted(int winner) {
    next_ = static_cast<unsigned>(winner) + 1 == requesters_ ? 0 : static_cast<unsigned>(winner) + 1;
  }

 private:
  unsigned requesters_;
  unsigned next_ = 0;
};

}  // namespace gt200::tlm_bus
