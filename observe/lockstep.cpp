#include "observe/lockstep.h"

#include <fmt/format.h>

#include <set>

#include "observe/summary.h"

namespace gt200::observe {
namespace {

template <class Function>
void for_each_comparison(const model::chip& chip, const Function& function) {
  for (model::sm_if* sm : chip.sms())
    for (model::lockstep_comparison* one : sm->probe().lockstep_comparisons()) function(*one);
  for (const model::tpc& tpc : chip.tpcs)
    for (model::lockstep_comparison* one : tpc.memory.coalescer.lockstep_comparisons()) function(*one);
}

}  // namespace

bool has_lockstep(const model::chip& chip) {
  bool found = false;
  for_each_comparison(chip, [&](const model::lockstep_comparison&) { found = true; });
  return found;
}

lockstep::lockstep(device& target) : lockstep(target.chip(), [&target] { target.stop_at_window_end(); }) {}
lockstep::lockstep(model::chip& chip, const std::function<void()>& stop) : chip_(chip) {
  for_each_comparison(chip, [&](model::lockstep_comparison& one) { one.when_different(stop); });
}

std::optional<model::lockstep_difference> lockstep::difference() const {
  std::optional<model::lockstep_difference> first;
  for_each_comparison(chip_, [&](const model::lockstep_comparison& one) {
    if (one.difference() && (!first || one.difference()->cycle < first->cycle)) first = one.difference();
  });
  return first;
}

std::uint64_t lockstep::compared() const {
  std::uint64_t sum = 0;
  for_each_comparison(chip_, [&](const model::lockstep_comparison& one) { sum += one.compared(); });
  return sum;
}

std::map<std::string, std::uint64_t> lockstep::ports() const {
  std::map<std::string, std::uint64_t> sums;
  for_each_comparison(chip_, [&](const model::lockstep_comparison& one) {
    for (const model::lockstep_comparison::compared_port& port : one.ports()) sums[port.name] += port.answers;
  });
  return sums;
}

std::string lockstep::summary() const {
  const auto all = ports();
  if (all.empty()) return "";
  std::string unused;
  for (const auto& [name, answers] : all)
    if (answers == 0) unused += (unused.empty() ? "" : ", ") + name;
  return fmt::format("{} answers compared on {} {}, {}", grouped(compared()), all.size(),
                     all.size() == 1 ? "port" : "ports",
                     unused.empty() ? "each of them used" : "of these never used: " + unused);
}

unsigned lockstep::sms() const {
  std::set<unsigned> sms;
  for_each_comparison(chip_, [&](const model::lockstep_comparison& one) {
    if (one.compared() != 0) sms.insert(one.sm());
  });
  return static_cast<unsigned>(sms.size());
}

}  // namespace gt200::observe
