// The two ends of a memory path for tests: a stage that sends given transactions and records the answers, and a
// memory with a fixed latency that records its requests.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sc_models/memory_transaction.h"
#include "tlm_bus/memory_port.h"

namespace gt200::support {

struct answered {
  tlm_bus::cycle_t cycle;
  std::uint64_t id;
  tlm::tlm_response_status status;
  std::vector<std::uint8_t> data;

  friend bool operator==(const answered& a, const answered& b) {
    return a.cycle == b.cycle && a.id == b.id && a.status == b.status && a.data == b.data;
  }
};

template <class TRAITS>
class memory_source : public tlm_bus::stage {
 public:
  memory_source(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, std::uint64_t first_id = 1)
      : stage(name, domain), out("out", *this), next_id_(first_id) {}

  tlm_bus::memory_initiator<TRAITS> out;
  model::payload_pool pool;
  std::vector<answered> answers;
  std::vector<tlm_bus::cycle_t> sent;  // in the order of sending
  // Whether an answer is taken in a cycle: a function of the cycle alone. Default: always.
  std::function<bool(tlm_bus::cycle_t)> takes = [](tlm_bus::cycle_t) { return true; };
  std::function<void(model::memory_payload&)> on_answer = [](model::memory_payload&) {};

  // The transaction goes out in `cycle`, or in the first later one in which the port takes it; they keep their
  // order. All must be given before the simulation starts.
  model::memory_payload& load_at(tlm_bus::cycle_t cycle, std::uint64_t address, unsigned bytes) {
    return add(cycle, tlm::TLM_READ_COMMAND, model::memory_kind::load, address, bytes);
  }
  model::memory_payload& store_at(tlm_bus::cycle_t cycle, std::uint64_t address,
                                  const std::vector<std::uint8_t>& data) {
    auto& p =
        add(cycle, tlm::TLM_WRITE_COMMAND, model::memory_kind::store, address, static_cast<unsigned>(data.size()));
    std::copy(data.begin(), data.end(), p.bytes());
    return p;
  }
  model::memory_payload& atomic_at(tlm_bus::cycle_t cycle, std::uint64_t address, model::atomic_operation operation,
                                   std::uint32_t value, std::uint32_t swap = 0) {
    auto& p = add(cycle, tlm::TLM_WRITE_COMMAND, model::memory_kind::atomic, address, 8);
    for (unsigned i = 0; i < 4; ++i) {
      p.bytes()[i] = static_cast<std::uint8_t>(value >> (8 * i));
      p.bytes()[4 + i] = static_cast<std::uint8_t>(swap >> (8 * i));
    }
    p.extension().atomic = operation;
    return p;
  }

  const answered& answer_of(std::uint64_t id) const {
    const auto found = std::find_if(answers.begin(), answers.end(), [id](const answered& a) { return a.id == id; });
    if (found == answers.end()) throw std::logic_error("no answer to transaction " + std::to_string(id));
    return *found;
  }

 private:
  model::memory_payload& add(tlm_bus::cycle_t cycle, tlm::tlm_command command, model::memory_kind kind,
                             std::uint64_t address, unsigned bytes) {
    model::memory_payload& p = pool.get();
    p.prepare(command, address, bytes);
    p.extension() = model::memory_extension{};
    p.extension().kind = kind;
    p.extension().transaction_id = next_id_++;
    if (script_.empty()) wake_at(cycle);
    script_.push_back({cycle, &p});
    return p;
  }

  void tick() override {
    if (out.response() != nullptr) {
      if (takes(cycle())) {
        auto& p = static_cast<model::memory_payload&>(out.take_response());
        answers.push_back({cycle(),
                           p.extension().transaction_id,
                           p.get_response_status(),
                           {p.bytes(), p.bytes() + p.get_data_length()}});
        on_answer(p);
        p.release();
      } else {
        wake_next();
      }
    }
    if (script_.empty() || script_.front().first > cycle() || !out.can_request()) return;
    out.request(*script_.front().second);
    sent.push_back(cycle());
    script_.pop_front();
    if (!script_.empty()) wake_at(std::max(script_.front().first, cycle() + 1));
  }

  std::uint64_t next_id_;
  std::deque<std::pair<tlm_bus::cycle_t, model::memory_payload*>> script_;
};

struct asked {
  tlm_bus::cycle_t cycle;
  tlm::tlm_command command;
  std::uint64_t address;
  unsigned bytes;

  friend bool operator==(const asked& a, const asked& b) {
    return a.cycle == b.cycle && a.command == b.command && a.address == b.address && a.bytes == b.bytes;
  }
  friend std::ostream& operator<<(std::ostream& out, const asked& a) {
    return out << "{cycle " << a.cycle << (a.command == tlm::TLM_READ_COMMAND ? ": read " : ": write ") << a.bytes
               << " at " << a.address << '}';
  }
};

template <class TRAITS>
class fixed_latency_memory : public tlm_bus::stage {
 public:
  fixed_latency_memory(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, unsigned latency)
      : stage(name, domain),
        in("in", *this, 2, 1, [this](tlm::tlm_generic_payload& p) { return access(p); }),
        latency_(latency) {}

  tlm_bus::memory_target<TRAITS> in;
  std::map<std::uint64_t, std::uint8_t> bytes;
  std::vector<asked> requests;  // in the order and cycle of taking
  // Whether a request is taken in a cycle: a function of the cycle alone. Default: always.
  std::function<bool(tlm_bus::cycle_t)> takes = [](tlm_bus::cycle_t) { return true; };
  tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;

  void fill(std::uint64_t address, unsigned count, std::uint8_t seed = 0) {
    for (unsigned i = 0; i < count; ++i) bytes[address + i] = value_at(address + i, seed);
  }
  static std::uint8_t value_at(std::uint64_t address, std::uint8_t seed = 0) {
    return static_cast<std::uint8_t>(address * 7 + (address >> 8) + seed);
  }
  static std::vector<std::uint8_t> values_at(std::uint64_t address, unsigned count, std::uint8_t seed = 0) {
    std::vector<std::uint8_t> v;
    for (unsigned i = 0; i < count; ++i) v.push_back(value_at(address + i, seed));
    return v;
  }

 private:
  void tick() override {
    if (!answers_.empty() && answers_.front().first <= cycle() && in.can_respond()) {
      in.respond(*answers_.front().second);
      answers_.pop_front();
    }
    if (in.request() != nullptr) {
      if (takes(cycle())) {
        tlm::tlm_generic_payload& p = in.take_request();
        requests.push_back({cycle(), p.get_command(), p.get_address(), p.get_data_length()});
        access(p);
        p.set_response_status(status);
        answers_.emplace_back(cycle() + latency_, &p);
      } else {
        wake_next();
      }
    }
    if (!answers_.empty()) wake_at(std::max(answers_.front().first, cycle() + 1));
  }
  unsigned access(tlm::tlm_generic_payload& p) {
    const std::uint8_t* enables = p.get_byte_enable_ptr();
    for (unsigned i = 0; i < p.get_data_length(); ++i) {
      if (p.is_read()) p.get_data_ptr()[i] = bytes[p.get_address() + i];
      if (p.is_write() && (enables == nullptr || enables[i] != 0)) bytes[p.get_address() + i] = p.get_data_ptr()[i];
    }
    return p.get_data_length();
  }

  unsigned latency_;
  std::deque<std::pair<tlm_bus::cycle_t, tlm::tlm_generic_payload*>> answers_;
};

}  // namespace gt200::support
