#include "toolchain/isa/tesla/opcode_table.h"

#include <array>

#include "toolchain/isa/tesla/row_elements.h"

namespace gt200::isa::tesla {
namespace {

constexpr std::size_t format_count = 6;
using bucket_list = std::array<std::vector<const row*>, format_count * 16>;

std::vector<row> build_table() {
  std::vector<row> rows;
  append_move_rows(rows);
  append_integer_rows(rows);
  append_multiply_rows(rows);
  append_float_rows(rows);
  append_double_rows(rows);
  append_convert_rows(rows);
  append_memory_rows(rows);
  append_texture_rows(rows);
  append_control_rows(rows);
  return rows;
}

std::size_t bucket_of(encoding_format format, unsigned primary) {
  return static_cast<std::size_t>(format) * 16 + primary;
}

// A row whose mask leaves bits of the primary opcode open is in several buckets.
bucket_list build_buckets() {
  bucket_list buckets;
  for (const row& r : opcode_table()) {
    for (unsigned primary = 0; primary < 16; ++primary) {
      const std::uint32_t bits = primary << 28;
      if (((bits ^ r.value[0]) & r.mask[0] & 0xf0000000) == 0) buckets[bucket_of(r.format, primary)].push_back(&r);
    }
  }
  return buckets;
}

}  // namespace

const std::vector<row>& opcode_table() {
  static const std::vector<row> table = build_table();
  return table;
}

const std::vector<const row*>& rows_of(encoding_format format, unsigned primary) {
  static const bucket_list buckets = build_buckets();
  return buckets[bucket_of(format, primary)];
}

}  // namespace gt200::isa::tesla
