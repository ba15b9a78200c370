// Fetches from textures: `texture<float, 2> image;` outside functions declares one, tex2D(image, x, y) reads it. A
// launch description binds it by name or unit, a host program with cudaBindTexture and the like.
#pragma once

#include "gt200_texture_types.h"

// A fetch gives four words, whatever their type.
struct gt200_texel_words {
  float x, y, z, w;
};
template <class T>
struct gt200_texel;
#define GT200_TEXEL(T, ...)                         \
  template <>                                       \
  struct gt200_texel<T> {                           \
    static GT200_MEMBER T of(gt200_texel_words t) { \
      typedef T texel;                              \
      return texel{__VA_ARGS__};                    \
    }                                               \
  };
#define GT200_WORD(T, C) static_cast<T>(__builtin_bit_cast(int, t.C))
#define GT200_TEXELS(T, V)                              \
  GT200_TEXEL(T, GT200_WORD(T, x))                      \
  GT200_TEXEL(V##1, GT200_WORD(T, x))                   \
  GT200_TEXEL(V##2, GT200_WORD(T, x), GT200_WORD(T, y)) \
  GT200_TEXEL(V##4, GT200_WORD(T, x), GT200_WORD(T, y), GT200_WORD(T, z), GT200_WORD(T, w))
GT200_TEXELS(signed char, char)
GT200_TEXELS(unsigned char, uchar)
GT200_TEXELS(short, short)
GT200_TEXELS(unsigned short, ushort)
GT200_TEXELS(int, int)
GT200_TEXELS(unsigned, uint)
GT200_TEXEL(char, GT200_WORD(char, x))
GT200_TEXEL(float, t.x)
GT200_TEXEL(float1, t.x)
GT200_TEXEL(float2, t.x, t.y)
GT200_TEXEL(float4, t.x, t.y, t.z, t.w)
#undef GT200_TEXELS
#undef GT200_WORD
#undef GT200_TEXEL

// Result of a fetch: the texel, or floats of as many components.
template <class T, cudaTextureReadMode mode>
struct gt200_fetched {
  typedef T type;
};
#define GT200_NORMALISED(T, V)                              \
  template <>                                               \
  struct gt200_fetched<T, cudaReadModeNormalizedFloat> {    \
    typedef float type;                                     \
  };                                                        \
  template <>                                               \
  struct gt200_fetched<V##1, cudaReadModeNormalizedFloat> { \
    typedef float1 type;                                    \
  };                                                        \
  template <>                                               \
  struct gt200_fetched<V##2, cudaReadModeNormalizedFloat> { \
    typedef float2 type;                                    \
  };                                                        \
  template <>                                               \
  struct gt200_fetched<V##4, cudaReadModeNormalizedFloat> { \
    typedef float4 type;                                    \
  };
GT200_NORMALISED(signed char, char)
GT200_NORMALISED(unsigned char, uchar)
GT200_NORMALISED(short, short)
GT200_NORMALISED(unsigned short, ushort)
#undef GT200_NORMALISED

#define GT200_AND ,
GT200_FETCH(tex1Dfetch, 1, "tex.1d.v4.f32.s32", "{%5, %5, %5, %5}", int x, GT200_COORDINATE("r", x))
GT200_FETCH(tex1D, 1, "tex.1d.v4.f32.f32", "{%5, %5, %5, %5}", float x, GT200_COORDINATE("f", x))
GT200_FETCH(tex2D, 2, "tex.2d.v4.f32.f32", "{%5, %6, %6, %6}", float x GT200_AND float y, GT200_COORDINATE("f", x),
            GT200_COORDINATE("f", y))
GT200_FETCH(tex3D, 3, "tex.3d.v4.f32.f32", "{%5, %6, %7, %7}", float x GT200_AND float y GT200_AND float z,
            GT200_COORDINATE("f", x), GT200_COORDINATE("f", y), GT200_COORDINATE("f", z))
#undef GT200_AND
#undef GT200_FETCH
#undef GT200_COORDINATE

// Fetches of texture objects. The kernel gets the handle as a parameter; T is the type of a texel, or float for
// normalised values.
#ifndef GT200_CPU
#define GT200_OBJECT_FETCH(NAME, INSTRUCTION, COORDINATES, PARAMETERS, GIVEN, ...) \
  template <class T>                                                               \
  GT200_DEVICE T NAME(unsigned long long texture, PARAMETERS) {                    \
    gt200_texel_words words;                                                       \
    asm(INSTRUCTION " {%0, %1, %2, %3}, [%4, " COORDINATES "];"                    \
        : "=f"(words.x), "=f"(words.y), "=f"(words.z), "=f"(words.w)               \
        : "l"(texture), __VA_ARGS__);                                              \
    return gt200_texel<T>::of(words);                                              \
  }                                                                                \
  template <class T>                                                               \
  GT200_DEVICE void NAME(T* to, unsigned long long texture, PARAMETERS) {          \
    *to = NAME<T>(texture, GIVEN);                                                 \
  }
#define GT200_AND ,
GT200_OBJECT_FETCH(tex1Dfetch, "tex.1d.v4.f32.s32", "{%5, %5, %5, %5}", int x, x, "r"(x))
GT200_OBJECT_FETCH(tex1D, "tex.1d.v4.f32.f32", "{%5, %5, %5, %5}", float x, x, "f"(x))
GT200_OBJECT_FETCH(tex2D, "tex.2d.v4.f32.f32", "{%5, %6, %6, %6}", float x GT200_AND float y, x GT200_AND y, "f"(x),
                   "f"(y))
GT200_OBJECT_FETCH(tex3D, "tex.3d.v4.f32.f32", "{%5, %6, %7, %7}", float x GT200_AND float y GT200_AND float z,
                   x GT200_AND y GT200_AND z, "f"(x), "f"(y), "f"(z))
#undef GT200_OBJECT_FETCH

// An image with layers has three dimensions here, and a layer is read in the middle of its slice, where a filter
// takes no other. The handle has the number of slices from bit 32 on; its highest bit says that coordinates are
// normalised.
GT200_DEVICE float gt200_slice(unsigned long long texture, int layer) {
  const int last = static_cast<int>(texture >> 32 & 0x7fffffff) - 1;
  const float z = (layer < 0 ? 0 : layer > last ? last : layer) + 0.5f;
  return static_cast<long long>(texture) < 0 ? z / (last + 1) : z;
}
// The face of a cube that a direction meets, and where: 0 and 1 are its edges.
struct gt200_on_cube {
  int face;
  float s, t;
};
GT200_DEVICE gt200_on_cube gt200_meets_cube(float x, float y, float z) {
  const float a = __builtin_fabsf(x), b = __builtin_fabsf(y), c = __builtin_fabsf(z);
  gt200_on_cube p;
  float m = a;
  if (a >= b && a >= c)
    p = {x < 0, x < 0 ? z : -z, -y};
  else if (b >= c)
    m = b, p = {2 + (y < 0), x, y < 0 ? -z : z};
  else
    m = c, p = {4 + (z < 0), z < 0 ? -x : x, -y};
  return {p.face, (p.s / m + 1) / 2, (p.t / m + 1) / 2};
}
#define GT200_LAYERED(NAME, PARAMETERS, GIVEN, POINT, ...)                \
  template <class T>                                                      \
  GT200_DEVICE T NAME(unsigned long long texture, PARAMETERS) {           \
    POINT return tex3D<T>(texture, __VA_ARGS__);                          \
  }                                                                       \
  template <class T>                                                      \
  GT200_DEVICE void NAME(T* to, unsigned long long texture, PARAMETERS) { \
    *to = NAME<T>(texture, GIVEN);                                        \
  }
GT200_LAYERED(tex1DLayered, float x GT200_AND int layer, x GT200_AND layer, , x, 0.5f, gt200_slice(texture, layer))
GT200_LAYERED(tex2DLayered, float x GT200_AND float y GT200_AND int layer, x GT200_AND y GT200_AND layer, , x, y,
              gt200_slice(texture, layer))
GT200_LAYERED(texCubemap, float x GT200_AND float y GT200_AND float z, x GT200_AND y GT200_AND z,
              const gt200_on_cube p = gt200_meets_cube(x, y, z);
              , p.s, p.t, gt200_slice(texture, p.face))
GT200_LAYERED(texCubemapLayered, float x GT200_AND float y GT200_AND float z GT200_AND int layer,
              x GT200_AND y GT200_AND z GT200_AND layer, const gt200_on_cube p = gt200_meets_cube(x, y, z);
              , p.s, p.t, gt200_slice(texture, 6 * layer + p.face))
#undef GT200_AND
#undef GT200_LAYERED
#endif
