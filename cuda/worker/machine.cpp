#include "cuda/worker/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <utility>

#include "cuda/worker/cpu_engine.h"
#include "cuda/worker/emulator_engine.h"
#include "driver/formed_warps.h"
#include "driver/grid_needs.h"
#include "observe/hang_report.h"
#include "sc_models/config/peaks.h"
#include "sc_models/distribution/launch_check.h"
#include "sc_models/distribution/occupancy.h"
#include "toolchain/arch_state/fermi/generation.h"
#include "toolchain/arch_state/tesla/generation.h"
#include "toolchain/arch_state/volta/generation.h"
#include "toolchain/cubin/limits.h"
#include "toolchain/cuda/kernel_library.h"
#include "toolchain/error.h"
#include "toolchain/launch/abi.h"
#include "toolchain/launch/block_bounds.h"
#include "toolchain/launch/device_memory.h"
#include "toolchain/ptx/texture_objects.h"

namespace gt200::cudart {
namespace {

constexpr std::uint64_t constant_bytes = 65536;
constexpr std::uint32_t addressable = 0xffffffffu;
constexpr std::uint64_t page = 4096;
// The driver of real boards has memory of its own around the program's: a program that reads a little before its
// first buffer or behind its last one runs there (assumption: 64 KiB each).
constexpr std::uint64_t drivers_own = 65536;

void say(const std::string& text) { std::fprintf(stderr, "gt200: %s\n", text.c_str()); }

status status_of(model::launch_error error) {
  switch (error) {
    case model::launch_error::grid_dimension:
    case model::launch_error::block_dimension:
    case model::launch_error::threads_per_block:
    case model::launch_error::thread_allocation: return status::invalid_configuration;
    default: return status::launch_out_of_resources;
  }
}

status status_of(grid_result::end reason) {
  switch (reason) {
    case grid_result::end::done: return status::success;
    case grid_result::end::hang:
    case grid_result::end::limit: return status::launch_timeout;
    case grid_result::end::refused: return status::invalid_device_function;
    default: return status::launch_failure;
  }
}

std::uint64_t end_of_heap(const config::gpu_config& config, const arch_state::generation& generation) {
  const std::uint64_t end = end_of_global_memory(config, generation.values());
  return end / launch::array_alignment * launch::array_alignment;
}

// Its limits; the model has its own, with the rules of divergence that are configured.
std::unique_ptr<const arch_state::generation> generation_of(const config::gpu_config& config) {
  if (config.chip.is_volta()) return std::make_unique<arch_state::volta::generation>();
  if (config.chip.is_fermi()) return std::make_unique<arch_state::fermi::generation>();
  return std::make_unique<arch_state::tesla::generation>(config.chip.capability(), config.tpc.sm.simt_stack);
}

// Of shared memory that a block may have. A larger shared memory of an SM of Tesla serves more blocks.
std::uint32_t shared_bytes_of_block(const config::gpu_config& config) {
  const std::uint32_t present = config.tpc.sm.limits.shared_bytes;
  return config.chip.is_tesla() ? launch::max_shared_bytes : present;
}

// The clock that clock() of CUDA counts, so that a difference of two readings divided by it is a time: the shader
// clock of Tesla and Fermi. A Volta has the core clock alone.
std::uint32_t khz_of_clock_register(const config::gpu_config& config) {
  const double shader_khz = config.clocks.shader_mhz * 1000;
  const unsigned divisor = config.chip.is_volta() ? config::tesla_clocks.shader_per_core() : 1;
  return static_cast<std::uint32_t>(shader_khz / divisor);
}

// Pins of a memory partition: of two GDDR devices, or of a channel of HBM2.
std::uint32_t bits_of_partition(const config::gpu_config& config) { return config.chip.is_volta() ? 128 : 64; }

// Programs take the peak rate for two transfers of the bus per cycle of this clock. GDDR5 makes four per cycle of
// its command clock; boards with it give twice that clock.
std::uint32_t khz_of_memory(const config::gpu_config& config, std::uint32_t bus_bits) {
  const double bytes_per_cycle = 2.0 * bus_bits / 8;
  return static_cast<std::uint32_t>(
      std::lround(config::peak_dram_bytes_per_second(config) / bytes_per_cycle / 1000));
}

}  // namespace

machine::machine(const config::gpu_config& config, const machine_options& options)
    : config_(config),
      options_(options),
      generation_(generation_of(config)),
      memory_(launch::first_device_address, end_of_heap(config, *generation_), drivers_own),
      selection_(options.engines),
      time_(config.host),
      mapped_end_(launch::first_device_address) {
  allocate(drivers_own);
}

device_description machine::describe() const {
  device_description d = {};
  std::snprintf(d.name, sizeof d.name, "%s", options_.config_name.c_str());
  const config::limits_config& limits = config_.tpc.sm.limits;
  d.memory_bytes = memory_.bytes();
  d.constant_bytes = constant_bytes;
  d.capability = config_.chip.capability();
  d.multiprocessors = config_.chip.sms();
  d.shared_bytes = shared_bytes_of_block(config_);
  d.registers = limits.registers;
  d.warp_size = isa::warp_size;
  d.threads_per_block = limits.threads_per_block;
  d.threads_per_multiprocessor = limits.warps * isa::warp_size;
  // The dimensions of a generation are those of its largest blocks; a configuration may allow smaller ones alone.
  for (std::size_t k = 0; k < d.block.size(); ++k)
    d.block[k] = std::min(generation_->values().max_block[k], limits.threads_per_block);
  d.grid = generation_->values().max_grid;
  d.clock_khz = khz_of_clock_register(config_);
  d.memory_bus_bits = config_.chip.partitions * bits_of_partition(config_);
  d.memory_clock_khz = khz_of_memory(config_, d.memory_bus_bits);
  const config::data_cache_config& l2 = config_.partition.l2;
  d.l2_bytes = l2.enabled ? config_.chip.partitions * l2.bytes : 0;
  d.copy_engines = config_.host.copy_engines;
  const config::data_cache_config& l1 = config_.tpc.memory.l1;
  d.l1_bytes = l1.enabled ? l1.bytes : 0;
  d.shared_bytes_per_multiprocessor = limits.shared_bytes;
  d.registers_per_multiprocessor = limits.registers;
  d.blocks_per_multiprocessor = limits.blocks;
  const double doubles = config::peak_double_flops(config_);
  d.float_to_double_ratio =
      doubles > 0 ? static_cast<std::uint32_t>(std::lround(config::peak_single_flops(config_) / doubles)) : 0;
  return d;
}

// -- engines --

std::unique_ptr<engine> machine::made(engine_kind kind) {
  if (kind == engine_kind::emulator)
    return std::make_unique<emulator_engine>(config_, options_.model.limits.instructions, options_.watch);
  if (kind == engine_kind::cpu)
    return std::make_unique<cpu_engine>(config_, memory_.begin() + memory_.bytes(), options_.cpu_threads,
                                        options_.watch);
  model_options of_model = options_.model;
  of_model.watch = options_.watch;
  auto model = std::make_unique<model_engine>(config_, of_model);
  model_ = model.get();
  return model;
}

engine& machine::on(engine_kind kind) {
  std::unique_ptr<engine>& known = engines_[kind];
  if (known == nullptr) known = made(kind);
  engine* const wanted = known.get();
  wanted->take_over(inventory_);
  if (current_ != nullptr && current_ != wanted) {
    current_->take_over(inventory_);
    move_memory(*current_, *wanted);
  }
  current_ = wanted;
  return *wanted;
}

// Before the first launch the content is kept by the emulator, which costs nothing to make.
engine& machine::current() {
  if (current_ == nullptr) return on(engine_kind::emulator);
  current_->take_over(inventory_);
  return *current_;
}

void machine::move_memory(engine& from, engine& to) {
  constexpr std::uint64_t piece = 1 << 20;
  std::vector<std::uint8_t> content(piece);
  for (const inventory::extent& e : inventory_.extents)
    for (std::uint64_t done = 0; done < e.bytes; done += piece) {
      const std::size_t count = static_cast<std::size_t>(std::min(piece, e.bytes - done));
      const auto address = static_cast<std::uint32_t>(e.address + done);
      from.read(address, content.data(), count);
      to.write(address, content.data(), count);
    }
}

// -- programs --

const program& machine::load(std::string_view image, const image_options& options, std::uint32_t& number) {
  program code = load_program(image, options, config_.chip.capability(), memory_);
  note_growth(heap::kind::linear, 0);
  inventory_.programs.push_back(std::move(code));
  program& kept = inventory_.programs.back();
  number = static_cast<std::uint32_t>(numbers_.size());
  numbers_.push_back(&kept);
  for (const cubin::global_variable& variable : kept.module.globals) {
    std::vector<std::uint8_t> initial = variable.data;
    initial.resize(variable.size, 0);
    current().write(kept.addresses.at(variable.name), initial.data(), initial.size());
  }
  return kept;
}

program& machine::loaded(std::uint32_t number) {
  if (number >= numbers_.size()) throw refused_call{status::invalid_resource_handle};
  return *numbers_[number];
}

kernel_needs machine::needs_of(const cubin::kernel& kernel) const {
  // Threads of a block in steps of a warp, until one does not fit.
  launch::launch_parameters alone;
  alone.kernel = &kernel;
  model::grid_descriptor grid;
  describe_needs(config_.chip, alone, grid);
  grid.code_bytes = static_cast<std::uint32_t>(kernel.code.size() * 4);
  std::uint32_t threads = config_.tpc.sm.limits.threads_per_block / isa::warp_size * isa::warp_size;
  for (; threads > isa::warp_size; threads -= isa::warp_size) {
    grid.block = {threads, 1, 1};
    if (!model::check_launch(generation_->values(), config_.tpc.sm.limits, config_.chip.sms(), grid)) break;
  }
  for (const auto& block : {kernel.largest_block, kernel.required_block})
    if (block[0] != 0) threads = std::min(threads, block[0] * block[1] * block[2]);
  // Header and parameters of Tesla are no shared memory of the program.
  std::uint32_t hardwares_own = 0;
  if (config_.chip.is_tesla()) {
    hardwares_own = launch::shared_header_bytes;
    for (const cubin::parameter& p : kernel.parameters)
      hardwares_own = std::max(hardwares_own, launch::shared_header_bytes + p.offset + p.size);
  }
  return {kernel.registers, kernel.shared_bytes - std::min(kernel.shared_bytes, hardwares_own), kernel.local_bytes,
          threads};
}

std::uint32_t machine::occupancy_of(program& code, const std::string& kernel, std::uint32_t threads,
                                    std::uint64_t dynamic_shared) const {
  launch::launch_parameters alone;
  alone.kernel = code.module.find(kernel);
  if (alone.kernel == nullptr) throw refused_call{status::invalid_device_function};
  if (threads == 0) throw refused_call{status::invalid_value};
  if (threads > config_.tpc.sm.limits.threads_per_block || dynamic_shared > shared_bytes_of_block(config_))
    return 0;
  alone.block = {threads, 1, 1};
  alone.dynamic_shared = static_cast<std::uint32_t>(dynamic_shared);
  model::grid_descriptor grid;
  describe_needs(config_.chip, alone, grid);
  grid.block = {threads, 1, 1};
  grid.code_bytes = static_cast<std::uint32_t>(alone.kernel->code.size() * 4);
  if (model::check_launch(generation_->values(), config_.tpc.sm.limits, config_.chip.sms(), grid)) return 0;
  return model::blocks_per_sm(config_.tpc.sm.limits, grid).blocks_per_sm;
}

// -- memory --

void machine::require(std::uint64_t address, std::uint64_t bytes, status otherwise) const {
  if (address < memory_.begin() + drivers_own || address > addressable || !memory_.holds(address, bytes))
    throw refused_call{otherwise};
}

std::uint64_t machine::allocate(std::uint64_t bytes) {
  std::uint32_t address = 0;
  if (!memory_.allocate(heap::kind::linear, bytes, address)) throw refused_call{status::memory_allocation};
  note_growth(heap::kind::linear, address);
  return address;
}

// Extends what is mapped to what was allocated. Memory that is used again is part of an extent already.
void machine::note_growth(heap::kind what, std::uint32_t address) {
  const auto extend = [&](heap::kind kind, std::uint64_t end) {
    if (end <= mapped_end_) return;
    inventory_.extents.push_back({kind, static_cast<std::uint32_t>(mapped_end_), end - mapped_end_});
    mapped_end_ = end;
  };
  if (what == heap::kind::linear) {
    if (memory_.ends_linear())
      extend(heap::kind::linear, std::min(memory_.top() + drivers_own, memory_.begin() + memory_.bytes()));
  } else if (memory_.top() > mapped_end_) {
    extend(heap::kind::linear, address);
    extend(heap::kind::array, memory_.top());
  }
}

void machine::release(std::uint64_t address) {
  if (!memory_.release(heap::kind::linear, address)) throw refused_call{status::invalid_device_pointer};
}

void machine::write(std::uint64_t address, const std::uint8_t* from, std::size_t bytes) {
  require(address, bytes, status::invalid_value);
  current().write(static_cast<std::uint32_t>(address), from, bytes);
}

void machine::read(std::uint64_t address, std::uint8_t* to, std::size_t bytes) {
  require(address, bytes, status::invalid_value);
  current().read(static_cast<std::uint32_t>(address), to, bytes);
}

// The stack is local memory, of which every kernel gets as much as it needs.
std::uint64_t machine::limit(limit_kind which) const {
  if (config_.chip.is_tesla()) throw refused_call{status::unsupported_limit};
  switch (which) {
    case limit_kind::stack_bytes: return stack_bytes_;
    case limit_kind::printf_bytes: return printf_bytes_;
    case limit_kind::heap_bytes: return heap_bytes_;
  }
  throw refused_call{status::unsupported_limit};
}

// The ring is made anew by the next launch; the heap stays once it is in use.
void machine::set_limit(limit_kind which, std::uint64_t value) {
  limit(which);
  if (which == limit_kind::stack_bytes) {
    if (value > generation_->values().max_local_bytes) throw refused_call{status::invalid_value};
    stack_bytes_ = value;
    return;
  }
  if (value > memory_.bytes()) throw refused_call{status::memory_allocation};
  if (which == limit_kind::heap_bytes) {
    if (heap_ != 0) throw refused_call{status::invalid_value};
    heap_bytes_ = value;
  } else {
    constexpr std::uint64_t least = 4096;
    printf_bytes_ = least;
    while (printf_bytes_ < value) printf_bytes_ *= 2;
  }
}

void machine::prepare_kernel_library(const program& code) {
  const auto known = [&](const char* name) { return code.addresses.find(name); };
  const auto put = [&](std::uint64_t address, const auto& value) {
    write(address, reinterpret_cast<const std::uint8_t*>(&value), sizeof value);
  };
  if (const auto found = known(cuda::print_name); found != code.addresses.end()) {
    if (ring_bytes_ != printf_bytes_) {
      if (ring_ != 0) release(std::exchange(ring_, 0));
      ring_bytes_ = 0;
      ring_ = allocate(printf_bytes_);
      ring_bytes_ = printf_bytes_;
    }
    put(found->second, cuda::print_state{ring_, static_cast<std::uint32_t>(ring_bytes_), 0});
  }
  if (const auto found = known(cuda::heap_name); found != code.addresses.end()) {
    if (heap_ == 0) {
      constexpr std::uint64_t head_bytes = 2048;
      heap_ = allocate(std::max(heap_bytes_, head_bytes));
      const std::vector<std::uint8_t> zeros(head_bytes);
      write(heap_, zeros.data(), zeros.size());
      put(heap_, heap_bytes_);
    }
    put(found->second, heap_);
  }
}

std::string machine::text_at(std::uint64_t address) {
  constexpr std::uint64_t longest = 1 << 16;
  std::string text;
  const std::uint64_t room = address <= addressable ? std::min(memory_.room_at(address), longest) : 0;
  if (room == 0 || address < memory_.begin() + drivers_own) return "(no text)";
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(room));
  read(address, bytes.data(), bytes.size());
  for (const std::uint8_t b : bytes) {
    if (b == 0) break;
    text += static_cast<char>(b);
  }
  return text;
}

bool machine::take_output(const program& code) {
  const auto found = code.addresses.find(cuda::print_name);
  if (found == code.addresses.end()) return false;
  cuda::print_state state = {};
  read(found->second, reinterpret_cast<std::uint8_t*>(&state), sizeof state);
  if (state.position == 0 || state.bytes != ring_bytes_) return false;
  std::vector<std::uint8_t> ring(static_cast<std::size_t>(ring_bytes_));
  read(ring_, ring.data(), ring.size());
  const kernel_output made =
      output_of(ring, state.position, [this](std::uint64_t address) { return text_at(address); });
  output_.text += made.text;
  output_.assertions += made.assertions;
  return !made.assertions.empty();
}

void machine::copied(copy_way way, std::uint64_t address, std::uint64_t bytes) {
  if (time_.call().within_device) return moved(bytes);
  time_.copy(way, address, bytes);
}

void machine::moved(std::uint64_t bytes) {
  constexpr std::uint64_t femtoseconds_per_us = 1'000'000'000;
  constexpr double us_per_second = 1e6;
  const auto bytes_per_us = static_cast<std::uint64_t>(config::peak_dram_bytes_per_second(config_) / us_per_second);
  time_.run(bytes * femtoseconds_per_us / std::max<std::uint64_t>(bytes_per_us, 1));
}

// -- symbols --

void machine::write_symbol(program& code, const std::string& name, std::uint64_t offset,
                           const std::vector<std::uint8_t>& content) {
  cubin::constant_segment* const constant = find_constant(code, name);
  if (constant != nullptr && (offset > constant->size || content.size() > constant->size - offset))
    throw refused_call{status::invalid_value};
  if (constant != nullptr && code.constant_addresses.count(name) == 0) {
    constant->data.resize(constant->size, 0);
    std::copy(content.begin(), content.end(), constant->data.begin() + static_cast<std::ptrdiff_t>(offset));
    ++code.constants_version;
    return;
  }
  write(address_of(code, name) + offset, content.data(), content.size());
}

std::vector<std::uint8_t> machine::read_symbol(program& code, const std::string& name, std::uint64_t offset,
                                               std::uint64_t count) {
  const cubin::constant_segment* const constant = find_constant(code, name);
  if (constant != nullptr && (offset > constant->size || count > constant->size - offset))
    throw refused_call{status::invalid_value};
  if (constant != nullptr && code.constant_addresses.count(name) == 0) {
    std::vector<std::uint8_t> whole = constant->data;
    whole.resize(constant->size, 0);
    const auto first = whole.begin() + static_cast<std::ptrdiff_t>(offset);
    return {first, first + static_cast<std::ptrdiff_t>(count)};
  }
  const std::uint64_t address = address_of(code, name) + offset;
  require(address, count, status::invalid_value);
  std::vector<std::uint8_t> content(count);
  read(address, content.data(), content.size());
  return content;
}

std::uint64_t machine::address_of(program& code, const std::string& name) {
  if (const auto found = code.addresses.find(name); found != code.addresses.end()) return found->second;
  cubin::constant_segment* const constant = find_constant(code, name);
  if (constant == nullptr) throw refused_call{status::invalid_symbol};
  if (const auto known = code.constant_addresses.find(name); known != code.constant_addresses.end())
    return known->second;
  const std::uint64_t address = allocate(std::max(constant->size, 1u));
  constant->data.resize(constant->size, 0);
  write(address, constant->data.data(), constant->data.size());
  code.constant_addresses.emplace(name, static_cast<std::uint32_t>(address));
  return address;
}

void machine::take_constants(program& code) {
  for (const auto& [name, address] : code.constant_addresses) {
    cubin::constant_segment& constant = *find_constant(code, name);
    std::vector<std::uint8_t> content(constant.size);
    current().read(address, content.data(), content.size());
    if (content == constant.data) continue;
    constant.data = std::move(content);
    ++code.constants_version;
  }
}

// -- arrays and textures --

namespace {

void require_texel(std::uint32_t channels, std::uint32_t channel_bits) {
  if ((channels != 1 && channels != 2 && channels != 4) ||
      (channel_bits != 8 && channel_bits != 16 && channel_bits != 32))
    throw refused_call{status::invalid_value};
}

}  // namespace

std::uint64_t machine::allocate_array(const array_description& wanted) {
  require_texel(wanted.channels, wanted.channel_bits);
  array made;
  sampling::texture_shape& shape = made.shape;
  shape.dimensions = wanted.extent[2] != 0 ? 3 : wanted.extent[1] != 0 ? 2 : 1;
  for (std::size_t k = 0; k < 3; ++k) {
    shape.extent[k] = std::max(wanted.extent[k], 1u);
    if (shape.extent[k] > sampling::max_texture_extent[shape.dimensions - 1][k])
      throw refused_call{status::invalid_value};
  }
  shape.texel.components = static_cast<std::uint8_t>(wanted.channels);
  shape.texel.format = wanted.channel_bits == 8    ? sampling::texel_format::u8
                       : wanted.channel_bits == 16 ? sampling::texel_format::u16
                                                   : sampling::texel_format::u32;
  shape.pitch = shape.extent[0] * shape.texel.bytes();
  shape.layout = sampling::texture_layout::block_linear;
  sampling::use_blocks(shape);
  if (!memory_.allocate(heap::kind::array, shape.bytes(), made.address))
    throw refused_call{status::memory_allocation};
  note_growth(heap::kind::array, made.address);
  arrays_.emplace(next_array_, made);
  return next_array_++;
}

machine::array& machine::array_with(std::uint64_t number) {
  const auto found = arrays_.find(number);
  if (found == arrays_.end()) throw refused_call{status::invalid_resource_handle};
  return found->second;
}

void machine::release_array(std::uint64_t number) {
  memory_.release(heap::kind::array, array_with(number).address);
  arrays_.erase(number);
}

namespace {

// Calls `act(offset in the image, offset in the rows)` for every texel of the part.
template <class action>
void for_each_texel(const sampling::texture_shape& shape, const array_box& part, action act) {
  const std::uint64_t texel = shape.texel.bytes();
  const std::array<std::uint64_t, 3> extent = {shape.extent[0] * texel, shape.extent[1], shape.extent[2]};
  for (std::size_t k = 0; k < 3; ++k)
    if (part.first[k] > extent[k] || part.size[k] > extent[k] - part.first[k])
      throw refused_call{status::invalid_value};
  if (part.first[0] % texel != 0 || part.size[0] % texel != 0) throw refused_call{status::invalid_value};
  std::uint64_t at = 0;
  for (std::uint64_t z = 0; z < part.size[2]; ++z)
    for (std::uint64_t y = 0; y < part.size[1]; ++y)
      for (std::uint64_t x = 0; x < part.size[0]; x += texel, at += texel)
        act(shape.offset(static_cast<std::uint32_t>((part.first[0] + x) / texel),
                         static_cast<std::uint32_t>(part.first[1] + y),
                         static_cast<std::uint32_t>(part.first[2] + z)),
            at);
}

}  // namespace

void machine::write_array(std::uint64_t number, const array_box& part, const std::vector<std::uint8_t>& rows) {
  const array& to = array_with(number);
  std::vector<std::uint8_t> image(to.shape.bytes());
  current().read(to.address, image.data(), image.size());
  const std::uint32_t texel = to.shape.texel.bytes();
  for_each_texel(to.shape, part, [&](std::uint64_t in_image, std::uint64_t in_rows) {
    if (in_rows + texel > rows.size()) throw refused_call{status::invalid_value};
    std::memcpy(image.data() + in_image, rows.data() + in_rows, texel);
  });
  current().write(to.address, image.data(), image.size());
}

std::vector<std::uint8_t> machine::read_array(std::uint64_t number, const array_box& part) {
  const array& from = array_with(number);
  std::vector<std::uint8_t> image(from.shape.bytes());
  current().read(from.address, image.data(), image.size());
  const std::uint32_t texel = from.shape.texel.bytes();
  std::vector<std::uint8_t> rows;
  for_each_texel(from.shape, part, [&](std::uint64_t in_image, std::uint64_t) {
    rows.insert(rows.end(), image.begin() + static_cast<std::ptrdiff_t>(in_image),
                image.begin() + static_cast<std::ptrdiff_t>(in_image + texel));
  });
  return rows;
}

namespace {

sampling::texture_addressing addressing_of(std::uint32_t cuda_mode) {
  switch (cuda_mode) {
    case 0: return sampling::texture_addressing::wrap;
    case 2: return sampling::texture_addressing::mirror;
    case 3: return sampling::texture_addressing::border;
    default: return sampling::texture_addressing::clamp;
  }
}

}  // namespace

void machine::bind(program& code, const std::string& texture, const texture_description& wanted) {
  const auto& samplers = code.module.samplers;
  const auto sampler =
      std::find_if(samplers.begin(), samplers.end(), [&](const cubin::sampler& s) { return s.name == texture; });
  // clang drops textures that no kernel reads.
  if (sampler == samplers.end()) return;
  auto& bound = code.textures;
  bound.erase(std::remove_if(bound.begin(), bound.end(),
                             [&](const launch::bound_texture& t) { return t.unit == sampler->texture_unit; }),
              bound.end());
  if (wanted.memory == texture_memory::unbound) return;
  launch::bound_texture t = texture_of(wanted);
  t.name = texture;
  t.unit = sampler->texture_unit;
  bound.push_back(t);
}

launch::bound_texture machine::texture_of(const texture_description& wanted) {
  require_texel(wanted.channels, wanted.channel_bits);
  launch::bound_texture t;
  sampling::texture_shape& shape = t.shape;
  if (wanted.memory == texture_memory::array) {
    const array& from = array_with(wanted.address);
    t.address = from.address;
    shape = from.shape;
    if (shape.texel.bytes() * 8 != wanted.channels * wanted.channel_bits)
      throw refused_call{status::invalid_texture};
  }
  shape.texel.components = static_cast<std::uint8_t>(wanted.channels);
  using format = sampling::texel_format;
  const bool is_signed = wanted.channel_kind == 0;
  shape.texel.format = wanted.channel_kind == 2    ? format::f32
                       : wanted.channel_bits == 8  ? (is_signed ? format::s8 : format::u8)
                       : wanted.channel_bits == 16 ? (is_signed ? format::s16 : format::u16)
                                                   : (is_signed ? format::s32 : format::u32);
  shape.texel.normalised = wanted.normalised_values != 0 && wanted.channel_bits < 32;
  shape.normalised_coordinates = wanted.normalised_coordinates != 0;
  // The hardware filters what reads as floats; of other texels it takes the nearest.
  shape.filter = wanted.linear_filter != 0 && shape.texel.reads_floats() ? sampling::texture_filter::linear
                                                                         : sampling::texture_filter::point;
  for (std::size_t k = 0; k < 3; ++k) shape.addressing[k] = addressing_of(wanted.addressing[k]);
  if (wanted.memory == texture_memory::linear) {
    shape.dimensions = 0;
    shape.normalised_coordinates = false;
    shape.filter = sampling::texture_filter::point;
    require(wanted.address, 1, status::invalid_value);
    t.address = static_cast<std::uint32_t>(wanted.address);
    const std::uint64_t bytes = std::min(wanted.bytes, memory_.room_at(wanted.address));
    shape.extent[0] = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(bytes / shape.texel.bytes(), sampling::max_linear_texels));
    if (shape.extent[0] == 0) throw refused_call{status::invalid_value};
  } else if (wanted.memory == texture_memory::pitch) {
    shape.dimensions = 2;
    shape.extent = {wanted.width, wanted.height, 1};
    shape.pitch = wanted.pitch;
    constexpr std::uint32_t pitch_alignment = 32;
    const auto& most = sampling::max_texture_extent[1];
    if (wanted.width == 0 || wanted.width > most[0] || wanted.height == 0 || wanted.height > most[1] ||
        shape.pitch % pitch_alignment != 0 || shape.pitch < wanted.width * shape.texel.bytes())
      throw refused_call{status::invalid_value};
    require(wanted.address, shape.bytes(), status::invalid_value);
    t.address = static_cast<std::uint32_t>(wanted.address);
  }
  return t;
}

std::uint64_t machine::make_texture(const texture_description& wanted) {
  if (wanted.memory == texture_memory::unbound) throw refused_call{status::invalid_value};
  // As gt200_slice() in toolchain/cuda/gt200_textures.h takes it apart.
  const std::uint64_t layers = wanted.layers | (wanted.normalised_coordinates != 0 ? std::uint64_t{1} << 31 : 0);
  const std::uint64_t handle = next_texture_++ | (wanted.layers != 0 ? layers << 32 : 0);
  texture_objects_.emplace(handle, texture_of(wanted));
  return handle;
}

void machine::drop_texture(std::uint64_t handle) {
  if (texture_objects_.erase(handle) == 0) throw refused_call{status::invalid_value};
}

std::uint64_t machine::make_surface(std::uint64_t number) {
  const array& of = array_with(number);
  const auto blocks = [](std::uint32_t extent, std::uint32_t block) { return (extent + block - 1) / block; };
  surface_description made = {};
  made.address = of.address;
  made.extent = {of.shape.extent[0] * of.shape.texel.bytes(), of.shape.extent[1], of.shape.extent[2]};
  made.block_height_log = of.shape.block_height_log;
  made.block_depth_log = of.shape.block_depth_log;
  made.blocks_in_row = blocks(made.extent[0], sampling::gob_width);
  made.blocks_in_slice =
      made.blocks_in_row * blocks(made.extent[1], sampling::gob_height << of.shape.block_height_log);
  const std::uint64_t address = allocate(sizeof made);
  write(address, reinterpret_cast<const std::uint8_t*>(&made), sizeof made);
  surfaces_.insert(address);
  return address;
}

void machine::drop_surface(std::uint64_t address) {
  if (surfaces_.erase(address) == 0) throw refused_call{status::invalid_value};
  release(address);
}

void machine::bind_objects(program& code, const launch::launch_parameters& grid) const {
  const std::string own = ptx::texture_object_name(grid.kernel->name, 0);
  const std::string prefix = own.substr(0, own.size() - 1);
  for (const cubin::sampler& s : code.module.samplers) {
    if (s.name.compare(0, prefix.size(), prefix) != 0) continue;
    std::uint32_t offset = 0;  // an image may have any names
    std::from_chars(s.name.data() + prefix.size(), s.name.data() + s.name.size(), offset);
    std::uint64_t handle = 0;
    if (offset + sizeof handle <= grid.parameter_bytes.size())
      std::memcpy(&handle, grid.parameter_bytes.data() + offset, sizeof handle);
    auto& bound = code.textures;
    bound.erase(std::remove_if(bound.begin(), bound.end(),
                               [&](const launch::bound_texture& t) { return t.unit == s.texture_unit; }),
                bound.end());
    const auto found = texture_objects_.find(handle);
    if (found == texture_objects_.end()) continue;
    launch::bound_texture t = found->second;
    t.name = s.name;
    t.unit = s.texture_unit;
    bound.push_back(t);
  }
}

// -- launches --

launch::launch_parameters machine::check_grid(program& code, const std::string& kernel,
                                              const launch_description& wanted,
                                              std::vector<std::uint8_t> parameters) {
  launch::launch_parameters grid;
  grid.kernel = code.module.find(kernel);
  if (grid.kernel == nullptr) throw refused_call{status::invalid_device_function};
  const auto refuse = [&](status error, const std::string& reason) {
    say(fmt::format("kernel '{}' cannot be launched: {}", short_kernel(kernel), reason));
    throw refused_call{error};
  };
  const arch_state::generation_values& limits = generation_->values();
  if (limits.max_grid[2] == 1 && wanted.grid[2] != 1)
    refuse(status::invalid_configuration, fmt::format("grids have two dimensions, grid.z is {}", wanted.grid[2]));
  if (wanted.dynamic_shared > shared_bytes_of_block(config_))
    refuse(status::invalid_value, fmt::format("{} bytes of shared memory", wanted.dynamic_shared));
  grid.grid = {wanted.grid[0], wanted.grid[1], wanted.grid[2]};
  grid.block = wanted.block;
  grid.dynamic_shared = static_cast<std::uint32_t>(wanted.dynamic_shared);
  grid.grid_id = ++grid_id_;
  if (wanted.cooperative != 0) cooperative_grid_ = grid.grid_id;
  grid.warp_synchronous = options_.warp_synchronous;
  // Threads of a block as numbers of 32 bits: the check of each dimension comes first.
  for (std::size_t k = 0; k < 3; ++k)
    if (grid.block[k] == 0 || grid.block[k] > limits.max_block[k])
      refuse(status::invalid_configuration, fmt::format("block.{} is {}", "xyz"[k], grid.block[k]));
  for (std::size_t k = 0; k < 3; ++k)
    if (grid.grid[k] == 0 || grid.grid[k] > limits.max_grid[k])
      refuse(status::invalid_configuration, fmt::format("grid.{} is {}", "xyz"[k], grid.grid[k]));
  if (const std::string reason = launch::refusal_by_bounds(*grid.kernel, grid.block); !reason.empty())
    refuse(status::invalid_configuration, reason);
  std::uint32_t declared = 0;
  for (const cubin::parameter& p : grid.kernel->parameters) declared = std::max(declared, p.offset + p.size);
  parameters.resize(std::max<std::size_t>(parameters.size(), declared), 0);
  if (config_.chip.is_tesla()) keep_out(*grid.kernel, parameters);
  grid.parameter_bytes = std::move(parameters);
  model::grid_descriptor descriptor;
  describe_needs(config_.chip, grid, descriptor);
  descriptor.code_bytes = static_cast<std::uint32_t>(grid.kernel->code.size() * 4);
  if (const auto refusal = model::check_launch(limits, config_.tpc.sm.limits, config_.chip.sms(), descriptor))
    refuse(status_of(refusal.error), model::describe(refusal));
  if (selection_.peek(kernel, !code.cpu_image.empty()).engine == engine_kind::model)
    if (const std::string reason = refusal_of_model(grid); !reason.empty())
      refuse(status::invalid_device_function, reason);
  return grid;
}

std::string machine::refusal_of_model(const launch::launch_parameters& grid) const {
  if (config_.tpc.sm.warp_formation == config::warp_formation::fixed || grid.warp_synchronous) return "";
  return needs_static_warps(*grid.kernel);
}

// The hardware reads the lower half of a pointer alone. If the upper one is not zero, the pointer becomes one to
// where no memory is, so that an access through it faults there instead of finding what the lower half points to.
void machine::keep_out(const cubin::kernel& kernel, std::vector<std::uint8_t>& parameters) const {
  const std::uint64_t nowhere = (mapped_end_ + addressable) / 2 / page * page;
  for (const std::uint32_t offset : kernel.pointers) {
    std::uint64_t pointer = 0;
    if (offset + sizeof pointer > parameters.size()) continue;
    std::memcpy(&pointer, parameters.data() + offset, sizeof pointer);
    if (pointer <= addressable) continue;
    say(fmt::format(
        "kernel '{}': the parameter at byte {} is {:#x}, no address of this device; an access through it "
        "faults at {:#x}",
        short_kernel(kernel.name), offset, pointer, nowhere));
    const auto lower = static_cast<std::uint32_t>(nowhere);
    std::memcpy(parameters.data() + offset, &lower, sizeof lower);
  }
}

// Memory that is still there alone: the program may have freed it since.
std::vector<copy_beside> machine::copies_beside_grid() {
  std::vector<copy_beside> beside = time_.copies_beside_grid();
  beside.erase(std::remove_if(beside.begin(), beside.end(),
                              [&](const copy_beside& c) { return !memory_.holds(c.address, c.bytes); }),
               beside.end());
  return beside;
}

void machine::run(program& code, const launch::launch_parameters& grid) {
  logged_launch logged;
  logged.kernel = grid.kernel->name;
  const selection::choice choice = selection_.next(grid.kernel->name, !code.cpu_image.empty());
  logged.number = choice.number;
  logged.engine = choice.engine;
  logged.grid = grid.grid;
  logged.block = grid.block;
  bool asserted = false;
  status refusal = status::success;
  try {
    take_constants(code);
    prepare_kernel_library(code);
    bind_objects(code, grid);
    engine& chosen = on(choice.engine);
    const std::string name = fmt::format("kernel '{}', launch {}", short_kernel(grid.kernel->name), choice.number);
    if (options_.watch != nullptr) options_.watch->launch_begins(name);
    logged.result = chosen.run(code, grid, {copies_beside_grid(), cooperative_grid_ == grid.grid_id});
    asserted = take_output(code);
  } catch (const input_error& error) {
    logged.result.reason = grid_result::end::refused;
    logged.result.report = error.what();
  } catch (const refused_call& refused) {
    logged.result.reason = grid_result::end::refused;
    logged.result.report = "no memory for what kernels print or allocate";
    refusal = refused.error;
  }
  if (options_.watch != nullptr) options_.watch->launch_ended();
  time_.run(logged.result.femtoseconds);
  health_ = refusal != status::success ? refusal : status_of(logged.result.reason);
  if (asserted) {
    health_ = status::failed_assertion;
    say(fmt::format("kernel '{}', launch {}: an assertion of a thread failed", short_kernel(grid.kernel->name),
                    choice.number));
  } else if (health_ != status::success)
    say(fmt::format("{}: kernel '{}', launch {}: {}", name_of(logged.result.reason),
                    short_kernel(grid.kernel->name), choice.number,
                    observe::beginning_of_explanation(logged.result.report)));
  log_.add(std::move(logged));
}

}  // namespace gt200::cudart
