#include "sc_models/sm/cosimulation/scoreboard_text.h"

#include <fmt/format.h>

namespace gt200::model {
namespace {

std::string list_of(const isa::register_range* ranges, unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) text += (i == 0 ? "" : " ") + name_of(ranges[i]);
  return text.empty() ? "nothing" : text;
}

}  // namespace

std::string set_of(std::uint64_t entries) {
  std::string text = "{";
  for (const scoreboard_entry entry : entries_in(entries))
    text += (text.size() > 1 ? ", " : "") + std::to_string(entry.index());
  return text + "}";
}

std::string name_of(const isa::register_range& range) {
  const char* const file = range.file == isa::register_file_kind::gpr         ? "$r"
                           : range.file == isa::register_file_kind::condition ? "$c"
                                                                              : "$a";
  const unsigned last = range.first + range.count - 1u;
  return last == range.first ? fmt::format("{}{}", file, range.first)
                             : fmt::format("{0}{1}-{0}{2}", file, range.first, last);
}

std::string operands_of(const isa::instruction& instruction) {
  return fmt::format("reads {}, writes {}", list_of(instruction.reads.data(), instruction.read_count),
                     list_of(instruction.writes.data(), instruction.write_count));
}

std::string contents_of(coon_tracker& model, const rtl::scoreboard_pins::region& rtl, warp_slot warp,
                        unsigned entries) {
  const std::uint64_t pending = model.pending_at_edge(warp);
  std::string text = fmt::format("  {:<8}{:<20}{}\n", "entry", "model", "RTL");
  for (unsigned e = 0; e < entries; ++e) {
    std::string left = "free";
    std::string right = "free";
    if ((pending >> e & 1) != 0)
      left = model.region_taken(warp) ? "whole region" : name_of(model.range_of(warp, scoreboard_entry(e)));
    for (const auto& entry : rtl.entries)
      if (entry.index == e) right = rtl.taken_whole ? "whole region" : name_of(entry.range);
    text += fmt::format("  {:<8}{:<20}{}\n", e, left, right);
  }
  return text;
}

}  // namespace gt200::model
