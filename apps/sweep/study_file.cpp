// Reads the TOML file of a study.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <initializer_list>

#include "apps/support/config_files.h"
#include "apps/support/kept_files.h"
#include "apps/support/kernels.h"
#include "apps/support/thread_option.h"
#include "apps/sweep/definition.h"
#include "toolchain/cubin/load.h"
#include "toolchain/error.h"
#include "toolchain/launch/strict_table.h"

namespace gt200::apps::sweep {
namespace {

namespace fs = std::filesystem;
using launch::strict_table;

constexpr std::size_t max_values = 10'000;
// Up to here every whole number is exact.
constexpr double largest_number = 9'007'199'254'740'992;  // 2^53

place place_of(const launch::table_context& context, const toml::node& node) {
  return {context.file, static_cast<unsigned>(node.source().begin.line)};
}

// As it stands in a table and in KEY=VALUE.
std::string value_text(const strict_table& table, const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* integer = node.as_integer()) return std::to_string(integer->get());
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  if (const auto* real = node.as_floating_point(); real != nullptr && std::isfinite(real->get())) {
    std::string text = fmt::format("{}", real->get());
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
  }
  table.fail_at(node, "a value of an axis is a number, a text, true or false");
}

// The numbers of { from, to, step | factor | count }.
std::vector<std::string> range_values(const strict_table& axes, const toml::table& node, const std::string& key,
                                      const launch::table_context& context) {
  const strict_table range(node, "axis " + key, context, {"from", "to", "step", "factor", "count"});
  const double from = range.number("from"), to = range.number("to");
  for (const auto& [name, number] : {std::pair{"from", from}, std::pair{"to", to}})
    if (!(std::abs(number) <= largest_number))
      range.fail(name, fmt::format("is {}; a range lies between -2^53 and 2^53. List the values instead", number));
  if (!(to >= from)) range.fail("to", "is smaller than 'from'");
  if (range.count_of({"step", "factor", "count"}) > 1) range.fail("takes one of step, factor, count");
  const bool whole = from == std::floor(from) && to == std::floor(to);
  std::vector<double> numbers;
  const auto add = [&](double value) {
    if (numbers.size() == max_values) range.fail(fmt::format("has more than {} values", max_values));
    numbers.push_back(value);
  };
  bool whole_numbers = whole;
  if (range.has("factor")) {
    const double factor = range.number("factor");
    if (!(factor > 1) || !(from > 0)) range.fail("factor", "must be larger than 1, and 'from' larger than 0");
    whole_numbers = whole && factor == std::floor(factor);
    for (double value = from; value <= to * (1 + 1e-12); value *= factor) add(value);
  } else if (range.has("count")) {
    const auto count = range.integer("count", 2, static_cast<std::int64_t>(max_values));
    for (std::int64_t i = 0; i < count; ++i)
      add(from + (to - from) * static_cast<double>(i) / static_cast<double>(count - 1));
    for (double& value : numbers) {  // whole ends give whole numbers
      if (whole) value = std::round(value);
    }
  } else {
    const double step = range.has("step") ? range.number("step") : 1;
    if (!(step > 0)) range.fail("step", "must be larger than 0");
    whole_numbers = whole && step == std::floor(step);
    // A fraction of a step more: 0.1 is not exact.
    for (std::size_t i = 0; static_cast<double>(i) * step <= to - from + step * 1e-9; ++i)
      add(from + static_cast<double>(i) * step);
  }
  std::vector<std::string> result;
  for (const double value : numbers) {
    std::string text = whole_numbers ? fmt::format("{:.0f}", value) : fmt::format("{}", value);
    if (!whole_numbers && text.find_first_of(".e") == std::string::npos) text += ".0";
    if (result.empty() || result.back() != text) result.push_back(text);
  }
  if (result.empty()) axes.fail(key, "has no value");
  return result;
}

// Values of a key of [axes] or [parameters]: a list, a range, a text as for --set, or a single value.
axis axis_of(const strict_table& table, const toml::node& node, const std::string& option, const std::string& key,
             const launch::table_context& context) {
  axis result{option, key, {}, {}, place_of(context, node)};
  if (const toml::table* range = node.as_table()) {
    result.values = range_values(table, *range, key, context);
  } else if (const toml::array* list = node.as_array()) {
    for (const toml::node& element : *list) {
      const std::string text = value_text(table, element);
      if (std::find(result.values.begin(), result.values.end(), text) != result.values.end())
        table.fail_at(element, "the value '" + text + "' appears twice");
      result.values.push_back(text);
    }
    if (result.values.empty()) table.fail_at(node, "'" + key + "' has no value");
  } else if (node.is_string()) {
    with_place(result.at, [&] {
      result.values = parse_axis(option, key + "=" + value_text(table, node)).values;
      return 0;
    });
  } else {
    result.values = {value_text(table, node)};
  }
  return result;
}

class study_file {
 public:
  explicit study_file(const std::string& path) : folder_(fs::path(path).parent_path()) {
    context_.file = path;
    document_ = parse_toml(cubin::read_file(path), path);
  }

  definition read() {
    const strict_table top(document_, "the study", context_,
                           {"kernels", "configs", "axes", "parameters", "constraints", "sampling", "replicates",
                            "baseline", "counters", "keep", "options", "out", "engine"});
    definition result;
    result.axes.push_back(kernels(top));
    add_axes(top, "axes", "--set", result.axes);
    add_axes(top, "parameters", "--param", result.axes);
    result.axes.push_back(configs(top));
    result.constraints = stated_words(top, "constraints");
    result.counters = stated_words(top, "counters");
    if (top.has("keep")) {
      result.keep = top.words("keep");
      if (const std::string wrong = check_kept(result.keep); !wrong.empty()) top.fail("keep", "is wrong: " + wrong);
    }
    if (top.has("out")) result.out = path_of(top.text("out"));
    if (top.has("sampling")) result.sample = sampling_from(top.table("sampling"));
    if (top.has("options")) read_options(top.table("options"), result);
    if (top.has("engine")) read_engine(top.table("engine"), result.how);
    if (top.has("baseline")) read_baseline(top, top.table("baseline"), "", result.baseline);
    if (top.has("replicates")) add_replicates(replicates_from(top.table("replicates"), result.noise), result);
    return result;
  }

 private:
  std::string path_of(const std::string& text) const { return (folder_ / text).lexically_normal().string(); }

  // A text or a list of texts, with the line of each.
  std::vector<stated> stated_words(const strict_table& top, const char* key) const {
    std::vector<stated> result;
    if (!top.has(key)) return result;
    for (const std::string& text : top.words(key)) result.push_back({text, {context_.file, top.line_of(key)}});
    if (const toml::array* list = document_[key].as_array())
      for (std::size_t i = 0; i < result.size(); ++i) result[i].at = place_of(context_, *list->get(i));
    return result;
  }

  // Texts, or tables { path, name, launch, source, parameters }.
  axis kernels(const strict_table& top) {
    axis result{"kernel", "", {}, {}, {}};
    const toml::array& list = top.array("kernels");
    for (const toml::node& node : list) {
      std::string name;
      words run;
      if (const auto* text = node.as_string()) {
        name = text->get();
        run = {path_of(name)};
      } else if (const toml::table* table = node.as_table()) {
        const strict_table kernel(*table, "a kernel", context_, {"path", "name", "launch", "source", "parameters"});
        name = kernel.text_or("name", kernel.text("path"));
        run = {path_of(kernel.text("path"))};
        for (const char* option : {"launch", "source"})
          if (kernel.has(option)) run.insert(run.end(), {std::string("--") + option, path_of(kernel.text(option))});
        if (kernel.has("parameters"))
          for (const auto& [key, value] : kernel.table("parameters"))
            run.insert(run.end(), {"--param", std::string(key.str()) + "=" + value_text(kernel, value)});
      } else {
        top.fail_at(node, "a kernel is a path, or a table with a path");
      }
      // A kernel beside the file goes before one of the same name that comes with the program.
      if (std::error_code ignored; !fs::exists(run[0], ignored)) {
        try {
          const auto* table = node.as_table();
          run[0] = find_kernel(table == nullptr ? name : table->at("path").value_or(std::string()));
        } catch (const input_error&) {
          top.fail_at(node, run[0] + ": no such kernel folder or file");
        }
      }
      if (std::find(result.values.begin(), result.values.end(), name) != result.values.end())
        top.fail_at(node, "two kernels are called '" + name + "'; give one another name");
      result.values.push_back(name);
      result.given_words.push_back(run);
    }
    if (result.values.empty()) top.fail("kernels", "names no kernel");
    return result;
  }

  axis configs(const strict_table& top) const {
    axis result{"--config", "", {default_config}, {}, {}};
    if (!top.has("configs")) return result;
    result.values.clear();
    for (const auto& [name, at] : stated_words(top, "configs")) {
      // A preset, unless there is such a file.
      const std::string file = path_of(name);
      const bool is_path = name.find('/') != std::string::npos || fs::is_regular_file(file);
      const std::string& value = is_path ? file : name;
      with_place(at, [&] { return find_config(value); });
      if (std::find(result.values.begin(), result.values.end(), value) != result.values.end())
        throw input_error(at.file, at.line, "the configuration '" + name + "' appears twice");
      result.values.push_back(value);
    }
    if (result.values.empty()) top.fail("configs", "names no configuration");
    result.at = {context_.file, top.line_of("configs")};
    return result;
  }

  void add_axes(const strict_table& top, const char* name, const char* option, std::vector<axis>& axes) {
    if (!top.has(name)) return;
    // In the order of the file: keys without dots are texts, and tables in tables are dotted keys.
    add_axes(top, top.table(name), option, "", axes);
  }
  void add_axes(const strict_table& top, const toml::table& from, const char* option, const std::string& prefix,
                std::vector<axis>& axes) {
    std::vector<std::pair<toml::source_position, std::string>> order;
    for (const auto& [key, node] : from) order.emplace_back(node.source().begin, std::string(key.str()));
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [place, key] : order) {
      const toml::node& node = *from.get(key);
      const toml::table* below = node.as_table();
      if (below != nullptr && !below->contains("from")) {
        add_axes(top, *below, option, prefix + key + ".", axes);
        continue;
      }
      axes.push_back(axis_of(top, node, option, prefix + key, context_));
    }
  }

  sampling sampling_from(const toml::table& from) const {
    const strict_table table(from, "[sampling]", context_, {"method", "points", "seed"});
    sampling result;
    result.at = {context_.file, table.line()};
    try {
      result.method = sampling_method_of(table.text("method"));
    } catch (const input_error& error) {
      table.fail("method", std::string("is wrong: ") + error.what());
    }
    if (result.method != sampling_method::full)
      result.points = static_cast<std::size_t>(table.integer("points", 1, 100'000));
    result.seed = static_cast<std::uint64_t>(table.integer_or("seed", 0, 0, INT64_MAX));
    return result;
  }

  replicates replicates_from(const toml::table& from, unsigned& noise) const {
    const strict_table table(from, "[replicates]", context_, {"seeds", "jitter", "noise"});
    replicates result;
    result.at = {context_.file, table.line()};
    result.seeds = static_cast<unsigned>(table.integer_or("seeds", 0, 0, max_replicates));
    result.jitter = static_cast<unsigned>(table.integer_or("jitter", 0, 0, max_replicates));
    noise = static_cast<unsigned>(table.integer_or("noise", noise, 0, max_replicates));
    return result;
  }

  // Keys as those of [axes], and 'config'.
  void read_baseline(const strict_table& top, const toml::table& from, const std::string& prefix,
                     words& into) const {
    for (const auto& [key, node] : from) {
      const std::string path = prefix + std::string(key.str());
      if (const toml::table* below = node.as_table())
        read_baseline(top, *below, path + ".", into);
      else
        into.push_back(path + "=" + value_text(top, node));
    }
  }

  // Reads the options of every `gt200 run`.
  void read_options(const toml::table& from, definition& into) const {
    const strict_table table(from, "[options]", context_, {"check", "seed", "max_cycles", "threads"});
    if (table.flag_or("check", false)) into.run_options.emplace_back("--check");
    for (const auto& [key, option] : {std::pair{"seed", "--seed"}, std::pair{"max_cycles", "--max-cycles"}})
      if (table.has(key))
        into.run_options.insert(into.run_options.end(), {option, std::to_string(table.integer(key, 0, INT64_MAX))});
    into.how.threads = static_cast<unsigned>(table.integer_or("threads", 1, 1, max_threads));
  }

  void read_engine(const toml::table& from, study::engine_options& how) const {
    const strict_table table(from, "[engine]", context_, {"name", "jobs", "cache", "slurm"});
    how.engine = table.text_or("name", how.engine);
    if (const std::string wrong = study::check_engine(how.engine); !wrong.empty())
      table.fail("name", "is wrong: " + wrong);
    how.jobs = static_cast<unsigned>(table.integer_or("jobs", 0, 0, 1024));
    if (table.has("cache")) how.cache = table.text("cache").empty() ? "" : path_of(table.text("cache"));
    if (!table.has("slurm")) return;
    const strict_table slurm(table.table("slurm"), "[engine.slurm]", context_,
                             {"sbatch", "chunk_seconds", "pilot", "point_seconds", "max_tasks", "max_array",
                              "rounds", "poll_seconds", "wait"});
    study::slurm_options& s = how.slurm;
    if (slurm.has("sbatch")) s.sbatch = slurm.words("sbatch");
    const auto seconds = [&](const char* key, double& value) {
      if (!slurm.has(key)) return;
      value = slurm.number(key);
      if (!(value >= 0 && value <= 1e6)) slurm.fail(key, "is a time of 0 to 1,000,000 seconds");
    };
    seconds("chunk_seconds", s.chunk_seconds);
    seconds("point_seconds", s.point_seconds);
    seconds("poll_seconds", s.poll_seconds);
    s.pilot = static_cast<unsigned>(slurm.integer_or("pilot", s.pilot, 0, 1000));
    s.max_tasks = static_cast<unsigned>(slurm.integer_or("max_tasks", 0, 0, 1'000'000));
    s.max_array = static_cast<unsigned>(slurm.integer_or("max_array", 0, 0, 1'000'000));
    s.rounds = static_cast<unsigned>(slurm.integer_or("rounds", s.rounds, 1, 100));
    s.wait = slurm.flag_or("wait", true);
  }

  fs::path folder_;
  launch::table_context context_;
  toml::table document_;
};

}  // namespace

bool is_study_file(const std::string& path) {
  std::error_code error;
  if (fs::path(path).extension() != ".toml" || !fs::is_regular_file(path, error)) return false;
  return !parse_toml(cubin::read_file(path), path).contains("schema");
}

definition read_study_file(const std::string& path) { return study_file(path).read(); }

}  // namespace gt200::apps::sweep
