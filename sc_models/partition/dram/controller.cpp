#include "sc_models/partition/dram/controller.h"

#include <algorithm>

#include "sc_models/partition/dram/payload_access.h"

namespace gt200::model {

using tlm_bus::cycle_t;

namespace {
constexpr unsigned sector_bytes = 32;  // granule of order
}

dram_controller::dram_controller(const sc_core::sc_module_name& name, tlm_bus::clock_domain& memory,
                                 const config::dram_config& config)
    : stage(name, memory),
      requests("requests", *this, 2, 1, [this](tlm::tlm_generic_payload& p) { return debug(p); }),
      devices("devices"),
      config_(config),
      map_(config),
      most_passes_(4 * config.queue_entries),
      answers_(config.queue_entries + config.timing.cl + config.timing.wl),
      next_refresh_(config.refresh ? config.timing.t_refi : tlm_bus::no_cycle) {
  queue_.reserve(config.queue_entries);
}

void dram_controller::tick() {
  // 1. Answer what has been transferred.
  send_answer();
  // 2. Take a request into the queue.
  if (requests.request() != nullptr && queue_.size() < config_.queue_entries && !answers_full()) take_request();
  // 3. Give one command to the devices.
  choice next = best_command();
  if (next.at <= cycle()) {
    perform(next);
    next = best_command();
    if (next.at <= cycle()) next.at = cycle() + 1;
    if (requests.requests_waiting() != 0) wake_next();  // the queue may have room now
  }
  // 4. Come back for the next command, a refresh that becomes due, and the next answer.
  if (next.at != tlm_bus::no_cycle) wake_at(next.at);
  if (!queue_.empty() && next_refresh_ != refresh_wake_ && next_refresh_ != tlm_bus::no_cycle) {
    refresh_wake_ = next_refresh_;
    wake_at(std::max(next_refresh_, cycle() + 1));
  }
  if (answers_waiting_ != 0) wake_at(std::max(answers_[answer_head_].at, cycle() + 1));
}

void dram_controller::send_answer() {
  if (answers_waiting_ == 0 || answers_[answer_head_].at > cycle() || !requests.can_respond()) return;
  requests.respond(*answers_[answer_head_].payload);
  answer_head_ = answer_head_ + 1 == answers_.size() ? 0 : answer_head_ + 1;
  --answers_waiting_;
}

void dram_controller::queue_answer(tlm::tlm_generic_payload& payload, cycle_t at) {
  auto tail = answer_head_ + answers_waiting_;
  if (tail >= answers_.size()) tail -= static_cast<unsigned>(answers_.size());
  if (answers_waiting_ != 0) at = std::max(at, answers_[tail == 0 ? answers_.size() - 1 : tail - 1].at);
  answers_[tail] = {&payload, at};
  ++answers_waiting_;
}

void dram_controller::reject(tlm::tlm_generic_payload& payload, tlm::tlm_response_status status) {
  payload.set_response_status(status);
  queue_answer(payload, cycle() + 1);
}

void dram_controller::take_request() {
  tlm::tlm_generic_payload& payload = requests.take_request();
  const std::uint64_t offset = payload.get_address();
  const unsigned bytes = payload.get_data_length();
  if (offset >= config_.capacity_bytes() || bytes > config_.capacity_bytes() - offset)
    return reject(payload, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  request r;
  r.payload = &payload;
  r.first_sector = offset / sector_bytes;
  r.last_sector = (offset + bytes - 1) / sector_bytes;
  r.at = map_.locate(offset);
  r.write = payload.is_write();
  const std::uint32_t first_burst = r.at.column / config_.burst_bytes;
  r.bursts = (r.at.column + bytes - 1) / config_.burst_bytes - first_burst + 1;
  if (r.at.column + bytes > config_.row_bytes || payload.get_streaming_width() < bytes)
    return reject(payload, tlm::TLM_BURST_ERROR_RESPONSE);
  for (const request& older : queue_)
    if (older.first_sector <= r.last_sector && r.first_sector <= older.last_sector) ++r.older_conflicts;
  if (queue_.empty()) note_refreshes_in_idle_time();
  queue_.push_back(r);
}

void dram_controller::note_refreshes_in_idle_time() {
  unsigned count = 0;
  cycle_t last = 0;
  for (; next_refresh_ < cycle(); next_refresh_ += config_.timing.t_refi, ++count) last = next_refresh_;
  if (count != 0) devices->refreshed_in_idle_time(count, last);
}

dram_controller::choice dram_controller::best_command() const {
  choice best;
  if (!queue_.empty()) {
    if (next_refresh_ <= cycle()) return best_for_refresh();
    using command = choice::command;
    const bank_timing& timing = devices->timing();
    const bool in_order =
        config_.scheduler == config::dram_scheduler::fifo || queue_.front().passed_by >= most_passes_;
    // Column commands: the first that can be given, oldest first among equals.
    std::uint64_t rows_in_use = 0;  // banks whose open row a request will use
    for (unsigned i = 0; i < (in_order ? 1 : queue_.size()); ++i) {
      const request& r = queue_[i];
      if (timing.open_row(r.at.bank) != r.at.row) continue;
      rows_in_use |= std::uint64_t{1} << r.at.bank;
      if (r.older_conflicts != 0 || answers_full()) continue;
      best.consider(command::column,
                    r.write ? timing.earliest_write(r.at.bank, cycle()) : timing.earliest_read(r.at.bank, cycle()),
                    i);
    }
    // Row commands: for the oldest request of each bank.
    std::uint64_t seen = 0;
    for (unsigned i = 0; i < queue_.size(); ++i) {
      const request& r = queue_[i];
      const std::uint64_t bank_bit = std::uint64_t{1} << r.at.bank;
      if ((seen & bank_bit) != 0) continue;
      seen |= bank_bit;
      const std::uint32_t open = timing.open_row(r.at.bank);
      if (open == r.at.row) continue;
      if (open == bank_timing::no_row)
        best.consider(command::activate, timing.earliest_activate(r.at.bank, cycle()), i);
      else if ((rows_in_use & bank_bit) == 0)
        best.consider(command::precharge, timing.earliest_precharge(r.at.bank, cycle()), r.at.bank);
    }
  }
  if (config_.page_policy == config::page_policy::closed) consider_unneeded_rows(best);
  return best;
}

dram_controller::choice dram_controller::best_for_refresh() const {
  choice best;
  const bank_timing& timing = devices->timing();
  for (unsigned bank = 0; bank < config_.banks; ++bank)
    if (timing.open_row(bank) != bank_timing::no_row)
      best.consider(choice::command::precharge, timing.earliest_precharge(bank, cycle()), bank);
  if (best.what == choice::command::none)
    best.consider(choice::command::refresh, timing.earliest_refresh(cycle()), 0);
  return best;
}

void dram_controller::consider_unneeded_rows(choice& best) const {
  const bank_timing& timing = devices->timing();
  for (unsigned bank = 0; bank < config_.banks; ++bank) {
    const std::uint32_t row = timing.open_row(bank);
    if (row == bank_timing::no_row) continue;
    const bool needed = std::any_of(queue_.begin(), queue_.end(),
                                    [&](const request& r) { return r.at.bank == bank && r.at.row == row; });
    if (!needed) best.consider(choice::command::precharge, timing.earliest_precharge(bank, cycle()), bank);
  }
}

void dram_controller::perform(const choice& c) {
  switch (c.what) {
    case choice::command::column: perform_column(c.index); return;
    case choice::command::activate:
      devices->activate(queue_[c.index].at.bank, queue_[c.index].at.row, cycle());
      queue_[c.index].opened_row = true;
      break;
    case choice::command::precharge: devices->precharge(c.index, cycle()); break;
    case choice::command::refresh:
      devices->refresh(cycle());
      next_refresh_ += config_.timing.t_refi;
      break;
    case choice::command::none: return;
  }
  note_activity();
}

void dram_controller::perform_column(unsigned index) {
  const request r = queue_[index];
  const cycle_t data_end =
      r.write ? devices->write(r.at.bank, r.bursts, cycle()) : devices->read(r.at.bank, r.bursts, cycle());
  access_memory(*devices.operator->(), *r.payload);
  note_activity();
  queue_answer(*r.payload, data_end);
  (r.write ? written_bytes : read_bytes) += r.payload->get_data_length();
  ++(r.opened_row ? row_misses : row_hits);
  data_cycles += r.bursts * config_.timing.t_ccd;
  queue_.erase(queue_.begin() + index);
  for (unsigned i = 0; i < index; ++i) ++queue_[i].passed_by;
  for (unsigned i = index; i < queue_.size(); ++i)
    if (r.first_sector <= queue_[i].last_sector && queue_[i].first_sector <= r.last_sector)
      --queue_[i].older_conflicts;
}

namespace {
// The data of a write seen by a debug read, whose own data lies at `offset`.
void overlay(const tlm::tlm_generic_payload& write, std::uint64_t offset, std::uint8_t* data, unsigned bytes) {
  const std::uint64_t first = std::max<std::uint64_t>(offset, write.get_address());
  const std::uint64_t end = std::min<std::uint64_t>(offset + bytes, write.get_address() + write.get_data_length());
  const std::uint8_t* enables = write.get_byte_enable_ptr();
  for (std::uint64_t byte = first; byte < end; ++byte) {
    const std::uint64_t i = byte - write.get_address();
    if (enables == nullptr || enables[i % write.get_byte_enable_length()] != 0)
      data[byte - offset] = write.get_data_ptr()[i];
  }
}
}  // namespace

unsigned dram_controller::debug(tlm::tlm_generic_payload& payload) {
  const std::uint64_t offset = payload.get_address();
  const unsigned bytes = payload.get_data_length();
  if (offset >= config_.capacity_bytes() || bytes > config_.capacity_bytes() - offset) return 0;
  access_memory(*devices.operator->(), payload);
  if (payload.is_read())
    for (const request& r : queue_)
      if (r.write) overlay(*r.payload, offset, payload.get_data_ptr(), bytes);
  return bytes;
}

}  // namespace gt200::model
