#include "sc_models/memory_path/load_store_queue.h"

#include <algorithm>

#include "sc_models/ids.h"
#include "sc_models/memory_path/lane_data.h"
#include "tlm_bus/state_image.h"
#include "toolchain/bits.h"

namespace gt200::model {

namespace {

atomic_operation on_bus(isa::atomic_op operation) {
  using bus = atomic_operation;
  switch (operation) {
    case isa::atomic_op::add: return bus::add;
    case isa::atomic_op::exch: return bus::exch;
    case isa::atomic_op::cas: return bus::cas;
    case isa::atomic_op::inc: return bus::inc;
    case isa::atomic_op::dec: return bus::dec;
    case isa::atomic_op::max: return bus::max;
    case isa::atomic_op::min: return bus::min;
    case isa::atomic_op::and_: return bus::and_;
    case isa::atomic_op::or_: return bus::or_;
    case isa::atomic_op::xor_: return bus::xor_;
  }
  return bus::add;
}

bool covers(const byte_coverage& coverage, unsigned bytes) {
  if (bytes == 128) return (coverage[0] & coverage[1]) == ~std::uint64_t{0};
  return coverage[0] == ~std::uint64_t{0} >> (64 - bytes);
}

void enable(memory_payload& payload, const byte_coverage& coverage) {
  payload.use_byte_enables();
  std::uint8_t* const enables = payload.enables();
  for (unsigned word = 0; word < coverage.size(); ++word)
    for (const unsigned byte : set_bits(coverage[word])) enables[word * 64 + byte] = 0xff;
}

// What a load or an atomic operation keeps free for its data.
unsigned reserved_bytes(const transaction_token& transaction) {
  constexpr unsigned smallest = 32;
  return std::max<unsigned>(transaction.bytes, smallest);
}

// All bytes of a row of local memory: one word of every thread of the warp.
bool is_whole_row(const transaction_token& transaction) {
  return transaction.access->space == memory_space::local && transaction.access->word_bytes == 4 &&
         transaction.bytes == local_pass_stride && transaction.lanes == ~isa::lane_mask{0};
}

void record_fault(warp_instruction& operation, tlm::tlm_response_status status, isa::lane_mask lanes) {
  if (operation.fault == arch_state::fault_kind::none)
    operation.fault = status == tlm::TLM_ADDRESS_ERROR_RESPONSE ? arch_state::fault_kind::unmapped_address
                                                                : arch_state::fault_kind::unsupported;
  operation.fault_lanes |= lanes;
  operation.fault_address = operation.values.address.lane[__builtin_ctz(operation.fault_lanes)];
}

}  // namespace

load_store_queue::load_store_queue(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore,
                                   const config::load_store_queue_config& config, unsigned tpc,
                                   tlm_bus::pool<memory_access>& accesses)
    : stage(name, uncore),
      from_coalescer("from_coalescer", *this, 2),
      to_crossbar_port("to_crossbar_port", *this),
      from_crossbar_port("from_crossbar_port", *this, 2),
      to_sm_controller("to_sm_controller", *this),
      tpc_(tpc),
      load_entries_(config.load_entries),
      load_bytes_(config.load_bytes),
      store_entries_(config.store_entries),
      posted_stores_(config.posted_stores),
      accesses_(accesses),
      entries_(std::size_t{config.load_entries} + config.store_entries),
      ids_(entries_.size()),
      load_queue_("load_queue", config.load_entries),
      store_queue_("store_queue", config.store_entries) {
  for (std::size_t i = entries_.size(); i > 0; --i) free_entries_.push_back(static_cast<std::uint32_t>(i - 1));
}

void load_store_queue::tick() {
  receive();
  send();
}

void load_store_queue::receive() {
  const payload_token* token = from_crossbar_port.front();
  if (token == nullptr) return;
  tlm::tlm_generic_payload& payload = *token->payload;
  const std::uint32_t tag = extension_of(payload)->tag;
  memory_access& access = *entries_[tag].access;
  const bool completes = access.all_sent && access.unanswered == 1;
  if (completes && !to_sm_controller.can_send()) return;

  from_crossbar_port.pop();
  answer(entries_[tag], payload);
  payload.release();
  free_entries_.push_back(tag);
  if (access.kind == memory_kind::store) {
    --outstanding_stores_;
  } else {
    --outstanding_loads_;
    reserved_bytes_ -= reserved_bytes(entries_[tag]);
  }
  (access.kind == memory_kind::store ? store_queue_ : load_queue_).left(cycle());
  --access.unanswered;
  if (completes) complete(access);
}

void load_store_queue::answer(const transaction_token& transaction, tlm::tlm_generic_payload& payload) {
  const memory_access& access = *transaction.access;
  const bool may_fail = access.operation->instruction->access.line != isa::line_action::none;
  if (payload.is_response_error() && !may_fail) {
    ++faults;
    record_fault(*access.operation, payload.get_response_status(), transaction.lanes);
  } else if (access.kind == memory_kind::load && !payload.is_response_error()) {
    scatter_load(transaction, payload.get_data_ptr());
  } else if (access.kind == memory_kind::atomic && extension_of(payload)->returns_value) {
    scatter_atomic(transaction, payload.get_data_ptr());
  }
}

void load_store_queue::send() {
  const transaction_token* token = from_coalescer.front();
  if (token == nullptr) return;
  memory_access& access = *token->access;

  // 1. Without bytes the access is complete.
  if (token->bytes == 0) {
    if (!to_sm_controller.can_send()) return;
    complete(access);
    from_coalescer.pop();
    return;
  }

  // 2. It needs a free entry, and room towards memory.
  if (!has_room(*token)) {
    if (!waiting_) ++waits_for_entry;
    waiting_ = true;
    return;
  }
  if (!to_crossbar_port.can_send()) return;
  const bool posted = is_posted(*token);
  if (posted && !to_sm_controller.can_send()) return;
  waiting_ = false;
  request(*token);
  if (posted) to_sm_controller.send({access.operation, true});
  from_coalescer.pop();
}

bool load_store_queue::has_room(const transaction_token& transaction) const {
  if (transaction.access->kind == memory_kind::store) return outstanding_stores_ < store_entries_;
  return outstanding_loads_ < load_entries_ && reserved_bytes_ + reserved_bytes(transaction) <= load_bytes_;
}

bool load_store_queue::is_posted(const transaction_token& transaction) const {
  return posted_stores_ && transaction.last && transaction.access->kind == memory_kind::store;
}

void load_store_queue::request(const transaction_token& transaction) {
  memory_access& access = *transaction.access;
  const warp_instruction& operation = *access.operation;

  // 1. An entry for the response.
  const std::uint32_t tag = free_entries_.back();
  free_entries_.pop_back();
  entries_[tag] = transaction;
  ++access.unanswered;
  access.all_sent = transaction.last;
  (access.kind == memory_kind::store ? store_queue_ : load_queue_).entered(cycle());
  if (access.kind != memory_kind::store) reserved_bytes_ += reserved_bytes(transaction);

  // 2. The payload.
  memory_payload& payload = payloads_.get();
  memory_extension& extension = payload.extension();
  extension.transaction_id = id_base(id_kind::load_store, tpc_) + ++transactions_;
  ids_[tag] = extension.transaction_id;
  extension.instruction_id = operation.id;
  extension.tpc = static_cast<std::uint8_t>(tpc_);
  extension.sm = operation.sm;
  extension.warp = operation.warp;
  extension.space = access.space;
  extension.kind = access.kind;
  extension.evict_first =
      operation.instruction->access.evict_first ||
      (access.space == memory_space::local && operation.instruction->access.evict_first_if_local);
  extension.lanes = transaction.lanes;
  extension.tag = tag;
  if (access.kind == memory_kind::load) {
    payload.prepare(tlm::TLM_READ_COMMAND, transaction.address, transaction.bytes);
    extension.past_l1 = operation.instruction->access.past_l1;
    extension.last_use = operation.instruction->access.last_use && is_whole_row(transaction);
    ++outstanding_loads_;
    ++loads;
  } else if (access.kind != memory_kind::store && access.kind != memory_kind::atomic) {
    payload.prepare(tlm::TLM_READ_COMMAND, transaction.address, transaction.bytes);
    extension.past_l1 = operation.instruction->access.line == isa::line_action::prefetch_l2;
    ++outstanding_loads_;
  } else if (access.kind == memory_kind::store) {
    payload.prepare(tlm::TLM_WRITE_COMMAND, transaction.address, transaction.bytes);
    const byte_coverage coverage = gather_store(transaction, payload.bytes());
    if (!covers(coverage, transaction.bytes)) enable(payload, coverage);
    ++outstanding_stores_;
    ++stores;
  } else {
    const unsigned bytes = gather_atomic(transaction, payload.bytes());
    payload.prepare(tlm::TLM_WRITE_COMMAND, transaction.address, bytes);
    extension.atomic = on_bus(operation.instruction->access.atomic);
    extension.atomic_signed = operation.instruction->access.atomic_signed;
    extension.atomic_float = operation.instruction->access.atomic_float;
    extension.wide = access.word_bytes == 8;
    extension.returns_value = operation.instruction->access.kind == isa::access_kind::atomic;
    ++outstanding_loads_;
    ++atomics;
  }
  to_crossbar_port.send({&payload});
}

void load_store_queue::complete(memory_access& access) {
  to_sm_controller.send({access.operation});
  accesses_.put(&access);
}

std::vector<load_store_queue::unanswered> load_store_queue::unanswered_transactions() const {
  std::vector<bool> is_free(entries_.size());
  for (const std::uint32_t tag : free_entries_) is_free[tag] = true;
  std::vector<unanswered> result;
  for (std::size_t tag = 0; tag < entries_.size(); ++tag)
    if (!is_free[tag])
      result.push_back(
          {ids_[tag], entries_[tag].access->operation->id, entries_[tag].access->kind == memory_kind::store});
  std::sort(result.begin(), result.end(), [](const unanswered& a, const unanswered& b) { return a.id < b.id; });
  return result;
}

void load_store_queue::publish(tlm_bus::signal_writer& to) {
  to.outstanding().number("loads_outstanding", 16, outstanding_loads_);
  to.outstanding().number("stores_outstanding", 16, outstanding_stores_);
}

void load_store_queue::visit_state(tlm_bus::state_image& state) {
  state.fixed(tpc_, load_entries_, load_bytes_, store_entries_, posted_stores_);
  state(payloads_, entries_, ids_, free_entries_, outstanding_loads_, reserved_bytes_, outstanding_stores_,
        load_queue_, store_queue_, transactions_, waiting_);
}

}  // namespace gt200::model
