// Masks as sets of small numbers.
#pragma once

#include <type_traits>

namespace gt200 {

// The numbers of the bits that are set, ascending: for (const unsigned lane : set_bits(lanes)). The mask is read
// once, so the loop may change the variable it came from. Index: the type of the numbers.
template <class Mask, class Index = unsigned>
class set_bits {
  static_assert(std::is_unsigned_v<Mask>);

 public:
  explicit constexpr set_bits(Mask mask) : mask_(mask) {}

  struct end_of_bits {};
  class iterator {
   public:
    explicit constexpr iterator(Mask left) : left_(left) {}
    constexpr Index operator*() const {
      if constexpr (sizeof(Mask) > sizeof(unsigned))
        return static_cast<Index>(__builtin_ctzll(left_));
      else
        return static_cast<Index>(__builtin_ctz(left_));
    }
    constexpr iterator& operator++() {
      left_ &= static_cast<Mask>(left_ - 1);
      return *this;
    }
    constexpr bool operator!=(end_of_bits) const { return left_ != 0; }

   private:
    Mask left_;
  };
  constexpr iterator begin() const { return iterator(mask_); }
  constexpr end_of_bits end() const { return {}; }

 private:
  Mask mask_;
};

}  // namespace gt200
