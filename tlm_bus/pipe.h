// Connects two pipeline stages over TLM sockets: typed tokens travel forward, free places back.
//
// Tokens sent and places freed at t are visible to the other side strictly after t, so the order in which modules
// run within a cycle cannot matter. The queue is a ring at the receiver, which both ends read and write: a token
// carries the cycle at which it is visible, and the ring the time at which places were freed last. So a place needs
// no message, and the sender is woken only if it has asked for one in vain. With latency 1 and both sides on one
// clock, depth 2 carries one token per cycle. A pipe may connect two clock domains; `latency` counts cycles of the
// receiver. It may also cross the border between two edge drivers: then `latency` must cover a window, and each
// place comes back as a credit, which takes a window (border.h).
//
// The sockets are TLM sockets with our own protocol traits (payload = one token and its sending time). So they
// bind, check and elaborate like any other TLM socket, and a pipe cannot be bound to one of another token type. If
// a foreign component is bound in between, tokens travel over the socket, and credits for their places back, at the
// same times.
#pragma once

#include <array>
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
#include "tlm_bus/sockets.h"
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

// What both ends know of the tokens on their way, in one line of the host's cache. With a foreign component in
// between each end has one of its own.
struct alignas(cache_line) pipe_places {
  // Someone looks: what is rare is tested for at once.
  static constexpr std::uint8_t tapped = 1, foreign = 2, across_border = 4;
  static constexpr std::uint8_t every_token = 8;   // wakes the receiver, not only the oldest one
  static constexpr std::uint8_t other_clock = 16;  // that of the sender is not that of the receiver
  static constexpr std::uint8_t stalls = 32;       // see stall_injection.h
  static constexpr std::uint8_t shown = 64;        // in a mask of the receiver, see show_occupied()
  static constexpr std::uint8_t arrivals = 128;    // every token is, see show_arrivals()

  unsigned used() const { return sent - taken; }
  // The free places that the sender sees at time `now` of its clock.
  unsigned visible(femtoseconds now) const { return room - sent + (now > taken_at ? taken : taken_before); }
  // The places that are not in use for a token, visible or not.
  unsigned free() const { return room - used(); }
  void set_free(unsigned count) { room = static_cast<std::uint16_t>(used() + count); }
  void take(femtoseconds now, unsigned tokens) {
    if (taken_at != now) {
      taken_at = now;
      taken_before = taken;
    }
    taken += tokens;
  }
  void visit_state(state_image& state) {
    state.fixed(ring, receiver, occupied_bit, latency, index_mask, flags);
    state(sent, taken, taken_before, room, taken_at, sent_cycle, oldest_visible_at, wanted);
  }

  // Tokens so far, modulo 2^32; the youngest `taken - taken_before` were taken at taken_at.
  std::uint32_t sent = 0;
  std::uint32_t taken = 0;
  std::uint32_t taken_before = 0;
  std::uint32_t latency = 1;
  femtoseconds taken_at = 0;
  cycle_t sent_cycle = no_cycle;         // of the sender: its last token
  cycle_t oldest_visible_at = no_cycle;  // of the receiver; no_cycle: there is no token
  void* ring = nullptr;                  // its entries
  stage* receiver = nullptr;
  std::uint16_t room = 0;        // for tokens, as the sender knows it: the depth, unless credits were lost
  std::uint16_t index_mask = 0;  // entries of the ring - 1; they are a power of two
  std::uint8_t flags = 0;
  std::uint8_t occupied_bit = 0;
  bool wanted = false;  // by the sender, which waits for a place
};
static_assert(sizeof(pipe_places) == cache_line);

// A token in the ring.
template <class T>
struct pipe_entry {
  cycle_t visible_at = 0;
  T token{};
};

// Puts a token into the ring, which fill(token) sets there. Returns true if the receiver must be due at
// `visible_at`.
template <class T, class Fill>
[[gnu::always_inline]] inline bool fill_pipe(pipe_places& places, cycle_t visible_at, const Fill& fill) {
  pipe_entry<T>& e = static_cast<pipe_entry<T>*>(places.ring)[places.sent & places.index_mask];
  e.visible_at = visible_at;
  fill(e.token);
  const unsigned used = places.used();
  ++places.sent;
  if ((places.flags & pipe_places::arrivals) != 0) places.receiver->input_arrived(places.occupied_bit);
  if (used != 0) return (places.flags & pipe_places::every_token) != 0;
  places.oldest_visible_at = visible_at;
  if ((places.flags & pipe_places::shown) != 0) places.receiver->input_occupied(places.occupied_bit);
  return true;
}
template <class T>
[[gnu::always_inline]] inline bool enter_pipe(pipe_places& places, cycle_t visible_at, const T& token) {
  return fill_pipe<T>(places, visible_at, [&token](T& place) { place = token; });
}

// The sending end inside a pipe_out.
//
// Both ends are classes of their own and not bases of the sockets, because bases would make the hierarchical
// binding of a socket ambiguous.
template <class T>
class pipe_credits final : public tlm::tlm_bw_transport_if<pipe_traits<T>> {
 public:
  using socket = initiator_socket<pipe_traits<T>>;

  pipe_credits(socket& s, stage& owner) : domain_(owner.domain()), owner_(owner), socket_(s) {}

  // Asked for every token, nearly always with this answer, so the rest stands elsewhere.
  [[gnu::always_inline]] bool can_send() { return may_send() || can_send_otherwise(); }
  unsigned visible() const {
    return border_ != nullptr ? border_->credits.visible() : places_->visible(domain_.now());
  }
  const clock_domain& domain() const { return domain_; }
  // Places at a border that are not in use for a token.
  unsigned held() const { return border_->credits.held(); }
  // Tokens kept at a border.
  std::size_t kept() const { return border_->tokens.kept(); }
  // The rare ways get a copy, so that the usual token can live in registers.
  [[gnu::always_inline]] void send(const T& token) {
    if (!may_send()) {
      const T copy = token;
      return send_over_border(copy);
    }
    pipe_places& places = *places_;
    places.sent_cycle = domain_.cycle();
    owner_.note_activity();
    if ((places.flags & (pipe_places::foreign | pipe_places::tapped | pipe_places::other_clock)) != 0) {
      const T copy = token;
      return (places.flags & (pipe_places::foreign | pipe_places::tapped)) != 0 ? send_otherwise(copy)
                                                                                : send_to_other_clock(copy);
    }
    const cycle_t at = domain_.cycle() + places.latency;
    if (!enter_pipe(places, at, token)) return;
    if (places.latency == 1)
      places.receiver->wake_next();
    else
      places.receiver->wake_at(at);
  }
  // The same, with the token made where it is stored.
  template <class Fill>
  [[gnu::always_inline]] void send_filled(const Fill& fill) {
    constexpr std::uint8_t rare = pipe_places::foreign | pipe_places::tapped | pipe_places::other_clock;
    if (!may_send() || (places_->flags & rare) != 0) {
      T token;
      fill(token);
      return send(token);
    }
    pipe_places& places = *places_;
    places.sent_cycle = domain_.cycle();
    owner_.note_activity();
    const cycle_t at = domain_.cycle() + places.latency;
    if (!fill_pipe<T>(places, at, fill)) return;
    if (places.latency == 1)
      places.receiver->wake_next();
    else
      places.receiver->wake_at(at);
  }
  // The receiver has freed a place for which this end has asked.
  [[gnu::noinline]] void place_freed(const clock_domain& by) {
    places_->wanted = false;
    owner_.wake_on_edge(domain_.first_edge_after_now_of(by), 0);
  }

  void elaborated() {
    receiver_ = dynamic_cast<pipe_queue<T>*>(socket_.operator->());
    if (receiver_ == nullptr) {
      make_own_places();
      return note_foreign_end(socket_, owner_);
    }
    if (&receiver_->owner().domain().driver() == &domain_.driver()) {
      places_ = &receiver_->places();
      return;
    }
    require_window(socket_.name(), domain_, receiver_->owner().domain(), receiver_->latency());
    border_ = std::make_unique<border>(owner_, *receiver_);
    receiver_->cross_border(*this, border_->credits);
    receiver_ = nullptr;
  }
  tlm::tlm_sync_enum nb_transport_bw(pipe_transfer<T>& transfer, pipe_phase& phase, sc_core::sc_time&) override {
    if (border_ != nullptr) {
      if (phase == pipe_phase::initial_credit) border_->credits.set(transfer.credits);
      return tlm::TLM_ACCEPTED;
    }
    make_own_places();
    if (phase == pipe_phase::initial_credit) {
      places_->set_free(transfer.credits);
      return tlm::TLM_ACCEPTED;
    }
    if (own_places_ != nullptr)
      places_->take(transfer.sender->now(), transfer.credits);
    else
      places_->room = static_cast<std::uint16_t>(places_->room + transfer.credits);
    if (places_->wanted) place_freed(*transfer.sender);
    return tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  // The places are those of the receiver.
  void visit_state(state_image& state) {
    if (receiver_ == nullptr && border_ == nullptr) refuse_reset(state, socket_);
    state.fixed(receiver_, places_, own_places_);
    state(border_);
  }

 private:
  struct border {
    void visit_state(state_image& state) { state(credits, tokens, sent_cycle); }
    border(stage& sender, pipe_queue<T>& receiver)
        : credits(sender, receiver.depth()), tokens(sender.domain().driver(), receiver, receiver.depth()) {}
    border_credits credits;
    crossing_queue<T> tokens;
    cycle_t sent_cycle = no_cycle;
  };
  [[gnu::always_inline]] bool may_send() const {
    return places_->sent_cycle != domain_.cycle() && places_->visible(domain_.now()) != 0;
  }
  [[gnu::noinline]] bool can_send_otherwise() {
    if (border_ != nullptr) {
      if (border_->sent_cycle != domain_.cycle()) return border_->credits.available();
      owner_.wake_next();
      return false;
    }
    pipe_places& places = *places_;
    if (places.wanted) return false;
    if (places.sent_cycle == domain_.cycle() || places.free() != 0)
      owner_.wake_next();
    else if (&places != &none && !owner_.asleep())
      places.wanted = true;
    return false;
  }
  void make_own_places() {
    if (places_ != &none) return;
    own_places_ = std::make_unique<pipe_places>();
    own_places_->flags = pipe_places::foreign;
    places_ = own_places_.get();
  }
  [[gnu::noinline]] void send_to_other_clock(const T& token) {
    pipe_places& places = *places_;
    const cycle_t first = places.receiver->domain().first_edge_after_now_of(domain_);
    if (enter_pipe(places, first + (places.latency - 1), token))
      places.receiver->wake_on_edge(first, places.latency - 1u);
  }
  [[gnu::noinline]] void send_otherwise(const T& token) {
    if ((places_->flags & pipe_places::foreign) == 0) return receiver_->accept_and_tell(domain_, token);
    ++places_->sent;
    pipe_transfer<T> transfer{&domain_, &token, 0};
    pipe_phase phase = pipe_phase::token;
    sc_core::sc_time no_delay;
    socket_->nb_transport_fw(transfer, phase, no_delay);
  }
  [[gnu::noinline]] void send_over_border(const T& token) {
    const cycle_t cycle = domain_.cycle();
    if (border_ == nullptr || border_->sent_cycle == cycle || border_->credits.visible() == 0)
      protocol_violation(socket_, "sent without can_send()");
    border_->credits.take();
    border_->sent_cycle = cycle;
    owner_.note_activity();
    border_->tokens.send(domain_.now(), token);
  }

  static inline pipe_places none;  // before elaboration, and at a border

  pipe_places* places_ = &none;
  const clock_domain& domain_;  // the owner's
  stage& owner_;
  // The other end, if no foreign component is bound in between. What a transport call would do is then called
  // without its payload, which halves the cost of a hop.
  pipe_queue<T>* receiver_ = nullptr;
  std::unique_ptr<border> border_;           // null within a driver
  std::unique_ptr<pipe_places> own_places_;  // with a foreign component in between
  socket& socket_;
};

// The receiving end inside a pipe_in; it holds the queue.
template <class T>
class pipe_queue final : public tlm::tlm_fw_transport_if<pipe_traits<T>>, public crossing_target<T> {
 public:
  using socket = target_socket<pipe_traits<T>>;

  pipe_queue(socket& s, stage& owner, unsigned depth, unsigned latency)
      : domain_(owner.domain()),
        owner_(owner),
        depth_(depth),
        stalls_(owner.domain().driver().owner().options().stalls),
        name_hash_(name_hash_of(s.name())),
        socket_(s) {
    if (depth == 0 || latency == 0) throw std::invalid_argument(std::string(s.name()) + ": zero depth or latency");
    if (depth > 65535) throw std::invalid_argument(std::string(s.name()) + ": deeper than 65535");
    unsigned entries = 1;
    while (entries < depth) entries *= 2;
    places_.index_mask = static_cast<std::uint16_t>(entries - 1);
    places_.room = static_cast<std::uint16_t>(depth_);
    places_.latency = latency;
    places_.ring = make_ring(entries);
    places_.receiver = &owner;
    if (stalls_.per_1024 != 0) places_.flags |= pipe_places::stalls;
    observers_.show_in(places_.flags, pipe_places::tapped);
  }

  // Inlined, as can_send() is.
  [[gnu::always_inline]] const T* front() {
    if (places_.oldest_visible_at > places_.receiver->cycle()) return nullptr;
    return (places_.flags & pipe_places::stalls) != 0 && is_stalled() ? nullptr : &entry_at(0).token;
  }
  [[gnu::always_inline]] const T* peek(unsigned position) {
    if (position >= places_.used()) return nullptr;
    const entry& e = entry_at(position);
    if (e.visible_at > places_.receiver->cycle()) return nullptr;
    return (places_.flags & pipe_places::stalls) != 0 && is_stalled() ? nullptr : &e.token;
  }
  void wake_for_every_token() { places_.flags |= pipe_places::every_token; }
  void show_arrivals() { places_.flags |= pipe_places::arrivals; }
  void show_occupied(unsigned bit) {
    places_.flags |= pipe_places::shown;
    places_.occupied_bit = static_cast<std::uint8_t>(bit);
  }
  [[gnu::always_inline]] void pop() {
    const cycle_t now = places_.receiver->cycle();
    if (places_.oldest_visible_at > now) protocol_violation(socket_, "pop without a visible token");
    if ((places_.flags & (pipe_places::tapped | pipe_places::foreign | pipe_places::across_border)) != 0)
      return pop_and_tell(entry_at(0).token);
    take();
    if (places_.wanted) sender_->place_freed(domain_);
    if (places_.used() != 0) return await_next(now);
    places_.oldest_visible_at = no_cycle;
    if ((places_.flags & pipe_places::shown) != 0) places_.receiver->input_empty(places_.occupied_bit);
  }
  // A token for which the sender, at an edge of its clock `from`, has a place. The usual one is in send().
  [[gnu::noinline]] void accept_and_tell(const clock_domain& from, const T& token) {
    push_and_tell(domain_.first_edge_after_now_of(from), from.now(), token);
  }
  tap<pipe_observer<T>>& observers() { return observers_; }
  const T* oldest() const { return token_at(0); }
  const T* token_at(unsigned position) const {
    return position < places_.used() ? &entry_at(position).token : nullptr;
  }
  pipe_places& places() { return places_; }
  unsigned occupancy() const { return places_.used(); }
  unsigned depth() const { return depth_; }
  cycle_t latency() const { return places_.latency; }
  cycle_t oldest_visible_at() const { return places_.oldest_visible_at; }
  const stage& owner() const { return owner_; }
  bool is_direct() const { return sender_ != nullptr && (places_.flags & pipe_places::stalls) == 0; }
  void hand_over(cycle_t visible_at, const T& token) {
    if (!enter_pipe(places_, visible_at, token) || visible_at <= owner_.cycle()) return;
    owner_.wake_at(visible_at);
  }
  unsigned credits_missing() const {
    if (border_ == nullptr) return sender_ == nullptr ? 0 : depth_ - places_.room;
    return depth_ - places_.used() - border_->sender.held() -
           static_cast<unsigned>(border_->sender.kept() + border_->credits.kept());
  }

  // The sender belongs to another driver; `to` holds its credits.
  void cross_border(const pipe_credits<T>& sender, border_credits& to) {
    border_ = std::make_unique<border>(owner_, sender, to, depth_);
    places_.flags |= pipe_places::across_border;
    sender_ = nullptr;
  }
  void elaborated() {
    if (border_ != nullptr) return;
    sender_ = dynamic_cast<pipe_credits<T>*>(socket_.operator->());
    if (sender_ != nullptr) {
      if (&sender_->domain() != &domain_) places_.flags |= pipe_places::other_clock;
      return;
    }
    places_.flags |= pipe_places::foreign | pipe_places::other_clock;
    note_foreign_end(socket_, owner_);
    pipe_transfer<T> transfer{&domain_, nullptr, depth_};
    pipe_phase phase = pipe_phase::initial_credit;
    sc_core::sc_time no_delay;
    socket_->nb_transport_bw(transfer, phase, no_delay);
  }
  tlm::tlm_sync_enum nb_transport_fw(pipe_transfer<T>& transfer, pipe_phase&, sc_core::sc_time&) override {
    accept_and_tell(*transfer.sender, *transfer.token);
    return tlm::TLM_ACCEPTED;
  }
  void arrived(femtoseconds sent_at, const T& token) override {
    push_and_tell(domain_.first_edge_after(sent_at), sent_at, token);
  }
  void b_transport(pipe_transfer<T>&, sc_core::sc_time&) override {
    protocol_violation(socket_, "a pipe has no blocking transport");
  }
  bool get_direct_mem_ptr(pipe_transfer<T>&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(pipe_transfer<T>&) override { return 0; }
  // Tokens without a place in the queue are not looked at. Bits of masks are state of the receiver.
  void visit_state(state_image& state) {
    if (sender_ == nullptr && border_ == nullptr) refuse_reset(state, socket_);
    state.fixed(ring_, short_ring_, sender_, depth_, name_hash_);
    state(places_, border_);
  }

 private:
  using entry = pipe_entry<T>;
  struct border {
    border(stage& owner, const pipe_credits<T>& s, border_credits& to, unsigned depth)
        : sender(s), credits(owner.domain().driver(), to, depth) {}
    void visit_state(state_image& state) { state(credits); }
    const pipe_credits<T>& sender;
    crossing_queue<credit> credits;
  };

  // A short ring lies behind the places, in the next line of the host's cache.
  void* make_ring(unsigned entries) {
    if (entries <= short_ring_.size()) return short_ring_.data();
    ring_ = std::make_unique<entry[]>(entries);
    return ring_.get();
  }
  entry& entry_at(unsigned position) const {
    return static_cast<entry*>(places_.ring)[(places_.taken + position) & places_.index_mask];
  }

  [[gnu::noinline]] bool is_stalled() {
    const bool stalled = stalls_.stalls(name_hash_, domain_.cycle());
    if (stalled) owner_.wake_next();
    return stalled;
  }

  // `first`: the first edge of the receiver after the token was sent, at `sent_at`.
  void push_and_tell(cycle_t first, femtoseconds sent_at, const T& token) {
    if (places_.used() == depth_) protocol_violation(socket_, "token without credit");
    if (enter_pipe(places_, first + (places_.latency - 1), token)) owner_.wake_on_edge(first, places_.latency - 1u);
    observers_.notify([&](pipe_observer<T>& o) { o.token_sent(socket_, sent_at, token); });
  }
  [[gnu::always_inline]] void take() {
    places_.take(places_.receiver->now(), 1);
    places_.receiver->note_activity();
  }
  // After a pop in cycle `now`, while tokens are left.
  [[gnu::always_inline]] void await_next(cycle_t now) {
    places_.oldest_visible_at = entry_at(0).visible_at;
    if (places_.oldest_visible_at <= now + 1)
      places_.receiver->wake_next();
    else
      places_.receiver->wake_at(places_.oldest_visible_at);
  }
  [[gnu::noinline]] void pop_and_tell(const T& token) {
    observers_.notify([&](pipe_observer<T>& o) { o.token_taken(socket_, domain_.now(), token); });
    take();
    if (sender_ != nullptr) {
      if (places_.wanted) sender_->place_freed(domain_);
    } else if (border_ != nullptr) {
      border_->credits.send(domain_.now(), {});
    } else {
      pipe_transfer<T> transfer{&domain_, nullptr, 1};
      pipe_phase phase = pipe_phase::credit;
      sc_core::sc_time no_delay;
      socket_->nb_transport_bw(transfer, phase, no_delay);
    }
    if (places_.used() != 0) return await_next(domain_.cycle());
    places_.oldest_visible_at = no_cycle;
    if ((places_.flags & pipe_places::shown) != 0) places_.receiver->input_empty(places_.occupied_bit);
  }

  static constexpr std::size_t short_ring = sizeof(entry) < cache_line ? cache_line / sizeof(entry) : 1;

  pipe_places places_;
  std::array<entry, short_ring> short_ring_{};
  std::unique_ptr<entry[]> ring_;  // null: the short one
  const clock_domain& domain_;     // the owner's; a copy, so that a sender does not touch the owner's memory
  stage& owner_;
  unsigned depth_;
  pipe_credits<T>* sender_ = nullptr;  // like receiver_ of pipe_credits
  std::unique_ptr<border> border_;     // null within a driver
  tap<pipe_observer<T>> observers_;

  const stall_injection& stalls_;
  std::uint64_t name_hash_;
  socket& socket_;
};

// The sockets are large. They are children of the module, stored elsewhere; the module itself holds only what a
// token touches.
template <class T>
class pipe_out_socket final : public initiator_socket<pipe_traits<T>>, public resettable {
  using socket = initiator_socket<pipe_traits<T>>;

 public:
  pipe_out_socket(const char* name, pipe_credits<T>& end) : socket(name), end_(end) {}
  void connect() { this->socket::bind(static_cast<tlm::tlm_bw_transport_if<pipe_traits<T>>&>(end_)); }
  void visit_state(state_image& state) override { end_.visit_state(state); }
  const char* kind() const override { return "pipe_out"; }

 private:
  void end_of_elaboration() override {
    socket::end_of_elaboration();
    end_.elaborated();
  }
  pipe_credits<T>& end_;
};

template <class T>
class pipe_out {
 public:
  // Creates the socket `name` of the module under construction.
  pipe_out(const char* name, stage& owner)
      : socket_(std::make_unique<pipe_out_socket<T>>(name, end_)), end_(*socket_, owner) {
    socket_->connect();
  }
  pipe_out(const pipe_out&) = delete;
  pipe_out& operator=(const pipe_out&) = delete;

  // Binds to a target socket of these traits.
  template <class Other>
  void bind(Other& other) {
    socket_->bind(other);
  }
  template <class Other>
  void operator()(Other& other) {
    bind(other);
  }
  // The socket, for what binds to it and calls over it.
  pipe_out_socket<T>& tlm_socket() { return *socket_; }
  operator pipe_out_socket<T>&() { return *socket_; }
  auto* operator->() { return socket_->operator->(); }
  const char* name() const { return socket_->name(); }

  // True if a token may be sent in this cycle. Otherwise the owner becomes due as soon as that may have changed.
  bool can_send() { return end_.can_send(); }
  // The free places visible now.
  unsigned credits() const { return end_.visible(); }
  [[gnu::always_inline]] void send(const T& token) { end_.send(token); }
  // The same, but fill(token) sets every field of the token where it is stored, which spares copies of large ones.
  template <class Fill>
  [[gnu::always_inline]] void send_filled(const Fill& fill) {
    end_.send_filled(fill);
  }

 private:
  std::unique_ptr<pipe_out_socket<T>> socket_;
  pipe_credits<T> end_;
};

template <class T>
class pipe_in_socket final : public target_socket<pipe_traits<T>>, public pipe_state, public resettable {
  using socket = target_socket<pipe_traits<T>>;

 public:
  pipe_in_socket(const char* name, pipe_queue<T>& end) : socket(name), end_(end) {}
  void connect() { this->socket::bind(static_cast<tlm::tlm_fw_transport_if<pipe_traits<T>>&>(end_)); }

  pipe_queue<T>& queue() { return end_; }
  tap<pipe_observer<T>>& observers() { return end_.observers(); }
  const T* oldest() const { return end_.oldest(); }
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

  pipe_queue<T>& end_;
};

template <class T>
class pipe_in {
  static_assert(is_traced<T>::value,
                "declare show() and describe() beside this token: what traces say of it (tlm_bus/token_trace.h)");

 public:
  // Creates the socket `name` of the module under construction. `depth` >= 1 tokens; `latency` >= 1 cycles of the
  // owner's clock.
  pipe_in(const char* name, stage& owner, unsigned depth, unsigned latency = 1)
      : socket_(std::make_unique<pipe_in_socket<T>>(name, end_)), end_(*socket_, owner, depth, latency) {
    socket_->connect();
  }
  pipe_in(const pipe_in&) = delete;
  pipe_in& operator=(const pipe_in&) = delete;

  // Passes on to a target socket inside.
  template <class Other>
  void bind(Other& other) {
    socket_->bind(other);
  }
  // The socket, for what binds to it or looks at it, and for calls over it.
  pipe_in_socket<T>& tlm_socket() { return *socket_; }
  operator pipe_in_socket<T>&() { return *socket_; }
  operator const pipe_in_socket<T>&() const { return *socket_; }
  auto* operator->() { return socket_->operator->(); }
  const char* name() const { return socket_->name(); }

  // Returns the oldest token that is visible in this cycle, or null. It stays readable until the end of the tick,
  // even after pop().
  const T* front() { return end_.front(); }
  // Returns the token `position` places behind the oldest if it is visible in this cycle; front() is peek(0).
  const T* peek(unsigned position) { return end_.peek(position); }
  // For receivers that use peek(): the owner becomes due for every token, not only for the oldest.
  void wake_for_every_token() { end_.wake_for_every_token(); }
  // Keeps bit `bit` (below 64) of the owner's occupied_ set while the pipe holds a token, visible or not. A stage
  // with many inputs thus looks only at inputs that may have a token. Its visit_state() must list occupied_.
  void show_occupied(unsigned bit) { end_.show_occupied(bit); }
  // After show_occupied(): every token that is sent, visible or not, also sets the bit in the owner's arrived_. The
  // owner clears it when it has looked at all tokens. Its visit_state() must list arrived_.
  void show_arrivals() { end_.show_arrivals(); }
  // Removes the token that front() returned in this cycle and frees its place.
  void pop() { end_.pop(); }

  // True if nothing foreign is bound in between, both ends belong to one driver, and no stalls are injected.
  bool is_direct() const { return end_.is_direct(); }
  // A token that came in another way, where the stages of a pipe are joined; there must be a place for it. The
  // owner is due when it becomes visible, if that lies ahead.
  void hand_over(cycle_t visible_at, const T& token) { end_.hand_over(visible_at, token); }

  tap<pipe_observer<T>>& observers() { return end_.observers(); }
  // For observers: the oldest token, even if it is not visible yet; null if there is none.
  const T* oldest() const { return end_.oldest(); }
  // The same for the token `position` places behind it.
  const T* token_at(unsigned position) const { return end_.token_at(position); }
  unsigned occupancy() const { return end_.occupancy(); }
  unsigned depth() const { return end_.depth(); }
  unsigned credits_missing() const { return end_.credits_missing(); }

 private:
  std::unique_ptr<pipe_in_socket<T>> socket_;
  pipe_queue<T> end_;
};

}  // namespace gt200::tlm_bus
