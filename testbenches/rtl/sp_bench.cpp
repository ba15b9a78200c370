#include "testbenches/rtl/sp_bench.h"

#include <fmt/format.h>

#include "toolchain/isa/tesla/codec.h"

namespace gt200::support {
namespace {

std::string text_of(const rtl::sp_results& has, const rtl::lane_result& r) {
  std::string text;
  if (has.value) text += fmt::format(" value {:08x}", r.destination);
  if (has.flags) text += fmt::format(" flags {:x}", r.flags_out);
  if (has.address) text += fmt::format(" address {:04x}", r.address_out);
  return text;
}

}  // namespace

sp_bench::sp_bench(std::unique_ptr<rtl::sp_pins> pins, std::uint64_t seed)
    : pins_(std::move(pins)),
      random_(seed),
      instructions_(random_),
      pipeline_(pins_->depth()),
      recent_(pins_->depth() / isa::warp_size + 2) {}

void sp_bench::take(const isa::tesla::instruction& instruction) {
  current_ = (current_ + 1) % recent_.size();
  recent_[current_] = {instruction, rtl::control_of(instruction), rtl::results_of(instruction)};
  coverage_.cover_instruction(recent_[current_].control);
}

std::optional<std::string> sp_bench::compare(const expected& model) const {
  const rtl::lane_result* const rtl = pins_->result();
  if (!model.there) {
    if (rtl == nullptr) return std::nullopt;
    return fmt::format("cycle {}: the RTL has a result of no operation\n", cycle_);
  }
  const known_instruction& known = recent_[model.instruction];
  const rtl::sp_results& has = known.results;
  // A result that the instruction does not have is 0; flags are there in any case.
  const bool same = rtl != nullptr && rtl->destination == (has.value ? model.result.destination : 0) &&
                    (!has.flags || rtl->flags_out == model.result.flags_out) &&
                    rtl->address_out == (has.address ? model.result.address_out : 0);
  if (same) return std::nullopt;
  const rtl::lane_operands& o = model.operands;
  return fmt::format(
      "operation {}: {}\n  x {:08x} y {:08x} z {:08x} flags {:x} address {:04x}\n  model:{}\n  RTL:  {}\n",
      model.number, isa::text_of(known.instruction), o.source[0], o.source[1], o.source[2], o.flags_in,
      o.address_in, text_of(has, model.result), rtl != nullptr ? text_of({true, has.flags, true}, *rtl) : " no result");
}

// Ends the cycle and looks at the result of the next one.
std::optional<std::string> sp_bench::edge() {
  pins_->edge();
  ++cycle_;
  expected& due = pipeline_[cycle_ % pipeline_.size()];
  auto difference = compare(due);
  if (due.there) --in_flight_;
  due.there = false;
  return difference;
}

std::optional<std::string> sp_bench::drain() {
  while (!empty())
    if (auto difference = edge()) return difference;
  return std::nullopt;
}

std::optional<std::string> sp_bench::run_bundle(isa::lane_bundle& bundle) {
  const known_instruction& known = recent_[current_];
  known.instruction.execute(known.instruction, bundle, ~isa::lane_mask{0});
  const std::uint64_t gaps = random_() & random_() & random_();
  for (unsigned lane = 0; lane < isa::warp_size; ++lane) {
    if (empty()) ++halts_;
    if ((gaps >> lane & 1) != 0) {
      ++gaps_;
      if (auto difference = edge()) return difference;
    }
    if ((gaps >> lane >> 26) == 0x3f) {
      if (auto difference = drain()) return difference;
    }
    expected& slot = pipeline_[cycle_ % pipeline_.size()];
    slot.there = true;
    slot.number = operations_++;
    slot.instruction = current_;
    slot.operands = operands_of(bundle, lane);
    slot.result = {bundle.destination[0].lane[lane], bundle.flags_out[lane], bundle.address_out[lane]};
    coverage_.cover_lane(known.control, known.results, slot.operands, slot.result);
    pins_->start(known.control, slot.operands);
    if (++in_flight_ == pipeline_.size()) ++full_;
    if (auto difference = edge()) return difference;
  }
  return std::nullopt;
}

std::optional<std::string> sp_bench::run(std::uint64_t operations) {
  isa::lane_bundle bundle{};
  for (const std::uint64_t end = operations_ + operations; operations_ < end;) {
    take(instructions_.draw());
    draw_operands(recent_[current_].instruction, bundle, random_);
    if (auto difference = run_bundle(bundle)) return difference;
  }
  return drain();
}

std::optional<std::string> sp_bench::run_special_values() {
  const auto& values = special_values();
  isa::lane_bundle bundle{};
  for (const isa::tesla::instruction& i : instructions_.of_every_control(400)) {
    const bool one_source = i.source[1].kind == isa::tesla::operand_kind::none;
    const std::size_t total = one_source ? values.size() : values.size() * values.size();
    for (std::size_t n = 0; n < total;) {
      for (unsigned lane = 0; lane < isa::warp_size; ++lane, ++n) {
        const std::size_t x = n % values.size(), y = n / values.size() % values.size();
        bundle.source[0][0].lane[lane] = values[x];
        bundle.source[1][0].lane[lane] = values[y];
        bundle.source[2][0].lane[lane] = values[(x + 7 * y + lane) % values.size()];
        bundle.flags_in[lane] = static_cast<std::uint8_t>(n & 0xf);
        bundle.address_in[lane] = static_cast<std::uint16_t>(values[(x + 3 * y) % values.size()]);
      }
      take(i);
      apply_immediates(i, bundle);
      if (auto difference = run_bundle(bundle)) return difference;
    }
  }
  return drain();
}

const std::map<std::string, std::uint64_t> sp_bench::bins() const {
  std::map<std::string, std::uint64_t> result = coverage_.bins();
  result["pipeline: an operation follows a gap"] = gaps_;
  result["pipeline: an operation in every stage"] = full_;
  result["pipeline: an operation starts in the empty pipeline"] = halts_;
  return result;
}

}  // namespace gt200::support
