// Numbers of different things as types that do not mix.
//
// A strong_index is made from an integer only where the code says so, and gives it back only by index(). It
// compares with its own kind, and costs what its integer costs.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

namespace gt200 {

// Tag: any type that stands for the kind of thing. Rep: the unsigned integer it is kept in.
template <class Tag, class Rep = unsigned>
class strong_index {
  static_assert(std::is_unsigned_v<Rep>);

 public:
  constexpr strong_index() = default;  // 0
  template <class Integer, class = std::enable_if_t<std::is_integral_v<Integer>>>
  explicit constexpr strong_index(Integer number) : number_(static_cast<Rep>(number)) {}

  constexpr unsigned index() const { return number_; }

  friend constexpr bool operator==(strong_index a, strong_index b) { return a.number_ == b.number_; }
  friend constexpr bool operator!=(strong_index a, strong_index b) { return a.number_ != b.number_; }
  friend constexpr bool operator<(strong_index a, strong_index b) { return a.number_ < b.number_; }

 private:
  Rep number_ = 0;
};

// The first `count` of a kind: for (const warp_slot warp : first_of_kind<warp_slot>(24)).
template <class Index>
class first_of_kind {
 public:
  explicit constexpr first_of_kind(unsigned count) : count_(count) {}

  class iterator {
   public:
    explicit constexpr iterator(unsigned number) : number_(number) {}
    constexpr Index operator*() const { return Index(number_); }
    constexpr iterator& operator++() {
      ++number_;
      return *this;
    }
    constexpr bool operator!=(iterator other) const { return number_ != other.number_; }

   private:
    unsigned number_;
  };
  constexpr iterator begin() const { return iterator(0); }
  constexpr iterator end() const { return iterator(count_); }

 private:
  unsigned count_;
};

// An array with an element for each of the first `count` of a kind, reached by that kind of index alone.
template <class Index, class Element, std::size_t count>
struct indexed_array {
  std::array<Element, count> elements;

  constexpr Element& operator[](Index i) { return elements[i.index()]; }
  constexpr const Element& operator[](Index i) const { return elements[i.index()]; }
  constexpr auto begin() { return elements.begin(); }
  constexpr auto end() { return elements.end(); }
  constexpr auto begin() const { return elements.begin(); }
  constexpr auto end() const { return elements.end(); }
};

}  // namespace gt200
