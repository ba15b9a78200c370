// Runs the threads of a block on one thread of the host, in turn.
//
// Every thread is a coroutine. It runs until it waits for others: the block at a barrier, the warp at a vote. When
// all threads wait, each warp takes the threads that stand at the vote that comes first in the code, and they vote;
// a warp whose threads have all come to a barrier waits for the other warps. Threads that have ended are not waited
// for.
//
//   - Threads of a warp that wait at different barriers are an error, as on the chip: a barrier in divergent code.
//   - While other threads of its warp spin on what it will write, a thread does not wait for them: when all that
//   run
//     have done nothing but spin for a while, __syncwarp() and volatile accesses let those go on that have come
//     there.
//   - Threads run one after the other, in the order of their numbers, and not in step. What a thread of a warp
//     writes, another one sees for certain after a barrier, a vote, __syncwarp() or a volatile access.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cuda/worker/cpu/coroutine.h"
#include "toolchain/cuda/gt200_cpu_runtime.h"

namespace gt200::cudart {

class block_runner {
 public:
  // `stack_bytes`: of every thread, for its local variables and calls.
  explicit block_runner(std::size_t stack_bytes) : stack_bytes_(stack_bytes) {}

  struct job {
    void (*entry)(const void* parameters) = nullptr;  // the kernel, for the thread in place->tid
    const void* parameters = nullptr;
    gt200_cpu_place* place = nullptr;  // with the block, and the sizes of block and grid
  };
  enum class end { done, fault, interrupted };
  // Runs all threads of the block at job.place to their end.
  end run(const job& work);
  // Of a block that did not end: why, and which thread.
  const std::string& report() const { return report_; }

  // The block whose device code the calling thread of the host runs; null if it does something else.
  static block_runner* current();

  // For device code: the calls of gt200_cpu_runtime. `call`: where the code calls.
  unsigned meet(gt200_cpu_meeting what, int value, const void* call);
  void yield();
  // Ends the block. Also for signal handlers.
  [[noreturn]] void fail(end how, const char* what, std::uint64_t address = 0, bool has_address = false);
  // The stack of the thread that runs has no room left.
  bool is_exhausted_at(const void* address) const;

 private:
  static constexpr unsigned first_patience = 1000;
  static constexpr unsigned later_patience = 4;
  // For threads that spin by a volatile access, which is a place to meet as well: loops may be long.
  static constexpr unsigned first_patience_with_meetings = 20'000;
  static constexpr unsigned later_patience_with_meetings = 1000;
  struct last_meeting {
    const void* call = nullptr;
    unsigned times = 0;  // in a row
  };

  enum class state { ready, waits, ended };
  struct thread {
    std::unique_ptr<coroutine> code;
    state now = state::ended;
    gt200_cpu_meeting meeting = gt200_cpu_barrier;
    int value = 0;
    const void* call = nullptr;
    unsigned result = 0;
    gt200_cpu_index index{};
  };
  using warp_range = std::pair<std::size_t, std::size_t>;

  void live(std::size_t number);
  void resume(std::size_t number);
  // True if a thread goes on.
  bool release();
  bool release_vote(const warp_range& warp);
  bool only_spins();
  bool comes_again(std::size_t warp, const void* call);
  bool release_those_spun_for(const warp_range& among);
  bool is_divergent(const warp_range& warp) const;
  void release_barrier();

  std::size_t stack_bytes_;
  job work_;
  jump_place owner_{};
  std::vector<thread> threads_;
  std::size_t count_ = 0;    // of threads of this block
  std::size_t running_ = 0;  // the one that runs
  std::uint64_t steps_ = 0;  // how often a thread has come to wait, or has ended
  std::uint64_t steps_before_ = 0;
  unsigned rounds_of_spinning_ = 0;
  unsigned patience_ = first_patience;  // rounds; of a program that has such locks, they are few
  std::vector<last_meeting> meetings_;  // by warp
  unsigned patience_with_meetings_ = first_patience_with_meetings;
  end end_ = end::done;
  std::string report_;
  const char* what_ = nullptr;  // of the fault
  std::uint64_t address_ = 0;
  bool has_address_ = false;
};

}  // namespace gt200::cudart
