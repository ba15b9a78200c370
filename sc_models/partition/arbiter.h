// The arbiter of a memory partition: defines the order of all accesses to it and shares its DRAM port.
//
// Requests arrive in order from the crossbar and are dispatched one per cycle: loads to the DRAM, texture loads to
// the texture L2, stores and atomics to the ROP. The time of dispatch is the place of an access in the order of
// memory accesses. A load sees every store and atomic dispatched before it. If one of them is still waiting in the
// ROP and touches the same 32 bytes, the load is held (up to `held_loads` of them; beyond that it waits at the
// head). A younger store or atomic to its bytes waits at the head until the load has gone. Once a write has gone to
// the DRAM, the DRAM controller keeps the order. A younger store cannot overtake a load, because it reaches the
// DRAM port later.
//
// Loads, texture fills and the ROP take turns at the DRAM port. Like a load, a fill waits for older writes that it
// would overtake, so that no line contains data from before the launch. Behind the arbiter all addresses are
// relative to the partition (address_map). Every access there is a transaction of its own that refers to the data
// of the original one; the address of the original stays physical.
//
// Debug reads see memory with all dispatched stores and all performed atomics, wherever these are. Debug writes
// come after them.
//
// With partition.texture_writes_invalidate, a texture watch hears of every access at its dispatch.
//
// With an L2 of all accesses (partition.l2) that cache is in the place of the DRAM, and keeps the same orders.
//
// Clock: uncore. Addresses beyond the partition's capacity are answered with an address error.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "sc_models/config/partition_config.h"
#include "sc_models/interconnect/address_map.h"
#include "sc_models/memory_transaction.h"
#include "sc_models/partition/order_observer.h"
#include "sc_models/partition/pending_writes.h"
#include "sc_models/partition/rop_ticket.h"
#include "sc_models/partition/texture_watch.h"
#include "tlm_bus/arbiter.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/memory_port.h"
#include "tlm_bus/queue_counter.h"
#include "tlm_bus/signals.h"

namespace gt200::model {

class partition_arbiter : public tlm_bus::stage, public tlm_bus::signal_source {
 public:
  tlm_bus::memory_target<gpu_memory_protocol> requests;         // from the crossbar
  tlm_bus::memory_target<tlm_bus::base_protocol> rop_memory;    // reads and writes of the ROP: rop_ticket.h
  tlm_bus::memory_target<tlm_bus::base_protocol> texture_fill;  // fills of the texture L2
  tlm_bus::memory_initiator<tlm_bus::base_protocol> dram;
  tlm_bus::memory_initiator<gpu_memory_protocol> rop;         // stores and atomics
  tlm_bus::memory_initiator<tlm_bus::base_protocol> texture;  // texture loads
  std::unique_ptr<texture_watch> textures;                    // null unless configured

  partition_arbiter(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore,
                    const config::partition_config& config, const address_map& map, unsigned partition);

  void tick() override;
  void publish(tlm_bus::signal_writer& to) override;

  tlm_bus::tap<order_observer>& observers() { return observers_; }
  const pending_writes& unwritten() const { return pending_; }
  // Its own transactions in flight; 0 at the end of a run.
  std::size_t outstanding() const { return pool_.outstanding() + held_.size(); }

  tlm_bus::counter loads{"loads", "transactions", "loads and cache fills dispatched to the DRAM"};
  tlm_bus::counter texture_loads{"texture_loads", "transactions", "texture loads dispatched to the texture L2"};
  tlm_bus::counter stores{"stores", "transactions", "stores dispatched to the ROP"};
  tlm_bus::counter atomics{"atomics", "transactions", "atomic operations dispatched to the ROP"};
  tlm_bus::counter held_loads{"held_loads", "transactions", "loads held for an older store or atomic"};
  tlm_bus::counter held_writes{"held_writes", "transactions",
                               "stores and atomics that waited for a held load of their bytes"};
  tlm_bus::counter address_errors{"address_errors", "transactions", "accesses beyond the capacity"};

  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "partition_arbiter"; }

 private:
  using downstream_socket = tlm_bus::memory_target<tlm_bus::base_protocol>;
  // Properties of the oldest request, from when it is first seen until it is dispatched.
  struct front_request {
    enum class path : std::uint8_t { none, load, texture, write, refused };
    path to = path::none;
    bool held = false;  // has been counted as held
    tlm::tlm_generic_payload* payload = nullptr;
    std::uint64_t offset = 0;
    unsigned bytes = 0;
  };
  // A held load.
  struct held_load {
    tlm::tlm_generic_payload* payload;
    std::uint64_t offset;
    unsigned bytes;
  };
  // The requester of an access.
  enum class owner : std::uint8_t { load, rop, texture };
  struct access {
    tlm::tlm_generic_payload* original = nullptr;
    owner from = owner::load;
    std::optional<rop_ticket> ticket;  // of a write of the ROP
  };

  void answer();
  void answer_behind(downstream_socket& to);
  void answer_read(tlm::tlm_generic_payload& answer);
  void answer_rop();
  void look_at_front(tlm::tlm_generic_payload& payload);
  bool share_dram_port();
  void forward(downstream_socket& from, owner who);
  void dispatch();
  void dispatch_load();
  void dispatch_held(std::size_t index);
  void hold_front();
  void dispatch_texture();
  void dispatch_write();
  void refuse();
  tlm::tlm_generic_payload& take_front();
  bool in_capacity(std::uint64_t offset, unsigned bytes) const {
    return offset < capacity_ && bytes <= capacity_ - offset;
  }
  bool front_load_conflicts();
  bool touches_held_load() const;
  std::size_t first_free_held_load() const;
  owner owner_of(const tlm::tlm_generic_payload& answer) const;
  tlm::tlm_generic_payload& finish_access(tlm::tlm_generic_payload& answer);
  memory_payload& child_of(tlm::tlm_generic_payload& original, std::uint64_t offset, owner who,
                           std::optional<rop_ticket> ticket = std::nullopt);
  memory_payload& copy_of(tlm::tlm_generic_payload& original, std::uint64_t offset);
  unsigned debug(tlm::tlm_generic_payload& payload);
  unsigned debug_within(std::uint64_t offset, tlm::tlm_generic_payload& payload);

  address_map map_;
  unsigned partition_;
  std::uint64_t capacity_;
  pending_writes pending_;
  std::vector<access> accesses_;  // by tag of the child
  std::vector<unsigned> free_accesses_;
  tlm_bus::round_robin dram_turn_{3};
  tlm_bus::round_robin answer_turn_{3};
  std::vector<tlm::tlm_generic_payload*> rop_requests_;  // by ticket: requests that the ROP will answer
  front_request front_;
  bool textures_are_loads_;  // an L2 of all accesses has them
  std::size_t max_held_;
  std::vector<held_load> held_;  // in order
  tlm_bus::queue_counter queue_;
  tlm_bus::queue_counter held_queue_;
  bool front_visible_ = false;  // in this cycle
  payload_pool pool_;
  tlm_bus::tap<order_observer> observers_;
  tlm::tlm_generic_payload debug_payload_;
};

}  // namespace gt200::model
