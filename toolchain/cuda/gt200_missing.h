// Functions that device code cannot have here. The names are declared so that clang's message says what is missing.
#pragma once

#if defined(__CUDA__) && !defined(GT200_CPU)
template <class T, int dimensions = 1>
struct __attribute__((unavailable("surfaces are not supported"))) surface {};
#endif
