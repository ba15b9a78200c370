#include "observe/trace/catalog.h"

#include <algorithm>
#include <utility>

#include "observe/trace/object_kind.h"
#include "observe/trace/probes.h"
#include "observe/trace/values/values.h"
#include "sc_models/sm/sm_if.h"
#include "tlm_bus/stage.h"
#include "toolchain/error.h"

namespace gt200::observe {
namespace {

// True for the counters of tlm_bus::queue_counter. They change when the other side of a pipe acts, and so between
// the calls of their module. A recording shows the pipe itself instead.
bool counts_a_queue(const std::string& counter) {
  const auto ends_with = [&](const std::string& end) {
    return counter.size() > end.size() && counter.compare(counter.size() - end.size(), end.size(), end) == 0;
  };
  return ends_with(".entries") || ends_with(".occupancy") || ends_with(".full_cycles");
}

// The SM that contains the object; null outside of SMs.
model::sm_if* sm_around(sc_core::sc_object& object) {
  for (sc_core::sc_object* around = &object; around != nullptr; around = around->get_parent_object())
    if (auto* sm = dynamic_cast<model::sm_if*>(around)) return sm;
  return nullptr;
}

}  // namespace

catalog::catalog(sc_core::sc_object& root, probe_listener& listener, const std::vector<std::string>& values)
    : listener_(listener), values_(values), calls_(root) {
  walk(root);
  if (!values.empty()) walk_for_values(root);
}

catalog::~catalog() = default;

std::uint32_t catalog::add_source(const sc_core::sc_object& object, tlm_bus::signal_source& publisher) {
  source s;
  s.path = object.name();
  s.publisher = &publisher;
  std::vector<tlm_bus::signal_description> names;
  tlm_bus::signal_writer writer(names, &s.layout);
  publisher.publish(writer);
  return add_source(std::move(s), std::move(names));
}

std::uint32_t catalog::add_values(const std::string& path, std::unique_ptr<tlm_bus::signal_source> publisher,
                                  std::vector<const tlm_bus::stage*> callers) {
  const partial_match patterns = chosen(path + ".");
  if (!patterns.possible()) return no_source;
  source s;
  s.path = path;
  s.publisher = publisher.get();
  s.callers = std::move(callers);
  s.on_request = true;
  std::vector<tlm_bus::signal_description> names;
  tlm_bus::signal_writer writer(names, &s.layout);
  publisher->publish(writer);
  const auto chooses = [&](const tlm_bus::signal_description& about) { return patterns.matches(about.name); };
  const auto chosen_of_it = std::count_if(names.begin(), names.end(), chooses);
  if (chosen_of_it == 0) return no_source;
  chosen_ += static_cast<std::size_t>(chosen_of_it);
  if (chosen_ > max_values)
    throw input_error("--wave-values chooses more than " + std::to_string(max_values) + " values: name fewer");
  publishers_.push_back(std::move(publisher));
  return add_source(std::move(s), std::move(names));
}

std::uint32_t catalog::add_source(source s, std::vector<tlm_bus::signal_description> names) {
  s.first = static_cast<std::uint32_t>(signals_.size());
  s.count = static_cast<std::uint32_t>(names.size());
  for (tlm_bus::signal_description& about : names) {
    std::string path = s.path + "." + about.name;
    signals_.push_back({std::move(path), std::move(about)});
  }
  sources_.push_back(std::move(s));
  return static_cast<std::uint32_t>(sources_.size() - 1);
}

void catalog::add_probe(const std::string& path, std::unique_ptr<probe> p, std::uint32_t source_number) {
  places_.push_back(path);
  probes_.push_back(std::move(p));
  source_of_place_.push_back(source_number);
}

void catalog::add_pipe(const sc_core::sc_object& object, tlm_bus::pipe_state& pipe) {
  const probe_place at{listener_, static_cast<std::uint32_t>(places_.size()),
                       static_cast<std::uint32_t>(sources_.size())};
  auto p = std::make_unique<pipe_probe>(pipe, at);
  const std::uint32_t number = add_source(object, *p);
  add_probe(object.name(), std::move(p), number);
}

void catalog::add_transactions(const sc_core::sc_object& object, tlm_bus::transaction_state& socket) {
  const probe_place at{listener_, static_cast<std::uint32_t>(places_.size()),
                       static_cast<std::uint32_t>(sources_.size())};
  auto p = std::make_unique<transaction_probe>(socket, at);
  const std::uint32_t number = add_source(object, *p);
  add_probe(object.name(), std::move(p), number);
}

template <class TRAITS>
bool catalog::add_target(sc_core::sc_object& object) {
  auto* port = dynamic_cast<tlm_bus::memory_target<TRAITS>*>(&object);
  if (port == nullptr) return false;
  const probe_place at{listener_, static_cast<std::uint32_t>(places_.size()),
                       static_cast<std::uint32_t>(sources_.size())};
  auto p = std::make_unique<target_probe<TRAITS>>(*port, at);
  const std::uint32_t number = add_source(object, *p);
  sources_[number].callers = calls_.callers_of(object);
  add_probe(object.name(), std::move(p), number);
  return true;
}

void catalog::walk(sc_core::sc_object& object) {
  if (has_kind(&object, "host")) return;  // it acts between two instants, not within one
  if (auto* pipe = dynamic_cast<tlm_bus::pipe_state*>(&object)) add_pipe(object, *pipe);
  if (auto* socket = dynamic_cast<tlm_bus::transaction_state*>(&object); socket != nullptr)
    add_transactions(object, *socket);
  if (has_kind(&object, "memory_target"))
    static_cast<void>(add_target<model::gpu_memory_protocol>(object) || add_target<tlm_bus::base_protocol>(object));
  const probe_place at{listener_, static_cast<std::uint32_t>(places_.size()), no_source};
  if (model::sm_if* sm = sm_around(object)) {
    for (const auto& buffer : sm->probe().instruction_buffer_taps())
      if (&buffer.module == &object)
        add_probe(object.name(), std::make_unique<instruction_buffer_probe>(buffer.tap, at), no_source);
    for (const auto& unit : sm->probe().write_back_taps())
      if (&unit.module == &object)
        add_probe(object.name(), std::make_unique<write_back_probe>(unit, at), no_source);
  }

  std::vector<const tlm_bus::counter::attribute*> counters;
  for (const sc_core::sc_attr_base* attribute : object.attr_cltn())
    if (const auto* c = dynamic_cast<const tlm_bus::counter::attribute*>(attribute))
      if (!counts_a_queue(c->name())) counters.push_back(c);
  if (!counters.empty()) {
    counters_.push_back(std::make_unique<counter_signals>(counters));
    sources_[add_source(object, *counters_.back())].callers = calls_.callers_of(object);
  }
  if (auto* shows = dynamic_cast<tlm_bus::signal_source*>(&object); shows != nullptr && !shows->on_request())
    sources_[add_source(object, *shows)].callers = calls_.callers_of_all_it_sees(object);
  for (sc_core::sc_object* child : object.get_child_objects()) walk(*child);
}

namespace {

// A module that is on request, as a source of its own.
class requested final : public tlm_bus::signal_source {
 public:
  explicit requested(tlm_bus::signal_source& module) : module_(module) {}
  void publish(tlm_bus::signal_writer& to) override { module_.publish(to); }
  tlm_bus::part_tap* parts() override { return module_.parts(); }

 private:
  tlm_bus::signal_source& module_;
};

}  // namespace

void catalog::walk_for_values(sc_core::sc_object& object) {
  if (has_kind(&object, "host")) return;
  const std::string path = object.name();
  const partial_match match = chosen(path);
  if (!match.possible()) return;
  if (dynamic_cast<model::sm_if*>(&object) == nullptr) return add_values_at(object, path);
  // Names below all SMs are the same, and there are very many: what has chosen nothing in one SM is not tried
  // again.
  if (std::find(chose_no_sm_.begin(), chose_no_sm_.end(), match) != chose_no_sm_.end()) return;
  const std::size_t chosen_before = chosen_;
  add_values_at(object, path);
  if (chosen_ == chosen_before) chose_no_sm_.push_back(match);
}

void catalog::add_values_at(sc_core::sc_object& object, const std::string& path) {
  if (auto* shows = dynamic_cast<tlm_bus::signal_source*>(&object); shows != nullptr && shows->on_request())
    add_values(path, std::make_unique<requested>(*shows), calls_.callers_of_all_it_sees(object));
  if (auto* sm = dynamic_cast<model::sm_if*>(&object)) add_values_of_sm(*this, *sm);
  if (auto* pipe = dynamic_cast<tlm_bus::pipe_state*>(&object)) add_values_of_pipe(*this, path, *pipe);
  if (auto* socket = dynamic_cast<tlm_bus::transaction_state*>(&object); socket != nullptr)
    add_values_of_socket(*this, path, *socket);
  if (has_kind(&object, "memory_target")) add_values_of_target(*this, object);
  for (sc_core::sc_object* child : object.get_child_objects()) walk_for_values(*child);
}

}  // namespace gt200::observe
