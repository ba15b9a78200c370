#include "toolchain/cubin/elf_info.h"

#include <fmt/format.h>

#include <algorithm>

#include "toolchain/cubin/elf_format.h"
#include "toolchain/cubin/limits.h"

namespace gt200::cubin {
namespace {

struct numbered_parameter {
  std::uint32_t ordinal = 0;
  parameter value;
  std::uint64_t place = 0;  // in the file
};

// The order of the records does not matter: compilers write the last parameter first.
std::vector<parameter> in_order(std::vector<numbered_parameter> found, const elf_file& file) {
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.ordinal < b.ordinal; });
  std::vector<parameter> result;
  for (const numbered_parameter& p : found) {
    if (p.ordinal != result.size())
      file.fail(p.place, fmt::format("parameter {} follows after {} others", p.ordinal, result.size()));
    if (p.value.offset > max_parameter_bytes || p.value.size > max_parameter_bytes - p.value.offset)
      file.fail(p.place, fmt::format("parameter {} has {} bytes from {}, all together have at most {}", p.ordinal,
                                     p.value.size, p.value.offset, max_parameter_bytes));
    result.push_back(p.value);
  }
  return result;
}

}  // namespace

elf_info read_elf_info(const elf_file& file, const elf_section& section) {
  const std::string_view bytes = file.content(section);
  elf_info result;
  std::vector<numbered_parameter> found;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::uint64_t place = section.offset + at;
    if (bytes.size() - at < 4) file.fail(place, fmt::format("'{}' ends within a record", section.name));
    const auto format = static_cast<std::uint8_t>(bytes[at]);
    const auto attribute = static_cast<std::uint8_t>(bytes[at + 1]);
    const auto value = static_cast<std::uint32_t>(little_endian_at(bytes, at + 2, 2));
    at += 4;
    switch (format) {
      case elf::format_none:
      case elf::format_byte: break;
      case elf::format_half:
        if (attribute == elf::attribute_shared_parameters) result.parameter_bytes = value;
        break;
      case elf::format_sized: {
        if (value > bytes.size() - at)
          file.fail(place, fmt::format("a record of {} bytes leaves '{}'", value, section.name));
        if (attribute == elf::attribute_parameter && value == 12) {
          numbered_parameter p;
          p.place = place;
          p.ordinal = static_cast<std::uint32_t>(little_endian_at(bytes, at + 4, 2));
          p.value.offset = static_cast<std::uint32_t>(little_endian_at(bytes, at + 6, 2));
          p.value.size =
              static_cast<std::uint32_t>(little_endian_at(bytes, at + 8, 4)) >> elf::parameter_size_shift;
          found.push_back(p);
        }
        if (attribute == elf::attribute_image_slot && value == 8)
          result.textures.push_back({static_cast<std::uint32_t>(little_endian_at(bytes, at, 4)),
                                     static_cast<std::uint32_t>(little_endian_at(bytes, at + 4, 4))});
        at += value;
        break;
      }
      default: file.fail(place, fmt::format("'{}' has a record of unknown format {}", section.name, format));
    }
  }
  if (result.parameter_bytes > max_parameter_bytes)
    file.fail(section.offset, fmt::format("'{}' says {} bytes of parameters, at most {} are possible", section.name,
                                          result.parameter_bytes, max_parameter_bytes));
  result.parameters = in_order(std::move(found), file);
  for (const parameter& p : result.parameters)
    result.parameter_bytes = std::max(result.parameter_bytes, p.offset + p.size);
  return result;
}

void append_number(std::string& bytes, std::uint64_t value, unsigned size) {
  for (unsigned i = 0; i < size; ++i) bytes.push_back(static_cast<char>(value >> (8 * i) & 0xff));
}

std::string write_parameters_info(const std::vector<parameter>& parameters) {
  std::string bytes;
  if (parameters.empty()) return bytes;
  std::uint32_t total = 0;
  for (const parameter& p : parameters) total = std::max(total, p.offset + p.size);
  append_number(bytes, elf::format_half, 1);
  append_number(bytes, elf::attribute_shared_parameters, 1);
  append_number(bytes, total, 2);
  for (std::size_t i = parameters.size(); i-- > 0;) {
    append_number(bytes, elf::format_sized, 1);
    append_number(bytes, elf::attribute_parameter, 1);
    append_number(bytes, 12, 2);
    append_number(bytes, 0, 4);
    append_number(bytes, i, 2);
    append_number(bytes, parameters[i].offset, 2);
    append_number(bytes, elf::parameter_in_shared | parameters[i].size << elf::parameter_size_shift, 4);
  }
  return bytes;
}

std::string write_textures_info(const std::vector<texture_slot>& textures) {
  std::string bytes;
  for (const texture_slot& t : textures) {
    append_number(bytes, elf::format_sized, 1);
    append_number(bytes, elf::attribute_image_slot, 1);
    append_number(bytes, 8, 2);
    append_number(bytes, t.symbol, 4);
    append_number(bytes, t.unit, 4);
  }
  return bytes;
}

}  // namespace gt200::cubin
