#include "toolchain/ptx/tesla/library.h"

#include <string>

#include "toolchain/ptx/library.h"

namespace gt200::ptx::tesla {
namespace {

constexpr const char* single_precision = R"(
// n = floor(2^24 ma / mb): an estimate, corrected by its remainder; one bit more than the result, which is then rounded.
.func (.reg .f32 q) __gt200_div_f32 (.reg .f32 a, .reg .f32 b) {
  .reg .u32 ua, ub, sign, ea, eb, ma, mb, n, d, rest;  .reg .s32 e;  .reg .f32 fa, fb, y, t;  .reg .pred p, z;
  mov.b32 ua, a;  mov.b32 ub, b;
  xor.b32 sign, ua, ub;  and.b32 sign, sign, 0x80000000;
  shr.u32 ea, ua, 23;  and.b32 ea, ea, 255;  shr.u32 eb, ub, 23;  and.b32 eb, eb, 255;
  sub.u32 n, eb, 1;  setp.gt.u32 z, n, 253;
  sub.u32 n, ea, 1;  setp.gt.or.u32 p, n, 253, z;
  @p bra SPECIAL;
  and.b32 ma, ua, 0x7fffff;  or.b32 ma, ma, 0x800000;  and.b32 mb, ub, 0x7fffff;  or.b32 mb, mb, 0x800000;
  sub.s32 e, ea, eb;  add.s32 e, e, 126;
  setp.lt.u32 p, ma, mb;
  @p shl.b32 ma, ma, 1;
  @p sub.s32 e, e, 1;
  cvt.rn.f32.u32 fb, mb;  rcp.approx.f32 y, fb;  cvt.rz.f32.u32 fa, ma;
  mul.rz.f32 t, fa, y;  mul.rz.f32 t, t, 0f4B800000;  cvt.rzi.u32.f32 n, t;
  shl.b32 rest, ma, 24;  mul.lo.u32 d, n, mb;  sub.u32 rest, rest, d;
  cvt.rn.f32.s32 t, rest;  mul.rn.f32 t, t, y;  cvt.rni.s32.f32 d, t;
  add.u32 n, n, d;  mul.lo.u32 d, d, mb;  sub.u32 rest, rest, d;
  setp.lt.s32 p, rest, 0;
  @p add.u32 rest, rest, mb;
  @p sub.u32 n, n, 1;
  and.b32 d, n, 1;  shr.u32 n, n, 1;
  setp.ne.u32 p, rest, 0;  selp.u32 rest, 1, 0, p;  or.b32 rest, rest, n;  and.b32 d, d, rest;  add.u32 n, n, d;
  shl.b32 d, e, 23;  add.u32 n, n, d;
  setp.lt.s32 p, n, 0x800000;  selp.u32 n, 0, n, p;
  setp.gt.s32 p, e, 253;  selp.u32 n, 0x7f800000, n, p;
  or.b32 n, n, sign;  mov.b32 q, n;
  bra DONE;
SPECIAL:
  and.b32 d, ub, 0x80000000;  or.b32 d, d, 0x3f800000;  selp.u32 d, ub, d, z;
  mov.b32 fb, d;  rcp.approx.f32 y, fb;  mul.rn.f32 q, a, y;
DONE:
}
.func (.reg .f32 q) __gt200_rcp_f32 (.reg .f32 a) {
  call (q), __gt200_div_f32, (0f3F800000, a);
}
// n = floor(sqrt(m 2^s)), s = 25 or 26 so that the exponent is even.
.func (.reg .f32 q) __gt200_sqrt_f32 (.reg .f32 a) {
  .reg .u32 ua, e, m, s, n, d;  .reg .s32 rest;  .reg .f32 f, y, t;  .reg .pred p;
  mov.b32 ua, a;  shr.u32 e, ua, 23;
  sub.u32 n, e, 1;  setp.gt.u32 p, n, 253;
  @p bra SPECIAL;
  and.b32 m, ua, 0x7fffff;  or.b32 m, m, 0x800000;
  and.b32 d, e, 1;  sub.u32 s, 26, d;
  sub.u32 d, s, 24;  shl.b32 d, m, d;  cvt.rn.f32.u32 f, d;
  rsqrt.approx.f32 y, f;  mul.rn.f32 t, f, y;  mul.rn.f32 t, t, 0f45800000;  cvt.rzi.u32.f32 n, t;
  shl.b32 m, m, s;  mul.lo.u32 d, n, n;  sub.s32 rest, m, d;
  cvt.rn.f32.s32 t, rest;  mul.rn.f32 t, t, y;  mul.rn.f32 t, t, 0f39000000;  cvt.rni.s32.f32 d, t;
  add.u32 n, n, d;  mul.lo.u32 d, n, n;  sub.s32 rest, m, d;
  setp.lt.s32 p, rest, 0;
  @p sub.u32 n, n, 1;
  and.b32 d, n, 1;  shr.u32 n, n, 1;  add.u32 n, n, d;
  sub.u32 e, e, s;  add.u32 e, e, 150;  shl.b32 e, e, 22;  add.u32 n, n, e;
  mov.b32 q, n;
  bra DONE;
SPECIAL:
  mul.rn.f32 t, a, 0f3F800000;  rsqrt.approx.f32 y, t;  rcp.approx.f32 y, y;
  setp.eq.f32 p, t, 0f00000000;  selp.f32 q, t, y, p;
DONE:
}
// The product is exact in double precision; the sum is rounded to odd, so that rounding it again is right.
.func (.reg .f32 q) __gt200_fma_f32 (.reg .f32 a, .reg .f32 b, .reg .f32 c) {
  .reg .f64 x, y, u, v;  .reg .u32 l, h, m, n;  .reg .pred p;
  // Denormal operands are zeros of their sign, as in all of single precision; the conversion would keep them.
  mul.rn.f32 a, a, 0f3F800000;  mul.rn.f32 b, b, 0f3F800000;  mul.rn.f32 c, c, 0f3F800000;
  cvt.f64.f32 x, a;  cvt.f64.f32 y, b;  mul.rn.f64 x, x, y;  cvt.f64.f32 y, c;
  add.rm.f64 u, x, y;  add.rp.f64 v, x, y;  mov.b64 {l, h}, u;  mov.b64 {m, h}, v;
  setp.ne.u32 p, l, m;  selp.u32 n, 1, 0, p;
  add.rz.f64 u, x, y;  mov.b64 {l, h}, u;  or.b32 l, l, n;  mov.b64 u, {l, h};  cvt.rn.f32.f64 q, u;
  mul.rn.f32 q, q, 0f3F800000;  // the NaN of single precision
}
)";

constexpr const char* double_precision = R"(
// Newton's iteration on significands in [1, 2), one correction by the exact remainder, then the exponent.
.func (.reg .f64 q) __gt200_div_f64 (.reg .f64 a, .reg .f64 b) {
  .reg .u32 l, h, ah, bh, sign, n;  .reg .s32 ea, eb, e;  .reg .f64 x, y, nb, t;  .reg .f32 f;  .reg .pred p, z;
  mov.b64 {l, ah}, a;  mov.b64 {l, bh}, b;
  xor.b32 sign, ah, bh;  and.b32 sign, sign, 0x80000000;
  shr.u32 ea, ah, 20;  and.b32 ea, ea, 2047;  shr.u32 eb, bh, 20;  and.b32 eb, eb, 2047;
  mov.f64 x, a;  mov.f64 y, b;
  setp.ne.s32 p, ea, 0;
  @p bra NORMAL_A;
  mul.rn.f64 x, a, 0d4350000000000000;  mov.b64 {l, ah}, x;
  shr.u32 ea, ah, 20;  and.b32 ea, ea, 2047;  setp.ne.s32 p, ea, 0;
  @p sub.s32 ea, ea, 54;
NORMAL_A:
  setp.ne.s32 z, eb, 0;
  @z bra NORMAL_B;
  mul.rn.f64 y, b, 0d4350000000000000;  mov.b64 {l, bh}, y;
  shr.u32 eb, bh, 20;  and.b32 eb, eb, 2047;  setp.ne.s32 z, eb, 0;
  @z sub.s32 eb, eb, 54;
NORMAL_B:
  setp.ne.and.s32 z, eb, 2047, z;
  setp.ne.and.s32 p, ea, 2047, p;
  and.pred p, p, z;
  @!p bra SPECIAL;
  mov.b64 {l, h}, x;  and.b32 h, h, 0xfffff;  or.b32 h, h, 0x3ff00000;  mov.b64 x, {l, h};
  mov.b64 {l, h}, y;  and.b32 h, h, 0xfffff;  or.b32 h, h, 0x3ff00000;  mov.b64 y, {l, h};
  neg.f64 nb, y;  cvt.rn.f32.f64 f, y;  rcp.approx.f32 f, f;  cvt.f64.f32 y, f;
  fma.rn.f64 t, nb, y, 0d3FF0000000000000;  fma.rn.f64 y, y, t, y;
  fma.rn.f64 t, nb, y, 0d3FF0000000000000;  fma.rn.f64 y, y, t, y;
  fma.rn.f64 t, nb, y, 0d3FF0000000000000;  fma.rn.f64 y, y, t, y;
  // The reciprocal is rounded correctly now, but for 1 / (2 - ulp), just above the middle between 0.5 and its
  // successor: the iteration stays at 0.5 (Markstein). The correction below needs the successor.
  mov.b64 {l, h}, nb;  or.b32 h, h, 0xfff00000;  and.b32 h, h, l;  setp.eq.u32 p, h, -1;
  mov.b64 {l, h}, y;
  @p or.b32 l, l, 1;
  mov.b64 y, {l, h};
  mul.rn.f64 q, x, y;  fma.rn.f64 t, nb, q, x;  fma.rn.f64 q, t, y, q;
  sub.s32 e, ea, eb;  mov.b64 {l, h}, q;
  shr.u32 n, h, 20;  add.s32 n, n, e;
  setp.gt.s32 p, n, 2046;
  @p bra LARGE;
  setp.lt.s32 p, n, 1;
  @p bra SMALL;
  shl.b32 n, e, 20;  add.u32 h, h, n;  or.b32 h, h, sign;  mov.b64 q, {l, h};
  bra DONE;
LARGE:
  or.b32 h, sign, 0x7ff00000;  mov.u32 l, 0;  mov.b64 q, {l, h};
  bra DONE;
SMALL:
  max.s32 e, e, -1100;  add.s32 e, e, 600;  shl.b32 n, e, 20;  add.u32 h, h, n;  or.b32 h, h, sign;  mov.b64 q, {l, h};
  mul.rn.f64 q, q, 0d1A70000000000000;
  bra DONE;
SPECIAL:
  // 1/b for zero and infinity, a NaN itself, else 1 with the sign of b.
  mov.u32 l, 0;  and.b32 h, bh, 0x80000000;  or.b32 h, h, 0x3ff00000;  mov.b64 y, {l, h};
  cvt.rn.f32.f64 f, b;  rcp.approx.f32 f, f;  cvt.f64.f32 t, f;
  setp.eq.s32 p, eb, 0;  setp.eq.or.s32 p, eb, 2047, p;
  selp.f64 y, t, y, p;
  setp.nan.f64 p, b, b;  selp.f64 y, b, y, p;
  mul.rn.f64 q, a, y;
DONE:
}
.func (.reg .f64 q) __gt200_rcp_f64 (.reg .f64 a) {
  .reg .f64 one;
  mov.f64 one, 0d3FF0000000000000;
  call (q), __gt200_div_f64, (one, a);
}
.func (.reg .f64 q) __gt200_sqrt_f64 (.reg .f64 a) {
  .reg .u32 l, h, n;  .reg .s32 e;  .reg .f64 x, g, t, k, ng;  .reg .f32 f;  .reg .pred p;
  mov.f64 x, a;  mov.b64 {l, h}, x;  shr.u32 e, h, 20;
  setp.ne.s32 p, e, 0;
  @p bra NORMAL;
  mul.rn.f64 x, a, 0d4350000000000000;  mov.b64 {l, h}, x;  shr.u32 e, h, 20;  setp.ne.s32 p, e, 0;
  @!p bra SPECIAL;
  sub.s32 e, e, 54;
NORMAL:
  setp.gt.s32 p, e, 2046;
  @p bra SPECIAL;
  sub.s32 e, e, 1023;  and.b32 n, e, 1;  shr.s32 e, e, 1;  shl.b32 n, n, 20;  add.u32 n, n, 0x3ff00000;
  and.b32 h, h, 0xfffff;  add.u32 h, h, n;  mov.b64 x, {l, h};
  cvt.rn.f32.f64 f, x;  rsqrt.approx.f32 f, f;  cvt.f64.f32 t, f;
  mul.rn.f64 g, x, t;  mul.rn.f64 k, t, 0d3FE0000000000000;
  neg.f64 ng, g;  fma.rn.f64 t, ng, k, 0d3FE0000000000000;  fma.rn.f64 g, g, t, g;  fma.rn.f64 k, k, t, k;
  neg.f64 ng, g;  fma.rn.f64 t, ng, k, 0d3FE0000000000000;  fma.rn.f64 g, g, t, g;  fma.rn.f64 k, k, t, k;
  neg.f64 ng, g;  fma.rn.f64 t, ng, g, x;  fma.rn.f64 g, t, k, g;
  mov.b64 {l, h}, g;  shl.b32 n, e, 20;  add.u32 h, h, n;  mov.b64 q, {l, h};
  bra DONE;
SPECIAL:
  // Zeros, infinity and NaNs stay, what is negative has no root.
  add.rn.f64 q, a, a;
  setp.lt.f64 p, a, 0d0000000000000000;  selp.f64 q, 0dFFF8000000000000, q, p;
DONE:
}
.func (.reg .f64 q) __gt200_rsqrt_f64 (.reg .f64 a) {
  .reg .f64 root;
  call (root), __gt200_sqrt_f64, (a);
  call (q), __gt200_rcp_f64, (root);
}
)";

}  // namespace

module_source library() {
  return parsed_library(std::string(integer_functions) + single_precision + double_precision);
}

}  // namespace gt200::ptx::tesla
