#include "observe/trace/formed_threads.h"

#include <fmt/format.h>

#include "observe/trace/glob.h"
#include "observe/trace/sm_path.h"

namespace gt200::observe {
namespace {

constexpr const char* threads_pattern = "*.warp_former.warp_*.threads";
constexpr const char* lane_pattern = "*.warp_former.warp_*.lane_*";
constexpr const char* block_pattern = "*.warp_former.warp_*.block_*";

// The number behind the last `text` of the path.
unsigned number_behind(const std::string& path, const std::string& text) {
  return number_at(path, path.rfind(text) + text.size());
}

}  // namespace

std::vector<std::string> signals_of_formed_threads() { return {threads_pattern, lane_pattern, block_pattern}; }

formed_threads::formed_threads(const log_definitions& definitions) {
  for (const logged_signal& s : definitions.signals) {
    followed& f = signals_.emplace_back();
    const bool is_lane = matches(lane_pattern, s.path);
    f.is_block = matches(block_pattern, s.path);
    if (!is_lane && !f.is_block && !matches(threads_pattern, s.path)) continue;
    const std::string sm = s.path.substr(0, s.path.find(".warp_former."));
    f.of = &slots_[{sm, number_behind(s.path, ".warp_")}];
    if (is_lane) f.lane = static_cast<int>(number_behind(s.path, ".lane_"));
    if (!f.is_block) continue;
    f.lane = static_cast<int>(number_behind(s.path, ".block_"));
    f.of->names_blocks = true;
  }
}

void formed_threads::value(std::uint32_t signal, std::uint64_t v) {
  if (signal >= signals_.size() || signals_[signal].of == nullptr) return;
  const followed& f = signals_[signal];
  if (f.lane < 0)
    f.of->threads = static_cast<isa::lane_mask>(v);
  else
    (f.is_block ? f.of->block : f.of->home).at(static_cast<std::size_t>(f.lane)) = static_cast<std::uint8_t>(v);
}

std::string formed_threads::text(const std::string& sm, unsigned warp) const {
  const auto found = slots_.find({sm, warp});
  if (found == slots_.end()) return "";
  const slot& s = found->second;
  std::map<std::pair<unsigned, unsigned>, isa::lane_mask> lanes;  // by block and warp
  for (unsigned lane = 0; lane < isa::warp_size; ++lane)
    if ((s.threads >> lane & 1) != 0) lanes[{s.block[lane], s.home[lane]}] |= isa::lane_mask{1} << lane;
  std::string text;
  for (const auto& [home, of] : lanes) {
    const std::string block = s.names_blocks ? fmt::format("{}/", home.first) : "";
    text += fmt::format("{}{}{}:{:#010x}", text.empty() ? "" : " ", block, home.second, of);
  }
  return text;
}

}  // namespace gt200::observe
