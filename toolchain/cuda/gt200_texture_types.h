// Channel descriptors and texture references: the host sets how a texture is read, the device names it in fetches.
#pragma once

#include "gt200_types.h"

enum cudaChannelFormatKind {
  cudaChannelFormatKindSigned = 0,
  cudaChannelFormatKindUnsigned = 1,
  cudaChannelFormatKindFloat = 2,
  cudaChannelFormatKindNone = 3
};
struct cudaChannelFormatDesc {
  int x, y, z, w;  // bits
  enum cudaChannelFormatKind f;
};
enum cudaTextureAddressMode {
  cudaAddressModeWrap = 0,
  cudaAddressModeClamp = 1,
  cudaAddressModeMirror = 2,
  cudaAddressModeBorder = 3
};
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };

struct textureReference {
  int normalized;
  enum cudaTextureFilterMode filterMode;
  enum cudaTextureAddressMode addressMode[3];
  struct cudaChannelFormatDesc channelDesc;
  int sRGB;
  int __cudaReserved[15];
};
#ifndef __cplusplus
typedef enum cudaChannelFormatKind cudaChannelFormatKind;
typedef struct cudaChannelFormatDesc cudaChannelFormatDesc;
typedef struct textureReference textureReference;
#else
// Programs include cuda.h within extern "C".
extern "C++" {

#define cudaTextureType1D 1
#define cudaTextureType2D 2
#define cudaTextureType3D 3

// The channel descriptor of a type of texels.
template <class T>
struct gt200_channel_of;
#define GT200_CHANNEL(T, BITS, KIND, N)                                                                       \
  template <>                                                                                                 \
  struct gt200_channel_of<T> {                                                                                \
    static cudaChannelFormatDesc make() {                                                                     \
      return {BITS, (N) > 1 ? BITS : 0, (N) > 2 ? BITS : 0, (N) > 3 ? BITS : 0, cudaChannelFormatKind##KIND}; \
    }                                                                                                         \
  };
#define GT200_CHANNELS(T, V, BITS, KIND) \
  GT200_CHANNEL(T, BITS, KIND, 1)        \
  GT200_CHANNEL(V##1, BITS, KIND, 1)     \
  GT200_CHANNEL(V##2, BITS, KIND, 2)     \
  GT200_CHANNEL(V##3, BITS, KIND, 3)     \
  GT200_CHANNEL(V##4, BITS, KIND, 4)
GT200_CHANNELS(signed char, char, 8, Signed)
GT200_CHANNELS(unsigned char, uchar, 8, Unsigned)
GT200_CHANNELS(short, short, 16, Signed)
GT200_CHANNELS(unsigned short, ushort, 16, Unsigned)
GT200_CHANNELS(int, int, 32, Signed)
GT200_CHANNELS(unsigned, uint, 32, Unsigned)
GT200_CHANNELS(float, float, 32, Float)
GT200_CHANNEL(char, 8, Signed, 1)
#undef GT200_CHANNELS
#undef GT200_CHANNEL

template <class T>
inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  return gt200_channel_of<T>::make();
}

#ifdef __CUDA__
#define GT200_TEXTURE_TYPE __attribute__((device_builtin_texture_type))
#else
#define GT200_TEXTURE_TYPE
#endif
// In device code an object of this type is the handle of the texture, 64 bits.
template <class T, int dimensions = 1, cudaTextureReadMode mode = cudaReadModeElementType>
struct GT200_TEXTURE_TYPE texture : public textureReference {
  texture(int normalised = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
          cudaTextureAddressMode addressing = cudaAddressModeClamp)
      : texture(normalised, filter, addressing, cudaCreateChannelDesc<T>()) {}
  texture(int normalised, cudaTextureFilterMode filter, cudaTextureAddressMode addressing,
          cudaChannelFormatDesc description)
      : textureReference{normalised, filter, {addressing, addressing, addressing}, description, 0, {}} {}
};
}
#endif
