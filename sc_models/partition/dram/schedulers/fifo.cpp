// Serves requests in the order of their arrival. Rows for younger requests are opened ahead.
#include "sc_models/partition/dram/schedulers/first_ready.h"
#include "sc_models/partition/dram/schedulers/policies.h"

namespace gt200::model {
namespace {

class fifo_scheduler final : public dram_scheduler {
 public:
  void consider_requests(const dram_state& s, next_dram_command& best) const override {
    consider_first_ready(s, 1, best);
  }
  bool consider_newest(const dram_state& s, next_dram_command& best) const override {
    consider_newest_first_ready(s, 1, best);
    return true;
  }
};

}  // namespace

std::unique_ptr<dram_scheduler> make_fifo(const config::dram_config&) { return std::make_unique<fifo_scheduler>(); }

}  // namespace gt200::model
