// What the tests of traced runs share: a kernel on a small chip, and what it leaves.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "testbenches/system/cli/program.h"

namespace gt200::cli {

inline constexpr std::uint64_t core_period = 1'543'210;  // femtoseconds

class traced_run : public cli_test {
 protected:
  outcome run(const arguments& more, const std::string& out = "out", const std::string& kernel = "reduce0") const {
    arguments args = {
        "run",    source_path("kernels/" + kernel), "--param", "N=2048", "--config", "gt200_small", "--out",
        path(out)};
    args.insert(args.end(), more.begin(), more.end());
    return gt200_run(args);
  }
  nlohmann::json stats(const std::string& out) const {
    nlohmann::json s = nlohmann::json::parse(content_of(path(out + "/stats.json")));
    s.erase("host");
    s.erase("command_line");
    return s;
  }
  bool exists(const std::string& name) const { return std::filesystem::exists(path(name)); }
  static std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
  }
};

}  // namespace gt200::cli
