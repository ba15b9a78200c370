// Textures read outside their image: all address modes, with and without filtering, compared with the definitions of the
// CUDA C programming guide 4.2, 3.2.10.1 and appendix E.
#include <math.h>
#include <stdio.h>

texture<float, 1> line;
texture<float, 2> plane;

enum { width = 8, height = 4, samples = 192 };

// Three times the image, from one extent before it to one behind it; in between texels as well as on their edges.
static __host__ __device__ float place(int i) { return -1.0f + i / 64.0f; }

__global__ void read_line(float* out, float scale) { out[threadIdx.x] = tex1D(line, scale * place(threadIdx.x)); }
__global__ void read_plane(float* out) {
  out[threadIdx.x] = tex2D(plane, place(threadIdx.x), place(samples - 1 - threadIdx.x));
}

static float image[height][width];

// The texel of a row; of the border 0.
static float texel(int x, int y, const cudaTextureAddressMode* mode) {
  if (mode[0] == cudaAddressModeBorder && (x < 0 || x >= width)) return 0;
  if (mode[1] == cudaAddressModeBorder && (y < 0 || y >= height)) return 0;
  if (mode[0] == cudaAddressModeWrap) x = (x + width) % width;
  if (mode[1] == cudaAddressModeWrap) y = (y + height) % height;
  x = x < 0 ? 0 : x >= width ? width - 1 : x;
  y = y < 0 ? 0 : y >= height ? height - 1 : y;
  return image[y][x];
}

// In extents of the image, as the modes of normalised coordinates convert it.
static double converted(double x, cudaTextureAddressMode mode) {
  const double whole = floor(x);
  if (mode == cudaAddressModeWrap) return x - whole;
  if (mode == cudaAddressModeMirror) return fmod(whole, 2) == 0 ? x - whole : 1 - (x - whole);
  return x;
}

static double expected(double x, double y, const cudaTextureAddressMode* mode, bool is_linear, bool is_plane) {
  x = converted(x, mode[0]) * width;
  y = is_plane ? converted(y, mode[1]) * height : 0;
  if (!is_linear) return texel((int)floor(x), (int)floor(y), mode);
  x -= 0.5;
  y -= is_plane ? 0.5 : 0;
  const int i = (int)floor(x), j = (int)floor(y);
  const double a = x - i, b = y - j;
  return (1 - a) * (1 - b) * texel(i, j, mode) + a * (1 - b) * texel(i + 1, j, mode) +
         (1 - a) * b * texel(i, j + 1, mode) + a * b * texel(i + 1, j + 1, mode);
}

static float* results;
static int failures;

static void compare(const char* what, const cudaTextureAddressMode* mode, bool is_linear, bool is_plane) {
  float got[samples];
  cudaMemcpy(got, results, sizeof got, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < samples; ++i)
    wrong += fabs(got[i] - expected(place(i), place(samples - 1 - i), mode, is_linear, is_plane)) > 1e-4;
  if (wrong != 0)
    printf("%s, modes %d and %d, %s: %d wrong\n", what, mode[0], mode[1], is_linear ? "linear" : "point", wrong);
  failures += wrong;
}

int main() {
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) image[y][x] = 1 + x + 16 * y;
  cudaMalloc((void**)&results, samples * sizeof(float));
  const cudaChannelFormatDesc one = cudaCreateChannelDesc<float>();
  cudaArray *flat, *row;
  cudaMallocArray(&row, &one, width, 0);
  cudaMemcpyToArray(row, 0, 0, image, sizeof image[0], cudaMemcpyHostToDevice);
  cudaMallocArray(&flat, &one, width, height);
  cudaMemcpyToArray(flat, 0, 0, image, sizeof image, cudaMemcpyHostToDevice);
  float* rows;
  size_t pitch;
  cudaMallocPitch((void**)&rows, &pitch, sizeof image[0], height);
  cudaMemcpy2D(rows, pitch, image, sizeof image[0], sizeof image[0], height, cudaMemcpyHostToDevice);

  const cudaTextureAddressMode modes[] = {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror,
                                          cudaAddressModeBorder};
  for (int k = 0; k < 8; ++k) {
    const bool is_linear = k % 2 != 0;
    const cudaTextureAddressMode first = modes[k / 2], second = modes[(k / 2 + 1) % 4];
    line.filterMode = plane.filterMode = is_linear ? cudaFilterModeLinear : cudaFilterModePoint;
    line.addressMode[0] = plane.addressMode[0] = first;
    plane.addressMode[1] = second;
    plane.normalized = line.normalized = 1;
    cudaBindTextureToArray(line, row);
    read_line<<<1, samples>>>(results, 1.0f);
    const cudaTextureAddressMode of_line[] = {first, cudaAddressModeClamp};
    compare("a line", of_line, is_linear, false);

    // Numbers of texels as coordinates: the image does not repeat.
    line.normalized = 0;
    cudaBindTextureToArray(line, row);
    read_line<<<1, samples>>>(results, width);
    const cudaTextureAddressMode not_repeated[] = {
        first == cudaAddressModeBorder ? cudaAddressModeBorder : cudaAddressModeClamp, cudaAddressModeClamp};
    compare("a line that is not normalised", not_repeated, is_linear, false);

    const cudaTextureAddressMode of_plane[] = {first, second};
    cudaBindTextureToArray(plane, flat);
    read_plane<<<1, samples>>>(results);
    compare("a plane", of_plane, is_linear, true);
    cudaBindTexture2D(0, plane, rows, one, width, height, pitch);
    read_plane<<<1, samples>>>(results);
    compare("a plane in rows", of_plane, is_linear, true);
  }
  printf("%d failures, %s\n", failures, cudaGetErrorString(cudaGetLastError()));
  return failures != 0;
}
