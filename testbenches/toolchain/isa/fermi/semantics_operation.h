// An sm_20 instruction as a function of numbers, for the tests of the semantics.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

#include "toolchain/isa/common/lane_bundle.h"
#include "toolchain/isa/fermi/codec.h"

namespace gt200::isa::fermi {

class operation {
 public:
  explicit operation(const std::string& text) {
    std::string label;
    decode_error error;
    const auto parsed = parse(text, 0, label, error);
    if (!parsed) throw std::runtime_error(text + ": " + error.reason);
    if (parsed->execute == nullptr) throw std::runtime_error(text + ": no semantics");
    instruction_ = *parsed;
    std::memset(&bundle, 0, sizeof bundle);
    std::memset(bundle.predicate_in, 1, sizeof bundle.predicate_in);
    if (instruction_.predicate_source[2].negate) std::memset(bundle.predicate_in[2], 0, warp_size);
    for (std::size_t k = 0; k < 3; ++k) {
      const operand& o = instruction_.source[k];
      if (o.kind != operand_kind::immediate) continue;
      const bool high = o.form == immediate_form::high && o.words == 2;
      set_source(k, high ? std::uint64_t{static_cast<std::uint32_t>(o.value)} << 32
                         : static_cast<std::uint64_t>(std::int64_t{o.value}));
    }
  }

  // The result as 64 bits; the upper half is zero if the destination is one register.
  std::uint64_t operator()(std::uint64_t x, std::uint64_t y = 0, std::uint64_t z = 0, unsigned flags_in = 0) {
    const std::array<std::uint64_t, 3> values = {x, y, z};
    for (std::size_t k = 0; k < 3; ++k)
      if (instruction_.source[k].kind != operand_kind::immediate) set_source(k, values[k]);
    bundle.flags_in[lane] = static_cast<std::uint8_t>(flags_in);
    instruction_.execute(instruction_, bundle, ~lane_mask{0});
    std::uint64_t result = bundle.destination[0].lane[lane];
    if (instruction_.destination.words == 2) result |= std::uint64_t{bundle.destination[1].lane[lane]} << 32;
    return result;
  }
  unsigned flags() const { return bundle.flags_out[lane]; }
  bool predicate(unsigned number = 0) const { return bundle.predicate_out[number][lane] != 0; }
  void set_predicate(unsigned number, bool value) { bundle.predicate_in[number][lane] = value ? 1 : 0; }

  lane_bundle bundle;

 private:
  static constexpr unsigned lane = 13;
  void set_source(std::size_t source, std::uint64_t value) {
    bundle.source[source][0].lane[lane] = static_cast<std::uint32_t>(value);
    bundle.source[source][1].lane[lane] = static_cast<std::uint32_t>(value >> 32);
  }
  instruction instruction_;
};

inline std::uint64_t result_of(const std::string& text, std::uint64_t x, std::uint64_t y = 0, std::uint64_t z = 0,
                               unsigned flags_in = 0) {
  return operation(text)(x, y, z, flags_in);
}

}  // namespace gt200::isa::fermi
