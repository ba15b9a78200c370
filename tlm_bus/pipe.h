// Connects two pipeline stages over TLM sockets: typed tokens travel forward, credits back.
//
// Tokens and credits sent at t are visible to the other side strictly after t, so the order in which modules run
// within a cycle cannot matter. The receiver owns the queue; the sender starts with as many credits as the queue is
// deep. With latency 1 and both sides on one clock, depth 2 carries one token per cycle. A pipe may connect two
// clock domains; `latency` counts cycles of the receiver. It may also cross the border between two edge drivers:
// then `latency` must cover a window, and a credit takes a window to return (border.h).
//
// The sockets are TLM sockets with our own protocol traits (payload = one token and its sending time). So they
// bind, check and elaborate like any other TLM socket, and a pipe cannot be bound to one of another token type.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <systemc>
#include <tlm>

#include "tlm_bus/border.h"
#include "tlm_bus/clock_domain.h"
#include "tlm_bus/clocking.h"
#include "tlm_bus/resettable.h"
#include "tlm_bus/stage.h"
#include "tlm_bus/stall_injection.h"
#include "tlm_bus/state_image.h"
#include "tlm_bus/tap.h"
#include "tlm_bus/time.h"
#include "tlm_bus/token_trace.h"

namespace gt200::tlm_bus {

inline constexpr std::size_t cache_line = 64;  // bytes

// Throws std::logic_error with the name of the pipe. Not inline, so that the code that runs for every token stays
// small enough to be inlined.
[[noreturn, gnu::cold]] void protocol_violation(const sc_core::sc_object& pipe, const char* what);

// What is bound to the socket is no end of a pipe.
[[gnu::cold]] void refuse_reset(state_image& state, const sc_core::sc_object& socket);

// The payload of one call over the socket: a token forward, or `credits` back.
template <class T>
struct pipe_transfer {
  const clock_domain* sender;  // its now() is the time of sending
  const T* token;
  unsigned credits;
};

enum class pipe_phase : std::uint8_t { token, credit, initial_credit };

template <class T>
struct pipe_traits {
  using tlm_payload_type = pipe_transfer<T>;
  using tlm_phase_type = pipe_phase;
};

// Is notified of every token of a pipe. Attached from outside; must not influence the model.
template <class T>
class pipe_observer {
 public:
  virtual ~pipe_observer() = default;
  virtual void token_sent(const sc_core::sc_object& pipe, femtoseconds at, const T& token) = 0;
  virtual void token_taken(const sc_core::sc_object& pipe, femtoseconds at, const T& token) = 0;
};

// The interface of all pipes, whatever their token type, for observers that walk the hierarchy.
class pipe_state {
 public:
  virtual ~pipe_state() = default;
  virtual unsigned occupancy() const = 0;
  virtual unsigned depth() const = 0;
  virtual cycle_t oldest_visible_at() const = 0;  // cycle of the receiver; no_cycle if empty
  virtual const stage& receiver() const = 0;
  // The number of lost credits: neither held by the sender nor in use for a token. Should be 0. Also 0 if a foreign
  // component is bound in between, because it is unknown then.
  virtual unsigned credits_missing() const = 0;
  // Shows the oldest token as signals, even if it is not visible yet. Shows a default token if there is none.
  virtual void show_oldest(signal_writer& to) const = 0;
  // The same for the data that it carries. Shows nothing if tokens of this type carry none.
  virtual void show_values_of_oldest(signal_writer& to) const = 0;
  virtual std::unique_ptr<token_subscription> subscribe(token_listener& listener) = 0;
};

template <class T>
class pipe_queue;

// The sending end inside a pipe_out; it holds the credits.
//
// Both ends are classes of their own and not bases of the sockets, because bases would make the hierarchical
// binding of a socket ambiguous.
template <class T>
class pipe_credits final : public tlm::tlm_bw_transport_if<pipe_traits<T>> {
 public:
  using socket = tlm::tlm_initiator_socket<32, pipe_traits<T>>;

  pipe_credits(socket& s, stage& owner) : socket_(s), owner_(owner) {}

  // Asked for every token, nearly always with this answer, so the rest stands elsewhere.
  [[gnu::always_inline]] bool can_send() {
    const cycle_t cycle = owner_.cycle();
    return (sent_cycle_ != cycle && border_ == nullptr && visible(cycle) != 0) || can_send_otherwise(cycle);
  }
  unsigned visible() const { return border_ != nullptr ? border_->credits.visible() : visible(owner_.cycle()); }
  // Those that are not in use for a token.
  unsigned held() const { return border_ != nullptr ? border_->credits.held() : credits_; }
  // Tokens kept at a border.
  std::size_t kept() const { return border_ != nullptr ? border_->tokens.kept() : 0; }
  void send(const T& token) {
    if (border_ != nullptr) return send_over_border(token);
    const cycle_t cycle = owner_.cycle();
    if (sent_cycle_ == cycle || visible(cycle) == 0) protocol_violation(socket_, "sent without can_send()");
    --credits_;
    sent_cycle_ = cycle;
    owner_.note_activity();
    if (receiver_ != nullptr)
      receiver_->accept(owner_.domain(), token);
    else
      send_over_socket(token);
  }
  // The receiver, at an edge of its clock `by`, returns credits.
  void take_back(const clock_domain& by, unsigned credits) {
    const cycle_t visible_at = owner_.domain().first_edge_after_now_of(by);
    // The recent credits are already visible when a credit of a later instant arrives.
    if (visible_at != recent_visible_at_) {
      recent_ = 0;
      recent_visible_at_ = visible_at;
    }
    recent_ += credits;
    credits_ += credits;
    if (wanted_) {
      wanted_ = false;
      owner_.wake_on_edge(visible_at, 0);
    }
  }

  void elaborated() {
    receiver_ = dynamic_cast<pipe_queue<T>*>(socket_.operator->());
    if (receiver_ == nullptr) return note_foreign_end(socket_, owner_);
    if (&receiver_->owner().domain().driver() == &owner_.domain().driver()) return;
    require_window(socket_.name(), owner_.domain(), receiver_->owner().domain(), receiver_->latency());
    border_ = std::make_unique<border>(owner_, *receiver_);
    receiver_->cross_border(*this, border_->credits);
    receiver_ = nullptr;
  }
  tlm::tlm_sync_enum nb_transport_bw(pipe_transfer<T>& transfer, pipe_phase& phase, sc_core::sc_time&) override {
    if (phase == pipe_phase::initial_credit) {
      if (border_ != nullptr) border_->credits.set(transfer.credits);
      credits_ = transfer.credits;
      return tlm::TLM_ACCEPTED;
    }
    take_back(*transfer.sender, transfer.credits);
    return tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  void visit_state(state_image& state) {
    if (receiver_ == nullptr && border_ == nullptr) refuse_reset(state, socket_);
    state.fixed(receiver_);
    state(credits_, recent_, recent_visible_at_, sent_cycle_, wanted_, border_);
  }

 private:
  struct border {
    void visit_state(state_image& state) { state(credits, tokens); }
    border(stage& sender, pipe_queue<T>& receiver)
        : credits(sender, receiver.depth()), tokens(sender.domain().driver(), receiver, receiver.depth()) {}
    border_credits credits;
    crossing_queue<T> tokens;
  };
  [[gnu::noinline]] bool can_send_otherwise(cycle_t cycle) {
    if (sent_cycle_ == cycle) {
      owner_.wake_next();
      return false;
    }
    if (border_ != nullptr) return border_->credits.available();
    if (credits_ != 0)
      owner_.wake_at(recent_visible_at_);
    else if (!owner_.asleep())
      wanted_ = true;
    return false;
  }
  unsigned visible(cycle_t cycle) const { return cycle < recent_visible_at_ ? credits_ - recent_ : credits_; }
  [[gnu::noinline]] void send_over_socket(const T& token) {
    pipe_transfer<T> transfer{&owner_.domain(), &token, 0};
    pipe_phase phase = pipe_phase::token;
    sc_core::sc_time no_delay;
    socket_->nb_transport_fw(transfer, phase, no_delay);
  }
  [[gnu::noinline]] void send_over_border(const T& token) {
    const cycle_t cycle = owner_.cycle();
    if (sent_cycle_ == cycle || border_->credits.visible() == 0)
      protocol_violation(socket_, "sent without can_send()");
    border_->credits.take();
    sent_cycle_ = cycle;
    owner_.note_activity();
    border_->tokens.send(owner_.now(), token);
  }

  socket& socket_;
  // The members that every token needs share one cache line of the host.
  alignas(cache_line) unsigned credits_ = 0;
  unsigned recent_ = 0;  // of these, the ones that become visible only at recent_visible_at_
  cycle_t recent_visible_at_ = 0;
  cycle_t sent_cycle_ = no_cycle;
  stage& owner_;
  // The other end, if no foreign component is bound in between. What a transport call would do is then called
  // without its payload, which halves the cost of a hop.
  pipe_queue<T>* receiver_ = nullptr;
  bool wanted_ = false;
  std::unique_ptr<border> border_;  // null within a driver
};

// The receiving end inside a pipe_in; it holds the queue.
template <class T>
class pipe_queue final : public tlm::tlm_fw_transport_if<pipe_traits<T>>, public crossing_target<T> {
 public:
  using socket = tlm::tlm_target_socket<32, pipe_traits<T>>;

  pipe_queue(socket& s, stage& owner, unsigned depth, unsigned latency)
      : depth_(static_cast<std::uint16_t>(depth)),
        latency_(latency),
        ring_(std::make_unique<entry[]>(depth)),
        domain_(owner.domain()),
        owner_(owner),
        stalls_(owner.domain().driver().owner().options().stalls),
        name_hash_(name_hash_of(s.name())),
        socket_(s) {
    if (depth == 0 || latency == 0) throw std::invalid_argument(std::string(s.name()) + ": zero depth or latency");
    if (depth != depth_) throw std::invalid_argument(std::string(s.name()) + ": deeper than 65535");
    stalled_ = stalls_.per_1024 != 0;
  }

  // Inlined, as can_send() is.
  [[gnu::always_inline]] const T* front() {
    if (used_ == 0) return nullptr;
    const entry& e = ring_[head_];
    return e.visible_at > domain_.cycle() || (stalled_ && is_stalled()) ? nullptr : &e.token;
  }
  const T* peek(unsigned position) {
    if (position >= used_) return nullptr;
    if (position == 0) return front();
    unsigned index = head_ + position;
    if (index >= depth_) index -= depth_;
    const entry& e = ring_[index];
    return e.visible_at > domain_.cycle() || front() == nullptr ? nullptr : &e.token;
  }
  void wake_for_every_token() { every_token_ = true; }
  void show_occupied(std::uint64_t& mask, unsigned bit) {
    occupied_mask_ = &mask;
    occupied_bit_ = static_cast<std::uint8_t>(bit);
  }
  void pop() {
    const entry& e = ring_[head_];
    if (used_ == 0 || e.visible_at > domain_.cycle()) protocol_violation(socket_, "pop without a visible token");
    observers_.notify([&](pipe_observer<T>& o) { o.token_taken(socket_, domain_.now(), e.token); });
    head_ = head_ + 1 == depth_ ? 0 : static_cast<std::uint16_t>(head_ + 1);
    --used_;
    owner_.note_activity();
    if (sender_ != nullptr)
      sender_->take_back(domain_, 1);
    else
      return_credit();
    if (used_ != 0) {
      const cycle_t next = ring_[head_].visible_at;
      owner_.wake_at(next > domain_.cycle() ? next : domain_.cycle() + 1);
    } else {
      *occupied_mask_ &= ~(std::uint64_t{1} << occupied_bit_);
    }
  }
  // A token that the sender, at an edge of its clock `from`, has a credit for.
  void accept(const clock_domain& from, const T& token) {
    push(domain_.first_edge_after_now_of(from), token);
    observers_.notify([&](pipe_observer<T>& o) { o.token_sent(socket_, from.now(), token); });
  }
  tap<pipe_observer<T>>& observers() { return observers_; }
  const T* oldest() const { return token_at(0); }
  const T* token_at(unsigned position) const {
    if (position >= used_) return nullptr;
    const unsigned index = head_ + position;
    return &ring_[index < depth_ ? index : index - depth_].token;
  }
  unsigned occupancy() const { return used_; }
  unsigned depth() const { return depth_; }
  cycle_t latency() const { return latency_; }
  cycle_t oldest_visible_at() const { return used_ == 0 ? no_cycle : ring_[head_].visible_at; }
  const stage& owner() const { return owner_; }
  unsigned credits_missing() const {
    if (border_ != nullptr)
      return depth_ - used_ - border_->sender.held() -
             static_cast<unsigned>(border_->sender.kept() + border_->credits.kept());
    return sender_ == nullptr ? 0 : depth_ - used_ - sender_->held();
  }

  // The sender belongs to another driver; `to` holds its credits.
  void cross_border(const pipe_credits<T>& sender, border_credits& to) {
    border_ = std::make_unique<border>(owner_, sender, to, depth_);
    sender_ = nullptr;
  }
  void elaborated() {
    if (border_ != nullptr) return;
    sender_ = dynamic_cast<pipe_credits<T>*>(socket_.operator->());
    if (sender_ == nullptr) note_foreign_end(socket_, owner_);
    pipe_transfer<T> transfer{&domain_, nullptr, depth_};
    pipe_phase phase = pipe_phase::initial_credit;
    sc_core::sc_time no_delay;
    socket_->nb_transport_bw(transfer, phase, no_delay);
  }
  tlm::tlm_sync_enum nb_transport_fw(pipe_transfer<T>& transfer, pipe_phase&, sc_core::sc_time&) override {
    accept(*transfer.sender, *transfer.token);
    return tlm::TLM_ACCEPTED;
  }
  void arrived(femtoseconds sent_at, const T& token) override {
    push(domain_.first_edge_after(sent_at), token);
    observers_.notify([&](pipe_observer<T>& o) { o.token_sent(socket_, sent_at, token); });
  }
  void b_transport(pipe_transfer<T>&, sc_core::sc_time&) override {
    protocol_violation(socket_, "a pipe has no blocking transport");
  }
  bool get_direct_mem_ptr(pipe_transfer<T>&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(pipe_transfer<T>&) override { return 0; }
  // Tokens without a place in the queue are not looked at. Bits of others' masks are state of their modules.
  void visit_state(state_image& state) {
    if (sender_ == nullptr && border_ == nullptr) refuse_reset(state, socket_);
    state.fixed(depth_, occupied_bit_, every_token_, latency_, stalled_, ring_, sender_, occupied_mask_,
                name_hash_);
    state(head_, used_, nobody_looks_, border_);
  }

 private:
  struct entry {
    cycle_t visible_at = 0;
    T token{};
  };
  struct border {
    border(stage& owner, const pipe_credits<T>& s, border_credits& to, unsigned depth)
        : sender(s), credits(owner.domain().driver(), to, depth) {}
    void visit_state(state_image& state) { state(credits); }
    const pipe_credits<T>& sender;
    crossing_queue<credit> credits;
  };

  [[gnu::noinline]] bool is_stalled() {
    const bool stalled = stalls_.stalls(name_hash_, domain_.cycle());
    if (stalled) owner_.wake_next();
    return stalled;
  }

  // `first`: the first edge of the receiver after the token was sent.
  void push(cycle_t first, const T& token) {
    if (used_ == depth_) protocol_violation(socket_, "token without credit");
    unsigned tail = head_ + used_;
    if (tail >= depth_) tail -= depth_;
    ring_[tail].visible_at = first + (latency_ - 1);
    ring_[tail].token = token;
    ++used_;
    *occupied_mask_ |= std::uint64_t{1} << occupied_bit_;
    if (used_ == 1 || every_token_) owner_.wake_on_edge(first, latency_ - 1);
  }

  [[gnu::noinline]] void return_credit() {
    if (border_ != nullptr) {
      border_->credits.send(domain_.now(), {});
      return;
    }
    pipe_transfer<T> transfer{&domain_, nullptr, 1};
    pipe_phase phase = pipe_phase::credit;
    sc_core::sc_time no_delay;
    socket_->nb_transport_bw(transfer, phase, no_delay);
  }

  // The members that every token needs share one cache line of the host.
  alignas(cache_line) std::uint16_t head_ = 0;
  std::uint16_t used_ = 0;
  std::uint16_t depth_;
  std::uint8_t occupied_bit_ = 0;
  bool every_token_ = false;
  unsigned latency_;
  bool stalled_ = false;
  std::unique_ptr<entry[]> ring_;
  clock_domain& domain_;  // the owner's; a copy, so that a sender does not touch the owner's memory
  stage& owner_;
  pipe_credits<T>* sender_ = nullptr;  // like receiver_ of pipe_credits
  std::unique_ptr<border> border_;     // null within a driver
  std::uint64_t* occupied_mask_ = &nobody_looks_;
  tap<pipe_observer<T>> observers_;

  std::uint64_t nobody_looks_ = 0;
  const stall_injection& stalls_;
  std::uint64_t name_hash_;
  socket& socket_;
};

template <class T>
class pipe_out : public tlm::tlm_initiator_socket<32, pipe_traits<T>>, public resettable {
  using socket = tlm::tlm_initiator_socket<32, pipe_traits<T>>;

 public:
  pipe_out(const char* name, stage& owner) : socket(name), end_(*this, owner) {
    this->socket::bind(static_cast<tlm::tlm_bw_transport_if<pipe_traits<T>>&>(end_));
  }

  // True if a token may be sent in this cycle. Otherwise the owner becomes due as soon as that may have changed.
  bool can_send() { return end_.can_send(); }
  // The number of tokens that can be sent now without a further credit.
  unsigned credits() const { return end_.visible(); }
  void send(const T& token) { end_.send(token); }

  void visit_state(state_image& state) override { end_.visit_state(state); }
  const char* kind() const override { return "pipe_out"; }

 private:
  void end_of_elaboration() override {
    socket::end_of_elaboration();
    end_.elaborated();
  }
  pipe_credits<T> end_;
};

template <class T>
class pipe_in : public tlm::tlm_target_socket<32, pipe_traits<T>>, public pipe_state, public resettable {
  static_assert(is_traced<T>::value,
                "declare show() and describe() beside this token: what traces say of it (tlm_bus/token_trace.h)");
  using socket = tlm::tlm_target_socket<32, pipe_traits<T>>;

 public:
  // `depth` >= 1 tokens; `latency` >= 1 cycles of the owner's clock.
  pipe_in(const char* name, stage& owner, unsigned depth, unsigned latency = 1)
      : socket(name), end_(*this, owner, depth, latency) {
    this->socket::bind(static_cast<tlm::tlm_fw_transport_if<pipe_traits<T>>&>(end_));
  }

  // Returns the oldest token that is visible in this cycle, or null. It stays readable until the end of the tick,
  // even after pop().
  const T* front() { return end_.front(); }
  // Returns the token `position` places behind the oldest if it is visible in this cycle; front() is peek(0).
  const T* peek(unsigned position) { return end_.peek(position); }
  // For receivers that use peek(): the owner becomes due for every token, not only for the oldest.
  void wake_for_every_token() { end_.wake_for_every_token(); }
  // Keeps bit `bit` (below 64) of `mask` set while the pipe holds a token, visible or not. A stage with many inputs
  // thus looks only at inputs that may have a token. `mask` must outlive the pipe.
  void show_occupied(std::uint64_t& mask, unsigned bit) { end_.show_occupied(mask, bit); }
  // Removes the token that front() returned in this cycle and returns its credit.
  void pop() { end_.pop(); }

  tap<pipe_observer<T>>& observers() { return end_.observers(); }
  // For observers: the oldest token, even if it is not visible yet; null if there is none.
  const T* oldest() const { return end_.oldest(); }
  // The same for the token `position` places behind it.
  const T* token_at(unsigned position) const { return end_.token_at(position); }

  void show_oldest(signal_writer& to) const override {
    static const T none{};
    const T* token = oldest();
    show(to, token == nullptr ? none : *token);
  }
  void show_values_of_oldest(signal_writer& to) const override {
    if constexpr (carries_values<T>::value) {
      static const T none{};
      const T* token = oldest();
      show_values(to, token == nullptr ? none : *token);
    }
  }
  std::unique_ptr<token_subscription> subscribe(token_listener& listener) override {
    return std::make_unique<subscription>(observers(), listener);
  }
  unsigned occupancy() const override { return end_.occupancy(); }
  unsigned depth() const override { return end_.depth(); }
  cycle_t oldest_visible_at() const override { return end_.oldest_visible_at(); }
  const stage& receiver() const override { return end_.owner(); }
  unsigned credits_missing() const override { return end_.credits_missing(); }
  void visit_state(state_image& state) override { end_.visit_state(state); }
  const char* kind() const override { return "pipe_in"; }

 private:
  void end_of_elaboration() override {
    socket::end_of_elaboration();
    end_.elaborated();
  }
  class subscription final : public token_subscription, private pipe_observer<T> {
   public:
    subscription(tap<pipe_observer<T>>& pipe, token_listener& listener) : pipe_(pipe), listener_(listener) {
      pipe_.attach(*this);
    }
    ~subscription() override { pipe_.detach(*this); }

   private:
    static event_details details_of(const T& token) {
      event_details details;
      describe(details, token);
      return details;
    }
    void token_sent(const sc_core::sc_object&, femtoseconds, const T& token) override {
      listener_.token_sent(details_of(token));
    }
    void token_taken(const sc_core::sc_object&, femtoseconds, const T& token) override {
      listener_.token_taken(details_of(token));
    }
    tap<pipe_observer<T>>& pipe_;
    token_listener& listener_;
  };

  pipe_queue<T> end_;
};

}  // namespace gt200::tlm_bus
