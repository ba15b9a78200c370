// Shows where the host's time goes while a chip runs: in which kinds of stages, in TPCs or outside, and between
// stages.
//
// A thread of its own looks twice per millisecond at what the threads that run the chip are doing
// (tlm_bus/host_activity.h). Costs nothing when there is none. The figures are samples: with n of them a share p is
// right to about sqrt(p / n).
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace gt200::tlm_bus {
class stage;
}

namespace gt200::observe {

class host_profile {
 public:
  host_profile() = default;
  ~host_profile();
  host_profile(const host_profile&) = delete;
  host_profile& operator=(const host_profile&) = delete;

  // Samples from start() to stop(), both while no stage is called. The stages must live until the last call of
  // text().
  void start();
  void stop();

  struct share {
    std::string kind;  // of the stages, as in sc_object::kind()
    bool in_cluster = false;
    std::uint64_t samples = 0;
  };
  // The most frequent first; then by name.
  std::vector<share> shares() const;
  // Samples of all threads: those in which a thread called a stage, and those in which it did not.
  std::uint64_t in_stages() const;
  std::uint64_t between_stages() const { return between_; }
  std::string text() const;  // several lines, for people

 private:
  void sample();

  std::atomic<bool> ends_{false};
  std::thread thread_;
  std::unordered_map<const tlm_bus::stage*, std::uint64_t> samples_;
  std::uint64_t between_ = 0;
};

}  // namespace gt200::observe
