// A folder of configuration files for one test, and the message of the error a configuration gives.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "sc_models/config/load.h"
#include "toolchain/error.h"

namespace gt200::config::test {

inline std::string preset(const std::string& name) {
  return std::string(GT200_SOURCE_DIR) + "/configs/" + name + ".toml";
}

inline std::string read_text(const std::string& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// Removed when the test ends.
class config_files : public ::testing::Test {
 protected:
  config_files() {
    std::string name = (std::filesystem::temp_directory_path() / "gt200_config_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = name;
  }
  ~config_files() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
    return path(name);
  }
  // A file on top of the GT200 preset.
  std::string write_on_gt200(const std::string& text) const {
    return write("test.toml", "base = \"" + preset("gt200") + "\"\n" + text);
  }

 private:
  std::filesystem::path folder_;
};

// "no error" when the configuration is fine.
inline std::string error_of(const std::string& file, const std::vector<std::string>& overrides = {}) {
  try {
    load(file, overrides);
  } catch (const input_error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace gt200::config::test
