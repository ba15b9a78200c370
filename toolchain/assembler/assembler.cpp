#include "toolchain/assembler/assembler.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "toolchain/assembler/directive.h"
#include "toolchain/assembler/kernel_builder.h"
#include "toolchain/cubin/limits.h"
#include "toolchain/cubin/load.h"
#include "toolchain/error.h"
#include "toolchain/isa/common/text_stream.h"

namespace gt200::assembler {
namespace {

constexpr unsigned default_capability = 13;

class file_assembler {
 public:
  explicit file_assembler(std::string file) : file_(std::move(file)) {
    module_.source_file = file_;
    module_.name = std::filesystem::path(file_).stem().string();
    module_.capability = default_capability;
  }

  cubin::module run(const std::vector<source_text>& lines) {
    for (const source_text& line : lines) add(line);
    if (kernel_) throw input_error(file_, kernel_->line(), "kernel '" + kernel_->name() + "' has no .end");
    if (module_.kernels.empty()) throw input_error(file_, 0, "no kernel (no .entry)");
    return std::move(module_);
  }

 private:
  void add(const source_text& line) {
    const std::string first = line.is_directive() ? split_words(line.text)[0] : std::string();
    if (kernel_ && first == ".end") {
      kernel_->add({line.number, line.labels, {}});
      directive end(line, file_, symbols_);
      end.finish();
      module_.kernels.push_back(kernel_->finish(module_.capability));
      kernel_.reset();
    } else if (kernel_) {
      if (first == ".entry")
        throw input_error(file_, line.number, "kernel '" + kernel_->name() + "' has no .end before this .entry");
      kernel_->add(line);
    } else if (line.is_directive()) {
      if (!line.labels.empty()) throw input_error(file_, line.number, "a label outside of a kernel");
      add_directive(directive(line, file_, symbols_));
    } else if (!line.text.empty() || !line.labels.empty()) {
      throw input_error(file_, line.number, "an instruction or label outside of a kernel (.entry NAME ... .end)");
    }
  }

  void define(const std::string& name, const std::string& space, std::int64_t value, const directive& d) {
    if (!symbols_.define(name, space, value)) d.fail("'" + name + "' is defined twice");
  }

  void add_directive(directive d) {
    if (d.name() == ".target") return set_target(d);
    if (d.name() == ".address_size") return set_address_size(d);
    if (d.name() == ".entry") return begin_kernel(d);
    if (d.name() == ".global") return add_global(d);
    if (d.name() == ".const") {
      const std::uint8_t space = generation().user_space;
      module_.constants.push_back(d.take_segment(space, constant_end_));
      d.finish();
      return define(module_.constants.back().name, "c" + std::to_string(space), module_.constants.back().offset, d);
    }
    if (d.name() == ".sampler") {
      const std::string name = d.take_identifier("name");
      for (const cubin::sampler& other : module_.samplers)
        if (other.name == name) d.fail("the sampler '" + name + "' is defined twice");
      module_.samplers.push_back(
          {name, static_cast<std::uint32_t>(d.take_number("texture unit", 0, cubin::max_texture_unit))});
      return d.finish();
    }
    if (d.name() == ".equ") {
      const std::string name = d.take_identifier("name");
      define(name, "", d.take_number("value", INT32_MIN, UINT32_MAX), d);
      return d.finish();
    }
    d.fail(
        "unknown directive outside of a kernel; known are .target .address_size .const .global .sampler .equ "
        ".entry");
  }

  void set_target(directive& d) {
    const std::string name = d.take("sm_10, sm_11, sm_12, sm_13, sm_20 or sm_70");
    const bool is_tesla = name.size() == 5 && name.compare(0, 4, "sm_1") == 0 && name[4] >= '0' && name[4] <= '3';
    if (!is_tesla && name != "sm_20" && name != "sm_70")
      d.fail("'" + name + "' is not supported, only sm_10 to sm_13, sm_20 and sm_70");
    if (target_given_ || !module_.kernels.empty()) d.fail("must stand once, before the first kernel");
    // Names that have been defined have their places in constant memory, which depend on the target.
    if (!is_tesla && !(module_.constants.empty() && module_.globals.empty()))
      d.fail(name + " must stand before .const and .global");
    target_given_ = true;
    module_.capability = 10 * static_cast<unsigned>(name[3] - '0') + static_cast<unsigned>(name[4] - '0');
    if (is_volta()) module_.address_bytes = 8;
    d.finish();
  }

  const cubin::architecture& generation() const { return cubin::architecture_of_sm(module_.capability); }
  bool is_volta() const { return module_.capability >= cubin::volta.first_sm; }

  void set_address_size(directive& d) {
    const std::int64_t bits = d.take_number("32 or 64", 32, 64);
    const bool may_be_64 = module_.capability >= cubin::fermi.first_sm;
    if (is_volta() && bits != 64) d.fail("must be 64 on sm_70");
    if (bits != 32 && !(bits == 64 && may_be_64)) d.fail("must be 32, or 64 on sm_20");
    if (!module_.globals.empty() || !module_.kernels.empty()) d.fail("must stand before .global and .entry");
    module_.address_bytes = static_cast<unsigned>(bits / 8);
    d.finish();
  }

  void begin_kernel(directive& d) {
    const std::string name = d.take("name");
    d.finish();
    if (!cubin::is_kernel_name(name)) d.fail("the name '" + name + "' holds unusual characters");
    if (module_.find(name) != nullptr) d.fail("kernel '" + name + "' is defined twice");
    kernel_.emplace(name, d.line(), symbols_, file_, generation());
  }

  // Every variable gets a word in a constant space, where the loader puts its address.
  void add_global(directive& d) {
    cubin::global_variable variable;
    variable.name = d.take_identifier("name");
    const std::uint32_t word = module_.address_bytes;
    const auto at = d.take_at(cubin::constant_space_bytes - word);
    const std::uint8_t space = generation().address_space;
    if (at && *at % word != 0) d.fail(fmt::format("the offset in c{} must be a multiple of {}", space, word));
    auto content = d.take_contents(cubin::max_variable_bytes);
    d.finish();
    if (content.size > cubin::max_variable_bytes - variable_bytes_) d.fail("the variables take more than 1 GB");
    variable_bytes_ += content.size;
    variable.size = content.size;
    variable.alignment = content.alignment;
    variable.data = std::move(content.data);
    const std::uint32_t offset = at.value_or(relocation_end_);
    if (offset > cubin::constant_space_bytes - word) d.fail(fmt::format("c{} is full", space));
    for (const cubin::relocation& other : module_.relocations)
      if (other.offset == offset) d.fail(fmt::format("c{}[{}] already belongs to '{}'", space, offset, other.name));
    relocation_end_ = std::max(relocation_end_, offset + word);
    define(variable.name, "c" + std::to_string(space), offset, d);
    module_.relocations.push_back({variable.name, space, offset});
    module_.globals.push_back(std::move(variable));
  }

  std::string file_;
  cubin::module module_;
  symbol_table symbols_;
  std::optional<kernel_builder> kernel_;
  bool target_given_ = false;
  std::uint32_t constant_end_ = 0;
  std::uint32_t relocation_end_ = 0;
  std::uint32_t variable_bytes_ = 0;
};

}  // namespace

cubin::module assemble(std::string_view text, const std::string& file) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text.substr(0, byte_order_mark.size()) == byte_order_mark) text.remove_prefix(byte_order_mark.size());
  return assemble_lines(split_source(text), file);
}

cubin::module assemble_lines(const std::vector<source_text>& lines, const std::string& file) {
  try {
    return file_assembler(file).run(lines);
  } catch (const input_error& error) {
    // A message may quote arbitrary bytes of the source. Make them readable, but keep the file name as it is.
    throw input_error(file + isa::readable(std::string_view(error.what()).substr(file.size())));
  }
}

cubin::module assemble_file(const std::string& path) { return assemble(cubin::read_file(path), path); }

}  // namespace gt200::assembler
