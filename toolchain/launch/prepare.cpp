#include "toolchain/launch/prepare.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "toolchain/cubin/limits.h"
#include "toolchain/error.h"
#include "toolchain/launch/fermi/abi.h"
#include "toolchain/launch/initial_content.h"
#include "toolchain/launch/nearest.h"
#include "toolchain/launch/volta/abi.h"

namespace gt200::launch {
namespace {

constexpr std::size_t pointer_bytes = 8;  // of a 64-bit host; only the low word is used

std::uint32_t place(device_allocator& allocator, std::uint64_t bytes, const description& launch, unsigned line,
                    const std::string& name) {
  std::uint32_t address = 0;
  if (!allocator.allocate(bytes, address))
    throw input_error(launch.file, line, fmt::format("no room in device memory for '{}' ({} bytes)", name, bytes));
  return address;
}

void place_globals(prepared& result, device_allocator& allocator) {
  for (const cubin::global_variable& variable : result.module->globals) {
    placed_bytes placed;
    placed.name = variable.name;
    placed.address = place(allocator, variable.size, *result.launch, 0, variable.name);
    placed.initial = variable.data;
    placed.initial.resize(variable.size, 0);
    result.globals.push_back(std::move(placed));
  }
  for (const cubin::relocation& entry : result.module->relocations) {
    const auto placed = std::find_if(result.globals.begin(), result.globals.end(),
                                     [&](const placed_bytes& g) { return g.name == entry.name; });
    if (placed == result.globals.end())
      throw input_error(result.module->source_file, 0,
                        fmt::format("relocation of the unknown variable '{}'", entry.name));
    const std::uint32_t end = entry.offset + result.module->address_bytes;
    if (result.relocations.size() < end) result.relocations.resize(end, 0);
    for (std::size_t i = 0; i < 4; ++i)
      result.relocations[entry.offset + i] = static_cast<std::uint8_t>(placed->address >> (8 * i));
  }
}

// The bytes of an argument, at the width the kernel declares, else at its natural width.
std::vector<std::uint8_t> bytes_of_argument(const prepared& program, const argument& a, std::uint32_t declared) {
  if (a.buffer.empty()) return a.bytes;
  std::size_t size = a.type_given ? size_of(a.type) : pointer_bytes;
  if (!a.type_given && (declared == 4 || declared == 8)) size = declared;
  std::uint64_t address = std::uint64_t{program.buffer_at(a.buffer).address} + a.offset;
  std::vector<std::uint8_t> bytes(size);
  for (std::uint8_t& byte : bytes) {
    byte = static_cast<std::uint8_t>(address);
    address >>= 8;
  }
  return bytes;
}

class argument_packer {
 public:
  argument_packer(const prepared& program, const launch_step& step, const cubin::kernel& kernel, unsigned line)
      : program_(program), step_(step), kernel_(kernel), line_(line) {}

  std::vector<std::uint8_t> run() {
    const std::size_t expected = kernel_.parameters.size();
    if (expected != 0 && step_.arguments.size() != expected)
      fail(fmt::format("kernel '{}' has {} parameters, {} arguments are given", kernel_.name, expected,
                       step_.arguments.size()));
    for (std::size_t i = 0; i < step_.arguments.size(); ++i) add(i);
    // Without a parameter list, checks the total: `smem` of a text cubin counts header, parameters and static
    // shared.
    const std::size_t room =
        kernel_.shared_bytes > shared_header_bytes ? kernel_.shared_bytes - shared_header_bytes : 0;
    const bool is_fermi = program_.module->capability >= cubin::fermi.first_sm;
    if (expected == 0 && !is_fermi && packed_.size() > room)
      fail(fmt::format("the arguments take {} bytes, kernel '{}' has room for {}", packed_.size(), kernel_.name,
                       room));
    return std::move(packed_);
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw input_error(program_.launch->file, line_, reason);
  }

  void add(std::size_t index) {
    const bool known = !kernel_.parameters.empty();
    const std::uint32_t declared = known ? kernel_.parameters[index].size : 0;
    const auto bytes = bytes_of_argument(program_, step_.arguments[index], declared);
    if (known && bytes.size() != declared)
      fail(fmt::format("argument {} has {} bytes, but parameter {} of kernel '{}' has {}", index + 1, bytes.size(),
                       index + 1, kernel_.name, declared));
    const std::size_t offset =
        known ? kernel_.parameters[index].offset
              : align_up(static_cast<std::uint32_t>(packed_.size()), static_cast<std::uint32_t>(bytes.size()));
    packed_.resize(std::max(packed_.size(), offset + bytes.size()), 0);
    std::copy(bytes.begin(), bytes.end(), packed_.begin() + static_cast<std::ptrdiff_t>(offset));
  }

  const prepared& program_;
  const launch_step& step_;
  const cubin::kernel& kernel_;
  unsigned line_;
  std::vector<std::uint8_t> packed_;
};

// Allocates memory for the array of a texture.
std::uint32_t place_array(prepared& result, device_allocator& allocator, const texture& t,
                          const std::string& name) {
  placed_array placed;
  placed.name = "array of " + name;
  placed.buffer = t.buffer;
  placed.shape = t.shape;
  if (!allocator.allocate_array(t.shape.bytes(), placed.address))
    throw input_error(
        result.launch->file, t.line,
        fmt::format("no room in device memory for the {} bytes of texture '{}'", t.shape.bytes(), name));
  result.arrays.push_back(std::move(placed));
  return result.arrays.back().address;
}

void bind_textures(prepared& result, device_allocator& allocator) {
  for (const texture& t : result.launch->textures) {
    bound_texture bound = {t.name, t.unit, result.buffer_at(t.buffer).address, t.shape, t.line};
    if (!t.name.empty()) {
      const auto& samplers = result.module->samplers;
      const auto found =
          std::find_if(samplers.begin(), samplers.end(), [&](const cubin::sampler& s) { return s.name == t.name; });
      if (found == samplers.end()) {
        std::vector<std::string> names;
        for (const cubin::sampler& s : samplers) names.push_back(s.name);
        const std::string hint = suggestion(t.name, names);
        throw input_error(result.launch->file, t.line,
                          fmt::format("{} has no texture '{}'{}", result.module->source_file, t.name, hint));
      }
      bound.unit = found->texture_unit;
    } else {
      bound.name = fmt::format("unit {}", t.unit);
    }
    for (const bound_texture& other : result.textures)
      if (other.unit == bound.unit)
        throw input_error(
            result.launch->file, t.line,
            fmt::format("textures '{}' and '{}' are both at unit {}", other.name, bound.name, bound.unit));
    if (t.shape.layout == sampling::texture_layout::block_linear)
      bound.address = place_array(result, allocator, t, bound.name);
    result.textures.push_back(std::move(bound));
  }
}

// Place of the constant in its bank. `room` is set to the bytes its symbol has from there on.
cubin::constant_segment place_constant(const prepared& program, const constant& c, std::uint64_t& room) {
  cubin::constant_segment placed;
  placed.name = c.content.name;
  placed.space = c.bank;
  placed.offset = c.offset;
  if (c.symbol.empty()) return placed;
  const auto& known = program.module->constants;
  const auto found = std::find_if(known.begin(), known.end(),
                                  [&](const cubin::constant_segment& s) { return s.name == c.symbol; });
  if (found == known.end()) {
    std::vector<std::string> names;
    for (const cubin::constant_segment& s : known) names.push_back(s.name);
    const std::string hint = suggestion(c.symbol, names);
    throw input_error(program.launch->file, c.content.line,
                      fmt::format("{} has no constant '{}'{}", program.module->source_file, c.symbol, hint));
  }
  placed.space = found->space;
  placed.offset += found->offset;
  room = c.offset < found->size ? found->size - c.offset : 0;
  return placed;
}

void set_constants(prepared& result, std::map<std::string, std::vector<std::uint8_t>>& images) {
  if (result.launch->constants.empty()) return;
  auto copy = std::make_shared<cubin::module>(*result.module);
  for (const constant& c : result.launch->constants) {
    std::uint64_t room = c.content.bytes();
    cubin::constant_segment placed = place_constant(result, c, room);
    if (c.content.bytes() > room)
      throw input_error(result.launch->file, c.content.line,
                        fmt::format("{} takes {} bytes, '{}' has room for {}", c.content.name, c.content.bytes(),
                                    c.symbol, room));
    placed.size = static_cast<std::uint32_t>(c.content.bytes());
    placed.data = std::move(images[c.content.name]);
    copy->constants.push_back(std::move(placed));  // later segments overwrite earlier ones
  }
  result.with_constants = std::move(copy);
  result.module = result.with_constants.get();
}

void check_steps(const prepared& program, const std::vector<step>& steps) {
  for (const step& s : steps) {
    if (const auto* launch = std::get_if<launch_step>(&s.action)) pack(program, *launch, s.line, 0);
    if (const auto* repeat = std::get_if<repeat_step>(&s.action)) check_steps(program, repeat->body);
  }
}

// Looks up the references and files that the check will need: errors appear before hours of running, not after.
void check_expectations(const description& launch, const host_table& hosts) {
  for (const expectation& e : launch.expectations) {
    if (e.kind == expectation_kind::reference) find_reference(launch, e, hosts);
    if (e.kind == expectation_kind::file && e.applies) read_expected_file(launch, e);
  }
}

}  // namespace

const placed_bytes& prepared::buffer_at(const std::string& name) const {
  for (const placed_bytes& placed : buffers)
    if (placed.name == name) return placed;
  throw input_error(launch->file, 0, "there is no buffer '" + name + "'");
}

launch_parameters pack(const prepared& program, const launch_step& step, unsigned line, std::uint16_t grid_id) {
  launch_parameters result;
  result.kernel = program.module->find(step.kernel);
  if (result.kernel == nullptr) {
    for (const cubin::refused_kernel& k : program.module->refused)
      if (k.name == step.kernel)
        throw input_error(program.launch->file, line, fmt::format("kernel '{}' cannot run: {}", k.name, k.reason));
    std::vector<std::string> names;
    for (const cubin::kernel& k : program.module->kernels) names.push_back(k.name);
    const std::string hint = suggestion(step.kernel, names);
    throw input_error(program.launch->file, line,
                      fmt::format("{} has no kernel '{}'{}", program.module->source_file, step.kernel, hint));
  }
  if (!result.kernel->refusal.empty())
    throw input_error(program.launch->file, line,
                      fmt::format("kernel '{}' cannot run: {}", step.kernel, result.kernel->refusal));
  result.grid = step.grid;
  result.block = step.block;
  result.dynamic_shared = step.dynamic_shared;
  result.grid_id = grid_id;
  result.warp_synchronous = program.launch->warp_synchronous;
  result.parameter_bytes = argument_packer(program, step, *result.kernel, line).run();
  const unsigned sm = program.module->capability;
  const auto refuse = sm >= cubin::volta.first_sm   ? volta::refusal
                      : sm >= cubin::fermi.first_sm ? fermi::refusal
                                                    : static_cast<decltype(&fermi::refusal)>(&refusal);
  const std::string reason = refuse(result, program.max_block_threads);
  if (!reason.empty()) throw input_error(program.launch->file, line, reason);
  return result;
}

prepared prepare(const description& launch, const cubin::module& module, const host_table& hosts,
                 device_allocator& allocator, std::uint32_t max_block_threads) {
  prepared result;
  result.launch = &launch;
  result.module = &module;
  result.max_block_threads = max_block_threads;
  if (cubin::architecture_of_sm(module.capability).listed_only)
    throw input_error(module.source_file, 0,
                      fmt::format("code for sm_{} can be listed, not run", module.capability));
  place_globals(result, allocator);
  for (const buffer& b : launch.buffers)
    result.buffers.push_back({b.name, place(allocator, b.bytes(), launch, b.line, b.name), {}});
  check_steps(result, launch.steps);
  bind_textures(result, allocator);
  check_expectations(launch, hosts);
  auto images = make_initial_content(launch, hosts);
  set_constants(result, images);
  for (placed_bytes& placed : result.buffers) placed.initial = std::move(images[placed.name]);
  for (placed_array& a : result.arrays)
    a.initial = sampling::in_blocks(a.shape, result.buffer_at(a.buffer).initial.data());
  return result;
}

}  // namespace gt200::launch
