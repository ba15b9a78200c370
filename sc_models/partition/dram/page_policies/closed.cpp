// A row is closed as soon as no queued request needs it.
#include <algorithm>

#include "sc_models/partition/dram/page_policies/policies.h"

namespace gt200::model {
namespace {

class closed_page final : public page_policy {
 public:
  explicit closed_page(unsigned banks) : banks_(banks) {}

  void consider_closing(const dram_state& s, next_dram_command& best) const override {
    for (unsigned bank = 0; bank < banks_; ++bank) {
      const std::uint32_t row = s.timing.open_row(bank);
      if (row == bank_timing::no_row) continue;
      const bool needed = std::any_of(s.queue.begin(), s.queue.end(),
                                      [&](const dram_request& r) { return r.at.bank == bank && r.at.row == row; });
      if (!needed)
        best.consider(next_dram_command::command::precharge, std::max(s.now, s.timing.precharge_from(bank)), bank);
    }
  }

 private:
  unsigned banks_;
};

}  // namespace

std::unique_ptr<page_policy> make_closed(const config::dram_config& config) {
  return std::make_unique<closed_page>(config.banks);
}

}  // namespace gt200::model
