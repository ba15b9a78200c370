#include "observe/trace/catalog.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "observe/trace/probes.h"
#include "tlm_bus/stage.h"

namespace gt200::observe {
namespace {

bool has_kind(const sc_core::sc_object* object, const char* kind) {
  return object != nullptr && std::strcmp(object->kind(), kind) == 0;
}

// The part of the chip whose modules ask and command each other directly: an SM, the memory path of a TPC, a
// partition ... Parts talk by pipes and sockets only, which have probes.
const sc_core::sc_object& part_of(const sc_core::sc_object& object) {
  const sc_core::sc_object* part = &object;
  while (part->get_parent_object() != nullptr && !has_kind(part->get_parent_object(), "chip") &&
         !has_kind(part->get_parent_object(), "tpc"))
    part = part->get_parent_object();
  return *part;
}

// Of a stage its own; of anything else that of the stage it belongs to, or of the first one beside it.
const tlm_bus::stage* stage_of(const sc_core::sc_object& object) {
  for (const sc_core::sc_object* o = &object; o != nullptr; o = o->get_parent_object())
    if (const auto* s = dynamic_cast<const tlm_bus::stage*>(o)) return s;
  const sc_core::sc_object* parent = object.get_parent_object();
  if (parent == nullptr) return nullptr;
  for (const sc_core::sc_object* sibling : parent->get_child_objects())
    if (const auto* s = dynamic_cast<const tlm_bus::stage*>(sibling)) return s;
  return nullptr;
}

}  // namespace

catalog::catalog(sc_core::sc_object& root, probe_listener& listener) : listener_(listener) {
  walk(root);
  add_callers_of_caches();
}

catalog::~catalog() = default;

std::uint32_t catalog::group_of(const sc_core::sc_object& object) {
  const tlm_bus::stage* stage = stage_of(object);
  const std::pair<const sc_core::sc_object*, const tlm_bus::clock_domain*> key(
      &part_of(object), stage == nullptr ? nullptr : &stage->domain());
  const auto found = std::find(group_keys_.begin(), group_keys_.end(), key);
  if (found != group_keys_.end()) return static_cast<std::uint32_t>(found - group_keys_.begin());
  group_keys_.push_back(key);
  groups_.push_back({key.second, {}});
  return static_cast<std::uint32_t>(groups_.size() - 1);
}

std::uint32_t catalog::add_source(const sc_core::sc_object& object, tlm_bus::signal_source& what) {
  source s;
  s.path = object.name();
  s.what = &what;
  s.group = group_of(object);
  s.first = static_cast<std::uint32_t>(signals_.size());
  std::vector<tlm_bus::signal_description> names;
  tlm_bus::signal_writer writer(names);
  what.publish(writer);
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

// The one command that crosses from part to part: read-only caches are told to forget their lines.
void catalog::add_callers_of_caches() {
  std::vector<const tlm_bus::stage*> callers;
  for (const source_group& g : groups_)
    for (const tlm_bus::stage* s : g.stages)
      if (has_kind(s, "block_port") || has_kind(s, "command_processor")) callers.push_back(s);
  for (source_group& g : groups_)
    if (std::any_of(g.stages.begin(), g.stages.end(), [](const auto* s) { return has_kind(s, "read_only_cache"); }))
      g.stages.insert(g.stages.end(), callers.begin(), callers.end());
}

template <class T>
bool catalog::add_pipe_of(sc_core::sc_object& object) {
  auto* pipe = dynamic_cast<tlm_bus::pipe_in<T>*>(&object);
  if (pipe == nullptr) return false;
  const probe_place at{listener_, static_cast<std::uint32_t>(places_.size()),
                       static_cast<std::uint32_t>(sources_.size())};
  auto p = std::make_unique<pipe_probe<T>>(*pipe, at);
  const std::uint32_t number = add_source(object, *p);
  sources_[number].is_pipe = true;
  add_probe(object.name(), std::move(p), number);
  return true;
}

template <class TRAITS>
bool catalog::add_target(sc_core::sc_object& object) {
  auto* port = dynamic_cast<tlm_bus::memory_target<TRAITS>*>(&object);
  if (port == nullptr) return false;
  const probe_place at{listener_, static_cast<std::uint32_t>(places_.size()),
                       static_cast<std::uint32_t>(sources_.size())};
  auto p = std::make_unique<target_probe<TRAITS>>(*port, at);
  const std::uint32_t number = add_source(object, *p);
  add_probe(object.name(), std::move(p), number);
  return true;
}

void catalog::add_pipe(sc_core::sc_object& o) {
  using namespace model;
  static_cast<void>(
      add_pipe_of<issued_token>(o) || add_pipe_of<collected_token>(o) || add_pipe_of<executed_token>(o) ||
      add_pipe_of<control_token>(o) || add_pipe_of<start_token>(o) || add_pipe_of<fetch_token>(o) ||
      add_pipe_of<fetched_token>(o) || add_pipe_of<fetch_control_token>(o) || add_pipe_of<redirect_token>(o) ||
      add_pipe_of<stack_transfer_token>(o) || add_pipe_of<launch_token>(o) || add_pipe_of<retire_token>(o) ||
      add_pipe_of<grid_token>(o) || add_pipe_of<grid_end_token>(o) || add_pipe_of<memory_operation_token>(o) ||
      add_pipe_of<memory_completion_token>(o) || add_pipe_of<memory_access_token>(o) ||
      add_pipe_of<transaction_token>(o) || add_pipe_of<payload_token>(o) || add_pipe_of<texture_access_token>(o) ||
      add_pipe_of<walk_request_token>(o) || add_pipe_of<walk_result_token>(o));
}

void catalog::walk(sc_core::sc_object& object) {
  if (has_kind(&object, "host")) return;  // acts between two instants, not within one
  if (has_kind(&object, "pipe_in")) add_pipe(object);
  if (has_kind(&object, "memory_target"))
    static_cast<void>(add_target<tlm_bus::gpu_memory_protocol>(object) ||
                      add_target<tlm_bus::base_protocol>(object));
  const probe_place at{listener_, static_cast<std::uint32_t>(places_.size()), no_source};
  if (auto* buffer = dynamic_cast<model::instruction_buffer*>(&object))
    add_probe(object.name(), std::make_unique<instruction_buffer_probe>(*buffer, at), no_source);
  if (auto* unit = dynamic_cast<model::write_back*>(&object))
    add_probe(object.name(), std::make_unique<write_back_probe>(*unit, at), no_source);
  if (auto* devices = dynamic_cast<model::dram_devices*>(&object))
    add_probe(object.name(), std::make_unique<dram_probe>(*devices, at), no_source);
  if (const auto* stage = dynamic_cast<const tlm_bus::stage*>(&object))
    groups_[group_of(object)].stages.push_back(stage);

  std::vector<const tlm_bus::counter::attribute*> counters;
  for (const sc_core::sc_attr_base* attribute : object.attr_cltn())
    if (const auto* c = dynamic_cast<const tlm_bus::counter::attribute*>(attribute)) counters.push_back(c);
  if (!counters.empty()) {
    counters_.push_back(std::make_unique<counter_signals>(std::move(counters)));
    add_source(object, *counters_.back());
  }
  if (auto* shows = dynamic_cast<tlm_bus::signal_source*>(&object)) add_source(object, *shows);
  for (sc_core::sc_object* child : object.get_child_objects()) walk(*child);
}

}  // namespace gt200::observe
