// Linear algebra (libcublas), the interface of CUDA 4.x with handles. C and C++.
//
// Every function returns its own error: NOT_INITIALIZED without a handle, INVALID_VALUE of arguments, ARCH_MISMATCH
// of double precision on devices before compute capability 1.3, EXECUTION_FAILED of a launch. Scalars and results
// are in memory of the host, or of the device after cublasSetPointerMode(). Functions of vectors and matrices are
// those of cublas.h behind it; trmm writes C instead of B. A program includes this header or cublas.h, not both.
#pragma once

#ifdef CUBLAS_H_
#error "cublas.h and cublas_v2.h have functions of the same names"
#endif
#define CUBLAS_V2_H_
// Headers of the samples look for this name.
#define CUBLAS_API_H_

#include "cuComplex.h"
#include "cuda_runtime_api.h"

#define CUBLAS_VERSION 4020
#ifndef CUBLASAPI
#define CUBLASAPI
#endif

typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;

#include "cublas_handle.h"
