// One device of a CUDA program: its worker process and what the program has on it.
//
// The worker is started by the first call that needs it. It is `gt200 worker`, found by $GT200_PROGRAM, else beside
// the library, in ../, in ../bin or in ../../bin. A child of fork() has no worker of its parent: it starts its own.
// A worker that is gone makes every later call fail until reset(), which ends the worker; the next call starts
// another.
//
// The runtime API has one board per device, every context of the driver API has a board of its own.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cuda/protocol/channel.h"
#include "cuda/protocol/commands.h"
#include "cuda/protocol/message.h"

namespace gt200::cudart {

struct known_kernel {
  std::uint32_t module = 0;
  kernel_needs needs{};
  struct parameter {
    std::uint32_t offset = 0;
    std::uint32_t size = 0;
  };
  std::vector<parameter> parameters;
};
struct known_symbol {
  std::uint32_t module = 0;
  std::uint64_t bytes = 0;
};

// Device code as the worker has loaded it.
struct loaded_module {
  std::uint32_t number = 0;
  std::map<std::string, known_kernel> kernels;
  std::map<std::string, known_symbol> symbols;
  std::map<std::string, std::string> refused;  // kernels that cannot run, and why
  std::vector<std::string> textures;
  std::string absence;  // why there is no code for this device; empty: there is
};

class board {
 public:
  explicit board(unsigned number) : number_(number) {}
  ~board() { reset(); }
  board(const board&) = delete;
  board& operator=(const board&) = delete;

  // Sends a command and reads its reply into `reply`.
  status ask(command what, const message_writer& content, message_reader& reply);
  status ask(command what, const message_writer& content = {});

  // Starts the worker, and is in use from here on, as by loading code.
  status begin();

  // Device code that is registered with this pointer, and is loaded when it is first needed.
  status load(const void* container, std::uint64_t bytes);
  // The same for code that belongs together: it is loaded as one module.
  struct piece {
    const void* container;
    std::uint64_t bytes;
  };
  status load(const std::vector<piece>& linked);
  // Any device code: container, cubin, PTX. If it cannot be loaded, `log` says why.
  status load_image(const void* image, std::uint64_t bytes, const image_options& options, loaded_module& loaded,
                    std::string& log);
  const known_kernel* kernel(const void* container, const std::string& name) const;
  const known_symbol* symbol(const void* container, const std::string& name) const;
  // Why the module has no such kernel; empty if it never had one.
  std::string refusal(const void* container, const std::string& name) const;
  // Why nothing of the container can run on this device; empty: it can.
  std::string absence(const void* container) const;
  std::uint32_t module_of(const void* container) const;

  status describe(device_description& description);
  // The program has something on this device, or has asked for it: more than what it is.
  bool is_in_use() const { return is_in_use_; }
  // A number for the worker that runs, different from those of all workers before; 0 without one. What was on a
  // worker is gone with it.
  std::uint64_t epoch() const { return channel_ == nullptr ? 0 : epoch_; }
  unsigned device() const { return number_; }

  // Linear memory.
  status allocate(std::uint64_t bytes, std::uint64_t& address);
  status release(std::uint64_t address);
  // The allocation that holds the address; false if none does.
  bool allocation_at(std::uint64_t address, std::uint64_t& base, std::uint64_t& bytes) const;

  // Waits until the worker has written its results and ended.
  void reset();
  // In the child of a fork().
  void forget();

 private:
  bool start();
  // The worker cannot be started, or has ended: says why, once. Later calls fail.
  void fail(const std::string& why);
  void lose_worker();
  // Shows what kernels have printed, where the program's own output goes.
  void show_output();

  unsigned number_;
  std::uint64_t epoch_ = 0;
  pid_t worker_ = 0;
  bool gone_ = false;
  bool is_in_use_ = false;
  bool prints_ = false;  // a kernel of its modules may
  std::unique_ptr<channel> channel_;
  std::map<const void*, loaded_module> modules_;
  std::map<std::uint64_t, std::uint64_t> allocations_;
  bool described_ = false;
  device_description description_{};
};

}  // namespace gt200::cudart
