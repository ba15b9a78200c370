// One run of a workload with flipped bits: how it ended and what it left. A process runs one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/campaign/outcome.h"
#include "apps/support/workload.h"
#include "driver/device.h"
#include "inject/draw.h"
#include "inject/fault_injector.h"
#include "observe/checker/mismatch.h"

namespace gt200::apps::campaign {

// The buffers that a workload leaves, by name.
struct output_buffer {
  std::string name;
  std::vector<std::uint8_t> bytes;
};
using output_buffers = std::vector<output_buffer>;

// The run without a fault, as the faulty ones are compared with it.
struct golden_run {
  std::uint64_t cycles = 0;                   // core cycles of all launches
  std::vector<inject::cycle_range> launches;  // when they ran
  output_buffers outputs;
};

struct run_end {
  outcome what = outcome::masked;
  std::string message;       // of a fault or a hang; of silent: the first difference
  std::uint64_t cycles = 0;  // of the launches that ran
  std::vector<inject::injection> injections;
  std::optional<observe::mismatch> difference;  // with the checker
};

class faulty_run {
 public:
  // `work` must be loaded and not prepared. `max_cycles`: per launch, 0 = no limit.
  faulty_run(workload& work, const config::gpu_config& config, std::uint64_t max_cycles);
  ~faulty_run();
  faulty_run(const faulty_run&) = delete;
  faulty_run& operator=(const faulty_run&) = delete;

  // For observers.
  device& target() { return target_; }

  // The run without a fault. Its outputs are the buffers with an expectation and those that it changes. Throws
  // input_error unless it ends, changes something, and meets its expectations.
  golden_run run_golden();
  // With the checker a run stops at the first difference.
  run_end run(const std::vector<inject::site>& sites, const golden_run& golden, bool with_checker);

 private:
  struct ended_early;
  void launch(const launch::launch_parameters& parameters);
  output_buffers outputs_named(const std::vector<std::string>& names);

  workload& work_;
  device target_;
  launch::device access_;
  std::vector<inject::cycle_range> launches_;
  std::uint64_t cycles_ = 0;
};

// The first place where two lists of the same buffers differ; empty if there is none.
std::string first_difference(const output_buffers& expected, const output_buffers& got);

}  // namespace gt200::apps::campaign
