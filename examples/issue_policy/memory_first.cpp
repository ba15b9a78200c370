// An order of warps of one's own: warps whose oldest instruction accesses memory go first, so that long latencies
// start early; among equals the warp that is furthest behind in its program, and then the neighbour of the last
// one.
//
// This file is all there is. It works linked into a program, and as a plug-in of the program gt200.
#include <memory>

#include "sc_models/plugin.h"

namespace {

using namespace gt200;

class memory_first final : public model::scheduler {
 public:
  explicit memory_first(const model::issue_policy_context& context)
      : behind_(context.keys.number("behind_bytes")) {}

  bool observes() const override { return true; }
  bool observes_instructions() const override { return true; }
  void observe(const model::warp_observation& seen) override { seen_ = seen; }
  void started(model::warp_slot) override {}
  void picked(model::warp_slot warp) override { next_ = model::warp_after(warp); }

  model::warp_slot pick(model::warp_mask candidates) const override {
    const model::warp_mask late = model::warps_from(next_);
    model::warp_slot best;
    std::uint64_t best_key = ~std::uint64_t{0};
    for (const model::warp_mask part : {candidates & late, candidates & ~late})
      for (const model::warp_slot warp : model::warps_in(part)) {
        const std::uint64_t key = key_of(warp);
        if (key >= best_key) continue;
        best_key = key;
        best = warp;
      }
    return best;
  }

 private:
  // The smallest goes. `behind_` bytes of code count as one place.
  std::uint64_t key_of(model::warp_slot warp) const {
    if (seen_.oldest.empty()) return 0;  // before the first cycle
    const model::observed_instruction& oldest = seen_.oldest[warp.index()];
    const std::uint64_t place = oldest.pc / behind_;
    return oldest.accesses_memory ? place : place + (std::uint64_t{1} << 32);
  }

  std::uint64_t behind_;
  model::warp_observation seen_;
  model::warp_slot next_;
};

const added<model::issue_policies> here(
    {"memory_first",
     "memory accesses first, then the warp furthest behind",
     {config::number_key("behind_bytes", 64, config::unit::bytes, config::power_of_two(8, 65536),
                         "code that counts as the same place")}},
    [](const model::issue_policy_context& context) { return std::make_unique<memory_first>(context); });

}  // namespace

GT200_PLUGIN("memory_first")
