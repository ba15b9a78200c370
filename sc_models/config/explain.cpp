#include "sc_models/config/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sc_models/config/cluster_border.h"
#include "sc_models/config/schema.h"
#include "sc_models/config/text.h"
#include "toolchain/error.h"

namespace gt200::config {
namespace {

// What each policy of a list does, a line each; empty for other keys.
std::string policy_texts(const leaf_ref& value) {
  const auto* choice = std::get_if<choice_ref>(&value);
  if (choice == nullptr || choice->texts == nullptr) return "";
  std::string text;
  for (std::size_t i = 0; i < choice->count; ++i)
    text += fmt::format("    {:<12} {}\n", choice->names[i], choice->texts[i]);
  return text;
}

// For the latency of a unit that is measured in the unit: the way that comes on top of it. Empty for other keys.
std::string way_text(const sm_config& sm, const key_info& key) {
  if (sm.units.latency_measured == latency_measure::issue_to_issue) return "";
  timed::shader_cycles latency;
  if (key.path == "tpc.sm.sp.latency_cycles")
    latency = sm.sp.latency_cycles;
  else if (key.path == "tpc.sm.sfu.latency_cycles")
    latency = sm.sfu.latency_cycles;
  else if (key.path == "tpc.sm.sfu.multiply_latency_cycles")
    latency = sm.sfu.multiply_latency_cycles;
  else if (key.path == "tpc.sm.dp.latency_cycles")
    latency = sm.dp.latency_cycles;
  else
    return "";
  const timed::shader_cycles all = sm.issue_to_issue(latency);
  return fmt::format(
      "  in all   {} from issue until a dependent instruction issues: {} more for issue, collector and "
      "write-back\n",
      all.count(), (all - latency).count());
}

// For the keys that decide how far TPCs run by themselves. Empty for others.
std::string window_text(const gpu_config& config, const key_info& key) {
  constexpr std::array<const char*, 6> keys = {"distribution.launch_latency_cycles",
                                               "distribution.retire_latency_cycles",
                                               "l3.link_latency_cycles",
                                               "interconnect.crossbar.request_latency_cycles",
                                               "interconnect.crossbar.reply_latency_cycles",
                                               "idealisations.ideal_memory"};
  if (std::find(keys.begin(), keys.end(), key.path) == keys.end()) return "";
  if (config.idealisations.perfect_caches)
    return "  window   none: perfect caches read memory in zero time, so the TPCs run in the order of time\n";
  const cluster_border border = border_of(config);
  return fmt::format("  window   TPCs run by themselves for {} uncore cycle{}, because of {}\n",
                     border.window_cycles, border.window_cycles == 1 ? "" : "s", border.limited_by);
}

std::string explain_key(const gpu_config& config, const key_info& key, const location& at) {
  std::string text = fmt::format("{} = {}\n  {}\n", key.path, value_text(key.value), key.about.text);
  if (key.about.in != unit::none) text += fmt::format("  unit     {}\n", unit_text(key.about.in));
  text += way_text(config.tpc.sm, key);
  text += window_text(config, key);
  text += fmt::format("  allowed  {}\n{}  source   {}\n  set at   {}", allowed_text(key.value),
                      policy_texts(key.value), source_of(key, at), at.file);
  if (at.line != 0) text += fmt::format(":{}", at.line);
  return text + "\n";
}

}  // namespace

std::string source_of(const key_info& key, const location& at) {
  const std::string source = source_text(key.about.from);
  if (at.rank == 0) return source;
  return fmt::format("{}; of the base's value: {}", at.comment.empty() ? "none is named" : at.comment, source);
}

std::string explain(const resolved_config& config, const std::string& key_or_group) {
  gpu_config values = config.values;  // a copy: descriptions need members that can be written
  const schema known(values);
  if (const key_info* key = known.find_key(key_or_group))
    return explain_key(values, *key, config.set_at.at(key->path));

  const group_info* group = known.find_group(key_or_group);
  if (group == nullptr && !key_or_group.empty()) {
    throw input_error("unknown key '" + key_or_group + "'" + known.suggestion(key_or_group));
  }
  std::string text = group == nullptr ? "" : fmt::format("{}: {}\n\n", group->path, group->text);
  const std::string prefix = group == nullptr ? "" : group->path + ".";
  for (const key_info& key : known.keys) {
    if (key.path.compare(0, prefix.size(), prefix) == 0)
      text += explain_key(values, key, config.set_at.at(key.path));
  }
  return text;
}

}  // namespace gt200::config
