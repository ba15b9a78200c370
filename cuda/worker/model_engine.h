// The cycle model as an engine, with statistics of every launch.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "cuda/worker/engine.h"
#include "cuda/worker/launch_watch.h"
#include "driver/device.h"
#include "observe/checker/checker.h"
#include "observe/lockstep.h"
#include "observe/stats_document.h"

namespace gt200::cudart {

struct model_options {
  bool check = false;       // every instruction, against the emulator
  unsigned threads = 1;     // of the host, that run the chip
  std::string out;          // folder for stats.json, stats.csv and config.toml; empty: none
  std::string source_name;  // of the program, for stats.json
  launch_limits limits;
  // Called before each launch, every few milliseconds while it runs, and after it; may be null.
  std::function<void(const launch::launch_parameters&)> on_launch;
  std::function<void()> on_progress;
  const launch_watch* watch = nullptr;  // ends launches; not owned, may be null
};

class model_engine : public engine {
 public:
  model_engine(const config::gpu_config& config, const model_options& options);
  ~model_engine() override;

  void take_over(const inventory& all) override;
  void write(std::uint32_t address, const std::uint8_t* from, std::size_t bytes) override;
  void read(std::uint32_t address, std::uint8_t* to, std::size_t bytes) override;
  grid_result run(const program& code, const launch::launch_parameters& grid,
                  const launch_circumstances& around) override;

  const device& target() const { return device_; }
  const observe::statistics& statistics() const { return *statistics_; }
  nlohmann::ordered_json document(const observe::run_facts& facts) const { return document_->assemble(facts); }

 private:
  std::string cause_of_most_slots() const;
  std::uint64_t issued() const;
  // Ends the launch when its instructions are used up: at the end of the window in which the device looks next.
  void look();
  // Why a launch was ended before its end, and where its warps stand; nothing if the program is gone.
  void explain_stop(grid_result& result);

  const config::gpu_config& config_;
  model_options options_;
  device device_;
  std::unique_ptr<observe::statistics> statistics_;
  std::unique_ptr<observe::stats_document> document_;
  std::unique_ptr<observe::checker> checker_;
  std::unique_ptr<observe::lockstep> lockstep_;
  std::uint64_t issued_before_ = 0;  // warp instructions, when the launch began
  bool instructions_used_up_ = false;
  std::size_t extents_ = 0;
  std::map<const program*, unsigned> constants_;  // version on the device, of every loaded program
  unsigned textures_ = 0;                         // units that have been bound
};

}  // namespace gt200::cudart
