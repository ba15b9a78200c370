#include "observe/observers/options_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string_view>
#include <system_error>

#include "tlm_bus/processors.h"
#include "toolchain/error.h"
#include "toolchain/launch/strict_table.h"

namespace gt200::observe {
namespace {

using launch::strict_table;

constexpr auto largest = static_cast<std::int64_t>(max_option_cycles);
constexpr std::size_t largest_file = std::size_t{1} << 20;  // as of configurations
constexpr std::int64_t largest_seed = std::numeric_limits<std::int64_t>::max();

void read_clocking(const strict_table& table, tlm_bus::clocking_options& clocking) {
  const std::string mode = table.text_or("mode", "due");
  if (mode != "due" && mode != "reference") table.fail("mode", "is '" + mode + "', allowed are due and reference");
  if (mode == "reference") clocking.mode = tlm_bus::clocking_options::way::reference;
  clocking.audit = table.flag_or("audit", false);
  if (clocking.audit && mode != "due") table.fail("audit", "goes with mode = \"due\" only");
  clocking.shuffle_seed = static_cast<std::uint64_t>(table.integer_or("shuffle", 0, 0, largest_seed));
  clocking.stalls.per_1024 = static_cast<unsigned>(table.integer_or("stalls_per_1024", 0, 0, 1023));
  clocking.stalls.seed = static_cast<std::uint64_t>(table.integer_or("stall_seed", 1, 0, largest_seed));
  clocking.threads = static_cast<unsigned>(table.integer_or("threads", 1, 1, tlm_bus::max_threads));
  if (clocking.threads > 1 && (clocking.audit || mode != "due"))
    table.fail("threads", "does not go with audit and mode = \"reference\"");
}

void read_trigger(const strict_table& table, trace_options& trace) {
  if (!table.has("trigger")) {
    for (const char* key : {"before", "after"})
      if (table.has(key)) table.fail(key, "goes with trigger");
    return;
  }
  try {
    trace.trigger = trigger_of(table.text("trigger"));
  } catch (const input_error& error) {
    table.fail("trigger", std::string("is wrong: ") + error.what());
  }
  trace.trigger->before = static_cast<tlm_bus::cycle_t>(table.integer_or("before", 0, 0, largest));
  if (table.has("after")) trace.trigger->after = static_cast<tlm_bus::cycle_t>(table.integer("after", 0, largest));
}

void read_trace(const strict_table& table, trace_options& trace) {
  trace.log = table.text_or("log", "");
  trace.operands = table.flag_or("operands", false);
  trace_outputs& outputs = trace.outputs;
  outputs.waves = table.text_or("waves", "");
  outputs.pipeline_view = table.text_or("pipeline_view", "");
  outputs.timeline = table.text_or("timeline", "");
  if (table.has("scope")) outputs.scope = table.words("scope");
  if (table.has("values")) outputs.values = table.words("values");
  outputs.texts = table.text_or("texts", "string");
  if (outputs.texts != "string" && outputs.texts != "ascii")
    table.fail("texts", "is '" + outputs.texts + "', allowed are string and ascii");
  if (table.has("window")) {
    const std::string text = table.text("window");
    const auto window = window_of(text);
    if (!window) table.fail("window", "is '" + text + "', which is no window A:B of core cycles");
    trace.window = *window;
  }
  read_trigger(table, trace);
  if (const std::string why = refusal_of(trace); !why.empty()) table.fail(why);
}

}  // namespace

observer_options parse_observers(const std::string& text, const std::string& file) {
  const toml::table root = parse_toml(text, file);
  const launch::table_context context{file, {}};
  const strict_table all(root, "the file", context, {"clocking", "trace", "statistics", "check", "hang"});
  observer_options options;
  if (all.has("clocking"))
    read_clocking(strict_table(all.table("clocking"), "[clocking]", context,
                               {"mode", "audit", "shuffle", "stalls_per_1024", "stall_seed", "threads"}),
                  options.clocking);
  if (all.has("trace"))
    read_trace(strict_table(all.table("trace"), "[trace]", context,
                            {"log", "operands", "waves", "pipeline_view", "timeline", "scope", "values", "texts",
                             "window", "trigger", "before", "after"}),
               options.trace);
  if (all.has("statistics")) {
    const strict_table table(all.table("statistics"), "[statistics]", context, {"json", "csv", "summary"});
    options.statistics = {table.text_or("json", ""), table.text_or("csv", ""), table.text_or("summary", "")};
  }
  if (all.has("check"))
    options.check = strict_table(all.table("check"), "[check]", context, {"reference"}).flag_or("reference", false);
  if (all.has("hang"))
    options.hang_report = strict_table(all.table("hang"), "[hang]", context, {"report"}).text("report");
  return options;
}

observer_options read_observers(const std::string& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) throw input_error(file, 0, "is a folder, not a file");
  std::ifstream in(file, std::ios::binary);
  if (!in) throw input_error(file, 0, std::string("cannot be read: ") + std::strerror(errno));
  // Devices may have no end.
  std::string text(largest_file + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > largest_file) throw input_error(file, 0, "is larger than 1 MiB, which no file of options is");
  return parse_observers(text, file);
}

}  // namespace gt200::observe
