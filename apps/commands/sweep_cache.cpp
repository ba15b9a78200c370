#include "apps/commands/sweep_cache.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "apps/study/cache.h"
#include "toolchain/error.h"

namespace gt200::apps {
namespace {

constexpr const char* units = "KMGT";  // powers of 1024

// "500M". Nothing for anything else.
std::optional<std::uint64_t> bytes_of(const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string unit = text.substr(static_cast<std::size_t>(end - text.data()));
  if (error != std::errc() || unit.size() > 1) return std::nullopt;
  const std::size_t place = std::string(units).find(unit);  // 0 without a unit, too
  if (place == std::string::npos) return std::nullopt;
  const std::size_t power = unit.empty() ? 0 : place + 1;
  if (number >= std::uint64_t{1} << (63 - 10 * power)) return std::nullopt;
  return number << (10 * power);
}

std::string text_of(std::uint64_t bytes) {
  double number = static_cast<double>(bytes);
  std::size_t power = 0;
  for (; number >= 1024 && power < 4; ++power) number /= 1024;
  return power == 0 ? fmt::format("{} bytes", bytes) : fmt::format("{:.1f} {}iB", number, units[power - 1]);
}

struct cache_options {
  std::string folder;
  std::string prune;
};

exit_code run(const cache_options& options) {
  const std::string folder = options.folder.empty() ? study::default_cache_folder() : options.folder;
  if (folder.empty()) throw input_error("there is no default cache: HOME is not set; name its folder");
  std::error_code error;
  if (!options.folder.empty() && !std::filesystem::is_directory(folder, error))
    throw input_error(folder, 0, "is no folder");
  if (!options.prune.empty()) {
    const study::cache_use removed = study::prune_cache(folder, *bytes_of(options.prune));
    fmt::print("{}: removed {} results, {}\n", folder, removed.results, text_of(removed.bytes));
  }
  const study::cache_use now = study::use_of_cache(folder);
  fmt::print("{}: {} results, {}\n", folder, now.results, text_of(now.bytes));
  return exit_code::ok;
}

}  // namespace

void add_sweep_cache(CLI::App& sweep, action& chosen) {
  auto* command = sweep.add_subcommand("cache", "say how large the cache of results is, or make it smaller");
  const auto options = std::make_shared<cache_options>();
  command->add_option("folder", options->folder, "of the cache; default: as for gt200 sweep")->type_name("DIR");
  command
      ->add_option("--prune", options->prune,
                   "removes results until the rest takes at most SIZE, those first that were not used for the "
                   "longest time; a number of bytes, or of K, M, G, T")
      ->type_name("SIZE")
      ->check(CLI::Validator(
          [](const std::string& text) {
            return bytes_of(text) ? std::string() : "'" + text + "' is no size such as 500M or 2G";
          },
          ""));
  command->callback([&chosen, options] { chosen = [options] { return run(*options); }; });
}

}  // namespace gt200::apps
