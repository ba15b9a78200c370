// A function with a stack of its own, which its owner runs piece by piece.
//
// Owner and coroutine change places by setjmp() and longjmp(), which cost a few nanoseconds; the C library's
// contexts make the first step. A coroutine may be resumed by another thread of the host than before.
#pragma once

#include <array>
#include <cstddef>
#include <functional>

namespace gt200::cudart {

// Where a thread of control goes on.
using jump_place = std::array<void*, 5>;

class coroutine {
 public:
  // `body` does not return and does not throw: it suspends when it is done. Throws std::bad_alloc.
  coroutine(std::function<void()> body, std::size_t stack_bytes);
  ~coroutine();
  coroutine(const coroutine&) = delete;
  coroutine& operator=(const coroutine&) = delete;

  // Of the owner: runs the coroutine until it suspends or is left. `owner`: where the owner goes on, for the time
  // of the call; one for many coroutines.
  void resume(jump_place& owner);
  // Of the coroutine.
  void suspend();
  // Of the coroutine, or of a signal handler that interrupts it. It cannot be resumed; its objects are not
  // destroyed.
  [[noreturn]] void leave();

  // True for an address below the stack, where a stack that is too small goes on.
  bool is_guard(const void* address) const;

 private:
  static void begin(unsigned upper, unsigned lower);
  [[noreturn]] void start();

  // What every change of places needs is together.
  jump_place* owner_ = nullptr;
  bool has_begun_ = false;
  jump_place own_{};
  std::function<void()> body_;
  std::size_t bytes_;
  std::byte* memory_;  // a guard page, then the stack
  // For AddressSanitizer, see stack_change.h.
  void* kept_ = nullptr;
  void* kept_of_owner_ = nullptr;
  const void* owners_stack_ = nullptr;
  std::size_t owners_bytes_ = 0;
};

}  // namespace gt200::cudart
