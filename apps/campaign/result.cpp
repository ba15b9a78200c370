#include "apps/campaign/result.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "apps/support/json_text.h"
#include "toolchain/error.h"

namespace gt200::apps::campaign {

namespace {
using json = nlohmann::ordered_json;
}  // namespace

std::string text_of(const std::vector<injection_result>& results) {
  json all = json::array();
  for (const injection_result& r : results)
    all.push_back({{"number", r.number},
                   {"outcome", name_of(r.what)},
                   {"message", r.message},
                   {"cycles", r.cycles},
                   {"place", r.place},
                   {"occupied", r.occupied},
                   {"before", r.before},
                   {"after", r.after},
                   {"first_wrong", r.first_wrong}});
  return json_text(all, 1) + "\n";
}

std::vector<injection_result> parse_results(const std::string& text, const std::string& file) {
  try {
    std::vector<injection_result> results;
    for (const json& r : json::parse(text)) {
      const auto name = r.at("outcome").get<std::string>();
      const auto* what =
          std::find_if(outcomes.begin(), outcomes.end(), [&](outcome o) { return name == name_of(o); });
      if (what == outcomes.end()) throw input_error(file, 0, "has the unknown outcome '" + name + "'");
      results.push_back({r.at("number").get<std::size_t>(), *what, r.at("message").get<std::string>(),
                         r.at("cycles").get<std::uint64_t>(), r.at("place").get<std::string>(),
                         r.at("occupied").get<bool>(), r.at("before").get<bool>(), r.at("after").get<bool>(),
                         r.at("first_wrong").get<std::string>()});
    }
    return results;
  } catch (const json::exception& error) {
    throw input_error(file, 0, std::string("holds no results of injections: ") + error.what());
  }
}

}  // namespace gt200::apps::campaign
