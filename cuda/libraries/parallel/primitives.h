// The launches of CUDPP. Elements are words; type and operation say what they are.
#pragma once

#include "cuda_runtime_api.h"
#include "cudpp.h"

namespace gt200_parallel {

// Blocks work on tiles of so many elements.
enum { threads = 128, per_thread = 8, tile = threads * per_thread, most_blocks = 32768 };
constexpr int tiles_of(int n) { return n / tile + (n % tile != 0); }

struct scan_way {
  CUDPPOperator op;
  CUDPPDatatype type;
  int backward, inclusive;
};

// Rows of n elements, `pitch` apart. `totals` has room for totals_of() words, which the call uses.
cudaError_t scan(const scan_way& way, unsigned* out, const unsigned* in, int n, int rows, int pitch,
                 unsigned* totals);
size_t totals_of(int n, int rows);

// `totals` has room for three times totals_of() words.
cudaError_t segmented_scan(const scan_way& way, unsigned* out, const unsigned* in, const unsigned* flags, int n,
                           unsigned* totals);

// `partials` has room for most_partials words.
enum { most_partials = 64 };
cudaError_t reduce(CUDPPOperator op, CUDPPDatatype type, unsigned* out, const unsigned* in, int n,
                   unsigned* partials);

// `places` has room for n words.
cudaError_t compact(bool backward, unsigned* out, size_t* valid, const unsigned* in, const unsigned* is_valid,
                    int n, unsigned* places, unsigned* totals);

// Radix sort of `bits` bits, in place; `values` may be null. `other_keys` and `other_values` have room for n words,
// `counts` for digits * tiles, and `totals` for a scan of those.
enum { digit_bits = 4, digits = 1 << digit_bits };
cudaError_t sort(CUDPPDatatype type, int bits, unsigned* keys, unsigned* values, int n, unsigned* other_keys,
                 unsigned* other_values, unsigned* counts, unsigned* totals);

}  // namespace gt200_parallel
