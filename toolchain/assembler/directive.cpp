#include "toolchain/assembler/directive.h"

#include <fmt/format.h>

#include <algorithm>

#include "toolchain/assembler/data_values.h"
#include "toolchain/cubin/limits.h"
#include "toolchain/error.h"

namespace gt200::assembler {
namespace {

constexpr std::uint32_t align_up(std::uint32_t value, std::uint32_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

}  // namespace

directive::directive(const source_text& line, const std::string& file, const symbol_table& symbols)
    : words_(split_words(line.text)), line_(line.number), file_(file), symbols_(symbols) {}

void directive::fail(const std::string& reason) const { throw input_error(file_, line_, name() + ": " + reason); }

std::string directive::take(const std::string& item) {
  if (at_end()) fail("missing " + item);
  return words_[position_++];
}

std::string directive::take_identifier(const std::string& item) {
  std::string word = take(item);
  if (!is_identifier(word)) fail(fmt::format("'{}' is not a name", word));
  return word;
}

std::int64_t directive::take_number(const std::string& item, std::int64_t min, std::int64_t max) {
  const std::string word = take(item);
  auto value = parse_integer(word);
  // parse_integer() takes 64 bits without a sign, too.
  if (value && *value != 0 && (*value < 0) != (word[0] == '-'))
    fail(fmt::format("{} is {}, allowed are {} to {}", item, word, min, max));
  if (!value) value = symbols_.find(word, "");
  if (!value) fail(fmt::format("'{}' is neither a number nor a constant", word));
  if (*value < min || *value > max) fail(fmt::format("{} is {}, allowed are {} to {}", item, *value, min, max));
  return *value;
}

std::optional<std::uint32_t> directive::take_at(std::uint32_t max) {
  if (at_end() || words_[position_] != "at") return std::nullopt;
  ++position_;
  return static_cast<std::uint32_t>(take_number("offset", 0, max));
}

directive::contents directive::take_contents(std::uint32_t max_bytes) {
  contents result;
  if (at_end()) fail("missing size or initial values");
  const auto element = size_of_type(words_[position_]);
  if (!element) {
    result.size = static_cast<std::uint32_t>(take_number("size", 1, max_bytes));
    return result;
  }
  const std::string type = take("type");
  do {
    const std::string value = take("value");
    if (!append_value(type, value, result.data)) fail(fmt::format("'{}' is no value of type {}", value, type));
    if (result.data.size() > max_bytes) fail(fmt::format("more than {} bytes", max_bytes));
  } while (!at_end());
  result.size = static_cast<std::uint32_t>(result.data.size());
  result.alignment = *element;
  return result;
}

cubin::constant_segment directive::take_segment(std::uint8_t space, std::uint32_t& end) {
  cubin::constant_segment segment;
  segment.space = space;
  segment.name = take_identifier("name");
  const auto offset = take_at(cubin::constant_space_bytes - 1);
  contents content = take_contents(cubin::constant_space_bytes);
  segment.offset = offset ? *offset : align_up(end, content.alignment);
  segment.size = content.size;
  segment.data = std::move(content.data);
  if (segment.offset + segment.size > cubin::constant_space_bytes)
    fail(fmt::format("'{}' ends beyond the {} bytes of c{}", segment.name, cubin::constant_space_bytes, space));
  end = std::max(end, segment.offset + segment.size);
  return segment;
}

void directive::finish() {
  if (!at_end()) fail(fmt::format("unexpected '{}'", words_[position_]));
}

}  // namespace gt200::assembler
