// A stage that runs given actions in given cycles.
#pragma once

#include <functional>
#include <map>

#include "tlm_bus/stage.h"

namespace gt200::support {

class script : public tlm_bus::stage {
 public:
  using stage::stage;
  void at(tlm_bus::cycle_t cycle, std::function<void()> act) {
    wake_at(cycle);
    acts_.emplace(cycle, std::move(act));
  }
  void tick() override {
    // An action may add one for a later cycle.
    while (!acts_.empty() && acts_.begin()->first == cycle()) {
      const std::function<void()> act = std::move(acts_.begin()->second);
      acts_.erase(acts_.begin());
      act();
    }
    if (!acts_.empty()) wake_at(acts_.begin()->first);
  }

 private:
  std::multimap<tlm_bus::cycle_t, std::function<void()>> acts_;
};

}  // namespace gt200::support
