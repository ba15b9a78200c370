// The device of a session: the chip with its observers, its memory, and the programs on it. Everything lies where
// `gt200 run` would place it: variables of a program when it is loaded, buffers in the order of their allocation.
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/session/protocol.h"
#include "apps/support/host_time.h"
#include "apps/support/model_run.h"
#include "cuda/worker/heap.h"
#include "observe/stats_document.h"

namespace gt200::session {

struct program {
  launch::description description;  // names the program's file, and nothing else
  cubin::module module;
  ptx::parameter_types types;  // empty for machine code
  launch::prepared prepared;
};

struct argument {
  argument_kind kind = argument_kind::bytes;
  std::vector<std::uint8_t> bytes;  // of an address or integer 8, of a real number a double
};

class board {
 public:
  // Both must outlive it.
  board(const config::gpu_config& config, const device_options& options, bool check);

  device_facts describe() const;

  // Every function throws input_error for what the session has asked wrongly.
  const program& load(const std::string& path, std::uint32_t& number);
  std::uint64_t allocate(std::uint64_t bytes);
  void release(std::uint64_t address);
  void write(std::uint64_t address, const std::uint8_t* from, std::size_t bytes);
  std::vector<std::uint8_t> read(std::uint64_t address, std::uint64_t bytes);
  void write_symbol(std::uint32_t number, const std::string& name, std::uint64_t offset,
                    const std::vector<std::uint8_t>& bytes);
  std::vector<std::uint8_t> read_symbol(std::uint32_t number, const std::string& name, std::uint64_t offset,
                                        std::uint64_t bytes);
  apps::launch_outcome launch(std::uint32_t number, const std::string& kernel, const launch_shape& shape,
                              const std::vector<argument>& arguments);

  // Warp instructions of the last launch.
  std::uint64_t issued() const { return statistics_.launches().back().issued(); }
  std::string statistics_text() const;

 private:
  program& numbered(std::uint32_t number);
  cubin::constant_segment* find_constant(program& in, const std::string& name);
  // Address of a variable; throws if the bytes do not lie in it.
  std::uint32_t address_of(program& in, const std::string& name, std::uint64_t offset, std::uint64_t bytes);
  void require(std::uint64_t address, std::uint64_t bytes) const;

  const config::gpu_config& config_;
  device_options options_;
  apps::stopwatch watch_;
  device device_;
  observe::statistics statistics_;
  mutable observe::stats_document document_;
  std::optional<observe::checker> checker_;
  observe::lockstep rtl_;
  cudart::heap memory_;
  std::list<program> programs_;
  std::uint16_t grid_id_ = 0;
  end_reason end_ = end_reason::done;
  std::string message_;
};

}  // namespace gt200::session
