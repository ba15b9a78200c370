// Finds writes to textures: partition.texture_writes_invalidate.
//
// Belongs to the stage that orders the accesses to a memory, and hears of each access in that order. A line that
// was read for a texture may be in texture caches until these are invalidated. A write to such a line sends a token
// (sc_models/distribution/texture_invalidation.h). One token in the pipe is enough: the invalidation comes after it
// is taken, and so after every write before that. A read that is under way when the caches are invalidated may put
// its line into the texture L2 afterwards, so its line remains known.
#pragma once

#include <cstdint>
#include <vector>

#include "sc_models/cache/cache_control_if.h"
#include "sc_models/cache/pending_command.h"
#include "sc_models/cluster_tokens.h"
#include "tlm_bus/pipe.h"

namespace gt200::model {

class texture_watch final : public cache_control_if {
 public:
  tlm_bus::pipe_out<texture_write_token> writes;

  // `bytes`: size of the memory. `line_bytes`: of the largest texture cache line.
  texture_watch(tlm_bus::stage& owner, std::uint64_t bytes, unsigned line_bytes);

  // An access of `bytes` >= 1 to the memory, at `offset` in it, is performed.
  void performed(const tlm::tlm_generic_payload& access, std::uint64_t offset, unsigned bytes);
  // A read that was performed is answered: from now on an invalidation removes what it left in the L2.
  void answered(const tlm::tlm_generic_payload& access);
  // All texture caches have been told to forget their lines.
  void invalidate() override;

  void visit_state(tlm_bus::state_image& state);

 private:
  struct read {
    const tlm::tlm_generic_payload* access;
    std::uint64_t first_line;
    std::uint64_t last_line;
  };
  void forget_if_told();
  void mark(const read& r);
  bool is_marked(std::uint64_t first_line, std::uint64_t last_line) const;

  tlm_bus::stage& owner_;
  unsigned line_shift_;
  std::vector<std::uint64_t> may_be_cached_;  // a bit for each line
  std::vector<read> under_way_;
  pending_command invalidation_;
};

}  // namespace gt200::model
