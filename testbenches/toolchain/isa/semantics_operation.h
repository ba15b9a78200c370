// An instruction as a function of numbers, for the tests of the semantics.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

#include "toolchain/isa/tesla/codec.h"
#include "toolchain/isa/tesla/semantics/semantics.h"

namespace gt200::isa::tesla {

struct outcome {
  std::uint64_t value = 0;
  unsigned flags = 0;
  bool operator==(const outcome& o) const { return value == o.value && flags == o.flags; }
};

inline std::ostream& operator<<(std::ostream& s, const outcome& o) {
  return s << std::hex << o.value << " $c " << o.flags << std::dec;
}

// Deterministic random numbers (xorshift64).
class random_words {
 public:
  explicit random_words(std::uint64_t start) : state_(start) {}
  std::uint64_t wide() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_;
  }
  std::uint32_t word() { return static_cast<std::uint32_t>(wide() >> 16); }
  std::uint32_t below(std::uint32_t limit) { return word() % limit; }

 private:
  std::uint64_t state_;
};

class operation {
 public:
  explicit operation(const std::string& text) : text_(text) {
    std::string label;
    decode_error error;
    const auto parsed = parse(text, label, error);
    if (!parsed) throw std::runtime_error(text + ": " + error.reason);
    if (parsed->execute == nullptr) throw std::runtime_error(text + ": no semantics");
    instruction_ = *parsed;
    std::memset(&bundle, 0, sizeof bundle);
    // Puts immediates into the bundle as the operand collector does.
    for (std::size_t k = 0; k < 3; ++k) {
      if (instruction_.source[k].kind != operand_kind::immediate) continue;
      for (auto& lane : bundle.source[k][0].lane) lane = static_cast<std::uint32_t>(instruction_.source[k].value);
    }
  }

  void set_source(std::size_t source, int lane, std::uint64_t value) {
    bundle.source[source][0].lane[lane] = static_cast<std::uint32_t>(value);
    bundle.source[source][1].lane[lane] = static_cast<std::uint32_t>(value >> 32);
  }
  void run(lane_mask mask = ~lane_mask{0}) { instruction_.execute(instruction_, bundle, mask); }
  outcome result(int lane) const {
    outcome o;
    o.value = bundle.destination[0].lane[lane];
    const operand& d = instruction_.destination;
    if (d.type == data_type::b64) o.value |= std::uint64_t{bundle.destination[1].lane[lane]} << 32;
    if (instruction_.writes_condition) o.flags = bundle.flags_out[lane];
    return o;
  }

  // One set of operands among others: the neighbours must not matter.
  outcome operator()(std::uint64_t x, std::uint64_t y = 0, std::uint64_t z = 0, unsigned flags_in = 0) {
    for (int lane = 0; lane < warp_size; ++lane) {
      for (std::size_t s = 0; s < 3; ++s) {
        if (instruction_.source[s].kind != operand_kind::immediate) set_source(s, lane, 0x3f8000003f800000u);
      }
    }
    constexpr int lane = 13;
    const std::array<std::uint64_t, 3> values = {x, y, z};
    for (std::size_t s = 0; s < 3; ++s) {
      if (instruction_.source[s].kind != operand_kind::immediate) set_source(s, lane, values[s]);
    }
    bundle.flags_in[lane] = static_cast<std::uint8_t>(flags_in);
    run();
    return result(lane);
  }

  const instruction& decoded() const { return instruction_; }
  const std::string& text() const { return text_; }
  lane_bundle bundle;

 private:
  std::string text_;
  instruction instruction_;
};

}  // namespace gt200::isa::tesla
