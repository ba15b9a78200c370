#include "sc_models/cache/replacement/policy.h"

#include "sc_models/cache/replacement/lru.h"
#include "sc_models/cache/replacement/nru.h"
#include "sc_models/policy_factory.h"

namespace gt200::model {
namespace {

added_factories<replacement_policy, replacement_context>& added_replacements() {
  static added_factories<replacement_policy, replacement_context> all;
  return all;
}

}  // namespace

std::unique_ptr<replacement_policy> make_replacement(const char* cache, std::size_t lines, std::uint32_t ways,
                                                     config::line_replacement configured) {
  const char* const own = config::cache_replacements.names[0];
  const std::string_view chosen = config::chosen_at(config::cache_replacements, cache, own);
  if (chosen == own) {
    if (configured == config::line_replacement::nru) return std::make_unique<nru_replacement>(lines, ways);
    return std::make_unique<lru_replacement>(lines);
  }
  return added_replacements().make(chosen, {cache, lines});
}

void cache_replacements::add(config::added_policy about, factory make) {
  if (!about.keys.empty())
    return config::note_registration_error("cache replacement '" + about.name + "' cannot be added: it has keys");
  added_replacements().add(config::cache_replacements, std::move(about), std::move(make));
}

}  // namespace gt200::model
