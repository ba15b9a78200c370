#include "sc_models/host/host.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "tlm_bus/payload_text.h"
#include "tlm_bus/state_image.h"

namespace gt200::model {

namespace {

constexpr std::size_t largest_access = std::size_t{1} << 30;  // lengths of a payload have 32 bits

std::uint32_t high_word(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); }
std::uint32_t low_word(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

std::uint32_t log_of_local(std::uint32_t bytes) {
  std::uint32_t log = 0;
  while (bytes > 8u << log) ++log;
  return log;
}

}  // namespace

host::host(const sc_core::sc_module_name& name, const config::host_config& config, unsigned packets)
    : sc_core::sc_module(name),
      chip("chip"),
      interrupt("interrupt"),
      config_(config),
      link_(
          config, packets,
          [this](tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
            return chip->nb_transport_fw(p, phase, delay);
          },
          [this](copy_direction direction, std::size_t bytes) { packet_arrived(direction, bytes); }) {
  interrupt.bind(*this);
  chip.register_nb_transport_bw(this, &host::nb_transport_bw);
  using SC_CURRENT_USER_MODULE [[maybe_unused]] = gt200::model::host;  // as in tlm_bus/stage.cpp
  SC_METHOD(carry_packets);
  sensitive << carry_event_;
  dont_initialize();
}

void host::launch_ended() { sc_core::sc_pause(); }

void host::run(const sc_core::sc_time& duration) {
  const sc_core::sc_time planned = sc_core::sc_time_stamp() + duration;
  sc_core::sc_start(duration, sc_core::SC_RUN_TO_TIME);
  if (windows_ == nullptr) return;
  // After a pause the edges at this instant have been executed, so a window that begins here has begun.
  const tlm_bus::femtoseconds executed = sc_core::sc_time_stamp() < planned ? 1 : 0;
  const sc_core::sc_time end =
      sc_core::sc_time::from_value(windows_->window_end(sc_core::sc_time_stamp().value() + executed));
  // A pause ends a call early.
  while (sc_core::sc_time_stamp() < end) sc_core::sc_start(end - sc_core::sc_time_stamp(), sc_core::SC_RUN_TO_TIME);
}

void host::access(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data, std::size_t bytes) {
  for (std::size_t done = 0; done < bytes;) {
    const auto part = static_cast<unsigned>(std::min(bytes - done, largest_access));
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address + done);
    payload.set_data_ptr(data + done);
    payload.set_data_length(part);
    payload.set_streaming_width(part);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    sc_core::sc_time delay;
    chip->b_transport(payload, delay);
    if (payload.is_response_error())
      throw std::out_of_range(std::string(name()) + ": the chip answers " + tlm_bus::text_of(payload) + " with " +
                              payload.get_response_string());
    done += part;
  }
}

void host::poke(std::uint64_t device_address, const std::uint8_t* from, std::size_t bytes) {
  access(tlm::TLM_WRITE_COMMAND, registers::aperture + device_address, const_cast<std::uint8_t*>(from), bytes);
}

void host::peek(std::uint64_t device_address, std::uint8_t* to, std::size_t bytes) {
  access(tlm::TLM_READ_COMMAND, registers::aperture + device_address, to, bytes);
}

// ---- copies ----

void host::begin_copy(copy_direction direction, std::uint64_t device_address, std::uint8_t* data,
                      std::size_t bytes) {
  if (bytes == 0) return;
  link_.begin(direction, registers::aperture + device_address, data, bytes);
  carry_event_.notify(sc_core::SC_ZERO_TIME);
}

void host::begin_copy_to_device(std::uint64_t device_address, const std::uint8_t* from, std::size_t bytes) {
  begin_copy(copy_direction::to_device, device_address, const_cast<std::uint8_t*>(from), bytes);
}

void host::begin_copy_from_device(std::uint64_t device_address, std::uint8_t* to, std::size_t bytes) {
  begin_copy(copy_direction::from_device, device_address, to, bytes);
}

void host::copy_to_device(std::uint64_t device_address, const std::uint8_t* from, std::size_t bytes) {
  begin_copy_to_device(device_address, from, bytes);
  finish_copies();
}

void host::copy_from_device(std::uint64_t device_address, std::uint8_t* to, std::size_t bytes) {
  begin_copy_from_device(device_address, to, bytes);
  finish_copies();
}

void host::finish_copies() {
  waits_for_copies_ = true;
  while (copying()) {
    run(sc_core::sc_time(1, sc_core::SC_MS));
    if (copying() && !sc_core::sc_pending_activity())
      throw std::logic_error(std::string(name()) + ": the chip does not answer a copy");
  }
  waits_for_copies_ = false;
  if (const std::string error = link_.take_error(); !error.empty())
    throw std::out_of_range(std::string(name()) + ": " + error);
}

void host::carry_packets() {
  const tlm_bus::femtoseconds now = sc_core::sc_time_stamp().value();
  const tlm_bus::femtoseconds next = link_.carry(now);
  if (next != tlm_bus::no_time) carry_event_.notify(sc_core::sc_time::from_value(next - now));
  stop_when_copied();
}

tlm::tlm_sync_enum host::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                         sc_core::sc_time& delay) {
  const tlm_bus::femtoseconds at = sc_core::sc_time_stamp().value() + delay.value();
  const tlm::tlm_sync_enum result = link_.backward(payload, phase, at);
  carry_event_.notify(delay + sc_core::sc_time::from_value(1));
  stop_when_copied();
  return result;
}

void host::packet_arrived(copy_direction direction, std::size_t bytes) {
  (direction == copy_direction::to_device ? bytes_to_device : bytes_from_device) += bytes;
}

void host::stop_when_copied() {
  if (waits_for_copies_ && link_.idle()) sc_core::sc_pause();
}

// ---- registers ----

std::uint32_t host::read_register(std::uint32_t offset) {
  std::uint8_t bytes[4] = {};
  access(tlm::TLM_READ_COMMAND, offset, bytes, 4);
  return std::uint32_t{bytes[0]} | std::uint32_t{bytes[1]} << 8 | std::uint32_t{bytes[2]} << 16 |
         std::uint32_t{bytes[3]} << 24;
}

void host::write_register(std::uint32_t offset, std::uint32_t value) {
  std::uint8_t bytes[4] = {static_cast<std::uint8_t>(value), static_cast<std::uint8_t>(value >> 8),
                           static_cast<std::uint8_t>(value >> 16), static_cast<std::uint8_t>(value >> 24)};
  access(tlm::TLM_WRITE_COMMAND, offset, bytes, 4);
}

registers::chip_status host::status() {
  return static_cast<registers::chip_status>(read_register(registers::status) & 3u);
}

host::launch_cycles host::cycles_of_last_launch() {
  const auto wide = [this](std::uint32_t low, std::uint32_t high) {
    return std::uint64_t{read_register(high)} << 32 | read_register(low);
  };
  return {wide(registers::began_low, registers::began_high), wide(registers::ended_low, registers::ended_high)};
}

void host::write_constants(const grid_descriptor& grid) {
  for (std::uint32_t space = 0; space < grid.constants.size(); ++space) {
    const constant_binding& binding = grid.constants[space];
    if (binding.bytes != 0) {
      write_register(registers::cb_def_address_high, high_word(binding.address));
      write_register(registers::cb_def_address_low, low_word(binding.address));
      write_register(registers::cb_def_set, (binding.bytes & 0xffffu) | space << 16);
    }
    write_register(registers::set_program_cb,
                   (binding.bytes != 0 ? 1u : 0u) | (space & 15u) << 8 | space << 12 | (space >> 4) << 19);
  }
}

void host::write_textures(const grid_descriptor& grid) {
  write_register(registers::texture_unbind_all, 1);
  for (std::uint32_t unit = 0; unit < grid.textures.size(); ++unit) {
    const texture_binding& binding = grid.textures[unit];
    if (!binding.bound) continue;
    const sampling::texture_shape& shape = binding.shape;
    const bool block_linear = shape.layout == sampling::texture_layout::block_linear;
    std::uint32_t sampler = shape.filter == sampling::texture_filter::linear ? 1u : 0u;
    sampler |= shape.normalised_coordinates ? 1u << 1 : 0u;
    for (unsigned d = 0; d < 3; ++d) {
      const auto mode = static_cast<std::uint32_t>(shape.addressing[d]);
      sampler |= (mode & 1u) << (4 + d) | (mode >> 1) << (8 + d);
    }
    write_register(registers::texture_address_high, high_word(binding.address));
    write_register(registers::texture_address_low, low_word(binding.address));
    write_register(registers::texture_width, shape.extent[0]);
    write_register(registers::texture_height, shape.extent[1]);
    write_register(registers::texture_depth, shape.extent[2]);
    write_register(registers::texture_pitch, shape.pitch);
    write_register(registers::texture_format, std::uint32_t{shape.texel.components} |
                                                  static_cast<std::uint32_t>(shape.texel.format) << 4 |
                                                  (shape.texel.normalised ? 1u << 8 : 0u));
    write_register(registers::texture_image, shape.dimensions | (block_linear ? 1u << 2 : 0u) |
                                                 std::uint32_t{shape.block_height_log} << 4 |
                                                 std::uint32_t{shape.block_depth_log} << 8);
    write_register(registers::texture_sampler, sampler);
    write_register(registers::texture_bind, unit);
  }
}

launch_refusal host::launch(const grid_descriptor& grid) {
  ++launches;
  // Until run() is called, only registers of the command processor are accessed, and no TPC has anything to do. So
  // this need not end with a window.
  sc_core::sc_start(sc_core::sc_time(config_.launch_overhead_ns, sc_core::SC_NS), sc_core::SC_RUN_TO_TIME);
  write_register(registers::gridid, grid.grid_id);
  write_register(registers::griddim, grid.grid[0] | grid.grid[1] << 16);
  write_register(registers::griddim_z, grid.grid[2]);
  write_register(registers::blockdim_xy, grid.block[0] | grid.block[1] << 16);
  write_register(registers::blockdim_z, grid.block[2]);
  write_register(registers::block_alloc, (grid.threads() & 0xffffu) | grid.barriers << 16);
  write_register(registers::cp_address_high, high_word(grid.code_base));
  write_register(registers::cp_address_low, low_word(grid.code_base));
  write_register(registers::code_size, grid.code_bytes);
  write_register(registers::cp_start_id, grid.entry);
  write_register(registers::cp_reg_alloc_temp, grid.registers);
  if (grid.base_registers != base_registers_) write_register(registers::base_registers, grid.base_registers);
  base_registers_ = grid.base_registers;
  if (grid.static_warps != static_warps_) write_register(registers::static_warps, grid.static_warps ? 1 : 0);
  static_warps_ = grid.static_warps;
  write_register(registers::shared_size, grid.shared_bytes);
  write_register(registers::local_size_log, log_of_local(grid.local_bytes));
  write_register(registers::local_address_high, high_word(grid.local_base));
  write_register(registers::local_address_low, low_word(grid.local_base));
  const auto parameter_bytes = static_cast<std::uint32_t>(grid.parameters.size());
  const std::uint32_t words = std::min((parameter_bytes + 3) / 4, registers::user_param_words);
  write_register(registers::user_param_count, words << 8);
  write_register(registers::user_param_bytes, parameter_bytes);
  for (std::uint32_t i = 0; i < words; ++i) {
    std::uint32_t word = 0;
    for (std::uint32_t b = 4 * i; b < std::min(4 * i + 4, parameter_bytes); ++b)
      word |= std::uint32_t{grid.parameters[b]} << (8 * (b % 4));
    write_register(registers::user_param + 4 * i, word);
  }
  write_constants(grid);
  write_textures(grid);
  write_register(registers::launch, 1);
  return {static_cast<launch_error>(read_register(registers::error)), read_register(registers::error_value),
          read_register(registers::error_limit)};
}

void host::visit_state(tlm_bus::state_image& state) {
  state.fixed(config_, windows_, waits_for_copies_);
  state.at_reset([this] {
    link_.forget();
    carry_event_.cancel();
  });
  state.fixed(link_);
  state(base_registers_, static_warps_);
}

}  // namespace gt200::model
