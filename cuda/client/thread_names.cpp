#include "cuda/client/thread_names.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

namespace gt200::cudart {
namespace {

thread_local std::string own_name;
thread_local unsigned created = 0;
thread_local bool is_naming = false;
std::atomic<unsigned> unknown{0};

}  // namespace

const std::string& name_of_this_thread() {
  if (own_name.empty()) {
    const bool is_first = syscall(SYS_gettid) == getpid();
    own_name = is_first ? "0" : "?" + std::to_string(++unknown);
  }
  return own_name;
}

std::string name_of_next_thread() { return name_of_this_thread() + "." + std::to_string(++created); }

naming::naming() { is_naming = true; }
naming::~naming() { is_naming = false; }
bool naming::is_under_way() { return is_naming; }

void set_name_of_this_thread(const std::string& name) { own_name = name; }

}  // namespace gt200::cudart
