// Plug-ins: shared objects that add policies, DRAM models, networks and units to a program that has the chip.
//
// The same file works linked into a program and as a plug-in: a static object adds what it is made with, before
// main() or when the shared object is loaded. A plug-in also states, once, what it was built for:
//
//   static const gt200::added<gt200::model::issue_policies> here(
//       {"mine", "what it does", {gt200::config::number_key(...)}},
//       [](const gt200::model::issue_policy_context& c) { return std::make_unique<mine>(c); });
//   GT200_PLUGIN("mine")
//
// Kinds are issue_policies, dram_models, dram_schedulers, page_policies, network_topologies, switch_arbitrations,
// coalescing_policies, dependency_trackers, unit_arithmetics and cache_replacements of gt200::model.
//
// It must be built with the headers of the gt200 that loads it. docs/extending.md shows the whole.
#pragma once

#include <utility>

#include "gt200/version.h"
#include "sc_models/cache/replacement/policy.h"
#include "sc_models/config/added_policy.h"
#include "sc_models/interconnect/arbitration/arbitration.h"
#include "sc_models/interconnect/network.h"
#include "sc_models/memory_path/coalescing_policy.h"
#include "sc_models/partition/dram/models/dram_model.h"
#include "sc_models/partition/dram/page_policies/page_policy.h"
#include "sc_models/partition/dram/schedulers/scheduler.h"
#include "sc_models/sm/dependency/dependency_tracker.h"
#include "sc_models/sm/schedulers/scheduler.h"
#include "sc_models/sm/units/unit_arithmetic.h"

// Counts changes after which plug-ins must be built again.
#ifndef GT200_PLUGIN_INTERFACE
#define GT200_PLUGIN_INTERFACE 2
#endif

extern "C" {

// What a plug-in says of itself. This layout never changes.
struct gt200_plugin_description {
  unsigned interface;
  const char* gt200_version;  // of the headers
  const char* name;
};

// True if the code that calls was compiled for this library. Adding objects ask it before anything else.
bool gt200_accepts_plugin_interface(unsigned interface);
}

namespace gt200 {

// Adds a policy of a kind while it is constructed. What goes wrong is an error of the next config::load(), or of
// load_plugin().
template <class Kind>
class added {
 public:
  added(config::added_policy about, typename Kind::factory make) {
    if (gt200_accepts_plugin_interface(GT200_PLUGIN_INTERFACE)) Kind::add(std::move(about), std::move(make));
  }
};

}  // namespace gt200

#define GT200_PLUGIN(name)                                                                             \
  extern "C" __attribute__((weak, visibility("default"))) const gt200_plugin_description gt200_plugin; \
  const gt200_plugin_description gt200_plugin = {GT200_PLUGIN_INTERFACE, GT200_VERSION, name};
