// The hash of everything that decides the result of a `gt200 run`: this program, the resolved configuration, the
// compiled program, the launch with the files that it names, RTL, and options. Names and times of files are not
// part of it.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "apps/study/study.h"
#include "apps/support/workload.h"

namespace gt200::apps::sweep {

// One run, as the words of its command line say it.
struct planned_run {
  workload_options workload;
  std::string config;
  std::vector<std::string> overrides;  // of --set
  std::string options;                 // further ones that decide the result or the files it leaves, in any form
};

// A key, and its parts.
struct result_key {
  std::string key;
  std::string config_sha256;  // of the config.toml that the run leaves
};

// Makes keys. Reads every file and compiles every program once, and lists them for the study.
class key_maker {
 public:
  key_maker();

  // Throws input_error for what the run would refuse: configuration, launch description, program.
  result_key key_of(const planned_run& run);

  const std::string& program_hash() const { return program_hash_; }
  std::vector<study::input_file> inputs() const;
  std::vector<study::shared_program> programs() const;

 private:
  struct config_part {
    std::string text;    // for the key
    std::string sha256;  // of config.toml
    unsigned capability = 0;
  };
  const config_part& config_of(const planned_run& run);
  const std::string& workload_text(const workload_options& options, unsigned capability);
  // The hash of the content. Throws input_error.
  const std::string& hash_of_input(const std::string& path);
  const std::string& hash_of_program(const std::string& path, unsigned capability);

  std::string program_hash_;
  std::map<std::string, config_part> configs_;
  std::map<std::string, std::string> workloads_;
  std::map<std::string, std::string> inputs_;
  std::map<std::pair<std::string, unsigned>, std::string> programs_;
};

}  // namespace gt200::apps::sweep
