// Accesses to memory that partitions have performed in the present window, with the time: copies, because a
// transaction may be used again before the window ends. Their storage is used again.
#pragma once

#include <cstdint>
#include <deque>
#include <tlm>
#include <vector>

#include "sc_models/memory_transaction.h"
#include "tlm_bus/time.h"

namespace gt200::observe {

class kept_accesses {
 public:
  // Keeps the access; the bytes that a read returns are not kept.
  void keep(const tlm::tlm_generic_payload& access, tlm_bus::femtoseconds at);
  bool empty() const { return used_ == 0; }
  // Calls act(access, time) for each in the order in which they were kept, and forgets them.
  template <class Act>
  void take(Act act) {
    for (std::size_t i = 0; i < used_; ++i) act(kept_[i].payload, kept_[i].at);
    used_ = 0;
  }

 private:
  struct kept {
    kept() { payload.set_extension(&extension); }
    // The extension is a member: the payload must not free it.
    ~kept() { payload.clear_extension(&extension); }
    kept(const kept&) = delete;
    kept& operator=(const kept&) = delete;

    tlm::tlm_generic_payload payload;
    model::memory_extension extension;
    std::vector<std::uint8_t> data;
    std::vector<std::uint8_t> enables;
    tlm_bus::femtoseconds at = 0;
  };
  std::deque<kept> kept_;
  std::size_t used_ = 0;
};

}  // namespace gt200::observe
