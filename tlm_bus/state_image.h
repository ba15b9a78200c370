// The state of the chip as it was when the simulation began, and the way back to it.
//
// Each part lists its members in visit_state(). The same function serves both directions:
//
//   void part::visit_state(tlm_bus::state_image& state) {
//     state(queue_, waiting_);                                            // kept by value
//     state.remake(policy_, [this] { return make_policy(...); });         // made anew
//     state.fixed(room_, latency_);                                       // never changes after elaboration
//   }
//
// keep() visits every part below an object when the simulation begins; restore() visits them again at a reset.
// Sockets of the chip's own protocols are parts of their own, and counters and histograms are found by their
// attributes: no module lists them. A member without a copy, that lists nothing itself, does not compile. A member
// that is in no list fails a test (testbenches/structure/state_test.cpp).
//
// A run pays for one copy when it begins, unless its chip forgoes the reset. Storage whose elements are all equal
// is kept as one.
#pragma once

#include <algorithm>
#include <any>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <systemc>
#include <type_traits>
#include <utility>
#include <vector>

namespace gt200::tlm_bus {

class state_image {
 public:
  state_image() = default;
  state_image(const state_image&) = delete;
  state_image& operator=(const state_image&) = delete;

  // -- for the owner of the chip --

  // Keeps the state of `root` and everything below it. Once, after elaboration.
  void keep(sc_core::sc_object& root);
  // Brings it back. Nothing below `root` may be running.
  void restore(sc_core::sc_object& root);
  bool kept() const { return kept_; }
  // Why that is not possible, a part in each line; empty if it is. Valid after keep().
  const std::vector<std::string>& refusals() const { return refusals_; }
  // Host memory that it takes, without what members with a copy constructor of their own take.
  std::size_t bytes() const { return bytes_.size(); }

  // -- for parts --

  // These members are kept by value. One that lists its own members is asked for them; of a unique_ptr, the object.
  template <class... Members>
  void operator()(Members&... members) {
    (visit(members), ...);
  }
  // These do not change after elaboration. Nothing happens to them: naming them says that they are not forgotten.
  template <class... Members>
  void fixed(const Members&...) {}
  // At a reset, `made` becomes what `make` returns.
  template <class Made, class Make>
  void remake(Made& made, Make make) {
    if (restoring_) made = make();
  }
  // Calls `act` at a reset.
  template <class Act>
  void at_reset(Act act) {
    if (restoring_) act();
  }
  // The part cannot be reset.
  void refuse(const sc_core::sc_object& part, const std::string& why);

 private:
  template <class T, class = void>
  struct lists : std::false_type {};
  template <class T>
  struct lists<T, std::void_t<decltype(std::declval<T&>().visit_state(std::declval<state_image&>()))>>
      : std::true_type {};
  template <class T>
  struct owned : std::false_type {};
  template <class T>
  struct owned<std::unique_ptr<T>> : std::true_type {};
  // A container of parts: they are asked one by one. Its length is fixed.
  template <class T>
  struct holds_parts : std::false_type {};
  template <class T>
  struct holds_parts<std::vector<T>> : std::disjunction<lists<T>, owned<T>> {};
  template <class T>
  struct holds_parts<std::deque<T>> : std::disjunction<lists<T>, owned<T>> {};
  template <class T, std::size_t n>
  struct holds_parts<std::array<T, n>> : std::disjunction<lists<T>, owned<T>> {};
  // A vector whose elements are plain bytes.
  template <class T>
  struct plain_vector : std::false_type {};
  template <class T>
  struct plain_vector<std::vector<T>>
      : std::bool_constant<std::is_trivially_copyable_v<T> && !std::is_same_v<T, bool>> {};

  template <class T>
  void visit(T& member) {
    static_assert(!std::is_const_v<T>, "a constant member is no state");
    if constexpr (lists<T>::value) {
      member.visit_state(*this);
    } else if constexpr (owned<T>::value) {
      if (member != nullptr) visit(*member);
    } else if constexpr (holds_parts<T>::value) {
      for (auto& part : member) visit(part);
    } else if constexpr (plain_vector<T>::value) {
      visit_plain(member);
    } else if constexpr (std::is_trivially_copyable_v<T>) {
      copy(&member, sizeof(T));
    } else {
      static_assert(std::is_copy_constructible_v<T> && std::is_copy_assignable_v<T>,
                    "neither a value nor a part with visit_state()");
      if (restoring_)
        member = *std::any_cast<T>(&next_value());
      else
        values_.emplace_back(member);
    }
  }
  template <class T>
  void visit_plain(std::vector<T>& member) {
    std::uint64_t size = member.size();
    copy(&size, sizeof(size));
    bool uniform = !restoring_ && is_uniform(member.data(), sizeof(T), member.size());
    copy(&uniform, sizeof(uniform));
    if (restoring_) member.resize(size);
    if (size == 0) return;
    if (!uniform) return copy(member.data(), sizeof(T) * size);
    copy(member.data(), sizeof(T));
    if (restoring_) std::fill(member.begin() + 1, member.end(), T(member.front()));
  }

  void visit_below(sc_core::sc_object& object);
  void visit_object(sc_core::sc_object& object);
  // From or to the member.
  void copy(void* member, std::size_t bytes);
  static bool is_uniform(const void* first, std::size_t element, std::size_t count);
  const std::any& next_value();

  bool kept_ = false;
  bool restoring_ = false;
  std::vector<std::uint8_t> bytes_;
  std::vector<std::any> values_;
  std::size_t next_byte_ = 0;
  std::size_t next_value_ = 0;
  std::vector<std::string> refusals_;
};

}  // namespace gt200::tlm_bus
