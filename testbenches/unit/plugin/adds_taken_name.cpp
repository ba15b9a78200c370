// A plug-in that adds a replacement policy of a name that is taken.
#include "sc_models/plugin.h"

namespace {

using namespace gt200;

const added<model::cache_replacements> here({"lru", "taken", {}}, [](const model::replacement_context&) {
  return std::unique_ptr<model::replacement_policy>();
});

}  // namespace

GT200_PLUGIN("adds_taken_name")
