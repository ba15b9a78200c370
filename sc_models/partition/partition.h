// A memory partition: the part of the chip that owns one slice of the memory.
//
//   crossbar -> arbiter -> DRAM                  loads, fills of the constant and instruction L3
//                       -> texture L2 -> arbiter texture loads
//                       -> ROP        -> arbiter stores, atomics
//
// With partition.l2.enabled an L2 lies between arbiter and DRAM:
//
//   crossbar -> arbiter -> L2 -> DRAM            loads, fills of constants, instructions and textures
//                       -> ROP -> arbiter -> L2  stores, write-backs of L1s, atomics
//
// It holds whatever is accessed, writes back, and fetches the sectors of 32 bytes that are needed. So an atomic
// operation finds its operand there and leaves its result there. All accesses of the chip pass it, so it is
// coherent; the texture L2 is not used.
//
// Arbiter, ROP and caches run on the uncore clock, the DRAM on the memory clock.
#pragma once

#include <memory>
#include <systemc>

#include "sc_models/cache/data_cache.h"
#include "sc_models/cache/read_only_cache.h"
#include "sc_models/config/partition_config.h"
#include "sc_models/interconnect/address_map.h"
#include "sc_models/memory_transaction.h"
#include "sc_models/partition/arbiter.h"
#include "sc_models/partition/dram/dram.h"
#include "sc_models/partition/rop.h"
#include "tlm_bus/resettable.h"

namespace gt200::model {

class partition : public sc_core::sc_module, public tlm_bus::resettable {
 public:
  using texture_l2_cache = read_only_cache<tlm_bus::base_protocol>;

  partition_arbiter arbiter;
  texture_l2_cache texture_l2;
  model::rop rop;
  std::unique_ptr<data_cache<tlm_bus::base_protocol>> l2;  // null unless configured
  model::dram dram;

  // `index`: this partition's number in `map`. `perfect_cache`: idealisation of the texture L2.
  partition(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore, tlm_bus::clock_domain& memory,
            const config::partition_config& config, const address_map& map, unsigned index,
            bool perfect_cache = false);

  // Bind this to the crossbar's partition_<index>.
  tlm_bus::memory_target<gpu_memory_protocol>& requests() { return arbiter.requests; }
  // Must be invalidated at every launch.
  sc_core::sc_export<cache_control_if>& texture_l2_control() { return texture_l2.control; }
  // Increases whenever an access is taken or performed, and whenever data moves from or to the DRAM.
  std::uint64_t progress() const {
    return arbiter.loads.value() + arbiter.texture_loads.value() + rop.stores.value() + rop.atomics.value() +
           dram.bytes_moved();
  }
  // Before a reset: the DRAM gets all bytes of stores and atomics that have been performed, as debug reads show
  // them.
  void settle_memory();
  // Transactions in flight inside the partition; 0 at the end of a run, but for write-backs.
  std::size_t outstanding() const {
    return arbiter.outstanding() + texture_l2.outstanding() + rop.outstanding() + (l2 ? l2->outstanding() : 0);
  }

  const char* kind() const override { return "partition"; }
  void visit_state(tlm_bus::state_image&) override {}  // only its parts have state
};

}  // namespace gt200::model
