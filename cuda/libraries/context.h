// The contexts that what a library keeps belongs to: its memory ends with them, by cudaDeviceReset() or
// cuCtxDestroy(), and another context may have the same addresses.
#pragma once

#include <cstdint>

namespace gt200_libraries {

// A number for the context that calls of this thread reach; 0 if it has not begun. No number comes twice.
std::uint64_t current_context();
// The same, of a context that has begun; 0 if it cannot.
std::uint64_t begun_context();
bool is_alive(std::uint64_t context);
// Frees linear memory of any context; that of one that has ended is gone.
void free_in(std::uint64_t context, void* memory);

}  // namespace gt200_libraries
