// Connects two modules that act in the same cycle, over TLM sockets: a transaction and its answer are one call.
//
// A pipe (pipe.h) joins two stages and takes time. Where hardware has wires between two parts of one stage, the
// joint is such a transaction: transaction_out::send() calls transport() of the receiver, and the answer stands in
// the transaction when the call returns. The receiver acts at once, in the cycle and on behalf of the sender, which
// counts the activity (stage::note_activity).
//
// The payload T is a plain struct: inputs, set by the sender, and fields for the answer, set by the receiver. It
// lives as long as the call. show() and describe() stand beside it (token_trace.h); they see it with its answer. A
// default T stands for none.
//
// The sockets have our own protocol traits (payload = T) and use b_transport with zero delay. Any module with TLM
// sockets of these traits may be bound at either end or in between: a monitor, a traffic generator, a transactor to
// RTL. It must answer in the call, without delay. If nothing foreign is bound in between, the sender calls the
// receiver through a pointer and not through the socket.
//
// Errors: a call that violates the protocol throws std::logic_error with the name of the socket.
#pragma once

#include <cstdint>
#include <memory>
#include <systemc>
#include <tlm>
#include <type_traits>
#include <vector>

#include "tlm_bus/signals.h"
#include "tlm_bus/sockets.h"
#include "tlm_bus/tap.h"
#include "tlm_bus/time.h"
#include "tlm_bus/token_trace.h"

namespace gt200::tlm_bus {

// Throws std::logic_error with the name of the socket. Not inline, like protocol_violation() of pipes.
[[noreturn, gnu::cold]] void transaction_violation(const sc_core::sc_object& socket, const char* what);

// Shows a signal that was described before; its name is complete.
void show_described(signal_writer& to, const signal_description& about, std::uint64_t value);

template <class T>
struct transaction_traits {
  using tlm_payload_type = T;
  using tlm_phase_type = tlm::tlm_phase;
};

// What serves the transactions of a transaction_in. Implemented by the module that has the socket, or by a member
// of it if the module has several sockets of one payload.
template <class T>
class transaction_target {
 public:
  // Acts on the inputs and sets the answer.
  virtual void transport(T& transaction) = 0;
  // Serves transport_dbg, if the target has contents to show: no time passes, no counter counts. Returns the number
  // of bytes moved.
  virtual unsigned transport_debug(T&) { return 0; }

 protected:
  ~transaction_target() = default;
};

// Is notified of every transaction of a socket, with its answer. Attached from outside; must not influence the
// model.
template <class T>
class transaction_observer {
 public:
  virtual ~transaction_observer() = default;
  virtual void transported(const sc_core::sc_object& socket, femtoseconds at, const T& transaction) = 0;
};

// Is notified of the transactions of one socket, whatever their type.
class transaction_listener {
 public:
  virtual void transported(const event_details& transaction) = 0;

 protected:
  ~transaction_listener() = default;
};

// Reports the transactions of a socket to a listener while it is attached; initially it is not. It stores the
// signals of the last one, because the transaction itself is gone when they are read.
//
// Several modules may call one socket at one instant, in any order. The last one is therefore the last in the order
// of is_before() (token_trace.h), then of the signals, among those of the latest instant.
class transaction_watch {
 public:
  virtual ~transaction_watch() = default;
  virtual void attach() = 0;
  virtual void detach() = 0;
  // Shows a default transaction if there has been none.
  virtual void show_last(signal_writer& to) const = 0;
};

// The interface of all receiving sockets, whatever their payload, for observers that walk the hierarchy. `listener`
// and the socket must outlive the watch.
class transaction_state {
 public:
  virtual ~transaction_state() = default;
  // Shows what show() of the payload shows.
  virtual std::unique_ptr<transaction_watch> watch(transaction_listener& listener) = 0;
  // Shows what show_values() of the payload shows; null if the payload has none.
  virtual std::unique_ptr<transaction_watch> watch_values(transaction_listener& listener) = 0;
};

// The receiving end of a socket, for observers that follow the bindings.
class transaction_end {
 public:
  virtual ~transaction_end() = default;
  virtual const sc_core::sc_object& socket() const = 0;
};

// The receiving end inside a transaction_in. Both ends are no bases of the sockets, for the reason given in pipe.h.
template <class T>
class transaction_receiver final : public tlm::tlm_fw_transport_if<transaction_traits<T>>, public transaction_end {
 public:
  transaction_receiver(const sc_core::sc_object& socket, transaction_target<T>& target)
      : target_(target), socket_(socket) {}

  // Called while there are observers; otherwise the target itself is.
  void transport(T& transaction) {
    target_.transport(transaction);
    observers_.notify(
        [&](transaction_observer<T>& o) { o.transported(socket_, sc_core::sc_time_stamp().value(), transaction); });
  }
  transaction_target<T>& target() { return target_; }
  tap<transaction_observer<T>>& observers() { return observers_; }
  const sc_core::sc_object& socket() const override { return socket_; }

  void b_transport(T& transaction, sc_core::sc_time& delay) override {
    if (delay != sc_core::SC_ZERO_TIME) transaction_violation(socket_, "a transaction with a delay");
    transport(transaction);
  }
  tlm::tlm_sync_enum nb_transport_fw(T&, tlm::tlm_phase&, sc_core::sc_time&) override {
    transaction_violation(socket_, "a transaction over nb_transport; it is one call of b_transport");
  }
  bool get_direct_mem_ptr(T&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(T& transaction) override { return target_.transport_debug(transaction); }

 private:
  transaction_target<T>& target_;
  tap<transaction_observer<T>> observers_;
  const sc_core::sc_object& socket_;
};

// The sending end inside the socket of a transaction_out.
template <class T>
class transaction_sender final : public tlm::tlm_bw_transport_if<transaction_traits<T>> {
 public:
  explicit transaction_sender(const sc_core::sc_object& socket) : socket_(socket) {}

  tlm::tlm_sync_enum nb_transport_bw(T&, tlm::tlm_phase&, sc_core::sc_time&) override {
    transaction_violation(socket_, "an answer over nb_transport; it is in the return of b_transport");
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

 private:
  const sc_core::sc_object& socket_;
};

// A module holds what a call touches; the socket, which is large, is a child of the module and stored elsewhere.
//
// TARGET: the type of the usual receiver. Its transport() is called without a virtual call and can be inlined; any
// other receiver serves as well.
template <class T, class TARGET = transaction_target<T>>
class transaction_out {
 public:
  using socket = initiator_socket<transaction_traits<T>>;

  // Creates the socket `name` of the module under construction.
  explicit transaction_out(const char* name) : socket_(std::make_unique<resolving_socket>(name, *this)) {}
  transaction_out(const transaction_out&) = delete;
  transaction_out& operator=(const transaction_out&) = delete;

  // Binds to a target socket of these traits, or to that of the enclosing module.
  template <class Other>
  void bind(Other& other) {
    socket_->bind(other);
  }
  void bind(transaction_out& outer) { socket_->bind(*outer.socket_); }
  template <class Other>
  void operator()(Other& other) {
    bind(other);
  }
  operator socket&() { return *socket_; }
  auto* operator->() { return socket_->operator->(); }

  // When it returns, the receiver has acted and `transaction` holds the answer. From end_of_elaboration() on.
  [[gnu::always_inline]] void send(T& transaction) {
    if (looks_ != 0) {
      T copy = transaction;  // whose address others learn, so that the usual one can live in registers
      send_to_more(copy);
      transaction = copy;
      return;
    }
    if constexpr (std::is_same_v<TARGET, transaction_target<T>>)
      target_->transport(transaction);
    else
      target_->TARGET::transport(transaction);
  }
  // The usual receiver if a send() would call it and nobody else, or null. A sender may then call another function
  // of it that does the same without a transaction.
  TARGET* alone() const { return looks_ == 0 ? target_ : nullptr; }
  unsigned send_debug(T& transaction) { return (*socket_)->transport_dbg(transaction); }

 private:
  class resolving_socket final : public socket {
   public:
    resolving_socket(const char* name, transaction_out& owner) : socket(name), end_(*this), owner_(owner) {
      this->socket::bind(static_cast<tlm::tlm_bw_transport_if<transaction_traits<T>>&>(end_));
    }
    const char* kind() const override { return "transaction_out"; }

   private:
    void end_of_elaboration() override {
      socket::end_of_elaboration();
      owner_.resolve();
    }
    transaction_sender<T> end_;
    transaction_out& owner_;
  };
  void resolve() {
    receiver_ = dynamic_cast<transaction_receiver<T>*>(socket_->operator->());
    if (receiver_ == nullptr) return;
    target_ = dynamic_cast<TARGET*>(&receiver_->target());
    if (target_ == nullptr) return;
    looks_ = 0;
    receiver_->observers().show_in(looks_, observed);
  }
  [[gnu::noinline]] void send_to_more(T& transaction) {
    if (receiver_ != nullptr) return receiver_->transport(transaction);
    sc_core::sc_time delay;
    (*socket_)->b_transport(transaction, delay);
    if (delay != sc_core::SC_ZERO_TIME) transaction_violation(*socket_, "an answer with a delay");
  }

  static constexpr std::uint8_t over_socket = 1, observed = 2;
  // Not 0 if more than the target must be called, or another one: observers, or something foreign in between. Here
  // and not at the receiver, so that a send touches one line of the host's cache.
  std::uint8_t looks_ = over_socket;
  TARGET* target_ = nullptr;
  transaction_receiver<T>* receiver_ = nullptr;  // the other end, if nothing foreign is bound in between
  std::unique_ptr<resolving_socket> socket_;
};

template <class T>
class transaction_in : public target_socket<transaction_traits<T>>, public transaction_state {
  static_assert(is_traced<T>::value,
                "declare show() and describe() beside this payload: what traces say of it (tlm_bus/token_trace.h)");
  using socket = target_socket<transaction_traits<T>>;

 public:
  transaction_in(const char* name, transaction_target<T>& target) : socket(name), end_(*this, target) {
    this->socket::bind(static_cast<tlm::tlm_fw_transport_if<transaction_traits<T>>&>(end_));
  }

  tap<transaction_observer<T>>& observers() { return end_.observers(); }
  std::unique_ptr<transaction_watch> watch(transaction_listener& listener) override {
    return std::make_unique<socket_watch<shown_fields>>(observers(), listener);
  }
  std::unique_ptr<transaction_watch> watch_values(transaction_listener& listener) override {
    if constexpr (carries_values<T>::value)
      return std::make_unique<socket_watch<shown_values>>(observers(), listener);
    else
      return nullptr;
  }
  const char* kind() const override { return "transaction_in"; }

 private:
  struct shown_fields {
    static void of(signal_writer& to, const T& transaction) { show(to, transaction); }
  };
  struct shown_values {
    static void of(signal_writer& to, const T& transaction) { show_values(to, transaction); }
  };

  template <class SHOWN>
  class socket_watch final : public transaction_watch, private transaction_observer<T> {
   public:
    socket_watch(tap<transaction_observer<T>>& observers, transaction_listener& listener)
        : observers_(observers), listener_(listener) {
      signal_writer names(signals_);
      SHOWN::of(names, T{});
      values_.resize(signals_.size());
      candidate_.resize(signals_.size());
      signal_writer values(values_.data());
      SHOWN::of(values, T{});
    }
    ~socket_watch() override { detach(); }
    void attach() override { observers_.attach(*this); }
    void detach() override { observers_.detach(*this); }
    void show_last(signal_writer& to) const override {
      for (std::size_t i = 0; i < signals_.size(); ++i) show_described(to, signals_[i], values_[i]);
    }

   private:
    bool is_later(femtoseconds at, const event_details& details) const {
      if (at != last_at_ || is_before(last_, details)) return true;
      return !is_before(details, last_) && values_ < candidate_;
    }
    void transported(const sc_core::sc_object&, femtoseconds at, const T& transaction) override {
      if constexpr (may_be_refused<T>::value)
        if (!has_effect(transaction)) return;
      event_details details;
      describe(details, transaction);
      signal_writer values(candidate_.data());
      SHOWN::of(values, transaction);
      if (is_later(at, details)) {
        values_.swap(candidate_);
        last_ = details;
        last_at_ = at;
      }
      listener_.transported(details);
    }

    tap<transaction_observer<T>>& observers_;
    transaction_listener& listener_;
    std::vector<signal_description> signals_;
    std::vector<std::uint64_t> values_;     // of the last transaction
    std::vector<std::uint64_t> candidate_;  // of the one just transported
    event_details last_;
    femtoseconds last_at_ = no_time;
  };

  transaction_receiver<T> end_;
};

}  // namespace gt200::tlm_bus
