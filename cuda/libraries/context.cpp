#include "cuda/libraries/context.h"

#include "cuda/client/state.h"

namespace gt200_libraries {
namespace {

using gt200::cudart::board;
using gt200::cudart::process_state;

board* board_of(process_state& all, std::uint64_t context) {
  if (context == 0) return nullptr;
  for (const auto& b : all.boards)
    if (b->epoch() == context) return b.get();
  for (CUctx_st* c : all.contexts)
    if (c->own.epoch() == context) return &c->own;
  return nullptr;
}

}  // namespace

// Not a call of the program: it takes no turn among those.
std::uint64_t current_context() {
  process_state& all = gt200::cudart::process();
  const std::lock_guard<std::mutex> one_at_a_time(all.mutex);
  return all.current().epoch();
}

std::uint64_t begun_context() {
  // Loads the code of the library.
  if (current_context() == 0) cudaFree(nullptr);
  return current_context();
}

bool is_alive(std::uint64_t context) {
  process_state& all = gt200::cudart::process();
  const std::lock_guard<std::mutex> one_at_a_time(all.mutex);
  return board_of(all, context) != nullptr;
}

void free_in(std::uint64_t context, void* memory) {
  if (memory == nullptr) return;
  gt200::cudart::guarded([&](process_state& all) {
    board* const own = board_of(all, context);
    return own == nullptr ? cudaSuccess
                          : gt200::cudart::error_of(own->release(reinterpret_cast<std::uintptr_t>(memory)));
  });
}

}  // namespace gt200_libraries
