#include "apps/session/board.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "apps/support/json_text.h"
#include "apps/support/load_program.h"
#include "toolchain/error.h"

namespace gt200::session {
namespace {

constexpr std::uint64_t page = launch::array_alignment;

cudart::heap heap_of(const device& target) {
  const model::chip& chip = target.chip();
  const std::uint64_t end = end_of_global_memory(chip.config, chip.generation().values());
  return {launch::first_device_address, end / page * page};
}

std::uint64_t bytes_of_variables(const cubin::module& module) {
  const auto rounded = [](std::uint64_t bytes) {
    return (bytes + launch::allocation_alignment - 1) / launch::allocation_alignment * launch::allocation_alignment;
  };
  std::uint64_t sum = 0;
  for (const cubin::global_variable& v : module.globals) sum += rounded(v.size);
  return sum;
}

launch::element_type type_of(argument_kind kind, std::uint32_t bytes) {
  const bool wide = bytes == sizeof(std::uint64_t);
  if (kind == argument_kind::real) return wide ? launch::element_type::f64 : launch::element_type::f32;
  switch (bytes) {
    case 1: return launch::element_type::s8;
    case 2: return launch::element_type::s16;
    case 4: return launch::element_type::s32;
    default: return launch::element_type::s64;
  }
}

// A number at the width that the kernel declares; empty if it does not fit. Integers may be signed or unsigned.
std::vector<std::uint8_t> number_of(const argument& a, std::uint32_t declared) {
  std::vector<std::uint8_t> bytes;
  if (a.kind == argument_kind::real) {
    double value = 0;
    std::memcpy(&value, a.bytes.data(), sizeof value);
    launch::append_float(type_of(a.kind, declared), value, bytes);
    return bytes;
  }
  if (a.kind == argument_kind::natural) return declared == 8 ? a.bytes : bytes;
  std::int64_t value = 0;
  std::memcpy(&value, a.bytes.data(), sizeof value);
  const auto limit = declared < sizeof value ? std::int64_t{1} << (8 * declared) : 0;
  if (limit != 0 && value >= limit / 2 && value < limit) value -= limit;  // the same bits as an unsigned number
  if (!launch::append_integer(type_of(a.kind, declared), value, bytes)) bytes.clear();
  return bytes;
}

// As the launch library takes it: bytes of the width that the kernel declares.
launch::argument packed(const argument& a, const cubin::kernel& kernel, std::size_t index,
                        const std::string& file) {
  launch::argument result;
  const bool known = index < kernel.parameters.size();
  const std::uint32_t declared = known ? kernel.parameters[index].size : 0;
  if (a.kind == argument_kind::bytes) {
    result.bytes = a.bytes;
  } else if (a.kind == argument_kind::address) {
    result.bytes = a.bytes;  // 8 bytes, of which narrower pointers take the low ones
    if (declared == sizeof(std::uint32_t)) result.bytes.resize(declared);
  } else {
    const bool is_width =
        declared == 4 || declared == 8 || (a.kind != argument_kind::real && (declared == 1 || declared == 2));
    if (!is_width)
      throw input_error(file, 0,
                        fmt::format("argument {} of kernel '{}' is a number without a width: give a NumPy type",
                                    index + 1, kernel.name));
    result.bytes = number_of(a, declared);
    if (result.bytes.empty())
      throw input_error(file, 0,
                        fmt::format("argument {} does not fit the {} bytes of parameter {} of kernel '{}'",
                                    index + 1, declared, index + 1, kernel.name));
  }
  return result;
}

}  // namespace

board::board(const config::gpu_config& config, const device_options& options, bool check)
    : config_(config),
      options_(options),
      device_(config, options),
      statistics_(device_),
      document_(statistics_),
      rtl_(device_),
      memory_(heap_of(device_)) {
  if (check) checker_.emplace(device_);
  device_.chip().forgo_reset();
  device_.start();
}

device_facts board::describe() const {
  return {config_.chip.capability(), config_.chip.sms(), config_.tpc.sm.limits.warps, memory_.bytes(),
          memory_.free_bytes()};
}

// -- programs --

const program& board::load(const std::string& path, std::uint32_t& number) {
  program added;
  added.module = apps::load_program(path, config_.chip.capability(), &added.types);
  added.description.file = path;
  added.description.source = path;
  const std::uint64_t variables = bytes_of_variables(added.module);
  std::uint32_t address = 0;
  if (variables != 0 && !memory_.allocate(cudart::heap::kind::linear, variables, address))
    throw input_error(path, 0, fmt::format("no room in device memory for {} bytes of variables", variables));
  programs_.push_back(std::move(added));
  program& kept = programs_.back();
  try {
    launch::device_allocator allocator(address, std::uint64_t{address} + variables);
    kept.prepared =
        launch::prepare(kept.description, kept.module, {}, allocator, config_.tpc.sm.limits.threads_per_block);
    device_.load(kept.prepared);
    for (const launch::placed_bytes& v : kept.prepared.globals)
      if (!v.initial.empty()) device_.poke(v.address, v.initial.data(), v.initial.size());
  } catch (...) {
    programs_.pop_back();
    if (variables != 0) memory_.release(cudart::heap::kind::linear, address);
    throw;
  }
  number = static_cast<std::uint32_t>(programs_.size() - 1);
  return kept;
}

program& board::numbered(std::uint32_t number) {
  if (number >= programs_.size()) throw input_error(fmt::format("there is no program number {}", number));
  return *std::next(programs_.begin(), number);
}

// -- memory --

std::uint64_t board::allocate(std::uint64_t bytes) {
  std::uint32_t address = 0;
  if (bytes == 0) throw input_error("memory of 0 bytes cannot be allocated");
  if (!memory_.allocate(cudart::heap::kind::linear, bytes, address))
    throw input_error(fmt::format("no room in device memory for {} bytes: {} of {} are free", bytes,
                                  memory_.free_bytes(), memory_.bytes()));
  device_.map(address, bytes);
  return address;
}

void board::release(std::uint64_t address) {
  if (!memory_.release(cudart::heap::kind::linear, address))
    throw input_error(fmt::format("no memory has been allocated at {:#x}", address));
}

void board::require(std::uint64_t address, std::uint64_t bytes) const {
  if (!memory_.holds(address, bytes))
    throw input_error(fmt::format("{} bytes at {:#x} do not lie in one allocation", bytes, address));
}

void board::write(std::uint64_t address, const std::uint8_t* from, std::size_t bytes) {
  require(address, bytes);
  device_.poke(static_cast<std::uint32_t>(address), from, bytes);
}

std::vector<std::uint8_t> board::read(std::uint64_t address, std::uint64_t bytes) {
  require(address, bytes);
  std::vector<std::uint8_t> content(bytes);
  device_.peek(static_cast<std::uint32_t>(address), content.data(), content.size());
  return content;
}

// -- symbols --

cubin::constant_segment* board::find_constant(program& in, const std::string& name) {
  for (cubin::constant_segment& c : in.module.constants)
    if (c.name == name) return &c;
  return nullptr;
}

std::uint32_t board::address_of(program& in, const std::string& name, std::uint64_t offset, std::uint64_t bytes) {
  for (const launch::placed_bytes& v : in.prepared.globals) {
    if (v.name != name) continue;
    if (offset > v.initial.size() || bytes > v.initial.size() - offset)
      throw input_error(in.description.file, 0,
                        fmt::format("{} bytes from byte {} on do not lie in '{}', which has {}", bytes, offset,
                                    name, v.initial.size()));
    return v.address + static_cast<std::uint32_t>(offset);
  }
  throw input_error(in.description.file, 0, fmt::format("there is no variable or constant '{}'", name));
}

void board::write_symbol(std::uint32_t number, const std::string& name, std::uint64_t offset,
                         const std::vector<std::uint8_t>& bytes) {
  program& in = numbered(number);
  cubin::constant_segment* constant = find_constant(in, name);
  if (constant == nullptr)
    return device_.poke(address_of(in, name, offset, bytes.size()), bytes.data(), bytes.size());
  if (offset > constant->size || bytes.size() > constant->size - offset)
    throw input_error(in.description.file, 0,
                      fmt::format("{} bytes from byte {} on do not lie in '{}', which has {}", bytes.size(), offset,
                                  name, constant->size));
  constant->data.resize(constant->size, 0);
  std::copy(bytes.begin(), bytes.end(), constant->data.begin() + static_cast<std::ptrdiff_t>(offset));
  device_.update_constants(in.module);
}

std::vector<std::uint8_t> board::read_symbol(std::uint32_t number, const std::string& name, std::uint64_t offset,
                                             std::uint64_t bytes) {
  program& in = numbered(number);
  if (const cubin::constant_segment* constant = find_constant(in, name)) {
    if (offset > constant->size || bytes > constant->size - offset)
      throw input_error(in.description.file, 0, fmt::format("'{}' has {} bytes", name, constant->size));
    std::vector<std::uint8_t> whole = constant->data;
    whole.resize(constant->size, 0);
    const auto first = whole.begin() + static_cast<std::ptrdiff_t>(offset);
    return {first, first + static_cast<std::ptrdiff_t>(bytes)};
  }
  const std::uint32_t address = address_of(in, name, offset, bytes);
  std::vector<std::uint8_t> content(bytes);
  device_.peek(address, content.data(), content.size());
  return content;
}

// -- launches --

apps::launch_outcome board::launch(std::uint32_t number, const std::string& kernel, const launch_shape& shape,
                                   const std::vector<argument>& arguments) {
  program& in = numbered(number);
  if (shape.dynamic_shared > UINT32_MAX)
    throw input_error(in.description.file, 0,
                      fmt::format("{} bytes of dynamic shared memory", shape.dynamic_shared));
  launch::launch_step step;
  step.kernel = kernel;
  step.grid = {shape.grid[0], shape.grid[1], shape.grid[2]};
  step.block = {shape.block[0], shape.block[1], shape.block[2]};
  step.dynamic_shared = static_cast<std::uint32_t>(shape.dynamic_shared);
  if (const cubin::kernel* found = in.module.find(kernel))
    for (std::size_t i = 0; i < arguments.size(); ++i)
      step.arguments.push_back(packed(arguments[i], *found, i, in.description.file));
  const launch::launch_parameters grid = launch::pack(in.prepared, step, 0, grid_id_);
  apps::launch_outcome outcome =
      apps::launch_on_model(device_, grid, {statistics_, checker_ ? &*checker_ : nullptr}, rtl_);
  ++grid_id_;
  end_ = outcome.end;
  message_ = outcome.message;
  return outcome;
}

std::string board::statistics_text() const {
  observe::run_facts facts;
  if (!programs_.empty()) facts.source = programs_.front().description.source;
  std::error_code ignored;
  if (programs_.size() == 1 && std::filesystem::exists(programs_.front().module.source_file, ignored))
    facts.source_file = programs_.front().module.source_file;
  facts.end = end_;
  facts.message = message_;
  if (end_ != end_reason::done) facts.passed = false;
  const apps::host_time host = watch_.elapsed();
  facts.wall_seconds = host.wall_seconds;
  facts.cpu_seconds = host.cpu_seconds;
  facts.threads = options_.clocking.threads;
  return apps::json_text(document_.assemble(facts), 1) + "\n";
}

}  // namespace gt200::session
