// Every key of the schema is required, and no other key is accepted.
#include <gmock/gmock.h>

#include "sc_models/config/print.h"
#include "sc_models/config/schema.h"
#include "testbenches/unit/config/config_files.h"

namespace gt200::config::test {
namespace {

using ::testing::HasSubstr;

class keys : public config_files {
 protected:
  keys() : config_(load(preset("gt200")).values), known_(config_), lines_(lines_of(to_toml(config_))) {}

  static std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
  }
  // The complete file with one line replaced.
  std::string write_with(std::size_t number, const std::string& replacement) const {
    std::string text;
    for (std::size_t i = 0; i < lines_.size(); ++i) text += (i == number ? replacement : lines_[i]) + "\n";
    return write("changed.toml", text);
  }
  static bool is_key(const std::string& line) { return line.find(" = ") != std::string::npos; }
  // Path of the key on a line.
  std::string path_of(std::size_t number) const {
    std::string group;
    for (std::size_t i = 0; i < number; ++i) {
      if (!lines_[i].empty() && lines_[i][0] == '[') group = lines_[i].substr(1, lines_[i].find(']') - 1);
    }
    return group + "." + lines_[number].substr(0, lines_[number].find(" = "));
  }

  gpu_config config_;
  schema known_;
  std::vector<std::string> lines_;
};

TEST_F(keys, the_complete_file_has_each_key_once) {
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (is_key(lines_[i])) paths.push_back(path_of(i));
  }
  std::vector<std::string> expected;
  for (const key_info& key : known_.keys) expected.push_back(key.path);
  EXPECT_EQ(paths, expected);
  EXPECT_GT(paths.size(), 150u);
}

TEST_F(keys, a_missing_key_is_named_with_what_it_allows) {
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (!is_key(lines_[i])) continue;
    const std::string file = write_with(i, "");
    const std::string error = error_of(file);
    EXPECT_THAT(error, HasSubstr(file + ": missing key '" + path_of(i) + "'"));
    EXPECT_THAT(error, HasSubstr("; allowed: "));
  }
}

TEST_F(keys, a_misspelled_key_is_found_with_its_line_and_the_right_name) {
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (!is_key(lines_[i])) continue;
    std::string wrong = lines_[i];
    wrong.insert(1, "x");  // after the first letter
    const std::string file = write_with(i, wrong);
    const std::string error = error_of(file);
    EXPECT_THAT(error, HasSubstr(file + ":" + std::to_string(i + 1) + ": unknown key '"));
    EXPECT_THAT(error, HasSubstr("'" + path_of(i) + "'"));
  }
}

TEST_F(keys, a_value_of_another_type_is_refused_for_every_key) {
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (!is_key(lines_[i])) continue;
    const std::string file = write_with(i, lines_[i].substr(0, lines_[i].find(" = ")) + " = [1]");
    EXPECT_THAT(error_of(file), HasSubstr(file + ":" + std::to_string(i + 1) + ": " + path_of(i) + ": "));
  }
}

TEST_F(keys, numbers_are_refused_just_beyond_their_range) {
  for (const key_info& key : known_.keys) {
    const auto* number = std::get_if<number_ref>(&key.value);
    if (number == nullptr) continue;
    const range& allowed = number->allowed;
    if (allowed.low > 0) {
      EXPECT_THAT(error_of(preset("gt200"), {key.path + "=" + std::to_string(allowed.low - 1)}),
                  HasSubstr(key.path + ": '" + std::to_string(allowed.low - 1) + "' is out of range; allowed: "));
    }
    if (allowed.high < any_64_bits().high) {
      EXPECT_THAT(error_of(preset("gt200"), {key.path + "=" + std::to_string(allowed.high + 1)}),
                  HasSubstr("is out of range"));
    }
    EXPECT_THAT(error_of(preset("gt200"), {key.path + "=-1"}), HasSubstr("is out of range"));
  }
}

TEST_F(keys, powers_of_two_and_steps_are_enforced) {
  EXPECT_THAT(error_of(preset("gt200"), {"tpc.sm.shared_memory.banks=12"}), HasSubstr("is not a power of two"));
  EXPECT_THAT(error_of(preset("gt200"), {"tpc.sm.limits.threads=1000"}), HasSubstr("is not a multiple of 32"));
}

TEST_F(keys, a_choice_lists_its_values) {
  EXPECT_THAT(
      error_of(write_on_gt200("[partition.dram]\nscheduler = \"frfcfs\"\n")),
      HasSubstr("test.toml:3: partition.dram.scheduler: 'frfcfs' is not allowed; allowed: one of fifo, fr_fcfs"));
}

TEST_F(keys, every_value_of_every_choice_is_accepted_by_name) {
  for (const key_info& key : known_.keys) {
    const auto* choice = std::get_if<choice_ref>(&key.value);
    if (choice == nullptr) continue;
    for (std::size_t i = 0; i < choice->count; ++i) {
      const std::string error = error_of(preset("gt200"), {key.path + "=" + choice->names[i]});
      // Rules between keys may object, the key itself must not.
      EXPECT_THAT(error, ::testing::AnyOf("no error", HasSubstr("contradiction")));
    }
  }
}

TEST_F(keys, unknown_and_misused_groups_are_refused) {
  EXPECT_THAT(error_of(write_on_gt200("[tpc.sm.fetsh]\n")),
              HasSubstr("test.toml:2: unknown group 'tpc.sm.fetsh'; did you mean the group 'tpc.sm.fetch'?"));
  EXPECT_THAT(error_of(write_on_gt200("[tpc]\nsm = 3\n")), HasSubstr("'tpc.sm' is a group of keys, not a key"));
  EXPECT_THAT(error_of(write_on_gt200("[chip.tpcs]\n")), HasSubstr("'chip.tpcs' is a key, not a group of keys"));
}

TEST_F(keys, nothing_is_suggested_for_what_is_near_to_nothing) {
  EXPECT_THAT(error_of(write_on_gt200("quantum_flux = 3\n")), ::testing::EndsWith("unknown key 'quantum_flux'"));
}

TEST_F(keys, a_key_without_its_groups_is_recognised) {
  EXPECT_THAT(error_of(write_on_gt200("[scheduler]\npolicy = \"gto\"\n")), HasSubstr("unknown group 'scheduler'"));
  EXPECT_THAT(error_of(preset("gt200"), {"sm.scheduler.policy=gto"}),
              HasSubstr("did you mean 'tpc.sm.scheduler.policy'?"));
}

}  // namespace
}  // namespace gt200::config::test
