// Runs points on this machine.
#pragma once

#include "apps/study/engine.h"

namespace gt200::apps::study {

class local_engine : public engine {
 public:
  explicit local_engine(const study& work) : work_(work) {}

  void run(const std::vector<std::size_t>& numbers, const volatile std::sig_atomic_t* stop, progress& done,
           const progress_function& changed) override;

 private:
  const study& work_;
};

}  // namespace gt200::apps::study
