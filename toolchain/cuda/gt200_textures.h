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
#undef GT200_AND
#undef GT200_OBJECT_FETCH
#endif
