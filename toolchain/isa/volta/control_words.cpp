#include "toolchain/isa/volta/control_words.h"

namespace gt200::isa::volta {
namespace {

struct kepler_form {
  unsigned first_bit;
  std::uint64_t mask;
  std::uint64_t value;
};
constexpr kepler_form sm_30_form = {4, 0xf00000000000000f, 0x2000000000000007};
constexpr kepler_form sm_35_form = {2, 0xfc00000000000003, 0x0800000000000000};

constexpr const kepler_form& form_of(unsigned sm) { return sm == 30 ? sm_30_form : sm_35_form; }

constexpr std::uint8_t dual_byte = 0x04;
constexpr std::uint8_t texture_byte = 0xc2;
constexpr std::uint8_t cycles_mask = 0x1f;

}  // namespace

std::array<control_codes, maxwell_group> decode_maxwell_word(std::uint64_t word) {
  std::array<control_codes, maxwell_group> codes;
  for (unsigned k = 0; k < maxwell_group; ++k)
    codes[k] = decode_control(static_cast<std::uint32_t>(word >> control_bits * k) & ((1u << control_bits) - 1));
  return codes;
}

std::uint64_t encode_maxwell_word(const std::array<control_codes, maxwell_group>& codes) {
  std::uint64_t word = 0;
  for (unsigned k = 0; k < maxwell_group; ++k) word |= std::uint64_t{encode_control(codes[k])} << control_bits * k;
  return word;
}

kepler_code decode_kepler_code(std::uint8_t byte) {
  using kind = kepler_code::kind;
  const auto cycles = static_cast<std::uint8_t>((byte & cycles_mask) + 1);
  if (byte >> 5 == 1) return {kind::stall, cycles, byte};
  if (byte >> 5 == 2) return {kind::attribute_stall, cycles, byte};
  if (byte == dual_byte) return {kind::dual_issue, 0, byte};
  if (byte == 0) return {kind::none, 16, byte};
  if (byte == texture_byte) return {kind::texture_barrier, 0, byte};
  return {kind::unknown, 0, byte};
}

std::uint8_t encode_kepler_code(const kepler_code& code) {
  using kind = kepler_code::kind;
  const unsigned cycles = (code.cycles - 1u) & cycles_mask;
  switch (code.what) {
    case kind::stall: return static_cast<std::uint8_t>(0x20 | cycles);
    case kind::attribute_stall: return static_cast<std::uint8_t>(0x40 | cycles);
    case kind::dual_issue: return dual_byte;
    case kind::none: return 0;
    case kind::texture_barrier: return texture_byte;
    case kind::unknown: break;
  }
  return code.byte;
}

std::string kepler_text(const kepler_code& code) {
  using kind = kepler_code::kind;
  const auto digits = [&code] {
    return std::string(1, static_cast<char>('0' + code.cycles / 10)) + static_cast<char>('0' + code.cycles % 10);
  };
  switch (code.what) {
    case kind::stall: return "[S" + digits() + "]";
    case kind::attribute_stall: return "[attribute S" + digits() + "]";
    case kind::dual_issue: return "[dual]";
    case kind::none: return "[-]";
    case kind::texture_barrier: return "[texture barrier]";
    case kind::unknown: break;
  }
  const char* hex = "0123456789abcdef";
  return std::string("[0x") + hex[code.byte >> 4] + hex[code.byte & 15] + "]";
}

std::optional<std::array<kepler_code, kepler_group>> decode_kepler_word(std::uint64_t word, unsigned sm) {
  const kepler_form& form = form_of(sm);
  if ((word & form.mask) != form.value) return std::nullopt;
  std::array<kepler_code, kepler_group> codes;
  for (unsigned k = 0; k < kepler_group; ++k)
    codes[k] = decode_kepler_code(static_cast<std::uint8_t>(word >> (form.first_bit + 8 * k)));
  return codes;
}

std::uint64_t encode_kepler_word(const std::array<kepler_code, kepler_group>& codes, unsigned sm) {
  const kepler_form& form = form_of(sm);
  std::uint64_t word = form.value;
  for (unsigned k = 0; k < kepler_group; ++k)
    word |= std::uint64_t{encode_kepler_code(codes[k])} << (form.first_bit + 8 * k);
  return word;
}

}  // namespace gt200::isa::volta
