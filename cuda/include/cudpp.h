// Data parallel primitives (libcudpp), the interface of CUDPP 1.1, and cudppReduce() of CUDPP 2.0 with the plans
// of 1.1. C and C++. Elements are int, unsigned or float; pointers are of device memory, and input and output may
// be the same.
//
// Errors: INVALID_HANDLE of a plan that does not exist or is of another algorithm; ILLEGAL_CONFIGURATION of options
// that exclude each other, types and algorithms that are not here (characters, sparse matrices, random numbers),
// null pointers, and more elements or rows than the plan has; UNKNOWN if memory is short or a launch fails.
#pragma once

#include <stddef.h>

enum CUDPPResult {
  CUDPP_SUCCESS = 0,
  CUDPP_ERROR_INVALID_HANDLE = 1,
  CUDPP_ERROR_ILLEGAL_CONFIGURATION = 2,
  CUDPP_ERROR_UNKNOWN = 9999
};

// Forward is from the first element to the last. Without INCLUSIVE, a scan excludes the element itself and begins
// with the identity: 0, 1, or the largest or the least finite number of the type. CTA_LOCAL means nothing.
enum CUDPPOption {
  CUDPP_OPTION_FORWARD = 0x1,
  CUDPP_OPTION_BACKWARD = 0x2,
  CUDPP_OPTION_EXCLUSIVE = 0x4,
  CUDPP_OPTION_INCLUSIVE = 0x8,
  CUDPP_OPTION_CTA_LOCAL = 0x10,
  CUDPP_OPTION_KEYS_ONLY = 0x20,
  CUDPP_OPTION_KEY_VALUE_PAIRS = 0x40
};

enum CUDPPDatatype { CUDPP_CHAR, CUDPP_UCHAR, CUDPP_INT, CUDPP_UINT, CUDPP_FLOAT };

enum CUDPPOperator { CUDPP_ADD, CUDPP_MULTIPLY, CUDPP_MIN, CUDPP_MAX };

enum CUDPPAlgorithm {
  CUDPP_SCAN,
  CUDPP_SEGMENTED_SCAN,
  CUDPP_COMPACT,
  CUDPP_REDUCE,
  CUDPP_SORT_RADIX,
  CUDPP_SPMVMULT,
  CUDPP_RAND_MD5,
  CUDPP_ALGORITHM_INVALID
};

struct CUDPPConfiguration {
  enum CUDPPAlgorithm algorithm;
  enum CUDPPOperator op;
  enum CUDPPDatatype datatype;
  unsigned int options;
};

#ifndef __cplusplus
typedef enum CUDPPResult CUDPPResult;
typedef struct CUDPPConfiguration CUDPPConfiguration;
#endif

#define CUDPP_INVALID_HANDLE 0xC0DABAD1
typedef size_t CUDPPHandle;

#ifdef __cplusplus
extern "C" {
#endif

// For at most n elements, in at most `rows` rows that begin rowPitch elements apart.
CUDPPResult cudppPlan(CUDPPHandle* planHandle, CUDPPConfiguration config, size_t n, size_t rows, size_t rowPitch);
CUDPPResult cudppDestroyPlan(CUDPPHandle plan);

CUDPPResult cudppScan(CUDPPHandle planHandle, void* d_out, const void* d_in, size_t numElements);
// Each row alone.
CUDPPResult cudppMultiScan(CUDPPHandle planHandle, void* d_out, const void* d_in, size_t numElements,
                           size_t numRows);
// A flag that is not 0 marks the first element of a segment in memory, in either direction. The first element
// begins one without a flag.
CUDPPResult cudppSegmentedScan(CUDPPHandle planHandle, void* d_out, const void* d_idata,
                               const unsigned int* d_iflags, size_t numElements);
// The elements whose flag is not 0, and their number; backward, the last one comes first.
CUDPPResult cudppCompact(CUDPPHandle planHandle, void* d_out, size_t* d_numValidElements, const void* d_in,
                         const unsigned int* d_isValid, size_t numElements);
// Upwards, in place, by the lower `keybits` bits; equal keys keep their order. Bits of numbers with a sign are
// counted after a change that makes their order that of unsigned ones. Values are of 32 bits; without KEYS_ONLY
// they must be there.
CUDPPResult cudppSort(CUDPPHandle planHandle, void* d_keys, void* d_values, int keybits, size_t numElements);
// One element.
CUDPPResult cudppReduce(CUDPPHandle planHandle, void* d_out, const void* d_in, size_t numElements);

#ifdef __cplusplus
}
#endif
