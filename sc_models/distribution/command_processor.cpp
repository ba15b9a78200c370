#include "sc_models/distribution/command_processor.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "tlm_bus/state_image.h"

namespace gt200::model {

using registers::chip_status;

namespace {

constexpr unsigned host_port_depth = 4;

// What no transaction of the host may cross: one to a partition fits into a line of its L2 and into a block of the
// ROP.
unsigned boundary_of(const config::gpu_config& config) {
  const unsigned largest = std::min(config.partition.interleave_bytes, 128u);
  return config.partition.l2.enabled ? std::min(largest, config.partition.l2.line_bytes) : largest;
}

// What no access can do without, whatever its address is: OK if nothing is missing.
tlm::tlm_response_status missing_in(const tlm::tlm_generic_payload& payload) {
  if (payload.get_data_length() != 0 && payload.get_data_ptr() == nullptr) return tlm::TLM_GENERIC_ERROR_RESPONSE;
  if (payload.get_byte_enable_ptr() != nullptr && payload.get_byte_enable_length() == 0)
    return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

// A payload frees its extensions, and this one is not its own: it goes before, also when the memory behind throws.
class lent_extension {
 public:
  lent_extension(tlm::tlm_generic_payload& to, memory_extension& extension) : to_(to), extension_(extension) {
    to_.set_extension(&extension_);
  }
  ~lent_extension() { to_.clear_extension(&extension_); }
  lent_extension(const lent_extension&) = delete;
  lent_extension& operator=(const lent_extension&) = delete;

 private:
  tlm::tlm_generic_payload& to_;
  memory_extension& extension_;
};

bool has_textures(const grid_descriptor& grid) {
  return std::any_of(grid.textures.begin(), grid.textures.end(), [](const texture_binding& t) { return t.bound; });
}

}  // namespace

command_processor::command_processor(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore,
                                     const config::gpu_config& config,
                                     const arch_state::generation_values& generation)
    : stage(name, uncore),
      host("host", *this, host_port_depth, 1, [this](tlm::tlm_generic_payload& p) { return transport_dbg(p); }),
      memory("memory", *this),
      start("start", *this),
      end("end", *this, 2),
      caches("caches"),
      interrupt("interrupt"),
      interrupt_line("interrupt_line"),
      generation_(generation),
      limits_(config.tpc.sm.limits),
      sharing_(config.tpc.sm.register_file.sharing),
      formation_(config.tpc.sm.warp_formation),
      sms_(config.chip.sms()),
      initial_state_seed_(config.simulation.initial_state_seed),
      latency_(config.command_processor.latency_cycles),
      queue_entries_(config.command_processor.queue_entries),
      accesses_(memory, config.command_processor.host_accesses, boundary_of(config)) {
  host.serve_blocking([this](tlm::tlm_generic_payload& p, sc_core::sc_time& delay) { b_transport(p, delay); });
  host.outlive_reset();
  // The line has one driver, whoever sets or clears the interrupt.
  using SC_CURRENT_USER_MODULE [[maybe_unused]] = command_processor;  // as in tlm_bus/stage.cpp
  SC_METHOD(drive_interrupt_line);
  sensitive << interrupt_changed_;
  dont_initialize();
}

void command_processor::set_interrupt(bool pending) {
  if (interrupt_pending_ == pending) return;
  interrupt_pending_ = pending;
  if (interrupt_line.size() != 0) interrupt_changed_.notify(sc_core::SC_ZERO_TIME);
}

void command_processor::drive_interrupt_line() { interrupt_line->write(interrupt_pending_); }

registers::chip_status command_processor::status() const {
  if (resetting_) return chip_status::resetting;
  if (faulted_) return chip_status::faulted;
  return queue_.empty() ? chip_status::idle : chip_status::busy;
}

void command_processor::tick() {
  take_end();
  begin_next();
  serve_host();
}

void command_processor::serve_host() {
  // 1. Memory answers.
  if (memory.responses_waiting() != 0)
    if (tlm::tlm_generic_payload* const done = accesses_.receive()) answers_.push_back(done);
  // 2. One access is answered.
  if (!answers_.empty() && host.can_respond()) {
    tlm::tlm_generic_payload& answer = *answers_.front();
    answers_.pop_front();
    host.respond(answer);
    if (!answers_.empty()) wake_next();
  }
  // 3. One access begins.
  if (tlm::tlm_generic_payload* const request = host.request()) {
    if (take_access(*request)) host.take_request();
  } else if (host.requests_waiting() != 0) {
    wake_next();  // it comes later by its annotated delay
  }
  // 4. One transaction goes to memory.
  if (accesses_.send()) wake_next();
}

bool command_processor::take_access(tlm::tlm_generic_payload& payload) {
  const auto answer = [&](tlm::tlm_response_status status) {
    payload.set_dmi_allowed(false);
    payload.set_response_status(status);
    answers_.push_back(&payload);
    wake_next();
    return true;
  };
  const unsigned bytes = payload.get_data_length();
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return answer(tlm::TLM_OK_RESPONSE);
  if (const auto missing = missing_in(payload); missing != tlm::TLM_OK_RESPONSE) return answer(missing);
  const auto address = device_address(payload);
  if (!address) return answer(access_registers(payload, now()));
  if (bytes == 0 || bytes > host_accesses::max_bytes || payload.get_streaming_width() < bytes)
    return answer(tlm::TLM_BURST_ERROR_RESPONSE);
  if (!accesses_.has_room(payload)) return false;
  payload.set_dmi_allowed(false);
  accesses_.begin(payload, *address);
  return true;
}

void command_processor::take_end() {
  const grid_end_token* token = end.front();
  if (token == nullptr) return;
  ended_ = cycle();
  busy_cycles += ended_ - began_;
  running_ = false;
  ++grids_ended_;
  if (token->faulted) {
    faulted_ = true;
    fault_sm_ = std::uint32_t{token->tpc} << 8 | token->sm;
    fault_block_ = token->block_id;
  } else {
    queue_.pop_front();
  }
  end.pop();
  set_interrupt(true);
  if (interrupt.size() != 0) interrupt->launch_ended();
}

void command_processor::begin_next() {
  if (running_ || faulted_ || queue_.empty()) return;
  pending_launch& next = queue_.front();
  if (next.visible_at > cycle()) {
    wake_at(next.visible_at);
    return;
  }
  if (begin_at_ == tlm_bus::no_cycle) begin_at_ = cycle() + latency_;
  if (begin_at_ > cycle()) {
    wake_at(begin_at_);
    return;
  }
  if (!start.can_send()) return;
  for (int i = 0; i < caches.size(); ++i) caches[i]->invalidate();
  if (textures_begin_ && has_textures(next.grid)) textures_begin_();
  next.grid.launch = ++launches_begun_;
  start.send({&next.grid});
  running_ = true;
  began_ = cycle();
  begin_at_ = tlm_bus::no_cycle;
  ++launches;
}

void command_processor::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  payload.set_dmi_allowed(false);
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  } else if (const auto missing = missing_in(payload); missing != tlm::TLM_OK_RESPONSE) {
    payload.set_response_status(missing);
  } else if (const auto address = device_address(payload)) {
    const unsigned bytes = payload.get_data_length();
    if (bytes == 0 || payload.get_streaming_width() < bytes)
      payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    else
      payload.set_response_status(access_memory(payload, *address) == bytes ? tlm::TLM_OK_RESPONSE
                                                                            : tlm::TLM_ADDRESS_ERROR_RESPONSE);
  } else {
    const tlm_bus::femtoseconds at = domain().driver().now() + delay.value();
    payload.set_response_status(access_registers(payload, at));
  }
}

// A debug write does not reach the registers, because a debugger must not launch.
unsigned command_processor::transport_dbg(tlm::tlm_generic_payload& payload) {
  if (missing_in(payload) != tlm::TLM_OK_RESPONSE) return 0;
  if (const auto address = device_address(payload)) return access_memory(payload, *address);
  if (payload.get_command() != tlm::TLM_READ_COMMAND) return 0;
  return access_registers(payload, 0) == tlm::TLM_OK_RESPONSE ? payload.get_data_length() : 0;
}

std::optional<std::uint64_t> command_processor::device_address(const tlm::tlm_generic_payload& payload) const {
  using namespace registers;
  const std::uint64_t address = payload.get_address();
  if (address >= aperture) return address - aperture;
  if (address < window_base || address >= window_base + window_bytes) return std::nullopt;
  const std::uint64_t offset = address - window_base;
  if (payload.get_data_length() > window_bytes - offset) return std::nullopt;
  return std::uint64_t{window_} * window_bytes + offset;
}

unsigned command_processor::access_memory(tlm::tlm_generic_payload& payload, std::uint64_t address) {
  // Bytes of a read that are not enabled stay as they are: parts behind would show what they hold back in them.
  if (payload.is_read() && payload.get_byte_enable_ptr() != nullptr) {
    std::vector<std::uint8_t> all(payload.get_data_length());
    tlm::tlm_generic_payload whole;
    whole.set_command(tlm::TLM_READ_COMMAND);
    whole.set_data_ptr(all.data());
    whole.set_data_length(payload.get_data_length());
    const unsigned moved = access_memory(whole, address);
    for (unsigned i = 0; i < moved; ++i)
      if (payload.get_byte_enable_ptr()[i % payload.get_byte_enable_length()] != 0)
        payload.get_data_ptr()[i] = all[i];
    return moved;
  }
  // A copy, because the caller's payload must keep its address.
  tlm::tlm_generic_payload inner;
  memory_extension extension;
  extension.space = memory_space::host;
  extension.kind = payload.is_write() ? memory_kind::store : memory_kind::load;
  inner.set_command(payload.get_command());
  inner.set_address(address);
  inner.set_data_ptr(payload.get_data_ptr());
  inner.set_data_length(payload.get_data_length());
  inner.set_byte_enable_ptr(payload.get_byte_enable_ptr());
  inner.set_byte_enable_length(payload.get_byte_enable_length());
  inner.set_streaming_width(payload.get_data_length());
  const lent_extension lent(inner, extension);
  return memory->transport_dbg(inner);
}

bool command_processor::peek(std::uint64_t device_address, std::uint8_t* to, std::size_t bytes) {
  constexpr std::size_t largest = std::size_t{1} << 30;  // lengths of a payload have 32 bits
  for (std::size_t done = 0; done < bytes;) {
    const auto part = static_cast<unsigned>(std::min(bytes - done, largest));
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_data_ptr(to + done);
    payload.set_data_length(part);
    if (access_memory(payload, device_address + done) != part) return false;
    done += part;
  }
  return true;
}

tlm::tlm_response_status command_processor::access_registers(tlm::tlm_generic_payload& payload,
                                                             tlm_bus::femtoseconds at) {
  const auto address = payload.get_address();
  const unsigned bytes = payload.get_data_length();
  if (payload.get_byte_enable_ptr() != nullptr) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (bytes == 0 || bytes % 4 != 0 || address % 4 != 0 || payload.get_streaming_width() < bytes)
    return tlm::TLM_BURST_ERROR_RESPONSE;
  for (auto a = address; a < address + bytes; a += 4)
    if (a >= registers::space_bytes || !has_register(static_cast<std::uint32_t>(a)))
      return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  for (unsigned i = 0; i < bytes; i += 4) {
    const auto offset = static_cast<std::uint32_t>(address + i);
    std::uint32_t word = 0;
    if (payload.is_read()) {
      word = read(offset);
      std::memcpy(payload.get_data_ptr() + i, &word, 4);
    } else {
      std::memcpy(&word, payload.get_data_ptr() + i, 4);
      if (!write(offset, word, at)) return tlm::TLM_GENERIC_ERROR_RESPONSE;
    }
  }
  return tlm::TLM_OK_RESPONSE;
}

bool command_processor::has_register(std::uint32_t offset) {
  using namespace registers;
  switch (offset) {
    case launch:
    case id:
    case registers::status:
    case error:
    case error_value:
    case error_limit:
    case grids_ended:
    case fault_sm:
    case fault_block:
    case began_low:
    case began_high:
    case ended_low:
    case ended_high:
    case registers::interrupt:
    case window:
    case reset: return true;
    default: return launch_registers::contains(offset);
  }
}

std::uint32_t command_processor::read(std::uint32_t offset) const {
  switch (offset) {
    case registers::launch: return 0;
    case registers::id: return registers::id_value;
    case registers::status: {
      const std::size_t waiting = queue_.size() - (running_ || faulted_ ? 1 : 0);
      return static_cast<std::uint32_t>(status()) | static_cast<std::uint32_t>(waiting) << 8;
    }
    case registers::error: return static_cast<std::uint32_t>(refusal_.error);
    case registers::error_value: return refusal_.value;
    case registers::error_limit: return refusal_.limit;
    case registers::grids_ended: return grids_ended_;
    case registers::fault_sm: return fault_sm_;
    case registers::fault_block: return fault_block_;
    case registers::began_low: return static_cast<std::uint32_t>(began_);
    case registers::began_high: return static_cast<std::uint32_t>(began_ >> 32);
    case registers::ended_low: return static_cast<std::uint32_t>(ended_);
    case registers::ended_high: return static_cast<std::uint32_t>(ended_ >> 32);
    case registers::interrupt: return interrupt_pending_ ? 1 : 0;
    case registers::window: return window_;
    case registers::reset: return resetting_ ? 1 : 0;
    default: return registers_.read(offset);
  }
}

bool command_processor::write(std::uint32_t offset, std::uint32_t value, tlm_bus::femtoseconds at) {
  if (offset == registers::launch)
    enqueue_launch(at);
  else if (offset == registers::interrupt)
    set_interrupt(interrupt_pending_ && (value & 1) == 0);
  else if (offset == registers::window)
    window_ = value & 0xffff;
  else if (offset == registers::reset)
    return (value & 1) == 0 || ask_for_reset();
  else if (launch_registers::contains(offset))
    registers_.write(offset, value);
  return true;
}

bool command_processor::ask_for_reset() {
  if (!resetting_) resetting_ = request_reset_ && request_reset_();
  return resetting_;
}

void command_processor::enqueue_launch(tlm_bus::femtoseconds at) {
  pending_launch request{registers_.grid(), domain().first_edge_after(at)};
  request.grid.initial_state_seed = initial_state_seed_;
  request.grid.has_paired_sections = sharing_ == config::register_sharing::paired_warps;
  if (sharing_ == config::register_sharing::none) request.grid.base_registers = 0;
  request.grid.forms_warps = formation_ != config::warp_formation::fixed && !request.grid.static_warps;
  refusal_ = check(request.grid);
  if (refusal_) {
    ++refused;
    return;
  }
  queue_.push_back(std::move(request));
  if (queue_.size() == 1) wake_from_outside();
}

launch_refusal command_processor::check(const grid_descriptor& grid) const {
  if (resetting_) return {launch_error::resetting, 0, 0};
  if (faulted_) return {launch_error::faulted, 0, 0};
  const auto waiting = static_cast<std::uint32_t>(queue_.size() - (running_ ? 1 : 0));
  if (waiting >= queue_entries_) return {launch_error::queue_full, waiting + 1, queue_entries_};
  if (const auto refusal = check_launch(generation_, limits_, sms_, grid)) return refusal;
  if (registers_.allocated_threads() != grid.threads())
    return {launch_error::thread_allocation, registers_.allocated_threads(), grid.threads()};
  return {};
}

void command_processor::visit_state(tlm_bus::state_image& state) {
  // Nobody answers what has been taken, unless the host goes on.
  state.at_reset([this] {
    if (!host.outlives_reset()) return answers_.clear();
    accesses_.for_each([this](tlm::tlm_generic_payload& access) {
      access.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
      answers_.push_back(&access);
    });
  });
  state.fixed(answers_, generation_, limits_, sharing_, formation_, sms_, initial_state_seed_, latency_,
              queue_entries_, request_reset_, textures_begin_);
  state(accesses_, registers_, refusal_, queue_, begin_at_, launches_begun_, running_, faulted_, grids_ended_,
        fault_sm_, fault_block_, began_, ended_, window_, resetting_);
  // The line follows a change.
  state.at_reset([this] { set_interrupt(false); });
  state(interrupt_pending_);
}

}  // namespace gt200::model
