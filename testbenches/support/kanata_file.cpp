#include "testbenches/support/kanata_file.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace gt200::support {
namespace {

class reader {
 public:
  explicit reader(const std::string& path) : file_(path) {}

  std::map<std::uint64_t, kanata_line> read() {
    std::string text;
    if (!std::getline(file_, text) || text != "Kanata\t0004") fail("no Kanata log of version 4");
    ++row_;
    while (std::getline(file_, text)) {
      ++row_;
      fields_.clear();
      std::istringstream split(text);
      for (std::string field; std::getline(split, field, '\t');) fields_.push_back(field);
      if (fields_.empty()) fail("an empty line");
      command();
    }
    return std::move(lines_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error("Kanata, line " + std::to_string(row_) + ": " + what);
  }
  void expect(std::size_t fields) const {
    if (fields_.size() != fields) fail("has " + std::to_string(fields_.size()) + " fields");
  }
  std::uint64_t number(std::size_t field) const {
    std::size_t used = 0;
    const std::uint64_t n = std::stoull(fields_[field], &used);
    if (used != fields_[field].size()) fail("'" + fields_[field] + "' is no number");
    return n;
  }
  kanata_line& line() {
    const auto found = lines_.find(number(1));
    if (found == lines_.end()) fail("an instruction that was not introduced");
    if (found->second.retired || found->second.flushed) fail("an instruction that has left");
    return found->second;
  }
  void command() {
    const std::string& what = fields_[0];
    if (what != "C=" && !begun_) fail("comes before the first cycle");
    if (what == "C=") {
      expect(2);
      if (begun_) fail("a second first cycle");
      cycle_ = number(1);
      begun_ = true;
    } else if (what == "C") {
      expect(2);
      if (number(1) == 0) fail("no cycle passes");
      cycle_ += number(1);
    } else if (what == "I") {
      expect(4);
      if (number(1) != number(2)) fail("two numbers of one instruction");
      if (!lines_.emplace(number(1), kanata_line{}).second) fail("introduced twice");
      lines_[number(1)].thread = number(3);
    } else if (what == "L") {
      expect(4);
      if (number(2) > 1) fail("unknown kind of label");
      (number(2) == 0 ? line().label : line().detail) += fields_[3];
    } else if (what == "S") {
      expect(4);
      if (fields_[3].empty()) fail("a stage without a name");
      for (const kanata_stage& s : line().stages)
        if (s.lane == number(2) && open(s)) fail("stage " + fields_[3] + " begins while " + s.name + " is open");
      line().stages.push_back({static_cast<unsigned>(number(2)), fields_[3], cycle_, still_open});
    } else if (what == "E") {
      expect(4);
      for (kanata_stage& s : line().stages)
        if (s.lane == number(2) && s.name == fields_[3] && open(s)) {
          s.end = cycle_;
          return;
        }
      fail("stage " + fields_[3] + " ends and is not open");
    } else if (what == "R") {
      expect(4);
      kanata_line& l = line();
      for (const kanata_stage& s : l.stages)
        if (open(s)) fail("leaves in stage " + s.name);
      if (number(3) > 1) fail("neither retired nor flushed");
      (number(3) == 0 ? l.retired : l.flushed) = true;
    } else if (what == "W") {
      expect(4);
      if (lines_.count(number(2)) == 0) fail("an unknown producer");
      line().producers.push_back(number(2));
    } else {
      fail("unknown command " + what);
    }
  }
  static constexpr std::uint64_t still_open = 0;
  static bool open(const kanata_stage& s) { return s.end == still_open; }

  std::ifstream file_;
  std::vector<std::string> fields_;
  std::uint64_t row_ = 0;
  std::uint64_t cycle_ = 0;
  bool begun_ = false;
  std::map<std::uint64_t, kanata_line> lines_;
};

}  // namespace

std::map<std::uint64_t, kanata_line> read_kanata(const std::string& path) { return reader(path).read(); }

}  // namespace gt200::support
