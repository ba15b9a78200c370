// The launches of a program, as a table for readers and as CSV.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "cuda/worker/engine.h"
#include "cuda/worker/selection.h"

namespace gt200::cudart {

struct logged_launch {
  std::string kernel;
  std::uint64_t number = 0;  // of this kernel's launches
  engine_kind engine = engine_kind::model;
  std::array<std::uint32_t, 3> grid{};
  std::array<std::uint32_t, 3> block{};
  grid_result result;
};

class launch_log {
 public:
  void add(logged_launch launch) { launches_.push_back(std::move(launch)); }
  const std::vector<logged_launch>& launches() const { return launches_; }

  // One line per launch, or per kernel and engine if there are many; estimated figures are marked.
  std::string table() const;
  std::string csv() const;

 private:
  std::vector<logged_launch> launches_;
};

const char* name_of(grid_result::end reason);

}  // namespace gt200::cudart
