// Finds which modules can change the state of which others. Within one part of the chip (an SM, a partition)
// modules command and query each other through ports and transaction sockets. All else goes through pipes and
// memory sockets, which report their own changes.
//
// The graph is built from the bindings of an elaborated chip. A stage that is called through a port changes itself
// and modules that are not stages; it commands other stages only in its own tick. If the binding of a port is
// hidden, it counts as bound to everything in its part. A module that no port commands counts as commanded by every
// stage of its part, and so does a warp former, which exists only where warps are formed anew.
#pragma once

#include <map>
#include <systemc>
#include <vector>

#include "tlm_bus/stage.h"

namespace gt200::observe {

class call_graph {
 public:
  // `root` is the chip or a part of it.
  explicit call_graph(sc_core::sc_object& root);

  // The stages whose tick can change the state of the module that is `object` or contains it.
  std::vector<const tlm_bus::stage*> callers_of(const sc_core::sc_object& object) const;
  // The stages whose tick can change what the module can see: its own state and everything it can query.
  std::vector<const tlm_bus::stage*> callers_of_all_it_sees(const sc_core::sc_object& object) const;

 private:
  using node = std::size_t;
  struct module {
    const sc_core::sc_object* object = nullptr;
    const sc_core::sc_object* part = nullptr;
    const tlm_bus::stage* stage = nullptr;  // null if the module is not a stage
    std::vector<node> commands;             // modules bound to its ports
    std::vector<node> asks;                 // modules bound to its read-only ports
    std::vector<node> callers;              // stages that may change its state
  };

  void add_modules(sc_core::sc_object& object);
  void follow_ports(node from);
  void follow_port(node from, sc_core::sc_port_base& port);
  void find_callers();
  // The modules that may be called when `from` is called: `from`, those bound to its ports, and (through modules
  // that are not stages) those bound to theirs.
  std::vector<node> reached(node from, bool with_asked) const;
  node node_of(const sc_core::sc_object& object) const;
  std::vector<const tlm_bus::stage*> stages_of(const std::vector<node>& nodes) const;

  std::vector<module> modules_;
  std::map<const sc_core::sc_object*, node> nodes_;
};

}  // namespace gt200::observe
