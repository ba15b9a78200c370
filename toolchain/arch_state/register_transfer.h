// The values of registers on their way between a register file and the stages that use them: which registers
// (isa::register_transfer), and the rows that hold their values.
#pragma once

#include <cstdint>
#include <type_traits>

#include "toolchain/isa/common/instruction.h"
#include "toolchain/isa/common/lane_bundle.h"

namespace gt200::arch_state {

// Byte: std::uint8_t if the values are the answer of a read, const std::uint8_t if they are to be written. The list
// and the rows must outlive it.
template <class Byte>
class register_transfers {
  using memory = std::conditional_t<std::is_const_v<Byte>, const void, void>;

 public:
  register_transfers() = default;
  // Places of the transfers count from `rows` on.
  register_transfers(const isa::register_transfer* first, unsigned count, memory* rows)
      : first_(first), count_(count), rows_(static_cast<Byte*>(rows)) {}

  bool empty() const { return count_ == 0; }
  unsigned size() const { return count_; }
  const isa::register_transfer* begin() const { return first_; }
  const isa::register_transfer* end() const { return first_ + count_; }
  const isa::register_transfer& operator[](unsigned i) const { return first_[i]; }

  // The rows of transfer `t`. T: isa::lane_words for general registers, std::uint8_t for predicates, std::uint16_t
  // for address registers, perhaps const.
  template <class T>
  T* row(const isa::register_transfer& t) const {
    return reinterpret_cast<T*>(rows_ + t.place);
  }

 private:
  const isa::register_transfer* first_ = nullptr;
  unsigned count_ = 0;
  Byte* rows_ = nullptr;
};

using register_reads = register_transfers<std::uint8_t>;
using register_writes = register_transfers<const std::uint8_t>;

// The registers that the instruction reads or writes, with the places in its bundle.
inline register_reads operands_of(const isa::instruction& i, isa::lane_bundle& values) {
  return {i.operands.data(), i.operand_count, &values};
}
inline register_writes results_of(const isa::instruction& i, const isa::lane_bundle& values) {
  return {i.results.data(), i.result_count, &values};
}

}  // namespace gt200::arch_state
