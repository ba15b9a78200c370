#include "cuda/worker/cpu/signals.h"

#include <csignal>
#include <cstdint>

#include "cuda/worker/cpu/block_runner.h"

namespace gt200::cudart {
namespace {

constexpr std::size_t stack_bytes = 65536;
constexpr int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
constexpr int interruption = SIGUSR2;

void fault(int number, siginfo_t* info, void*) {
  block_runner* const block = block_runner::current();
  if (block == nullptr) {
    std::signal(number, SIG_DFL);
    return;
  }
  using end = block_runner::end;
  if (number == SIGFPE) block->fail(end::fault, "division of whole numbers by zero");
  if (number == SIGILL) block->fail(end::fault, "instruction that this processor lacks");
  if (block->is_exhausted_at(info->si_addr)) block->fail(end::fault, "no room for local variables");
  block->fail(end::fault, "access to memory that is not there", reinterpret_cast<std::uintptr_t>(info->si_addr),
              true);
}

void interrupted(int, siginfo_t*, void*) {
  if (block_runner* const block = block_runner::current())
    block->fail(block_runner::end::interrupted, "interrupted");
}

}  // namespace

signal_stack::signal_stack() : memory_(new char[stack_bytes]) {
  stack_t own = {};
  own.ss_sp = memory_.get();
  own.ss_size = stack_bytes;
  sigaltstack(&own, nullptr);
}

signal_stack::~signal_stack() {
  stack_t none = {};
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, nullptr);
}

void catch_faults() {
  struct sigaction action = {};
  // The handlers do not return to where the signal came: it must not stay blocked.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  action.sa_sigaction = fault;
  for (const int number : faults) sigaction(number, &action, nullptr);
  action.sa_sigaction = interrupted;
  sigaction(interruption, &action, nullptr);
}

void interrupt(pthread_t thread) { pthread_kill(thread, interruption); }

}  // namespace gt200::cudart
