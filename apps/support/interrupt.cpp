#include "apps/support/interrupt.h"

namespace gt200::apps {
namespace {

volatile std::sig_atomic_t interrupted = 0;

extern "C" void note_interrupt(int signal) {
  interrupted = 1;
  std::signal(signal, SIG_DFL);
}

}  // namespace

const volatile std::sig_atomic_t* catch_interrupts() {
  std::signal(SIGINT, note_interrupt);
  std::signal(SIGTERM, note_interrupt);
  // Unless the caller (nohup) has SIGHUP ignored.
  if (std::signal(SIGHUP, note_interrupt) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
  return &interrupted;
}

}  // namespace gt200::apps
