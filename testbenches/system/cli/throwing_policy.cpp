// A plug-in whose order of warps throws: what is an exception of the standard, or a number.
#include <memory>
#include <stdexcept>

#include "sc_models/plugin.h"

namespace {

using namespace gt200;

class throwing final : public model::scheduler {
 public:
  explicit throwing(bool number) : number_(number) {}
  model::warp_slot pick(model::warp_mask candidates) const override { return model::lowest_warp(candidates); }
  void picked(model::warp_slot) override {
    if (++picks_ != 50) return;
    if (number_) throw 42;
    throw std::runtime_error("pick no. 50 went wrong");
  }
  void started(model::warp_slot) override {}

 private:
  bool number_;
  unsigned picks_ = 0;
};

const added<model::issue_policies> here(
    {"throwing", "throws", {config::flag_key("number", false, "a number instead of an exception")}},
    [](const model::issue_policy_context& c) { return std::make_unique<throwing>(c.keys.flag("number")); });

}  // namespace

GT200_PLUGIN("throwing")
