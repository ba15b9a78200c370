#include "toolchain/cubin/elf_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "toolchain/cubin/elf_file.h"
#include "toolchain/cubin/elf_format.h"
#include "toolchain/cubin/elf_info.h"
#include "toolchain/cubin/limits.h"

namespace gt200::cubin {
namespace {

// "rest" of "prefix" + "rest", when there is one.
std::optional<std::string_view> after(std::string_view text, std::string_view prefix) {
  if (text.substr(0, prefix.size()) != prefix) return std::nullopt;
  return text.substr(prefix.size());
}

// .nv.constant<space> or .nv.constant<space>.<kernel>
struct constant_name {
  std::uint8_t space = 0;
  std::string_view kernel;  // empty: of the module
};
std::optional<constant_name> parse_constant_name(std::string_view name, std::uint32_t constant_spaces) {
  const auto rest = after(name, ".nv.constant");
  if (!rest) return std::nullopt;
  unsigned space = 0;
  const auto [end, error] = std::from_chars(rest->data(), rest->data() + rest->size(), space);
  if (error != std::errc() || space >= constant_spaces) return std::nullopt;
  const std::string_view kernel = rest->substr(static_cast<std::size_t>(end - rest->data()));
  if (!kernel.empty() && (kernel[0] != '.' || kernel.size() == 1)) return std::nullopt;
  return constant_name{static_cast<std::uint8_t>(space), kernel.substr(kernel.empty() ? 0 : 1)};
}

std::vector<std::uint8_t> bytes_of(std::string_view content) {
  std::vector<std::uint8_t> bytes(content.begin(), content.end());
  if (std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t b) { return b == 0; })) bytes.clear();
  return bytes;
}

std::uint8_t abi_version_of(std::string_view bytes) {
  constexpr std::size_t at = 8;  // in e_ident
  return bytes.size() <= at ? std::uint8_t{0} : static_cast<std::uint8_t>(bytes[at]);
}

class elf_reader {
 public:
  elf_reader(std::string_view bytes, const std::string& file, const architecture& generation)
      : elf_(bytes, file), generation_(generation), abi_version_(abi_version_of(bytes)) {
    module_.source_file = file;
  }

  // False for a capability that no file here may have.
  static bool has_code(std::uint32_t sm) {
    const architecture& named = architecture_of_sm(sm);
    return sm >= named.first_sm && sm <= named.last_sm;
  }

  module read() {
    const std::uint32_t sm = elf::sm_of(elf_.flags(), abi_version_);
    if (sm < generation_.first_sm || sm > generation_.last_sm)
      elf_.fail(0,
                fmt::format("code for sm_{} is not supported, only {}", sm,
                            has_code(sm) ? fmt::format("sm_{} to sm_{}", generation_.first_sm, generation_.last_sm)
                                         : "sm_10 to sm_13, sm_20, sm_21 and sm_70"));
    module_.capability = sm;
    if (!generation_.parameters_in_shared && elf_.is_64_bit()) module_.address_bytes = 8;
    collect_symbols();
    for (const elf_section& section : elf_.sections())
      if (const auto name = after(section.name, ".text.")) read_code(section, *name);
    if (module_.kernels.empty()) elf_.fail(0, "no kernel (no section .text.NAME)");
    if (generation_.listed_only) return std::move(module_);
    for (const elf_section& section : elf_.sections())
      if (section.type == elf::relocations || section.type == elf::relocations_with_addend)
        read_relocations(section);
    for (const elf_section& section : elf_.sections()) read_section(section);
    for (const elf_symbol& symbol : elf_.symbols()) read_variable(symbol);
    name_relocations();
    for (std::size_t i = 0; i < module_.kernels.size(); ++i) {
      kernel& k = module_.kernels[i];
      if (generation_.parameters_in_shared)
        k.shared_bytes = std::max(k.shared_bytes, generation_.shared_header_bytes + parameter_bytes_[i]);
      if (k.shared_bytes > generation_.max_shared_bytes)
        elf_.fail(0, fmt::format("kernel '{}' needs {} bytes of shared memory, at most {} are possible", k.name,
                                 k.shared_bytes, generation_.max_shared_bytes));
    }
    return std::move(module_);
  }

 private:
  // Named objects of every section, in the order of their addresses.
  void collect_symbols() {
    for (const elf_symbol& symbol : elf_.symbols()) {
      if (symbol.type == elf::symbol_file && module_.name.empty()) module_.name = symbol.name;
      if (symbol.type == elf::symbol_object && symbol.section < elf_.sections().size() && symbol.size != 0)
        objects_[symbol.section].push_back(&symbol);
    }
    for (auto& [section, symbols] : objects_)
      std::stable_sort(symbols.begin(), symbols.end(),
                       [](const elf_symbol* a, const elf_symbol* b) { return a->value < b->value; });
  }

  std::uint16_t index_of(const elf_section& section) const {
    return static_cast<std::uint16_t>(&section - elf_.sections().data());
  }

  kernel& kernel_named(std::string_view name, const elf_section& section) {
    const auto found = kernels_.find(name);
    if (found == kernels_.end())
      elf_.fail(section.header, fmt::format("'{}' belongs to no kernel of this file", section.name));
    return module_.kernels[found->second];
  }

  std::uint32_t size_up_to(const elf_section& section, std::uint32_t limit) const {
    if (section.size > limit)
      elf_.fail(section.header,
                fmt::format("'{}' has {} bytes, at most {} are possible", section.name, section.size, limit));
    return static_cast<std::uint32_t>(section.size);
  }

  void read_code(const elf_section& section, std::string_view name) {
    kernel k;
    k.name = name;
    if (!is_kernel_name(name)) elf_.fail(section.header, "the name of a kernel holds unusual characters");
    if (!kernels_.emplace(k.name, module_.kernels.size()).second)
      elf_.fail(section.header, fmt::format("kernel '{}' is defined twice", k.name));
    const std::string_view code = elf_.content(section);
    if (code.empty()) elf_.fail(section.header, fmt::format("kernel '{}' has no instructions", k.name));
    if (size_up_to(section, max_code_bytes) % 4 != 0)
      elf_.fail(section.header, fmt::format("'{}' has {} bytes, not a multiple of 4", section.name, code.size()));
    for (std::size_t i = 0; i < code.size(); i += 4)
      k.code.push_back(static_cast<std::uint32_t>(little_endian_at(code, i, 4)));
    k.registers = section.info >> elf::registers_shift;
    if (k.registers > generation_.max_registers)
      elf_.fail(section.header, fmt::format("kernel '{}' uses {} registers, at most {} are possible", k.name,
                                            k.registers, generation_.max_registers));
    const bool counts = generation_.first_sm >= fermi.first_sm;
    const std::uint32_t mask = counts ? elf::barriers_mask_sm_2x : elf::barriers_mask_sm_1x;
    k.barriers = static_cast<std::uint32_t>(section.flags >> elf::barriers_shift) & mask;
    if (k.barriers > max_barrier + 1)
      elf_.fail(section.header, fmt::format("kernel '{}' uses {} barriers, at most {} are possible", k.name,
                                            k.barriers, max_barrier + 1));
    module_.kernels.push_back(std::move(k));
    parameter_bytes_.push_back(0);
  }

  void read_section(const elf_section& section) {
    if (const auto shared_of = after(section.name, ".nv.shared."))
      kernel_named(*shared_of, section).shared_bytes = size_up_to(section, generation_.max_shared_bytes);
    if (const auto local_of = after(section.name, ".nv.local."))
      kernel_named(*local_of, section).local_bytes = size_up_to(section, generation_.max_local_bytes);
    if (section.name == ".nv.info") {
      const elf_info info = read_elf_info(elf_, section, generation_);
      read_textures(info, section);
      read_stacks(info, section);
    }
    if (const auto info_of = after(section.name, ".nv.info.")) {
      kernel& k = kernel_named(*info_of, section);
      elf_info info = read_elf_info(elf_, section, generation_);
      read_textures(info, section);
      k.parameters = std::move(info.parameters);
      k.largest_block = info.largest_block;
      k.required_block = info.required_block;
      if (!generation_.parameters_in_shared) k.parameter_base = info.parameter_base;
      if (info.parameter_base + info.parameter_bytes > constant_space_bytes)
        elf_.fail(section.offset, fmt::format("parameters of '{}' end at byte {}, a constant space has {}", k.name,
                                              info.parameter_base + info.parameter_bytes, constant_space_bytes));
      parameter_bytes_[static_cast<std::size_t>(&k - module_.kernels.data())] = info.parameter_bytes;
    }
    if (const auto constant = parse_constant_name(section.name, generation_.constant_spaces))
      read_constants(section, *constant);
  }

  // Frames of kernels. Text cubins and sm_1x have a section for local memory instead.
  void read_stacks(const elf_info& info, const elf_section& section) {
    for (const stack_need& stack : info.stacks) {
      if (stack.symbol >= elf_.symbols().size())
        elf_.fail(section.offset, fmt::format("'{}' names symbol {}, there are {}", section.name, stack.symbol,
                                              elf_.symbols().size()));
      if (stack.bytes > generation_.max_local_bytes)
        elf_.fail(section.offset, fmt::format("'{}' has a stack of {} bytes, at most {} are possible", section.name,
                                              stack.bytes, generation_.max_local_bytes));
      const auto found = kernels_.find(elf_.symbols()[stack.symbol].name);
      if (found == kernels_.end()) continue;
      kernel& k = module_.kernels[found->second];
      k.local_bytes = std::max(k.local_bytes, stack.bytes);
    }
  }

  void read_textures(const elf_info& info, const elf_section& section) {
    for (const texture_slot& slot : info.textures) {
      if (slot.symbol >= elf_.symbols().size())
        elf_.fail(section.offset, fmt::format("'{}' names symbol {}, there are {}", section.name, slot.symbol,
                                              elf_.symbols().size()));
      if (slot.unit > max_texture_unit)
        elf_.fail(section.offset, fmt::format("'{}' has texture unit {}, allowed are 0 to {}", section.name,
                                              slot.unit, max_texture_unit));
      const sampler found = {std::string(elf_.symbols()[slot.symbol].name), slot.unit};
      const auto same = [&](const sampler& s) {
        return s.name == found.name && s.texture_unit == found.texture_unit;
      };
      if (std::none_of(module_.samplers.begin(), module_.samplers.end(), same)) module_.samplers.push_back(found);
    }
  }

  // Every object of the section becomes a segment, and so do the bytes between objects and after the last, if any.
  // If objects share bytes, the first one gets them.
  void read_constants(const elf_section& section, const constant_name& name) {
    const std::uint32_t size = size_up_to(section, constant_space_bytes);
    if (relocated_.count(index_of(section)) != 0) return;  // addresses of variables, filled in by the loader
    const bool is_launch_data = !generation_.parameters_in_shared && name.space == 0 && !name.kernel.empty();
    if (is_launch_data) return;  // sizes of the grid and parameters, filled in at each launch
    std::vector<constant_segment>& target =
        name.kernel.empty() ? module_.constants : kernel_named(name.kernel, section).constants;
    const std::string_view content = elf_.content(section);
    const auto& objects = objects_[index_of(section)];
    const auto add = [&](std::string_view symbol, std::uint32_t from, std::uint32_t to) {
      constant_segment segment;
      segment.name = symbol;
      segment.space = name.space;
      segment.offset = from;
      segment.size = to - from;
      segment.data = bytes_of(content.substr(std::min<std::size_t>(from, content.size()), segment.size));
      const bool is_empty_gap = symbol.empty() && to != size && segment.data.empty();
      if (segment.size != 0 && !is_empty_gap) target.push_back(std::move(segment));
    };
    std::uint32_t end = 0;
    for (const elf_symbol* object : objects) {
      check_inside(*object, section);
      if (object->value < end) continue;
      const auto from = static_cast<std::uint32_t>(object->value);
      add({}, end, from);
      end = from + static_cast<std::uint32_t>(object->size);
      add(object->name, from, end);
    }
    add({}, end, size);
  }

  void check_inside(const elf_symbol& symbol, const elf_section& section) const {
    if (symbol.value > section.size || symbol.size > section.size - symbol.value)
      elf_.fail(symbol.place, fmt::format("'{}' takes {} bytes from {}, '{}' has {}", symbol.name, symbol.size,
                                          symbol.value, section.name, section.size));
  }

  bool is_variable(const elf_symbol& symbol) const {
    if (symbol.type != elf::symbol_object || symbol.section >= elf_.sections().size()) return false;
    const std::string_view name = elf_.sections()[symbol.section].name;
    return name == ".nv.global" || name == ".nv.global.init";
  }

  void read_variable(const elf_symbol& symbol) {
    if (!is_variable(symbol)) return;
    const elf_section& section = elf_.sections()[symbol.section];
    check_inside(symbol, section);
    if (symbol.size > max_variable_bytes)
      elf_.fail(symbol.place, fmt::format("variable '{}' has {} bytes, at most {} are possible", symbol.name,
                                          symbol.size, max_variable_bytes));
    if (!variables_.insert({symbol.name, &symbol}).second)
      elf_.fail(symbol.place, fmt::format("variable '{}' is defined twice", symbol.name));
    variable_bytes_[symbol.section] += symbol.size;
    if (variable_bytes_[symbol.section] > section.size)
      elf_.fail(symbol.place, fmt::format("variable '{}' overlaps others", symbol.name));
    global_variable variable;
    variable.name = symbol.name;
    variable.size = static_cast<std::uint32_t>(symbol.size);
    const std::uint64_t address_bits = symbol.value | section.alignment | 256;
    variable.alignment = static_cast<std::uint32_t>(address_bits & (~address_bits + 1));
    const std::string_view content = elf_.content(section);
    if (!content.empty()) variable.data = bytes_of(content.substr(symbol.value, symbol.size));
    module_.globals.push_back(std::move(variable));
  }

  void read_relocations(const elf_section& section) {
    if (section.info >= elf_.sections().size())
      elf_.fail(section.header, fmt::format("'{}' applies to section {}, there are {}", section.name, section.info,
                                            elf_.sections().size()));
    const elf_section& target = elf_.sections()[section.info];
    const bool harmless = target.name.substr(0, 8) == ".nv.info" || target.name.substr(0, 6) == ".debug";
    if (const auto kernel_name = after(target.name, ".text."); kernel_name && !generation_.parameters_in_shared) {
      kernel_named(*kernel_name, target).refusal = "relocations of its code are not supported";
      return;
    }
    if (harmless || section.size == 0) return;
    const auto constant = parse_constant_name(target.name, generation_.constant_spaces);
    if (!constant || !constant->kernel.empty())
      elf_.fail(section.header, fmt::format("relocations of '{}' are not supported", target.name));
    const std::uint32_t size = size_up_to(target, constant_space_bytes);
    relocated_.insert(index_of(target));
    std::set<std::uint64_t>& words = relocated_words_[constant->space];
    const std::string_view content = elf_.content(target);
    for (const elf_relocation& entry : elf_.relocations(section)) {
      if (entry.type != elf::relocation_address_32 && entry.type != elf::relocation_address_64)
        elf_.fail(entry.place, fmt::format("relocation of type {}, known are 1 and 2", entry.type));
      if (entry.offset % 4 != 0 || size < 4 || entry.offset > size - 4)
        elf_.fail(entry.place, fmt::format("relocation of word {} of '{}'", entry.offset, target.name));
      if (!words.insert(entry.offset).second)
        elf_.fail(entry.place, fmt::format("word {} of '{}' is relocated twice", entry.offset, target.name));
      const std::uint64_t stored = content.empty() ? 0 : little_endian_at(content, entry.offset, 4);
      pending_.push_back({entry, constant->space, static_cast<std::uint64_t>(entry.addend) + stored});
    }
  }

  // The name of the variable: the symbol itself, or the variable at this place of its section.
  std::string_view variable_of(const elf_symbol& symbol, std::uint64_t addend, std::uint64_t place) const {
    if (symbol.type != elf::symbol_section) {
      if (addend == 0) return symbol.name;
      elf_.fail(place, fmt::format("relocation to {} bytes behind '{}' is not supported", addend, symbol.name));
    }
    for (const auto& [name, variable] : variables_)
      if (variable->section == symbol.section && variable->value == addend) return name;
    elf_.fail(place,
              fmt::format("relocation to byte {} of section {}, where no variable is", addend, symbol.section));
  }

  void name_relocations() {
    for (const pending_relocation& p : pending_) {
      const elf_symbol& symbol = elf_.symbols()[p.entry.symbol];
      relocation result;
      result.name = variable_of(symbol, p.addend, p.entry.place);
      result.space = p.space;
      result.offset = static_cast<std::uint32_t>(p.entry.offset);
      if (variables_.count(result.name) == 0)
        elf_.fail(p.entry.place, fmt::format("relocation of the unknown variable '{}'", result.name));
      module_.relocations.push_back(std::move(result));
    }
  }

  struct pending_relocation {
    elf_relocation entry;
    std::uint8_t space = 0;
    std::uint64_t addend = 0;
  };

  elf_file elf_;
  const architecture& generation_;
  std::uint8_t abi_version_;
  module module_;
  std::map<std::string, std::size_t, std::less<>> kernels_;
  std::vector<std::uint32_t> parameter_bytes_;                       // per kernel
  std::map<std::uint16_t, std::vector<const elf_symbol*>> objects_;  // by section
  std::set<std::uint16_t> relocated_;                                // sections whose words the loader fills
  std::map<std::uint8_t, std::set<std::uint64_t>> relocated_words_;  // by constant space
  std::map<std::uint16_t, std::uint64_t> variable_bytes_;            // by section
  std::map<std::string_view, const elf_symbol*> variables_;
  std::vector<pending_relocation> pending_;
};

}  // namespace

const architecture& architecture_of(std::string_view bytes) {
  // e_flags follow three addresses, which have 4 or 8 bytes each.
  constexpr std::size_t class_at = 4;
  constexpr std::size_t addresses_at = 24;
  if (bytes.size() <= class_at) return tesla;
  const std::size_t flags_at =
      addresses_at + 3 * (static_cast<std::uint8_t>(bytes[class_at]) == elf::class_64 ? 8 : 4);
  if (bytes.size() <= flags_at) return tesla;
  std::uint32_t flags = 0;
  for (std::size_t k = 0; k < 4 && flags_at + k < bytes.size(); ++k)
    flags |= std::uint32_t{static_cast<std::uint8_t>(bytes[flags_at + k])} << (8 * k);
  return architecture_of_sm(static_cast<std::uint8_t>(elf::sm_of(flags, abi_version_of(bytes))));
}

module read_elf_cubin(std::string_view bytes, const std::string& file, const architecture& generation) {
  return elf_reader(bytes, file, generation).read();
}

}  // namespace gt200::cubin
