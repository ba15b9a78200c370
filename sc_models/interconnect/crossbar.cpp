#include "sc_models/interconnect/crossbar.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "sc_models/memory_transaction.h"
#include "tlm_bus/stall_injection.h"
#include "tlm_bus/state_image.h"

namespace gt200::model {

// Travels with a payload through the partition and back.
class crossbar::route : public tlm::tlm_extension<crossbar::route> {
 public:
  unsigned source = 0;
  tlm_bus::cycle_t entered_at = 0;  // the queue of an input

  tlm::tlm_extension_base* clone() const override { return new route(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const route&>(other); }
  // A payload on its way when the simulation ends must not delete what belongs to the crossbar's pool.
  void free() override {}
};

namespace {

constexpr unsigned max_ports = 64;  // packets that wait in their ports have an array of that size

std::unique_ptr<network> make(const char* name, const char* crossbar, bool requests, unsigned sources,
                              unsigned partitions, unsigned latency, const config::crossbar_config& config,
                              const config::topology_config& topology) {
  if (sources == 0 || sources > max_ports || partitions == 0 || partitions > max_ports)
    throw std::invalid_argument(std::string(crossbar) + ": 1 to 64 sources and partitions");
  const std::string path = std::string(crossbar) + "." + name;
  const char* chosen = config::chosen_at(config::network_topologies, path.c_str(), topology.network.name());
  return make_network(chosen, {name, sources, partitions, requests, latency,
                               requests ? config.request_queue_flits : config.reply_queue_flits,
                               1 + (tlm_bus::max_transaction_bytes + config.flit_bytes - 1) / config.flit_bytes,
                               config, topology, topology.added.of(chosen)});
}

}  // namespace

const config::topology_config& crossbar::one_switch() {
  static const config::topology_config plain;  // its policy is the first one
  return plain;
}

crossbar::crossbar(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore,
                   const config::crossbar_config& config, const address_map& map, unsigned source_count,
                   unsigned link_latency, const config::topology_config& topology)
    : stage(name, uncore),
      to_request_network("to_request_network"),
      to_reply_network("to_reply_network"),
      request_clock("request_clock"),
      reply_clock("reply_clock"),
      from_request_network("from_request_network", request_taker_),
      from_reply_network("from_reply_network", reply_taker_),
      request_network(make("request_network", this->name(), true, source_count, map.partitions(),
                           config.request_latency_cycles - (link_latency - 1), config, topology)),
      reply_network(make("reply_network", this->name(), false, source_count, map.partitions(),
                         config.reply_latency_cycles - (link_latency - 1), config, topology)),
      map_(map),
      flit_bytes_(config.flit_bytes),
      flit_shift_(static_cast<unsigned>(__builtin_ctz(config.flit_bytes))),
      request_header_bytes_(config.request_header_bytes),
      reply_header_flits_(config.reply_header_flits),
      request_taker_(*this, &crossbar::take_request),
      reply_taker_(*this, &crossbar::take_reply) {
  for (unsigned i = 0; i < source_count; ++i)
    sources.emplace_back(("source_" + std::to_string(i)).c_str(), *this, link_latency + 1, link_latency,
                         [this](tlm::tlm_generic_payload& p) { return debug(p); });
  for (unsigned i = 0; i < map.partitions(); ++i)
    partitions.emplace_back(("partition_" + std::to_string(i)).c_str(), *this);
  for (unsigned i = 0; i < source_count; ++i)
    request_queues_.emplace_back("request_queue_" + std::to_string(i), config.request_queue_flits);
  for (unsigned i = 0; i < map.partitions(); ++i)
    reply_queues_.emplace_back("reply_queue_" + std::to_string(i), config.reply_queue_flits);
  request_network->count_in(request_queues_);
  reply_network->count_in(reply_queues_);
  to_request_network.bind(request_network->inputs);
  to_reply_network.bind(reply_network->inputs);
  request_network->outputs.bind(from_request_network);
  reply_network->outputs.bind(from_reply_network);
  request_clock.bind(request_network->clock);
  reply_clock.bind(reply_network->clock);
  for (auto& s : sources) source_ports_.push_back(&s);
  for (auto& p : partitions) partition_ports_.push_back(&p);
}

crossbar::~crossbar() = default;

void crossbar::tick() {
  // 1. Packets at the end of their line leave.
  deliver(request_clock);
  deliver(reply_clock);
  // 2. Packets that have arrived at a port enter the queues of its input.
  accept_requests();
  accept_replies();
  // 3. The switches start packets.
  network_cycle of_requests{network_cycle::half::start, cycle()};
  network_cycle of_replies{network_cycle::half::start, cycle()};
  request_clock.send(of_requests);
  reply_clock.send(of_replies);
  request_flits += of_requests.flits_started;
  reply_flits += of_replies.flits_started;
  // 4. Wake up in the next cycle if queues have moved, else when the next packet can start or leave.
  if (of_requests.moved || of_replies.moved) {
    note_activity();
    wake_next();
  } else {
    const tlm_bus::cycle_t next = std::min(of_requests.next_event, of_replies.next_event);
    if (next != tlm_bus::no_cycle) wake_at(next);
  }
}

void crossbar::deliver(tlm_bus::transaction_out<network_cycle>& clock) {
  network_cycle step{network_cycle::half::deliver, cycle()};
  clock.send(step);
  if (step.more_arrived) wake_next();
}

void crossbar::take_request(packet_delivery& delivery) {
  partition_socket& port = *partition_ports_[delivery.output];
  if (!port.can_request()) return;
  request_latency.add(cycle() - delivery.payload->get_extension<route>()->entered_at);
  port.request(*delivery.payload);
  ++requests;
  delivery.taken = true;
}

void crossbar::take_reply(packet_delivery& delivery) {
  source_socket& port = *source_ports_[delivery.output];
  if (!port.can_respond()) return;
  route* r = delivery.payload->get_extension<route>();
  reply_latency.add(cycle() - r->entered_at);
  delivery.payload->clear_extension(r);
  routes_.put(r);
  port.respond(*delivery.payload);
  ++replies;
  delivery.taken = true;
}

void crossbar::accept_requests() {
  for (unsigned input = 0; input < source_ports_.size(); ++input) {
    source_socket& port = *source_ports_[input];
    if (port.requests_waiting() == 0) continue;
    tlm::tlm_generic_payload* payload = port.request();
    if (payload == nullptr) continue;
    packet_offer& offer = waiting_requests_[input];
    if (offer.payload != payload) {
      if (bytes_of_memory(*payload) > map_.bytes_in_block(payload->get_address()))
        throw std::logic_error(std::string(port.name()) + ": transaction across an interleave block");
      offer = {input, map_.locate(payload->get_address()).partition,
               flits_of_request(payload->is_write() ? payload->get_data_length() : 0), payload};
    }
    offer.at = cycle();
    to_request_network.send(offer);
    if (!offer.accepted) continue;
    offer = {};
    route* r = routes_.get();
    r->source = input;
    r->entered_at = cycle();
    payload->set_extension(r);
    port.take_request();
  }
}

void crossbar::accept_replies() {
  for (unsigned input = 0; input < partition_ports_.size(); ++input) {
    partition_socket& port = *partition_ports_[input];
    if (port.responses_waiting() == 0) continue;
    tlm::tlm_generic_payload* payload = port.response();
    if (payload == nullptr) continue;
    packet_offer& offer = waiting_replies_[input];
    if (offer.payload != payload) {
      offer = {input, payload->get_extension<route>()->source,
               std::max(1u, reply_header_flits_ + data_flits(reply_bytes(*payload))), payload};
      if (varies_ && waits_a_cycle(input)) {
        wake_next();
        continue;
      }
    }
    offer.at = cycle();
    to_reply_network.send(offer);
    if (!offer.accepted) continue;
    offer = {};
    payload->get_extension<route>()->entered_at = cycle();
    port.take_response();
    last_reply_taken_[input] = cycle();
  }
}

void crossbar::vary(std::uint64_t seed) {
  varies_ = true;
  for (unsigned input = 0; input < partition_ports_.size(); ++input)
    variation_[input] = seed ^ tlm_bus::name_hash_of(partition_ports_[input]->name());
}

// Replies that follow each other closely are late already, or would lose bandwidth.
bool crossbar::waits_a_cycle(unsigned input) const {
  const bool idle = last_reply_taken_[input] + 1 < cycle();
  return idle && (tlm_bus::mixed(variation_[input], cycle()) & 1) != 0;
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
  std::uint8_t* const enables = payload.get_byte_enable_ptr();
  const unsigned pattern = payload.get_byte_enable_length();
  std::vector<std::uint8_t> repeated;  // of the part, if the pattern is shorter than the data
  for (unsigned done = 0; done < bytes;) {
    const auto part =
        static_cast<unsigned>(std::min<std::uint64_t>(bytes - done, map_.bytes_in_block(address + done)));
    std::uint8_t* enables_of_part = nullptr;
    if (enables != nullptr && pattern >= bytes) {
      enables_of_part = enables + done;
    } else if (enables != nullptr) {
      repeated.resize(part);
      for (unsigned i = 0; i < part; ++i) repeated[i] = enables[(done + i) % pattern];
      enables_of_part = repeated.data();
    }
    debug_payload_.set_command(payload.get_command());
    debug_payload_.set_address(address + done);
    debug_payload_.set_data_ptr(payload.get_data_ptr() + done);
    debug_payload_.set_data_length(part);
    debug_payload_.set_streaming_width(part);
    debug_payload_.set_byte_enable_ptr(enables_of_part);
    debug_payload_.set_byte_enable_length(enables == nullptr ? 0 : part);
    if (partitions[map_.locate(address + done).partition]->transport_dbg(debug_payload_) != part) return 0;
    done += part;
  }
  return bytes;
}

void crossbar::visit_state(tlm_bus::state_image& state) {
  state.fixed(map_, source_ports_, partition_ports_, flit_bytes_, flit_shift_, request_header_bytes_,
              reply_header_flits_, request_taker_, reply_taker_, debug_payload_, varies_, variation_);
  state(request_queues_, reply_queues_, waiting_requests_, waiting_replies_, routes_, last_reply_taken_);
}

}  // namespace gt200::model
