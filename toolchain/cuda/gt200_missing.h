// Functions that device code cannot have here. The names are declared so that clang's message says what is missing.
#pragma once

#if defined(__CUDA__) && !defined(GT200_CPU)
template <class T, int dimensions = 1>
struct __attribute__((unavailable("surface references are not supported: surface objects are"))) surface {};
#define GT200_NO_REFERENCE(name)                                                                                \
  template <class Texel = void, class T, int dimensions, class... Arguments>                                    \
  __attribute__((device, unavailable("surface references are not supported: surface objects are"))) Texel name( \
      surface<T, dimensions>, Arguments...);
GT200_NO_REFERENCE(surf1Dread)
GT200_NO_REFERENCE(surf2Dread)
GT200_NO_REFERENCE(surf3Dread)
#undef GT200_NO_REFERENCE

// Functions of a surface or texture object and coordinates of any kind, with the type of a texel or without.
#define GT200_MISSING(name, reason)                 \
  template <class Texel = void, class... Arguments> \
  __attribute__((device, unavailable(reason))) Texel name(Arguments...);
#define GT200_NO_SURFACE(shape, reason)    \
  GT200_MISSING(surf##shape##read, reason) \
  GT200_MISSING(surf##shape##write, reason)
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 200
GT200_NO_SURFACE(1D, "surfaces need compute capability 2.0")
GT200_NO_SURFACE(2D, "surfaces need compute capability 2.0")
GT200_NO_SURFACE(3D, "surfaces need compute capability 2.0")
GT200_NO_SURFACE(1DLayered, "surfaces need compute capability 2.0")
GT200_NO_SURFACE(2DLayered, "surfaces need compute capability 2.0")
GT200_NO_SURFACE(Cubemap, "surfaces need compute capability 2.0")
GT200_NO_SURFACE(CubemapLayered, "surfaces need compute capability 2.0")
#endif
#undef GT200_NO_SURFACE
GT200_MISSING(tex2Dgather, "gathers of texels are not supported")
#define GT200_NO_LEVELS(shape)                                         \
  GT200_MISSING(tex##shape##Lod, "levels of detail are not supported") \
  GT200_MISSING(tex##shape##Grad, "levels of detail are not supported")
GT200_NO_LEVELS(1D)
GT200_NO_LEVELS(2D)
GT200_NO_LEVELS(3D)
#undef GT200_NO_LEVELS
#undef GT200_MISSING
#endif
