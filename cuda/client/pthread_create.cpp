// pthread_create() of the libraries that programs link: names the new thread (thread_names.h), and has it created.
#include <dlfcn.h>
#include <pthread.h>

#include <memory>

#include "cuda/client/thread_names.h"

namespace {

struct start {
  void* (*routine)(void*);
  void* argument;
  std::string name;
};

void* run_named(void* pointer) {
  const std::unique_ptr<start> wanted(static_cast<start*>(pointer));
  gt200::cudart::set_name_of_this_thread(wanted->name);
  const auto routine = wanted->routine;
  void* const argument = wanted->argument;
  return routine(argument);
}

}  // namespace

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*routine)(void*),
                              void* argument) noexcept {
  using function = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto next = reinterpret_cast<function>(dlsym(RTLD_NEXT, "pthread_create"));
  if (gt200::cudart::naming::is_under_way()) return next(thread, attributes, routine, argument);
  const gt200::cudart::naming own;
  auto wanted = std::make_unique<start>(start{routine, argument, gt200::cudart::name_of_next_thread()});
  const int error = next(thread, attributes, run_named, wanted.get());
  // The thread has it now.
  if (error == 0) static_cast<void>(wanted.release());
  return error;
}
