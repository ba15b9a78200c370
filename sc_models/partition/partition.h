// A memory partition: the part of the chip that owns one slice of the memory.
//
//   crossbar -> arbiter -> DRAM                  loads, fills of the constant and instruction L3
//                       -> texture L2 -> arbiter texture loads
//                       -> ROP        -> arbiter stores, atomics
//
// Arbiter, ROP and texture L2 run on the uncore clock, the DRAM on the memory clock.
#pragma once

#include <systemc>

#include "sc_models/cache/read_only_cache.h"
#include "sc_models/config/partition_config.h"
#include "sc_models/interconnect/address_map.h"
#include "sc_models/memory_transaction.h"
#include "sc_models/partition/arbiter.h"
#include "sc_models/partition/dram/dram.h"
#include "sc_models/partition/rop.h"

namespace gt200::model {

class partition : public sc_core::sc_module {
 public:
  using texture_l2_cache = read_only_cache<tlm_bus::base_protocol>;

  partition_arbiter arbiter;
  texture_l2_cache texture_l2;
  model::rop rop;
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
  // Transactions in flight inside the partition; 0 at the end of a run.
  std::size_t outstanding() const { return arbiter.outstanding() + texture_l2.outstanding() + rop.outstanding(); }

  const char* kind() const override { return "partition"; }
};

}  // namespace gt200::model
