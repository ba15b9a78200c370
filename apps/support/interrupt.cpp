#include "apps/support/interrupt.h"

#include <sys/time.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <systemc>

namespace gt200::apps {
namespace {

volatile std::sig_atomic_t interrupted = 0;
volatile std::sig_atomic_t simulating = 0;

constexpr int patience = 10;  // seconds

// The simulated time when the signal came, or ten seconds later, and so on. A run that is only slow gets on.
volatile std::uint64_t time_before = 0;

std::uint64_t simulated_time() { return sc_core::sc_time_stamp().value(); }

void look_again_every(int seconds) {
  time_before = simulated_time();
  itimerval timer{};
  timer.it_value.tv_sec = timer.it_interval.tv_sec = seconds;
  setitimer(ITIMER_REAL, &timer, nullptr);
}

extern "C" void note_interrupt(int signal) {
  interrupted = 1;
  std::signal(signal, SIG_DFL);
  if (simulating != 0) look_again_every(patience);
}

extern "C" void end_late_simulation(int) {
  if (simulating == 0) return;
  if (const std::uint64_t now = simulated_time(); now != time_before) {
    time_before = now;
    return;
  }
  constexpr const char* text =
      "gt200: interrupted: for 10 seconds no simulated time has passed, as if code of RTL or of a plug-in never "
      "returned; nothing is written\n";
  if (write(STDERR_FILENO, text, std::strlen(text)) < 0) _exit(130);
  _exit(130);
}

}  // namespace

const volatile std::sig_atomic_t* catch_interrupts() {
  std::signal(SIGINT, note_interrupt);
  std::signal(SIGTERM, note_interrupt);
  // Unless the caller (nohup) has SIGHUP ignored.
  if (std::signal(SIGHUP, note_interrupt) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
  std::signal(SIGALRM, end_late_simulation);
  return &interrupted;
}

interruptible_simulation::interruptible_simulation() {
  simulating = 1;
  if (interrupted != 0) look_again_every(patience);
}

interruptible_simulation::~interruptible_simulation() {
  simulating = 0;
  look_again_every(0);
}

}  // namespace gt200::apps
