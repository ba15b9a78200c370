#include "cuda/client/call_order.h"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace gt200::cudart {
namespace {

[[noreturn]] void end_program(const char* file, const char* reason) {
  std::fprintf(stderr, "gt200: GT200_REPLAY=%s %s\n", file, reason);
  std::fflush(nullptr);
  std::_Exit(1);
}

}  // namespace

call_order::call_order() {
  if (const char* folder = std::getenv("GT200_OUT"); folder != nullptr) folder_ = folder;
  const char* file = std::getenv("GT200_REPLAY");
  if (file == nullptr || *file == '\0') return;
  std::ifstream in(file);
  std::ostringstream content;
  if (!(content << in.rdbuf())) end_program(file, "cannot be read");
  if (!read(content.str())) end_program(file, "cannot be repeated");
  if (wanted_.empty()) end_program(file, "has no calls");
}

call_order::call_order(const std::string& content) { read(content); }

bool call_order::read(const std::string& content) {
  std::istringstream in(content);
  run r;
  while (in >> r.thread >> r.calls)
    if (r.calls != 0) wanted_.push_back(r);
  const bool is_whole = in.eof();
  if (!is_whole) std::fprintf(stderr, "gt200: the order of calls is damaged after '%s'\n", r.thread.c_str());
  if (!wanted_.empty()) left_ = wanted_.front().calls;
  return is_whole;
}

void call_order::wait_for_turn(const std::string& thread, unsigned milliseconds) {
  std::unique_lock<std::mutex> lock(mutex_);
  const auto mine = [&] { return is_given_up_ || next_ == wanted_.size() || wanted_[next_].thread == thread; };
  while (!mine()) {
    const std::uint64_t before = ended_;
    const bool moved = changed_.wait_for(lock, std::chrono::milliseconds(milliseconds),
                                         [&] { return mine() || ended_ != before; });
    if (moved || is_in_turn_) continue;
    std::fprintf(stderr, "gt200: the order of calls cannot be repeated: thread %s does not call\n",
                 wanted_[next_].thread.c_str());
    is_given_up_ = true;
    changed_.notify_all();
  }
  is_in_turn_ = true;
}

void call_order::end_turn() {
  const std::lock_guard<std::mutex> lock(mutex_);
  ++ended_;
  is_in_turn_ = false;
  if (next_ < wanted_.size() && --left_ == 0 && ++next_ < wanted_.size()) left_ = wanted_[next_].calls;
  changed_.notify_all();
}

void call_order::note(const std::string& thread) {
  if (taken_.empty() || taken_.back().thread != thread) taken_.push_back({thread, 0});
  ++taken_.back().calls;
}

std::string call_order::text() const {
  if (taken_.size() < 2) return "";
  std::string lines;
  for (const run& r : taken_) lines += r.thread + " " + std::to_string(r.calls) + "\n";
  return lines;
}

void call_order::forget() {
  folder_.clear();
  wanted_.clear();
  next_ = 0;
}

void call_order::write() const {
  const std::string lines = text();
  if (folder_.empty() || lines.empty()) return;
  mkdir(folder_.c_str(), 0777);
  std::ofstream(folder_ + "/calls") << lines;
}

}  // namespace gt200::cudart
