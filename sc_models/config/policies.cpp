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
#undef POLICY

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
constexpr policy_list list_of(const columns<count>& from) {
  return {from.names, from.texts, count};
}

constexpr auto warp = columns_of(warp_rows);
constexpr auto fetch = columns_of(fetch_rows);
constexpr auto model = columns_of(dram_model_rows);
constexpr auto scheduler = columns_of(dram_scheduler_rows);
constexpr auto page = columns_of(page_rows);
constexpr auto arbitration = columns_of(arbitration_rows);

}  // namespace

const policy_list warp_policies = list_of(warp);
const policy_list fetch_policies = list_of(fetch);
const policy_list dram_models = list_of(model);
const policy_list dram_schedulers = list_of(scheduler);
const policy_list page_policies = list_of(page);
const policy_list crossbar_arbitrations = list_of(arbitration);

std::uint8_t position_of(const policy_list& list, const char* name) {
  for (std::size_t i = 0; i < list.count; ++i)
    if (std::strcmp(list.names[i], name) == 0) return static_cast<std::uint8_t>(i);
  throw std::invalid_argument(std::string("there is no policy '") + name + "'");
}

}  // namespace gt200::config
