#include "sc_models/memory_path/cosimulation/watched_coalescer.h"

#include <fmt/format.h>

#include "rtl_ref/coalescer/coalescer.h"
#include "sc_models/memory_path/cosimulation/half_warp_text.h"
#include "sc_models/sm/cosimulation/rtl_requests.h"
#include "sc_models/sm/cosimulation/signals_of_pins.h"
#include "sc_models/sm/cosimulation/systemc_rtl.h"
#include "toolchain/bits.h"

namespace gt200::model {
namespace {

bool successive_words(const rtl::coalescer_pins::half_warp& half, std::uint16_t lanes) {
  bool successive = lanes == 0xffff && half.word_bytes == 4 && !half.separate;
  for (unsigned n = 0; n < half_warp_size; ++n)
    successive = successive && half.address[n] == half.address[0] + 4 * n;
  return successive;
}

}  // namespace

watched_coalescer::watched_coalescer(const tlm_bus::clock_domain& uncore, rtl::coalescer_rule rule,
                                     std::unique_ptr<rtl::coalescer_pins> pins,
                                     std::vector<lockstep_comparison> comparisons)
    : uncore_(uncore), rule_(rule), pins_(std::move(pins)), comparisons_(std::move(comparisons)) {
  prepare_for_systemc_rtl(*pins_, uncore_, "coalescer");
}

void watched_coalescer::start(const memory_access& access, unsigned half, unsigned pass) {
  begin();
  access_ = &access;
  half_ = half;
  pass_ = pass;
  half_warp_ = {&access.operation->values.address.lane[half * half_warp_size],
                static_cast<std::uint16_t>(access.lanes >> half * half_warp_size), access.word_bytes,
                access.kind == memory_kind::atomic};
  left_ = half_warp_.active;
  pins_->offer(half_warp_);
}

watched_coalescer::transaction watched_coalescer::answer() {
  begin();
  return pins_->next(true);
}

void watched_coalescer::begin() {
  if (cycle_ == uncore_.cycle()) return;
  tlm_bus::cycle_t reached = 0;
  if (cycle_ != tlm_bus::no_cycle) {
    pins_->edge();
    reached = cycle_ + 1;
  }
  cycle_ = uncore_.cycle();
  if (free_running_)
    for (; reached < cycle_; ++reached) pins_->edge();
}

void watched_coalescer::publish(tlm_bus::signal_writer& to) const {
  to.number("rtl.cycle", 64, cycle_ == tlm_bus::no_cycle ? 0 : cycle_);
  signals_of_pins pins(to);
  pins_->show(pins);
}

void watched_coalescer::differs(const char* complaint, unsigned number, const std::string& answers,
                                lockstep_difference::kind what) {
  const warp_instruction& operation = *access_->operation;
  comparison().differs(
      operation.warp, operation.pc,
      [&] {
        return fmt::format(
            "coalescer: {} in transaction {} of half-warp {}{} at {}\n  {}, {}\n{}"
            "  lanes left in the chip: {:#06x}, in the RTL: {:#06x}\n{}",
            complaint, number, half_, pass_ == 0 ? "" : fmt::format(", word {},", pass_),
            comparison().place(operation.warp, operation.pc, operation.instruction), name_of(access_->kind),
            text_of(half_warp_, rule_), answers, left_, pins_->lanes_left(), addresses_of(half_warp_));
      },
      what);
}

const char* rtl_coalescer::complaint_about(const transaction& got) const {
  if (!got.valid) return "the RTL gives nothing";
  if (got.lanes == 0) return "the RTL serves no lane";
  if ((got.lanes & ~left()) != 0) return "the RTL serves lanes that are not left";
  const bool of_a_size = half_warp().separate ? got.bytes == half_warp().word_bytes
                                              : got.bytes == 32 || got.bytes == 64 || got.bytes == 128;
  if (!of_a_size || got.address % got.bytes != 0) return "the RTL gives no aligned segment";
  for (const unsigned lane : set_bits(got.lanes))
    if (half_warp().address[lane] - got.address >= got.bytes) return "the RTL serves a lane outside of the segment";
  if (got.in_sequence && !successive_words(half_warp(), got.lanes)) return "the RTL sees a sequence that is none";
  return got.last == (got.lanes == left()) ? nullptr : "the RTL is wrong about the last transaction";
}

void rtl_coalescer::next(segment_list& segments, unsigned next) {
  transaction got = answer();
  if (const char* const complaint = complaint_about(got); complaint != nullptr) {
    differs(complaint, next, "  RTL:   " + text_of(got) + "\n", lockstep_difference::kind::protocol);
    // Until the simulation stops, it continues with a word of the lowest lane.
    const auto lane = static_cast<unsigned>(__builtin_ctz(left()));
    got = {true, half_warp().address[lane], 32, static_cast<std::uint16_t>(1u << lane), false, false};
    if (half_warp().separate)
      got.bytes = half_warp().word_bytes;
    else
      got.address &= ~(got.bytes - 1);
  }
  served(got.lanes);
  segments.segment[next] = {got.address, static_cast<std::uint16_t>(got.bytes), got.lanes, got.in_sequence};
  segments.count = left() == 0 ? next + 1 : next + 2;
}

lockstep_coalescer::lockstep_coalescer(const tlm_bus::clock_domain& uncore, rtl::coalescer_rule rule,
                                       std::unique_ptr<rtl::coalescer_pins> pins,
                                       std::vector<lockstep_comparison> of_sms)
    : watched_coalescer(uncore, rule, std::move(pins), std::move(of_sms)) {
  for (lockstep_comparison& one : comparisons()) one.add_port("coalescer.transaction");
}

void lockstep_coalescer::next(segment_list& segments, unsigned next) {
  const memory_segment& segment = segments.segment[next];
  const transaction expected{true,
                             segment.address,
                             segment.bytes,
                             static_cast<std::uint16_t>(segment.lanes),
                             segment.in_sequence,
                             next + 1 == segments.count};
  const transaction got = answer();
  comparison().answered(0);
  if (!(got == expected))
    differs("RTL and model differ", next, "  model: " + text_of(expected) + "\n  RTL:   " + text_of(got) + "\n",
            lockstep_difference::kind::answers);
  served(expected.lanes);
}

std::unique_ptr<watched_coalescer> make_watched_coalescer(const tlm_bus::clock_domain& uncore,
                                                          const tlm_bus::clock_domain& core,
                                                          const config::tpc_config& config, unsigned tpc,
                                                          unsigned sms) {
  const config::coalescer_config& coalescer = config.memory.coalescer;
  if (coalescer.model == config::model_kind::systemc) return nullptr;
  bool concerned = false;
  std::vector<lockstep_comparison> comparisons;
  for (unsigned sm = tpc * sms; sm < (tpc + 1) * sms; ++sm) {
    concerned = concerned || config.sm.rtl.concerns(sm);
    comparisons.emplace_back(core, uncore, config.sm.rtl, sm);
  }
  if (!concerned) return nullptr;
  const rtl::coalescer_rule rule = rule_of(coalescer.rule);
  const watched_coalescer::maker make = [rule, description = coalescer.rtl] {
    return rtl::make_coalescer(rule, description);
  };
  std::unique_ptr<watched_coalescer> made;
  if (coalescer.model == config::model_kind::rtl)
    made = std::make_unique<rtl_coalescer>(uncore, rule, make(), std::move(comparisons));
  else
    made = std::make_unique<lockstep_coalescer>(uncore, rule, make(), std::move(comparisons));
  made->made_by(make);
  if (config.sm.rtl.free_running()) made->run_freely();
  return made;
}

}  // namespace gt200::model
