#include "testbenches/rtl/arbiter_bench.h"

#include <fmt/format.h>

#include <vector>

namespace gt200::support {
namespace {

const char* policy_of(rtl::arbiter_order order) { return order == rtl::arbiter_order::round_robin ? "lrr" : "gto"; }

}  // namespace

arbiter_bench::arbiter_bench(tlm_bus::clock_domain& domain, const rtl::arbiter_kind& kind,
                             std::unique_ptr<rtl::arbiter_pins> pins, std::uint64_t seed)
    : domain_(domain),
      kind_(kind),
      both_(model::make_scheduler(policy_of(kind.order), {}),
            std::make_unique<model::rtl_arbiter>(domain, std::move(pins)),
            model::lockstep_comparison(domain, {}, 0), kind.warps,
            [](model::warp_slot) { return model::lockstep_scheduler::oldest_instruction{}; }),
      random_(seed) {
  both_.comparison().when_different([] {});
  list_bins();
}

void arbiter_bench::list_bins() {
  for (unsigned w = 0; w < kind_.warps; ++w)
    for (const char* what : {"goes", "starts", "is granted and does not go"})
      bins_.emplace(fmt::format("warp {} {}", w, what), 0);
  for (const char* what :
       {"a single request", "all request", "several start in one cycle", "a warp goes and another starts"})
    bins_.emplace(what, 0);
  const std::vector<const char*> of_order =
      kind_.order == rtl::arbiter_order::round_robin
          ? std::vector<const char*>{"the neighbour goes", "warps are passed over",
                                     "from the last slot to the first", "the same warp goes again"}
          : std::vector<const char*>{"stays with the warp", "another warp: the last one does not request",
                                     "another warp: the slot of the last one has started anew",
                                     "the granted slot starts in the same cycle", "the oldest is in a higher slot"};
  for (const char* what : of_order) bins_.emplace(what, 0);
}

model::warp_mask arbiter_bench::draw_warps() {
  model::warp_mask warps = 0;
  for (unsigned w = 0; w < kind_.warps; ++w)
    if (draw(8) < density_) warps |= model::warp_bit(model::warp_slot(w));
  return warps;
}

void arbiter_bench::cover_grant(model::warp_mask requests, unsigned granted) {
  if ((requests & (requests - 1)) == 0) hit("a single request");
  if (requests == model::first_warps(kind_.warps)) hit("all request");
  if (kind_.order == rtl::arbiter_order::greedy_then_oldest && granted != model::lowest_warp(requests).index() &&
      static_cast<int>(granted) != last_)
    hit("the oldest is in a higher slot");
  if (last_ < 0) return;
  const auto last = static_cast<unsigned>(last_);
  const bool last_requests = (requests & model::warp_bit(model::warp_slot(last))) != 0;
  const bool restarted = (started_since_ & model::warp_bit(model::warp_slot(last))) != 0;
  if (kind_.order == rtl::arbiter_order::round_robin) {
    if (granted == last)
      hit("the same warp goes again");
    else if (granted == (last + 1) % kind_.warps)
      hit("the neighbour goes");
    else
      hit("warps are passed over");
    if (last == kind_.warps - 1 && granted == 0) hit("from the last slot to the first");
  } else if (granted == last) {
    if (!restarted) hit("stays with the warp");
  } else {
    hit(last_requests && restarted ? "another warp: the slot of the last one has started anew"
                                   : "another warp: the last one does not request");
  }
}

void arbiter_bench::cycle() {
  if (domain_.cycle() % 32 == 0) density_ = draw(3) == 0 ? 8 : draw(9);
  model::warp_mask requests = draw_warps();
  if (draw(4) == 0) requests = model::warp_bit(model::warp_slot(draw(kind_.warps)));
  if (last_ >= 0 && draw(2) == 0) requests |= model::warp_bit(model::warp_slot(last_));
  // Requests that are not accepted may come before and after the accepted one.
  if (requests != 0 && draw(4) == 0)
    hit(fmt::format("warp {} is granted and does not go", both_.pick(requests).index()));
  int goes = -1;
  if (requests != 0 && draw(8) != 0) {
    goes = static_cast<int>(both_.pick(requests).index());
    cover_grant(requests, static_cast<unsigned>(goes));
    if (const model::warp_mask others = draw_warps(); others != 0 && draw(4) == 0) both_.pick(others);
  }
  domain_.set_edge(domain_.cycle() + 1);
  if (goes >= 0) {
    both_.picked(model::warp_slot(goes));
    hit(fmt::format("warp {} goes", goes));
    last_ = goes;
    started_since_ = 0;
  }
  model::warp_mask starts = 0;
  if (draw(6) == 0) starts = draw(2) == 0 ? draw_warps() : model::warp_bit(model::warp_slot(draw(kind_.warps)));
  if (last_ >= 0 && draw(16) == 0) starts |= model::warp_bit(model::warp_slot(last_));
  for (const model::warp_slot warp : model::warps_in(starts)) {
    both_.started(warp);
    hit(fmt::format("warp {} starts", warp.index()));
  }
  started_since_ |= starts;
  if ((starts & (starts - 1)) != 0) hit("several start in one cycle");
  if (goes >= 0 && (starts & ~model::warp_bit(model::warp_slot(goes))) != 0) hit("a warp goes and another starts");
  if (goes >= 0 && (starts & model::warp_bit(model::warp_slot(goes))) != 0 &&
      kind_.order == rtl::arbiter_order::greedy_then_oldest)
    hit("the granted slot starts in the same cycle");
}

std::optional<std::string> arbiter_bench::run(tlm_bus::cycle_t cycles) {
  for (; cycles != 0; --cycles) {
    cycle();
    if (const auto& difference = both_.comparison().difference()) return difference->text;
  }
  return std::nullopt;
}

}  // namespace gt200::support
