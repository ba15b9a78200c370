// Textures and surfaces with layers, and cube maps. Compute capability 2.0.
#include <cstdio>

constexpr int W = 8, H = 4, N = 5, THREADS = 64;

__host__ __device__ float texel(int x, int y, int layer) { return layer * 64 + y * 8 + x; }

// Between the texels of a row, and in the middle of one; the layer is out of range at both ends.
__global__ void images(cudaTextureObject_t whole, cudaTextureObject_t pixels, cudaTextureObject_t line, float* out) {
  const int t = threadIdx.x, x = t % W, layer = t / W - 1;
  out[t] = tex2DLayered<float>(whole, (x + 1.0f) / W, 2.5f / H, layer);
  out[THREADS + t] = tex2DLayered<float>(pixels, x + 0.5f, 1.5f, layer);
  tex1DLayered(out + 2 * THREADS + t, line, (x + 1.0f) / W, layer);
}

// A texel of each face, from the middle of the cube.
__global__ void faces(cudaTextureObject_t cube, float* out) {
  const int t = threadIdx.x, face = t / 16;
  const float s = (2 * (t % 4) + 1) / 4.0f - 1, u = (2 * (t / 4 % 4) + 1) / 4.0f - 1;
  const float along = 2 * (face % 2 == 0 ? 1.0f : -1.0f);
  const float x = face == 0 ? along : face == 1 ? along : face == 5 ? -2 * s : 2 * s;
  const float y = face == 2 || face == 3 ? along : -2 * u;
  const float z = face == 0 ? -2 * s : face == 1 ? 2 * s : face == 2 ? 2 * u : face == 3 ? -2 * u : along;
  out[t] = texCubemap<float>(cube, x, y, z);
}

__global__ void fill(cudaSurfaceObject_t to) {
  const int t = threadIdx.x;
  surf2DLayeredwrite(texel(t % W, t / W % H, blockIdx.x), to, t % W * 4, t / W, blockIdx.x);
}
__global__ void sum(cudaSurfaceObject_t from, float* out) {
  float all = 0;
  for (int layer = 0; layer < N; ++layer) all += surf2DLayeredread<float>(from, threadIdx.x % W * 4, 3, layer);
  out[threadIdx.x] = all;
}

static int failures;
static void expect(const char* what, int i, float got, float right) {
  if (got != right && ++failures < 10) std::printf("%s, %d: %g instead of %g\n", what, i, got, right);
}

static cudaArray_t array_of(const float* texels, int w, int h, int n, unsigned flags) {
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc description = cudaCreateChannelDesc<float>();
  if (cudaMalloc3DArray(&array, &description, make_cudaExtent(w, h, n), flags) != cudaSuccess) ++failures;
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(const_cast<float*>(texels), w * sizeof(float), w, h == 0 ? 1 : h);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(w, h == 0 ? 1 : h, n);
  copy.kind = cudaMemcpyHostToDevice;
  if (texels != nullptr && cudaMemcpy3D(&copy) != cudaSuccess) ++failures;
  return array;
}

static cudaTextureObject_t texture_of(cudaArray_t array, bool normalised, cudaTextureAddressMode beyond) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc reading = {};
  reading.normalizedCoords = normalised;
  reading.filterMode = cudaFilterModeLinear;
  for (auto& mode : reading.addressMode) mode = beyond;
  cudaTextureObject_t made = 0;
  if (cudaCreateTextureObject(&made, &resource, &reading, nullptr) != cudaSuccess) ++failures;
  return made;
}

int main() {
  float texels[N * W * H], got[3 * THREADS], cube[6 * 16];
  for (int i = 0; i < N * W * H; ++i) texels[i] = texel(i % W, i / W % H, i / (W * H));
  for (int i = 0; i < 96; ++i) cube[i] = i * i;
  float* out;
  cudaMalloc(&out, sizeof got);
  const cudaArray_t planes = array_of(texels, W, H, N, cudaArrayLayered);
  const cudaArray_t lines = array_of(texels, W, 0, N, cudaArrayLayered);
  images<<<1, THREADS>>>(texture_of(planes, true, cudaAddressModeWrap), texture_of(planes, false, cudaAddressModeClamp),
                         texture_of(lines, true, cudaAddressModeClamp), out);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  for (int t = 0; t < THREADS; ++t) {
    const int x = t % W, layer = t / W == 0 ? 0 : t / W > N ? N - 1 : t / W - 1;
    expect("filtered", t, got[t], (texel(x, 2, layer) + texel((x + 1) % W, 2, layer)) / 2);
    expect("a pixel", t, got[THREADS + t], texel(x, 1, layer));
    expect("a line", t, got[2 * THREADS + t],
           (texels[layer * W + x] + texels[layer * W + (x + 1 < W ? x + 1 : x)]) / 2);
  }

  faces<<<1, 96>>>(texture_of(array_of(cube, 4, 4, 6, cudaArrayCubemap), true, cudaAddressModeClamp), out);
  cudaMemcpy(got, out, sizeof cube, cudaMemcpyDeviceToHost);
  for (int t = 0; t < 96; ++t) expect("a face", t, got[t], t * t);

  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array_of(nullptr, W, H, N, cudaArrayLayered | cudaArraySurfaceLoadStore);
  cudaSurfaceObject_t surface = 0;
  if (cudaCreateSurfaceObject(&surface, &resource) != cudaSuccess) ++failures;
  fill<<<N, W * H>>>(surface);
  sum<<<1, W>>>(surface, out);
  cudaMemcpy(got, out, W * sizeof(float), cudaMemcpyDeviceToHost);
  for (int x = 0; x < W; ++x) expect("all layers", x, got[x], N * texel(x, 3, 0) + 64 * (0 + 1 + 2 + 3 + 4));

  cudaArray_t none = nullptr;
  const cudaChannelFormatDesc description = cudaCreateChannelDesc<float>();
  if (cudaMalloc3DArray(&none, &description, make_cudaExtent(4, 3, 6), cudaArrayCubemap) != cudaErrorInvalidValue ||
      cudaMalloc3DArray(&none, &description, make_cudaExtent(4, 4, 7), cudaArrayCubemap | cudaArrayLayered) !=
          cudaErrorInvalidValue)
    ++failures;
  cudaGetLastError();
  expect("no error", 0, cudaDeviceSynchronize(), 0);
  std::printf("%d failures\n", failures);
  return failures != 0;
}
