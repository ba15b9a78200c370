// cvt: conversions between integer and float formats, and neg / abs / rounding to integral values.
//
// Second word: bits 31:30 direction (integer or float on each side), 27 destination signed (or round to integral),
// 26 destination of 32 bits, 22 a 64-bit side, 19 saturate (or 8-bit destination), 16:14 source type.
#include "toolchain/isa/tesla/row_elements.h"

namespace gt200::isa::tesla {
namespace {

constexpr std::uint32_t primary = 0xa0000000;
constexpr std::uint32_t signed_to = 0x08000000;
constexpr std::uint32_t word_to = 0x04000000;
constexpr std::uint32_t long_side = 0x00400000;
constexpr std::uint32_t byte_to = 0x00080000;
constexpr std::uint32_t source_word = 0x00004000;
constexpr std::uint32_t source_signed = 0x00010000;

// One side of a conversion.
struct side {
  const char* name;
  data_type type;
  width size;
  bool is_signed;
  std::uint32_t bits;
};
constexpr side f16 = {"f16", data_type::u16, width::half, false, 0};
constexpr side f32 = {"f32", data_type::b32, width::word, false, 0};
constexpr side f64 = {"f64", data_type::b64, width::pair, false, 0};

// Integer sources, bits 16:14. A byte comes from a half or from a whole register.
constexpr std::array<side, 8> integer_sources = {{
    {"u16", data_type::u16, width::half, false, 0x00000},
    {"u32", data_type::b32, width::word, false, 0x04000},
    {"u8", data_type::u8, width::half, false, 0x08000},
    {"u8", data_type::u8, width::word, false, 0x0c000},
    {"s16", data_type::s16, width::half, true, 0x10000},
    {"s32", data_type::b32, width::word, true, 0x14000},
    {"s8", data_type::s8, width::half, true, 0x18000},
    {"s8", data_type::s8, width::word, true, 0x1c000},
}};

constexpr std::uint32_t direction(cvt_kind kind) {
  switch (kind) {
    case cvt_kind::i2i: return 0;
    case cvt_kind::i2f: return 0x40000000;
    case cvt_kind::f2i: return 0x80000000;
    case cvt_kind::f2f: return 0xc0000000;
  }
  return 0;
}

enum class rounding_words : std::uint8_t { none, plain, integral };

struct conversion {
  cvt_kind kind;
  std::uint32_t bits;  // second word without direction
  std::uint32_t mask;  // in addition to direction, bits 26 and 22
  rounding_words round;
  bool can_saturate;
  side to;
  side from;
};

class convert_rows {
 public:
  explicit convert_rows(std::vector<row>& rows) : rows_(rows) {}

  void add(const conversion& c) {
    const bool f64_side = c.to.type == data_type::b64 || c.from.type == data_type::b64;
    element_list e = {
        fixed<&instruction::cvt>(c.kind),
        fixed<&instruction::source_type>(c.from.type),
        fixed<&instruction::destination_type>(c.to.type),
        fixed<&instruction::is_signed>(c.to.is_signed),
        fixed_source_sign<0>(c.from.is_signed),
        fixed<&instruction::integral_round>(c.kind == cvt_kind::f2f && c.round == rounding_words::integral),
        source_flag<0, &operand::negate>(61, "neg"),
        source_flag<0, &operand::absolute>(52, "abs")};
    if (c.can_saturate) e.push_back(flag<&instruction::saturate>(51, "sat"));
    constexpr bit_field round = {49, 2};
    if (c.round == rounding_words::none) {
      e.push_back(ignored(round));
    } else {
      const auto target =
          c.round == rounding_words::plain ? rounding_target::same_format : rounding_target::integer;
      e.push_back(choice<&instruction::round>(round, rounding_names(target)));
    }
    e.push_back(word(c.to.name));
    e.push_back(condition_to());
    e.push_back(to(c.to.size));
    e.push_back(word(c.from.name));
    // A byte in a whole register and a 64-bit value cannot come from memory.
    const bool register_only =
        (c.from.size == width::word && c.from.type != data_type::b32) || c.from.size == width::pair;
    e.push_back(register_only ? from(0, field_1, c.from.size) : first(c.from.size));
    rows_.push_back({"cvt",
                     opcode::cvt,
                     encoding_format::long_,
                     {primary, direction(c.kind) | c.bits},
                     {0xf0000000, 0xc0000000 | word_to | long_side | c.mask},
                     f64_side ? unit_class::dp : unit_class::sp,
                     static_cast<std::uint8_t>(f64_side ? 13 : 10),
                     std::move(e)});
  }

 private:
  std::vector<row>& rows_;
};

void append_float_to_float(convert_rows& rows) {
  using r = rounding_words;
  constexpr auto kind = cvt_kind::f2f;
  constexpr std::uint32_t m = signed_to | source_word;  // bit 27: round to integral
  rows.add({kind, 0, m, r::none, true, f16, f16});
  rows.add({kind, signed_to, m, r::integral, true, f16, f16});
  rows.add({kind, source_word, m, r::plain, true, f16, f32});
  rows.add({kind, source_word | signed_to, m, r::integral, true, f16, f32});
  rows.add({kind, word_to | source_word, m, r::none, true, f32, f32});
  rows.add({kind, word_to | source_word | signed_to, m, r::integral, true, f32, f32});
  rows.add({kind, word_to, m, r::none, true, f32, f16});
  rows.add({kind, word_to | signed_to, m, r::integral, true, f32, f16});
  rows.add({kind, long_side | source_word, source_word, r::plain, false, f32, f64});
  rows.add({kind, long_side | word_to | source_word, m, r::none, false, f64, f64});
  rows.add({kind, long_side | word_to | source_word | signed_to, m, r::integral, false, f64, f64});
  rows.add({kind, long_side | word_to, source_word, r::none, false, f64, f32});
}

void append_float_to_integer(convert_rows& rows) {
  constexpr auto kind = cvt_kind::f2i;
  constexpr auto r = rounding_words::integral;
  constexpr std::uint32_t m = signed_to | source_word;
  for (const bool is_signed : {false, true}) {
    const std::uint32_t sign = is_signed ? signed_to : 0;
    const side to16 = {is_signed ? "s16" : "u16", is_signed ? data_type::s16 : data_type::u16, width::half,
                       is_signed, 0};
    const side to32 = {is_signed ? "s32" : "u32", data_type::b32, width::word, is_signed, 0};
    const side to64 = {is_signed ? "s64" : "u64", data_type::b64, width::pair, is_signed, 0};
    rows.add({kind, sign, m, r, false, to16, f16});
    rows.add({kind, sign | source_word, m, r, false, to16, f32});
    rows.add({kind, sign | word_to, m, r, false, to32, f16});
    rows.add({kind, sign | word_to | source_word, m, r, false, to32, f32});
    rows.add({kind, sign | long_side | source_word, m, r, false, to32, f64});
    rows.add({kind, sign | long_side | word_to, m, r, false, to64, f32});
    rows.add({kind, sign | long_side | word_to | source_word, m, r, false, to64, f64});
  }
}

void append_integer_to_float(convert_rows& rows) {
  constexpr auto kind = cvt_kind::i2f;
  constexpr auto r = rounding_words::plain;
  for (const side& source : integer_sources) {
    rows.add({kind, source.bits, 0x0001c000, r, true, f16, source});
    rows.add({kind, source.bits | word_to, 0x0001c000, r, true, f32, source});
  }
  for (const bool is_signed : {false, true}) {
    const std::uint32_t sign = is_signed ? source_signed : 0;
    const side from32 = {is_signed ? "s32" : "u32", data_type::b32, width::word, is_signed, 0};
    const side from64 = {is_signed ? "s64" : "u64", data_type::b64, width::pair, is_signed, 0};
    constexpr std::uint32_t m = source_signed | source_word;
    rows.add({kind, sign | long_side | word_to, m, r, true, f64, from32});
    rows.add({kind, sign | long_side | source_word, m, r, true, f32, from64});
    rows.add({kind, sign | long_side | word_to | source_word, m, r, true, f64, from64});
  }
}

void append_integer_to_integer(convert_rows& rows) {
  constexpr std::array<side, 8> targets = {{
      {"u16", data_type::u16, width::half, false, 0},
      {"u8", data_type::u8, width::half, false, byte_to},
      {"u32", data_type::b32, width::word, false, word_to},
      {"u8", data_type::u8, width::word, false, word_to | byte_to},
      {"s16", data_type::s16, width::half, true, signed_to},
      {"s8", data_type::s8, width::half, true, signed_to | byte_to},
      {"s32", data_type::b32, width::word, true, signed_to | word_to},
      {"s8", data_type::s8, width::word, true, signed_to | word_to | byte_to},
  }};
  for (const side& target : targets) {
    for (const side& source : integer_sources) {
      rows.add({cvt_kind::i2i, target.bits | source.bits, signed_to | byte_to | 0x0001c000, rounding_words::none,
                false, target, source});
    }
  }
}

}  // namespace

void append_convert_rows(std::vector<row>& rows) {
  convert_rows converts(rows);
  append_float_to_float(converts);
  append_float_to_integer(converts);
  append_integer_to_float(converts);
  append_integer_to_integer(converts);
}

}  // namespace gt200::isa::tesla
