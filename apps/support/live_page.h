// The page of a run while it runs, for --watch.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>

#include "apps/watch/server.h"

namespace gt200::apps {

// Serves "/", the page, and "/data", its figures as JSON, on 127.0.0.1. The run makes the figures, between two
// windows and only when a reader has asked: no thread looks into a running simulation.
class live_page final : private watch_content {
 public:
  // `figures`: those of this moment. Throws input_error: the program was built without what it needs, or the port
  // is taken.
  live_page(unsigned port, std::string title, std::function<nlohmann::ordered_json()> figures);
  ~live_page() override;

  std::string address() const;
  // The run calls it from time to time.
  void update() {
    if (asked_ && std::chrono::steady_clock::now() - published_at_ >= std::chrono::seconds(1)) publish();
  }
  // Publishes the last figures, and waits for a reader of the last seconds to fetch them, for 15 seconds at most.
  void finish();

 private:
  watch_answer answer(const std::string& path) override;
  void publish();

  const std::string title_;
  const std::function<nlohmann::ordered_json()> figures_;
  std::atomic<bool> asked_ = false;
  bool ended_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t version_ = 0;  // of data_
  std::uint64_t fetched_ = 0;
  std::string data_;
  std::chrono::steady_clock::time_point asked_at_;
  std::chrono::steady_clock::time_point published_at_;  // only the run uses it
  std::unique_ptr<watch_server> server_;
};

}  // namespace gt200::apps
