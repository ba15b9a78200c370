#include "apps/support/trust.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string_view>

#include "apps/support/config_files.h"
#include "sc_models/config/schema.h"
#include "sc_models/config/text.h"

namespace gt200::apps {
namespace {

struct record {
  std::string_view set;
  std::string_view id;
  std::string_view relation;
  double value;
  double published;
};
constexpr record records[] = {
#include "gt200/silicon_records.inc"
};

bool is_of(const record& r, const config::chip_config& chip) {
  return chip.is_volta() ? r.set == "volta" : chip.is_tesla() && r.set != "volta";
}

bool is_whole_kernel(const record& r) {
  if (r.set == "volta") return r.id.find("stream_") != std::string_view::npos;
  return r.set != "sm" && r.set != "memory";
}

double error_of(const record& r) {
  if (r.relation == "at_least" && r.value >= r.published) return 0;
  if (r.published == 0) return r.value == 0 ? 0 : 1;
  return std::abs(r.value / r.published - 1);
}

std::size_t changed_keys(config::gpu_config before, config::gpu_config after) {
  const config::schema old_keys(before), new_keys(after);
  std::size_t count = 0;
  for (std::size_t i = 0; i < new_keys.keys.size(); ++i)
    if (new_keys.keys[i].path.rfind("simulation.", 0) != 0 &&
        config::value_text(old_keys.keys[i].value) != config::value_text(new_keys.keys[i].value))
      ++count;
  return count;
}

std::string text_of(const recorded_errors& e, const char* what) {
  return fmt::format("{} {:.1f} % off on average, {:.0f} % at most ({} figures)", what, 100 * e.mean,
                     100 * e.largest, e.figures);
}

}  // namespace

recorded_errors errors_of(const config::chip_config& chip, bool whole_kernels) {
  recorded_errors result;
  for (const record& r : records) {
    if (!is_of(r, chip) || is_whole_kernel(r) != whole_kernels || r.relation == "reported") continue;
    ++result.figures;
    result.mean += error_of(r);
    result.largest = std::max(result.largest, error_of(r));
  }
  if (result.figures != 0) result.mean /= static_cast<double>(result.figures);
  return result;
}

std::vector<std::string> trust_lines(const std::string& config, const config::gpu_config& plain,
                                     const config::gpu_config& used) {
  const recorded_errors kernels = errors_of(plain.chip, true), parts = errors_of(plain.chip, false);
  std::vector<std::string> lines;
  lines.push_back(kernels.figures + parts.figures == 0
                      ? "no figure of the silicon is recorded for this generation: docs/validation/trust.md"
                      : "against silicon, " + text_of(kernels, "whole kernels") + "; " +
                            text_of(parts, "single latencies and rates") + ": docs/validation/trust.md");
  const std::filesystem::path file = find_config(config);
  std::error_code ignored;
  if (!std::filesystem::equivalent(file.parent_path().empty() ? "." : file.parent_path(), config_folder(), ignored))
    lines.push_back(config + " is no preset: these errors are those of the presets of its generation");
  if (const std::size_t changed = changed_keys(plain, used); changed != 0)
    lines.push_back(fmt::format("the configuration differs from {} in {}: no silicon has been measured like that",
                                config, changed == 1 ? "1 key" : fmt::format("{} keys", changed)));
  return lines;
}

}  // namespace gt200::apps
