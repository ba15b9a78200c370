// Interface of the engines that run the points of a study.
#pragma once

#include <csignal>
#include <memory>
#include <vector>

#include "apps/study/study.h"

namespace gt200::apps::study {

class engine {
 public:
  engine() = default;
  virtual ~engine() = default;
  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;

  // Runs the points with these numbers, which have no result. Adds what happens to `done` and calls `changed` after
  // each change, and from time to time. Throws input_error.
  virtual void run(const std::vector<std::size_t>& numbers, const volatile std::sig_atomic_t* stop, progress& done,
                   const progress_function& changed) = 0;
  // State and number of what waits and runs elsewhere.
  virtual std::vector<std::pair<std::string, std::size_t>> queue() const { return {}; }
  // Returns how many jobs it cancelled.
  virtual std::size_t cancel() { return 0; }
};

// By the name in work.how.engine. `work` must outlive it. Throws input_error for an unknown name.
std::unique_ptr<engine> make_engine(const study& work);

}  // namespace gt200::apps::study
