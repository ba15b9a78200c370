// The page of a run, a study or a CUDA program while it runs, for --watch.
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

struct live_content {
  std::string title;
  std::string body;  // HTML, as of observe::report::explorer_page
  // The figures of this moment. The member "live" may have "status", in words, and "body", which replaces `body`.
  std::function<nlohmann::ordered_json()> figures;
  // The page at a path below "/", such as that of a point; empty: there is none. May be null.
  std::function<std::string(const std::string& path)> page;
};

// Serves "/", the page, "/data", its figures as JSON, and what `page` makes, on 127.0.0.1. The thread that calls
// update() makes all of them, and only when a reader has asked: no other thread looks into a running simulation.
class live_page final : private watch_content {
 public:
  // Throws input_error: see require_available(), or the port is taken. `port` 0: any that is free.
  live_page(unsigned port, live_content content);
  ~live_page() override;

  // Throws input_error if the program was built without what a live page needs.
  static void require_available();

  std::string address() const;
  // To be called from time to time.
  void update() {
    if (asked_) serve();
  }
  // Publishes the last figures, and waits for a reader of the last seconds to fetch them, for 15 seconds at most.
  void finish();

 private:
  using clock = std::chrono::steady_clock;
  struct page_request {
    std::string path, text;
    bool is_made = false;
  };

  watch_answer answer(const std::string& path) override;
  watch_answer answer_page(const std::string& path);
  void serve();
  void publish();

  const live_content content_;
  std::atomic<bool> asked_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;
  bool wants_figures_ = false;
  std::shared_ptr<page_request> wanted_page_;
  std::uint64_t version_ = 0;  // of data_
  std::uint64_t fetched_ = 0;
  std::string data_;
  clock::time_point asked_at_;
  clock::time_point publish_at_;  // not before; only the run uses it
  std::unique_ptr<watch_server> server_;
};

// The line above the figures says what the run does now.
inline constexpr const char* live_line = "<p id=\"live\" role=\"status\"></p>\n";

}  // namespace gt200::apps
