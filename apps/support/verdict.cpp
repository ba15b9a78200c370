#include "apps/support/verdict.h"

#include <fmt/format.h>

namespace gt200::apps {

verdict verdict_of(const launch::check_result& result) {
  if (result.checks == 0) return {exit_code::ok, "not checked: no expectation applies"};
  const std::string checks = fmt::format("{} check{}", result.checks, result.checks == 1 ? "" : "s");
  if (!result.passed) return {exit_code::check_failed, fmt::format("WRONG ({})\n{}", checks, result.message)};
  if (result.worst_error == 0) return {exit_code::ok, fmt::format("correct ({})", checks)};
  return {exit_code::ok, fmt::format("correct ({}, largest error {:.3g})", checks, result.worst_error)};
}

}  // namespace gt200::apps
