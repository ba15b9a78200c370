#include "cuda/worker/cpu/coroutine.h"

#include <sys/mman.h>
#include <ucontext.h>

#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>

#include "cuda/worker/cpu/stack_change.h"

namespace gt200::cudart {
namespace {

constexpr std::size_t page = 4096;
constexpr unsigned half_of_pointer = 32;

// A function of its own: it must not be part of one that sets a place.
GT200_CHANGES_STACKS [[noreturn, gnu::noinline]] void jump(jump_place& to) { __builtin_longjmp(to.data(), 1); }

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

// The registers of the caller are on its stack when the place is set, since functions that set one keep none.
GT200_CHANGES_STACKS [[gnu::noinline]] void coroutine::resume(jump_place& owner) {
  owner_ = &owner;
  stack_change::begin(&kept_of_owner_, memory_ + page, bytes_ - page);
  if (__builtin_setjmp(owner.data()) != 0) return stack_change::end(kept_of_owner_, nullptr, nullptr);
  if (has_begun_) jump(own_);
  start();
}

GT200_CHANGES_STACKS void coroutine::start() {
  has_begun_ = true;
  ucontext_t context;
  getcontext(&context);
  context.uc_stack.ss_sp = memory_ + page;
  context.uc_stack.ss_size = bytes_ - page;
  context.uc_link = nullptr;
  // makecontext() hands on numbers of 32 bits.
  const auto self = reinterpret_cast<std::uintptr_t>(this);
  makecontext(&context, reinterpret_cast<void (*)()>(&begin), 2, static_cast<unsigned>(self >> half_of_pointer),
              static_cast<unsigned>(self));
  setcontext(&context);
  std::abort();  // setcontext() fails only for a context that is none
}

GT200_CHANGES_STACKS void coroutine::begin(unsigned upper, unsigned lower) {
  const std::uintptr_t self = static_cast<std::uintptr_t>(upper) << half_of_pointer | lower;
  auto* const own = reinterpret_cast<coroutine*>(self);
  stack_change::end(nullptr, &own->owners_stack_, &own->owners_bytes_);
  own->body_();
  own->leave();
}

GT200_CHANGES_STACKS [[gnu::noinline]] void coroutine::suspend() {
  stack_change::begin(&kept_, owners_stack_, owners_bytes_);
  if (__builtin_setjmp(own_.data()) == 0) jump(*owner_);
  stack_change::end(kept_, &owners_stack_, &owners_bytes_);
}

GT200_CHANGES_STACKS void coroutine::leave() {
  stack_change::begin(nullptr, owners_stack_, owners_bytes_);
  jump(*owner_);
}

bool coroutine::is_guard(const void* address) const {
  const auto* const at = static_cast<const std::byte*>(address);
  return at >= memory_ && at < memory_ + page;
}

}  // namespace gt200::cudart
