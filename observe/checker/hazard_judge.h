// Judges a checked run where the compiler schedules: is a wrong value the model's fault or the program's?
//
//   contract kept, value wrong     model fault
//   contract broken, value wrong   program hazard
//   contract broken, value right   latent hazard: counted, with its place
//
// The contract is judged by control_contract.h. Of an unawaited read of a result of varying time the reference
// cannot know the value when the reader executes: it adopts the model's sources, and the value is judged when
// reader and writer have both completed.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "observe/checker/control_contract.h"
#include "observe/checker/in_flight.h"

namespace gt200::observe {

class hazard_judge {
 public:
  explicit hazard_judge(const arch_state::forwarding_table& table) : table_(table) {}

  // Events of one SM; warps by slot.
  void started(model::warp_slot warp);
  void issued(const in_flight& f);
  // True if the instruction read a result of varying time without waiting for it. Its sources are the model's then.
  bool reads_unawaited(const in_flight& f) const;
  // The instruction completes. Throws difference_found if an unawaited read got another value than the result.
  void completed(const in_flight& f);
  // The broken contract to blame for a difference; none: the model is wrong. `f` may be null.
  std::optional<broken_contract> to_blame(const in_flight* f) const;

  std::uint64_t broken() const { return broken_count_; }
  // By description, how often.
  const std::map<std::string, std::uint64_t>& places() const { return places_; }

 private:
  struct hazard {
    broken_contract contract;
    // Values of reader and writer of an unawaited read, once they have completed.
    std::optional<isa::lane_words> read;
    std::optional<isa::lane_words> written;
    isa::lane_mask read_lanes = 0;
    isa::lane_mask written_lanes = 0;
    bool harmless = false;
  };
  struct warp_state {
    std::unique_ptr<control_contract> contract;
    std::vector<hazard> hazards;
  };
  static constexpr std::size_t most_hazards = 256;  // remembered of a warp

  const arch_state::forwarding_table& table_;
  model::per_warp<warp_state> warps_{};
  std::vector<broken_contract> found_;
  std::uint64_t broken_count_ = 0;
  std::map<std::string, std::uint64_t> places_;
};

}  // namespace gt200::observe
