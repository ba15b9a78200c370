#include "sc_models/memory_path/page_walker.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

#include "sc_models/ids.h"
#include "tlm_bus/state_image.h"

namespace gt200::model {

namespace {

constexpr unsigned read_bytes = 32;

}  // namespace

page_walker::page_walker(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore,
                         std::uint64_t directory, unsigned kept_entries, unsigned tpc, std::uint64_t memory_bytes)
    : stage(name, uncore),
      requests("requests", *this, 1),
      results("results", *this),
      to_crossbar_port("to_crossbar_port", *this),
      from_crossbar_port("from_crossbar_port", *this, 1),
      directory_address_(directory),
      max_kept_(kept_entries),
      tpc_(tpc),
      memory_bytes_(memory_bytes) {
  kept_.reserve(kept_entries + 1);
}

void page_walker::tick() {
  // 1. A page-table entry arrives.
  if (const payload_token* token = from_crossbar_port.front()) {
    tlm::tlm_generic_payload& payload = *token->payload;
    if (payload.is_response_error())
      throw std::logic_error(std::string(name()) + ": the page table lies outside the memory");
    std::uint64_t word;
    std::memcpy(&word, payload.get_data_ptr() + entry_address() % read_bytes, sizeof word);
    payload.release();
    from_crossbar_port.pop();
    take_entry(word);
  }
  // 2. A walk begins.
  if (state_ == state::idle && requests.front() != nullptr) begin(*requests.front());
  // 3. A read, or the result, is sent.
  if (state_ == state::read_directory || state_ == state::read_table) send_read();
  if (state_ == state::found && results.can_send()) {
    results.send(result_);
    latency.add(cycle() - began_at_);
    requests.pop();
    state_ = state::idle;
  }
}

void page_walker::begin(const walk_request_token& request) {
  ++walks;
  began_at_ = cycle();
  request_ = request;
  const auto kept =
      std::find_if(kept_.begin(), kept_.end(), [&](const kept_entry& k) { return k.index == directory_index(); });
  if (kept == kept_.end()) {
    state_ = state::read_directory;
    return;
  }
  std::rotate(kept_.begin(), kept, kept + 1);
  directory_ = kept_.front().entry;
  state_ = state::read_table;
}

// Address of the entry that is being read.
std::uint64_t page_walker::entry_address() const {
  return reading_directory_ ? directory_address_ + directory_index() * page_entries::entry_bytes
                            : directory_.entry_of(request_.address);
}

void page_walker::take_entry(std::uint64_t word) {
  if (reading_directory_)
    take_directory_entry(word);
  else
    take_page_entry(word);
}

// Nothing is mapped there; the result covers the smallest page around the address.
void page_walker::found_nothing() {
  const std::uint64_t page = request_.address & ~(page_entries::small_page - 1);
  result_ = {false, {page, page_entries::small_page, 0, false}};
  state_ = state::found;
}

bool page_walker::in_memory(std::uint64_t address, std::uint64_t bytes) const {
  return address < memory_bytes_ && bytes <= memory_bytes_ - address;
}

void page_walker::take_directory_entry(std::uint64_t word) {
  directory_ = page_entries::directory_entry::decode(word);
  if (directory_.page_bytes == 0 || !in_memory(directory_.entry_of(request_.address), page_entries::entry_bytes))
    return found_nothing();
  kept_.insert(kept_.begin(), {directory_index(), directory_});
  if (kept_.size() > max_kept_) kept_.pop_back();
  state_ = state::read_table;
}

void page_walker::take_page_entry(std::uint64_t word) {
  const auto entry = page_entries::page_entry::decode(word);
  const std::uint64_t bytes = directory_.page_bytes << entry.order;
  if (entry.present && !in_memory(entry.physical & ~page_entries::page_storage.mask(), bytes))
    return found_nothing();
  result_ = {entry.present,
             {request_.address & ~(bytes - 1), bytes, entry.physical, entry.read_only, entry.supervisor}};
  state_ = state::found;
}

void page_walker::send_read() {
  if (!to_crossbar_port.can_send()) return;
  reading_directory_ = state_ == state::read_directory;
  memory_payload& payload = pool_.get();
  payload.prepare(tlm::TLM_READ_COMMAND, entry_address() & ~std::uint64_t{read_bytes - 1}, read_bytes);
  memory_extension& extension = payload.extension();
  extension.transaction_id = id_base(id_kind::page_walk, tpc_) + ++transactions_;
  extension.instruction_id = request_.instruction_id;
  extension.tpc = static_cast<std::uint8_t>(tpc_);
  extension.sm = request_.sm;
  extension.warp = request_.warp;
  extension.space = memory_space::page_table;
  extension.kind = memory_kind::load;
  to_crossbar_port.send({&payload});
  ++(reading_directory_ ? directory_reads : table_reads);
  state_ = state::waiting;
}

void page_walker::publish(tlm_bus::signal_writer& to) {
  to.outstanding().text("state", static_cast<std::uint64_t>(state_), [](std::uint64_t key) -> std::string {
    switch (static_cast<state>(key)) {
      case state::idle: return "idle";
      case state::read_directory: return "read_directory";
      case state::read_table: return "read_table";
      case state::waiting: return "waiting";
      case state::found: return "found";
    }
    return "";
  });
  to.number("address", 40, request_.address);
}

void page_walker::visit_state(tlm_bus::state_image& state) {
  state.fixed(directory_address_, max_kept_, tpc_, memory_bytes_);
  state(kept_, state_, reading_directory_, request_, result_, directory_, began_at_, transactions_, pool_);
}

}  // namespace gt200::model
