// Texture references of all kinds of memory, arrays, and their copies.
#include <stdio.h>

texture<float, 2, cudaReadModeElementType> image;
texture<uchar4, 2, cudaReadModeNormalizedFloat> colours;
static texture<int2, 1> pairs;
texture<float, 3> volume;

__global__ void fetch(float* out, int width, int height) {
  int x = threadIdx.x, y = blockIdx.x;
  float4 c = tex2D(colours, x + 0.5f, y + 0.5f);
  int2 p = tex1Dfetch(pairs, y * width + x);
  out[y * width + x] = tex2D(image, (x + 0.5f) / width, (y + 0.5f) / height) + 255 * c.z + p.y +
                       tex3D(volume, x + 0.5f, y + 0.5f, 1.5f);
}

int main() {
  const int width = 20, height = 6, n = width * height;
  float plane[n];
  uchar4 colour[n];
  int2 pair[n];
  float cube[2 * n];
  for (int i = 0; i < n; ++i) {
    plane[i] = i * 0.25f;
    colour[i] = make_uchar4(1, 2, i, 3);
    pair[i] = make_int2(-1, 1000 * i);
    cube[i] = -1;
    cube[n + i] = 0.125f * i;
  }
  cudaChannelFormatDesc one = cudaCreateChannelDesc<float>();
  cudaArray *flat, *deep;
  cudaMallocArray(&flat, &one, width, height);
  cudaMemcpyToArray(flat, 0, 0, plane, sizeof plane, cudaMemcpyHostToDevice);
  image.normalized = true;
  image.filterMode = cudaFilterModePoint;
  image.addressMode[0] = image.addressMode[1] = cudaAddressModeWrap;
  cudaBindTextureToArray(image, flat, one);

  uchar4* rows;
  size_t pitch;
  cudaMallocPitch(&rows, &pitch, width * sizeof(uchar4), height);
  cudaMemcpy2D(rows, pitch, colour, width * sizeof(uchar4), width * sizeof(uchar4), height, cudaMemcpyHostToDevice);
  cudaChannelFormatDesc four = cudaCreateChannelDesc(8, 8, 8, 8, cudaChannelFormatKindUnsigned);
  cudaBindTexture2D(0, colours, rows, four, width, height, pitch);

  int2* list;
  cudaMalloc(&list, sizeof pair);
  cudaMemcpy(list, pair, sizeof pair, cudaMemcpyHostToDevice);
  cudaBindTexture(0, pairs, list, sizeof pair);

  cudaMalloc3DArray(&deep, &one, make_cudaExtent(width, height, 2));
  cudaMemcpy3DParms copy = {0};
  copy.srcPtr = make_cudaPitchedPtr(cube, width * sizeof(float), width, height);
  copy.dstArray = deep;
  copy.extent = make_cudaExtent(width, height, 2);
  copy.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&copy);
  cudaBindTextureToArray(volume, deep);

  float* out;
  cudaMalloc(&out, n * sizeof(float));
  fetch<<<height, width>>>(out, width, height);
  float got[n], back[n];
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  cudaMemcpyFromArray(back, flat, 0, 0, sizeof back, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    float expected = plane[i] + i + 1000 * i + cube[n + i];
    wrong += got[i] < expected - 0.02f || got[i] > expected + 0.02f;
    wrong += back[i] != plane[i];
  }
  printf("%d wrong, %s\n", wrong, cudaGetErrorString(cudaGetLastError()));
  return wrong != 0;
}
