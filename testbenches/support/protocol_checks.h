// The checker of the base protocol at every memory port below a module, whatever its traits.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <systemc>

#include "sc_models/memory_transaction.h"
#include "tlm_bus/memory_port.h"
#include "tlm_bus/protocol_checker.h"

namespace gt200::support {

// Must outlive the ports, or be made before them.
class protocol_checks {
 public:
  protocol_checks() = default;
  explicit protocol_checks(sc_core::sc_object& top) { watch(top); }
  protocol_checks(const protocol_checks&) = delete;
  protocol_checks& operator=(const protocol_checks&) = delete;

  void watch(sc_core::sc_object& object) {
    attach<tlm_bus::memory_initiator<tlm_bus::base_protocol>>(object);
    attach<tlm_bus::memory_target<tlm_bus::base_protocol>>(object);
    attach<tlm_bus::memory_initiator<model::gpu_memory_protocol>>(object);
    attach<tlm_bus::memory_target<model::gpu_memory_protocol>>(object);
    for (sc_core::sc_object* child : object.get_child_objects()) watch(*child);
  }

  std::size_t ports() const { return checkers_.size(); }
  // Ports at which a transaction has ended.
  std::size_t used_ports() const {
    std::size_t used = 0;
    for (const auto& checker : checkers_) used += checker.completed_transactions() != 0 ? 1 : 0;
    return used;
  }
  // That have ended at a port, all ports together.
  std::uint64_t transactions() const {
    std::uint64_t sum = 0;
    for (const auto& checker : checkers_) sum += checker.completed_transactions();
    return sum;
  }
  // The first violation of a port; empty if there is none.
  std::string violation() const {
    for (const auto& checker : checkers_)
      if (!checker.violation().empty()) return checker.violation();
    return "";
  }
  // The same for a run in which everything has come to its end: also transactions that have not.
  std::string trouble() const {
    std::string found = violation();
    for (const auto& checker : checkers_)
      if (found.empty() && checker.open_transactions() != 0) found = "transactions are left at a port";
    return found;
  }

 private:
  template <class Port>
  void attach(sc_core::sc_object& object) {
    if (auto* port = dynamic_cast<Port*>(&object)) port->observers().attach(checkers_.emplace_back());
  }
  std::deque<tlm_bus::protocol_checker> checkers_;
};

}  // namespace gt200::support
