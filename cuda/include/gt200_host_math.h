// Mathematical functions of the device that the host's <math.h> lacks; programs call them on both sides.
#pragma once

#include <math.h>

#define GT200_HOST static inline __attribute__((host))

// Functions of an argument in double precision, of a float, and the form of C++ for a float.
#define GT200_HOST_FUNCTION(NAME, VALUE)                               \
  GT200_HOST double NAME(double x) { return VALUE; }                   \
  GT200_HOST float NAME##f(float x) { return (float)NAME((double)x); } \
  GT200_HOST float NAME(float x) { return NAME##f(x); }
#if !defined(__GLIBC_PREREQ) || !__GLIBC_PREREQ(2, 41)
GT200_HOST_FUNCTION(sinpi, sin(3.1415926535897931 * (x - 2.0 * rint(0.5 * x))))
GT200_HOST_FUNCTION(cospi, cos(3.1415926535897931 * (x - 2.0 * rint(0.5 * x))))
#endif
#if !defined(__GLIBC_PREREQ) || !__GLIBC_PREREQ(2, 42)
GT200_HOST_FUNCTION(rsqrt, 1.0 / sqrt(x))
#endif
GT200_HOST_FUNCTION(rcbrt, 1.0 / cbrt(x))
GT200_HOST_FUNCTION(normcdf, 0.5 * erfc(-0.70710678118654752 * x))
#undef GT200_HOST_FUNCTION
GT200_HOST double rhypot(double x, double y) { return 1.0 / hypot(x, y); }
GT200_HOST float rhypotf(float x, float y) { return (float)rhypot((double)x, (double)y); }
GT200_HOST double norm3d(double x, double y, double z) { return hypot(hypot(x, y), z); }
GT200_HOST float norm3df(float x, float y, float z) { return (float)norm3d((double)x, (double)y, (double)z); }
GT200_HOST double norm4d(double x, double y, double z, double w) { return hypot(hypot(x, y), hypot(z, w)); }
GT200_HOST float norm4df(float x, float y, float z, float w) {
  return (float)norm4d((double)x, (double)y, (double)z, (double)w);
}
GT200_HOST double rnorm3d(double x, double y, double z) { return 1.0 / norm3d(x, y, z); }
GT200_HOST float rnorm3df(float x, float y, float z) { return (float)rnorm3d((double)x, (double)y, (double)z); }
GT200_HOST void sincospi(double x, double* s, double* c) {
  *s = sinpi(x);
  *c = cospi(x);
}
GT200_HOST void sincospif(float x, float* s, float* c) {
  *s = sinpif(x);
  *c = cospif(x);
}
#undef GT200_HOST
