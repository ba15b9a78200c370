// A row stays open for further requests. It is closed idle_close_cycles after its last use if no queued request is
// for its bank; never if that is 0.
#include <algorithm>
#include <array>

#include "sc_models/partition/dram/page_policies/policies.h"

namespace gt200::model {
namespace {

using tlm_bus::cycle_t;

class open_page final : public page_policy {
 public:
  explicit open_page(const config::dram_config& config)
      : banks_(config.banks), idle_close_cycles_(config.idle_close_cycles) {}

  void consider_closing(const dram_state& s, next_dram_command& best) const override {
    if (idle_close_cycles_ == 0) return;
    for (unsigned bank = 0; bank < banks_; ++bank) {
      if (s.timing.open_row(bank) == bank_timing::no_row || s.queue.waiting_for(bank) != 0) continue;
      const cycle_t idle_from = std::max(s.timing.precharge_from(bank), last_use_[bank] + idle_close_cycles_);
      best.consider(next_dram_command::command::precharge, std::max(s.now, idle_from), bank);
    }
  }
  void used(unsigned bank, cycle_t at) override { last_use_[bank] = at; }

 private:
  unsigned banks_;
  unsigned idle_close_cycles_;
  std::array<cycle_t, 64> last_use_{};  // by bank
};

}  // namespace

std::unique_ptr<page_policy> make_open(const config::dram_config& config) {
  return std::make_unique<open_page>(config);
}

}  // namespace gt200::model
