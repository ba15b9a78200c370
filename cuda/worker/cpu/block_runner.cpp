#include "cuda/worker/cpu/block_runner.h"

#include <fmt/format.h>

#include <algorithm>

#include "toolchain/isa/common/instruction.h"

namespace gt200::cudart {
namespace {

// Signal handlers read it.
thread_local block_runner* volatile running_block = nullptr;

gt200_cpu_index index_of(std::size_t number, const gt200_cpu_index& size) {
  const auto n = static_cast<unsigned>(number);
  return {n % size.x, n / size.x % size.y, n / size.x / size.y};
}

bool is_barrier(gt200_cpu_meeting what) { return what <= gt200_cpu_barrier_or; }

std::string text_of(const gt200_cpu_index& i) { return fmt::format("({}, {}, {})", i.x, i.y, i.z); }

}  // namespace

block_runner* block_runner::current() { return running_block; }

block_runner::end block_runner::run(const job& work) {
  work_ = work;
  end_ = end::done;
  const gt200_cpu_index& size = work.place->ntid;
  count_ = std::size_t{size.x} * size.y * size.z;
  if (threads_.size() < count_) threads_.resize(count_);
  for (std::size_t t = 0; t < count_; ++t) {
    if (threads_[t].code == nullptr)
      threads_[t].code = std::make_unique<coroutine>([this, t] { live(t); }, stack_bytes_);
    threads_[t].now = state::ready;
    threads_[t].index = index_of(t, size);
  }
  work.place->atomics = 0;
  meetings_.clear();
  do {
    for (std::size_t t = 0; t < count_ && end_ == end::done; ++t)
      if (threads_[t].now == state::ready) resume(t);
  } while (end_ == end::done && release());
  if (end_ != end::done) {
    report_ = what_;
    if (has_address_) report_ += fmt::format(" at address {:#x}", address_);
    report_ +=
        fmt::format(", thread {} of block {}", text_of(threads_[running_].index), text_of(work.place->ctaid));
    threads_.clear();  // they stand somewhere in the kernel
  }
  return end_;
}

// A coroutine serves the same thread of one block after the other.
void block_runner::live(std::size_t number) {
  for (;;) {
    work_.entry(work_.parameters);
    threads_[number].now = state::ended;
    ++steps_;
    threads_[number].code->suspend();
  }
}

void block_runner::resume(std::size_t number) {
  running_ = number;
  work_.place->tid = threads_[number].index;
  running_block = this;
  threads_[number].code->resume(owner_);
  running_block = nullptr;
}

unsigned block_runner::meet(gt200_cpu_meeting what, int value, const void* call) {
  thread& own = threads_[running_];
  own.now = state::waits;
  ++steps_;
  own.meeting = what;
  own.value = value;
  own.call = call;
  own.code->suspend();
  return own.result;
}

void block_runner::yield() { threads_[running_].code->suspend(); }

void block_runner::fail(end how, const char* what, std::uint64_t address, bool has_address) {
  end_ = how;
  what_ = what;
  address_ = address;
  has_address_ = has_address;
  threads_[running_].code->leave();
}

bool block_runner::is_exhausted_at(const void* address) const { return threads_[running_].code->is_guard(address); }

bool block_runner::release() {
  const auto is_ready = [](const thread& t) { return t.now == state::ready; };
  const auto last = threads_.begin() + static_cast<std::ptrdiff_t>(count_);
  if (std::any_of(threads_.begin(), last, is_ready)) {
    if (only_spins() && release_those_spun_for({0, count_})) {
      patience_ = later_patience;
      rounds_of_spinning_ = 0;
    }
    return true;
  }
  bool votes = false;
  bool waits = false;
  for (std::size_t first = 0; first < count_; first += isa::warp_size) {
    const warp_range warp = {first, std::min<std::size_t>(first + isa::warp_size, count_)};
    votes |= release_vote(warp);
    waits |= std::any_of(threads_.begin() + static_cast<std::ptrdiff_t>(warp.first),
                         threads_.begin() + static_cast<std::ptrdiff_t>(warp.second),
                         [](const thread& t) { return t.now == state::waits; });
    if (!votes && is_divergent(warp)) {
      running_ = warp.first;
      end_ = end::fault;
      what_ = "threads of a warp wait at different barriers: barrier in divergent code";
      has_address_ = false;
      return false;
    }
  }
  if (!votes && waits) release_barrier();
  return votes || waits;
}

// Nobody has come anywhere for many rounds: those that run wait in loops for others.
bool block_runner::only_spins() {
  rounds_of_spinning_ = steps_ == steps_before_ ? rounds_of_spinning_ + 1 : 0;
  steps_before_ = steps_;
  return rounds_of_spinning_ >= patience_;
}

// The same where those that spin meet at each turn, so that the others, who are further on, never are the first.
bool block_runner::comes_again(std::size_t warp, const void* call) {
  if (meetings_.size() <= warp) meetings_.resize(warp + 1);
  last_meeting& last = meetings_[warp];
  last.times = last.call == call ? last.times + 1 : 0;
  last.call = call;
  return last.times >= patience_with_meetings_;
}

// One of them may hold the lock. Votes are left out: their results are those of all threads.
bool block_runner::release_those_spun_for(const warp_range& among) {
  bool any = false;
  for (std::size_t t = among.first; t < among.second; ++t) {
    thread& own = threads_[t];
    if (own.now != state::waits || own.meeting != gt200_cpu_warp) continue;
    own.now = state::ready;
    own.result = 0;
    any = true;
  }
  return any;
}

// The votes that come first in the code: threads that have skipped one wait for those that have not.
bool block_runner::release_vote(const warp_range& warp) {
  const void* call = nullptr;
  const auto votes = [&](std::size_t t) {
    return threads_[t].now == state::waits && !is_barrier(threads_[t].meeting);
  };
  for (std::size_t t = warp.first; t < warp.second; ++t)
    if (votes(t) && (call == nullptr || std::less<>()(threads_[t].call, call))) call = threads_[t].call;
  if (call == nullptr) return false;
  if (comes_again(warp.first / isa::warp_size, call) && release_those_spun_for(warp)) {
    patience_with_meetings_ = later_patience_with_meetings;
    meetings_[warp.first / isa::warp_size] = {};
    return true;
  }
  unsigned ballot = 0;
  unsigned present = 0;
  const auto takes_part = [&](std::size_t t) { return votes(t) && threads_[t].call == call; };
  for (std::size_t t = warp.first; t < warp.second; ++t) {
    if (!takes_part(t)) continue;
    present |= 1u << (t - warp.first);
    if (threads_[t].value != 0) ballot |= 1u << (t - warp.first);
  }
  for (std::size_t t = warp.first; t < warp.second; ++t) {
    if (!takes_part(t)) continue;
    threads_[t].result = threads_[t].meeting == gt200_cpu_vote_all   ? (ballot == present ? 1u : 0u)
                         : threads_[t].meeting == gt200_cpu_vote_any ? (ballot != 0 ? 1u : 0u)
                                                                     : ballot;
    threads_[t].now = state::ready;
  }
  return true;
}

bool block_runner::is_divergent(const warp_range& warp) const {
  const void* call = nullptr;
  for (std::size_t t = warp.first; t < warp.second; ++t) {
    if (threads_[t].now != state::waits || !is_barrier(threads_[t].meeting)) continue;
    if (call != nullptr && threads_[t].call != call) return true;
    call = threads_[t].call;
  }
  return false;
}

void block_runner::release_barrier() {
  unsigned present = 0;
  unsigned count = 0;
  for (std::size_t t = 0; t < count_; ++t) {
    if (threads_[t].now != state::waits) continue;
    ++present;
    if (threads_[t].value != 0) ++count;
  }
  for (std::size_t t = 0; t < count_; ++t) {
    thread& own = threads_[t];
    if (own.now != state::waits) continue;
    own.result = own.meeting == gt200_cpu_barrier_and  ? (count == present ? 1u : 0u)
                 : own.meeting == gt200_cpu_barrier_or ? (count != 0 ? 1u : 0u)
                                                       : count;
    own.now = state::ready;
  }
}

}  // namespace gt200::cudart
