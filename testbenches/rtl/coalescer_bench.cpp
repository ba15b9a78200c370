#include "testbenches/rtl/coalescer_bench.h"

#include <fmt/format.h>

#include "sc_models/memory_path/cosimulation/half_warp_text.h"

namespace gt200::support {
namespace {

config::coalescing_rule rule_of_model(rtl::coalescer_rule rule) {
  return rule == rtl::coalescer_rule::cc_1_0 ? config::coalescing_rule::cc_1_0 : config::coalescing_rule::cc_1_2;
}

}  // namespace

coalescer_bench::coalescer_bench(rtl::coalescer_rule rule, std::unique_ptr<rtl::coalescer_pins> pins,
                                 std::uint64_t seed)
    : rule_(rule), rtl_(std::move(pins)), stimuli_(seed) {
  list_bins();
}

void coalescer_bench::idle() {
  const transaction got = rtl_->next(stimuli_.draw(2) == 0);
  hit(idle_);
  if (got.valid) differs("no half-warp waits", {}, got, 0);
  rtl_->edge();
  ++cycle_;
}

bool coalescer_bench::check(unsigned number, bool ready, std::uint16_t left) {
  const model::memory_segment& s = segments_.segment[number];
  const transaction expected{
      true, s.address, s.bytes, static_cast<std::uint16_t>(s.lanes), s.in_sequence, number + 1 == segments_.count};
  const transaction got = rtl_->next(ready);
  if (!(got == expected) || rtl_->lanes_left() != left) {
    differs(fmt::format("transaction {}, {}taken", number, ready ? "" : "not "), expected, got, left);
    return false;
  }
  if (!ready) hit(number == 0 ? waits_first_ : waits_later_);
  if (!ready && expected.last) hit(waits_last_);
  rtl_->edge();
  ++cycle_;
  if (ready) cover_transaction(half_, expected, left);
  return true;
}

void coalescer_bench::check_half_warp() {
  if (half_.separate)
    model::separate(half_.address, half_.active, half_.word_bytes, segments_);
  else
    model::coalesce(rule_of_model(rule_), half_.address, half_.active, half_.word_bytes, segments_);
  cover_half_warp(half_);
  rtl_->offer(half_);
  std::uint16_t left = half_.active;
  for (unsigned number = 0; number < segments_.count; ++number) {
    while (stimuli_.draw(8) < waits_)
      if (!check(number, false, left)) return;
    if (!check(number, true, left)) return;
    left = static_cast<std::uint16_t>(left & ~segments_.segment[number].lanes);
  }
}

std::optional<std::string> coalescer_bench::run(std::uint64_t half_warps) {
  for (; half_warps != 0 && !difference_; --half_warps, ++half_warps_) {
    if (half_warps_ % 64 == 0) waits_ = stimuli_.draw(3) == 0 ? stimuli_.draw(7) : 0;
    if (stimuli_.draw(8) == 0)
      idle();
    else
      hit(follows_at_once_);
    half_ = stimuli_.draw();
    if (!difference_) check_half_warp();
  }
  return difference_;
}

void coalescer_bench::differs(const std::string& where, const transaction& expected, const transaction& got,
                              std::uint16_t left) {
  difference_ = fmt::format("cycle {}, half-warp {}: {}\n  {}\n  model: {}\n  RTL:   {}\n", cycle_, half_warps_,
                            where, half_.address == nullptr ? "nothing so far" : model::text_of(half_, rule_),
                            model::text_of(expected), model::text_of(got));
  *difference_ +=
      fmt::format("  lanes left in the model: {:#06x}, in the RTL: {:#06x}\n", left, rtl_->lanes_left());
  if (half_.address != nullptr) *difference_ += model::addresses_of(half_);
}

std::map<std::string, std::uint64_t> coalescer_bench::bins() const {
  std::map<std::string, std::uint64_t> result;
  for (std::size_t i = 0; i < names_.size(); ++i) result[names_[i]] = counts_[i];
  return result;
}

}  // namespace gt200::support
