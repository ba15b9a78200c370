// Memory ports: TLM-2.0 AT sockets that a stage uses with four verbs on each side.
//
// memory_initiator: can_request / request, response / take_response.
// memory_target:    request / take_request, can_respond / respond.
//
// TRAITS is base_protocol, to which foreign components bind unchanged, or other protocol traits with the same
// payload and phases. If these define a type `mandatory_extension`, a target refuses transactions without that
// extension. Phases follow the base protocol; handshake.h defines when an END is returned in the call. The owner
// must look at its ports in every tick in which it could use them, because late ENDs are sent then.
//
// Foreign components may answer in the call (TLM_UPDATED or TLM_COMPLETED), call back before they return, call at
// any time and annotate delays. Phases beyond those of the base protocol are ignored, as the standard requires.
//
// If both ends are bound to each other and belong to different edge drivers, the connection is a border (border.h):
// the latencies of both queues must cover a window, and every END is returned in the call.
//
// References: the initiator holds one from payload_pool::get() until it releases the payload after take_response();
// the target adds one between request and response.
//
// Errors: a call that violates the protocol is reported as /gt200/protocol (report.h), with the name of the port.
// Of a foreign component that is also a request or a response that comes twice, and a response without a status.
// Binding a port that is bound already throws std::logic_error with its name.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <systemc>
#include <tlm>
#include <type_traits>

#include "tlm_bus/handshake.h"
#include "tlm_bus/payload_text.h"
#include "tlm_bus/report.h"
#include "tlm_bus/resettable.h"
#include "tlm_bus/stage.h"
#include "tlm_bus/tap.h"
#include "tlm_bus/transactions_under_way.h"

namespace gt200::tlm_bus {

// Width of the sockets, as a template argument. Most foreign components have this width (it is the default of the
// tlm_utils sockets) and could not be bound to sockets of another one. Transactions may be wider.
inline constexpr unsigned memory_bus_bits = 32;

// Is notified of the phases of one port in the order of the calls. Phases that a return value implies are reported
// like the others. `at` includes the annotated delay of the call. Attached from outside.
class memory_observer {
 public:
  virtual ~memory_observer() = default;
  virtual void phase(const sc_core::sc_object& port, femtoseconds at, const tlm::tlm_generic_payload& payload,
                     tlm::tlm_phase_enum phase) = 0;
};

// True if the protocol requires no extension.
template <class TRAITS, class = void>
struct mandatory_extension_of {
  static bool is_in(const tlm::tlm_generic_payload&) { return true; }
};
template <class TRAITS>
struct mandatory_extension_of<TRAITS, std::void_t<typename TRAITS::mandatory_extension>> {
  static bool is_in(const tlm::tlm_generic_payload& payload) {
    return payload.get_extension<typename TRAITS::mandatory_extension>() != nullptr;
  }
};

// True for an extended phase of a foreign component.
inline bool is_ignorable(const tlm::tlm_phase& phase) { return static_cast<unsigned>(phase) > tlm::END_RESP; }

// A port has one port at its other end. SystemC would say so only when the elaboration ends, and not where the
// mistake is. `port` is the part of the socket `name` that is bound; `bound`: what is there already, or empty.
template <class PORT>
PORT& not_bound_yet(PORT& port, const char* name, const std::string& bound) {
  if (port.bind_count() == 0) return port;
  throw std::logic_error(std::string(name) + ": is bound a second time, and has room for one; bound already: " +
                         (bound.empty() ? "another component" : bound));
}

// The ends of a memory port, for the port at the other end.
class memory_target_end {
 public:
  virtual stage& owner() = 0;
  virtual handshake_receiver& requests() = 0;
  virtual handshake_sender& responses() = 0;
  virtual crossing_target<tlm::tlm_generic_payload*>& arrivals() = 0;

 protected:
  ~memory_target_end() = default;
};
class memory_initiator_end {
 protected:
  virtual ~memory_initiator_end() = default;
};

template <class TRAITS>
class memory_initiator : public tlm::tlm_initiator_socket<memory_bus_bits, TRAITS>, public resettable {
  using socket = tlm::tlm_initiator_socket<memory_bus_bits, TRAITS>;

 public:
  // `response_depth` >= 1; `response_latency` >= 1 cycles of the owner.
  memory_initiator(const char* name, stage& owner, unsigned response_depth = 2, unsigned response_latency = 1)
      : socket(name), owner_(owner), requests_(owner), responses_(owner, response_depth, response_latency) {
    this->socket::bind(static_cast<tlm::tlm_bw_transport_if<TRAITS>&>(end_));
    responses_.set_name(this->socket::name());
  }

  using socket::get_base_port;
  // Called by everybody who binds the port.
  sc_core::sc_port_b<tlm::tlm_fw_transport_if<TRAITS>>& get_base_port() override {
    return not_bound_yet(socket::get_base_port(), this->name(), {});
  }

  bool can_request() {
    settle();
    if (responses_.overfull()) return false;  // the owner becomes due when it takes a response
    return requests_.can_send();
  }
  void request(tlm::tlm_generic_payload& payload) {
    if (responses_.overfull())
      throw reported_error(protocol_report, std::string(this->name()) + ": requested without can_request()");
    if (requests_.crosses_border()) {
      note(payload, tlm::BEGIN_REQ, owner_.now());
      note(payload, tlm::END_REQ, owner_.now());
      return requests_.cross(payload);
    }
    requests_.begin(payload);
    note(payload, tlm::BEGIN_REQ, owner_.now());
    if (foreign_) under_way_.begin(payload);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    const auto answer = (*this)->nb_transport_fw(payload, phase, delay);
    if (answer == tlm::TLM_ACCEPTED) return;
    const call_instant at(owner_, delay);
    const bool awaited = requests_.ended(payload, at);
    if (answer == tlm::TLM_COMPLETED) {
      // The target has completed the transaction within the call. It waits for no END_RESP, so nothing can hold the
      // response back: the response enters the queue even if the queue is full. Observers see both phases all the
      // same.
      note(payload, tlm::BEGIN_RESP, at.effective);
      note(payload, tlm::END_RESP, at.effective);
      check_response(payload);
      responses_.arrive_without_end(payload, at);
    } else if (phase == tlm::BEGIN_RESP) {
      note(payload, tlm::BEGIN_RESP, at.effective);
      check_response(payload);
      if (responses_.arrive(payload, at)) send_end_response(payload, delay);
    } else if (phase == tlm::END_REQ && awaited) {
      note(payload, tlm::END_REQ, at.effective);
    } else {
      throw reported_error(protocol_report, std::string(this->name()) + ": unexpected answer to BEGIN_REQ");
    }
  }
  // Returns the oldest response visible in this cycle, or null.
  tlm::tlm_generic_payload* response() {
    settle();
    return responses_.front();
  }
  // Removes that response. The caller still holds the initiator's reference and releases it when done.
  tlm::tlm_generic_payload& take_response() { return responses_.pop(); }

  // From now on a response with an error status is reported as /gt200/protocol: its owner asks for nothing that the
  // target may refuse.
  void refuse_errors() { refuses_errors_ = true; }

  tap<memory_observer>& observers() { return observers_; }
  unsigned responses_waiting() const { return responses_.occupancy(); }
  // A foreign component would not know that its transactions have gone.
  void visit_state(state_image& state) override {
    if (foreign_) state.refuse(*this, "bound to a component from outside the chip");
    state.fixed(end_, foreign_, refuses_errors_, under_way_);
    state(requests_, responses_);
  }
  const char* kind() const override { return "memory_initiator"; }

 private:
  void end_of_elaboration() override {
    socket::end_of_elaboration();
    auto* const target = dynamic_cast<memory_target_end*>(this->operator->());
    foreign_ = target == nullptr;
    if (foreign_) return note_foreign_end(*this, owner_);
    clock_domain& here = owner_.domain();
    clock_domain& there = target->owner().domain();
    if (&here.driver() == &there.driver()) return;
    require_window(this->name(), here, there, target->requests().latency());
    require_window(this->name(), there, here, responses_.latency());
    target->requests().cross_border(requests_.cross_border(target->arrivals(), target->requests().depth()));
    responses_.cross_border(target->responses().cross_border(end_, responses_.depth()));
  }
  void note(const tlm::tlm_generic_payload& payload, tlm::tlm_phase_enum phase, femtoseconds at) {
    observers_.notify([&](memory_observer& o) { o.phase(*this, at, payload, phase); });
  }
  void check_response(const tlm::tlm_generic_payload& payload) {
    const auto refuse = [&](const std::string& why) {
      throw reported_error(protocol_report, std::string(this->name()) + ": " + why);
    };
    if (foreign_ && !under_way_.end(payload)) refuse("BEGIN_RESP of a transaction that is not under way");
    if (foreign_ && payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
      refuse("BEGIN_RESP without a response status, for " + text_of(payload));
    if (refuses_errors_ && payload.is_response_error())
      refuse(text_of(payload) + " is answered with " + payload.get_response_string());
  }
  void settle() {
    if (auto* late = responses_.settle()) send_end_response(*late, sc_core::sc_time());
  }
  void send_end_response(tlm::tlm_generic_payload& payload, sc_core::sc_time delay) {
    note(payload, tlm::END_RESP, owner_.domain().driver().now() + delay.value());
    tlm::tlm_phase phase = tlm::END_RESP;
    (*this)->nb_transport_fw(payload, phase, delay);
  }

  tlm::tlm_sync_enum on_backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                 sc_core::sc_time& delay) {
    if (is_ignorable(phase)) return tlm::TLM_ACCEPTED;
    const call_instant at(owner_, delay);
    if (phase == tlm::END_REQ) {
      if (!requests_.ended(payload, at))
        throw reported_error(protocol_report,
                             std::string(this->name()) + ": END_REQ of a request that is not waiting for it");
      note(payload, tlm::END_REQ, at.effective);
      return tlm::TLM_ACCEPTED;
    }
    if (phase != tlm::BEGIN_RESP)
      throw reported_error(protocol_report, std::string(this->name()) + ": unexpected phase on the backward path");
    note(payload, tlm::BEGIN_RESP, at.effective);
    check_response(payload);
    requests_.ended(payload, at);  // a response implies the END of its own request, if that is still outstanding
    if (!responses_.arrive(payload, at)) return tlm::TLM_ACCEPTED;
    phase = tlm::END_RESP;
    note(payload, tlm::END_RESP, at.effective);
    return tlm::TLM_COMPLETED;
  }
  // The interface to which the socket is bound. It is not a base of the port: that would make hierarchical binding
  // ambiguous.
  struct backward_end final : tlm::tlm_bw_transport_if<TRAITS>,
                              memory_initiator_end,
                              crossing_target<tlm::tlm_generic_payload*> {
    explicit backward_end(memory_initiator& p) : port(p) {}
    void arrived(femtoseconds sent_at, tlm::tlm_generic_payload* const& payload) override {
      port.note(*payload, tlm::BEGIN_RESP, sent_at);
      port.note(*payload, tlm::END_RESP, sent_at);
      port.responses_.arrive_over_border(*payload, sent_at);
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override {
      try {
        return port.on_backward(payload, phase, delay);
      } catch (...) {
        report_exception_of_call(port.owner_);
        return tlm::TLM_ACCEPTED;
      }
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
    memory_initiator& port;
  };

  stage& owner_;
  backward_end end_{*this};
  handshake_sender requests_;
  handshake_receiver responses_;
  bool foreign_ = false;              // what is bound to it is not one of our ports
  transactions_under_way under_way_;  // with a foreign component
  bool refuses_errors_ = false;
  tap<memory_observer> observers_;
};

template <class TRAITS>
class memory_target : public tlm::tlm_target_socket<memory_bus_bits, TRAITS>, public resettable {
  using socket = tlm::tlm_target_socket<memory_bus_bits, TRAITS>;

 public:
  // `debug` serves transport_dbg and untimed b_transport. It must see queued and merged data. It returns the number
  // of bytes moved (0 = address error).
  memory_target(const char* name, stage& owner, unsigned request_depth = 2, unsigned request_latency = 1,
                std::function<unsigned(tlm::tlm_generic_payload&)> debug = {})
      : socket(name),
        owner_(owner),
        requests_(owner, request_depth, request_latency),
        responses_(owner),
        debug_(std::move(debug)) {
    this->socket::bind(static_cast<tlm::tlm_fw_transport_if<TRAITS>&>(end_));
    requests_.set_name(this->socket::name());
  }

  using socket::get_base_port;
  // Called by everybody who binds the port.
  sc_core::sc_port_b<tlm::tlm_bw_transport_if<TRAITS>>& get_base_port() override {
    return not_bound_yet(socket::get_base_port(), this->name(), bound_);
  }
  // What is bound to the port, for the message of a second binding.
  void say_what_is_bound(std::string text) { bound_ = std::move(text); }

  // Returns the oldest request visible in this cycle, or null.
  tlm::tlm_generic_payload* request() {
    settle();
    return requests_.front();
  }
  // Removes that request. The target keeps its reference until respond().
  tlm::tlm_generic_payload& take_request() { return requests_.pop(); }
  bool can_respond() {
    settle();
    return responses_.can_send();
  }
  // Sends the response. Status and data of `payload` must be set. Releases the target's reference.
  void respond(tlm::tlm_generic_payload& payload) {
    if (responses_.crosses_border()) {
      note(payload, tlm::BEGIN_RESP, owner_.now());
      note(payload, tlm::END_RESP, owner_.now());
      payload.release();  // before the initiator may release it
      return responses_.cross(payload);
    }
    responses_.begin(payload);
    note(payload, tlm::BEGIN_RESP, owner_.now());
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay;
    const auto answer = (*this)->nb_transport_bw(payload, phase, delay);
    if (answer == tlm::TLM_ACCEPTED) return;
    if (answer == tlm::TLM_UPDATED && phase != tlm::END_RESP)
      throw reported_error(protocol_report, std::string(this->name()) + ": unexpected answer to BEGIN_RESP");
    end_response(payload, call_instant(owner_, delay));
  }

  // From now on b_transport calls `serve`, which sets the response status, instead of `debug`.
  void serve_blocking(std::function<void(tlm::tlm_generic_payload&, sc_core::sc_time&)> serve) {
    blocking_ = std::move(serve);
  }
  // A foreign component at the other end does not keep the chip from being reset. The port then stays as it is, and
  // the owner must answer what it has taken before the reset.
  void outlive_reset() { outlives_reset_ = true; }
  // True if a reset leaves the port as it is.
  bool outlives_reset() const { return foreign_ && outlives_reset_; }

  tap<memory_observer>& observers() { return observers_; }
  unsigned requests_waiting() const { return requests_.occupancy(); }
  unsigned depth() const { return requests_.depth(); }
  // From now on `c` counts the requests in the queue and those on their way to it.
  void count_requests(queue_counter& c) { requests_.count_in(c); }
  void visit_state(state_image& state) override {
    if (outlives_reset()) return;
    if (foreign_) state.refuse(*this, "bound to a component from outside the chip");
    state.fixed(end_, debug_, blocking_, foreign_, under_way_, outlives_reset_, bound_);
    state(requests_, responses_);
  }
  const char* kind() const override { return "memory_target"; }

 private:
  void end_of_elaboration() override {
    socket::end_of_elaboration();
    foreign_ = dynamic_cast<memory_initiator_end*>(this->operator->()) == nullptr;
    if (foreign_) note_foreign_end(*this, owner_);
  }
  void note(const tlm::tlm_generic_payload& payload, tlm::tlm_phase_enum phase, femtoseconds at) {
    observers_.notify([&](memory_observer& o) { o.phase(*this, at, payload, phase); });
  }
  void settle() {
    if (auto* late = requests_.settle()) {
      note(*late, tlm::END_REQ, owner_.now());
      tlm::tlm_phase phase = tlm::END_REQ;
      sc_core::sc_time delay;
      (*this)->nb_transport_bw(*late, phase, delay);
    }
  }
  void end_response(tlm::tlm_generic_payload& payload, const call_instant& at) {
    if (!responses_.ended(payload, at))
      throw reported_error(protocol_report,
                           std::string(this->name()) + ": END_RESP of a response that is not waiting for it");
    note(payload, tlm::END_RESP, at.effective);
    if (foreign_) under_way_.end(payload);
    payload.release();
  }

  tlm::tlm_sync_enum on_forward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (is_ignorable(phase)) return tlm::TLM_ACCEPTED;
    const call_instant at(owner_, delay);
    if (phase == tlm::END_RESP) {
      end_response(payload, at);
      return tlm::TLM_COMPLETED;
    }
    if (phase != tlm::BEGIN_REQ)
      throw reported_error(protocol_report, std::string(this->name()) + ": unexpected phase on the forward path");
    check(payload);
    note(payload, tlm::BEGIN_REQ, at.effective);
    if (foreign_ && under_way_.contains(payload))
      throw reported_error(protocol_report,
                           std::string(this->name()) + ": BEGIN_REQ of a transaction that is under way already");
    const bool ended = requests_.arrive(payload, at);
    if (foreign_) under_way_.begin(payload);
    payload.acquire();
    if (!ended) return tlm::TLM_ACCEPTED;
    phase = tlm::END_REQ;
    note(payload, tlm::END_REQ, at.effective);
    return tlm::TLM_UPDATED;
  }
  void check(tlm::tlm_generic_payload& payload) const {
    if (!payload.has_mm())
      throw reported_error(protocol_report, std::string(this->name()) + ": transaction without memory manager");
    if (!mandatory_extension_of<TRAITS>::is_in(payload))
      throw reported_error(protocol_report,
                           std::string(this->name()) + ": transaction without its mandatory extension");
  }
  // Like backward_end of the initiator.
  struct forward_end final : tlm::tlm_fw_transport_if<TRAITS>,
                             memory_target_end,
                             crossing_target<tlm::tlm_generic_payload*> {
    explicit forward_end(memory_target& p) : port(p) {}
    stage& owner() override { return port.owner_; }
    handshake_receiver& requests() override { return port.requests_; }
    handshake_sender& responses() override { return port.responses_; }
    crossing_target<tlm::tlm_generic_payload*>& arrivals() override { return *this; }
    void arrived(femtoseconds sent_at, tlm::tlm_generic_payload* const& payload) override {
      port.check(*payload);
      port.note(*payload, tlm::BEGIN_REQ, sent_at);
      port.note(*payload, tlm::END_REQ, sent_at);
      payload->acquire();
      port.requests_.arrive_over_border(*payload, sent_at);
    }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override {
      try {
        return port.on_forward(payload, phase, delay);
      } catch (...) {
        report_exception_of_call(port.owner_);
        return tlm::TLM_ACCEPTED;
      }
    }
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
      try {
        if (port.blocking_) return port.blocking_(payload, delay);
        const bool moved = port.debug_ && port.debug_(payload) != 0;
        payload.set_response_status(moved ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
      } catch (...) {
        report_exception_of_call(port.owner_);
        payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
      }
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(tlm::tlm_generic_payload& payload) override {
      try {
        return port.debug_ ? port.debug_(payload) : 0;
      } catch (...) {
        report_exception_of_call(port.owner_);
        return 0;
      }
    }
    memory_target& port;
  };

  stage& owner_;
  forward_end end_{*this};
  handshake_receiver requests_;
  handshake_sender responses_;
  std::function<unsigned(tlm::tlm_generic_payload&)> debug_;
  std::function<void(tlm::tlm_generic_payload&, sc_core::sc_time&)> blocking_;
  bool foreign_ = false;
  transactions_under_way under_way_;  // of a foreign component
  bool outlives_reset_ = false;
  std::string bound_;
  tap<memory_observer> observers_;
};

using base_protocol = tlm::tlm_base_protocol_types;

}  // namespace gt200::tlm_bus
