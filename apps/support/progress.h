// One line on a terminal with the progress of the running launch; nothing when stderr is not a terminal.
#pragma once

#include <cstdint>
#include <string>

#include "apps/support/host_time.h"
#include "driver/device.h"

namespace gt200::apps {

class progress_line {
 public:
  explicit progress_line(const device& target);
  ~progress_line();
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;

  void launch_begins(const launch::launch_parameters& parameters);
  // Redraws the line if enough time has passed since the last call.
  void update();
  // The running launch in words: blocks and, when the first has ended, an estimate of the seconds left.
  std::string text() const;
  // Removes the line.
  void clear();

 private:
  std::uint64_t issued() const;

  const device& target_;
  const bool terminal_;
  const stopwatch watch_;
  double launched_at_ = 0;  // seconds of the watch
  double shown_at_ = 0;
  double issued_at_last_ = 0;
  bool visible_ = false;
  std::string kernel_;
  std::uint32_t blocks_ = 0;
  std::uint64_t retired_before_ = 0;
  std::uint64_t issued_before_ = 0;
  tlm_bus::femtoseconds began_at_ = 0;
};

}  // namespace gt200::apps
