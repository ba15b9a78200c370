#include "sc_models/partition/dram/controller.h"

#include <algorithm>

#include "sc_models/partition/dram/payload_access.h"
#include "sc_models/partition/write_bytes.h"
#include "tlm_bus/state_image.h"

namespace gt200::model {

using tlm_bus::cycle_t;
using step = next_dram_command::command;

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
      commands("commands"),
      config_(config),
      map_(config),
      scheduler_(make_scheduler(config)),
      page_policy_(make_page_policy_of(config)),
      queue_(config.queue_entries),
      queue_counter_("queue", config.queue_entries),
      answers_(config.queue_entries + config.timing.cl + config.timing.wl),
      next_refresh_(config.refresh ? config.timing.t_refi : tlm_bus::no_cycle) {
  for (unsigned bank = 0; bank < config.banks; ++bank) banks.emplace_back("bank_" + std::to_string(bank));
}

std::unique_ptr<dram_scheduler> dram_controller::make_scheduler(const config::dram_config& config) const {
  return make_dram_scheduler(config::chosen_at(config::dram_schedulers, name(), config.scheduler.name()), config);
}

std::unique_ptr<page_policy> dram_controller::make_page_policy_of(const config::dram_config& config) const {
  return make_page_policy(config::chosen_at(config::page_policies, name(), config.page_policy.name()), config);
}

void dram_controller::begin_refresh_at(double fraction) {
  if (next_refresh_ != tlm_bus::no_cycle)
    next_refresh_ = 1 + static_cast<cycle_t>(fraction * static_cast<double>(config_.timing.t_refi));
}

void dram_controller::tick() {
  // 1. Answer requests whose transfer has ended.
  if (answers_waiting_ != 0) send_answer();
  // 2. Take a request into the queue.
  if (requests.requests_waiting() != 0 && !queue_.full() && !answers_full() && requests.request() != nullptr)
    take_request();
  // 3. Give one command to the devices.
  if (reconsider_ || next_refresh_ == cycle()) next_ = next_command();
  if (next_.at <= cycle()) {
    perform(next_);
    next_ = next_command();
    if (requests.requests_waiting() != 0) wake_next();  // the queue may have room now
  }
  reconsider_ = false;
  // 4. Wake up for the next command, and for a refresh that becomes due.
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
  dram_request r;
  r.payload = &payload;
  r.sectors = sectors_of(offset, bytes);
  r.at = map_.locate(offset);
  r.write = payload.is_write();
  r.taken_at = cycle();
  const std::uint32_t first_burst = r.at.column / config_.burst_bytes;
  r.bursts = (r.at.column + bytes - 1) / config_.burst_bytes - first_burst + 1;
  if (r.at.column + bytes > config_.row_bytes || payload.get_streaming_width() < bytes)
    return reject(payload, tlm::TLM_BURST_ERROR_RESPONSE);
  if (queue_.empty()) {
    note_refreshes_in_idle_time();
    reconsider_ = true;
  }
  queue_.add(r);
  queue_counter_.entered(cycle());
  if (!reconsider_) consider_newest_request();
}

// Updates the decision for the newest request.
void dram_controller::consider_newest_request() {
  if (refresh_due()) return;  // rows are being closed for it
  const dram_address& at = queue_.newest().at;
  const bool row_is_needed =
      next_.kind == step::precharge && next_.index == at.bank && devices->timing().open_row(at.bank) == at.row;
  if (row_is_needed || !scheduler_->consider_newest(state(), next_)) reconsider_ = true;
}

void dram_controller::note_refreshes_in_idle_time() {
  unsigned count = 0;
  cycle_t last = 0;
  for (; next_refresh_ < cycle(); next_refresh_ += config_.timing.t_refi, ++count) last = next_refresh_;
  if (count == 0) return;
  dram_transaction refreshes;
  refreshes.command = dram_command::refresh;
  refreshes.at = last;
  refreshes.idle_refreshes = count;
  commands.send(refreshes);
}

next_dram_command dram_controller::next_command() const {
  next_dram_command best;
  if (!queue_.empty()) {
    if (refresh_due())
      consider_refresh(best);
    else
      scheduler_->consider_requests(state(), best);
  }
  page_policy_->consider_closing(state(), best);
  if (best.kind != step::none) best.at = devices->timing().bus_free(best.at);
  return best;
}

void dram_controller::consider_refresh(next_dram_command& best) const {
  const bank_timing& timing = devices->timing();
  for (unsigned bank = 0; bank < config_.banks; ++bank)
    if (timing.open_row(bank) != bank_timing::no_row)
      best.consider(step::precharge, std::max(cycle(), timing.precharge_from(bank)), bank);
  if (best.kind == step::none) best.consider(step::refresh, std::max(cycle(), timing.refresh_from()), 0);
}

void dram_controller::perform(const next_dram_command& c) {
  switch (c.kind) {
    case step::column: perform_column(c.index); return;
    case step::activate:
      give(dram_command::activate, queue_[c.index].at.bank, queue_[c.index].at.row);
      queue_.note_row_opened_for(c.index);
      ++banks[queue_[c.index].at.bank].activates;
      break;
    case step::precharge:
      give(dram_command::precharge, c.index);
      ++banks[c.index].precharges;
      if (queue_.waiting_for(c.index) != 0 && !refresh_due()) closed_for_request_ |= std::uint64_t{1} << c.index;
      break;
    case step::refresh:
      give(dram_command::refresh, 0);
      next_refresh_ += config_.timing.t_refi;
      access_owed_ = true;
      break;
    case step::none: return;
  }
  note_activity();
}

void dram_controller::give(dram_command c, unsigned bank, std::uint32_t row) {
  dram_transaction t;
  t.command = c;
  t.bank = bank;
  t.row = row;
  t.at = cycle();
  commands.send(t);
}

void dram_controller::perform_column(unsigned index) {
  const dram_request r = queue_.take(index);
  tlm::tlm_generic_payload& payload = *r.payload;
  dram_transaction t;
  t.command = r.write ? dram_command::write : dram_command::read;
  t.bank = r.at.bank;
  t.at = cycle();
  t.bursts = r.bursts;
  t.column = r.at.column;
  if (payload.get_command() != tlm::TLM_IGNORE_COMMAND) {
    t.bytes = payload.get_data_length();
    t.data = payload.get_data_ptr();
    t.enables = payload.get_byte_enable_ptr();
    t.enable_bytes = payload.get_byte_enable_length();
  }
  commands.send(t);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  access_owed_ = false;
  note_activity();
  queue_answer(payload, t.data_end);
  (r.write ? write_latency : read_latency).add(t.data_end - r.taken_at);
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
  page_policy_->used(r.at.bank, cycle());
  queue_counter_.left(cycle());
}

// The contents of the devices for debug access, row by row.
class dram_controller::contents {
 public:
  contents(tlm_bus::transaction_out<dram_transaction>& commands, const dram_address_map& map)
      : commands_(commands), map_(map) {}
  void load(std::uint64_t offset, std::uint8_t* to, unsigned bytes) {
    dram_transaction t;
    t.command = dram_command::read;
    t.data = to;
    move(t, offset, bytes);
  }
  void store(std::uint64_t offset, const std::uint8_t* from, unsigned bytes, const std::uint8_t* enables) {
    dram_transaction t;
    t.command = dram_command::write;
    t.data = const_cast<std::uint8_t*>(from);  // a write leaves its data alone
    t.enables = enables;
    move(t, offset, bytes);
  }

 private:
  void move(dram_transaction& t, std::uint64_t offset, unsigned bytes) {
    while (bytes != 0) {
      const dram_address at = map_.locate(offset);
      t.bank = at.bank;
      t.row = at.row;
      t.column = at.column;
      t.bytes = t.enable_bytes = std::min(bytes, map_.left_in_row(at));
      commands_.send_debug(t);
      offset += t.bytes;
      bytes -= t.bytes;
      t.data += t.bytes;
      if (t.enables != nullptr) t.enables += t.bytes;
    }
  }

  tlm_bus::transaction_out<dram_transaction>& commands_;
  const dram_address_map& map_;
};

unsigned dram_controller::debug(tlm::tlm_generic_payload& payload) {
  const std::uint64_t offset = payload.get_address();
  const unsigned bytes = payload.get_data_length();
  if (offset >= config_.capacity_bytes() || bytes > config_.capacity_bytes() - offset) return 0;
  contents memory(commands, map_);
  access_memory(memory, payload);
  if (payload.is_read())
    for (const dram_request& r : queue_)
      if (r.write) show_write(*r.payload, r.payload->get_address(), offset, bytes, payload.get_data_ptr());
  return bytes;
}

void dram_controller::publish(tlm_bus::signal_writer& to) {
  to.outstanding().number("requests_queued", 8, queue_.size());
  to.outstanding().number("answers_waiting", 8, answers_waiting_);
}

void dram_controller::visit_state(tlm_bus::state_image& state) {
  state.fixed(config_, map_);
  state.remake(scheduler_, [this] { return make_scheduler(config_); });
  state.remake(page_policy_, [this] { return make_page_policy_of(config_); });
  state(queue_, queue_counter_, closed_for_request_, answers_, answer_head_, answers_waiting_, next_refresh_,
        refresh_wake_, access_owed_, next_, reconsider_);
}

}  // namespace gt200::model
