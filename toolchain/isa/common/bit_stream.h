// The bits of an instruction, 64 or 128. The same calls read or write it, field by field.
//
// Every element of the opcode table describes its fields once, in calls of transfer(); the stream decides whether
// that decodes or encodes. The stream remembers which bits have a meaning (used()). So a decoder can refuse words
// with undefined bits set, and an encoder detects two operands that share a field but differ.
#pragma once

#include <cstdint>
#include <string>

namespace gt200::isa {

__extension__ typedef unsigned __int128 uint128;

// A field in one or two pieces, low piece first, of up to 32 bits together. Bits 0..31 are the first word, 32..63
// the second, and so on.
struct bit_field {
  std::uint8_t low = 0;
  std::uint8_t width = 0;
  std::uint8_t high_low = 0;
  std::uint8_t high_width = 0;
  constexpr unsigned total_width() const { return width + high_width; }
};

// `word`: an unsigned integer that holds the whole instruction.
template <class word>
class basic_bit_stream {
 public:
  static basic_bit_stream reader(word words) { return basic_bit_stream(words, true); }
  static basic_bit_stream writer() { return basic_bit_stream(0, false); }

  bool reading() const { return reading_; }
  bool ok() const { return error_.empty(); }
  const std::string& error() const { return error_; }
  word words() const { return words_; }
  word used() const { return used_; }

  // Reads the field into `value` or writes `value` into the field. `what` names the value in error messages.
  void transfer(std::uint32_t& value, bit_field field, const char* what);
  void transfer_signed(std::int32_t& value, bit_field field, const char* what);
  // Byte offsets: the field counts units of 1 << shift bytes.
  void transfer_offset(std::int32_t& value, bit_field field, unsigned shift, bool is_signed, const char* what);
  void transfer(bool& value, unsigned bit, const char* what);
  void transfer(std::uint8_t& value, bit_field field, const char* what);

  // Bits fixed by the opcode, and bits the hardware ignores (written as zero).
  void fix(word mask, word value);
  void ignore(bit_field field);

  // Records the first failure; later ones are ignored.
  void fail(std::string reason);

 private:
  basic_bit_stream(word words, bool reading) : words_(words), reading_(reading) {}
  void put(word mask, word value, const char* what);

  word words_;
  word used_ = 0;
  bool reading_;
  std::string error_;
};

extern template class basic_bit_stream<std::uint64_t>;
extern template class basic_bit_stream<uint128>;
using bit_stream = basic_bit_stream<std::uint64_t>;
using wide_bit_stream = basic_bit_stream<uint128>;

}  // namespace gt200::isa
