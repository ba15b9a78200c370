// The time a run takes on the host.
#pragma once

#include <functional>

namespace gt200::apps {

struct host_time {
  double wall_seconds = 0;  // since the process started measuring
  double cpu_seconds = 0;   // of the whole process, user and system, since it began
};

class stopwatch {
 public:
  stopwatch();
  host_time elapsed() const;
  // Does `other`, whose wall time does not count.
  void without(const std::function<void()>& other);

 private:
  double began_;
};

}  // namespace gt200::apps
