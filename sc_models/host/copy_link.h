// Copies over PCI Express, packet by packet. A part of the host.
//
// Each direction has a link of its own with the full rate, so the two do not slow each other. With less than two
// copy engines (`copy_engines`) only one of them is in use: copies of both directions are made in the order in
// which they were begun. A packet takes its data and `pcie_packet_overhead_bytes` on the link. On the way to the
// chip a packet crosses the link and then becomes a write at the socket of the chip. On the way from the chip a
// packet is read first, then its data crosses the link. A direction has at most `packets` of them between its link
// and the answer of the chip, so a link stands still while memory is slower. Requests of reads and answers to
// writes take no time on a link.
//
// With two, copies of one direction are made in the order in which they were begun, those of different directions
// at the same time. A copy has ended when its last write has been answered, or its last data has crossed the link.
//
// What the chip does at time t is seen strictly after t, so the order of processes does not matter.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <tlm>
#include <utility>
#include <vector>

#include "sc_models/config/host_config.h"
#include "tlm_bus/time.h"

namespace gt200::model {

enum class copy_direction : std::uint8_t { to_device, from_device };

class copy_link final : private tlm::tlm_mm_interface {
 public:
  // Calls nb_transport_fw of the chip.
  using forward_call =
      std::function<tlm::tlm_sync_enum(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&)>;
  // Is told of the bytes of a packet that has reached its destination.
  using progress_call = std::function<void(copy_direction, std::size_t bytes)>;

  copy_link(const config::host_config& config, unsigned packets, forward_call forward, progress_call progress);

  // Begins a copy of `bytes` > 0 bytes between `data`, which must stay until the copy has ended, and `address` at
  // the socket of the chip. Call carry() then.
  void begin(copy_direction direction, std::uint64_t address, std::uint8_t* data, std::size_t bytes);
  // Does what is due at `now`. Returns the next time at which something is; no_time if that depends on the chip.
  tlm_bus::femtoseconds carry(tlm_bus::femtoseconds now);
  // A call of nb_transport_bw by the chip. Call carry() after `now`.
  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, tlm_bus::femtoseconds now);
  // No copy has been begun that has not ended.
  bool idle() const;
  // The first error response since the last call, as a text; empty if there was none.
  std::string take_error() { return std::exchange(error_, {}); }
  // At a reset of the chip: all copies end where they are. Answers of the chip to their packets may still come.
  void forget();

 private:
  struct copy {
    std::uint64_t address = 0;
    std::uint8_t* data = nullptr;
    std::size_t bytes = 0;
    std::uint64_t number = 0;  // in the order in which copies were begun
    std::size_t begun = 0;     // bytes in packets that have been begun
    std::size_t left = 0;      // bytes that have not reached their destination
  };
  struct packet : tlm::tlm_generic_payload {
    using tlm::tlm_generic_payload::tlm_generic_payload;
    copy_direction direction = copy_direction::to_device;
    copy* part_of = nullptr;  // null: forgotten
    tlm_bus::femtoseconds at = 0;
  };
  struct lane {                         // a direction
    std::list<copy> copies;             // oldest first, not ended
    unsigned under_way = 0;             // packets
    packet* crossing = nullptr;         // until its time `at`
    tlm_bus::femtoseconds free_at = 0;  // the link
    std::uint64_t remainder = 0;        // of the time of packets, in 1 / rate
    std::deque<packet*> answered;       // since its time `at`; their effect on the lane is still to come
  };

  void free(tlm::tlm_generic_payload* released) override;
  copy* next_copy(lane& l);
  bool must_wait(const lane& l, const copy& c) const;
  packet& make_packet(lane& l, copy_direction direction);
  void cross(lane& l, packet& p, tlm_bus::femtoseconds start);
  bool carry_to_device(tlm_bus::femtoseconds now);
  bool carry_from_device(tlm_bus::femtoseconds now);
  bool send(tlm_bus::femtoseconds now);
  void answered(packet& p, tlm_bus::femtoseconds at);
  void arrived(packet& p);
  lane& of(copy_direction d) { return lanes_[static_cast<std::size_t>(d)]; }

  config::host_config config_;
  unsigned packets_;
  forward_call forward_;
  progress_call progress_;
  std::array<lane, 2> lanes_;
  std::uint64_t copies_begun_ = 0;
  std::deque<packet*> requests_;  // to be sent to the chip, in order
  packet* requested_ = nullptr;   // END_REQ has not come, or not before `request_ended_`
  tlm_bus::femtoseconds request_ended_ = tlm_bus::no_time;
  std::string error_;
  std::vector<std::unique_ptr<packet>> all_;
  std::vector<packet*> free_;
};

}  // namespace gt200::model
