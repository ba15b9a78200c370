// Threads of the warps in a log, if they are formed anew (docs/warp_formation.md).
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "observe/trace/log_reader.h"
#include "toolchain/isa/common/instruction.h"

namespace gt200::observe {

// The signals that it reads. A chip with static warps has none of them.
std::vector<std::string> signals_of_formed_threads();

// Follows the signals of the warp formers of a log.
class formed_threads {
 public:
  explicit formed_threads(const log_definitions& definitions);

  // The signal has a new value; those of other modules are ignored.
  void value(std::uint32_t signal, std::uint64_t v);
  // The threads in a warp slot of the SM with this path (gt200.tpc_0.sm_1): for each warp of the block in which
  // some of them started, its number in the block and their lanes, "0:0x0000ffff 3:0xffff0000". Where a warp may
  // have threads of several blocks, the slot of the block stands before it, "2/0:0x0000ffff". Empty if the log has
  // no signals of the slot, or the slot holds no threads.
  std::string text(const std::string& sm, unsigned warp) const;

 private:
  struct slot {
    isa::lane_mask threads = 0;
    std::array<std::uint8_t, isa::warp_size> home{};  // by lane
    std::array<std::uint8_t, isa::warp_size> block{};
    bool names_blocks = false;
  };
  struct followed {
    slot* of = nullptr;  // null: of another module
    int lane = -1;       // -1: the mask of lanes
    bool is_block = false;
  };
  std::map<std::pair<std::string, unsigned>, slot> slots_;
  std::vector<followed> signals_;  // by number in the log
};

}  // namespace gt200::observe
