#include "sc_models/partition/arbiter.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

#include "sc_models/memory_transaction.h"
#include "tlm_bus/state_image.h"

namespace gt200::model {

namespace {

// The requesters that share the DRAM port and the reply port to the crossbar.
enum requester : unsigned { load_path = 0, rop_path = 1, texture_path = 2 };

constexpr std::uint64_t requester_bit(unsigned r) { return std::uint64_t{1} << r; }
constexpr bool has_multiple_bits(std::uint64_t mask) { return (mask & (mask - 1)) != 0; }

// The maximum number of writes in flight: in the ROP (each of its entries may hold two merged stores), in its port,
// and in the DRAM controller with its port.
unsigned max_pending(const config::partition_config& config) {
  return 2 * config.rop.queue_entries + config.rop.latency_cycles + config.dram.queue_entries + 16;
}

}  // namespace

partition_arbiter::partition_arbiter(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore,
                                     const config::partition_config& config, const address_map& map,
                                     unsigned partition)
    : stage(name, uncore),
      requests("requests", *this, config.arbiter.queue_entries + config.arbiter.latency_cycles,
               config.arbiter.latency_cycles, [this](tlm::tlm_generic_payload& p) { return debug(p); }),
      rop_memory("rop_memory", *this),
      texture_fill("texture_fill", *this, 2, 1,
                   [this](tlm::tlm_generic_payload& p) { return debug_within(p.get_address(), p); }),
      dram("dram", *this, 4),
      rop("rop", *this),
      texture("texture", *this),
      map_(map),
      partition_(partition),
      capacity_(config.dram.capacity_bytes()),
      pending_(max_pending(config)),
      rop_requests_(max_pending(config), nullptr),
      textures_are_loads_(config.l2.enabled),
      max_held_(config.arbiter.held_loads),
      queue_("queue", requests.depth()),
      held_queue_("held_queue", config.arbiter.held_loads) {
  if (config.texture_writes_invalidate)
    textures = std::make_unique<texture_watch>(*this, capacity_, config.texture_l2.line_bytes);
  requests.count_requests(queue_);
  held_.reserve(max_held_);
}

void partition_arbiter::tick() {
  // 1. One response returns to the crossbar.
  answer();
  // Steps 2 and 3 look at the oldest request from the crossbar.
  tlm::tlm_generic_payload* front = requests.requests_waiting() != 0 ? requests.request() : nullptr;
  front_visible_ = front != nullptr;
  if (front_visible_) look_at_front(*front);
  // 2. At most one access goes to the DRAM. Loads (the oldest request or a held one), accesses of the ROP and
  // texture fills take turns.
  const bool dispatched = share_dram_port();
  // 3. A request other than a load is dispatched; at most one request per cycle.
  if (!dispatched && front_visible_) dispatch();
}

// ---- answers ----

partition_arbiter::owner partition_arbiter::owner_of(const tlm::tlm_generic_payload& answer) const {
  return accesses_[answer.get_extension<memory_extension>()->tag].from;
}

void partition_arbiter::answer() {
  std::uint64_t to_crossbar = 0;
  if (const auto* answer = dram.responses_waiting() != 0 ? dram.response() : nullptr) {
    switch (owner_of(*answer)) {
      case owner::load: to_crossbar |= requester_bit(load_path); break;
      case owner::rop: answer_behind(rop_memory); break;
      case owner::texture: answer_behind(texture_fill); break;
    }
  }
  if (rop.responses_waiting() != 0 && rop.response() != nullptr) to_crossbar |= requester_bit(rop_path);
  if (texture.responses_waiting() != 0 && texture.response() != nullptr) to_crossbar |= requester_bit(texture_path);
  if (to_crossbar == 0 || !requests.can_respond()) return;
  const int chosen = answer_turn_.choose(to_crossbar);
  answer_turn_.granted(chosen);
  switch (chosen) {
    case load_path: answer_read(dram.take_response()); break;
    case rop_path: answer_rop(); break;
    default: answer_read(texture.take_response()); break;
  }
  if (has_multiple_bits(to_crossbar)) wake_next();
}

void partition_arbiter::answer_read(tlm::tlm_generic_payload& answer) {
  tlm::tlm_generic_payload& original = finish_access(answer);
  if (textures) textures->answered(original);
  requests.respond(original);
}

void partition_arbiter::answer_behind(downstream_socket& to) {
  if (!to.can_respond()) return;
  to.respond(finish_access(dram.take_response()));
}

void partition_arbiter::answer_rop() {
  tlm::tlm_generic_payload& child = rop.take_response();
  const auto* extension = extension_of(child);
  tlm::tlm_generic_payload& original = *rop_requests_[index_of(ticket_of(child))];
  original.set_response_status(child.get_response_status());
  if (extension->kind == memory_kind::atomic)
    std::memcpy(original.get_data_ptr(), child.get_data_ptr(), extension->wide ? 8 : 4);
  child.release();
  requests.respond(original);
}

// Completes an access made by the arbiter: copies its status to the original transaction and releases its payload.
tlm::tlm_generic_payload& partition_arbiter::finish_access(tlm::tlm_generic_payload& answer) {
  const unsigned index = extension_of(answer)->tag;
  const access a = accesses_[index];
  free_accesses_.push_back(index);
  a.original->set_response_status(answer.get_response_status());
  if (auto* extension = extension_of(*a.original)) extension->caches_missed = extension_of(answer)->caches_missed;
  answer.release();
  if (a.ticket) pending_.finished(*a.ticket, [](tlm::tlm_generic_payload& data) { data.release(); });
  return *a.original;
}

// ---- requests ----

void partition_arbiter::look_at_front(tlm::tlm_generic_payload& payload) {
  using path = front_request::path;
  if (front_.payload == &payload) return;
  const address_map::location at = map_.locate(payload.get_address());
  if (at.partition != partition_) throw std::logic_error(std::string(name()) + ": access to another partition");
  front_ = {path::refused, false, &payload, at.offset, bytes_of_memory(payload)};
  if (!in_capacity(front_.offset, front_.bytes)) return;
  if (payload.is_write())
    front_.to = path::write;
  else if (payload.is_read())
    front_.to =
        extension_of(payload)->space == memory_space::texture && !textures_are_loads_ ? path::texture : path::load;
}

tlm::tlm_generic_payload& partition_arbiter::take_front() {
  observers_.notify([&](order_observer& o) { o.performed(*front_.payload, partition_, now()); });
  if (textures) textures->performed(*front_.payload, front_.offset, front_.bytes);
  front_ = {};
  return requests.take_request();
}

bool partition_arbiter::front_load_conflicts() {
  if (!pending_.conflicts(front_.offset, front_.bytes)) return false;
  if (!front_.held) ++held_loads;
  front_.held = true;
  return true;
}

// The index of the oldest held load for which no older write waits in the ROP any more; the number of held loads if
// there is none.
std::size_t partition_arbiter::first_free_held_load() const {
  std::size_t i = 0;
  while (i < held_.size() && pending_.conflicts(held_[i].offset, held_[i].bytes)) ++i;
  return i;
}

bool partition_arbiter::touches_held_load() const {
  const sector_range front = sectors_of(front_.offset, front_.bytes);
  return std::any_of(held_.begin(), held_.end(),
                     [&](const held_load& h) { return overlap(sectors_of(h.offset, h.bytes), front); });
}

// Returns true if the front request went to the DRAM.
bool partition_arbiter::share_dram_port() {
  std::uint64_t candidates = 0;
  const std::size_t free_held = first_free_held_load();
  const bool held_goes = free_held < held_.size();
  const bool front_load = front_visible_ && front_.to == front_request::path::load;
  const bool front_waits = front_load && front_load_conflicts();
  if (held_goes || (front_load && !front_waits)) candidates |= requester_bit(load_path);
  if (rop_memory.requests_waiting() != 0 && rop_memory.request() != nullptr) candidates |= requester_bit(rop_path);
  const auto* const fill = texture_fill.requests_waiting() != 0 ? texture_fill.request() : nullptr;
  if (fill != nullptr && !pending_.conflicts(fill->get_address(), fill->get_data_length()))
    candidates |= requester_bit(texture_path);
  if (front_waits && !held_goes && held_.size() < max_held_) {
    hold_front();
    front_visible_ = false;
  }
  if (candidates == 0 || !dram.can_request()) return false;
  const int chosen = dram_turn_.choose(candidates);
  dram_turn_.granted(chosen);
  if (has_multiple_bits(candidates)) wake_next();
  switch (chosen) {
    case load_path:
      if (held_goes) {
        dispatch_held(free_held);
        return false;
      }
      dispatch_load();
      return true;
    case rop_path: forward(rop_memory, owner::rop); return false;
    default: forward(texture_fill, owner::texture); return false;
  }
}

void partition_arbiter::forward(downstream_socket& from, owner who) {
  tlm::tlm_generic_payload& payload = from.take_request();
  std::optional<rop_ticket> ticket;
  if (who == owner::rop && payload.is_write()) {
    ticket = ticket_of(payload);
    pending_.sent(*ticket, payload.get_address(), payload.get_data_length());
    // A held load or fill may follow.
    if (front_.held || !held_.empty() || texture_fill.requests_waiting() != 0) wake_next();
  }
  dram.request(child_of(payload, payload.get_address(), who, ticket));
}

void partition_arbiter::dispatch() {
  switch (front_.to) {
    case front_request::path::write: dispatch_write(); break;
    case front_request::path::texture: dispatch_texture(); break;
    case front_request::path::refused: refuse(); break;
    default: break;
  }
}

void partition_arbiter::dispatch_load() {
  const std::uint64_t offset = front_.offset;
  dram.request(child_of(take_front(), offset, owner::load));
  ++loads;
}

void partition_arbiter::dispatch_held(std::size_t index) {
  const held_load h = held_[index];
  held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(index));
  held_queue_.left(cycle());
  dram.request(child_of(*h.payload, h.offset, owner::load));
  ++loads;
  wake_next();  // for the next load, and for a front request that waited for this one
}

// The load takes its place in the order of memory accesses now: pending_ knows the older writes, and younger writes
// to its sectors wait at the head.
void partition_arbiter::hold_front() {
  held_.push_back({front_.payload, front_.offset, front_.bytes});
  held_queue_.entered(cycle());
  take_front();
}

void partition_arbiter::dispatch_texture() {
  if (!texture.can_request()) return;
  const std::uint64_t offset = front_.offset;
  texture.request(child_of(take_front(), offset, owner::texture));
  ++texture_loads;
}

void partition_arbiter::dispatch_write() {
  if (touches_held_load()) {
    if (!front_.held) ++held_writes;
    front_.held = true;
    return;
  }
  if (pending_.full() || !rop.can_request()) return;
  const std::uint64_t offset = front_.offset;
  tlm::tlm_generic_payload& original = take_front();
  memory_payload& child = copy_of(original, offset);
  const bool atomic = child.extension().kind == memory_kind::atomic;
  const unsigned bytes = bytes_of_memory(child);
  if (!atomic) child.acquire();  // the entry keeps the data until they are written
  const rop_ticket ticket = pending_.add(offset, bytes, atomic ? nullptr : &child);
  set_ticket(child.extension(), ticket);
  rop_requests_[index_of(ticket)] = &original;
  rop.request(child);
  ++(atomic ? atomics : stores);
}

void partition_arbiter::refuse() {
  if (!requests.can_respond()) return;
  const bool outside = !in_capacity(front_.offset, front_.bytes);
  if (outside) ++address_errors;
  tlm::tlm_generic_payload& payload = requests.take_request();
  front_ = {};
  payload.set_response_status(outside ? tlm::TLM_ADDRESS_ERROR_RESPONSE : tlm::TLM_COMMAND_ERROR_RESPONSE);
  requests.respond(payload);
}

// Makes an access for the data of the original transaction.
memory_payload& partition_arbiter::child_of(tlm::tlm_generic_payload& original, std::uint64_t offset, owner who,
                                            std::optional<rop_ticket> ticket) {
  if (free_accesses_.empty()) {
    free_accesses_.push_back(static_cast<unsigned>(accesses_.size()));
    accesses_.emplace_back();
  }
  const unsigned index = free_accesses_.back();
  free_accesses_.pop_back();
  accesses_[index] = {&original, who, ticket};
  memory_payload& child = pool_.get();
  child.prepare(original.get_command(), offset, original.get_data_length());
  child.set_data_ptr(original.get_data_ptr());
  child.set_byte_enable_ptr(original.get_byte_enable_ptr());
  child.set_byte_enable_length(original.get_byte_enable_length());
  if (const auto* extension = extension_of(original)) child.extension() = *extension;
  child.extension().tag = index;
  return child;
}

// Makes a request for the ROP with a copy of the data, because a store is acknowledged before its data leaves the
// ROP.
memory_payload& partition_arbiter::copy_of(tlm::tlm_generic_payload& original, std::uint64_t offset) {
  const unsigned bytes = original.get_data_length();
  memory_payload& child = pool_.get();
  child.prepare(original.get_command(), offset, bytes);
  std::memcpy(child.bytes(), original.get_data_ptr(), bytes);
  if (const std::uint8_t* enables = original.get_byte_enable_ptr()) {
    child.use_byte_enables();
    const unsigned pattern = original.get_byte_enable_length();
    if (pattern >= bytes) {
      std::memcpy(child.enables(), enables, bytes);
    } else {
      for (unsigned i = 0; i < bytes; ++i) child.enables()[i] = enables[i % pattern];
    }
  }
  child.extension() = *extension_of(original);
  return child;
}

// ---- debug ----

unsigned partition_arbiter::debug(tlm::tlm_generic_payload& payload) {
  const address_map::location at = map_.locate(payload.get_address());
  if (at.partition != partition_ || payload.get_data_length() > map_.bytes_in_block(payload.get_address()))
    return 0;
  return debug_within(at.offset, payload);
}

unsigned partition_arbiter::debug_within(std::uint64_t offset, tlm::tlm_generic_payload& payload) {
  const unsigned bytes = payload.get_data_length();
  debug_payload_.set_command(payload.get_command());
  debug_payload_.set_address(offset);
  debug_payload_.set_data_ptr(payload.get_data_ptr());
  debug_payload_.set_data_length(bytes);
  debug_payload_.set_streaming_width(bytes);
  debug_payload_.set_byte_enable_ptr(payload.get_byte_enable_ptr());
  debug_payload_.set_byte_enable_length(payload.get_byte_enable_length());
  const unsigned moved = dram->transport_dbg(debug_payload_);
  if (moved < bytes && in_capacity(offset, bytes))
    throw tlm_bus::reported_error(tlm_bus::protocol_report,
                                  std::string(dram.name()) + ": transport_dbg of the memory behind it moves " +
                                      std::to_string(moved) + " bytes, for " + tlm_bus::text_of(debug_payload_));
  if (moved == 0 || pending_.empty()) return moved;
  rop->transport_dbg(debug_payload_);
  if (payload.is_read())
    pending_.overlay(offset, bytes, payload.get_data_ptr());
  else if (payload.is_write())
    pending_.renew(offset, debug_payload_);
  return moved;
}

void partition_arbiter::publish(tlm_bus::signal_writer& to) {
  to.outstanding().number("loads_held", 8, held_.size());
  to.outstanding().number("accesses_outstanding", 16, accesses_.size() - free_accesses_.size());
}

void partition_arbiter::visit_state(tlm_bus::state_image& state) {
  state.fixed(map_, partition_, capacity_, textures_are_loads_, max_held_, debug_payload_);
  state(pending_, accesses_, free_accesses_, dram_turn_, answer_turn_, rop_requests_, front_, held_, queue_,
        held_queue_, front_visible_, pool_, textures);
}

}  // namespace gt200::model
