#include "driver/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "driver/formed_warps.h"
#include "driver/grid_needs.h"
#include "driver/launch_fault.h"
#include "sc_models/config/quiet_time.h"
#include "toolchain/error.h"
#include "toolchain/launch/fermi/abi.h"
#include "toolchain/launch/shared_section.h"
#include "toolchain/launch/volta/abi.h"

namespace gt200 {

namespace {

// How long the simulation runs between two checks of the limits and the stop flag: a few ms of host time.
constexpr std::uint64_t slice_cycles = 8192;

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t granule) {
  return (value + granule - 1) / granule * granule;
}

std::uint64_t end_of_global(const config::gpu_config& config, const model::stack_layout& stack) {
  const std::uint64_t room = config.memory_bytes() - config.memory_map.global_base - stack.bytes;
  return std::min(launch::first_device_address + room, stack.base);
}

launch::device_allocator allocator_of(const config::gpu_config& config, const model::stack_layout& stack) {
  return launch::device_allocator(launch::first_device_address, end_of_global(config, stack));
}

// The resolution may have been set before; even reading it fixes it.
void set_time_resolution() {
  try {
    sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  } catch (const sc_core::sc_report&) {
    if (sc_core::sc_get_time_resolution() != sc_core::sc_time(1, sc_core::SC_FS))
      throw std::logic_error("the time resolution must be 1 fs");
  }
}

std::unique_ptr<model::chip> make_chip(const config::gpu_config& config, const device_options& options) {
  if (sc_core::sc_find_object("gt200") != nullptr || sc_core::sc_get_status() != sc_core::SC_ELABORATION)
    throw std::logic_error("one device per process: a SystemC kernel simulates once");
  set_time_resolution();
  tlm_bus::clocking_options clocking = options.clocking;
  clocking.stop = options.stop;
  return std::make_unique<model::chip>("gt200", config, clocking);
}

}  // namespace

const char* name_of(end_reason reason) {
  switch (reason) {
    case end_reason::done: return "done";
    case end_reason::fault: return "fault";
    case end_reason::max_cycles: return "max_cycles";
    case end_reason::hang: return "hang";
    case end_reason::stopped: return "stopped";
  }
  return "";
}

std::uint64_t end_of_global_memory(const config::gpu_config& config,
                                   const arch_state::generation_values& generation) {
  return end_of_global(config, model::stack_layout_of(config, generation));
}

tlm_bus::clocking_options clocking_of(const config::simulation_config& config) {
  tlm_bus::clocking_options options;
  options.stalls.seed = config.stall_seed;
  options.stalls.per_1024 = config.stalls_per_1024;
  return options;
}

device::device(const config::gpu_config& config, const device_options& options)
    : options_(options),
      chip_(make_chip(config, options)),
      placement_(config.memory_map, config.chip.capability()),
      stack_(model::stack_layout_of(config, chip_->generation().values())),
      allocator_(allocator_of(config, stack_)) {
  chip_->pages.map(stack_.base, stack_.bytes, config.memory_bytes() - stack_.bytes, true);
  if (config.chip.is_tesla()) return;
  const cubin::architecture& program = cubin::architecture_of_sm(config.chip.capability());
  launch_constants_[0] = placement_.reserve_constants(program.parameter_base + program.max_parameter_bytes);
  if (config.chip.is_fermi())
    launch_constants_[1] = placement_.reserve_constants(launch::fermi::stack_end_offset + 4);
}

device::~device() = default;

void device::start() {
  if (started_) return;
  started_ = true;
  sc_core::sc_start(sc_core::SC_ZERO_TIME);  // ends elaboration
  for (const model::memory_image& image : images_)
    chip_->host.poke(image.address, image.bytes.data(), image.bytes.size());
  images_.clear();
  if (options_.unobserved) chip_->join_stages();
}

std::string device::explanation_of_hang() {
  if (!options_.explain_hang) return "";
  for (model::sm_if* sm : chip_->sms()) sm->part_stages();
  return options_.explain_hang(*chip_);
}

// -- modules --

void device::load(const cubin::module& module, const std::vector<std::uint8_t>& relocations) {
  for (model::memory_image& image : placement_.add(module, relocations)) {
    if (started_)
      chip_->host.poke(image.address, image.bytes.data(), image.bytes.size());
    else
      images_.push_back(std::move(image));
  }
}

void device::update_constants(const cubin::module& module) {
  start();
  for (const cubin::kernel& kernel : module.kernels) {
    const model::placed_kernel* placed = placement_.find(&kernel);
    if (placed == nullptr) throw input_error(fmt::format("kernel '{}' has not been loaded", kernel.name));
    const unsigned user_constants = cubin::architecture_of_sm(chip_->config.chip.capability()).user_space;
    const emulator::constant_memory constants(module, kernel, {});
    const std::vector<std::uint8_t>& bytes = constants.bytes(user_constants);
    const std::uint64_t room = placed->constants[user_constants].bytes;
    chip_->host.poke(placed->constants[user_constants].address, bytes.data(),
                     std::min<std::size_t>(bytes.size(), room));
  }
}

void device::load(const launch::prepared& program) {
  const std::string refusal = launch::refusal(program.launch->required, chip_->config.chip.capability());
  if (!refusal.empty()) throw input_error(program.launch->file, program.launch->required_line, refusal);
  for (const auto* list : {&program.globals, &program.buffers})
    for (const launch::placed_bytes& placed : *list) map(placed.address, placed.initial.size());
  for (const launch::placed_array& a : program.arrays) map_array(a.address, a.initial.size());
  for (const launch::bound_texture& t : program.textures)
    bind_texture(t.unit, model::texture_binding::of(t.address, t.shape));
  load(*program.module, program.relocations);
}

// -- memory --

// Bytes between the first address of global memory and the local and stack memory at the end of device memory.
std::uint64_t device::room_for_global_memory() const {
  const std::uint64_t physical =
      chip_->config.memory_bytes() - chip_->config.memory_map.global_base - stack_.bytes - local_mapped_;
  return std::min(physical, stack_.base - local_mapped_ - launch::first_device_address);
}

void device::check_room(std::uint32_t address, std::uint64_t bytes) const {
  if (address < launch::first_device_address ||
      address - launch::first_device_address + bytes > room_for_global_memory())
    throw input_error(fmt::format("{} bytes at {:#x} do not lie in the memory of the device", bytes, address));
}

void device::map_below(std::uint64_t end, std::uint64_t storage) {
  const config::memory_map_config& map = chip_->config.memory_map;
  const std::uint64_t mapped =
      std::min(end - launch::first_device_address, round_up(room_for_global_memory(), map.page_bytes));
  if (mapped <= global_mapped_) return;
  chip_->pages.map(launch::first_device_address + global_mapped_, mapped - global_mapped_,
                   (map.global_base + global_mapped_) | storage);
  global_mapped_ = mapped;
}

void device::protect(std::uint32_t address, std::uint64_t bytes) {
  const std::uint32_t page = chip_->config.memory_map.page_bytes;
  if (launched_) throw input_error("pages are protected before the first launch");
  if (bytes == 0 || address % page != 0 || bytes % page != 0)
    throw input_error(fmt::format("{} bytes at {:#x} are no whole pages", bytes, address));
  physical(address, bytes);  // throws if an address is not mapped
  chip_->pages.protect(address, bytes);
}

void device::map(std::uint32_t address, std::uint64_t bytes) {
  check_room(address, bytes);
  map_below(launch::end_of_mapping(address + bytes, chip_->config.memory_map.page_bytes), 0);
}

void device::map_array(std::uint32_t address, std::uint64_t bytes) {
  check_room(address, bytes);
  if (address % launch::array_alignment != 0 || address < launch::first_device_address + global_mapped_)
    throw std::logic_error("an array needs pages of its own");
  map_below(address, 0);
  map_below(launch::end_of_array(address + bytes), model::block_linear_storage);
}

std::uint32_t device::allocate(std::uint64_t bytes) {
  std::uint32_t address = 0;
  if (!allocator_.allocate(bytes, address))
    throw input_error(fmt::format("no room for {} bytes in the memory of the device", bytes));
  map(address, bytes);
  return address;
}

std::uint32_t device::allocate_array(std::uint64_t bytes) {
  std::uint32_t address = 0;
  if (!allocator_.allocate_array(bytes, address))
    throw input_error(fmt::format("no room for {} bytes in the memory of the device", bytes));
  map_array(address, bytes);
  return address;
}

std::uint64_t device::physical(std::uint32_t address, std::size_t bytes) const {
  const model::page_table::range* range = chip_->pages.find(address);
  if (range == nullptr || address - launch::first_device_address + std::uint64_t{bytes} > global_mapped_)
    throw input_error(fmt::format("{} bytes at {:#x} of the device are not mapped", bytes, address));
  // A range ends where the access rights change, and at the border of an array.
  const std::uint64_t last = address + std::uint64_t{bytes} - 1;
  const model::page_table::range* end = bytes == 0 ? range : chip_->pages.find(last);
  if (bytes != 0 && (end == nullptr || end->translate(last) != range->translate(address) + bytes - 1))
    throw input_error(fmt::format("{} bytes at {:#x} reach from or into the memory of an array", bytes, address));
  return range->translate(address);
}

void device::copy_to_device(std::uint32_t address, const std::uint8_t* from, std::size_t bytes) {
  const std::uint64_t to = physical(address, bytes);
  start();
  chip_->host.copy_to_device(to, from, bytes);
}

void device::copy_from_device(std::uint32_t address, std::uint8_t* to, std::size_t bytes) {
  const std::uint64_t from = physical(address, bytes);
  start();
  chip_->host.copy_from_device(from, to, bytes);
}

void device::begin_copy_to_device(std::uint32_t address, const std::uint8_t* from, std::size_t bytes) {
  const std::uint64_t to = physical(address, bytes);
  start();
  chip_->host.begin_copy_to_device(to, from, bytes);
}

void device::begin_copy_from_device(std::uint32_t address, std::uint8_t* to, std::size_t bytes) {
  const std::uint64_t from = physical(address, bytes);
  start();
  chip_->host.begin_copy_from_device(from, to, bytes);
}

void device::finish_copies() { chip_->host.finish_copies(); }

void device::poke(std::uint32_t address, const std::uint8_t* from, std::size_t bytes) {
  const std::uint64_t to = physical(address, bytes);
  start();
  chip_->host.poke(to, from, bytes);
}

void device::peek(std::uint32_t address, std::uint8_t* to, std::size_t bytes) {
  const std::uint64_t from = physical(address, bytes);
  start();
  chip_->host.peek(from, to, bytes);
}

void device::bind_texture(unsigned unit, const model::texture_binding& texture) {
  if (textures_.size() <= unit) textures_.resize(unit + 1);
  textures_[unit] = texture;
}

// -- launches --

// Local memory ends where the stack memory begins, both in the address space and in physical memory. So a smaller
// local memory is a part of a larger one, and pages stay valid once mapped.
void device::map_local_memory(model::grid_descriptor& grid) {
  if (grid.local_bytes == 0) return;
  const config::gpu_config& config = chip_->config;
  const std::uint64_t threads = std::uint64_t{config.chip.sms()} * config.tpc.sm.limits.warps * isa::warp_size;
  const std::uint64_t bytes = round_up(threads * grid.local_bytes, config.memory_map.page_bytes);
  const std::uint64_t memory = config.memory_bytes() - stack_.bytes;
  const std::uint64_t room = memory - config.memory_map.global_base - global_mapped_;
  if (bytes > room || bytes > stack_.base - launch::first_device_address - global_mapped_)
    throw input_error(
        fmt::format("no room for {} bytes of local memory for each of {} threads", grid.local_bytes, threads));
  grid.local_base = stack_.base - bytes;
  if (bytes <= local_mapped_) return;
  chip_->pages.map(stack_.base - bytes, bytes - local_mapped_, memory - bytes, true);
  local_mapped_ = bytes;
}

void device::write_page_tables() {
  for (const model::memory_image& image : chip_->pages.take_changes())
    chip_->host.poke(image.address, image.bytes.data(), image.bytes.size());
}

model::grid_descriptor device::describe(const launch::launch_parameters& parameters) {
  const std::string reason = refusal(chip_->config.chip, parameters);
  if (!reason.empty()) throw input_error(reason);
  const model::placed_kernel* placed = placement_.find(parameters.kernel);
  if (placed == nullptr) throw input_error(fmt::format("kernel '{}' has not been loaded", parameters.kernel->name));
  model::grid_descriptor grid;
  grid.grid_id = parameters.grid_id;
  grid.code_base = placed->code_base;
  grid.code_bytes = placed->code_bytes;
  grid.constants = placed->constants;
  describe_needs(chip_->config.chip, parameters, grid);
  if (chip_->config.chip.is_tesla()) describe_sections(*parameters.kernel, grid);
  describe_warps(parameters, grid);
  place_parameters(parameters, grid);
  grid.textures = textures_;
  map_local_memory(grid);
  return grid;
}

void device::describe_sections(const cubin::kernel& kernel, model::grid_descriptor& grid) const {
  const isa::section_request section = launch::shared_section(kernel);
  if (section.count == 0) return;
  if (chip_->config.tpc.sm.register_file.sharing == config::register_sharing::none)
    throw input_error(
        fmt::format("kernel '{}' acquires registers that warps share over time; this chip has none "
                    "(tpc.sm.register_file.sharing)",
                    kernel.name));
  grid.base_registers = section.first;
}

void device::describe_warps(const launch::launch_parameters& parameters, model::grid_descriptor& grid) const {
  if (chip_->config.tpc.sm.warp_formation == config::warp_formation::fixed) return;
  grid.static_warps = parameters.warp_synchronous;
  if (grid.static_warps) return;
  const std::string reason = needs_static_warps(*parameters.kernel);
  if (!reason.empty()) throw input_error(fmt::format("kernel '{}': {}", parameters.kernel->name, reason));
}

// In constant memory, but for Tesla.
void device::place_parameters(const launch::launch_parameters& parameters, model::grid_descriptor& grid) {
  if (chip_->config.chip.is_tesla()) return;
  for (unsigned space = 0; space < launch_constants_.size(); ++space)
    if (launch_constants_[space].bytes != 0) grid.constants[space] = launch_constants_[space];
  const std::uint32_t base = std::max(parameters.kernel->parameter_base,
                                      cubin::architecture_of_sm(chip_->config.chip.capability()).parameter_base);
  grid.constants[0].bytes = base + static_cast<std::uint32_t>(parameters.parameter_bytes.size() + 3) / 4 * 4;
}

void device::write_launch_constants() {
  if (chip_->config.chip.is_tesla()) return;
  const arch_state::generation_values& values = chip_->generation().values();
  if (chip_->config.chip.is_volta()) {
    const std::vector<std::uint8_t> image =
        launch::volta::launch_constants(parameters_, values.shared_window, values.local_window);
    chip_->host.poke(launch_constants_[0].address, image.data(), image.size());
    return;
  }
  const std::vector<std::uint8_t> images[] = {
      launch::fermi::launch_constants(parameters_, values.shared_window, values.local_window),
      launch::fermi::stack_constants(parameters_)};
  for (unsigned space = 0; space < launch_constants_.size(); ++space)
    chip_->host.poke(launch_constants_[space].address, images[space].data(), images[space].size());
}

// Several threads need clusters that run by themselves.
void device::require_threads() const {
  const std::string& reason = chip_->clocks.time_order_reason();
  if (options_.clocking.threads > 1 && !reason.empty())
    throw input_error(fmt::format("{} threads cannot run this chip: {}", options_.clocking.threads, reason));
}

launch_result device::launch(const launch::launch_parameters& parameters) {
  if (!usable_) throw input_error("the device cannot be used before a reset: an earlier launch did not end");
  require_threads();
  grid_ = describe(parameters);
  parameters_ = parameters;
  start();
  if (chip_->config.host.copy_engines == 0) finish_copies();
  write_page_tables();
  write_launch_constants();
  launched_ = true;
  if (const model::launch_refusal refusal = chip_->host.launch(grid_))
    throw input_error(
        fmt::format("kernel '{}' cannot be launched: {}", parameters.kernel->name, model::describe(refusal)));
  launch_result result;
  run(result);
  usable_ = result.reason == end_reason::done;
  return result;
}

void device::reset() {
  start();
  if (const std::vector<std::string> refusals = chip_->reset_refusals(); !refusals.empty())
    throw input_error(fmt::format("the chip cannot be reset: {}", refusals.front()));
  chip_->clocks.end_window_at(tlm_bus::no_time);
  chip_->host.write_register(model::registers::reset, 1);
  while (chip_->reset_pending()) chip_->host.run(sc_core::sc_time::from_value(chip_->clocks.window()));
  stop_requested_ = false;
  launched_ = false;
  usable_ = true;
  if (options_.unobserved) chip_->join_stages();
}

void device::stop() {
  // In the order of time all parts of the chip execute this instant, and none the next.
  if (!chip_->clocks.defers_crossings()) chip_->clocks.end_window_at(sc_core::sc_time_stamp().value() + 1);
  stop_at_window_end();
}

void device::stop_at_window_end() {
  stop_requested_ = true;
  chip_->clocks.pause();
}

void device::run(launch_result& result) {
  const tlm_bus::femtoseconds core = chip_->core.period();
  // A connection that stalls in p of 1024 cycles takes 1024 / (1024 - p) times as long on average.
  const tlm_bus::femtoseconds idle_limit =
      (chip_->config.simulation.watchdog_idle_cycles * core + config::quiet_time(chip_->config)) * 1024 /
      (1024 - options_.clocking.stalls.per_1024);
  const tlm_bus::femtoseconds window = chip_->clocks.window();
  const tlm_bus::femtoseconds slice = round_up(std::min(slice_cycles * core, idle_limit), window);
  const auto now = []() -> tlm_bus::femtoseconds { return sc_core::sc_time_stamp().value(); };

  const tlm_bus::femtoseconds called_at = now();
  const tlm_bus::femtoseconds end_at =
      options_.max_cycles == 0 ? tlm_bus::no_time : called_at + options_.max_cycles * core;
  chip_->clocks.end_window_at(end_at);
  const tlm_bus::femtoseconds stop_at =
      options_.stop_at_cycle == 0 ? tlm_bus::no_time : called_at + options_.stop_at_cycle * core;
  tlm_bus::femtoseconds moved_at = called_at;
  std::uint64_t progress = chip_->progress();
  const std::uint64_t begun_before = chip_->command_processor.launches.value();
  for (;;) {
    const tlm_bus::femtoseconds target = std::min({now() + slice, end_at, stop_at});
    chip_->host.run(sc_core::sc_time::from_value(target - now()));
    const auto status = chip_->host.status();
    if (status != model::registers::chip_status::busy) {
      result.reason = status == model::registers::chip_status::faulted ? end_reason::fault : end_reason::done;
      break;
    }
    if (options_.on_progress) options_.on_progress();
    if (stop_requested_ || now() >= stop_at || (options_.stop != nullptr && *options_.stop != 0)) {
      result.reason = end_reason::stopped;
      break;
    }
    if (now() >= end_at) {
      result.reason = end_reason::max_cycles;
      result.explanation = explanation_of_hang();
      break;
    }
    const std::uint64_t progress_now = chip_->progress();
    if (progress_now != progress) moved_at = now();
    progress = progress_now;
    if (!sc_core::sc_pending_activity() || now() - moved_at >= idle_limit) {
      result.reason = end_reason::hang;
      result.explanation =
          options_.explain_hang
              ? explanation_of_hang()
              : fmt::format("no instruction, block or access to memory has moved for {} core cycles\n",
                            (now() - moved_at) / core);
      break;
    }
  }

  const model::host::launch_cycles uncore = chip_->host.cycles_of_last_launch();
  const bool ended = result.reason == end_reason::done;
  // A launch that was stopped before it reached the work distributor took no time.
  const bool begun = chip_->command_processor.launches.value() != begun_before;
  result.ended_at = ended ? uncore.ended * chip_->uncore.period() : now();
  result.began_at = begun ? uncore.began * chip_->uncore.period() : result.ended_at;
  result.cycles = (result.ended_at - result.began_at + core - 1) / core;
  if (result.reason == end_reason::fault) result.fault = fault_of_launch(*chip_, *parameters_.kernel, grid_.grid);
}

}  // namespace gt200
