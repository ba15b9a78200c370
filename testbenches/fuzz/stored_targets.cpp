// Targets for files that users keep and pass on: arrays, studies, statistics, logs, descriptions of RTL.
#include <zlib.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "apps/campaign/plan.h"
#include "apps/campaign/result.h"
#include "apps/study/ending.h"
#include "apps/study/messages.h"
#include "apps/study/plan_file.h"
#include "apps/study/sha256.h"
#include "apps/support/json_text.h"
#include "apps/support/scratch_folder.h"
#include "apps/sweep/definition.h"
#include "apps/sweep/sweep_folder.h"
#include "apps/sweep/table.h"
#include "observe/observers/trace_files.h"
#include "observe/report/latencies.h"
#include "observe/report/pages.h"
#include "observe/trace/kanata.h"
#include "observe/trace/life.h"
#include "observe/trace/log_format.h"
#include "observe/trace/search.h"
#include "observe/trace/timeline.h"
#include "rtl_ref/library/description.h"
#include "testbenches/fuzz/targets.h"
#include "tlm_bus/stall_injection.h"
#include "toolchain/cubin/load.h"
#include "toolchain/error.h"
#include "toolchain/launch/npy.h"

namespace gt200::fuzz {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

const apps::scratch_folder& scratch() {
  static const apps::scratch_folder made("");
  return made;
}

// A file of one input. Returns its path.
std::string put(const std::string& name, std::string_view content) {
  const std::string file = scratch().path() + "/" + name;
  std::ofstream(file, std::ios::binary) << content;
  return file;
}

// Comes back to the folder in which this process was.
class at_home {
 public:
  ~at_home() {
    std::error_code ignored;
    fs::current_path(before_, ignored);
  }

 private:
  fs::path before_ = fs::current_path();
};

// Two files in one input.
std::pair<std::string_view, std::string_view> parts_of(std::string_view input) {
  const std::size_t end = input.find('\0');
  if (end == std::string_view::npos) return {input, {}};
  return {input.substr(0, end), input.substr(end + 1)};
}

void append_chunk(std::string& log, std::string_view records) {
  observe::chunk_header header;
  header.bytes = static_cast<std::uint32_t>(records.size());
  header.checksum = static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(records.data()), static_cast<uInt>(records.size())));
  log.append(reinterpret_cast<const char*>(&header), sizeof header);
  log.append(records);
}

// Checksums belong to what they protect, so that changes go deeper than the checksum.
std::string with_checksums(std::string_view chunks) {
  std::string log;
  while (chunks.size() > sizeof(std::uint32_t)) {
    std::uint32_t length = 0;
    std::memcpy(&length, chunks.data(), sizeof length);
    chunks.remove_prefix(sizeof length);
    const std::string_view records = chunks.substr(0, length);
    if (!records.empty()) append_chunk(log, records);
    chunks.remove_prefix(records.size());
  }
  append_chunk(log, {});
  return log;
}

template <class reader>
void accept_or_refuse(reader read) {
  try {
    read();
  } catch (const input_error&) {
  }
}

}  // namespace

void npy(std::string_view input) {
  accept_or_refuse([&] {
    const launch::npy_array array = launch::read_npy(input, "input.npy");
    const std::uint64_t bytes = array.count() * launch::size_of(array.type);
    if (bytes != array.bytes.size()) throw finding("an array of other size than its elements");
    const std::string again =
        launch::to_npy(array.type, reinterpret_cast<const std::uint8_t*>(array.bytes.data()), array.count());
    if (launch::read_npy(again, "again.npy").bytes != array.bytes) throw finding("elements change through a file");
  });
}

void study(std::string_view input) {
  accept_or_refuse([&] {
    using namespace apps::sweep;
    const definition read = read_study_file(put("study.toml", input));
    const std::vector<apps::sweep::point> points = points_of(read);
    for (const apps::sweep::point& p : points)
      for (std::size_t k = 0; k < p.size(); ++k)
        if (k >= read.axes.size() || p[k] >= read.axes[k].values.size()) throw finding("a point without a value");
    note_on_sample(read, points);
  });
}

void statistics(std::string_view input) {
  put("stats.json", input);
  put("config.toml", cubin::read_file(std::string(GT200_SOURCE_DIR) + "/configs/gt200_small.toml"));
  accept_or_refuse([&] {
    using namespace observe::report;
    const run_files run = read_run(scratch().path());
    for (const page_style style : {page_style::explorer, page_style::fixed}) {
      show(run, style);
      compare(run, run, style);
    }
  });
}

void trace_log(std::string_view input) {
  const std::string file = put("input.log", with_checksums(input));
  const auto each = [&](auto view) {
    accept_or_refuse([&] {
      observe::log_reader log(file);
      std::ostringstream to;
      view(log, to);
    });
  };
  each([&](observe::log_reader& log, std::ostream& to) { observe::write_timeline(log, to); });
  each([&](observe::log_reader& log, std::ostream& to) { observe::write_pipeline_view(log, to, {}); });
  each([&](observe::log_reader& log, std::ostream& to) {
    observe::log_search all;
    all.end = 1000;
    observe::write_found(log, all, to);
  });
  each([&](observe::log_reader& log, std::ostream& to) {
    log.only(10, 1000);
    observe::write_life(log, 1, to);
  });
  accept_or_refuse([&] { observe::report::read_latencies(file); });
  observe::trace_outputs waves;
  waves.waves = scratch().path() + "/waves.vcd";
  waves.values = {"*"};
  accept_or_refuse([&] { observe::write_trace_outputs(file, waves); });
}

void rtl_description(std::string_view input) {
  accept_or_refuse([&] {
    rtl::request what{{"scoreboard", "", "", ""}, {{"warps", 32}, {"entries", 6}}, "32x6", {}};
    what.description = put("input.toml", input);
    put("block.sv", "");
    put("pins.h", "");
    const rtl::description read = rtl::read_description(what);
    if (read.sources.empty() || read.module.empty()) throw finding("a description of nothing");
  });
}

void study_state(std::string_view input) {
  if (input.empty()) return;
  const auto files = parts_of(input.substr(1));
  const std::string_view first = files.first, second = files.second;
  const std::string& in = scratch().path();
  const at_home stays;  // a study is read in its working folder
  switch (input.front()) {
    case 's': {  // a sweep and its study
      put("study.json", first);
      put("sweep.json", second);
      accept_or_refuse([&] { apps::sweep::rows_of(apps::sweep::read_sweep(in)); });
      break;
    }
    case 'e': {  // how a point ended; its check is made right
      json text = json::parse(first, nullptr, false);
      if (text.is_object()) {
        text.erase("check");
        const std::string check = apps::study::sha256_of(apps::json_text(text));
        text["check"] = check;
      }
      put("ending.json", text.is_discarded() ? std::string(first) : apps::json_text(text));
      put("figures.json", second);
      accept_or_refuse([&] {
        const auto end = apps::study::read_ending(in, apps::study::verify::all);
        if (end) apps::study::verified_content(in, *end, "figures.json");
      });
      break;
    }
    case 'c': {  // the plan of a campaign; its hash is made right
      json plan = json::parse(first, nullptr, false);
      if (plan.is_object() && plan.contains("golden") && plan["golden"].is_object())
        plan["golden"]["hash"] = tlm_bus::name_hash_of(second);
      put("plan.json", plan.is_discarded() ? std::string(first) : apps::json_text(plan));
      put("golden.bin", second);
      accept_or_refuse([&] { apps::campaign::read_plan(in); });
      break;
    }
    case 'f':  // the figures of a point
      accept_or_refuse([&] {
        const apps::sweep::row r{{}, 0, apps::sweep::figures_in(std::string(first), "figures.json")};
        apps::sweep::csv({}, {r}, {"a"});
        apps::sweep::numbers_of(r, {"a"});
      });
      break;
    case 'r': accept_or_refuse([&] { apps::campaign::parse_results(std::string(first), "results.json"); }); break;
    default: {  // messages between the processes of a study
      std::string received(input);
      std::vector<std::string> message;
      while (apps::study::take_message(received, message)) {
      }
    }
  }
}

}  // namespace gt200::fuzz
