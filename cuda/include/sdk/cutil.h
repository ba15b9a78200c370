// The utilities that programs of the SDKs 2 and 3 use: checks of errors, timers, the command line, comparisons, raw
// and PGM files. All in this header: -lcutil is not needed.
#pragma once

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "cuda_runtime.h"

enum CUTBoolean { CUTFalse = 0, CUTTrue = 1 };

#define CUDA_SAFE_CALL_NO_SYNC(call)                                                       \
  do {                                                                                     \
    const cudaError gt200_error = (call);                                                  \
    if (gt200_error != cudaSuccess) {                                                      \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(gt200_error)); \
      exit(EXIT_FAILURE);                                                                  \
    }                                                                                      \
  } while (0)
#define CUDA_SAFE_CALL(call) CUDA_SAFE_CALL_NO_SYNC(call)
#define CUFFT_SAFE_CALL(call) CUT_SAFE_CALL((call) == 0)
#define CUT_SAFE_CALL(call)                                             \
  do {                                                                  \
    if (!(call)) {                                                      \
      fprintf(stderr, "%s:%d: %s failed\n", __FILE__, __LINE__, #call); \
      exit(EXIT_FAILURE);                                               \
    }                                                                   \
  } while (0)
#define CUT_SAFE_MALLOC(call) CUT_SAFE_CALL((call) != NULL)
#define CUT_CHECK_ERROR(message)                                                                        \
  do {                                                                                                  \
    cudaError gt200_error = cudaGetLastError();                                                         \
    if (gt200_error == cudaSuccess) gt200_error = cudaThreadSynchronize();                              \
    if (gt200_error != cudaSuccess) {                                                                   \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, message, cudaGetErrorString(gt200_error)); \
      exit(EXIT_FAILURE);                                                                               \
    }                                                                                                   \
  } while (0)
#define CUT_DEVICE_INIT(argc, argv) CUDA_SAFE_CALL(cudaSetDevice(0))
#define CUT_EXIT(argc, argv) exit(EXIT_SUCCESS)
#define CUT_CONDITION(value) CUT_SAFE_CALL(value)
#define CUT_BANK_CHECKER(array, index) array[index]
#define cutilCheckMsg(message) CUT_CHECK_ERROR(message)
#define cutilSafeCall(call) CUDA_SAFE_CALL_NO_SYNC(call)
#define cutilSafeCallNoSync(call) CUDA_SAFE_CALL_NO_SYNC(call)
#define cutilSafeMalloc(call) CUT_SAFE_MALLOC(call)
#define cutilSafeThreadSync() CUDA_SAFE_CALL_NO_SYNC(cudaThreadSynchronize())
#define cutilDeviceSynchronize() cudaThreadSynchronize()
#define cutilDeviceReset() cudaThreadExit()
#define cutilDeviceInit(argc, argv) CUT_DEVICE_INIT(argc, argv)
#define cutilChooseCudaDevice(argc, argv) CUT_DEVICE_INIT(argc, argv)
#define cutilExit(argc, argv) CUT_EXIT(argc, argv)
#define cutilCheckError(call) CUT_SAFE_CALL(call)
#define cutilCondition(value) CUT_CONDITION(value)
#define cutGetMaxGflopsDeviceId() 0

// Timers count milliseconds of the host.
struct gt200_timer {
  double sum, begin;
  int runs, running;
};
inline gt200_timer& gt200_timer_at(unsigned number) {
  static gt200_timer timers[256];
  return timers[number % 256];
}
inline double gt200_milliseconds() {
  timeval now;
  gettimeofday(&now, NULL);
  return 1e3 * (double)now.tv_sec + 1e-3 * (double)now.tv_usec;
}
inline CUTBoolean cutCreateTimer(unsigned* number) {
  static unsigned next = 0;
  *number = next++;
  const gt200_timer none = {0, 0, 0, 0};
  gt200_timer_at(*number) = none;
  return CUTTrue;
}
inline CUTBoolean cutDeleteTimer(unsigned) { return CUTTrue; }
inline CUTBoolean cutStartTimer(unsigned number) {
  gt200_timer_at(number).begin = gt200_milliseconds();
  gt200_timer_at(number).running = 1;
  return CUTTrue;
}
inline CUTBoolean cutStopTimer(unsigned number) {
  gt200_timer& t = gt200_timer_at(number);
  if (t.running) t.sum += gt200_milliseconds() - t.begin;
  t.running = 0;
  ++t.runs;
  return CUTTrue;
}
inline CUTBoolean cutResetTimer(unsigned number) {
  gt200_timer& t = gt200_timer_at(number);
  t.sum = 0;
  t.runs = 0;
  t.begin = gt200_milliseconds();
  return CUTTrue;
}
inline float cutGetTimerValue(unsigned number) {
  const gt200_timer& t = gt200_timer_at(number);
  return (float)(t.sum + (t.running ? gt200_milliseconds() - t.begin : 0));
}
inline float cutGetAverageTimerValue(unsigned number) {
  const gt200_timer& t = gt200_timer_at(number);
  return t.runs == 0 ? 0 : (float)(t.sum / t.runs);
}

// "-name", "--name" or "--name=value".
inline const char* gt200_argument(int argc, const char** argv, const char* name) {
  for (int k = 1; k < argc; ++k) {
    const char* text = argv[k];
    while (*text == '-') ++text;
    const size_t length = strlen(name);
    if (text != argv[k] && strncmp(text, name, length) == 0 && (text[length] == '\0' || text[length] == '='))
      return text + length + (text[length] == '=');
  }
  return NULL;
}
inline CUTBoolean cutCheckCmdLineFlag(int argc, const char** argv, const char* name) {
  return gt200_argument(argc, argv, name) != NULL ? CUTTrue : CUTFalse;
}
inline CUTBoolean cutGetCmdLineArgumenti(int argc, const char** argv, const char* name, int* value) {
  const char* text = gt200_argument(argc, argv, name);
  if (text == NULL) return CUTFalse;
  *value = atoi(text);
  return CUTTrue;
}
inline CUTBoolean cutGetCmdLineArgumentf(int argc, const char** argv, const char* name, float* value) {
  const char* text = gt200_argument(argc, argv, name);
  if (text == NULL) return CUTFalse;
  *value = (float)atof(text);
  return CUTTrue;
}
inline CUTBoolean cutGetCmdLineArgumentstr(int argc, const char** argv, const char* name, char** value) {
  const char* text = gt200_argument(argc, argv, name);
  *value = text == NULL ? NULL : strdup(text);
  return text == NULL ? CUTFalse : CUTTrue;
}

// Comparisons
template <class T>
inline CUTBoolean gt200_compare(const T* reference, const T* data, unsigned count, double allowed) {
  for (unsigned k = 0; k < count; ++k)
    if (!(fabs((double)reference[k] - (double)data[k]) <= allowed)) return CUTFalse;
  return CUTTrue;
}
inline CUTBoolean cutComparef(const float* reference, const float* data, unsigned count) {
  return gt200_compare(reference, data, count, 0);
}
inline CUTBoolean cutComparefe(const float* reference, const float* data, unsigned count, float allowed) {
  return gt200_compare(reference, data, count, allowed);
}
inline CUTBoolean cutComparei(const int* reference, const int* data, unsigned count) {
  return gt200_compare(reference, data, count, 0);
}
inline CUTBoolean cutCompareub(const unsigned char* reference, const unsigned char* data, unsigned count) {
  return gt200_compare(reference, data, count, 0);
}
inline CUTBoolean cutCompareube(const unsigned char* reference, const unsigned char* data, unsigned count,
                                float allowed) {
  return gt200_compare(reference, data, count, allowed);
}
// The difference as a vector, relative to the reference.
inline CUTBoolean cutCompareL2fe(const float* reference, const float* data, unsigned count, float allowed) {
  double difference = 0, size = 0;
  for (unsigned k = 0; k < count; ++k) {
    difference += ((double)reference[k] - data[k]) * ((double)reference[k] - data[k]);
    size += (double)reference[k] * reference[k];
  }
  return size > 1e-7 && sqrt(difference) / sqrt(size) < allowed ? CUTTrue : CUTFalse;
}

// Files
inline char* cutFindFilePath(const char* name, const char* program) {
  const char* folders[] = {"", "data/", "../data/", "src/", "../../data/"};
  char path[4096];
  for (unsigned k = 0; k < sizeof folders / sizeof folders[0]; ++k) {
    snprintf(path, sizeof path, "%s%s", folders[k], name);
    if (FILE* found = fopen(path, "rb")) {
      fclose(found);
      return strdup(path);
    }
  }
  (void)program;
  return NULL;
}
inline void cutFree(void* pointer) { free(pointer); }

template <class T>
inline CUTBoolean gt200_read_numbers(const char* path, T** data, unsigned* count) {
  FILE* in = fopen(path, "r");
  if (in == NULL) return CUTFalse;
  unsigned room = 0, have = 0;
  T* found = NULL;
  for (double value; fscanf(in, "%lf", &value) == 1; ++have) {
    if (have == room) found = (T*)realloc(found, sizeof(T) * (room = 2 * room + 64));
    found[have] = (T)value;
  }
  fclose(in);
  if (*data == NULL) {
    *data = found;
  } else {
    for (unsigned k = 0; k < have && k < *count; ++k) (*data)[k] = found[k];
    free(found);
  }
  *count = have;
  return CUTTrue;
}
inline CUTBoolean cutReadFilef(const char* path, float** data, unsigned* count, bool = false) {
  return gt200_read_numbers(path, data, count);
}
inline CUTBoolean cutReadFilei(const char* path, int** data, unsigned* count, bool = false) {
  return gt200_read_numbers(path, data, count);
}
inline CUTBoolean cutWriteFilef(const char* path, const float* data, unsigned count, float, bool = false) {
  FILE* out = fopen(path, "w");
  if (out == NULL) return CUTFalse;
  for (unsigned k = 0; k < count; ++k) fprintf(out, "%g ", data[k]);
  return fclose(out) == 0 ? CUTTrue : CUTFalse;
}

// The header of a PGM (P5) or PPM (P6) file with 8 bits.
inline FILE* gt200_open_image(const char* path, char kind, unsigned* width, unsigned* height) {
  FILE* in = fopen(path, "rb");
  if (in == NULL) return NULL;
  char mark[3] = {0, 0, 0};
  unsigned numbers[3] = {0, 0, 0};
  bool good = fread(mark, 1, 2, in) == 2 && mark[0] == 'P' && mark[1] == kind;
  for (int k = 0; k < 3 && good; ++k) {
    int c = fgetc(in);
    while (isspace(c) || c == '#') {
      if (c == '#')
        while (c != '\n' && c != EOF) c = fgetc(in);
      c = fgetc(in);
    }
    ungetc(c, in);
    good = fscanf(in, "%u", &numbers[k]) == 1;
  }
  good = good && fgetc(in) != EOF && numbers[2] <= 255;
  if (!good) {
    fclose(in);
    return NULL;
  }
  *width = numbers[0];
  *height = numbers[1];
  return in;
}
inline CUTBoolean cutLoadPGMub(const char* path, unsigned char** data, unsigned* width, unsigned* height) {
  FILE* in = gt200_open_image(path, '5', width, height);
  if (in == NULL) return CUTFalse;
  const size_t count = (size_t)*width * *height;
  if (*data == NULL) *data = (unsigned char*)malloc(count);
  const bool good = fread(*data, 1, count, in) == count;
  fclose(in);
  return good ? CUTTrue : CUTFalse;
}
inline CUTBoolean cutLoadPGMf(const char* path, float** data, unsigned* width, unsigned* height) {
  unsigned char* bytes = NULL;
  if (!cutLoadPGMub(path, &bytes, width, height)) return CUTFalse;
  const size_t count = (size_t)*width * *height;
  if (*data == NULL) *data = (float*)malloc(count * sizeof(float));
  for (size_t k = 0; k < count; ++k) (*data)[k] = (float)bytes[k] / 255.0f;
  free(bytes);
  return CUTTrue;
}
inline CUTBoolean cutLoadPPM4ub(const char* path, unsigned char** data, unsigned* width, unsigned* height) {
  FILE* in = gt200_open_image(path, '6', width, height);
  if (in == NULL) return CUTFalse;
  const size_t count = (size_t)*width * *height;
  if (*data == NULL) *data = (unsigned char*)malloc(4 * count);
  bool good = true;
  for (size_t k = 0; k < count && good; ++k) {
    good = fread(*data + 4 * k, 1, 3, in) == 3;
    (*data)[4 * k + 3] = 0;
  }
  fclose(in);
  return good ? CUTTrue : CUTFalse;
}
inline CUTBoolean cutSavePGMub(const char* path, const unsigned char* data, unsigned width, unsigned height) {
  FILE* out = fopen(path, "wb");
  if (out == NULL) return CUTFalse;
  fprintf(out, "P5\n%u %u\n255\n", width, height);
  const size_t count = (size_t)width * height;
  const bool good = fwrite(data, 1, count, out) == count;
  return fclose(out) == 0 && good ? CUTTrue : CUTFalse;
}
inline CUTBoolean cutSavePGMf(const char* path, const float* data, unsigned width, unsigned height) {
  const size_t count = (size_t)width * height;
  unsigned char* bytes = (unsigned char*)malloc(count);
  for (size_t k = 0; k < count; ++k)
    bytes[k] = (unsigned char)(data[k] <= 0 ? 0 : data[k] >= 1 ? 255 : data[k] * 255.0f);
  const CUTBoolean good = cutSavePGMub(path, bytes, width, height);
  free(bytes);
  return good;
}
