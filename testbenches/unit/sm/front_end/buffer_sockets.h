// An instruction buffer without the stages around it: a test reserves, enters and removes as it wants.
#pragma once

#include <optional>
#include <string>

#include "sc_models/sm/front_end/instruction_buffer.h"
#include "testbenches/support/monitored_socket.h"

namespace gt200::model::testing {

// Binds the sockets of the buffer that a scene does not bind itself, and sends over them.
class buffer_sockets {
 public:
  // The modules that the scene binds.
  struct users {
    bool fetch = false;
    bool decode = false;
    bool issue = false;
    bool scoreboard = false;
  };
  buffer_sockets(const std::string& name, instruction_buffer& buffer, users bound) : buffer_(buffer) {
    if (!bound.fetch) reservations.emplace(name + "_reservations", buffer.reservations);
    if (!bound.decode) writes.emplace(name + "_writes", buffer.writes);
    if (!bound.issue) removals.emplace(name + "_removals", buffer.removals);
    if (!bound.scoreboard) updates.emplace(name + "_dependency_updates", buffer.dependency_updates);
  }

  void reserve(warp_slot warp, unsigned entries) {
    buffer_reservation reservation{warp, static_cast<std::uint8_t>(entries)};
    reservations->send(reservation);
  }
  void enter(warp_slot warp, const buffered_instruction& instruction) {
    buffer_write write{buffer_write::command::enter, warp, 1, instruction};
    writes->send(write);
  }
  void cancel(warp_slot warp, unsigned entries) {
    buffer_write write{buffer_write::command::cancel, warp, static_cast<std::uint8_t>(entries), {}};
    writes->send(write);
  }
  void remove(warp_slot warp) {
    buffer_removal removal{buffer_.oldest(warp).id, warp};
    removals->send(removal);
  }
  void clear(warp_slot warp, std::uint64_t dependencies) {
    dependency_update update{dependency_update::command::clear, warp, 0, dependencies};
    updates->send(update);
  }
  void set(warp_slot warp, unsigned position, std::uint64_t dependencies) {
    dependency_update update{dependency_update::command::set, warp, static_cast<std::uint8_t>(position),
                             dependencies};
    updates->send(update);
  }

  // Empty if the scene binds the socket.
  std::optional<support::monitored_socket<buffer_reservation>> reservations;
  std::optional<support::monitored_socket<buffer_write>> writes;
  std::optional<support::monitored_socket<buffer_removal>> removals;
  std::optional<support::monitored_socket<dependency_update>> updates;

 private:
  instruction_buffer& buffer_;
};

}  // namespace gt200::model::testing
