// Who can change the state of whom: modules of one part of the chip, an SM or a partition, command and ask each
// other through ports; everything else goes through pipes and memory sockets, which report for themselves.
//
// Found from the bindings of the ports of an elaborated chip. A stage that is called through a port changes itself
// and modules that are no stages; other stages it commands in its own tick only. Where a port hides what it is
// bound to, it counts as bound to everything in its part; a module that nobody commands counts as commanded by
// every stage of its part.
#pragma once

#include <map>
#include <systemc>
#include <vector>

#include "tlm_bus/stage.h"

namespace gt200::observe {

class call_graph {
 public:
  // `root`: the chip, or a part of it.
  explicit call_graph(sc_core::sc_object& root);

  // The stages whose ticks can change the state of the module that `object` is or belongs to.
  std::vector<const tlm_bus::stage*> callers_of(const sc_core::sc_object& object) const;
  // Those whose ticks can change what the module can see: its own state and all it can ask for.
  std::vector<const tlm_bus::stage*> callers_of_all_it_sees(const sc_core::sc_object& object) const;

 private:
  using node = std::size_t;
  struct module {
    const sc_core::sc_object* object = nullptr;
    const sc_core::sc_object* part = nullptr;
    const tlm_bus::stage* stage = nullptr;  // null: it is none
    std::vector<node> commands;             // bound to its ports
    std::vector<node> asks;                 // bound to ports that change nothing
    std::vector<node> callers;              // stages that may change it
  };

  void add_modules(sc_core::sc_object& object);
  void follow_ports(node from);
  void follow_port(node from, sc_core::sc_port_base& port);
  void find_callers();
  // What is called when `from` is: itself, what is bound to its ports, and what these are bound to if they are no
  // stages.
  std::vector<node> reached(node from, bool with_asked) const;
  node node_of(const sc_core::sc_object& object) const;
  std::vector<const tlm_bus::stage*> stages_of(const std::vector<node>& nodes) const;

  std::vector<module> modules_;
  std::map<const sc_core::sc_object*, node> nodes_;
};

}  // namespace gt200::observe
