#include "apps/campaign/plan.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "apps/support/json_text.h"
#include "tlm_bus/stall_injection.h"
#include "toolchain/error.h"
#include "toolchain/output_file.h"

namespace gt200::apps::campaign {
namespace {

using json = nlohmann::ordered_json;

std::string plan_file(const std::string& folder) { return folder + "/plan.json"; }
std::string golden_file(const std::string& folder) { return folder + "/golden.bin"; }

std::string text_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

json head_of(const golden_run& golden) {
  json head = {{"cycles", golden.cycles}, {"launches", json::array()}, {"outputs", json::array()}};
  for (const inject::cycle_range& r : golden.launches) head["launches"].push_back({r.first, r.end});
  for (const output_buffer& o : golden.outputs)
    head["outputs"].push_back({{"name", o.name}, {"bytes", o.bytes.size()}});
  return head;
}

// The outputs follow as they are, in the order of the head.
golden_run golden_of(const json& head, const std::string& bytes) {
  golden_run golden;
  golden.cycles = head.at("cycles").get<std::uint64_t>();
  for (const json& r : head.at("launches"))
    golden.launches.push_back({r.at(0).get<std::uint64_t>(), r.at(1).get<std::uint64_t>()});
  std::size_t at = 0;
  for (const json& o : head.at("outputs")) {
    const auto size = o.at("bytes").get<std::size_t>();
    if (size > bytes.size() - at) throw input_error("the outputs of the golden run are cut off");
    const std::string part = bytes.substr(at, size);
    golden.outputs.push_back({o.at("name").get<std::string>(), {part.begin(), part.end()}});
    at += size;
  }
  return golden;
}

std::string bytes_of(const golden_run& golden) {
  std::string bytes;
  for (const output_buffer& o : golden.outputs) bytes.append(o.bytes.begin(), o.bytes.end());
  return bytes;
}

std::string text_of(const plan& p) {
  json all = {{"kernel", p.kernel}, {"options", p.options}, {"golden", head_of(p.golden)}};
  all["golden"]["hash"] = tlm_bus::name_hash_of(bytes_of(p.golden));
  all["drawn"] = p.drawn;
  all["structures"] = json::array();
  for (const planned_structure& s : p.structures)
    all["structures"].push_back({{"name", s.name}, {"bits", s.bits}, {"share_in_use", s.share_in_use}});
  all["injections"] = json::array();
  for (const planned_injection& i : p.injections)
    all["injections"].push_back({i.structure, inject::text_of(i.at), i.next_access});
  return json_text(all, 1) + "\n";
}

}  // namespace

std::string packed(const golden_run& golden) { return json_text(head_of(golden)) + '\0' + bytes_of(golden); }

golden_run unpacked_golden(const std::string& text) {
  const std::size_t end = text.find('\0');
  return golden_of(json::parse(text.substr(0, end)), text.substr(end + 1));
}

void write_plan(const std::string& folder, const plan& p) {
  make_folder(folder);
  write_file(golden_file(folder), bytes_of(p.golden));
  write_file(plan_file(folder), text_of(p));
}

plan read_plan(const std::string& folder) {
  const std::string text = text_of_file(plan_file(folder));
  if (text.empty()) throw input_error(plan_file(folder), 0, "cannot be read");
  try {
    const json all = json::parse(text);
    plan p;
    p.kernel = all.at("kernel").get<std::string>();
    p.options = all.at("options").get<std::vector<std::string>>();
    const std::string bytes = text_of_file(golden_file(folder));
    if (tlm_bus::name_hash_of(bytes) != all.at("golden").at("hash").get<std::uint64_t>())
      throw input_error(golden_file(folder), 0, "is not that of the plan");
    p.golden = golden_of(all.at("golden"), bytes);
    p.drawn = all.at("drawn").get<bool>();
    for (const json& s : all.at("structures"))
      p.structures.push_back(
          {s.at("name").get<std::string>(), s.at("bits").get<std::uint64_t>(), s.at("share_in_use").get<double>()});
    for (const json& i : all.at("injections"))
      p.injections.push_back(
          {i.at(0).get<std::string>(), inject::parse_site(i.at(1).get<std::string>()), i.at(2).get<std::string>()});
    return p;
  } catch (const json::exception& error) {
    throw input_error(plan_file(folder), 0, std::string("is no plan of a campaign: ") + error.what());
  }
}

}  // namespace gt200::apps::campaign
