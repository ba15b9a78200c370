// The outcome of comparing the results with the expected ones, in words.
#pragma once

#include <string>

#include "apps/exit_code.h"
#include "toolchain/launch/check.h"

namespace gt200::apps {

struct verdict {
  exit_code code = exit_code::ok;
  std::string text;  // "correct (2 checks)", "WRONG (1 of ...)", "not checked: ..."
};

verdict verdict_of(const launch::check_result& result);

}  // namespace gt200::apps
