// Integer multiply, multiply-add and sum of absolute differences.
#include "toolchain/isa/tesla/row_elements.h"

namespace gt200::isa::tesla {
namespace {

using f = encoding_format;
constexpr auto w = width::word;
constexpr auto h = width::half;
constexpr auto sp = unit_class::sp;

void append_mul_rows(std::vector<row>& rows) {
  const element constant = immediate(1, field_immediate_32);
  const element high = flag<&instruction::high>(46, "high");
  const element short_high = flag<&instruction::high>(8, "high");

  // 16 x 16 -> 32, each factor with its own sign.
  const element sign_1 = source_sign<0>(47, "s16", "u16");
  const element sign_2 = source_sign<1>(46, "s16", "u16");
  const element short_sign_1 = source_sign<0>(15, "s16", "u16");
  const element short_sign_2 = source_sign<1>(8, "s16", "u16");
  rows.push_back({"mul",
                  opcode::mul,
                  f::short_,
                  {0x40000000, 0},
                  {0xf0400000, 0},
                  sp,
                  10,
                  {short_to(w), short_sign_1, short_first(h), short_sign_2, short_second(h)}});
  rows.push_back({"mul",
                  opcode::mul,
                  f::long_,
                  {0x40000000, 0},
                  {0xf0000000, 0xe0010000},
                  sp,
                  10,
                  {condition_to(), to(w), sign_1, first(h), sign_2, second(h)}});
  rows.push_back({"mul",
                  opcode::mul,
                  f::immediate,
                  {0x40000000, 0},
                  {0xf0400000, 0},
                  sp,
                  10,
                  {short_to(w), short_sign_1, short_first(h), short_sign_2, constant}});

  // 24 x 24, low or high 32 bits of the 48-bit product; one sign for both factors.
  element signs = flag<&instruction::is_signed>(47, "s24", "u24");
  element short_signs = flag<&instruction::is_signed>(15, "s24", "u24");
  for (element* e : {&signs, &short_signs}) {
    e->set = [](instruction& i, std::uint32_t v) {
      i.is_signed = i.source_signed[0] = i.source_signed[1] = v != 0;
    };
  }
  rows.push_back({"mul",
                  opcode::mul24,
                  f::short_,
                  {0x40400000, 0},
                  {0xf0400000, 0},
                  sp,
                  10,
                  {short_to(w), short_high, short_signs, short_first(w), short_second(w)}});
  rows.push_back({"mul",
                  opcode::mul24,
                  f::long_,
                  {0x40000000, 0x00010000},
                  {0xf0000000, 0xe0010000},
                  sp,
                  10,
                  {condition_to(), to(w), high, signs, first(w), second(w)}});
  rows.push_back({"mul",
                  opcode::mul24,
                  f::immediate,
                  {0x40400000, 0},
                  {0xf0400000, 0},
                  sp,
                  10,
                  {short_to(w), short_high, short_signs, short_first(w), constant}});
}

void append_sad_rows(std::vector<row>& rows) {
  const element bits_16 = fixed<&instruction::is_16bit>(true);
  const element bits_32 = fixed<&instruction::is_16bit>(false);
  const auto sign = [](std::uint8_t bit, const char* s, const char* u) {
    return flag<&instruction::is_signed>(bit, s, u);
  };
  const element short_addend = from(2, short_field_destination);
  rows.push_back({"sad",
                  opcode::sad,
                  f::short_,
                  {0x50000000, 0},
                  {0xf0008000, 0},
                  sp,
                  10,
                  {bits_16, short_to(w), sign(8, "s16", "u16"), from(0, short_field_1, h),
                   from(1, short_field_2, h), short_addend}});
  rows.push_back({"sad",
                  opcode::sad,
                  f::short_,
                  {0x50008000, 0},
                  {0xf0008000, 0},
                  sp,
                  10,
                  {bits_32, short_to(w), sign(8, "s32", "u32"), from(0, short_field_1), from(1, short_field_2),
                   short_addend}});
  rows.push_back({"sad",
                  opcode::sad,
                  f::long_,
                  {0x50000000, 0},
                  {0xf0000000, 0xe4000000},
                  sp,
                  10,
                  {bits_16, condition_to(), to(w), sign(59, "s16", "u16"), first(h), second(h), third(2, w)}});
  rows.push_back({"sad",
                  opcode::sad,
                  f::long_,
                  {0x50000000, 0x04000000},
                  {0xf0000000, 0xe4000000},
                  sp,
                  10,
                  {bits_32, condition_to(), to(w), sign(59, "s32", "u32"), first(w), second(w), third(2, w)}});
}

struct addend {
  const char* mnemonic;
  addend_mode mode;
  std::uint32_t short_bits;  // first word
  std::uint32_t long_bits;   // second word
};
constexpr std::array<addend, 4> addends = {{{"add", addend_mode::add, 0, 0},
                                            {"sub", addend_mode::sub, 0x00400000, 0x04000000},
                                            {"subr", addend_mode::subr, 0x10000000, 0x08000000},
                                            {"addc", addend_mode::addc, 0x10400000, 0x0c000000}}};

struct product {
  opcode op;
  bool is_signed;
  bool saturate;
  bool high;
  const char* type;
  std::uint32_t first_word;  // long form
  std::uint32_t second_word;
  width size() const { return op == opcode::mad ? h : w; }
};
constexpr std::array<product, 9> products = {{
    {opcode::mad, false, false, false, "u16", 0x60000000, 0x00000000},
    {opcode::mad, true, false, false, "s16", 0x60000000, 0x20000000},
    {opcode::mad, true, true, false, "s16", 0x60000000, 0x40000000},
    {opcode::mad24, false, false, false, "u24", 0x60000000, 0x60000000},
    {opcode::mad24, true, false, false, "s24", 0x60000000, 0x80000000},
    {opcode::mad24, true, true, false, "s24", 0x60000000, 0xa0000000},
    {opcode::mad24, false, false, true, "u24", 0x60000000, 0xc0000000},
    {opcode::mad24, true, false, true, "s24", 0x60000000, 0xe0000000},
    {opcode::mad24, true, true, true, "s24", 0x70000000, 0x00000000},
}};
// The short and immediate forms know the first four only; bits 15 and 8 select among them.
constexpr std::array<std::uint32_t, 4> short_product_bits = {0, 0x100, 0x8000, 0x8100};

void append_mad_rows(std::vector<row>& rows) {
  const element open = word("(");
  const element mul = word("mul");
  const element close = word(")");
  for (const addend& a : addends) {
    for (std::size_t k = 0; k < products.size(); ++k) {
      const product& p = products[k];
      const element_list head = {fixed<&instruction::addend>(a.mode), fixed<&instruction::is_signed>(p.is_signed),
                                 fixed_source_sign<0>(p.is_signed), fixed_source_sign<1>(p.is_signed),
                                 fixed<&instruction::saturate>(p.saturate, p.saturate ? "sat" : "")};
      const element high = fixed<&instruction::high>(p.high, p.high ? "high" : "");
      const element type = word(p.type);
      const auto add = [&](encoding_format format, std::uint32_t first_word, std::uint32_t first_mask,
                           std::uint32_t second_word, std::uint32_t second_mask, const element_list& tail) {
        element_list elements = head;
        elements.insert(elements.end(), tail.begin(), tail.end());
        rows.push_back({a.mnemonic,
                        p.op,
                        format,
                        {first_word, second_word},
                        {first_mask, second_mask},
                        sp,
                        10,
                        std::move(elements)});
      };
      if (k < short_product_bits.size()) {
        const std::uint32_t bits = 0x60000000 | a.short_bits | short_product_bits[k];
        const element addend_register = from(2, short_field_destination);
        add(f::short_, bits, 0xf0408100, 0, 0,
            {short_to(w), open, mul, high, type, short_first(p.size()), short_second(p.size()), close,
             addend_register, carry_in(false)});
        add(f::immediate, bits, 0xf0408100, 0, 0,
            {short_to(w), open, mul, high, type, short_first(p.size()), immediate(1, field_immediate_32), close,
             addend_register, carry_in(false)});
      }
      add(f::long_, p.first_word, 0xf0000000, p.second_word | a.long_bits, 0xec000000,
          {condition_to(), to(w), open, mul, high, type, first(p.size()), second(p.size()), close, third(2, w),
           carry_in()});
    }
  }
}

}  // namespace

void append_multiply_rows(std::vector<row>& rows) {
  append_mul_rows(rows);
  append_sad_rows(rows);
  append_mad_rows(rows);
}

}  // namespace gt200::isa::tesla
