#include "toolchain/launch/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "toolchain/error.h"

namespace gt200::launch {
namespace {

constexpr std::string_view mark = "\x93NUMPY";
constexpr std::size_t alignment = 64;  // of the first element in the file

struct type_name {
  element_type type;
  std::string_view text;
};
constexpr type_name type_names[] = {
    {element_type::u8, "|u1"},  {element_type::s8, "|i1"},  {element_type::u16, "<u2"}, {element_type::s16, "<i2"},
    {element_type::u32, "<u4"}, {element_type::s32, "<i4"}, {element_type::u64, "<u8"}, {element_type::s64, "<i8"},
    {element_type::f32, "<f4"}, {element_type::f64, "<f8"},
};

[[noreturn]] void fail(const std::string& file, const std::string& reason) {
  throw input_error(file, 0, "not a NumPy file for a buffer: " + reason);
}

unsigned byte_at(std::string_view content, std::size_t at) { return static_cast<unsigned char>(content[at]); }

// The header, a dictionary in Python's syntax. Sets `end` to its first byte behind.
std::string_view header_of(std::string_view content, const std::string& file, std::size_t& end) {
  const std::size_t version_at = mark.size();
  const std::size_t length_at = version_at + 2;
  if (content.size() < length_at + 2) fail(file, "it ends within its header");
  const unsigned version = byte_at(content, version_at);
  if (version < 1 || version > 3) fail(file, fmt::format("its format version is {}", version));
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  if (content.size() < length_at + length_bytes) fail(file, "it ends within its header");
  std::size_t length = 0;
  for (std::size_t i = 0; i < length_bytes; ++i) length |= std::size_t{byte_at(content, length_at + i)} << (8 * i);
  const std::size_t begin = length_at + length_bytes;
  if (length > content.size() - begin) fail(file, "it ends within its header");
  end = begin + length;
  return content.substr(begin, length);
}

// The text that follows 'key': in the dictionary.
std::string_view value_of(std::string_view header, std::string_view key, const std::string& file) {
  const std::string quoted = fmt::format("'{}':", key);
  const std::size_t at = header.find(quoted);
  if (at == std::string_view::npos) fail(file, fmt::format("its header has no '{}'", key));
  if (header.find(quoted, at + 1) != std::string_view::npos)
    fail(file, fmt::format("its header has '{}' twice", key));
  std::string_view value = header.substr(at + quoted.size());
  value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
  return value;
}

element_type type_of(std::string_view header, const std::string& file) {
  const std::string_view value = value_of(header, "descr", file);
  if (value.empty() || value.front() != '\'') fail(file, "its elements are records");
  const std::string_view name = value.substr(1, value.find('\'', 1) - 1);
  for (const type_name& t : type_names)
    if (t.text == name || (size_of(t.type) == 1 && name.size() == 3 && name.substr(1) == t.text.substr(1)))
      return t.type;
  fail(file, fmt::format("its elements are '{}'; buffers have |u1 |i1 <u2 <i2 <u4 <i4 <u8 <i8 <f4 <f8", name));
}

std::vector<std::uint64_t> shape_of(std::string_view header, const std::string& file) {
  std::string_view value = value_of(header, "shape", file);
  const std::size_t close = value.find(')');
  if (value.empty() || value.front() != '(' || close == std::string_view::npos)
    fail(file, "its shape is unreadable");
  value = value.substr(1, close - 1);
  std::vector<std::uint64_t> shape;
  std::uint64_t room = std::numeric_limits<std::uint32_t>::max();  // elements; more do not fit into a device
  while (!value.empty()) {
    const std::size_t comma = std::min(value.find(','), value.size());
    std::string_view text = value.substr(0, comma);
    value.remove_prefix(std::min(comma + 1, value.size()));
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    if (text.empty()) continue;
    std::uint64_t extent = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), extent);
    if (error != std::errc() || end != text.data() + text.size()) fail(file, "its shape is unreadable");
    if (extent > room) fail(file, "it has more elements than a device has room for");
    if (extent != 0) room /= extent;
    shape.push_back(extent);
  }
  return shape;
}

}  // namespace

bool is_npy(std::string_view content) { return content.substr(0, mark.size()) == mark; }

npy_array read_npy(std::string_view content, const std::string& file) {
  if (!is_npy(content)) fail(file, "it does not begin as one");
  std::size_t end = 0;
  const std::string_view header = header_of(content, file, end);
  npy_array result;
  result.type = type_of(header, file);
  result.shape = shape_of(header, file);
  const bool by_columns = value_of(header, "fortran_order", file).substr(0, 4) == "True";
  if (by_columns && result.shape.size() > 1) fail(file, "its columns come before its rows (fortran_order)");
  result.bytes = content.substr(end);
  const std::uint64_t expected = result.count() * size_of(result.type);
  if (result.bytes.size() != expected)
    fail(file, fmt::format("it has {} bytes of elements, its header says {}", result.bytes.size(), expected));
  return result;
}

std::string to_npy(element_type type, const std::uint8_t* bytes, std::uint64_t count) {
  std::string_view name;
  for (const type_name& t : type_names)
    if (t.type == type) name = t.text;
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({},), }}", name, count);
  const std::size_t before = mark.size() + 4;  // with version and length
  const std::size_t all = (before + header.size() + 1 + alignment - 1) / alignment * alignment;
  header.append(all - before - header.size() - 1, ' ');
  header += '\n';
  std::string result(mark);
  result += {'\x01', '\x00', static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
  result += header;
  result.append(reinterpret_cast<const char*>(bytes), count * size_of(type));
  return result;
}

}  // namespace gt200::launch
