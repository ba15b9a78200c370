#include "testbenches/system/checked/random_operation.h"

#include <algorithm>
#include <stdexcept>

#include "testbenches/system/checked/test_textures.h"
#include "testbenches/toolchain/isa/random_encodings.h"

namespace gt200::support {
namespace {

using isa::tesla::operand;
using isa::tesla::operand_kind;

// A random walk through the legal encodings of a row.
isa::tesla::instruction random_encoding(const isa::tesla::row& row, std::mt19937_64& random) {
  const unsigned bits = isa::tesla::is_short(row.format) ? 32 : 64;
  const std::uint64_t fixed =
      isa::tesla::joined(row.mask) | 3 | std::uint64_t{3} << 32;  // the format, exit and join
  std::uint64_t words = isa::tesla::plain_words(row);
  auto result = isa::tesla::decoded(words);
  if (!result) throw std::logic_error(std::string("a row without a plain encoding: ") + row.mnemonic);
  for (unsigned attempt = 0; attempt < 32; ++attempt) {
    std::uint64_t next = words;
    for (std::uint64_t flips = 1 + random() % 3; flips != 0; --flips)
      next ^= (std::uint64_t{1} << (random() % bits)) & ~fixed;
    const auto i = isa::tesla::decoded(next);
    if (!i) continue;
    words = next;
    result = i;
  }
  return *result;
}

std::int32_t aligned_offset(unsigned bytes, unsigned size, std::mt19937_64& random) {
  return static_cast<std::int32_t>(random() % (bytes / size) * size);
}

class bounded {
 public:
  bounded(const operand_bounds& bounds, const isa::tesla::row& row, std::mt19937_64& random)
      : bounds_(bounds), random_(random) {
    // Offsets of s[] operands are in units of the access: up to 16 or 32, more for the dedicated loads and stores.
    const bool dedicated = row.op == isa::tesla::opcode::ld_shared || row.op == isa::tesla::opcode::st_shared;
    stores_shared_ = row.op == isa::tesla::opcode::st_shared;
    shared_units_ = dedicated ? bounds.readable_bytes : row.format == isa::tesla::encoding_format::long_ ? 32 : 16;
  }

  unsigned data_register(unsigned words) {
    const unsigned step = words == 3 ? 4 : words;
    return bounds_.first_register + static_cast<unsigned>(random_() % (bounds_.registers / step)) * step;
  }
  void restrict(operand& o) {
    const auto size = static_cast<unsigned>(isa::bytes_of(o.type));
    // Without $a, a store would overwrite the parameters and the words of other threads.
    const bool indexed = o.address_register != 0 || (stores_shared_ && o.kind == operand_kind::shared);
    if (indexed) o.address_register = static_cast<std::uint8_t>(bounds_.address_register);
    switch (o.kind) {
      case operand_kind::gpr:
        o.index = static_cast<std::uint8_t>(data_register(static_cast<unsigned>(isa::words_of(o.type))));
        return;
      case operand_kind::global:
        o.index = 14;
        o.base = static_cast<std::uint8_t>(bounds_.base_register);
        return;
      case operand_kind::shared:
        return place(o, std::min(indexed ? bounds_.slot_bytes : bounds_.readable_bytes, shared_units_ * size),
                     size);
      case operand_kind::constant: o.index = 1; return place(o, bounds_.constant_bytes, size);
      case operand_kind::local: return place(o, bounds_.local_bytes, size);
      default: return;
    }
  }

 private:
  void place(operand& o, unsigned bytes, unsigned size) {
    // A post-increment does not affect this access.
    o.value = aligned_offset(o.post_increment ? 4 * size : bytes, size, random_);
  }

  const operand_bounds& bounds_;
  std::mt19937_64& random_;
  unsigned shared_units_;
  bool stores_shared_;
};

}  // namespace

isa::tesla::instruction random_operation(const isa::tesla::row& row, const operand_bounds& bounds,
                                         std::mt19937_64& random) {
  isa::tesla::instruction i = random_encoding(row, random);
  if (random() % 3 != 0) i.condition = 0xf;
  bounded within(bounds, row, random);
  within.restrict(i.destination);
  for (operand& o : i.source) within.restrict(o);
  if (i.op == isa::tesla::opcode::tex || i.op == isa::tesla::opcode::texfetch) {
    i.destination.index = static_cast<std::uint8_t>(within.data_register(4));
    const unsigned first = i.op == isa::tesla::opcode::tex ? linear_test_texture + 1 : 0;
    i.texture_unit = static_cast<std::uint8_t>(first + random() % (test_texture_units - first));
    i.sampler_unit = 0;
  }
  // If the addend of a multiply-add has no field of its own, it is the destination.
  if (row.format != isa::tesla::encoding_format::long_ && i.source[2].kind == operand_kind::gpr)
    i.source[2].index = i.destination.index;
  const std::string text = isa::tesla::disassemble(i);
  std::string label;
  isa::tesla::decode_error error;
  const auto encoded = isa::tesla::parse(text, label, error);
  if (!encoded) throw std::logic_error(text + ": " + error.reason);
  return *encoded;
}

const operand* indexed_operand(const isa::tesla::instruction& i) {
  for (const operand& o : i.source) {
    const bool in_memory =
        o.kind == operand_kind::shared || o.kind == operand_kind::constant || o.kind == operand_kind::local;
    if (in_memory && o.address_register != 0) return &o;
  }
  return nullptr;
}

}  // namespace gt200::support
