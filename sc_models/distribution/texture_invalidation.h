// Empties all texture caches of the chip when a texture is written: partition.texture_writes_invalidate.
//
// Partitions report writes to lines that texture caches may hold (sc_models/partition/texture_watch.h). Then the
// caches of the partitions are invalidated, and each TPC gets a token for those of its texture unit. It comes
// later, so that no L1 takes a line from an L2 that still has the old one. Reads under way meanwhile may still be
// answered with old texels; no look-up finds them afterwards. Writes that are reported together, or while TPCs
// cannot take tokens, share an invalidation.
//
// Clock: uncore. Source: Kanter (writing a texture invalidates the whole hierarchy of its caches); he does not say
// how the caches learn of it. The way is an assumption, and its time that of a block to its TPC.
#pragma once

#include <deque>
#include <optional>

#include "sc_models/cache/cache_control_if.h"
#include "sc_models/cluster_tokens.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/stage.h"

namespace gt200::model {

class texture_invalidation : public tlm_bus::stage {
 public:
  std::deque<tlm_bus::pipe_in<texture_write_token>> writes;  // write_0 ..: from those that order accesses to memory
  std::deque<tlm_bus::pipe_out<texture_write_token>> to_tpc;  // to_tpc_0 ..
  sc_core::sc_port<cache_control_if, 0, sc_core::SC_ZERO_OR_MORE_BOUND>
      caches;  // texture caches outside the TPCs, and who knows what they hold

  tlm_bus::counter invalidations{"invalidations", "commands", "times all texture caches were emptied"};

  // `memories`: how many report writes.
  texture_invalidation(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore, unsigned memories,
                       unsigned tpcs);

  void tick() override;
  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "texture_invalidation"; }

 private:
  bool tpcs_can_take();

  std::optional<texture_write_token> reported_;
};

}  // namespace gt200::model
