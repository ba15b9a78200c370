// Surface objects of arrays of one to three dimensions: every texel moves to its place, and accesses outside are
// zero or clamped. Compute capability 2.0. Code 0 if right.
#include <cstdio>
#include <cstring>
#include <vector>

#include <cuda.h>

static int failures = 0;
static void is(bool holds, const char* what) {
  if (!holds) std::printf("%s\n", what), ++failures;
}

template <class T>
__device__ T changed(T texel);
template <>
__device__ unsigned char changed(unsigned char t) {
  return t + 1;
}
template <>
__device__ ushort2 changed(ushort2 t) {
  return make_ushort2(t.y, t.x + 3);
}
template <>
__device__ float4 changed(float4 t) {
  return make_float4(t.w, t.z, t.y, t.x + 1);
}

// From one surface to another, mirrored in all dimensions.
template <class T, int dimensions>
__global__ void mirror(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int3 size) {
  const int bytes = sizeof(T);
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, z = blockIdx.z;
  if (x >= size.x) return;
  T texel;
  if (dimensions == 1) {
    texel = surf1Dread<T>(from, x * bytes);
    surf1Dwrite(changed(texel), to, (size.x - 1 - x) * bytes);
  } else if (dimensions == 2) {
    surf2Dread(&texel, from, x * bytes, y);
    surf2Dwrite(changed(texel), to, (size.x - 1 - x) * bytes, size.y - 1 - y, cudaBoundaryModeZero);
  } else {
    surf3Dread(&texel, from, x * bytes, y, z, cudaBoundaryModeClamp);
    surf3Dwrite(changed(texel), to, (size.x - 1 - x) * bytes, size.y - 1 - y, size.z - 1 - z);
  }
}

// Bytes of a texel on the host.
static void change(const unsigned char* t, unsigned char* to, unsigned char*) {
  *to = static_cast<unsigned char>(*t + 1);
}
static void change(const unsigned char* t, unsigned char* to, ushort2*) {
  unsigned short v[2];
  std::memcpy(v, t, 4);
  const unsigned short r[2] = {v[1], static_cast<unsigned short>(v[0] + 3)};
  std::memcpy(to, r, 4);
}
static void change(const unsigned char* t, unsigned char* to, float4*) {
  float v[4];
  std::memcpy(v, t, 16);
  const float r[4] = {v[3], v[2], v[1], v[0] + 1};
  std::memcpy(to, r, 16);
}

static void copy(cudaArray_t array, void* memory, size_t pitch, int3 size, bool to_array) {
  cudaMemcpy3DParms p = {};
  const cudaPitchedPtr host = make_cudaPitchedPtr(memory, pitch, size.x, size.y > 0 ? size.y : 1);
  p.extent = make_cudaExtent(size.x, size.y > 0 ? size.y : 1, size.z > 0 ? size.z : 1);
  if (to_array)
    p.srcPtr = host, p.dstArray = array, p.kind = cudaMemcpyHostToDevice;
  else
    p.dstPtr = host, p.srcArray = array, p.kind = cudaMemcpyDeviceToHost;
  is(cudaMemcpy3D(&p) == cudaSuccess, "copy");
}

static cudaSurfaceObject_t surface_of(cudaArray_t array) {
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = array;
  cudaSurfaceObject_t made = 0;
  is(cudaCreateSurfaceObject(&made, &r) == cudaSuccess, "create");
  cudaResourceDesc same = {};
  is(cudaGetSurfaceObjectResourceDesc(&same, made) == cudaSuccess && same.res.array.array == array, "description");
  return made;
}

template <class T, int dimensions>
static void mirrored(int3 size, const char* what) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  cudaArray_t arrays[2];
  cudaSurfaceObject_t surfaces[2];
  for (int k = 0; k < 2; ++k) {
    is(cudaMalloc3DArray(&arrays[k], &format, make_cudaExtent(size.x, size.y, size.z), cudaArraySurfaceLoadStore) ==
           cudaSuccess,
       what);
    surfaces[k] = surface_of(arrays[k]);
  }
  const int rows = size.y > 0 ? size.y : 1, slices = size.z > 0 ? size.z : 1;
  const int texels = size.x * rows * slices;
  std::vector<unsigned char> in(texels * sizeof(T)), out(in.size()), wanted(in.size());
  for (size_t k = 0; k < in.size(); ++k) in[k] = static_cast<unsigned char>((k * 2654435761u >> 13) & 0x3f);
  for (int t = 0; t < texels; ++t)
    change(&in[t * sizeof(T)], &wanted[(texels - 1 - t) * sizeof(T)], static_cast<T*>(nullptr));
  copy(arrays[0], in.data(), size.x * sizeof(T), size, true);
  mirror<T, dimensions>
      <<<dim3((size.x + 31) / 32, rows, slices), 32>>>(surfaces[0], surfaces[1], make_int3(size.x, rows, slices));
  is(cudaDeviceSynchronize() == cudaSuccess, what);
  copy(arrays[1], out.data(), size.x * sizeof(T), size, false);
  is(out == wanted, what);
  for (int k = 0; k < 2; ++k) {
    is(cudaDestroySurfaceObject(surfaces[k]) == cudaSuccess, "destroy");
    is(cudaDestroySurfaceObject(surfaces[k]) == cudaErrorInvalidValue, "destroy again");
    is(cudaFreeArray(arrays[k]) == cudaSuccess, "free");
  }
}

__global__ void edges(cudaSurfaceObject_t s, int* out) {
  out[0] = surf2Dread<int>(s, -4, 0, cudaBoundaryModeZero);
  out[1] = surf2Dread<int>(s, 40, 0, cudaBoundaryModeClamp);
  out[2] = surf2Dread<int>(s, -400, 300, cudaBoundaryModeClamp);
  surf2Dwrite(77, s, 40, 2, cudaBoundaryModeZero);
  surf2Dwrite(78, s, 0, 3, cudaBoundaryModeZero);
  surf2Dwrite(79, s, 400, -1, cudaBoundaryModeClamp);
}
__global__ void fetch(cudaTextureObject_t t, int* out) { out[0] = tex2D<int>(t, 9, 0); }

int main() {
  mirrored<unsigned char, 1>(make_int3(203, 0, 0), "1D, bytes");
  mirrored<float4, 1>(make_int3(70, 0, 0), "1D, four floats");
  mirrored<unsigned char, 2>(make_int3(131, 77, 0), "2D, bytes");
  mirrored<ushort2, 2>(make_int3(67, 9, 0), "2D, two shorts");
  mirrored<float4, 2>(make_int3(5, 70, 0), "2D, four floats");
  mirrored<ushort2, 3>(make_int3(35, 21, 11), "3D, two shorts");

  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, 10, 3, cudaArraySurfaceLoadStore);
  int texels[30], *out, edge[3];
  for (int k = 0; k < 30; ++k) texels[k] = 100 + k;
  copy(array, texels, 40, make_int3(10, 3, 0), true);
  const cudaSurfaceObject_t s = surface_of(array);
  cudaMalloc(&out, sizeof edge);
  edges<<<1, 1>>>(s, out);
  cudaMemcpy(edge, out, sizeof edge, cudaMemcpyDeviceToHost);
  is(edge[0] == 0 && edge[1] == 109 && edge[2] == 120, "reads outside");
  copy(array, texels, 40, make_int3(10, 3, 0), false);
  for (int k = 0; k < 30; ++k) is(texels[k] == (k == 9 ? 79 : 100 + k), "writes outside");
  // A texture reads what a surface has written.
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = array;
  cudaTextureDesc reading = {};
  cudaTextureObject_t t;
  is(cudaCreateTextureObject(&t, &r, &reading, nullptr) == cudaSuccess, "texture");
  fetch<<<1, 1>>>(t, out);
  cudaMemcpy(edge, out, 4, cudaMemcpyDeviceToHost);
  is(edge[0] == 79, "texture of a written surface");

  CUDA_RESOURCE_DESC same = {};
  same.resType = CU_RESOURCE_TYPE_ARRAY;
  same.res.array.hArray = reinterpret_cast<CUarray>(array);
  CUsurfObject by_driver;
  is(cuSurfObjectCreate(&by_driver, &same) == CUDA_SUCCESS, "driver");
  edges<<<1, 1>>>(by_driver, out);
  cudaMemcpy(edge, out, sizeof edge, cudaMemcpyDeviceToHost);
  is(edge[1] == 79, "surface of the driver API");
  is(cuSurfObjectDestroy(by_driver) == CUDA_SUCCESS, "driver");

  std::puts(failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
