#include "observe/statistics_csv.h"

#include <fmt/format.h>

#include <iterator>

#include "observe/csv_field.h"

namespace gt200::observe {
namespace {

class table {
 public:
  // `launch`: its number, or "all".
  table(std::string& text, const std::string& launch, const std::string& kernel)
      : text_(text), beginning_(launch + "," + csv_field(kernel)) {}

  void add(const std::string& path, std::uint64_t value, const char* unit, const std::string& description) {
    fmt::format_to(std::back_inserter(text_), "{},{},{},{},{}\n", beginning_, csv_field(path), value,
                   csv_field(unit), csv_field(description));
  }

 private:
  std::string& text_;
  std::string beginning_;
};

void add_slots(table& lines, const std::string& path, const slot_counts& slots) {
  for (const model::stall_cause_name& name : model::stall_cause_names)
    if (const std::uint64_t count = slots[static_cast<std::size_t>(name.cause)]; is_listed(name.cause, count))
      lines.add(path + ".issue_slots." + name.key, count, "slots", std::string("issue slots: ") + name.text);
}

// The number of values, their sum, and the number in each bin that is not empty.
void add_histogram(table& lines, const histogram_entry& entry, const tlm_bus::histogram::values& values) {
  if (values.counts.empty()) return;
  const std::string about = entry.counter->description();
  lines.add(entry.path + ".count", values.total(), "times", "number: " + about);
  lines.add(entry.path + ".sum", values.sum, entry.counter->unit(), "sum: " + about);
  const auto bins = values.in_bins();
  for (unsigned bin = 0; bin < bins.size(); ++bin)
    if (bins[bin] != 0)
      lines.add(fmt::format("{}.below_{}", entry.path, tlm_bus::histogram::end_of(bin)), bins[bin], "times",
                "number from half of this on to below this: " + about);
}

void add_launch(table& lines, const statistics& source, const launch_record& launch) {
  const std::string chip = source.chip().basename();
  lines.add(chip + ".core_cycles", launch.cycles, "core cycles", "from the hand-over to the end of the last block");
  lines.add(chip + ".duration", launch.duration(), "fs", "the same in simulated time");
  add_slots(lines, chip, launch.slots());
  for (const sm_record& sm : launch.sms) {
    add_slots(lines, sm.path, sm.slots());
    lines.add(sm.path + ".resident_warp_cycles", sm.resident_warp_cycles, "warp cycles",
              "resident warps summed over the cycles");
    lines.add(sm.path + ".miss_starved_warp_cycles", sm.miss_starved_warp_cycles, "warp cycles",
              "of these, with an empty buffer because of an instruction cache miss");
    lines.add(sm.path + ".dependency_probes", sm.dependency_probes, "look-ups",
              "look-ups of instructions by the scoreboard");
  }
  // Most of the several thousand counters do not change in most launches.
  for (std::size_t i = 0; i < launch.counters.size(); ++i) {
    const counter_entry& c = source.counters()[i];
    if (launch.counters[i] != 0) lines.add(c.path, launch.counters[i], c.counter->unit(), c.counter->description());
  }
  for (std::size_t i = 0; i < launch.histograms.size(); ++i)
    add_histogram(lines, source.histograms()[i], launch.histograms[i]);
}

}  // namespace

std::string to_csv(const statistics& source) {
  std::string text = "launch,kernel,path,value,unit,description\n";
  for (std::size_t i = 0; i < source.launches().size(); ++i) {
    const launch_record& launch = source.launches()[i];
    table lines(text, std::to_string(i), launch.kernel);
    add_launch(lines, source, launch);
  }
  return text;
}

}  // namespace gt200::observe
