// The issue of the joined front end: issue's rule over the plain state.
#include "sc_models/sm/front_end/issue_rule.h"
#include "sc_models/sm/front_end/joined_front_end.h"

namespace gt200::model {

// The front that issue_rule.h describes.
class joined_front_end::front {
 public:
  using slot = front_end_state::slot;

  explicit front(joined_front_end& of) : of_(of) {}

  warp_mask ready() const { return now().ready; }
  warp_mask occupied() const { return now().occupied; }
  warp_mask at_barrier() const { return now().at_barrier; }
  warp_mask replaying() const { return now().replaying; }
  warp_mask without_entry() const { return now().without_entry | now().refused; }
  warp_mask of_class(unsigned c) const { return of_.state_.of_class[c]; }
  warp_mask of_alternative(unsigned a) const { return of_.state_.of_alternative[a]; }
  const slot& oldest(warp_slot warp) const { return of_.oldest(of_.state_.warps[warp]); }
  static unsigned class_of(const slot& b) { return b.route & 15u; }
  static unsigned alternatives_of(const slot& b) { return unsigned{b.route} >> 4; }
  std::uint64_t awaited_entries(warp_slot warp) const {
    const warp_part& w = of_.state_.warps[warp];
    return of_.oldest(w).dependencies | (w.cleared_at == of_.state_.cycle ? w.freed : 0u);
  }
  stall_cause cause_of(warp_slot warp, std::uint64_t entries) const {
    return known_cause(of_.state_.warps[warp].entries[static_cast<unsigned>(__builtin_ctzll(entries))].cause);
  }

  std::uint64_t take_entries(warp_slot, const slot& b) const { return b.allocated; }
  void wait_at_barrier(warp_slot warp) const { of_.state_.next.at_barrier |= warp_bit(warp); }
  void remove(warp_slot warp, const slot&) const { of_.remove(warp, of_.state_.warps[warp]); }

 private:
  const front_end_state::masks& now() const { return of_.state_.now; }

  joined_front_end& of_;
};

void joined_front_end::issue_step() { modules_.issue.run_over(front(*this)); }

}  // namespace gt200::model
