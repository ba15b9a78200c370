#include "sc_models/partition/dram/controller.h"

#include <algorithm>
#include <array>

#include "sc_models/partition/dram/payload_access.h"
#include "sc_models/partition/write_bytes.h"

namespace gt200::model {

using tlm_bus::cycle_t;

namespace {
constexpr unsigned sector_bytes = 32;  // granule of order
}

dram_controller::bank_counters::bank_counters(const std::string& name)
    : row_hits(name + ".row_hits", "transactions", "transactions that found their row open"),
      row_misses(name + ".row_misses", "transactions", "transactions for which a row was opened"),
      row_conflicts(name + ".row_conflicts", "transactions",
                    "of these, those for which another row was closed first"),
      activates(name + ".activates", "commands", "rows opened"),
      precharges(name + ".precharges", "commands", "rows closed, for refresh and after idle time too") {}

dram_controller::dram_controller(const sc_core::sc_module_name& name, tlm_bus::clock_domain& memory,
                                 const config::dram_config& config)
    : stage(name, memory),
      requests("requests", *this, 2, 1, [this](tlm::tlm_generic_payload& p) { return debug(p); }),
      devices("devices"),
      config_(config),
      map_(config),
      most_passes_(4 * config.queue_entries),
      queue_counter_("queue", config.queue_entries),
      answers_(config.queue_entries + config.timing.cl + config.timing.wl),
      next_refresh_(config.refresh ? config.timing.t_refi : tlm_bus::no_cycle) {
  queue_.reserve(config.queue_entries);
  for (unsigned bank = 0; bank < config.banks; ++bank) banks.emplace_back("bank_" + std::to_string(bank));
}

void dram_controller::tick() {
  // 1. Answer what has been transferred.
  if (answers_waiting_ != 0) send_answer();
  // 2. Take a request into the queue.
  if (requests.requests_waiting() != 0 && queue_.size() < config_.queue_entries && !answers_full() &&
      requests.request() != nullptr)
    take_request();
  // 3. Give one command to the devices.
  if (reconsider_ || next_refresh_ == cycle()) next_ = next_command();
  if (next_.at <= cycle()) {
    perform(next_);
    next_ = next_command();
    if (requests.requests_waiting() != 0) wake_next();  // the queue may have room now
  }
  reconsider_ = false;
  // 4. Come back for the next command and for a refresh that becomes due.
  if (next_.at != tlm_bus::no_cycle) wake_at(std::max(next_.at, cycle() + 1));
  if (!queue_.empty() && next_refresh_ != refresh_wake_ && next_refresh_ != tlm_bus::no_cycle) {
    refresh_wake_ = next_refresh_;
    wake_at(std::max(next_refresh_, cycle() + 1));
  }
}

void dram_controller::send_answer() {
  if (answers_[answer_head_].at > cycle() || !requests.can_respond()) return;
  if (answers_full()) reconsider_ = true;
  requests.respond(*answers_[answer_head_].payload);
  answer_head_ = answer_head_ + 1 == answers_.size() ? 0 : answer_head_ + 1;
  if (--answers_waiting_ != 0) wake_at(std::max(answers_[answer_head_].at, cycle() + 1));
}

void dram_controller::queue_answer(tlm::tlm_generic_payload& payload, cycle_t at) {
  auto tail = answer_head_ + answers_waiting_;
  if (tail >= answers_.size()) tail -= static_cast<unsigned>(answers_.size());
  if (answers_waiting_ != 0) at = std::max(at, answers_[tail == 0 ? answers_.size() - 1 : tail - 1].at);
  answers_[tail] = {&payload, at};
  if (++answers_waiting_ == 1) wake_at(at);
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
  if (queue_.empty()) {
    note_refreshes_in_idle_time();
    reconsider_ = true;
  }
  queue_.push_back(r);
  queue_counter_.entered(cycle());
  ++waiting_for_bank_[r.at.bank];
  if (!reconsider_) consider_new_request();
}

// What next_command() would say now, from what it said without the youngest request.
void dram_controller::consider_new_request() {
  using command = choice::command;
  const request& r = queue_.back();
  const bank_timing& timing = devices->timing();
  if (refresh_due()) return;  // rows are being closed for it
  const auto index = static_cast<unsigned>(queue_.size() - 1);
  const std::uint32_t open = timing.open_row(r.at.bank);
  if (open == r.at.row) {
    if (next_.what == command::precharge && next_.index == r.at.bank) reconsider_ = true;  // its row is needed
    if (config_.scheduler == config::dram_scheduler::fifo || queue_.front().passed_by >= most_passes_) return;
    if (r.older_conflicts != 0 || answers_full()) return;
    const cycle_t ready = r.write ? timing.write_from(r.at.bank) : timing.read_from(r.at.bank);
    const cycle_t at = timing.bus_free(std::max(cycle(), ready));
    if (at < next_.at || (at == next_.at && next_.what != command::column)) next_ = {command::column, at, index};
  } else if (waiting_for_bank_[r.at.bank] == 1) {
    if (open == bank_timing::no_row)
      next_.consider(command::activate, timing.bus_free(std::max(cycle(), timing.activate_from(r.at.bank))), index);
    else
      next_.consider(command::precharge, timing.bus_free(std::max(cycle(), timing.precharge_from(r.at.bank))),
                     r.at.bank);
  }
}

void dram_controller::note_refreshes_in_idle_time() {
  unsigned count = 0;
  cycle_t last = 0;
  for (; next_refresh_ < cycle(); next_refresh_ += config_.timing.t_refi, ++count) last = next_refresh_;
  if (count != 0) devices->refreshed_in_idle_time(count, last);
}

dram_controller::choice dram_controller::next_command() const {
  choice best;
  if (!queue_.empty()) {
    if (refresh_due())
      consider_refresh(best);
    else
      consider_requests(best);
  }
  if (config_.page_policy == config::page_policy::closed)
    consider_unneeded_rows(best);
  else if (config_.idle_close_cycles != 0)
    consider_idle_rows(best);
  if (best.what != choice::command::none) best.at = devices->timing().bus_free(best.at);
  return best;
}

void dram_controller::consider_requests(choice& best) const {
  using command = choice::command;
  const bank_timing& timing = devices->timing();
  const cycle_t now = cycle();
  const bool only_oldest =
      config_.scheduler == config::dram_scheduler::fifo || queue_.front().passed_by >= most_passes_;
  const bool no_columns = answers_full();
  std::uint64_t seen = 0;         // banks a request met so far is for
  std::uint64_t rows_in_use = 0;  // banks whose open row a request will use
  std::array<std::uint16_t, 64> row_wanted;
  unsigned rows_wanted = 0;  // oldest requests of their banks that find another row or none
  for (unsigned i = 0; i < queue_.size(); ++i) {
    const request& r = queue_[i];
    const std::uint64_t bank_bit = std::uint64_t{1} << r.at.bank;
    if (timing.open_row(r.at.bank) != r.at.row) {
      if ((seen & bank_bit) == 0) row_wanted[rows_wanted++] = static_cast<std::uint16_t>(i);
    } else if (i == 0 || !only_oldest) {
      rows_in_use |= bank_bit;
      if (r.older_conflicts == 0 && !no_columns)
        best.consider(command::column,
                      std::max(now, r.write ? timing.write_from(r.at.bank) : timing.read_from(r.at.bank)), i);
      if (best.at == now) return;  // nothing comes before that
    }
    seen |= bank_bit;
  }
  for (unsigned w = 0; w < rows_wanted; ++w) {
    const unsigned bank = queue_[row_wanted[w]].at.bank;
    if (timing.open_row(bank) == bank_timing::no_row)
      best.consider(command::activate, std::max(now, timing.activate_from(bank)), row_wanted[w]);
    else if (((rows_in_use >> bank) & 1) == 0)
      best.consider(command::precharge, std::max(now, timing.precharge_from(bank)), bank);
  }
}

void dram_controller::consider_refresh(choice& best) const {
  const bank_timing& timing = devices->timing();
  for (unsigned bank = 0; bank < config_.banks; ++bank)
    if (timing.open_row(bank) != bank_timing::no_row)
      best.consider(choice::command::precharge, std::max(cycle(), timing.precharge_from(bank)), bank);
  if (best.what == choice::command::none)
    best.consider(choice::command::refresh, std::max(cycle(), timing.refresh_from()), 0);
}

void dram_controller::consider_unneeded_rows(choice& best) const {
  const bank_timing& timing = devices->timing();
  for (unsigned bank = 0; bank < config_.banks; ++bank) {
    const std::uint32_t row = timing.open_row(bank);
    if (row == bank_timing::no_row) continue;
    const bool needed = std::any_of(queue_.begin(), queue_.end(),
                                    [&](const request& r) { return r.at.bank == bank && r.at.row == row; });
    if (!needed) best.consider(choice::command::precharge, std::max(cycle(), timing.precharge_from(bank)), bank);
  }
}

void dram_controller::consider_idle_rows(choice& best) const {
  const bank_timing& timing = devices->timing();
  for (unsigned bank = 0; bank < config_.banks; ++bank) {
    if (timing.open_row(bank) == bank_timing::no_row || waiting_for_bank_[bank] != 0) continue;
    const cycle_t idle_from = std::max(timing.precharge_from(bank), last_use_[bank] + config_.idle_close_cycles);
    best.consider(choice::command::precharge, std::max(cycle(), idle_from), bank);
  }
}

void dram_controller::perform(const choice& c) {
  switch (c.what) {
    case choice::command::column: perform_column(c.index); return;
    case choice::command::activate:
      devices->activate(queue_[c.index].at.bank, queue_[c.index].at.row, cycle());
      queue_[c.index].opened_row = true;
      ++banks[queue_[c.index].at.bank].activates;
      break;
    case choice::command::precharge:
      devices->precharge(c.index, cycle());
      ++banks[c.index].precharges;
      if (waiting_for_bank_[c.index] != 0 && !refresh_due()) closed_for_request_ |= std::uint64_t{1} << c.index;
      break;
    case choice::command::refresh:
      devices->refresh(cycle());
      next_refresh_ += config_.timing.t_refi;
      access_owed_ = true;
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
  access_owed_ = false;
  note_activity();
  queue_answer(*r.payload, data_end);
  (r.write ? written_bytes : read_bytes) += r.payload->get_data_length();
  ++(r.opened_row ? row_misses : row_hits);
  bank_counters& bank = banks[r.at.bank];
  if (r.opened_row) {
    ++bank.row_misses;
    bank.row_conflicts += closed_for_request_ >> r.at.bank & 1;
    closed_for_request_ &= ~(std::uint64_t{1} << r.at.bank);
  } else {
    ++bank.row_hits;
  }
  data_cycles += r.bursts * config_.timing.t_ccd;
  last_use_[r.at.bank] = cycle();
  queue_.erase(queue_.begin() + index);
  queue_counter_.left(cycle());
  --waiting_for_bank_[r.at.bank];
  for (unsigned i = 0; i < index; ++i) ++queue_[i].passed_by;
  for (unsigned i = index; i < queue_.size(); ++i)
    if (r.first_sector <= queue_[i].last_sector && queue_[i].first_sector <= r.last_sector)
      --queue_[i].older_conflicts;
}

unsigned dram_controller::debug(tlm::tlm_generic_payload& payload) {
  const std::uint64_t offset = payload.get_address();
  const unsigned bytes = payload.get_data_length();
  if (offset >= config_.capacity_bytes() || bytes > config_.capacity_bytes() - offset) return 0;
  access_memory(*devices.operator->(), payload);
  if (payload.is_read())
    for (const request& r : queue_)
      if (r.write) show_write(*r.payload, r.payload->get_address(), offset, bytes, payload.get_data_ptr());
  return bytes;
}

void dram_controller::publish(tlm_bus::signal_writer& to) {
  to.outstanding().number("requests_queued", 8, queue_.size());
  to.outstanding().number("answers_waiting", 8, answers_waiting_);
}

}  // namespace gt200::model
