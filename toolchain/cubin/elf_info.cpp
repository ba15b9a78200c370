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
std::vector<parameter> in_order(std::vector<numbered_parameter> found, const elf_file& file, std::uint32_t limit) {
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.ordinal < b.ordinal; });
  std::vector<parameter> result;
  for (const numbered_parameter& p : found) {
    if (p.ordinal != result.size())
      file.fail(p.place, fmt::format("parameter {} follows after {} others", p.ordinal, result.size()));
    if (p.value.offset > limit || p.value.size > limit - p.value.offset)
      file.fail(p.place, fmt::format("parameter {} has {} bytes from {}, all together have at most {}", p.ordinal,
                                     p.value.size, p.value.offset, limit));
    result.push_back(p.value);
  }
  return result;
}

}  // namespace

elf_info read_elf_info(const elf_file& file, const elf_section& section, const architecture& generation) {
  const std::uint32_t limit = generation.max_parameter_bytes;
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
        if (attribute == elf::attribute_shared_parameters || attribute == elf::attribute_constant_parameter_bytes)
          result.parameter_bytes = value;
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
        const auto number = [&](std::size_t offset, unsigned size) {
          return static_cast<std::uint32_t>(little_endian_at(bytes, at + offset, size));
        };
        if (attribute == elf::attribute_constant_parameters && value == 8) result.parameter_base = number(4, 2);
        if (attribute == elf::attribute_max_threads && value == 12)
          result.largest_block = {number(0, 4), number(4, 4), number(8, 4)};
        if (attribute == elf::attribute_required_threads && value == 12)
          result.required_block = {number(0, 4), number(4, 4), number(8, 4)};
        const bool is_stack = attribute == elf::attribute_frame_size || attribute == elf::attribute_stack_size;
        if (is_stack && value == 8) result.stacks.push_back({number(0, 4), number(4, 4)});
        at += value;
        break;
      }
      default: file.fail(place, fmt::format("'{}' has a record of unknown format {}", section.name, format));
    }
  }
  if (result.parameter_bytes > limit)
    file.fail(section.offset, fmt::format("'{}' says {} bytes of parameters, at most {} are possible", section.name,
                                          result.parameter_bytes, limit));
  result.parameters = in_order(std::move(found), file, limit);
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

std::string write_constant_parameters_info(const std::vector<parameter>& parameters, std::uint32_t base,
                                           std::uint32_t section) {
  std::string bytes;
  std::uint32_t total = 0;
  for (const parameter& p : parameters) total = std::max(total, p.offset + p.size);
  const auto start = [&bytes](std::uint8_t format, std::uint8_t attribute, std::uint32_t value) {
    append_number(bytes, format, 1);
    append_number(bytes, attribute, 1);
    append_number(bytes, value, 2);
  };
  start(elf::format_sized, elf::attribute_constant_parameters, 8);
  append_number(bytes, section, 4);
  append_number(bytes, base, 2);
  append_number(bytes, total, 2);
  start(elf::format_half, elf::attribute_constant_parameter_bytes, total);
  for (std::size_t i = parameters.size(); i-- > 0;) {
    start(elf::format_sized, elf::attribute_parameter, 12);
    append_number(bytes, 0xffffffff, 4);
    append_number(bytes, i, 2);
    append_number(bytes, parameters[i].offset, 2);
    append_number(bytes, elf::parameter_in_constants | parameters[i].size << elf::parameter_size_shift, 4);
  }
  return bytes;
}

std::string write_stacks_info(const std::vector<stack_need>& stacks) {
  std::string bytes;
  for (const stack_need& s : stacks)
    for (const std::uint8_t attribute : {elf::attribute_stack_size, elf::attribute_frame_size}) {
      append_number(bytes, elf::format_sized, 1);
      append_number(bytes, attribute, 1);
      append_number(bytes, 8, 2);
      append_number(bytes, s.symbol, 4);
      append_number(bytes, s.bytes, 4);
    }
  return bytes;
}

std::string write_block_info(const kernel& k) {
  std::string bytes;
  const auto write = [&](std::uint8_t attribute, const std::array<std::uint32_t, 3>& block) {
    if (block[0] == 0) return;
    append_number(bytes, elf::format_sized, 1);
    append_number(bytes, attribute, 1);
    append_number(bytes, 12, 2);
    for (const std::uint32_t size : block) append_number(bytes, size, 4);
  };
  write(elf::attribute_max_threads, k.largest_block);
  write(elf::attribute_required_threads, k.required_block);
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
