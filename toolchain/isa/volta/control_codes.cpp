#include "toolchain/isa/volta/control_codes.h"

namespace gt200::isa::volta {
namespace {

constexpr std::string_view form = "[B------:R-:W-:-:S00]";

char barrier_digit(std::uint8_t barrier) {
  return barrier == control_codes::no_barrier ? '-' : static_cast<char>('0' + barrier);
}

bool parse_barrier(char digit, std::uint8_t& barrier) {
  if (digit == '-') return true;
  if (digit < '0' || digit >= static_cast<char>('0' + dependency_barriers)) return false;
  barrier = static_cast<std::uint8_t>(digit - '0');
  return true;
}

}  // namespace

control_codes decode_control(std::uint32_t bits) {
  control_codes c;
  c.stall_cycles = bits & 15;
  c.yield = (bits >> 4 & 1) == 0;
  c.write_barrier = bits >> 5 & 7;
  c.read_barrier = bits >> 8 & 7;
  c.wait_mask = bits >> 11 & 63;
  c.reuse = bits >> 17 & 15;
  return c;
}

std::uint32_t encode_control(const control_codes& c) {
  return (c.stall_cycles & 15u) | (c.yield ? 0u : 1u) << 4 | (c.write_barrier & 7u) << 5 |
         (c.read_barrier & 7u) << 8 | (c.wait_mask & 63u) << 11 | (c.reuse & 15u) << 17;
}

bool is_defined(const control_codes& c) {
  const auto exists = [](std::uint8_t b) { return b < dependency_barriers || b == control_codes::no_barrier; };
  return exists(c.write_barrier) && exists(c.read_barrier);
}

std::string control_text(const control_codes& c) {
  std::string text(form);
  for (unsigned b = 0; b < dependency_barriers; ++b)
    if ((c.wait_mask >> b & 1) != 0) text[2 + b] = static_cast<char>('0' + b);
  text[10] = barrier_digit(c.read_barrier);
  text[13] = barrier_digit(c.write_barrier);
  if (c.yield) text[15] = 'Y';
  text[18] = static_cast<char>('0' + c.stall_cycles / 10);
  text[19] = static_cast<char>('0' + c.stall_cycles % 10);
  return text;
}

std::optional<control_codes> parse_control(std::string_view text, std::string& reason) {
  const auto fail = [&](std::string why) {
    reason =
        "control codes '" + std::string(text) + "': " + std::move(why) + "; their form is " + std::string(form);
    return std::nullopt;
  };
  if (text.size() != form.size()) return fail("they have " + std::to_string(form.size()) + " characters");
  control_codes c;
  for (const std::size_t fixed : {0, 1, 8, 9, 11, 12, 14, 16, 17, 20})
    if (text[fixed] != form[fixed])
      return fail("'" + std::string(1, form[fixed]) + "' expected instead of '" + std::string(1, text[fixed]) +
                  "'");
  for (unsigned b = 0; b < dependency_barriers; ++b) {
    if (text[2 + b] == '-') continue;
    if (text[2 + b] != static_cast<char>('0' + b))
      return fail("place " + std::to_string(b) + " behind B is " + std::to_string(b) + " or -");
    c.wait_mask = static_cast<std::uint8_t>(c.wait_mask | 1u << b);
  }
  if (!parse_barrier(text[10], c.read_barrier)) return fail("behind R stands 0 to 5 or -");
  if (!parse_barrier(text[13], c.write_barrier)) return fail("behind W stands 0 to 5 or -");
  if (text[15] != 'Y' && text[15] != '-')
    return fail("Y or - expected instead of '" + std::string(1, text[15]) + "'");
  c.yield = text[15] == 'Y';
  const auto is_digit = [](char d) { return d >= '0' && d <= '9'; };
  const int stall = 10 * (text[18] - '0') + (text[19] - '0');
  if (!is_digit(text[18]) || !is_digit(text[19]) || stall > max_stall_cycles)
    return fail("behind S stand two digits, 00 to 15");
  c.stall_cycles = static_cast<std::uint8_t>(stall);
  return c;
}

}  // namespace gt200::isa::volta
