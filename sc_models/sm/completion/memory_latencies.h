// Latencies of the memory instructions of an SM from issue to write-back, by path.
//
// A store ends with its last acknowledgement. A texture instruction is counted under the farthest level that
// supplied one of its texels. Control of cache lines is not counted, nor are transfers of the divergence stack,
// which are not instructions.
#pragma once

#include "sc_models/warp_instruction.h"
#include "tlm_bus/histogram.h"

namespace gt200::model {

struct memory_latencies {
  tlm_bus::histogram global_load{"latency.global_load", "core cycles",
                                 "loads of global memory, issue to write-back"};
  tlm_bus::histogram global_store{"latency.global_store", "core cycles",
                                  "stores to global memory, issue to acknowledgement"};
  tlm_bus::histogram local_load{"latency.local_load", "core cycles", "loads of local memory, issue to write-back"};
  tlm_bus::histogram local_store{"latency.local_store", "core cycles",
                                 "stores to local memory, issue to acknowledgement"};
  tlm_bus::histogram atomic{"latency.atomic", "core cycles", "atomics and reductions, issue to write-back"};
  tlm_bus::histogram texture_l1{"latency.texture_l1", "core cycles",
                                "texture instructions that the L1 had, issue to write-back"};
  tlm_bus::histogram texture_l2{"latency.texture_l2", "core cycles",
                                "texture instructions that the L2 had, issue to write-back"};
  tlm_bus::histogram texture_dram{"latency.texture_dram", "core cycles",
                                  "texture instructions that went to the DRAM, issue to write-back"};

  void add(const warp_instruction& operation, timed::core_cycle now) {
    if (operation.instruction->access.kind == isa::access_kind::none) return;
    path_of(operation).add((now - operation.issued_at).count());
  }

 private:
  tlm_bus::histogram& path_of(const warp_instruction& operation) {
    const isa::memory_access& access = operation.instruction->access;
    const bool local = access.space == isa::memory_space::local;
    switch (access.kind) {
      case isa::access_kind::load: return local ? local_load : global_load;
      case isa::access_kind::store: return local ? local_store : global_store;
      case isa::access_kind::atomic:
      case isa::access_kind::reduction: return atomic;
      default: break;
    }
    return operation.caches_missed == 0 ? texture_l1 : operation.caches_missed == 1 ? texture_l2 : texture_dram;
  }
};

}  // namespace gt200::model
