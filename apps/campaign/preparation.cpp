#include "apps/campaign/preparation.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "apps/support/isolated.h"
#include "apps/support/json_text.h"
#include "inject/next_accesses.h"
#include "inject/occupied_sites.h"
#include "toolchain/error.h"

namespace gt200::apps::campaign {
namespace {

using json = nlohmann::ordered_json;

struct interrupted {};

json as_json(const std::vector<inject::structure_bits>& structures) {
  json all = json::array();
  for (const inject::structure_bits& s : structures) {
    json parts = json::array();
    for (const auto& part : s.parts) parts.push_back({part.module, part.bits});
    all.push_back({s.name, parts});
  }
  return all;
}

std::vector<inject::structure_bits> structures_of(const json& all) {
  std::vector<inject::structure_bits> structures;
  for (const json& s : all) {
    structures.push_back({s.at(0).get<std::string>(), {}});
    for (const json& part : s.at(1))
      structures.back().parts.push_back({part.at(0).get<std::string>(), part.at(1).get<std::uint64_t>()});
  }
  return structures;
}

std::vector<inject::structure_bits> bits_of(const inject::fault_space& space) {
  std::vector<inject::structure_bits> structures;
  for (const inject::structure& s : space.structures()) {
    structures.push_back({s.name, {}});
    for (const inject::storage_part& part : s.parts) structures.back().parts.push_back({part.module, part.bits});
  }
  return structures;
}

// The chosen ones, in the order of the chip.
std::vector<inject::structure_bits> chosen_of(const std::vector<inject::structure_bits>& all,
                                              const std::vector<std::string>& names) {
  const auto has = [](const auto& list, const std::string& name) {
    return std::any_of(list.begin(), list.end(), [&](const auto& s) { return s.name == name; });
  };
  std::string known;
  for (const inject::structure_bits& s : all) known += (known.empty() ? "" : ", ") + s.name;
  for (const std::string& name : names)
    if (!has(all, name))
      throw input_error(name, 0, "is no structure of this chip with bits that can be flipped; it has " + known);
  std::vector<inject::structure_bits> chosen;
  for (const inject::structure_bits& s : all)
    if (names.empty() || std::find(names.begin(), names.end(), s.name) != names.end()) chosen.push_back(s);
  return chosen;
}

// Divides the count as evenly as possible; the first ones get the rest.
std::size_t share_of(std::size_t count, std::size_t structures, std::size_t number) {
  return count / structures + (number < count % structures ? 1 : 0);
}

class preparation {
 public:
  preparation(workload& work, const config::gpu_config& config, const draw_options& options,
              const volatile std::sig_atomic_t* stop)
      : work_(work), config_(config), options_(options), stop_(stop) {}

  plan make() {
    run_golden();
    if (options_.sites.empty())
      draw();
    else
      take_given();
    find_next_accesses();
    return plan_;
  }

 private:
  // Returns the text of a run without a fault; its failure is that of the workload.
  std::string golden_text(const std::function<std::string()>& act) const {
    const isolated_end end = run_isolated(act, options_.golden_seconds, stop_);
    if (end.ok) return end.text;
    if (end.refused) throw input_error(end.reason);
    if (end.stopped) throw interrupted{};
    const std::string reason = "the run without a fault " + end.reason;
    if (end.late) throw input_error(work_.launch.file, 0, reason + "; --seconds allows more");
    throw std::runtime_error(reason);
  }

  void run_golden() {
    const std::string text = golden_text([&] {
      faulty_run run(work_, config_, 0);
      const json structures = as_json(bits_of(inject::fault_space(run.target().chip())));
      return json_text(structures) + '\0' + packed(run.run_golden());
    });
    const std::size_t end = text.find('\0');
    structures_ = structures_of(json::parse(text.substr(0, end)));
    plan_.golden = unpacked_golden(text.substr(end + 1));
  }

  void draw() {
    structures_ = chosen_of(structures_, options_.structures);
    for (const inject::structure_bits& s : structures_) plan_.structures.push_back({s.name, s.bits(), -1});
    if (options_.occupied_only) return draw_occupied();
    std::vector<std::vector<inject::site>> drawn;
    for (std::size_t i = 0; i < structures_.size(); ++i)
      drawn.push_back(inject::draw_sites(structures_[i], plan_.golden.launches, options_.seed,
                                         share_of(options_.count, structures_.size(), i)));
    take_in_turn(drawn);
  }

  // The structures take turns, so that a larger campaign begins with the injections of a smaller one.
  void take_in_turn(const std::vector<std::vector<inject::site>>& drawn) {
    for (std::size_t n = 0; plan_.injections.size() < options_.count; ++n) {
      const std::size_t before = plan_.injections.size();
      for (std::size_t i = 0; i < drawn.size(); ++i)
        if (n < drawn[i].size()) plan_.injections.push_back({structures_[i].name, drawn[i][n], {}});
      if (plan_.injections.size() == before) return;
    }
  }

  void draw_occupied() {
    const std::size_t most = share_of(options_.count, structures_.size(), 0);
    const std::string text = golden_text([&] {
      faulty_run run(work_, config_, 0);
      inject::occupied_sites drawn(run.target(), plan_.golden.launches, options_.seed, most);
      run.run_golden();
      json all = json::object();
      for (const auto& d : drawn.result()) {
        json sites = json::array();
        for (const inject::site& at : d.sites) sites.push_back(inject::text_of(at));
        all[d.structure] = {{"sites", sites}, {"share", d.share_in_use}};
      }
      return json_text(all);
    });
    const json all = json::parse(text);
    std::vector<std::vector<inject::site>> taken(structures_.size());
    for (std::size_t i = 0; i < structures_.size(); ++i) {
      const json& found = all.at(structures_[i].name);
      plan_.structures[i].share_in_use = found.at("share").get<double>();
      const std::size_t count = share_of(options_.count, structures_.size(), i);
      const json& sites = found.at("sites");
      // A structure of which nothing is ever in use cannot be damaged.
      for (std::size_t n = 0; n < std::min(count, sites.size()); ++n)
        taken[i].push_back(inject::parse_site(sites[n].get<std::string>()));
    }
    take_in_turn(taken);
    if (plan_.injections.empty())
      throw input_error(work_.launch.file, 0, "nothing of these structures is ever in use");
  }

  void take_given() {
    plan_.drawn = false;
    const std::uint64_t end = plan_.golden.launches.back().end;
    for (const inject::site& given : options_.sites) {
      bool found = false;
      for (const inject::structure_bits& s : structures_)
        for (const auto& part : s.parts) {
          if (part.module != given.module && part.module != "gt200." + given.module) continue;
          found = true;
          if (given.bit >= part.bits)
            throw input_error(inject::text_of(given), 0, fmt::format("{} has {} bits", part.module, part.bits));
          plan_.injections.push_back({s.name, {part.module, given.bit, given.cycle}, {}});
        }
      if (!found)
        throw input_error(inject::text_of(given), 0,
                          "no module of this chip with bits that can be flipped has this name");
      if (given.cycle >= end)
        throw input_error(inject::text_of(given), 0, fmt::format("the run ends in cycle {}", end));
    }
    for (const inject::structure_bits& s : structures_)
      for (const planned_injection& i : plan_.injections)
        if (i.structure == s.name) {
          plan_.structures.push_back({s.name, s.bits(), -1});
          break;
        }
  }

  void find_next_accesses() {
    const std::string text = golden_text([&] {
      faulty_run run(work_, config_, 0);
      std::vector<inject::site> sites;
      for (const planned_injection& i : plan_.injections) sites.push_back(i.at);
      const inject::next_accesses accesses(run.target(), sites);
      run.run_golden();
      json names = json::array();
      for (const inject::next_access a : accesses.result()) names.push_back(inject::name_of(a));
      return json_text(names);
    });
    const json names = json::parse(text);
    for (std::size_t i = 0; i < plan_.injections.size(); ++i)
      plan_.injections[i].next_access = names[i].get<std::string>();
  }

  workload& work_;
  const config::gpu_config& config_;
  const draw_options& options_;
  const volatile std::sig_atomic_t* stop_;
  std::vector<inject::structure_bits> structures_;
  plan plan_;
};

}  // namespace

std::optional<plan> prepare_plan(workload& work, const config::gpu_config& config, const draw_options& options,
                                 const volatile std::sig_atomic_t* stop) {
  try {
    plan result = preparation(work, config, options, stop).make();
    result.kernel = work.launch.file;
    return result;
  } catch (const interrupted&) {
    return std::nullopt;
  }
}

}  // namespace gt200::apps::campaign
