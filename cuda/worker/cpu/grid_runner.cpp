#include "cuda/worker/cpu/grid_runner.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "cuda/worker/cpu/signals.h"

namespace gt200::cudart {
namespace {

class grid_run {
 public:
  explicit grid_run(const cpu_grid& grid)
      : grid_(grid), blocks_(std::uint64_t{grid.blocks.x} * grid.blocks.y * grid.blocks.z) {}

  cpu_grid_end run(const std::vector<std::unique_ptr<block_runner>>& runners,
                   const volatile std::sig_atomic_t* stop) {
    const std::size_t count = std::min<std::uint64_t>(runners.size(), blocks_);
    std::vector<std::thread> threads;
    running_ = count;
    for (std::size_t k = 0; k < count; ++k) threads.emplace_back([this, &runner = *runners[k]] { serve(runner); });
    wait(threads, stop);
    for (std::thread& t : threads) t.join();
    return end_;
  }

 private:
  void serve(block_runner& runner) {
    {
      const signal_stack handlers;
      const device_code_environment environment(grid_.flushes, *grid_.textures);
      gt200_cpu_place place = {};
      place.ntid = grid_.threads;
      place.nctaid = grid_.blocks;
      grid_.enter(&place);
      for (std::uint64_t n = next_++; n < blocks_ && !ends_; n = next_++) {
        const gt200_cpu_index& size = grid_.blocks;
        place.ctaid = {static_cast<unsigned>(n % size.x), static_cast<unsigned>(n / size.x % size.y),
                       static_cast<unsigned>(n / size.x / size.y)};
        if (const auto how = runner.run({grid_.entry, grid_.parameters, &place}); how != block_runner::end::done)
          note(n, how, runner.report());
      }
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    --running_;
    finished_.notify_all();
  }

  void note(std::uint64_t block, block_runner::end how, const std::string& report) {
    const std::lock_guard<std::mutex> lock(mutex_);
    ends_ = true;
    if (end_.how != block_runner::end::done && block > failed_block_) return;
    failed_block_ = block;
    end_ = {how, report};
  }

  void wait(std::vector<std::thread>& threads, const volatile std::sig_atomic_t* stop) {
    constexpr std::chrono::milliseconds step(20);
    std::unique_lock<std::mutex> lock(mutex_);
    while (running_ != 0) {
      finished_.wait_for(lock, step);
      if (*stop == 0) continue;
      ends_ = true;
      // A block may be between two threads of it: again until all have ended.
      for (std::thread& t : threads) interrupt(t.native_handle());
    }
  }

  const cpu_grid& grid_;
  const std::uint64_t blocks_;
  std::atomic<std::uint64_t> next_{0};
  std::atomic<bool> ends_{false};
  std::mutex mutex_;
  std::condition_variable finished_;
  std::size_t running_ = 0;
  std::uint64_t failed_block_ = 0;
  cpu_grid_end end_;
};

}  // namespace

cpu_grid_end run_grid(const cpu_grid& grid, const std::vector<std::unique_ptr<block_runner>>& runners,
                      const volatile std::sig_atomic_t* stop) {
  catch_faults();
  cpu_grid_end end = grid_run(grid).run(runners, stop);
  if (end.how == block_runner::end::done && *stop != 0) end = {block_runner::end::interrupted, "interrupted"};
  return end;
}

}  // namespace gt200::cudart
