#include "cuda/worker/launch_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace gt200::cudart {
namespace {

constexpr std::size_t listed_launches = 40;
constexpr std::size_t longest_name = 32;

std::string size_text(const logged_launch& l) {
  const std::string depth = l.grid[2] == 1 ? "" : fmt::format("x{}", l.grid[2]);
  return fmt::format("{}x{}{} of {}x{}x{}", l.grid[0], l.grid[1], depth, l.block[0], l.block[1], l.block[2]);
}

std::string cell(const std::string& text, std::size_t width) {
  return fmt::format("{:<{}}", text.size() > width ? text.substr(0, width - 1) + "~" : text, width);
}

struct row {
  std::string kernel, launches, engine, size;
  std::uint64_t cycles = 0, femtoseconds = 0;
  double ipc = 0;
  bool estimated = false;
  std::string bound_by;
};

row row_of(const logged_launch& l) {
  const grid_result& r = l.result;
  return {short_kernel(l.kernel),
          std::to_string(l.number),
          name_of(l.engine),
          size_text(l),
          r.cycles,
          r.femtoseconds,
          r.ipc,
          r.is_estimated,
          r.reason == grid_result::end::done ? r.bound_by : name_of(r.reason)};
}

}  // namespace

const char* name_of(grid_result::end reason) {
  switch (reason) {
    case grid_result::end::done: return "done";
    case grid_result::end::fault: return "FAULT";
    case grid_result::end::hang: return "HANG";
    case grid_result::end::limit: return "LIMIT";
    case grid_result::end::interrupted: return "interrupted";
    case grid_result::end::difference: return "DIFFERENCE";
    case grid_result::end::refused: return "REFUSED";
  }
  return "";
}

std::string launch_log::table() const {
  std::vector<row> rows;
  if (launches_.size() <= listed_launches) {
    for (const logged_launch& l : launches_) rows.push_back(row_of(l));
  } else {
    // Per kernel and engine, in the order of the first launch.
    std::map<std::pair<std::string, engine_kind>, std::size_t> known;
    std::vector<std::size_t> counts;
    for (const logged_launch& l : launches_) {
      const auto [at, is_new] = known.emplace(std::pair{l.kernel, l.engine}, rows.size());
      if (is_new) {
        rows.push_back(row_of(l));
        counts.push_back(1);
        continue;
      }
      row& sum = rows[at->second];
      const std::uint64_t cycles = sum.cycles + l.result.cycles;
      sum.ipc = (sum.ipc * static_cast<double>(sum.cycles) + l.result.ipc * static_cast<double>(l.result.cycles)) /
                static_cast<double>(std::max<std::uint64_t>(1, cycles));
      sum.cycles = cycles;
      sum.femtoseconds += l.result.femtoseconds;
      ++counts[at->second];
    }
    for (std::size_t k = 0; k < rows.size(); ++k) rows[k].launches = std::to_string(counts[k]) + " in all";
  }
  std::string text =
      cell("kernel", longest_name) + "  launch      engine          core cycles           time    IPC  bound by\n";
  bool emulates = false;
  bool on_cpu = false;
  for (const row& r : rows) {
    emulates |= r.engine == name_of(engine_kind::emulator);
    on_cpu |= r.engine == name_of(engine_kind::cpu);
    text += fmt::format("{}  {:<10}  {:<8}  {:>16}{} {:>11.3f} us  {:>5}  {}\n", cell(r.kernel, longest_name),
                        r.launches, r.engine, r.cycles, r.estimated ? "*" : " ",
                        static_cast<double>(r.femtoseconds) * 1e-9, r.estimated ? "" : fmt::format("{:.3f}", r.ipc),
                        r.bound_by);
  }
  if (emulates) text += "* estimated: a warp instruction per SM in two core cycles\n";
  if (on_cpu) text += "* on the processor of the host: a nominal core cycle\n";
  return text;
}

std::string launch_log::csv() const {
  std::string text =
      "kernel,launch,engine,grid_x,grid_y,block_x,block_y,block_z,end,cycles,estimated,femtoseconds,"
      "warp_instructions,ipc,bound_by,grid_z\n";
  for (const logged_launch& l : launches_) {
    const grid_result& r = l.result;
    text +=
        fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{:.4f},{},{}\n", l.kernel, l.number, name_of(l.engine),
                    l.grid[0], l.grid[1], l.block[0], l.block[1], l.block[2], name_of(r.reason), r.cycles,
                    r.is_estimated ? 1 : 0, r.femtoseconds, r.warp_instructions, r.ipc, r.bound_by, l.grid[2]);
  }
  return text;
}

}  // namespace gt200::cudart
