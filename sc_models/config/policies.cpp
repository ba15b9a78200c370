#include <cstring>
#include <stdexcept>
#include <string>

#include "sc_models/config/policy.h"

namespace gt200::config {
namespace {

struct row {
  const char* name;
  const char* text;
};

#define POLICY(name, text) {#name, text},
constexpr row warp_rows[] = {
#include "sc_models/sm/schedulers/policies.def"
};
constexpr row fetch_rows[] = {
#include "sc_models/sm/schedulers/policies.def"
    {"coordinated", "the priority queues of the issue schedulers, merged"}};
constexpr row dram_model_rows[] = {
#include "sc_models/partition/dram/models/policies.def"
};
constexpr row dram_scheduler_rows[] = {
#include "sc_models/partition/dram/schedulers/policies.def"
};
constexpr row page_rows[] = {
#include "sc_models/partition/dram/page_policies/policies.def"
};
constexpr row arbitration_rows[] = {
#include "sc_models/interconnect/arbitration/policies.def"
};
constexpr row topology_rows[] = {
#include "sc_models/interconnect/topologies/policies.def"
};
#undef POLICY
constexpr row coalescing_rows[] = {{"by_key", "the rule of tpc.memory.coalescer.rule"}};
constexpr row tracker_rows[] = {{"by_key", "the mechanism of tpc.sm.scoreboard.mechanism"}};
constexpr row arithmetic_rows[] = {{"by_instruction", "the semantics of each instruction"}};
constexpr row replacement_rows[] = {
    {"lru",
     "the line that has not been used for the longest time; in a data cache, what its key `replacement` says"}};

template <std::size_t count>
struct columns {
  const char* names[count];
  const char* texts[count];
};
template <std::size_t count>
constexpr columns<count> columns_of(const row (&rows)[count]) {
  static_assert(count <= 256, "a policy is one byte of a configuration");
  columns<count> result{};
  for (std::size_t i = 0; i < count; ++i) {
    result.names[i] = rows[i].name;
    result.texts[i] = rows[i].text;
  }
  return result;
}
template <std::size_t count>
constexpr policy_list list_of(const char* kind, const columns<count>& from) {
  return {kind, from.names, from.texts, count, count};
}

constexpr auto warp = columns_of(warp_rows);
constexpr auto fetch = columns_of(fetch_rows);
constexpr auto model = columns_of(dram_model_rows);
constexpr auto scheduler = columns_of(dram_scheduler_rows);
constexpr auto page = columns_of(page_rows);
constexpr auto arbitration = columns_of(arbitration_rows);
constexpr auto topology = columns_of(topology_rows);
constexpr auto coalescing = columns_of(coalescing_rows);
constexpr auto tracker = columns_of(tracker_rows);
constexpr auto arithmetic = columns_of(arithmetic_rows);
constexpr auto replacement = columns_of(replacement_rows);

}  // namespace

// Constant initialisation: policies may be added before the constructors of this file would run.
policy_list warp_policies = list_of("issue policy", warp);
policy_list fetch_policies = list_of("fetch policy", fetch);
policy_list dram_models = list_of("DRAM model", model);
policy_list dram_schedulers = list_of("DRAM scheduler", scheduler);
policy_list page_policies = list_of("page policy", page);
policy_list crossbar_arbitrations = list_of("crossbar arbitration", arbitration);
policy_list network_topologies = list_of("network", topology);
policy_list coalescing_policies = list_of("coalescing policy", coalescing);
policy_list dependency_trackers = list_of("dependency tracker", tracker);
policy_list unit_arithmetics = list_of("unit arithmetic", arithmetic);
policy_list cache_replacements = list_of("cache replacement", replacement);

std::uint8_t position_of(policy_list& list, const char* name) {
  for (std::size_t i = 0; i < list.count; ++i) {
    if (std::strcmp(list.names[i], name) != 0) continue;
    list.in_use = list.in_use || i >= list.own;
    return static_cast<std::uint8_t>(i);
  }
  throw std::invalid_argument(std::string("there is no policy '") + name + "'");
}

}  // namespace gt200::config
