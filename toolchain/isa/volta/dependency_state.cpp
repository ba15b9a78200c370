#include "toolchain/isa/volta/dependency_state.h"

#include <algorithm>

namespace gt200::isa::volta {
namespace {

constexpr unsigned cycles_of_stall_0_with_yield = 45;

std::uint8_t bit_of(std::uint8_t barrier) {
  return barrier == control_codes::no_barrier ? no_dependency_barrier : static_cast<std::uint8_t>(1u << barrier);
}

}  // namespace

dependency_state::dependency_state() {
  for (pending_result& p : of) p.since.fill(pending_result::long_ago);
}

void dependency_state::merge(const dependency_state& other) {
  for (unsigned r = 0; r < resource_count; ++r) {
    for (unsigned c = 0; c < result_classes; ++c) of[r].since[c] = std::min(of[r].since[c], other.of[r].since[c]);
    of[r].writing |= other.of[r].writing;
    of[r].reading |= other.of[r].reading;
  }
}

void dependency_state::wait(std::uint8_t barriers) {
  for (pending_result& p : of) {
    p.writing &= static_cast<std::uint8_t>(~barriers);
    p.reading &= static_cast<std::uint8_t>(~barriers);
  }
}

void dependency_state::pass(unsigned cycles) {
  for (pending_result& p : of)
    for (std::uint8_t& since : p.since)
      since = static_cast<std::uint8_t>(std::min<unsigned>(since + cycles, pending_result::long_ago));
}

unsigned dependency_state::cycles_short(unsigned resource, reader_class reader, bool as_guard) const {
  unsigned missing = 0;
  for (unsigned c = 0; c < result_classes; ++c) {
    const auto writer = static_cast<result_class>(c);
    const unsigned needed =
        resource < max_gpr ? register_latency(writer, reader) : predicate_latency(writer, reader, as_guard);
    if (of[resource].since[c] < needed) missing = std::max<unsigned>(missing, needed - of[resource].since[c]);
  }
  return missing;
}

void dependency_state::issue(const instruction& i) {
  const bool always = i.guard.index == true_predicate && !i.guard.negate;
  for_each_write(i, [&](unsigned resource, unsigned word) {
    pending_result& p = of[resource];
    if (always) p.since.fill(pending_result::long_ago);
    const result_class c = result_class_of(i, word);
    if (c == result_class::varies)
      p.writing = bit_of(i.codes.write_barrier);
    else
      p.since[static_cast<unsigned>(c)] = 0;
  });
  if (!has_variable_latency(i)) return;
  // It reads its predicates when it reads its registers. The end of an instruction is the end of its reading, too.
  const std::uint8_t reading =
      bit_of(i.codes.read_barrier != control_codes::no_barrier ? i.codes.read_barrier : i.codes.write_barrier);
  for_each_read(i, [&](unsigned resource, reader_class, bool) { of[resource].reading |= reading; });
}

unsigned issue_cycles(const control_codes& codes) {
  return codes.stall_cycles == 0 && codes.yield ? cycles_of_stall_0_with_yield : codes.stall_cycles;
}

}  // namespace gt200::isa::volta
