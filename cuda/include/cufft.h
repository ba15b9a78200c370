// Fast Fourier transforms (libcufft), as in CUDA 2.x to 4.x. C and C++.
//
// Transforms are not scaled: a forward and an inverse one multiply by the number of elements. Real data of n
// elements have n / 2 + 1 complex ones, in the last dimension. Plans are numbers from 1.
#pragma once

// Headers of the SDKs look for this name.
#define _CUFFT_H_

#include "cuComplex.h"
#include "driver_types.h"

typedef enum cufftResult_t {
  CUFFT_SUCCESS = 0,
  CUFFT_INVALID_PLAN = 1,
  CUFFT_ALLOC_FAILED = 2,
  CUFFT_INVALID_TYPE = 3,
  CUFFT_INVALID_VALUE = 4,
  CUFFT_INTERNAL_ERROR = 5,
  CUFFT_EXEC_FAILED = 6,
  CUFFT_SETUP_FAILED = 7,
  CUFFT_INVALID_SIZE = 8,
  CUFFT_UNALIGNED_DATA = 9
} cufftResult;

#define CUFFT_FORWARD (-1)
#define CUFFT_INVERSE 1

typedef enum cufftType_t {
  CUFFT_R2C = 0x2a,
  CUFFT_C2R = 0x2c,
  CUFFT_C2C = 0x29,
  CUFFT_D2Z = 0x6a,
  CUFFT_Z2D = 0x6c,
  CUFFT_Z2Z = 0x69
} cufftType;
typedef enum cufftCompatibility_t {
  CUFFT_COMPATIBILITY_NATIVE = 0,
  CUFFT_COMPATIBILITY_FFTW_PADDING = 1,
  CUFFT_COMPATIBILITY_FFTW_ASYMMETRIC = 2,
  CUFFT_COMPATIBILITY_FFTW_ALL = 3
} cufftCompatibility;

typedef unsigned int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuFloatComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;
