#include "sc_models/config/schema.h"

#include <algorithm>

#include "sc_models/config/text.h"

namespace gt200::config {
namespace {

class collector : public visitor {
 public:
  explicit collector(schema& result) : result_(result) {}

 private:
  void leaf(const parameter& p, leaf_ref value) override { result_.keys.push_back({prefix_ + p.key, p, value}); }
  void enter(const char* key, const char* text) override {
    result_.groups.push_back({prefix_ + key, text});
    lengths_.push_back(prefix_.size());
    prefix_ += key;
    prefix_ += '.';
  }
  void leave() override {
    prefix_.resize(lengths_.back());
    lengths_.pop_back();
  }

  schema& result_;
  std::string prefix_;
  std::vector<std::size_t> lengths_;
};

// Insertions, deletions, replacements and swaps of neighbours that turn a into b.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      current[j] = std::min({last[j] + 1, current[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        current[j] = std::min(current[j], before_last[j - 2] + 1);
      }
    }
    std::swap(before_last, last);
    std::swap(last, current);
  }
  return last[b.size()];
}

std::string last_part(const std::string& path) { return path.substr(path.rfind('.') + 1); }

// A small distance means similar. A path that lacks its beginning or its end, or has wrong groups before the right
// key, is similar too.
std::size_t distance(const std::string& wrong, const std::string& right) {
  std::size_t result = edit_distance(wrong, right);
  const auto contains_at = [&](std::size_t position, const std::string& part) {
    return right.size() >= position + part.size() && right.compare(position, part.size(), part) == 0;
  };
  const bool lacks_beginning =
      right.size() > wrong.size() && contains_at(right.size() - wrong.size() - 1, "." + wrong);
  if (lacks_beginning || contains_at(0, wrong + "_")) result = std::min<std::size_t>(result, 1);
  if (last_part(wrong) == last_part(right)) result = std::min(result, 1 + result / 4);
  return result;
}

}  // namespace

schema::schema(gpu_config& config) {
  collector all(*this);
  config.describe(all);
}

const key_info* schema::find_key(const std::string& path) const {
  const auto found = std::find_if(keys.begin(), keys.end(), [&](const key_info& key) { return key.path == path; });
  return found == keys.end() ? nullptr : &*found;
}

const group_info* schema::find_group(const std::string& path) const {
  const auto found =
      std::find_if(groups.begin(), groups.end(), [&](const group_info& g) { return g.path == path; });
  return found == groups.end() ? nullptr : &*found;
}

std::string schema::suggestion(const std::string& path) const {
  const std::size_t limit = std::max<std::size_t>(2, path.size() / 4);
  std::size_t best = limit + 1;
  std::vector<std::string> near;
  const auto consider = [&](const std::string& candidate, const std::string& text) {
    const std::size_t d = distance(path, candidate);
    if (d >= best && !(d == best && d <= limit)) return;
    if (d < best) near.clear();
    best = d;
    if (near.size() < 3) near.push_back(text);
  };
  for (const key_info& key : keys) {
    const std::string in = unit_text(key.about.in);
    consider(key.path, "'" + key.path + "'" + (in.empty() ? "" : " (in " + in + ")"));
  }
  for (const group_info& group : groups) consider(group.path, "the group '" + group.path + "'");
  if (near.empty()) return "";
  return "; did you mean " + joined(near, " or ") + "?";
}

}  // namespace gt200::config
