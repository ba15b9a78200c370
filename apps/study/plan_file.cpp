#include "apps/study/plan_file.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "apps/study/sha256.h"
#include "apps/support/json_text.h"
#include "toolchain/error.h"
#include "toolchain/output_file.h"

namespace gt200::apps::study {
namespace {

using json = nlohmann::ordered_json;

constexpr const char* schema = "gt200 study 1";

json points_json(const study& work) {
  json points = json::array(), inputs = json::array(), programs = json::array();
  for (const point& p : work.points)
    points.push_back(
        {{"name", p.name}, {"command", p.command}, {"key", p.key}, {"group", p.group}, {"config", p.config}});
  for (const input_file& file : work.inputs) inputs.push_back({{"path", file.path}, {"sha256", file.sha256}});
  for (const shared_program& p : work.programs)
    programs.push_back({{"path", p.path}, {"capability", p.capability}, {"hash", p.hash}});
  return {{"program_hash", work.program_hash}, {"inputs", inputs}, {"programs", programs}, {"points", points}};
}

json options_json(const engine_options& how) {
  const slurm_options& s = how.slurm;
  return {{"engine", how.engine},
          {"jobs", how.jobs},
          {"threads", how.threads},
          {"cache", how.cache},
          {"slurm",
           {{"sbatch", s.sbatch},
            {"chunk_seconds", s.chunk_seconds},
            {"pilot", s.pilot},
            {"point_seconds", s.point_seconds},
            {"max_tasks", s.max_tasks},
            {"max_array", s.max_array},
            {"rounds", s.rounds},
            {"poll_seconds", s.poll_seconds},
            {"wait", s.wait}}}};
}

engine_options options_from(const json& from) {
  engine_options how;
  how.engine = from.at("engine");
  how.jobs = from.at("jobs");
  how.threads = from.at("threads");
  how.cache = from.at("cache");
  const json& s = from.at("slurm");
  how.slurm.sbatch = s.at("sbatch").get<words>();
  how.slurm.chunk_seconds = s.at("chunk_seconds");
  how.slurm.pilot = s.at("pilot");
  how.slurm.point_seconds = s.at("point_seconds");
  how.slurm.max_tasks = s.at("max_tasks");
  how.slurm.max_array = s.at("max_array");
  how.slurm.rounds = s.at("rounds");
  how.slurm.poll_seconds = s.at("poll_seconds");
  how.slurm.wait = s.at("wait");
  return how;
}

std::string text_in(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

std::string plan_path(const std::string& folder) { return folder + "/study.json"; }

std::string hash_of_plan(const study& work) { return sha256_of(json_text(points_json(work))); }

void write_plan(const study& work) {
  json text = {{"schema", schema},
               {"working_folder", std::filesystem::current_path().string()},
               {"made_by", work.made_by},
               {"hash", hash_of_plan(work)},
               {"how", options_json(work.how)}};
  text.update(points_json(work));
  const std::string written = json_text(text, 0) + "\n";
  make_folder(work.folder);
  if (text_in(plan_path(work.folder)) != written) write_file(plan_path(work.folder), written);
}

stored_plan read_plan(const std::string& folder) {
  const std::string path = plan_path(folder);
  if (!std::filesystem::exists(path))
    throw input_error(folder, 0, "is not the folder of a study: it has no study.json");
  try {
    const json text = json::parse(text_in(path));
    if (text.at("schema") != schema) throw input_error(path, 0, "was written by another version of this program");
    stored_plan result;
    study& work = result.work;
    work.folder = folder;
    result.working_folder = text.at("working_folder");
    result.hash = text.at("hash");
    work.made_by = text.at("made_by");
    work.how = options_from(text.at("how"));
    work.program_hash = text.at("program_hash");
    for (const json& file : text.at("inputs")) work.inputs.push_back({file.at("path"), file.at("sha256")});
    for (const json& p : text.at("programs"))
      work.programs.push_back({p.at("path"), p.at("capability").get<unsigned>(), p.at("hash")});
    for (const json& p : text.at("points"))
      work.points.push_back(
          {p.at("name"), p.at("command").get<words>(), p.at("key"), p.at("group"), p.at("config")});
    return result;
  } catch (const json::exception&) {
    throw input_error(path, 0, "is damaged; start the study again");
  }
}

}  // namespace gt200::apps::study
