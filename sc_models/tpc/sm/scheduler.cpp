#include "sc_models/tpc/sm/scheduler.h"

#include <array>
#include <string>

#include "toolchain/error.h"

namespace gt200::model {
namespace {

// Loose round robin: the neighbour of the warp chosen last comes first, the rest keep their order.
class loose_round_robin : public scheduler {
 public:
  explicit loose_round_robin(unsigned warps) : warps_(warps) {}
  unsigned pick(warp_mask candidates) const override {
    const warp_mask later = candidates & (~warp_mask{0} << next_);
    return static_cast<unsigned>(__builtin_ctzll(later != 0 ? later : candidates));
  }
  void picked(unsigned warp) override { next_ = warp + 1 == warps_ ? 0 : warp + 1; }
  void started(unsigned) override {}

 private:
  unsigned warps_;
  unsigned next_ = 0;
};

// Greedy then oldest: stays with a warp until it cannot go, then takes the one that started first.
class greedy_then_oldest : public scheduler {
 public:
  unsigned pick(warp_mask candidates) const override {
    if ((candidates & warp_bit(current_)) != 0) return current_;
    unsigned best = static_cast<unsigned>(__builtin_ctzll(candidates));
    for (warp_mask rest = candidates & (candidates - 1); rest != 0; rest &= rest - 1) {
      const auto warp = static_cast<unsigned>(__builtin_ctzll(rest));
      if (birth_[warp] < birth_[best]) best = warp;
    }
    return best;
  }
  void picked(unsigned warp) override { current_ = warp; }
  void started(unsigned warp) override { birth_[warp] = ++births_; }

 private:
  std::array<std::uint64_t, max_warps> birth_{};
  std::uint64_t births_ = 0;
  unsigned current_ = 0;
};

}  // namespace

std::unique_ptr<scheduler> make_scheduler(config::warp_policy policy, unsigned warps, const char* place) {
  switch (policy) {
    case config::warp_policy::lrr: return std::make_unique<loose_round_robin>(warps);
    case config::warp_policy::gto: return std::make_unique<greedy_then_oldest>();
    default: break;
  }
  throw input_error(std::string(place) + " = \"" +
                    config::choice_names<config::warp_policy>[static_cast<std::size_t>(policy)] +
                    "\" is not available in this version; available are \"lrr\" and \"gto\"");
}

}  // namespace gt200::model
