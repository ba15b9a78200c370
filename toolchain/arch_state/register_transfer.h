// The registers that an instruction reads and writes, with the places of their values: what a register file is
// asked for. A generation lists them; whoever owns the registers moves the values.
//
// Values are rows of 32 lanes: words of 32 bits for general registers, bytes for predicates, 16 bits for address
// registers.
#pragma once

#include <array>
#include <cstdint>

#include "toolchain/isa/common/instruction.h"
#include "toolchain/isa/common/lane_bundle.h"

namespace gt200::arch_state {

// Which part of a general register an instruction writes.
enum class register_part : std::uint8_t { whole, low, high };

// `count` registers from `first` on, in the rows from `to` on.
struct register_read {
  isa::register_file_kind file = isa::register_file_kind::gpr;
  std::uint8_t first = 0;
  std::uint8_t count = 1;  // 1 for predicates and address registers
  void* to = nullptr;      // isa::lane_words, 32 bytes, or 32 times 16 bits
};

struct register_write {
  isa::register_file_kind file = isa::register_file_kind::gpr;
  std::uint8_t first = 0;
  std::uint8_t count = 1;
  register_part part = register_part::whole;  // of a half, the value is in the low 16 bits of each word
  const void* from = nullptr;
};

// A list that needs no memory of its own.
template <class Item, unsigned max>
class transfer_list {
 public:
  void add(const Item& item) { items_[count_++] = item; }
  bool empty() const { return count_ == 0; }
  unsigned size() const { return count_; }
  const Item* begin() const { return items_.data(); }
  const Item* end() const { return items_.data() + count_; }
  const Item& operator[](unsigned i) const { return items_[i]; }

 private:
  unsigned count_ = 0;
  std::array<Item, max> items_;
};

// At most three sources, the registers of an address or of coordinates, a predicate and an address register.
using register_reads = transfer_list<register_read, 6>;
// Destination, predicate, address register, and an address register that is incremented after an access.
using register_writes = transfer_list<register_write, 4>;

// Fetches the values of these registers. A stage implements it with the port through which it reaches the
// registers.
class register_reader {
 public:
  virtual void read(const register_reads& registers) = 0;

 protected:
  ~register_reader() = default;
};

}  // namespace gt200::arch_state
