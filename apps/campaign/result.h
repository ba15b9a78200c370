// The result of one injection, and files of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apps/campaign/outcome.h"

namespace gt200::apps::campaign {

struct injection_result {
  std::size_t number = 0;  // in the plan
  outcome what = outcome::defect;
  std::string message;
  std::uint64_t cycles = 0;
  std::string place;  // what the bit belonged to
  bool occupied = false;
  bool before = false, after = false;  // the bit, as read back
  std::string first_wrong;             // silent: the first wrong instruction, by the checker
};

std::string text_of(const std::vector<injection_result>& results);
// Throws input_error with the name of the file.
std::vector<injection_result> parse_results(const std::string& text, const std::string& file);

}  // namespace gt200::apps::campaign
