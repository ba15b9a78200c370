// The 64 bits of an instruction. The same calls read or write it, field by field.
//
// Every element of the opcode table describes its fields once, in calls of transfer(); the stream decides whether
// that decodes or encodes. The stream remembers which bits have a meaning (used()). So a decoder can refuse words
// with undefined bits set, and an encoder detects two operands that share a field but differ.
#pragma once

#include <cstdint>
#include <string>

namespace gt200::isa {

// A field in one or two pieces, low piece first. Bits 0..31 are the first word, 32..63 the second.
struct bit_field {
  std::uint8_t low = 0;
  std::uint8_t width = 0;
  std::uint8_t high_low = 0;
  std::uint8_t high_width = 0;
  constexpr unsigned total_width() const { return width + high_width; }
};

class bit_stream {
 public:
  static bit_stream reader(std::uint64_t words) { return bit_stream(words, true); }
  static bit_stream writer() { return bit_stream(0, false); }

  bool reading() const { return reading_; }
  bool ok() const { return error_.empty(); }
  const std::string& error() const { return error_; }
  std::uint64_t words() const { return words_; }
  std::uint64_t used() const { return used_; }

  // Reads the field into `value` or writes `value` into the field. `what` names the value in error messages.
  void transfer(std::uint32_t& value, bit_field field, const char* what);
  void transfer_signed(std::int32_t& value, bit_field field, const char* what);
  // Byte offsets: the field counts units of 1 << shift bytes.
  void transfer_offset(std::int32_t& value, bit_field field, unsigned shift, bool is_signed, const char* what);
  void transfer(bool& value, unsigned bit, const char* what);
  void transfer(std::uint8_t& value, bit_field field, const char* what);

  // Bits fixed by the opcode, and bits the hardware ignores (written as zero).
  void fix(std::uint64_t mask, std::uint64_t value);
  void ignore(bit_field field);

  // Records the first failure; later ones are ignored.
  void fail(std::string reason);

 private:
  bit_stream(std::uint64_t words, bool reading) : words_(words), reading_(reading) {}
  void put(std::uint64_t mask, std::uint64_t value, const char* what);

  std::uint64_t words_;
  std::uint64_t used_ = 0;
  bool reading_;
  std::string error_;
};

}  // namespace gt200::isa
