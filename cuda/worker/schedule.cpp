#include "cuda/worker/schedule.h"

#include <algorithm>

#include "sc_models/host/copy_time.h"

namespace gt200::cudart {
namespace {

constexpr std::uint64_t femtoseconds_per_ns = 1'000'000;

}  // namespace

void schedule::begin(const call_context& call) {
  call_ = call;
  host_ = std::max(host_, call.host_time);
}

schedule::femtoseconds schedule::end_of(std::uint32_t stream) const {
  if (stream == default_stream) return last_;
  const auto found = streams_.find(stream);
  return found == streams_.end() ? 0 : found->second;
}

schedule::femtoseconds schedule::start(femtoseconds unit_free) const {
  return std::max({host_, barrier_, end_of(call_.stream), unit_free});
}

void schedule::end(std::uint32_t stream, femtoseconds at) {
  last_ = std::max(last_, at);
  if (stream == default_stream)
    barrier_ = at;
  else
    streams_[stream] = at;
}

void schedule::copy(copy_way way, std::uint64_t address, std::uint64_t bytes) {
  if (!call_.continues) host_ += host_config_.copy_overhead_ns * femtoseconds_per_ns;
  if (!call_.page_locked) call_.stream = default_stream;
  femtoseconds& free = host_config_.copy_engines == 0   ? grids_free_
                       : host_config_.copy_engines == 1 ? engines_free_[0]
                                                        : engines_free_[static_cast<std::size_t>(way)];
  const femtoseconds from = start(free);
  femtoseconds until = from + model::time_on_link(host_config_, bytes);
  if (!call_.page_locked) until += model::time_at_rate(bytes, host_config_.pageable_mb_per_s);
  free = until;
  end(call_.stream, until);
  if (!call_.page_locked || !call_.returns_early)
    host_ = until;
  else if (address != 0 && until != from && host_config_.copy_engines != 0)
    copies_.push_back({way, address, bytes, from, until});
}

void schedule::accept_launch() { host_ += host_config_.launch_overhead_ns * femtoseconds_per_ns; }

void schedule::run(femtoseconds duration) {
  const femtoseconds until = start(grids_free_) + duration;
  grids_free_ = until;
  end(call_.stream, until);
}

std::vector<copy_beside> schedule::copies_beside_grid() {
  const femtoseconds begin = start(grids_free_);
  copies_.erase(std::remove_if(copies_.begin(), copies_.end(), [&](const copying& c) { return c.end <= begin; }),
                copies_.end());
  std::vector<copy_beside> beside;
  for (const copying& c : copies_) {
    const femtoseconds left = c.end - std::max(c.begin, begin);
    const auto bytes = static_cast<std::uint64_t>(static_cast<double>(c.bytes) * static_cast<double>(left) /
                                                  static_cast<double>(c.end - c.begin));
    if (bytes != 0) beside.push_back({c.way, static_cast<std::uint32_t>(c.address + c.bytes - bytes), bytes});
  }
  return beside;
}

schedule::femtoseconds schedule::record() { return std::max({host_, barrier_, end_of(call_.stream)}); }

void schedule::wait() { host_ = std::max(host_, end_of(call_.stream)); }

void schedule::hold_back(femtoseconds until) { end(call_.stream, std::max(end_of(call_.stream), until)); }

}  // namespace gt200::cudart
