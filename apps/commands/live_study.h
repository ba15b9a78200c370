// The page of a study while it runs, for --watch.
#pragma once

#include <string>

#include "apps/support/live_page.h"
#include "apps/sweep/sweep_folder.h"

namespace gt200::apps {

class live_study {
 public:
  // Says the address. Throws input_error. `plan` must outlive it.
  live_study(const sweep::planned_sweep& plan, unsigned port);

  void update(const std::string& status);
  void finish() { page_.finish(); }

 private:
  const sweep::planned_sweep& plan_;
  std::string status_;
  live_page page_;
};

}  // namespace gt200::apps
