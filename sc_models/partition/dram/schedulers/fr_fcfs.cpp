// First ready, first come first served. Prefers the request whose column command can be given first (its row is
// open, and the data bus has its direction); ties go to the oldest. Otherwise it opens rows for the oldest
// requests. A request that 4 x queue_entries younger ones have passed goes first, so that a stream of row hits
// cannot starve the rest. Source: Rixner et al., ISCA 2000; the limit is ours.
#include "sc_models/partition/dram/schedulers/first_ready.h"
#include "sc_models/partition/dram/schedulers/policies.h"

namespace gt200::model {
namespace {

class first_ready_scheduler final : public dram_scheduler {
 public:
  explicit first_ready_scheduler(unsigned max_passes) : max_passes_(max_passes) {}

  void consider_requests(const dram_state& s, next_dram_command& best) const override {
    consider_first_ready(s, candidates(s.queue), best);
  }
  bool consider_newest(const dram_state& s, next_dram_command& best) const override {
    consider_newest_first_ready(s, candidates(s.queue), best);
    return true;
  }

 private:
  unsigned candidates(const dram_request_queue& queue) const {
    return queue.oldest().passed_by >= max_passes_ ? 1 : queue.size();
  }

  unsigned max_passes_;
};

}  // namespace

std::unique_ptr<dram_scheduler> make_fr_fcfs(const config::dram_config& config) {
  return std::make_unique<first_ready_scheduler>(4 * config.queue_entries);
}

}  // namespace gt200::model
