#include "observe/trace/call_graph.h"

#include <algorithm>
#include <string>

#include "observe/trace/object_kind.h"
#include "sc_models/cache/cache_control_if.h"
#include "tlm_bus/port.h"
#include "tlm_bus/transaction.h"

namespace gt200::observe {
namespace {

// The part that contains the object: an SM, the memory path of a TPC, a partition ...
const sc_core::sc_object& part_of(const sc_core::sc_object& object) {
  const sc_core::sc_object* part = &object;
  while (part->get_parent_object() != nullptr && !has_kind(part->get_parent_object(), "chip") &&
         !has_kind(part->get_parent_object(), "tpc"))
    part = part->get_parent_object();
  return *part;
}

// Invalidating caches is the only command that crosses between parts.
bool commands_caches(const sc_core::sc_object& object) {
  return has_kind(&object, "block_port") || has_kind(&object, "command_processor");
}
bool is_cache(const sc_core::sc_object& object) {
  for (const sc_core::sc_object* o = &object; o != nullptr; o = o->get_parent_object())
    if (has_kind(o, "read_only_cache") || dynamic_cast<const model::cache_control_if*>(o) != nullptr) return true;
  return false;
}

// The stages of an SM call it without a port.
bool is_called_without_port(const sc_core::sc_object& object) { return has_kind(&object, "warp_former"); }

void sort_and_unite(std::vector<std::size_t>& nodes) {
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
}

// True for the backward interface of a socket: a port beside the socket that no module binds. Sockets report their
// own changes.
bool is_of_socket(const sc_core::sc_object& port) {
  const std::string name = port.basename();
  for (const sc_core::sc_object* sibling : port.get_parent_object()->get_child_objects())
    if ((has_kind(sibling, "pipe_in") || has_kind(sibling, "memory_target") ||
         has_kind(sibling, "transaction_in")) &&
        name.rfind(std::string(sibling->basename()) + "_port_", 0) == 0)
      return true;
  return false;
}

bool only_asks(const sc_core::sc_port_base& port) {
  const auto* state = dynamic_cast<const tlm_bus::port_state*>(&port);
  return state != nullptr && state->only_asks();
}

// The module that implements what is bound to the port; null if it cannot be known.
const sc_core::sc_object* module_behind(const sc_core::sc_port_base& port) {
  const sc_core::sc_interface* bound = port.get_interface();
  if (const auto* end = dynamic_cast<const tlm_bus::transaction_end*>(bound))
    return end->socket().get_parent_object();
  return dynamic_cast<const sc_core::sc_object*>(bound);
}

}  // namespace

call_graph::call_graph(sc_core::sc_object& root) {
  add_modules(root);
  for (node n = 0; n < modules_.size(); ++n) follow_ports(n);
  find_callers();
}

void call_graph::add_modules(sc_core::sc_object& object) {
  if (dynamic_cast<const sc_core::sc_module*>(&object) != nullptr) {
    nodes_[&object] = modules_.size();
    module m;
    m.object = &object;
    m.part = &part_of(object);
    m.stage = dynamic_cast<const tlm_bus::stage*>(&object);
    modules_.push_back(std::move(m));
  }
  for (sc_core::sc_object* child : object.get_child_objects()) add_modules(*child);
}

// A stage may call the stage that contains it, and those it contains, without a port.
void call_graph::follow_ports(node from) {
  const sc_core::sc_object& object = *modules_[from].object;
  for (sc_core::sc_object* child : object.get_child_objects()) {
    const auto found = nodes_.find(child);
    if (found != nodes_.end() && modules_[from].stage != nullptr) {
      modules_[from].commands.push_back(found->second);
      modules_[found->second].commands.push_back(from);
    }
    if (has_kind(child, "transaction_out") || (has_kind(child, "sc_port") && !is_of_socket(*child)))
      if (auto* port = dynamic_cast<sc_core::sc_port_base*>(child)) follow_port(from, *port);
  }
  if (!commands_caches(object)) return;
  for (node other = 0; other < modules_.size(); ++other)
    if (is_cache(*modules_[other].object)) modules_[from].commands.push_back(other);
}

void call_graph::follow_port(node from, sc_core::sc_port_base& port) {
  if (commands_caches(*modules_[from].object)) return;
  std::vector<node>& to = only_asks(port) ? modules_[from].asks : modules_[from].commands;
  const auto found = nodes_.find(module_behind(port));
  if (found != nodes_.end()) return to.push_back(found->second);
  for (node other = 0; other < modules_.size(); ++other)
    if (modules_[other].part == modules_[from].part) to.push_back(other);
}

std::vector<call_graph::node> call_graph::reached(node from, bool with_asked) const {
  std::vector<node> result = {from};
  for (std::size_t i = 0; i < result.size(); ++i) {
    const module& m = modules_[result[i]];
    if (i != 0 && m.stage != nullptr) continue;
    const auto add = [&](const std::vector<node>& nodes) {
      for (const node n : nodes)
        if (std::find(result.begin(), result.end(), n) == result.end()) result.push_back(n);
    };
    add(m.commands);
    if (with_asked) add(m.asks);
  }
  return result;
}

void call_graph::find_callers() {
  for (node n = 0; n < modules_.size(); ++n)
    if (modules_[n].stage != nullptr)
      for (const node changed : reached(n, false)) modules_[changed].callers.push_back(n);
  for (module& m : modules_) {
    if (m.callers.empty() || is_called_without_port(*m.object))
      for (node n = 0; n < modules_.size(); ++n)
        if (modules_[n].part == m.part && modules_[n].stage != nullptr) m.callers.push_back(n);
    sort_and_unite(m.callers);
  }
}

call_graph::node call_graph::node_of(const sc_core::sc_object& object) const {
  for (const sc_core::sc_object* o = &object; o != nullptr; o = o->get_parent_object()) {
    const auto found = nodes_.find(o);
    if (found != nodes_.end()) return found->second;
  }
  return 0;  // the root
}

std::vector<const tlm_bus::stage*> call_graph::stages_of(const std::vector<node>& nodes) const {
  std::vector<const tlm_bus::stage*> result;
  for (const node n : nodes) result.push_back(modules_[n].stage);
  return result;
}

std::vector<const tlm_bus::stage*> call_graph::callers_of(const sc_core::sc_object& object) const {
  return stages_of(modules_[node_of(object)].callers);
}

std::vector<const tlm_bus::stage*> call_graph::callers_of_all_it_sees(const sc_core::sc_object& object) const {
  std::vector<node> callers;
  for (const node n : reached(node_of(object), true))
    callers.insert(callers.end(), modules_[n].callers.begin(), modules_[n].callers.end());
  sort_and_unite(callers);
  return stages_of(callers);
}

}  // namespace gt200::observe
