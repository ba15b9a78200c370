#include "apps/support/crash_report.h"

#include <dlfcn.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <cstring>

#include "apps/exit_code.h"
#include "apps/support/resources.h"
#include "toolchain/foreign_code.h"
#include "toolchain/left_behind.h"

namespace gt200::apps {
namespace {

constexpr int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

// Place of the program when the signal came; null if it is not known.
const void* place_of(const void* context) {
#if defined(__x86_64__)
  return reinterpret_cast<const void*>(
      static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);  // NOLINT(performance-no-int-to-ptr)
#elif defined(__aarch64__)
  return reinterpret_cast<const void*>(
      static_cast<const ucontext_t*>(context)->uc_mcontext.pc);  // NOLINT(performance-no-int-to-ptr)
#else
  (void)context;
  return nullptr;
#endif
}

void say(const char* text) {
  // Nothing can be done about a line that cannot be written.
  if (write(STDERR_FILENO, text, std::strlen(text)) < 0) return;
}

void say_where(const foreign_caller& code, int signal, const void* place) {
  say(code.own ? "gt200: fault of " : "gt200: fault in a call by ");
  say(code.name);
  say(": ");
  say(strsignal(signal));
  Dl_info at{};
  if (place != nullptr && dladdr(place, &at) != 0 && at.dli_sname != nullptr) {
    say(" in ");
    say(at.dli_sname);
  }
  say("\n");
}

// A mapped file that somebody has cut or whose disk is full (SIGBUS), or a library of C that does not look whether
// it has got memory.
const char* missing_resource(int signal) {
  if (signal == SIGBUS) return "gt200: a mapped file cannot be reached any more: its disk is full, or it was cut\n";
  if (signal == SIGSEGV && memory_is_used_up())
    return "gt200: out of memory (ulimit -v shows whether there is a limit)\n";
  return nullptr;
}

// Ends the process by the signal: it comes again when this function returns, and is no longer handled.
void on_crash(int signal, siginfo_t*, void* context) {
  ::signal(signal, SIG_DFL);
  const void* const place = place_of(context);
  const foreign_caller code = foreign_code_at(place);
  const char* const missing = code.name == nullptr ? missing_resource(signal) : nullptr;
  if (missing != nullptr) say(missing);
  if (code.name != nullptr) say_where(code, signal, place);
  clear_away();
  if (missing != nullptr) _exit(static_cast<int>(exit_code::no_memory));
  raise(signal);
}

}  // namespace

void report_crashes_of_foreign_code() {
  // A stack that is used up has no room for the handler.
  static std::array<char, 65536> own_stack;
  stack_t stack{};
  stack.ss_sp = own_stack.data();
  stack.ss_size = own_stack.size();
  sigaltstack(&stack, nullptr);
  for (const int signal : signals) {
    struct sigaction now {};
    if (sigaction(signal, nullptr, &now) != 0 || (now.sa_flags & SA_SIGINFO) != 0 || now.sa_handler != SIG_DFL)
      continue;
    struct sigaction handled {};
    handled.sa_sigaction = on_crash;
    handled.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&handled.sa_mask);
    sigaction(signal, &handled, nullptr);
  }
}

}  // namespace gt200::apps
