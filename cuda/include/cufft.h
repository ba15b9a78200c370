// Fast Fourier transforms (libcufft), as in CUDA 2.x to 4.x. C and C++.
//
// Element k of a forward transform of n elements is the sum of x[j] exp(-2 pi i j k / n); of an inverse one, with
// +i. Transforms are not scaled: a forward and an inverse one multiply by the number of elements. Of several
// dimensions, the last one is contiguous. Real data of n elements have n / 2 + 1 complex ones in the last
// dimension. Plans are numbers from 1. Pointers are of device memory; a transform may be in place.
//
// Errors. Of plans: INVALID_VALUE (null pointer, stride below 1, negative distance), INVALID_TYPE (unknown, or of
// double precision before compute capability 1.3), INVALID_SIZE (below 1, more than three dimensions, more than
// 2^28 elements, rows longer than their embedding), ALLOC_FAILED, SETUP_FAILED (no device). Of transforms:
// INVALID_PLAN, INVALID_TYPE (a plan of another type), INVALID_VALUE (null pointer, unknown direction), EXEC_FAILED
// (a launch).
#pragma once

// Headers of the SDKs look for this name.
#define _CUFFT_H_

#include "cuComplex.h"
#include "cuda_runtime_api.h"

#define CUFFT_VERSION 4020

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
  CUFFT_UNALIGNED_DATA = 9,
  CUFFT_INCOMPLETE_PARAMETER_LIST = 10,
  CUFFT_INVALID_DEVICE = 11,
  CUFFT_PARSE_ERROR = 12,
  CUFFT_NO_WORKSPACE = 13,
  CUFFT_NOT_IMPLEMENTED = 14,
  CUFFT_LICENSE_ERROR = 15,
  CUFFT_NOT_SUPPORTED = 16,
  CUFFT_MISSING_DEPENDENCY = 17,
  CUFFT_NVRTC_FAILURE = 18,
  CUFFT_NVJITLINK_FAILURE = 19,
  CUFFT_NVSHMEM_FAILURE = 20
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

// With padding, which is the default, rows of real data in place have room for their complex ones: 2 (n / 2 + 1)
// elements each. Else they are packed.
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

#ifdef __cplusplus
extern "C" {
#endif

cufftResult cufftPlan1d(cufftHandle* plan, int nx, cufftType type, int batch);
cufftResult cufftPlan2d(cufftHandle* plan, int nx, int ny, cufftType type);
cufftResult cufftPlan3d(cufftHandle* plan, int nx, int ny, int nz, cufftType type);
// Element (x, y, z) of transform b is at b * dist + ((x * embed[1] + y) * embed[2] + z) * stride, in elements of
// its kind. Without an embedding, that side is packed, and its stride and distance mean nothing.
cufftResult cufftPlanMany(cufftHandle* plan, int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                          int ostride, int odist, cufftType type, int batch);
// A number first, which takes a stream, and then once what it is to transform. `bytes`: of the device memory that
// the plan has allocated; a program cannot give it memory of its own.
cufftResult cufftCreate(cufftHandle* plan);
cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, size_t* bytes);
cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t* bytes);
cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t* bytes);
cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int* n, int* inembed, int istride, int idist,
                              int* onembed, int ostride, int odist, cufftType type, int batch, size_t* bytes);
cufftResult cufftGetSize(cufftHandle plan, size_t* bytes);
cufftResult cufftDestroy(cufftHandle plan);

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex* idata, cufftComplex* odata, int direction);
cufftResult cufftExecR2C(cufftHandle plan, cufftReal* idata, cufftComplex* odata);
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex* idata, cufftReal* odata);
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex* idata, cufftDoubleComplex* odata, int direction);
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal* idata, cufftDoubleComplex* odata);
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex* idata, cufftDoubleReal* odata);

// Of the launches that follow.
cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream);
cufftResult cufftSetCompatibilityMode(cufftHandle plan, cufftCompatibility mode);
cufftResult cufftGetVersion(int* version);

#ifdef __cplusplus
}
#endif
