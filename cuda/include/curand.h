// Random numbers (libcurand), the functions of the host as in CUDA 3.2 to 4.2. C and C++.
//
// XORWOW is the generator of G. Marsaglia, Xorshift RNGs, Journal of Statistical Software 8 (14), 2003. It has
// 4,096 sequences, 2^67 numbers apart; number n of a generator is from sequence n mod 4096. How a seed becomes the
// first state is not NVIDIA's, and so numbers are not those of NVIDIA's library: see
// cuda/libraries/random/xorwow.h. Philox4x32-10 (J. Salmon and others, SC 2011) has the seed as its key; the words
// are those of curand_kernel.h in subsequence 0, one after the other. Sobol32 has the direction numbers of S. Joe
// and F. Y. Kuo for at most 32 dimensions; n numbers in d dimensions are n / d of the first dimension, n / d of the
// second, and so on, and begin with 0.
//
// Uniform numbers are above 0 and at most 1. Normal ones are by Box and Muller, two from two words (in double
// precision from four), and for Sobol32 by the inverse of the distribution.
//
// Generators of curandCreateGenerator() write to device memory, those of curandCreateGeneratorHost() to the host's.
//
// Errors: NOT_INITIALIZED (no such generator), TYPE_ERROR (generators that are not here, a setting of the other
// kind), OUT_OF_RANGE (orderings, dimensions, offsets, more than 2^31 numbers), LENGTH_NOT_MULTIPLE (of the
// dimensions; an odd number of normal numbers from XORWOW or Philox), DOUBLE_PRECISION_REQUIRED (before compute
// capability 1.3), ALLOCATION_FAILED, INITIALIZATION_FAILED (no device), PREEXISTING_FAILURE (an error before),
// LAUNCH_FAILURE.
#pragma once

#include <stddef.h>

#include "cuda_runtime_api.h"

// Headers of the samples look for this name.
#define CURAND_H_

#define CURAND_VERSION 4020
#ifndef CURANDAPI
#define CURANDAPI
#endif

typedef enum curandStatus {
  CURAND_STATUS_SUCCESS = 0,
  CURAND_STATUS_VERSION_MISMATCH = 100,
  CURAND_STATUS_NOT_INITIALIZED = 101,
  CURAND_STATUS_ALLOCATION_FAILED = 102,
  CURAND_STATUS_TYPE_ERROR = 103,
  CURAND_STATUS_OUT_OF_RANGE = 104,
  CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
  CURAND_STATUS_LAUNCH_FAILURE = 201,
  CURAND_STATUS_PREEXISTING_FAILURE = 202,
  CURAND_STATUS_INITIALIZATION_FAILED = 203,
  CURAND_STATUS_ARCH_MISMATCH = 204,
  CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;

typedef enum curandRngType {
  CURAND_RNG_TEST = 0,
  CURAND_RNG_PSEUDO_DEFAULT = 100,
  CURAND_RNG_PSEUDO_XORWOW = 101,
  CURAND_RNG_PSEUDO_MRG32K3A = 121,
  CURAND_RNG_PSEUDO_MTGP32 = 141,
  CURAND_RNG_PSEUDO_MT19937 = 142,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  CURAND_RNG_QUASI_DEFAULT = 200,
  CURAND_RNG_QUASI_SOBOL32 = 201,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
  CURAND_RNG_QUASI_SOBOL64 = 203,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204
} curandRngType_t;

// BEST is DEFAULT. SEEDED: the sequences have seeds of their own, which is faster to set up.
typedef enum curandOrdering {
  CURAND_ORDERING_PSEUDO_BEST = 100,
  CURAND_ORDERING_PSEUDO_DEFAULT = 101,
  CURAND_ORDERING_PSEUDO_SEEDED = 102,
  CURAND_ORDERING_QUASI_DEFAULT = 201
} curandOrdering_t;

typedef struct curandGenerator_st* curandGenerator_t;

#ifdef __cplusplus
extern "C" {
#endif

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t rng_type);
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t rng_type);
curandStatus_t curandDestroyGenerator(curandGenerator_t generator);
curandStatus_t curandGetVersion(int* version);
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream);

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed);
// Of the next number, in words of 32 bits; of Sobol32, in each dimension.
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset);
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order);
curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator, unsigned int num_dimensions);
// Sets up the state, which otherwise the next function that generates does.
curandStatus_t curandGenerateSeeds(curandGenerator_t generator);

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* outputPtr, size_t num);
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* outputPtr, size_t num);
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* outputPtr, size_t num);
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* outputPtr, size_t n, float mean,
                                    float stddev);
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* outputPtr, size_t n, double mean,
                                          double stddev);
// exp() of normal numbers of this mean and deviation.
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* outputPtr, size_t n, float mean,
                                       float stddev);
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* outputPtr, size_t n, double mean,
                                             double stddev);

#ifdef __cplusplus
}
#endif
