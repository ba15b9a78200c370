// A short, repeatable run of a fuzz target: all prefixes of some seeds, then random changes.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "testbenches/fuzz/seeds.h"

namespace gt200::fuzz {

using target = void (*)(std::string_view);

inline void expect_no_finding(target run, const std::string& input, const std::string& what) {
  try {
    run(input);
  } catch (const std::exception& error) {
    ADD_FAILURE() << what << ": " << error.what();
  }
}

// Makes one to four changes: flips bits, overwrites, removes, repeats or moves pieces.
inline std::string changed(std::string input, std::mt19937& random) {
  const auto below = [&](std::size_t limit) { return limit == 0 ? 0 : random() % limit; };
  for (std::size_t changes = 1 + below(4); changes != 0 && !input.empty(); --changes) {
    const std::size_t at = below(input.size());
    const std::size_t length = 1 + below(std::min<std::size_t>(16, input.size() - at));
    switch (below(6)) {
      case 0: input[at] = static_cast<char>(input[at] ^ 1 << below(8)); break;
      case 1: input[at] = static_cast<char>(below(256)); break;
      case 2: input.erase(at, length); break;
      case 3: input.insert(below(input.size()), input.substr(at, length)); break;
      case 4: input.replace(at, 1, std::to_string(below(100000))); break;
      case 5: std::fill_n(input.begin() + static_cast<std::ptrdiff_t>(at), length, '\xff'); break;
    }
  }
  return input;
}

inline void run_changes(target run, const std::vector<seed>& seeds, int runs) {
  std::mt19937 random(2008);
  for (int i = 0; i < runs; ++i) {
    const seed& s = seeds[random() % seeds.size()];
    expect_no_finding(run, changed(s.content, random), s.name + ", change " + std::to_string(i));
  }
}

// Runs every prefix of the smallest seed whose name has this ending.
inline void run_prefixes(target run, const std::vector<seed>& seeds, const std::string& ending) {
  const seed* smallest = nullptr;
  for (const seed& s : seeds) {
    const bool fits = s.name.size() >= ending.size() && s.name.substr(s.name.size() - ending.size()) == ending;
    if (fits && (smallest == nullptr || s.content.size() < smallest->content.size())) smallest = &s;
  }
  ASSERT_NE(smallest, nullptr) << ending;
  for (std::size_t length = 0; length <= smallest->content.size(); ++length)
    expect_no_finding(run, smallest->content.substr(0, length),
                      smallest->name + ", first " + std::to_string(length));
}

}  // namespace gt200::fuzz
