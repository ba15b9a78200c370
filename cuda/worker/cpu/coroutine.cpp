// The checked longjmp() of the C library takes a change of stacks for an error.
#undef _FORTIFY_SOURCE

#include "cuda/worker/cpu/coroutine.h"

#include <sys/mman.h>

#include <cstdint>
#include <new>
#include <utility>

namespace gt200::cudart {
namespace {

constexpr std::size_t page = 4096;
constexpr unsigned half_of_pointer = 32;

}  // namespace

coroutine::coroutine(std::function<void()> body, std::size_t stack_bytes)
    : body_(std::move(body)), bytes_((stack_bytes + page - 1) / page * page + page) {
  void* const memory =
      mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  memory_ = static_cast<std::byte*>(memory);
  mprotect(memory_, page, PROT_NONE);
}

coroutine::~coroutine() { munmap(memory_, bytes_); }

void coroutine::resume() {
  if (_setjmp(owner_) != 0) return;
  if (has_begun_) _longjmp(own_, 1);
  has_begun_ = true;
  getcontext(&context_);
  context_.uc_stack.ss_sp = memory_ + page;
  context_.uc_stack.ss_size = bytes_ - page;
  context_.uc_link = nullptr;
  // makecontext() hands on numbers of 32 bits.
  const auto self = reinterpret_cast<std::uintptr_t>(this);
  makecontext(&context_, reinterpret_cast<void (*)()>(&begin), 2, static_cast<unsigned>(self >> half_of_pointer),
              static_cast<unsigned>(self));
  setcontext(&context_);
}

void coroutine::begin(unsigned upper, unsigned lower) {
  const std::uintptr_t self = static_cast<std::uintptr_t>(upper) << half_of_pointer | lower;
  auto* const own = reinterpret_cast<coroutine*>(self);
  own->body_();
  own->leave();
}

void coroutine::suspend() {
  if (_setjmp(own_) == 0) _longjmp(owner_, 1);
}

void coroutine::leave() { _longjmp(owner_, 1); }

bool coroutine::is_guard(const void* address) const {
  const auto* const at = static_cast<const std::byte*>(address);
  return at >= memory_ && at < memory_ + page;
}

}  // namespace gt200::cudart
