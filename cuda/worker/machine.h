// A device of any generation as the runtime API sees it: memory, programs, arrays, textures, launches on three
// engines, and time.
//
// One engine holds the newest content of memory. A launch on the other one first moves all allocated memory there.
// Engines are made when they are first needed: a program that only emulates never builds a chip. After a launch
// that did not end, every call fails with its error.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cuda/protocol/commands.h"
#include "cuda/worker/engine.h"
#include "cuda/worker/kernel_output.h"
#include "cuda/worker/launch_log.h"
#include "cuda/worker/model_engine.h"
#include "cuda/worker/schedule.h"
#include "cuda/worker/selection.h"
#include "sc_models/config/load.h"
#include "toolchain/arch_state/generation.h"

namespace gt200::cudart {

struct machine_options {
  std::string config_name;  // shown as the name of the device
  std::string engines;      // see selection.h
  // All kernels rely on the threads of a warp running together: they keep static warps (tpc.sm.warp_formation).
  bool warp_synchronous = false;
  model_options model;
  launch_watch* watch = nullptr;  // is told of launches, and ends them; not owned, may be null
  unsigned cpu_threads = 0;       // of the host, for code compiled with -cpu; 0: as many as processors
};

// What a command asks for cannot be done; the program gets the status.
struct refused_call {
  status error;
};

class machine {
 public:
  // `config` must outlive it.
  machine(const config::gpu_config& config, const machine_options& options);

  device_description describe() const;
  // Throws input_error.
  const program& load(std::string_view image, const image_options& options, std::uint32_t& number);
  program& loaded(std::uint32_t number);
  // Blocks of so many threads that an SM holds at once; 0 if not even one fits. Throws refused_call if there is no
  // such kernel.
  std::uint32_t occupancy_of(program& code, const std::string& kernel, std::uint32_t threads,
                             std::uint64_t dynamic_shared) const;
  kernel_needs needs_of(const cubin::kernel& kernel) const;

  std::uint64_t allocate(std::uint64_t bytes);
  void release(std::uint64_t address);
  // Throws refused_call unless one allocation holds all bytes.
  void require(std::uint64_t address, std::uint64_t bytes, status otherwise) const;
  void write(std::uint64_t address, const std::uint8_t* from, std::size_t bytes);
  void read(std::uint64_t address, std::uint8_t* to, std::size_t bytes);
  // Throw refused_call if the device has no such limit.
  std::uint64_t limit(limit_kind which) const;
  void set_limit(limit_kind which, std::uint64_t value);
  std::uint64_t free_bytes() const { return memory_.free_bytes(); }
  std::uint64_t bytes() const { return memory_.bytes(); }

  void write_symbol(program& code, const std::string& name, std::uint64_t offset,
                    const std::vector<std::uint8_t>& content);
  std::vector<std::uint8_t> read_symbol(program& code, const std::string& name, std::uint64_t offset,
                                        std::uint64_t count);
  // The address at which the host reaches a variable. A constant gets memory of its own when it is first asked for.
  std::uint64_t address_of(program& code, const std::string& name);

  std::uint64_t allocate_array(const array_description& wanted);
  void release_array(std::uint64_t number);
  void write_array(std::uint64_t number, const array_box& part, const std::vector<std::uint8_t>& rows);
  std::vector<std::uint8_t> read_array(std::uint64_t number, const array_box& part);
  void bind(program& code, const std::string& texture, const texture_description& wanted);
  // Texture objects: a kernel gets the handle as a parameter. Throws refused_call.
  std::uint64_t make_texture(const texture_description& wanted);
  void drop_texture(std::uint64_t handle);
  // A surface object is the address of its description. Throws refused_call.
  std::uint64_t make_surface(std::uint64_t number);
  void drop_surface(std::uint64_t address);

  // Throws refused_call if the device cannot start the grid; run() runs it then.
  launch::launch_parameters check_grid(program& code, const std::string& kernel, const launch_description& wanted,
                                       std::vector<std::uint8_t> parameters);
  void run(program& code, const launch::launch_parameters& grid);

  // success until a launch did not end.
  status health() const { return health_; }
  schedule& time() { return time_; }
  // Between host and device; takes time. `address`: of the device, if linear memory of so many bytes begins there.
  void copied(copy_way way, std::uint64_t address, std::uint64_t bytes);
  // What kernels have printed since the last call.
  kernel_output take_output() { return std::exchange(output_, {}); }
  // Bytes that a copy within device memory or a fill reads and writes, together; takes their time at the peak rate
  // of the DRAM.
  void moved(std::uint64_t bytes);

  // The file of the device code, if there is only one.
  std::string source_file() const { return numbers_.size() == 1 ? numbers_.front()->module.source_file : ""; }
  const launch_log& log() const { return log_; }
  // Kernels that were wanted on the model, as the user wrote them, and of which no launch has come.
  std::vector<std::string> unmatched_engines() const { return selection_.unmatched(); }
  const model_engine* model() const { return model_; }

 private:
  engine& current();
  engine& on(engine_kind kind);
  std::unique_ptr<engine> made(engine_kind kind);
  void move_memory(engine& from, engine& to);
  // Gives the constants what has been written at their addresses.
  void take_constants(program& code);
  // What kernels print to and allocate from: memory of the device, made for the first kernel that wants it.
  void prepare_kernel_library(const program& code);
  // Takes what the launch has printed. True if a thread ended by an assertion.
  bool take_output(const program& code);
  std::string text_at(std::uint64_t address);
  void note_growth(heap::kind what, std::uint32_t address);
  // Why the model would refuse a kernel that passes all other checks; empty: it does not.
  std::string refusal_of_model(const launch::launch_parameters& grid) const;
  std::vector<copy_beside> copies_beside_grid();
  void keep_out(const cubin::kernel& kernel, std::vector<std::uint8_t>& parameters) const;
  struct array {
    std::uint32_t address = 0;
    sampling::texture_shape shape;
  };
  array& array_with(std::uint64_t number);
  // What a fetch reads. Throws refused_call.
  launch::bound_texture texture_of(const texture_description& wanted);
  // Binds the texture objects that the parameters of the kernel name.
  void bind_objects(program& code, const launch::launch_parameters& grid) const;

  const config::gpu_config& config_;
  machine_options options_;
  std::unique_ptr<const arch_state::generation> generation_;
  heap memory_;
  inventory inventory_;
  std::vector<program*> numbers_;
  std::map<std::uint64_t, array> arrays_;
  std::uint64_t next_array_ = 1;
  std::map<std::uint64_t, launch::bound_texture> texture_objects_;
  std::set<std::uint64_t> surfaces_;  // addresses of descriptions
  std::uint64_t next_texture_ = 1;
  selection selection_;
  std::map<engine_kind, std::unique_ptr<engine>> engines_;
  const model_engine* model_ = nullptr;  // of these
  engine* current_ = nullptr;
  launch_log log_;
  schedule time_;
  std::uint16_t grid_id_ = 0;
  std::uint32_t cooperative_grid_ = 0x10000;  // number of the last one whose blocks wait for each other
  std::uint64_t stack_bytes_ = 1024;          // the limit as CUDA has it at first
  std::uint64_t printf_bytes_ = 1 << 20;
  std::uint64_t heap_bytes_ = 8 << 20;
  std::uint64_t ring_ = 0;  // address; 0: none yet
  std::uint64_t ring_bytes_ = 0;
  std::uint64_t heap_ = 0;
  kernel_output output_;
  std::uint64_t mapped_end_;  // memory below is part of an extent
  status health_ = status::success;
};

}  // namespace gt200::cudart
