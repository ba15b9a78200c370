#include "apps/study/program_hash.h"

#include <link.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <type_traits>
#include <vector>

#include "apps/study/sha256.h"
#include "toolchain/error.h"

namespace gt200::apps::study {
namespace {

int note_object(dl_phdr_info* object, std::size_t, void* list) {
  auto& paths = *static_cast<std::vector<std::string>*>(list);
  const std::string_view name = object->dlpi_name;
  if (paths.empty())
    paths.emplace_back("/proc/self/exe");
  else if (name.find('/') != std::string_view::npos)  // not the kernel's linux-vdso
    paths.emplace_back(name);
  return 0;
}

// Values one after another, each with its size, so that no two lists of values make the same text.
class value_text {
 public:
  template <class Number, std::enable_if_t<std::is_arithmetic_v<Number>, int> = 0>
  void add(Number value) {
    text_ += std::to_string(value) + ' ';
  }
  void add(std::string_view value) {
    add(value.size());
    text_ += value;
  }
  template <class Value>
  void add(const std::vector<Value>& values) {
    add(values.size());
    for (const Value& value : values) add(value);
  }
  // The bindings name every member: one that is added to a struct and forgotten here does not compile.
  void add(const cubin::source_line& value) {
    const auto& [offset, line] = value;
    add_all(offset, line);
  }
  void add(const cubin::constant_segment& value) {
    const auto& [name, space, offset, size, data] = value;
    add_all(name, space, offset, size, data);
  }
  void add(const cubin::global_variable& value) {
    const auto& [name, size, alignment, data] = value;
    add_all(name, size, alignment, data);
  }
  void add(const cubin::sampler& value) {
    const auto& [name, texture_unit] = value;
    add_all(name, texture_unit);
  }
  void add(const cubin::relocation& value) {
    const auto& [name, space, offset] = value;
    add_all(name, space, offset);
  }
  void add(const cubin::parameter& value) {
    const auto& [offset, size] = value;
    add_all(offset, size);
  }
  void add(const cubin::kernel& value) {
    const auto& [name, code, registers, shared, local, barriers, parameters, pointers, base, constants, lines,
                 largest_block, required_block, refusal] = value;
    add_all(name, code, registers, shared, local, barriers, parameters, pointers, base, constants, lines, refusal);
    for (const auto& block : {largest_block, required_block}) add_all(block[0], block[1], block[2]);
  }
  void add(const cubin::refused_kernel& value) {
    const auto& [name, reason] = value;
    add_all(name, reason);
  }
  void add(const cubin::module& value) {
    // Two names of files are of no concern: results with other names are the same results.
    [[maybe_unused]] const auto& [name, source_file, capability, address_bytes, kernels, constants, globals,
                                  samplers, relocations, refused] = value;
    add_all(capability, address_bytes, kernels, constants, globals, samplers, relocations, refused);
  }

  const std::string& text() const { return text_; }

 private:
  template <class... Values>
  void add_all(const Values&... values) {
    (add(values), ...);
  }

  std::string text_;
};

std::string hash_of_loaded_objects() {
  std::vector<std::string> paths;
  dl_iterate_phdr(note_object, &paths);
  std::vector<std::string> lines;
  for (const std::string& path : paths) {
    const auto content = sha256_of_file(path);
    if (!content) throw input_error(path, 0, "cannot be read to name this program by its content");
    lines.push_back(*content);
  }
  std::sort(lines.begin() + 1, lines.end());
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return sha256_of(text);
}

}  // namespace

const std::string& hash_of_this_program() {
  static const std::string hash = hash_of_loaded_objects();
  return hash;
}

std::string hash_of(const cubin::module& module) {
  value_text text;
  text.add(module);
  return sha256_of(text.text());
}

}  // namespace gt200::apps::study
