#include "toolchain/isa/fermi/opcode_table.h"

#include <array>

namespace gt200::isa::fermi {
namespace {

// Bits 59..63 and 0..2 select the rows to try.
constexpr std::uint64_t bucket_mask = mask_5;
constexpr std::size_t bucket_count = 256;
using bucket_list = std::array<std::vector<const row*>, bucket_count>;

constexpr std::size_t bucket_of(std::uint64_t words) { return words >> 59 << 3 | (words & 7); }
constexpr std::uint64_t bits_of_bucket(std::size_t bucket) {
  return std::uint64_t{bucket} >> 3 << 59 | (bucket & 7);
}

std::vector<row> build_table() {
  std::vector<row> rows;
  append_float_rows(rows);
  append_double_rows(rows);
  append_integer_rows(rows);
  append_convert_rows(rows);
  append_move_rows(rows);
  append_video_rows(rows);
  append_memory_rows(rows);
  append_atomic_rows(rows);
  append_control_rows(rows);
  append_long_rows(rows);
  return rows;
}

bucket_list build_buckets() {
  bucket_list buckets;
  for (const row& r : opcode_table())
    for (std::size_t bucket = 0; bucket < bucket_count; ++bucket)
      if (((bits_of_bucket(bucket) ^ r.value) & r.mask & bucket_mask) == 0) buckets[bucket].push_back(&r);
  return buckets;
}

}  // namespace

const std::vector<row>& opcode_table() {
  static const std::vector<row> table = build_table();
  return table;
}

const row* find_row(std::uint64_t words) {
  static const bucket_list buckets = build_buckets();
  for (const row* r : buckets[bucket_of(words)])
    if (((words ^ r->value) & r->mask) == 0) return r;
  return nullptr;
}

}  // namespace gt200::isa::fermi
