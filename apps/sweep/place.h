// Place where the user wrote a part of a sweep, for messages.
#pragma once

#include <string>

#include "toolchain/error.h"

namespace gt200::apps::sweep {

// A line of a study file; without a file: the command line, whose options name themselves.
struct place {
  std::string file;
  unsigned line = 0;

  // "study.toml:7: ", or nothing.
  std::string prefix() const {
    return file.empty() ? "" : file + (line == 0 ? "" : ":" + std::to_string(line)) + ": ";
  }
};

struct stated {
  std::string text;
  place at;
};

// Calls `act`. What it refuses gets the place.
template <class Act>
auto with_place(const place& at, const Act& act) {
  try {
    return act();
  } catch (const input_error& error) {
    throw input_error(at.prefix() + error.what());
  }
}

}  // namespace gt200::apps::sweep
