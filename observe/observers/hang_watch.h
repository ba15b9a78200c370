// Finds a launch that does not move: for a chip that a platform programs. A device does the same by itself.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "sc_models/chip.h"
#include "tlm_bus/clocking.h"

namespace gt200::observe {

class hang_watch final : private tlm_bus::interval_observer {
 public:
  // `found` gets the explanation of hang_report.h, once. The chip must outlive it.
  hang_watch(model::chip& chip, std::function<void(const std::string&)> found);
  ~hang_watch() override;
  hang_watch(const hang_watch&) = delete;
  hang_watch& operator=(const hang_watch&) = delete;

  // Between these two it looks at the chip. Simulated time goes on meanwhile, even if nothing moves.
  void begin();
  void end();

 private:
  tlm_bus::femtoseconds interval_end() const override { return next_; }
  void interval_ends() override;

  model::chip& chip_;
  std::function<void(const std::string&)> found_;
  tlm_bus::femtoseconds limit_;
  tlm_bus::femtoseconds interval_;
  tlm_bus::femtoseconds next_ = tlm_bus::no_time;
  tlm_bus::femtoseconds moved_at_ = 0;
  std::uint64_t progress_ = 0;
  bool watching_ = false;
};

}  // namespace gt200::observe
