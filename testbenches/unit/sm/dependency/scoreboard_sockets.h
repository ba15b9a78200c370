// A scoreboard without the stages around it: a test looks up, issues and completes as it wants.
#pragma once

#include <optional>
#include <string>

#include "sc_models/sm/dependency/scoreboard.h"
#include "testbenches/support/monitored_socket.h"

namespace gt200::model::testing {

// Binds the sockets of the scoreboard that a scene does not bind itself, and sends over them.
class scoreboard_sockets {
 public:
  // The stages that the scene binds.
  struct users {
    bool issue = false;
  };
  scoreboard_sockets(const std::string& name, scoreboard& target, users bound) {
    lookups.emplace(name + "_lookups", target.lookups);
    answers.emplace(name + "_answers", target.answers);
    if (!bound.issue) allocations.emplace(name + "_allocations", target.allocations);
    releases.emplace(name + "_releases", target.releases);
  }

  // With a look-up latency the answer is not set.
  lookup_answer look_up(warp_slot warp, const isa::instruction& instruction) {
    scoreboard_lookup lookup{warp, &instruction, 0, {}};
    lookups->send(lookup);
    return lookup.answer;
  }
  lookup_answer answered(warp_slot warp) {
    scoreboard_answer fetched{warp, {}};
    answers->send(fetched);
    return fetched.answer;
  }
  // Returns the entries to release.
  std::uint64_t issue(warp_slot warp) {
    scoreboard_allocation allocation{0, warp};
    allocations->send(allocation);
    return allocation.entries;
  }
  void complete(warp_slot warp, const isa::instruction& instruction, std::uint64_t entries) {
    scoreboard_release release{0, warp, &instruction, entries};
    releases->send(release);
  }

  // Empty if the scene binds the socket.
  std::optional<support::monitored_socket<scoreboard_lookup>> lookups;
  std::optional<support::monitored_socket<scoreboard_answer>> answers;
  std::optional<support::monitored_socket<scoreboard_allocation>> allocations;
  std::optional<support::monitored_socket<scoreboard_release>> releases;
};

}  // namespace gt200::model::testing
