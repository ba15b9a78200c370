#include "sc_models/config/print.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "sc_models/config/parameter.h"
#include "sc_models/config/schema.h"
#include "sc_models/config/text.h"
#include "tlm_bus/stall_injection.h"

namespace gt200::config {
namespace {

// A group's own keys precede its inner groups, because TOML would assign later keys to the last inner group.
class writer : public visitor {
 public:
  explicit writer(comments with) : with_(with) {}
  std::string take() { return std::move(text_); }

 private:
  void leaf(const parameter& p, leaf_ref value) override {
    if (!heading_.empty()) {
      if (!text_.empty()) text_ += '\n';
      text_ += heading_;
      heading_.clear();
    }
    if (with_ == comments::all) {
      const std::string in = unit_text(p.in);
      const std::string allowed = fmt::format("{}{}", in.empty() ? "" : in + ", ", allowed_text(value));
      const std::string from = source_text(p.from);
      const bool one_line = allowed.size() + from.size() < 108;
      text_ += fmt::format("# {}\n#   {}{}{}\n", p.text, allowed, one_line ? "; " : "\n#   ", from);
    }
    text_ += fmt::format("{} = {}\n", p.key, value_text(value));
  }
  void enter(const char* key, const char* text) override {
    lengths_.push_back(path_.size());
    if (!path_.empty()) path_ += '.';
    path_ += key;
    heading_ = fmt::format("[{}]{}\n", path_, with_ == comments::all ? fmt::format("  # {}", text) : "");
  }
  void leave() override {
    path_.resize(lengths_.back());
    lengths_.pop_back();
  }

  comments with_;
  std::string text_;
  std::string heading_;  // of the current group, until its first key is written
  std::string path_;
  std::vector<std::size_t> lengths_;
};

}  // namespace

std::string to_toml(const gpu_config& config, comments with) {
  gpu_config copy = config;  // descriptions need members that can be written
  writer out(with);
  copy.describe(out);
  return out.take();
}

bool is_later_and_off(std::string_view key, std::string_view value) {
  constexpr std::string_view later = "tpc.memory.load_store_queue.posted_stores";
  return key == later && value == "false";
}

std::uint64_t hash_of(const gpu_config& config) {
  gpu_config copy = config;
  std::string text = to_toml(config);
  for (const key_info& key : schema(copy).keys) {
    if (!is_later_and_off(key.path, value_text(key.value))) continue;
    const std::string line = "\n" + key.path.substr(key.path.rfind('.') + 1) + " = false";
    text.erase(text.find(line), line.size());
  }
  return tlm_bus::name_hash_of(text);
}

}  // namespace gt200::config
