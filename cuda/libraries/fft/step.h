// The launches a transform consists of. A plan holds them; both precisions have the same kernels.
//
// Data are complex and packed, [outer][length][inner] around the dimension that is transformed. An inverse
// transform exchanges real and imaginary parts of what it reads and of what it writes, and is a forward one in
// between.
#pragma once

#include <stddef.h>

#include "cuda_runtime_api.h"

namespace gt200_fft {

// A block of `pass` has so many threads, so many transforms, and so many elements in shared memory at most.
enum { threads = 128, most_columns = 32 };
constexpr int most_elements(bool wide) { return wide ? 512 : 1024; }
// Of several transforms: two blocks have room in an SM.
constexpr int most_of_several(bool wide) { return most_elements(wide) / 8 * 7; }
// With more than one transform, a row of the block's elements has one more, so that rows begin at different banks.
constexpr int row_of(int columns) { return columns == 1 ? 1 : columns + 1; }

// Transforms of at most most_elements() elements, each wholly in the shared memory of a block. The number t of a
// transform is split by `counts` into four indices, the first the fastest; the fourth is what remains.
struct pass {
  int length;
  int transforms;
  int columns, columns_log2;  // transforms of a block
  int counts[3];
  int in[4], out[4];      // distances of each index, in elements, as all that follow
  int in_step, out_step;  // between elements of a transform
  unsigned radices;       // of the butterflies, four bits each, the first in the lowest
  // Element k of a transform is multiplied by a factor. By place: that of where it is written, the fourth index
  // left out. Else: number k * (first index / inner).
  int factors_by_place;
  int inner;
};

// Of a length with other prime factors than 2, 3, 5 and 7: a convolution of `padded` elements (Bluestein).
struct chirp {
  int length, inner, padded;
  int elements;  // of the array that is written
};

// Between the arrays of the program and packed complex ones. Index x of dimension d is at x * steps[d].
struct layout {
  int steps[3];
  int distance;  // from one transform to the next
};
enum kind_of_elements { complex_elements, real_elements, half_elements };
struct movement {
  int n[3];      // of the packed array
  int last;      // elements of the last dimension that are moved; of half the spectrum, n / 2 + 1
  int kind;      // of the program's array
  int elements;  // threads with work
  layout program;
};

// Indices of elements are ints.
enum { most_places = 0x7fffffff };

enum array { from_program, to_program, packed, work, other_work, arrays };
enum step_kind { step_pass, step_chirp_in, step_chirp_out };
enum direction { as_called, forward, inverse };

struct step {
  step_kind kind;
  array from, to;
  direction way;
  pass transforms;
  chirp convolution;
  // Places in the tables of the plan; factors -1: none.
  ptrdiff_t twiddles, factors, order;
};

// The launches, in single and in double precision. `order` says where element k of a transform comes in shared
// memory.
#define GT200_FFT_LAUNCHES(T)                                                                                  \
  cudaError_t run_pass(const pass& p, bool inverse, const T* from, T* to, const T* twiddles, const int* order, \
                       const T* factors, cudaStream_t stream);                                                 \
  /* Multiplies by the chirp and pads with zeros. */                                                           \
  cudaError_t run_chirp_in(const chirp& c, bool inverse, const T* from, T* to, const T* factors,               \
                           cudaStream_t stream);                                                               \
  cudaError_t run_chirp_out(const chirp& c, bool inverse, const T* from, T* to, const T* factors,              \
                            cudaStream_t stream);                                                              \
  cudaError_t run_gather(const movement& m, const void* from, T* to, cudaStream_t stream);                     \
  cudaError_t run_scatter(const movement& m, const T* from, void* to, cudaStream_t stream);
GT200_FFT_LAUNCHES(float2)
GT200_FFT_LAUNCHES(double2)
#undef GT200_FFT_LAUNCHES

}  // namespace gt200_fft
