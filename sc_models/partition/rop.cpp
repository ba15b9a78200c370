#include "sc_models/partition/rop.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <string>

#include "sc_models/partition/atomic_operation.h"
#include "sc_models/partition/sector.h"
#include "sc_models/partition/write_bytes.h"
#include "tlm_bus/state_image.h"

namespace gt200::model {

namespace {

constexpr unsigned block_bytes = 128;  // stores are merged within a block of this size

}  // namespace

rop::rop(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore, const config::rop_config& config,
         tlm_bus::femtoseconds memory_period)
    : stage(name, uncore),
      requests("requests", *this, std::max(config.latency_cycles + 1, config.request_port_entries),
               config.latency_cycles, [this](tlm::tlm_generic_payload& p) { return debug(p); }),
      memory("memory", *this),
      interval_(config.atomic_interval_cycles),
      same_address_interval_(config.same_address_interval_cycles),
      write_path_bytes_(config.write_path_bytes),
      write_out_bytes_(config.write_out_bytes),
      memory_period_(memory_period),
      operations_(config.queue_entries),
      waiting_queue_("queue", config.queue_entries),
      atomic_queue_("atomic_queue", config.queue_entries) {
  for (unsigned i = config.queue_entries; i > 0; --i) free_.push_back(i - 1);
  queue_.reserve(config.queue_entries);
  active_.reserve(config.queue_entries);
}

void rop::tick() {
  // 1. The DRAM returns operands of atomics.
  take_memory_response();
  // 2. One access goes to the DRAM: preferably a result, else that of the next operation.
  send_result();
  begin_next();
  // 3. One response leaves: preferably an atomic's old value, else the acknowledgement of a store that is taken.
  answer_atomic();
  take_request();
}

void rop::take_memory_response() {
  if (memory.response() == nullptr) return;
  tlm::tlm_generic_payload& answer = memory.take_response();
  if (!answer.is_response_ok()) throw std::logic_error(std::string(name()) + ": the DRAM refused an access");
  if (answer.is_read()) {
    operation& op = operations_[extension_of(answer)->tag];
    std::memcpy(&op.old, answer.get_data_ptr(), op.bytes);
    op.in = state::computing;
  } else {
    sent_.erase(std::find(sent_.begin(), sent_.end(), &answer));
  }
  answer.release();
}

void rop::send_result() {
  const auto found = std::find_if(active_.begin(), active_.end(),
                                  [this](unsigned i) { return operations_[i].in == state::computing; });
  if (found == active_.end()) return;
  if (cycle() < next_atomic_at_) {
    wake_at(next_atomic_at_);
    return;
  }
  if (!memory.can_request() || !write_port_free()) return;
  operation& op = operations_[*found];
  const std::uint64_t result = atomic_result(atomic_request_of(*op.request), op.old);
  memory_payload& write = access_for(*op.request, tlm::TLM_WRITE_COMMAND, op.bytes);
  std::memcpy(write.bytes(), &result, op.bytes);
  send_write(write);
  op.in = state::answering;
  next_atomic_at_ = cycle() + interval_;
  keep_interval(op);
  ++atomics;
  wake_next();  // for the next result
}

void rop::begin_next() {
  if (queue_.empty()) return;
  const unsigned index = queue_.front();
  operation& op = operations_[index];
  const tlm_bus::cycle_t free_at = free_after_results(op);
  if (cycle() < free_at) wake_at(free_at);
  if (cycle() < free_at || touches_active_atomic(op)) {
    if (!op.conflict_counted) ++atomic_conflicts;
    op.conflict_counted = true;
    return;
  }
  if (!memory.can_request() || (op.write != nullptr && !write_port_free())) return;
  queue_.erase(queue_.begin());
  waiting_queue_.left(cycle());
  if (op.write != nullptr) {
    send_write(*op.write);
    store_latency.add(cycle() - op.taken_at);
    free_.push_back(index);
  } else {
    send_read(index);
    active_.push_back(index);
    atomic_queue_.entered(cycle());
  }
  if (!queue_.empty()) wake_next();
}

bool rop::write_port_free() {
  if (write_port_free_at_ <= now()) return true;
  wake_at(cycle() + (write_port_free_at_ - now() + domain().period() - 1) / domain().period());
  return false;
}

// The write port may become free between two clock edges: the fraction of a cycle is carried over.
void rop::send_write(memory_payload& write) {
  const tlm_bus::femtoseconds earliest = now() - std::min(now(), domain().period() - 1);
  write_port_free_at_ =
      std::max(write_port_free_at_, earliest) + write.get_data_length() * memory_period_ / write_out_bytes_;
  sent_.push_back(&write);
  memory.request(write);
}

// The first cycle in which recent results no longer block the sectors of an access.
tlm_bus::cycle_t rop::free_after_results(const operation& op) const {
  tlm_bus::cycle_t free_at = 0;
  for (const recent_result& r : recent_)
    if (overlap(sectors_of(op.offset, op.bytes), {r.sector, r.sector})) free_at = std::max(free_at, r.free_at);
  return free_at;
}

void rop::keep_interval(const operation& op) {
  if (same_address_interval_ <= 1) return;  // the next access comes later anyway
  const auto still =
      std::find_if(recent_.begin(), recent_.end(), [this](const recent_result& r) { return r.free_at > cycle(); });
  recent_.erase(recent_.begin(), still);
  recent_.push_back({op.offset / sector_bytes, cycle() + same_address_interval_});
}

bool rop::touches_active_atomic(const operation& op) const {
  return std::any_of(active_.begin(), active_.end(), [&](unsigned i) {
    const operation& other = operations_[i];
    return other.in != state::answering &&
           overlap(sectors_of(op.offset, op.bytes), sectors_of(other.offset, other.bytes));
  });
}

void rop::send_read(unsigned index) {
  operation& op = operations_[index];
  memory_payload& read = access_for(*op.request, tlm::TLM_READ_COMMAND, op.bytes);
  read.extension().tag = index;
  op.in = state::reading;
  memory.request(read);
}

memory_payload& rop::access_for(tlm::tlm_generic_payload& request, tlm::tlm_command command, unsigned bytes) {
  memory_payload& access = pool_.get();
  access.prepare(command, request.get_address(), bytes);
  access.extension() = *extension_of(request);
  return access;
}

void rop::answer_atomic() {
  const auto found = std::find_if(active_.begin(), active_.end(),
                                  [this](unsigned i) { return operations_[i].in == state::answering; });
  if (found == active_.end() || !requests.can_respond()) return;
  const unsigned index = *found;
  operation& op = operations_[index];
  std::memcpy(op.request->get_data_ptr(), &op.old, op.bytes);
  op.request->set_response_status(tlm::TLM_OK_RESPONSE);
  requests.respond(*op.request);
  atomic_latency.add(cycle() - op.taken_at);
  active_.erase(found);
  atomic_queue_.left(cycle());
  free_.push_back(index);
  wake_next();  // for the next answer
}

void rop::take_request() {
  tlm::tlm_generic_payload* front = requests.request();
  if (front == nullptr) return;
  if (cycle() < request_port_free_at_) {
    wake_at(request_port_free_at_);
    return;
  }
  if (extension_of(*front)->kind == memory_kind::atomic)
    take_atomic(*front);
  else
    take_store(*front);
}

void rop::take_atomic(tlm::tlm_generic_payload& request) {
  if (free_.empty()) return;
  requests.take_request();
  const auto* extension = extension_of(request);
  operation op;
  op.offset = request.get_address();
  op.bytes = extension->wide ? 8 : 4;
  op.request = &request;
  if (request.get_data_length() < atomic_operand_bytes(extension->atomic, extension->wide) ||
      op.offset % op.bytes != 0)
    throw std::logic_error(std::string(name()) + ": malformed atomic operation");
  enqueue(op);
}

void rop::take_store(tlm::tlm_generic_payload& request) {
  const unsigned bytes = request.get_data_length();
  operation* const waiting = waiting_store_touching(request.get_address(), bytes);
  if ((waiting == nullptr && free_.empty()) || !requests.can_respond()) return;
  requests.take_request();
  request_port_free_at_ = cycle() + (bytes + write_path_bytes_ - 1) / write_path_bytes_;
  if (waiting != nullptr) {
    merge(request, *waiting);
    ++merged_stores;
    wake_next();
  } else {
    operation op;
    op.offset = request.get_address();
    op.bytes = bytes;
    op.write = &access_for(request, tlm::TLM_WRITE_COMMAND, bytes);
    std::memcpy(op.write->bytes(), request.get_data_ptr(), bytes);
    if (request.get_byte_enable_ptr() != nullptr) {
      op.write->use_byte_enables();
      std::memcpy(op.write->enables(), request.get_byte_enable_ptr(), bytes);
    }
    enqueue(op);
  }
  request.set_response_status(tlm::TLM_OK_RESPONSE);
  requests.respond(request);
  ++stores;
}

void rop::enqueue(const operation& op) {
  const unsigned index = free_.back();
  free_.pop_back();
  operations_[index] = op;
  operations_[index].taken_at = cycle();
  queue_.push_back(index);
  waiting_queue_.entered(cycle());
  wake_next();
}

// The youngest waiting request of the block, if it is a store that forms a write without gaps together with this
// one.
rop::operation* rop::waiting_store_touching(std::uint64_t offset, unsigned bytes) {
  const std::uint64_t block = offset / block_bytes;
  if ((offset + bytes - 1) / block_bytes != block) return nullptr;
  const sector_range store = sectors_of(offset, bytes);
  const auto youngest = std::find_if(queue_.rbegin(), queue_.rend(), [&](unsigned i) {
    const operation& op = operations_[i];
    return op.offset / block_bytes <= block && block <= (op.offset + op.bytes - 1) / block_bytes;
  });
  if (youngest == queue_.rend()) return nullptr;
  operation& op = operations_[*youngest];
  const bool within = op.offset / block_bytes == block && (op.offset + op.bytes - 1) / block_bytes == block;
  const sector_range waiting = sectors_of(op.offset, op.bytes);
  const bool touches = waiting.first <= store.last + 1 && store.first <= waiting.last + 1;
  return op.write != nullptr && within && touches ? &op : nullptr;
}

void rop::merge(tlm::tlm_generic_payload& request, operation& into) {
  // 1. The data of both in the block, the younger one last.
  std::array<std::uint8_t, block_bytes> data{};
  std::array<std::uint8_t, block_bytes> enables{};
  const auto lay_down = [&](tlm::tlm_generic_payload& store) {
    const auto at = static_cast<unsigned>(store.get_address() % block_bytes);
    const std::uint8_t* const enabled = store.get_byte_enable_ptr();
    for (unsigned i = 0; i < store.get_data_length(); ++i) {
      if (enabled != nullptr && enabled[i] == 0) continue;
      data[at + i] = store.get_data_ptr()[i];
      enables[at + i] = 0xff;
    }
  };
  lay_down(*into.write);
  lay_down(request);

  // 2. The covered range becomes the write, with the ticket of the younger one.
  const std::uint64_t first = std::min<std::uint64_t>(into.offset, request.get_address());
  const std::uint64_t end =
      std::max<std::uint64_t>(into.offset + into.bytes, request.get_address() + request.get_data_length());
  const auto at = static_cast<unsigned>(first % block_bytes);
  into.offset = first;
  into.bytes = static_cast<unsigned>(end - first);
  into.write->prepare(tlm::TLM_WRITE_COMMAND, first, into.bytes);
  into.write->extension() = *extension_of(request);
  std::copy_n(&data[at], into.bytes, into.write->bytes());
  if (std::find(&enables[at], &enables[at] + into.bytes, 0) == &enables[at] + into.bytes) return;
  into.write->use_byte_enables();
  std::copy_n(&enables[at], into.bytes, into.write->enables());
}

// Until the DRAM has an atomic's result, it exists only among the writes sent. The arbiter keeps the data of
// stores, but those merged here are copies.
unsigned rop::debug(tlm::tlm_generic_payload& payload) {
  const std::uint64_t offset = payload.get_address();
  const unsigned bytes = payload.get_data_length();
  if (payload.is_read())
    for (const auto* write : sent_) show_write(*write, write->get_address(), offset, bytes, payload.get_data_ptr());
  if (!payload.is_write()) return bytes;
  for (auto* write : sent_) renew_write(*write, write->get_address(), payload, offset);
  for (const unsigned i : queue_)
    if (auto* write = operations_[i].write) renew_write(*write, write->get_address(), payload, offset);
  return bytes;
}

void rop::publish(tlm_bus::signal_writer& to) {
  to.outstanding().number("operations_waiting", 16, queue_.size());
  to.outstanding().number("atomics_active", 16, active_.size());
}

void rop::visit_state(tlm_bus::state_image& state) {
  state.fixed(interval_, same_address_interval_, write_path_bytes_, write_out_bytes_, memory_period_);
  state(request_port_free_at_, write_port_free_at_, operations_, free_, queue_, active_, recent_, sent_,
        next_atomic_at_, waiting_queue_, atomic_queue_, pool_);
}

}  // namespace gt200::model
