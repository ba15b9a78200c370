// One device of a CUDA program: its worker process and what the program has on it.
//
// The worker is started by the first call that needs it. It is `gt200 worker`, found by $GT200_PROGRAM, else beside
// the library, in ../ or in ../bin. A child of fork() has no worker of its parent: it starts its own. A worker that
// is gone makes every later call fail until reset(), which ends the worker; the next call starts another.
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
  bool is_constant = false;
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

  // Device code that is registered with this pointer, and is loaded when it is first needed.
  status load(const void* container, std::uint64_t bytes);
  const known_kernel* kernel(const void* container, const std::string& name) const;
  const known_symbol* symbol(const void* container, const std::string& name) const;
  // Why the module has no such kernel; empty if it never had one.
  std::string refusal(const void* container, const std::string& name) const;
  std::uint32_t module_of(const void* container) const;

  status describe(device_description& description);
  bool is_running() const { return channel_ != nullptr; }
  // Incremented when a worker ends: what was on it is gone.
  unsigned generation() const { return generation_; }
  // Waits until the worker has written its results and ended.
  void reset();
  // In the child of a fork().
  void forget();

 private:
  struct module {
    std::uint32_t number = 0;
    std::map<std::string, known_kernel> kernels;
    std::map<std::string, known_symbol> symbols;
    std::map<std::string, std::string> refused;
  };
  bool start();

  unsigned number_;
  unsigned generation_ = 0;
  pid_t worker_ = 0;
  bool gone_ = false;
  std::unique_ptr<channel> channel_;
  std::map<const void*, module> modules_;
  bool described_ = false;
  device_description description_{};
};

}  // namespace gt200::cudart
