#include "sc_models/sm/schedulers/scheduler.h"

#include <stdexcept>
#include <string>
#include <utility>

#include "sc_models/policy_factory.h"
#include "sc_models/sm/schedulers/policies.h"

namespace gt200::model {
namespace {

added_factories<scheduler, issue_policy_context>& added_warp_policies() {
  static added_factories<scheduler, issue_policy_context> all;
  return all;
}

// An added policy whose picks are not trusted.
class checked_policy final : public scheduler {
 public:
  checked_policy(std::string_view name, std::unique_ptr<scheduler> added) : name_(name), added_(std::move(added)) {}

  warp_slot pick(warp_mask candidates) const override {
    const warp_slot warp = added_->pick(candidates);
    if (warp.index() >= max_warps || (candidates & warp_bit(warp)) == 0) refuse(warp, candidates);
    return warp;
  }
  void picked(warp_slot warp) override { added_->picked(warp); }
  void started(warp_slot warp) override { added_->started(warp); }
  bool observes() const override { return added_->observes(); }
  bool observes_instructions() const override { return added_->observes_instructions(); }
  void observe(const warp_observation& seen) override { added_->observe(seen); }
  void publish_rtl(tlm_bus::signal_writer& to) const override { added_->publish_rtl(to); }

 private:
  [[noreturn, gnu::cold]] void refuse(warp_slot warp, warp_mask candidates) const {
    std::string among;
    for (const warp_slot candidate : warps_in(candidates)) among += " " + std::to_string(candidate.index());
    throw std::logic_error("the policy '" + name_ + "' has picked warp " + std::to_string(warp.index()) +
                           "; the candidates are" + among);
  }

  std::string name_;
  std::unique_ptr<scheduler> added_;
};

}  // namespace

std::unique_ptr<scheduler> make_scheduler(std::string_view policy, const config::sm_config& parameters) {
  static constexpr policy_factory<std::unique_ptr<scheduler>(const config::sm_config&)> policies[] = {
#define POLICY(name, text) {#name, make_##name},
#include "sc_models/sm/schedulers/policies.def"
#undef POLICY
  };
  if (auto* make = factory_of(policies, policy)) return make(parameters);
  return std::make_unique<checked_policy>(
      policy, added_warp_policies().make(policy, {parameters, parameters.scheduler.added.of(policy)}));
}

std::unique_ptr<scheduler> make_scheduler_at(const char* module, std::string_view configured,
                                             const config::sm_config& parameters) {
  const std::string name(configured);
  return make_scheduler(config::chosen_at(config::warp_policies, module, name.c_str()), parameters);
}

void issue_policies::add(config::added_policy about, factory make) {
  config::added_policy for_fetch{about.name, about.text, {}};
  if (added_warp_policies().add(config::warp_policies, std::move(about), std::move(make)))
    config::add_policy(config::fetch_policies, std::move(for_fetch));
}

}  // namespace gt200::model
