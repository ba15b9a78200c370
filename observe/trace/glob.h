// Patterns of hierarchical names: '*' matches any characters including dots, '?' matches one character.
#pragma once

#include <array>
#include <bitset>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gt200::observe {

bool matches(std::string_view pattern, std::string_view name);
// True if any of the patterns matches.
bool matches_any(const std::vector<std::string>& patterns, std::string_view name);
// For messages: 'a', 'b'
std::string listed(const std::vector<std::string>& patterns);

// The same for very many names that begin alike: the beginning is compared once. Keeps for each pattern the places
// in it that the characters so far may have reached.
class partial_match {
 public:
  // Throws input_error if a pattern has more than `longest` characters.
  explicit partial_match(const std::vector<std::string>& patterns);
  static constexpr std::size_t longest = 255;

  // The match after these further characters.
  partial_match after(std::string_view text) const;
  // False: no name that begins like this matches.
  bool possible() const;
  // True if the name that ends with `rest` matches.
  bool matches(std::string_view rest) const;
  // True if both, made from the same patterns, match the same names from here on.
  bool operator==(const partial_match& other) const { return reached_ == other.reached_; }

 private:
  using places = std::bitset<longest + 1>;
  struct pattern {
    std::array<places, 256> reads;  // by character: the places at which it is read
    places stars;
    std::size_t length = 0;

    void pass_stars(places& at) const;
    void read(places& at, std::string_view text) const;
  };

  std::shared_ptr<const std::vector<pattern>> patterns_;
  std::vector<places> reached_;  // by pattern
};

}  // namespace gt200::observe
