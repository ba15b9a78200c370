// Runs a reference beside the cycle model and stops at the first difference. What executes on the other side is
// behind reference.h: for Tesla the emulator.
//
// Order comes from the model, values from the reference:
// - When the model issues an instruction, the reference steps that warp. Program counter, active mask, instruction
//   words, barriers and missing results of older instructions (missed hazards) are checked at that moment.
// - L1 data caches are not coherent: a load takes what memory held when its line was fetched. See l1_contents.h.
// - Shared memory and the partitions' arbiters report accesses as they are performed. Stores and atomics change the
//   reference's shared memory, or a shadow of device memory, with the reference's data; loads, atomics and locks
//   take the reference's values from there. Races and lock loops so follow the model, yet a lost, doubled or wrong
//   byte is found. See memory_order.h.
// - When the model writes back, collected operands, executed lanes, addresses, loaded values and results are
//   compared, and only then the reference's registers get the results of loads.
// - When a block has ended, its registers and shared memory are compared as a whole; when a launch has ended, so is
//   every page of device memory that was written.
// - Where warps are formed anew, the reference steps the threads that the model has put together, each at its own
//   address; barriers, missing results and the order of accesses are checked thread by thread.
// - $clock, $pm and $physid come from the model. $clock must lie between issue and write-back and grow from one
//   reading of a warp to the next; $physid must not change.
// - Constants must be those at the begin of the launch: a kernel cannot reach them. A texture fetch may return
//   anything that memory has held since the begin of the launch, when the caches were invalidated; values that are
//   not the present ones are counted.
//
// - Where the compiler schedules and the hardware does not check, a difference is a model fault if the program has
//   kept the contract, else a hazard of the program; see hazard_judge.h.
//
// Attaches from outside, to observers at the pipes from issue, shared memories, write-backs and arbiters; no other
// observer can be there. Costs nothing when there is none.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "driver/device.h"
#include "observe/checker/mismatch.h"
#include "observe/checker/reference.h"

namespace gt200::observe {

struct check_counts {
  std::uint64_t instructions = 0;  // warp instructions compared
  // operations of the branch unit alone, for paths that reconverge before an instruction
  std::uint64_t reconvergences = 0;
  std::uint64_t shared_accesses = 0;  // warp instructions on s[]
  std::uint64_t memory_accesses = 0;  // transactions of global and local memory
  std::uint64_t texture_fetches = 0;  // warp instructions
  std::uint64_t stale_texels = 0;     // components that were legal but not current
  std::uint64_t special_reads = 0;    // warp instructions whose value comes from the model
  std::uint64_t blocks = 0;           // compared at the end of each block
  std::uint64_t memory_bytes = 0;     // of device memory, compared at the end of each launch
  // Instructions that issued earlier than the compiler's contract with the hardware allows.
  std::uint64_t hazards = 0;
};

class checker {
 public:
  // Before the first launch; device and chip must outlive it. A device is checked by the emulator, and stopped at a
  // difference; with a chip alone `stop` says what to do then, and `launched` what has been launched: by default
  // the emulator of its generation executes that.
  explicit checker(device& target);
  checker(model::chip& chip, launch_source launched, std::function<void()> stop);
  checker(model::chip& chip, std::unique_ptr<reference> executes, std::function<void()> stop);
  ~checker();
  checker(const checker&) = delete;
  checker& operator=(const checker&) = delete;

  // Call it after every device::launch(). A launch that a difference stopped has ended with `stopped`.
  void launch_ended(const launch_result& result);

  // The reference takes this byte of the running launch, and its page, as they are now, unless it already has. For
  // someone who is going to damage it. `address`: physical.
  void remember(std::uint64_t address);

  // The first difference. The checker compares nothing after it.
  const std::optional<mismatch>& difference() const;
  check_counts counts() const;
  // The same hazards by their description, with how often each occurred. Those that did not lead to difference()
  // were harmless in this run.
  std::map<std::string, std::uint64_t> hazards() const;

 private:
  class state;
  std::unique_ptr<state> state_;
};

}  // namespace gt200::observe
