#include "toolchain/cubin/elf_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "toolchain/cubin/elf_format.h"
#include "toolchain/cubin/elf_info.h"
#include "toolchain/cubin/limits.h"
#include "toolchain/error.h"

namespace gt200::cubin {
namespace {

// The sizes of the parts of a file with 32 or 64 bits.
struct file_layout {
  unsigned word;
  std::uint32_t header_bytes;
  std::uint32_t section_header_bytes;
  std::uint32_t symbol_bytes;
};
constexpr file_layout layout_32 = {4, 52, 40, 16};
constexpr file_layout layout_64 = {8, 64, 64, 24};

struct output_section {
  std::string name;
  std::uint32_t type = elf::progbits;
  std::uint32_t flags = 0;
  std::string bytes;
  std::uint32_t reserved = 0;  // size of a nobits section
  std::uint32_t link = 0;
  std::uint32_t info = 0;
  std::uint32_t alignment = 4;
  std::uint32_t entry_size = 0;
  std::uint32_t size() const { return type == elf::nobits ? reserved : static_cast<std::uint32_t>(bytes.size()); }
};

void pad(std::string& bytes, std::uint32_t alignment) {
  while (bytes.size() % alignment != 0) bytes.push_back('\0');
}

bool has_content(const std::vector<std::uint8_t>& bytes) {
  return std::any_of(bytes.begin(), bytes.end(), [](std::uint8_t b) { return b != 0; });
}

class elf_writer {
 public:
  explicit elf_writer(const module& source)
      : source_(source),
        sm_2x_(source.capability >= fermi.first_sm),
        layout_(sm_2x_ && source.address_bytes == 8 ? layout_64 : layout_32) {}

  std::string run() {
    add_section({});  // index 0 stays empty
    names_ = add_section({".shstrtab", elf::string_table, 0, {}, 0, 0, 0, 1, 0});
    strings_ = add_section({".strtab", elf::string_table, 0, std::string(1, '\0'), 0, 0, 0, 1, 0});
    symbols_ = add_section({".symtab", elf::symbol_table, 0, {}, 0, strings_, 2, 4, layout_.symbol_bytes});
    add_symbol({}, 0, 0, 0, 0, 0);
    add_symbol(source_.name, elf::symbol_file, 0, elf::section_absolute, 0, 0);  // the last local one
    add_variables();
    add_constants({}, source_.constants);
    add_relocations();
    for (const kernel& k : source_.kernels) add_kernel(k);
    add_module_info();
    if (sections_.size() >= elf::section_first_reserved)
      throw input_error(source_.source_file, 0, "too many kernels for an ELF file");
    return assemble();
  }

 private:
  std::uint32_t add_section(output_section section) {
    sections_.push_back(std::move(section));
    return static_cast<std::uint32_t>(sections_.size() - 1);
  }

  std::uint32_t add_symbol(const std::string& name, std::uint8_t type, std::uint8_t binding, std::uint32_t section,
                           std::uint32_t value, std::uint32_t size) {
    std::string& strings = sections_[strings_].bytes;
    std::string& table = sections_[symbols_].bytes;
    append_number(table, name.empty() ? 0 : strings.size(), 4);
    if (!name.empty()) strings.append(name).push_back('\0');
    const auto append_place = [&] {
      append_number(table, value, layout_.word);
      append_number(table, size, layout_.word);
    };
    if (layout_.word == 4) append_place();
    append_number(table, type | binding << 4, 1);
    append_number(table, 0, 1);
    append_number(table, section, 2);
    if (layout_.word == 8) append_place();
    return static_cast<std::uint32_t>(table.size() / layout_.symbol_bytes - 1);
  }

  // Variables with initial values go to .nv.global.init, the others to .nv.global.
  void add_variables() {
    for (const bool initialised : {false, true}) {
      output_section section;
      section.name = initialised ? ".nv.global.init" : ".nv.global";
      section.type = initialised ? elf::progbits : elf::nobits;
      section.flags = elf::flag_write | elf::flag_alloc;
      const auto index = static_cast<std::uint32_t>(sections_.size());
      std::uint32_t end = 0;
      bool has_variables = false;
      for (const global_variable& variable : source_.globals) {
        if (has_content(variable.data) != initialised) continue;
        has_variables = true;
        end = (end + variable.alignment - 1) / variable.alignment * variable.alignment;
        section.alignment = std::max(section.alignment, variable.alignment);
        variables_[variable.name] =
            add_symbol(variable.name, elf::symbol_object, elf::binding_global, index, end, variable.size);
        if (initialised) {
          section.bytes.resize(end, '\0');
          section.bytes.append(variable.data.begin(), variable.data.end());
        }
        end += variable.size;
      }
      if (initialised)
        section.bytes.resize(end, '\0');
      else
        section.reserved = end;
      if (has_variables) add_section(std::move(section));  // also of variables without bytes
    }
  }

  // One section per space; `kernel` is empty for the module's own constants. Named segments become objects.
  void add_constants(const std::string& kernel, const std::vector<constant_segment>& segments,
                     std::uint32_t code_section = 0) {
    std::map<std::uint8_t, output_section> spaces;
    for (const constant_segment& segment : segments) {
      std::string& bytes = spaces[segment.space].bytes;
      bytes.resize(std::max<std::size_t>(bytes.size(), segment.offset + segment.size), '\0');
      std::copy(segment.data.begin(), segment.data.end(), bytes.begin() + segment.offset);
    }
    for (auto& [space, section] : spaces) {
      section.name = fmt::format(".nv.constant{}{}{}", space, kernel.empty() ? "" : ".", kernel);
      section.flags = elf::flag_alloc;
      section.info = code_section;
      const std::uint32_t index = add_section(std::move(section));
      for (const constant_segment& segment : segments)
        if (segment.space == space && !segment.name.empty())
          add_symbol(segment.name, elf::symbol_object, elf::binding_global, index, segment.offset, segment.size);
    }
  }

  void add_relocations() {
    std::map<std::uint8_t, std::pair<std::uint32_t, std::string>> spaces;  // size of the section, entries
    for (const relocation& entry : source_.relocations) {
      auto& [size, entries] = spaces[entry.space];
      size = std::max(size, entry.offset + layout_.word);
      const auto known = variables_.find(entry.name);
      const std::uint32_t symbol = known != variables_.end()
                                       ? known->second
                                       : add_symbol(entry.name, elf::symbol_none, elf::binding_global, 0, 0, 0);
      append_number(entries, entry.offset, layout_.word);
      if (layout_.word == 4)
        append_number(entries, symbol << 8 | elf::relocation_address_32, 4);
      else
        append_number(entries, std::uint64_t{symbol} << 32 | elf::relocation_address_64, 8);
    }
    for (auto& [space, content] : spaces) {
      const std::string name = fmt::format(".nv.constant{}", space);
      const std::uint32_t index =
          add_section({name, elf::progbits, elf::flag_alloc, std::string(content.first, '\0'), 0, 0, 0, 4, 0});
      add_section(
          {".rel" + name, elf::relocations, 0, std::move(content.second), 0, symbols_, index, 4, 2 * layout_.word});
    }
  }

  void add_kernel(const kernel& k) {
    output_section code;
    code.name = ".text." + k.name;
    const bool counts = source_.capability >= fermi.first_sm;
    const std::uint32_t mask = counts ? elf::barriers_mask_sm_2x : elf::barriers_mask_sm_1x;
    code.flags = elf::flag_alloc | elf::flag_code | (k.barriers & mask) << elf::barriers_shift;
    code.link = symbols_;
    for (const std::uint32_t word : k.code) append_number(code.bytes, word, 4);
    const auto index = static_cast<std::uint32_t>(sections_.size());
    const auto size = static_cast<std::uint32_t>(code.bytes.size());
    const std::uint32_t symbol = add_symbol(k.name, elf::symbol_function, elf::binding_global, index, 0, size);
    code.info = k.registers << elf::registers_shift | symbol;
    add_section(std::move(code));
    const std::string info = (sm_2x_ ? write_constant_parameters_info(k.parameters, k.parameter_base, symbol)
                                     : write_parameters_info(k.parameters)) +
                             write_block_info(k);
    if (!info.empty()) add_section({".nv.info." + k.name, elf::cuda_info, 0, info, 0, symbols_, index, 4, 0});
    if (sm_2x_) {
      std::uint32_t end = k.parameter_base;
      for (const parameter& p : k.parameters) end = std::max(end, k.parameter_base + p.offset + p.size);
      add_section(
          {".nv.constant0." + k.name, elf::progbits, elf::flag_alloc, std::string(end, '\0'), 0, 0, index, 4, 0});
      if (k.local_bytes != 0) stacks_.push_back({symbol, k.local_bytes});
    }
    const std::uint32_t data_flags = elf::flag_write | elf::flag_alloc;
    add_section({".nv.shared." + k.name, elf::nobits, data_flags, {}, k.shared_bytes, 0, index, 4, 0});
    if (k.local_bytes != 0 && !sm_2x_)
      add_section({".nv.local." + k.name, elf::nobits, data_flags, {}, k.local_bytes, 0, index, 4, 0});
    add_constants(k.name, k.constants, index);
  }

  void add_module_info() {
    std::vector<texture_slot> slots;
    for (const sampler& s : source_.samplers)
      slots.push_back({add_symbol(s.name, elf::symbol_texture, elf::binding_global, elf::section_undefined, 0, 0),
                       s.texture_unit});
    const std::string info = write_stacks_info(stacks_) + write_textures_info(slots);
    if (!info.empty()) add_section({".nv.info", elf::cuda_info, 0, info, 0, symbols_, 0, 4, 0});
  }

  std::string header(std::uint32_t section_headers) const {
    std::string bytes = elf::magic;
    const bool wide = layout_.word == 8;
    for (const std::uint8_t value :
         {wide ? elf::class_64 : elf::class_32, elf::little_endian, elf::version, elf::os_abi_cuda})
      append_number(bytes, value, 1);
    if (sm_2x_)
      append_number(bytes, source_.capability >= volta.first_sm ? elf::abi_version_sm_7x : elf::abi_version_sm_2x,
                    1);
    bytes.resize(16, '\0');
    const std::uint32_t generation_flags = sm_2x_ ? elf::flag_sm_2x | (wide ? elf::flag_address_64 : 0) : 0;
    append_number(bytes, elf::type_executable, 2);
    append_number(bytes, elf::machine_cuda, 2);
    append_number(bytes, elf::version, 4);
    append_number(bytes, 0, layout_.word);  // entry point
    append_number(bytes, 0, layout_.word);  // program headers
    append_number(bytes, section_headers, layout_.word);
    append_number(bytes, source_.capability | source_.capability << elf::ptx_sm_shift | generation_flags, 4);
    append_number(bytes, layout_.header_bytes, 2);
    append_number(bytes, 0, 2);
    append_number(bytes, 0, 2);
    append_number(bytes, layout_.section_header_bytes, 2);
    append_number(bytes, sections_.size(), 2);
    append_number(bytes, names_, 2);
    return bytes;
  }

  // Writes header, contents in the order of the sections, section headers.
  std::string assemble() {
    std::vector<std::uint32_t> name_offsets;
    for (const output_section& section : sections_) {
      name_offsets.push_back(static_cast<std::uint32_t>(sections_[names_].bytes.size()));
      sections_[names_].bytes.append(section.name).push_back('\0');
    }
    std::string contents;
    std::string headers;
    for (std::size_t i = 0; i < sections_.size(); ++i) {
      const output_section& section = sections_[i];
      if (section.type != elf::nobits) pad(contents, 4);
      const bool is_null = i == 0;
      const std::size_t offset = is_null ? 0 : layout_.header_bytes + contents.size();
      append_number(headers, name_offsets[i], 4);
      append_number(headers, is_null ? 0 : section.type, 4);
      for (const std::size_t field :
           {std::size_t{section.flags}, std::size_t{0}, offset, std::size_t{section.size()}})
        append_number(headers, field, layout_.word);
      append_number(headers, section.link, 4);
      append_number(headers, section.info, 4);
      append_number(headers, is_null ? 0 : section.alignment, layout_.word);
      append_number(headers, section.entry_size, layout_.word);
      contents += section.bytes;
    }
    pad(contents, 4);
    return header(static_cast<std::uint32_t>(layout_.header_bytes + contents.size())) + contents + headers;
  }

  const module& source_;
  bool sm_2x_;
  file_layout layout_;
  std::vector<stack_need> stacks_;
  std::vector<output_section> sections_;
  std::uint32_t names_ = 0;
  std::uint32_t strings_ = 0;
  std::uint32_t symbols_ = 0;
  std::map<std::string, std::uint32_t> variables_;  // symbols
};

}  // namespace

void write_elf_cubin(const module& source, std::ostream& out) { out << elf_writer(source).run(); }

}  // namespace gt200::cubin
