// Surface objects: a kernel reads and writes the bytes of an array. An object is the address of a description in
// device memory; accesses are loads and stores of global memory. Coordinate x counts bytes.
#pragma once

enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero = 0, cudaBoundaryModeClamp = 1, cudaBoundaryModeTrap = 2 };
enum cudaSurfaceFormatMode { cudaFormatModeForced = 0, cudaFormatModeAuto = 1 };

#if defined(__CUDA__) && (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 200)
// As surface_description in cuda/protocol/commands.h.
struct gt200_surface {
  unsigned long long address;
  unsigned extent[3];
  unsigned block_height_log, block_depth_log;
  unsigned blocks_in_row, blocks_in_slice;

  GT200_MEMBER unsigned long long at(unsigned x, unsigned y, unsigned z) const {
    const unsigned block =
        (z >> block_depth_log) * blocks_in_slice + (y >> (2 + block_height_log)) * blocks_in_row + x / 64;
    const unsigned gob = (block << (block_height_log + block_depth_log)) +
                         ((z & ((1u << block_depth_log) - 1)) << block_height_log) +
                         (y / 4 & ((1u << block_height_log) - 1));
    return address + gob * 256ull + y % 4 * 64 + x % 64;
  }
};

// The address of a texel of so many bytes; 0 if there is none.
GT200_DEVICE unsigned long long gt200_in_surface(unsigned long long object, int bytes, int x, int y, int z,
                                                 cudaSurfaceBoundaryMode mode) {
  const gt200_surface& s = *reinterpret_cast<const gt200_surface*>(object);
  const int last[3] = {static_cast<int>(s.extent[0]) - bytes, static_cast<int>(s.extent[1]) - 1,
                       static_cast<int>(s.extent[2]) - 1};
  if (mode == cudaBoundaryModeClamp) {
    x = x < 0 ? 0 : x > last[0] ? last[0] : x;
    y = y < 0 ? 0 : y > last[1] ? last[1] : y;
    z = z < 0 ? 0 : z > last[2] ? last[2] : z;
  } else if (x < 0 || y < 0 || z < 0 || x > last[0] || y > last[1] || z > last[2]) {
    if (mode == cudaBoundaryModeTrap) __trap();
    return 0;
  }
  return s.at(x, y, z);
}

#define GT200_AND ,
#define GT200_SURFACE(SHAPE, COORDINATES, PLACE)                                              \
  template <class T>                                                                          \
  GT200_DEVICE T surf##SHAPE##read(unsigned long long object, COORDINATES,                    \
                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {     \
    const unsigned long long at = gt200_in_surface(object, sizeof(T), PLACE, mode);           \
    return at == 0 ? T() : *reinterpret_cast<const T*>(at);                                   \
  }                                                                                           \
  template <class T>                                                                          \
  GT200_DEVICE void surf##SHAPE##read(T* to, unsigned long long object, COORDINATES,          \
                                      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {  \
    const unsigned long long at = gt200_in_surface(object, sizeof(T), PLACE, mode);           \
    *to = at == 0 ? T() : *reinterpret_cast<const T*>(at);                                    \
  }                                                                                           \
  template <class T>                                                                          \
  GT200_DEVICE void surf##SHAPE##write(T value, unsigned long long object, COORDINATES,       \
                                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    const unsigned long long at = gt200_in_surface(object, sizeof(T), PLACE, mode);           \
    if (at != 0) *reinterpret_cast<T*>(at) = value;                                           \
  }
GT200_SURFACE(1D, int x, x GT200_AND 0 GT200_AND 0)
GT200_SURFACE(2D, int x GT200_AND int y, x GT200_AND y GT200_AND 0)
GT200_SURFACE(3D, int x GT200_AND int y GT200_AND int z, x GT200_AND y GT200_AND z)
// Layers and faces are slices.
GT200_SURFACE(1DLayered, int x GT200_AND int layer, x GT200_AND 0 GT200_AND layer)
GT200_SURFACE(2DLayered, int x GT200_AND int y GT200_AND int layer, x GT200_AND y GT200_AND layer)
GT200_SURFACE(Cubemap, int x GT200_AND int y GT200_AND int face, x GT200_AND y GT200_AND face)
GT200_SURFACE(CubemapLayered, int x GT200_AND int y GT200_AND int face, x GT200_AND y GT200_AND face)
#undef GT200_SURFACE
#undef GT200_AND
#endif
