#include "sc_models/interconnect/crossbar.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "sc_models/memory_transaction.h"
#include "toolchain/bits.h"

namespace gt200::model {

// Travels with a payload through the partition and back.
class crossbar::route : public tlm::tlm_extension<crossbar::route> {
 public:
  unsigned source = 0;

  tlm::tlm_extension_base* clone() const override { return new route(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const route&>(other); }
  // A payload on its way when the simulation ends must not delete what belongs to the crossbar's pool.
  void free() override {}
};

namespace {

switching_network::parameters network(unsigned inputs, unsigned outputs, unsigned latency, unsigned queue_flits,
                                      const config::crossbar_config& config) {
  return {inputs,
          outputs,
          latency,
          queue_flits,
          1 + (tlm_bus::max_transaction_bytes + config.flit_bytes - 1) / config.flit_bytes,
          config.arbitration};
}

}  // namespace

crossbar::crossbar(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore,
                   const config::crossbar_config& config, const address_map& map, unsigned source_count)
    : stage(name, uncore),
      map_(map),
      flit_bytes_(config.flit_bytes),
      flit_shift_(static_cast<unsigned>(__builtin_ctz(config.flit_bytes))),
      request_network_(network(source_count, map.partitions(), config.request_latency_cycles,
                               config.request_queue_flits, config)),
      reply_network_(
          network(map.partitions(), source_count, config.reply_latency_cycles, config.reply_queue_flits, config)) {
  for (unsigned i = 0; i < source_count; ++i)
    sources.emplace_back(("source_" + std::to_string(i)).c_str(), *this, 2, 1,
                         [this](tlm::tlm_generic_payload& p) { return debug(p); });
  for (unsigned i = 0; i < map.partitions(); ++i)
    partitions.emplace_back(("partition_" + std::to_string(i)).c_str(), *this);
  for (unsigned i = 0; i < source_count; ++i)
    request_queues_.emplace_back("request_queue_" + std::to_string(i), config.request_queue_flits);
  for (unsigned i = 0; i < map.partitions(); ++i)
    reply_queues_.emplace_back("reply_queue_" + std::to_string(i), config.reply_queue_flits);
  request_network_.count_in(request_queues_);
  reply_network_.count_in(reply_queues_);
  for (auto& s : sources) source_ports_.push_back(&s);
  for (auto& p : partitions) partition_ports_.push_back(&p);
}

crossbar::~crossbar() = default;

void crossbar::tick() {
  // 1. Packets at the end of their line leave.
  deliver_requests();
  deliver_replies();
  // 2. Packets that have arrived at a port enter the queues of its input.
  accept_requests();
  accept_replies();
  // 3. The switches start packets.
  const unsigned request_flits_started = request_network_.arbitrate(cycle());
  const unsigned reply_flits_started = reply_network_.arbitrate(cycle());
  request_flits += request_flits_started;
  reply_flits += reply_flits_started;
  // 4. Wake up in the next cycle if queues have moved, else when the next packet can start or leave.
  if (request_flits_started + reply_flits_started != 0) {
    note_activity();
    wake_next();
  } else {
    const tlm_bus::cycle_t next =
        std::min(request_network_.next_event(cycle()), reply_network_.next_event(cycle()));
    if (next != tlm_bus::no_cycle) wake_at(next);
  }
}

void crossbar::deliver_requests() {
  for (const unsigned output : set_bits(request_network_.arrivals(cycle()))) {
    partition_socket& port = *partition_ports_[output];
    if (!port.can_request()) continue;
    tlm::tlm_generic_payload& payload = request_network_.arrived(output);
    request_network_.pop(output);
    port.request(payload);
    ++requests;
    if (request_network_.has_arrived(output, cycle())) wake_next();
  }
}

void crossbar::deliver_replies() {
  for (const unsigned output : set_bits(reply_network_.arrivals(cycle()))) {
    source_socket& port = *source_ports_[output];
    if (!port.can_respond()) continue;
    tlm::tlm_generic_payload& payload = reply_network_.arrived(output);
    reply_network_.pop(output);
    route* r = payload.get_extension<route>();
    payload.clear_extension(r);
    routes_.put(r);
    port.respond(payload);
    ++replies;
    if (reply_network_.has_arrived(output, cycle())) wake_next();
  }
}

void crossbar::accept_requests() {
  for (unsigned input = 0; input < source_ports_.size(); ++input) {
    source_socket& port = *source_ports_[input];
    if (port.requests_waiting() == 0) continue;
    unsigned& waiting = waiting_requests_[input];
    if (waiting != 0 && !request_network_.can_accept(input, waiting)) continue;
    tlm::tlm_generic_payload* payload = port.request();
    if (payload == nullptr) continue;
    const unsigned size = flits(payload->is_write() ? payload->get_data_length() : 0);
    waiting = request_network_.can_accept(input, size) ? 0 : size;
    if (waiting != 0) continue;
    if (bytes_of_memory(*payload) > map_.bytes_in_block(payload->get_address()))
      throw std::logic_error(std::string(port.name()) + ": transaction across an interleave block");
    port.take_request();
    route* r = routes_.get();
    r->source = input;
    payload->set_extension(r);
    request_network_.accept(input, map_.locate(payload->get_address()).partition, *payload, size, cycle());
  }
}

void crossbar::accept_replies() {
  for (unsigned input = 0; input < partition_ports_.size(); ++input) {
    partition_socket& port = *partition_ports_[input];
    if (port.responses_waiting() == 0) continue;
    unsigned& waiting = waiting_replies_[input];
    if (waiting != 0 && !reply_network_.can_accept(input, waiting)) continue;
    tlm::tlm_generic_payload* payload = port.response();
    if (payload == nullptr) continue;
    const unsigned size = flits(reply_bytes(*payload));
    waiting = reply_network_.can_accept(input, size) ? 0 : size;
    if (waiting != 0) continue;
    port.take_response();
    reply_network_.accept(input, payload->get_extension<route>()->source, *payload, size, cycle());
  }
}

unsigned crossbar::reply_bytes(tlm::tlm_generic_payload& payload) {
  if (payload.is_read()) return payload.get_data_length();
  const auto* extension = extension_of(payload);
  const bool value_returns = extension->kind == memory_kind::atomic && extension->returns_value;
  return value_returns ? (extension->wide ? 8 : 4) : 0;
}

unsigned crossbar::debug(tlm::tlm_generic_payload& payload) {
  const std::uint64_t address = payload.get_address();
  const unsigned bytes = payload.get_data_length();
  const std::uint8_t* enables = payload.get_byte_enable_ptr();
  if (enables != nullptr && payload.get_byte_enable_length() < bytes) return 0;
  for (unsigned done = 0; done < bytes;) {
    const auto part =
        static_cast<unsigned>(std::min<std::uint64_t>(bytes - done, map_.bytes_in_block(address + done)));
    debug_payload_.set_command(payload.get_command());
    debug_payload_.set_address(address + done);
    debug_payload_.set_data_ptr(payload.get_data_ptr() + done);
    debug_payload_.set_data_length(part);
    debug_payload_.set_streaming_width(part);
    debug_payload_.set_byte_enable_ptr(enables == nullptr ? nullptr : payload.get_byte_enable_ptr() + done);
    debug_payload_.set_byte_enable_length(enables == nullptr ? 0 : part);
    if (partitions[map_.locate(address + done).partition]->transport_dbg(debug_payload_) != part) return 0;
    done += part;
  }
  return bytes;
}

void crossbar::publish(tlm_bus::signal_writer& to) {
  for (unsigned i = 0; i < sources.size(); ++i) {
    to.enter("requests", i);
    to.outstanding().number("queued_flits", 16, request_network_.queued_flits(i));
    to.leave();
  }
  for (unsigned i = 0; i < partitions.size(); ++i) {
    to.enter("replies", i);
    to.outstanding().number("queued_flits", 16, reply_network_.queued_flits(i));
    to.leave();
  }
}

}  // namespace gt200::model
