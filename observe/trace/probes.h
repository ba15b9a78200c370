// Probes: the observers that the catalogue attaches to pipes, sockets and other taps of the model.
#pragma once

#include <tlm>

#include "observe/trace/catalog.h"
#include "sc_models/memory_transaction.h"
#include "sc_models/sm/observers.h"
#include "sc_models/sm/sm_probe.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/memory_port.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/tap.h"
#include "tlm_bus/transaction.h"

namespace gt200::observe {

// The place of a probe and the listener to which it reports.
struct probe_place {
  probe_listener& listener;
  std::uint32_t place;
  std::uint32_t source;

  void report(const event& e) const { listener.on_event(e); }
  void touch() const { listener.touched(source); }
  event event_of(event_kind kind) const {
    event e;
    e.place = place;
    e.kind = kind;
    return e;
  }
};

// A pipe. Signals: occupancy, valid (not empty), ready (not full) and the fields of the oldest token, even if the
// receiver cannot see it yet.
class pipe_probe final : public probe, public tlm_bus::signal_source, private tlm_bus::token_listener {
 public:
  pipe_probe(tlm_bus::pipe_state& pipe, const probe_place& at) : pipe_(pipe), at_(at) {}
  void attach() override { tokens_ = pipe_.subscribe(*this); }
  void detach() override { tokens_.reset(); }
  void publish(tlm_bus::signal_writer& to) override {
    to.number("occupancy", 8, pipe_.occupancy());
    to.flag("valid", pipe_.occupancy() != 0);
    to.flag("ready", pipe_.occupancy() < pipe_.depth());
    pipe_.show_oldest(to);
  }

 private:
  void token_sent(const tlm_bus::event_details& token) override { report(event_kind::sent, token); }
  void token_taken(const tlm_bus::event_details& token) override { report(event_kind::taken, token); }
  void report(event_kind kind, const tlm_bus::event_details& token) {
    event e = at_.event_of(kind);
    static_cast<tlm_bus::event_details&>(e) = token;
    at_.report(e);
    at_.touch();
  }
  tlm_bus::pipe_state& pipe_;
  probe_place at_;
  std::unique_ptr<tlm_bus::token_subscription> tokens_;
};

// A transaction socket. Signals: number of transactions since the probe was attached, and the fields of the last
// one.
class transaction_probe final : public probe, public tlm_bus::signal_source, private tlm_bus::transaction_listener {
 public:
  transaction_probe(tlm_bus::transaction_state& socket, const probe_place& at)
      : transactions_(socket.watch(*this)), at_(at) {}
  void attach() override { transactions_->attach(); }
  void detach() override { transactions_->detach(); }
  void publish(tlm_bus::signal_writer& to) override {
    to.number("transactions", 32, count_);
    transactions_->show_last(to);
  }

 private:
  void transported(const tlm_bus::event_details& transaction) override {
    ++count_;
    event e = at_.event_of(event_kind::transported);
    static_cast<tlm_bus::event_details&>(e) = transaction;
    at_.report(e);
    at_.touch();
  }
  std::unique_ptr<tlm_bus::transaction_watch> transactions_;
  probe_place at_;
  std::uint64_t count_ = 0;
};

// The target side of a memory connection. Signals: waiting requests, numbers of requests and responses begun, and
// the fields of the last request.
template <class TRAITS>
class target_probe final : public probe, public tlm_bus::signal_source, private tlm_bus::memory_observer {
 public:
  target_probe(tlm_bus::memory_target<TRAITS>& port, const probe_place& at) : port_(port), at_(at) {}
  ~target_probe() override { detach(); }
  void attach() override { port_.observers().attach(*this); }
  void detach() override { port_.observers().detach(*this); }
  void publish(tlm_bus::signal_writer& to) override {
    to.number("waiting", 8, port_.requests_waiting());
    to.number("requests", 32, requests_);
    to.number("responses", 32, responses_);
    to.identifier("id", last_.id);
    to.identifier("instruction", last_.detail[details::instruction]);
    to.number("address", model::traced_address_bits, last_.detail[details::address]);
    to.number("bytes", 16, last_.detail[details::bytes]);
    to.flag("write", last_.detail[details::write] != 0);
  }

 private:
  using details = model::transaction_details;
  static event_kind event_kind_of(std::uint64_t phase) {
    return static_cast<event_kind>(static_cast<std::uint64_t>(event_kind::begin_request) + phase - tlm::BEGIN_REQ);
  }
  void phase(const sc_core::sc_object&, tlm_bus::femtoseconds, const tlm::tlm_generic_payload& payload,
             tlm::tlm_phase_enum phase) override {
    event e = at_.event_of(event_kind_of(phase));
    model::describe(e, &payload);
    if (phase == tlm::BEGIN_RESP) ++responses_;
    if (phase == tlm::BEGIN_REQ) {
      ++requests_;
      last_ = e;
    }
    at_.report(e);
    at_.touch();
  }
  tlm_bus::memory_target<TRAITS>& port_;
  probe_place at_;
  // counted since the probe was attached
  std::uint64_t requests_ = 0;
  std::uint64_t responses_ = 0;
  event last_;
};

// Details of `entered`: warp, pc, dependencies, scoreboard entries taken, and the address of the instruction
// object, which the recorder replaces by the number of its disassembly.
class instruction_buffer_probe final : public probe, private model::instruction_buffer_observer {
 public:
  instruction_buffer_probe(tlm_bus::tap<model::instruction_buffer_observer>& buffer, const probe_place& at)
      : buffer_(buffer), at_(at) {}
  ~instruction_buffer_probe() override { detach(); }
  void attach() override { buffer_.attach(*this); }
  void detach() override { buffer_.detach(*this); }

 private:
  void entered(const sc_core::sc_object&, model::warp_slot warp,
               const model::buffered_instruction& instruction) override {
    event e = at_.event_of(event_kind::entered);
    e.id = instruction.id;
    e.add(warp.index());
    e.add(instruction.pc);
    e.add(instruction.dependencies);
    e.add(instruction.allocated);
    e.add(reinterpret_cast<std::uintptr_t>(instruction.instruction));
    at_.report(e);
  }
  tlm_bus::tap<model::instruction_buffer_observer>& buffer_;
  probe_place at_;
};

// Details of `completed`: warp, pc, lanes that executed, fault, scoreboard entries released.
class write_back_probe final : public probe, private model::write_back_observer {
 public:
  write_back_probe(const model::module_tap<model::write_back_observer>& unit, const probe_place& at)
      : unit_(unit), at_(at) {}
  ~write_back_probe() override { detach(); }
  void attach() override { unit_.tap.attach(*this); }
  void detach() override { unit_.tap.detach(*this); }

 private:
  void completed(const sc_core::sc_object& unit, const model::warp_instruction& operation) override {
    if (&unit != &unit_.module) return;
    event e = at_.event_of(event_kind::completed);
    describe(e, &operation);
    e.add(operation.executed);
    e.add(static_cast<std::uint64_t>(operation.fault));
    e.add(operation.dependency_entries);
    at_.report(e);
  }
  model::module_tap<model::write_back_observer> unit_;
  probe_place at_;
};

// The counters of one module. They are read without their descriptions, which are elsewhere in the host's memory.
class counter_signals final : public tlm_bus::signal_source {
 public:
  explicit counter_signals(const std::vector<const tlm_bus::counter::attribute*>& counters) {
    for (const tlm_bus::counter::attribute* c : counters) counters_.push_back({c->name().c_str(), &c->described()});
  }
  void publish(tlm_bus::signal_writer& to) override {
    for (const named_counter& c : counters_) to.number(c.name, 64, c.counter->value());
  }

 private:
  struct named_counter {
    const char* name;
    const tlm_bus::counter* counter;
  };
  std::vector<named_counter> counters_;
};

}  // namespace gt200::observe
