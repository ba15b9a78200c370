// The utilities of the SDK: options, timers, comparisons, files.
#include <cutil_inline.h>
#include <unistd.h>

__global__ void square(float* p) { p[threadIdx.x] *= p[threadIdx.x]; }

int main(int, char** own) {
  const char* argv[] = {"prog", "--size=12", "-verbose", "-scale=2.5", "--name=x"};
  const int argc = 5;
  int size = 0;
  float scale = 0;
  char* name = 0;
  CUT_SAFE_CALL(cutGetCmdLineArgumenti(argc, argv, "size", &size));
  CUT_SAFE_CALL(cutGetCmdLineArgumentf(argc, argv, "scale", &scale));
  CUT_SAFE_CALL(cutGetCmdLineArgumentstr(argc, argv, "name", &name));
  CUT_SAFE_CALL(size == 12 && scale == 2.5f && strcmp(name, "x") == 0);
  CUT_SAFE_CALL(cutCheckCmdLineFlag(argc, argv, "verbose") && !cutCheckCmdLineFlag(argc, argv, "verb"));

  unsigned timer = 0;
  cutCreateTimer(&timer);
  cutStartTimer(timer);
  float values[4] = {1, 2, 3, 4}, expected[4] = {1, 4, 9, 16};
  float* p;
  cutilSafeCall(cudaMalloc((void**)&p, sizeof values));
  cutilSafeCall(cudaMemcpy(p, values, sizeof values, cudaMemcpyHostToDevice));
  square<<<1, 4>>>(p);
  cutilCheckMsg("square");
  CUDA_SAFE_CALL(cudaMemcpy(values, p, sizeof values, cudaMemcpyDeviceToHost));
  cutStopTimer(timer);
  CUT_SAFE_CALL(cutGetTimerValue(timer) >= 0);
  CUT_SAFE_CALL(cutComparef(expected, values, 4) && cutCompareL2fe(expected, values, 4, 1e-6f));
  values[2] += 0.5f;
  CUT_SAFE_CALL(!cutComparef(expected, values, 4) && cutComparefe(expected, values, 4, 0.6f));

  char path[4096];
  snprintf(path, sizeof path, "%s.pgm", own[0]);
  const unsigned char pixels[6] = {0, 1, 2, 10, 13, 255};
  CUT_SAFE_CALL(cutSavePGMub(path, pixels, 3, 2));
  unsigned char* read = 0;
  unsigned width = 0, height = 0;
  CUT_SAFE_CALL(cutLoadPGMub(path, &read, &width, &height));
  CUT_SAFE_CALL(width == 3 && height == 2 && cutCompareub(pixels, read, 6));
  snprintf(path, sizeof path, "%s.txt", own[0]);
  CUT_SAFE_CALL(cutWriteFilef(path, expected, 4, 0));
  float* numbers = 0;
  unsigned count = 0;
  CUT_SAFE_CALL(cutReadFilef(path, &numbers, &count) && count == 4 && cutComparef(expected, numbers, 4));
  CUT_EXIT(argc, argv);
}
