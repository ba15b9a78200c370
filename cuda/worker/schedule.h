// When the work of a program runs, in femtoseconds of the device, and what time it is for the program.
//
// Work of a stream runs in order. Work of the default stream begins when all earlier work has ended, and all later
// work begins when it has ended. Grids run one at a time. Copies of the host between page-locked memory and the
// device run beside them as far as the copy engines of the board allow (`host.copy_engines`); those of pageable
// memory are work of the default stream, whatever stream they are given. Every unit takes its work in the order of
// the calls.
//
// A launch costs the program `host.launch_overhead_ns`, a copy `host.copy_overhead_ns`; the work begins after that.
// Nothing else that the program does takes time. It waits for copies, unless the call returns early and the memory
// is page-locked, and where it asks to wait.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "cuda/protocol/commands.h"
#include "sc_models/config/host_config.h"

namespace gt200::cudart {

enum class copy_way : std::uint8_t { to_device, from_device };

// A copy of the host, or what is left of one, that is under way when a grid begins.
struct copy_beside {
  copy_way way;
  std::uint32_t address;
  std::uint64_t bytes;
};

class schedule {
 public:
  using femtoseconds = std::uint64_t;

  explicit schedule(const config::host_config& host) : host_config_(host) {}

  // The call that is served from now on.
  void begin(const call_context& call);
  const call_context& call() const { return call_; }
  // Time of the program.
  femtoseconds host_time() const { return host_; }

  // Copy between host and device. `address`: of the device, where there is linear memory of so many bytes; else 0.
  void copy(copy_way way, std::uint64_t address, std::uint64_t bytes);
  // A launch is accepted; the grid that it gave has run. Copies within device memory and fills run like grids.
  void accept_launch();
  void run(femtoseconds duration);

  // When the accepted grid begins.
  std::vector<copy_beside> copies_beside_grid();

  // End of the work of the stream, or of all work for the default stream: when an event of the stream is recorded.
  femtoseconds record();
  // The program waits for it.
  void wait();
  // Later work of the stream begins no earlier.
  void hold_back(femtoseconds until);

 private:
  struct copying {
    copy_way way;
    std::uint64_t address;
    std::uint64_t bytes;
    femtoseconds begin;
    femtoseconds end;
  };
  femtoseconds start(femtoseconds unit_free) const;
  femtoseconds end_of(std::uint32_t stream) const;
  void end(std::uint32_t stream, femtoseconds at);

  const config::host_config& host_config_;
  call_context call_{};
  femtoseconds host_ = 0;
  std::map<std::uint32_t, femtoseconds> streams_;  // end of what has been given to them
  femtoseconds last_ = 0;                          // end of all work
  femtoseconds barrier_ = 0;                       // end of the work of the default stream
  femtoseconds grids_free_ = 0;
  std::array<femtoseconds, 2> engines_free_{};
  std::vector<copying> copies_;  // that may not have ended when the next grid begins
};

}  // namespace gt200::cudart
