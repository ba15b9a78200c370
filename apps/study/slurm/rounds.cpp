#include "apps/study/slurm/rounds.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "toolchain/error.h"
#include "toolchain/output_file.h"

namespace gt200::apps::study::slurm {
namespace {

using json = nlohmann::ordered_json;

std::string path_of(const std::string& folder, const std::string& name) {
  return folder + "/slurm/" + name + ".json";
}

}  // namespace

std::string next_round(const std::string& folder) {
  unsigned number = 1;
  while (std::filesystem::exists(path_of(folder, "round_" + std::to_string(number)))) ++number;
  return "round_" + std::to_string(number);
}

void write_round(const std::string& folder, const std::string& name, const round& what) {
  make_folder(folder + "/slurm");
  write_file(path_of(folder, name), json{{"plan_hash", what.plan_hash}, {"chunks", what.chunks}}.dump() + "\n");
}

round read_round(const std::string& folder, const std::string& name) {
  const std::string path = path_of(folder, name);
  std::ifstream file(path);
  const json text = json::parse(file, nullptr, false);
  try {
    return {text.at("plan_hash"), text.at("chunks").get<std::vector<std::vector<std::size_t>>>()};
  } catch (const json::exception&) {
    throw input_error(path, 0, "is missing or damaged");
  }
}

}  // namespace gt200::apps::study::slurm
