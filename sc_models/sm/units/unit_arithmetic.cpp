#include "sc_models/sm/units/unit_arithmetic.h"

#include "sc_models/policy_factory.h"

namespace gt200::model {
namespace {

added_factories<unit_arithmetic, unit_context>& added_arithmetics() {
  static added_factories<unit_arithmetic, unit_context> all;
  return all;
}

}  // namespace

std::unique_ptr<unit_arithmetic> make_unit_arithmetic(const char* group, const config::units_config& config) {
  const char* const by_instruction = config::unit_arithmetics.names[0];
  const std::string_view chosen = config::chosen_at(config::unit_arithmetics, group, by_instruction);
  if (chosen == by_instruction) return nullptr;
  return added_arithmetics().make(chosen, {group, config.added.of(chosen)});
}

void unit_arithmetics::add(config::added_policy about, factory make) {
  added_arithmetics().add(config::unit_arithmetics, std::move(about), std::move(make));
}

}  // namespace gt200::model
