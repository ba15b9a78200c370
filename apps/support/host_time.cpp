#include "apps/support/host_time.h"

#include <time.h>

namespace gt200::apps {
namespace {

double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

stopwatch::stopwatch() : began_(seconds_of(CLOCK_MONOTONIC)) {}

host_time stopwatch::elapsed() const {
  return {seconds_of(CLOCK_MONOTONIC) - began_, seconds_of(CLOCK_PROCESS_CPUTIME_ID)};
}

void stopwatch::without(const std::function<void()>& other) {
  const double from = seconds_of(CLOCK_MONOTONIC);
  other();
  began_ += seconds_of(CLOCK_MONOTONIC) - from;
}

}  // namespace gt200::apps
