#include "observe/host_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include "tlm_bus/clocking.h"
#include "tlm_bus/host_activity.h"
#include "tlm_bus/stage.h"

namespace gt200::observe {
namespace {

constexpr auto sampling_interval = std::chrono::microseconds(500);
constexpr std::size_t shown_kinds = 16;

bool is_in_cluster(const tlm_bus::stage& s) {
  tlm_bus::edge_driver& driver = s.domain().driver();
  return &driver != &driver.owner().main_driver();
}

}  // namespace

host_profile::~host_profile() { stop(); }

void host_profile::start() {
  tlm_bus::host_activity::note(true);
  ends_ = false;
  thread_ = std::thread([this] {
    while (!ends_) {
      sample();
      std::this_thread::sleep_for(sampling_interval);
    }
  });
}

void host_profile::stop() {
  if (!thread_.joinable()) return;
  ends_ = true;
  thread_.join();
  tlm_bus::host_activity::note(false);
}

void host_profile::sample() {
  for (const tlm_bus::stage* s : tlm_bus::host_activity::now()) {
    if (s != nullptr)
      ++samples_[s];
    else
      ++between_;
  }
}

std::uint64_t host_profile::in_stages() const {
  std::uint64_t sum = 0;
  for (const auto& [stage, samples] : samples_) sum += samples;
  return sum;
}

std::vector<host_profile::share> host_profile::shares() const {
  std::map<std::pair<std::string, bool>, std::uint64_t> by_kind;
  for (const auto& [stage, samples] : samples_) by_kind[{stage->kind(), is_in_cluster(*stage)}] += samples;
  std::vector<share> all;
  for (const auto& [key, samples] : by_kind) all.push_back({key.first, key.second, samples});
  std::stable_sort(all.begin(), all.end(), [](const share& a, const share& b) { return a.samples > b.samples; });
  return all;
}

std::string host_profile::text() const {
  const std::uint64_t all = in_stages() + between_;
  if (all == 0) return "no samples: the chip ran for less than a millisecond\n";
  const auto percent = [all](std::uint64_t samples) {
    return 100.0 * static_cast<double>(samples) / static_cast<double>(all);
  };
  std::uint64_t in_clusters = 0;
  for (const share& s : shares()) in_clusters += s.in_cluster ? s.samples : 0;
  std::string text = fmt::format(
      "{} samples: {:.1f} % in stages of TPCs, {:.1f} % in stages outside, {:.1f} % between stages or waiting\n",
      all, percent(in_clusters), percent(in_stages() - in_clusters), percent(between_));
  std::size_t shown = 0;
  for (const share& s : shares()) {
    if (++shown > shown_kinds) break;
    text +=
        fmt::format("  {:<26} {:5.1f} %  {}\n", s.kind, percent(s.samples), s.in_cluster ? "in TPCs" : "outside");
  }
  return text;
}

}  // namespace gt200::observe
