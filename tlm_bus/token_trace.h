// How tokens appear in traces.
//
// Two functions stand beside the definition of a token, in its namespace:
//   void show(tlm_bus::signal_writer& to, const token& t);         the signals of a waveform
//   void describe(tlm_bus::event_details& event, const token& t);  the id and the details of an event
// A pipe whose token lacks them does not compile. A token that carries data may have a third:
//   void show_values(tlm_bus::signal_writer& to, const token& t);  the data, for observers that ask for them
// show() and show_values() must show only what does not change while the token waits in its pipe. A default token
// stands for none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "tlm_bus/signals.h"

namespace gt200::tlm_bus {

inline constexpr unsigned max_event_details = 6;

// What a trace event says about a token or transaction. Id 0 means that it has none.
struct event_details {
  std::uint8_t details = 0;
  std::uint64_t id = 0;
  std::uint64_t detail[max_event_details] = {};

  void add(std::uint64_t value) { detail[details++] = value; }
};

// An order by id, then by details.
inline bool is_before(const event_details& a, const event_details& b) {
  if (a.id != b.id) return a.id < b.id;
  return std::lexicographical_compare(a.detail, a.detail + a.details, b.detail, b.detail + b.details);
}

// Plain numbers are tokens too.
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
void show(signal_writer& to, T value) {
  to.number("value", 64, static_cast<std::uint64_t>(value));
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
void describe(event_details& event, T value) {
  event.add(static_cast<std::uint64_t>(value));
}

template <class T, class = void>
struct is_traced : std::false_type {};
template <class T>
struct is_traced<T, std::void_t<decltype(show(std::declval<signal_writer&>(), std::declval<const T&>())),
                                decltype(describe(std::declval<event_details&>(), std::declval<const T&>()))>>
    : std::true_type {};

template <class T, class = void>
struct carries_values : std::false_type {};
template <class T>
struct carries_values<T,
                      std::void_t<decltype(show_values(std::declval<signal_writer&>(), std::declval<const T&>()))>>
    : std::true_type {};

// Is notified of the tokens of one pipe, whatever their type.
class token_listener {
 public:
  virtual void token_sent(const event_details& token) = 0;
  virtual void token_taken(const event_details& token) = 0;

 protected:
  ~token_listener() = default;
};

// Reports the tokens of a pipe to a listener during its lifetime.
class token_subscription {
 public:
  virtual ~token_subscription() = default;
};

}  // namespace gt200::tlm_bus
