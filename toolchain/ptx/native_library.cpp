#include "toolchain/ptx/native_library.h"

#include <string>

#include "toolchain/ptx/library.h"

namespace gt200::ptx {
namespace {

constexpr const char* integers = R"(
// y < 1 / b with a relative error below 2^-21, so the first estimate leaves a remainder below b + a * 2^-21 and the
// second one below b + b * 2^-21 + 2^-10 < 2 b.
.func (.reg .u32 q, .reg .u32 r) __gt200_divide_u32 (.reg .u32 a, .reg .u32 b) {
  .reg .f32 f, y;  .reg .u32 n, t;  .reg .pred p;
  cvt.rp.f32.u32 f, b;  rcp.approx.f32 y, f;  mov.b32 n, y;  sub.u32 n, n, 2;  mov.b32 y, n;
  cvt.rz.f32.u32 f, a;  mul.rz.f32 f, f, y;  cvt.rzi.u32.f32 q, f;
  mul.lo.u32 t, q, b;  sub.u32 r, a, t;
  cvt.rz.f32.u32 f, r;  mul.rz.f32 f, f, y;  cvt.rzi.u32.f32 n, f;
  add.u32 q, q, n;  mul.lo.u32 t, n, b;  sub.u32 r, r, t;
  setp.ge.u32 p, r, b;
  @p sub.u32 r, r, b;
  @p add.u32 q, q, 1;
}
.func (.reg .u32 q) __gt200_div_u32 (.reg .u32 a, .reg .u32 b) {
  .reg .u32 r;
  call (q, r), __gt200_divide_u32, (a, b);
}
.func (.reg .u32 r) __gt200_rem_u32 (.reg .u32 a, .reg .u32 b) {
  .reg .u32 q;
  call (q, r), __gt200_divide_u32, (a, b);
}
.func (.reg .s32 q) __gt200_div_s32 (.reg .s32 a, .reg .s32 b) {
  .reg .s32 x, y, r, s;  .reg .pred p;
  abs.s32 x, a;  abs.s32 y, b;
  call (q, r), __gt200_divide_u32, (x, y);
  xor.b32 s, a, b;  setp.lt.s32 p, s, 0;
  @p neg.s32 q, q;
}
.func (.reg .s32 r) __gt200_rem_s32 (.reg .s32 a, .reg .s32 b) {
  .reg .s32 x, y, q;  .reg .pred p;
  abs.s32 x, a;  abs.s32 y, b;
  call (q, r), __gt200_divide_u32, (x, y);
  setp.lt.s32 p, a, 0;
  @p neg.s32 r, r;
}
.func (.reg .u16 q) __gt200_div_u16 (.reg .u16 a, .reg .u16 b) {
  .reg .u32 x, y;
  cvt.u32.u16 x, a;  cvt.u32.u16 y, b;  div.u32 x, x, y;  cvt.u16.u32 q, x;
}
.func (.reg .u16 q) __gt200_rem_u16 (.reg .u16 a, .reg .u16 b) {
  .reg .u32 x, y;
  cvt.u32.u16 x, a;  cvt.u32.u16 y, b;  rem.u32 x, x, y;  cvt.u16.u32 q, x;
}
.func (.reg .s16 q) __gt200_div_s16 (.reg .s16 a, .reg .s16 b) {
  .reg .s32 x, y;
  cvt.s32.s16 x, a;  cvt.s32.s16 y, b;  div.s32 x, x, y;  cvt.s16.s32 q, x;
}
.func (.reg .s16 q) __gt200_rem_s16 (.reg .s16 a, .reg .s16 b) {
  .reg .s32 x, y;
  cvt.s32.s16 x, a;  cvt.s32.s16 y, b;  rem.s32 x, x, y;  cvt.s16.s32 q, x;
}
)";

constexpr const char* single_precision = R"(
// Within these exponents no step leaves the normal numbers, and the remainders are exact: Newton's iteration, then
// two corrections (P. Markstein, Computation of elementary functions on the IBM RS/6000, 1990). Elsewhere in double
// precision, whose 53 bits are enough to round twice, and whose exponents are enough for all numbers.
.func (.reg .f32 q) __gt200_div_f32 (.reg .f32 a, .reg .f32 b) {
  .reg .u32 ea, eb, n;  .reg .f32 y, r, nb;  .reg .f64 x, z, w, t, u;  .reg .pred p;
  mov.b32 ea, a;  mov.b32 eb, b;
  bfe.u32 ea, ea, 23, 8;  bfe.u32 eb, eb, 23, 8;
  sub.u32 n, ea, 32;  setp.gt.u32 p, n, 222;
  sub.u32 n, eb, 8;  setp.gt.or.u32 p, n, 238, p;
  sub.u32 n, ea, eb;  add.u32 n, n, 120;  setp.gt.or.u32 p, n, 240, p;
  @p bra WIDE;
  rcp.approx.f32 y, b;  neg.f32 nb, b;
  fma.rn.f32 r, nb, y, 0f3F800000;  fma.rn.f32 y, r, y, y;
  mul.rn.f32 q, a, y;  fma.rn.f32 r, nb, q, a;  fma.rn.f32 q, r, y, q;
  fma.rn.f32 r, nb, q, a;  fma.rn.f32 q, r, y, q;
  bra DONE;
WIDE:
  cvt.f64.f32 x, a;  cvt.f64.f32 z, b;
  rcp.approx.ftz.f64 w, z;  mul.rn.f64 u, x, w;  neg.f64 z, z;
  fma.rn.f64 t, z, w, 0d3FF0000000000000;  fma.rn.f64 w, t, w, w;
  fma.rn.f64 t, z, w, 0d3FF0000000000000;  fma.rn.f64 w, t, w, w;
  mul.rn.f64 t, x, w;  fma.rn.f64 x, z, t, x;  fma.rn.f64 t, x, w, t;
  // Zero, infinity or a NaN: what the seed gives.
  abs.f64 w, u;  setp.gt.f64 p, w, 0d0000000000000000;  setp.lt.and.f64 p, w, 0d7FF0000000000000, p;
  selp.f64 u, t, u, p;  cvt.rn.f32.f64 q, u;
DONE:
}
.func (.reg .f32 q) __gt200_rcp_f32 (.reg .f32 a) {
  call (q), __gt200_div_f32, (0f3F800000, a);
}
.func (.reg .f32 q) __gt200_sqrt_f32 (.reg .f32 a) {
  .reg .u32 n;  .reg .f32 x, k, g, h, r, y;  .reg .pred p;
  mov.f32 x, a;  mov.f32 k, 0f3F800000;
  mov.b32 n, a;  sub.u32 n, n, 0x10000000;  setp.le.u32 p, n, 0x6f7fffff;
  @p bra NORMAL;
  setp.gt.f32 p, a, 0f00000000;  setp.lt.and.f32 p, a, 0f10000000, p;
  @!p bra SPECIAL;
  mul.rn.f32 x, a, 0f5F800000;  mov.f32 k, 0f2F800000;
NORMAL:
  rsqrt.approx.f32 y, x;  mul.rn.f32 g, x, y;  mul.rn.f32 h, y, 0f3F000000;
  neg.f32 r, g;  fma.rn.f32 r, r, h, 0f3F000000;  fma.rn.f32 g, g, r, g;  fma.rn.f32 h, h, r, h;
  neg.f32 r, g;  fma.rn.f32 r, r, g, x;  fma.rn.f32 g, r, h, g;
  mul.rn.f32 q, g, k;
  bra DONE;
SPECIAL:
  // Zeros, infinity and NaNs stay, what is negative has no root.
  add.rn.f32 q, a, a;  setp.lt.f32 p, a, 0f00000000;  selp.f32 q, 0f7FFFFFFF, q, p;
DONE:
}
)";

constexpr const char* double_precision = R"(
// Newton's iteration, then one correction by the exact remainder. Quotients near or below the smallest normal number
// are rounded as integers.
.func (.reg .f64 q) __gt200_div_f64 (.reg .f64 a, .reg .f64 b) {
  .reg .u32 l, h, ah, bh, sign, n;  .reg .s32 ea, eb, e;  .reg .f64 x, y, nb, t;  .reg .pred p, z;
  .reg .u64 m, r, half;
  mov.b64 {l, ah}, a;  mov.b64 {l, bh}, b;
  bfe.u32 ea, ah, 20, 11;  bfe.u32 eb, bh, 20, 11;
  sub.u32 n, ea, 128;  setp.gt.u32 p, n, 1900;
  sub.u32 n, eb, 16;  setp.gt.or.u32 p, n, 2000, p;
  sub.u32 n, ea, eb;  add.u32 n, n, 900;  setp.gt.or.u32 p, n, 1800, p;
  mov.f64 x, a;  mov.f64 y, b;  mov.u32 n, 1;
  @!p bra DIVIDE;
  mov.u32 n, 0;
  xor.b32 sign, ah, bh;  and.b32 sign, sign, 0x80000000;
  setp.ne.s32 p, ea, 0;
  @p bra NORMAL_A;
  mul.rn.f64 x, a, 0d4350000000000000;  mov.b64 {l, ah}, x;
  bfe.u32 ea, ah, 20, 11;  setp.ne.s32 p, ea, 0;
  @p sub.s32 ea, ea, 54;
NORMAL_A:
  setp.ne.s32 z, eb, 0;
  @z bra NORMAL_B;
  mul.rn.f64 y, b, 0d4350000000000000;  mov.b64 {l, bh}, y;
  bfe.u32 eb, bh, 20, 11;  setp.ne.s32 z, eb, 0;
  @z sub.s32 eb, eb, 54;
NORMAL_B:
  setp.ne.and.s32 z, eb, 2047, z;
  setp.ne.and.s32 p, ea, 2047, p;
  and.pred p, p, z;
  @!p bra SPECIAL;
  mov.b64 {l, h}, x;  and.b32 h, h, 0xfffff;  or.b32 h, h, 0x3ff00000;  mov.b64 x, {l, h};
  mov.b64 {l, h}, y;  and.b32 h, h, 0xfffff;  or.b32 h, h, 0x3ff00000;  mov.b64 y, {l, h};
DIVIDE:
  neg.f64 nb, y;  rcp.approx.ftz.f64 y, y;
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
  setp.ne.u32 p, n, 0;
  @p bra DONE;
  sub.s32 e, ea, eb;  fma.rn.f64 t, nb, q, x;  mov.b64 {l, h}, q;
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
  // The significand times 4, with the sign of the remainder in the lowest bits, shifted down and rounded to even.
  and.b32 h, h, 0xfffff;  or.b32 h, h, 0x100000;  mov.b64 m, {l, h};  shl.b64 m, m, 2;
  setp.gt.f64 p, t, 0d0000000000000000;
  @p add.u64 m, m, 1;
  setp.lt.f64 p, t, 0d0000000000000000;
  @p sub.u64 m, m, 1;
  sub.s32 n, 3, n;  min.s32 n, n, 62;
  shr.u64 r, m, n;  shl.b64 half, r, n;  sub.u64 m, m, half;
  sub.u32 n, n, 1;  mov.u64 half, 1;  shl.b64 half, half, n;
  sub.u64 m, m, half;  mov.b64 {l, h}, r;  and.b32 l, l, 1;
  setp.gt.s64 p, m, 0;
  @p mov.u32 l, 1;
  setp.ge.s64 p, m, 0;  selp.u32 l, l, 0, p;  cvt.u64.u32 m, l;
  add.u64 r, r, m;  mov.b64 {l, h}, r;  or.b32 h, h, sign;  mov.b64 q, {l, h};
  bra DONE;
SPECIAL:
  // 1/b for zero and infinity, a NaN itself, else 1 with the sign of b.
  mov.u32 l, 0;  and.b32 h, bh, 0x80000000;  or.b32 h, h, 0x3ff00000;  mov.b64 y, {l, h};
  rcp.approx.ftz.f64 t, b;
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
  .reg .u32 l, h, n;  .reg .s32 e;  .reg .f64 x, g, t, k, ng;  .reg .pred p;
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
  rsqrt.approx.ftz.f64 t, x;
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
// Rounds towards zero, sets the last bit of an inexact result (rounding to odd), and rounds again.
.func (.reg .f16 q) __gt200_cvt_rn_f16_f64 (.reg .f64 a) {
  .reg .f32 f;  .reg .f64 back;  .reg .u32 n;  .reg .pred p;
  cvt.rz.f32.f64 f, a;  cvt.f64.f32 back, f;  setp.ne.f64 p, back, a;  mov.b32 n, f;
  @p or.b32 n, n, 1;
  mov.b32 f, n;  cvt.rn.f16.f32 q, f;
}
.func (.reg .f16 q) __gt200_cvt_rz_f16_f64 (.reg .f64 a) {
  .reg .f32 f;
  cvt.rz.f32.f64 f, a;  cvt.rz.f16.f32 q, f;
}
.func (.reg .f16 q) __gt200_cvt_rn_sat_f16_f64 (.reg .f64 a) {
  .reg .f16 h;  .reg .f32 f;
  call (h), __gt200_cvt_rn_f16_f64, (a);  cvt.f32.f16 f, h;  cvt.sat.f32.f32 f, f;  cvt.rn.f16.f32 q, f;
}
.func (.reg .f16 q) __gt200_cvt_rz_sat_f16_f64 (.reg .f64 a) {
  .reg .f16 h;  .reg .f32 f;
  call (h), __gt200_cvt_rz_f16_f64, (a);  cvt.f32.f16 f, h;  cvt.sat.f32.f32 f, f;  cvt.rn.f16.f32 q, f;
}
)";

constexpr const char* directed_roundings = R"(
// A quotient of .f32 in double precision, rounded to nearest, is a number of .f32 only if it is exact: a quotient of
// numbers with 24 bits differs from others by more than 2^-50 of itself. So the second rounding is right. Roots too.
.func (.reg .f32 q) __gt200_div_rz_f32 (.reg .f32 a, .reg .f32 b) {
  .reg .f64 x, y;
  cvt.f64.f32 x, a;  cvt.f64.f32 y, b;  div.rn.f64 x, x, y;  cvt.rz.f32.f64 q, x;
}
.func (.reg .f32 q) __gt200_div_rm_f32 (.reg .f32 a, .reg .f32 b) {
  .reg .f64 x, y;
  cvt.f64.f32 x, a;  cvt.f64.f32 y, b;  div.rn.f64 x, x, y;  cvt.rm.f32.f64 q, x;
}
.func (.reg .f32 q) __gt200_div_rp_f32 (.reg .f32 a, .reg .f32 b) {
  .reg .f64 x, y;
  cvt.f64.f32 x, a;  cvt.f64.f32 y, b;  div.rn.f64 x, x, y;  cvt.rp.f32.f64 q, x;
}
.func (.reg .f32 q) __gt200_rcp_rz_f32 (.reg .f32 a) { call (q), __gt200_div_rz_f32, (0f3F800000, a); }
.func (.reg .f32 q) __gt200_rcp_rm_f32 (.reg .f32 a) { call (q), __gt200_div_rm_f32, (0f3F800000, a); }
.func (.reg .f32 q) __gt200_rcp_rp_f32 (.reg .f32 a) { call (q), __gt200_div_rp_f32, (0f3F800000, a); }
.func (.reg .f32 q) __gt200_sqrt_rz_f32 (.reg .f32 a) {
  .reg .f64 x;
  cvt.f64.f32 x, a;  sqrt.rn.f64 x, x;  cvt.rz.f32.f64 q, x;
}
.func (.reg .f32 q) __gt200_sqrt_rm_f32 (.reg .f32 a) {
  .reg .f64 x;
  cvt.f64.f32 x, a;  sqrt.rn.f64 x, x;  cvt.rm.f32.f64 q, x;
}
.func (.reg .f32 q) __gt200_sqrt_rp_f32 (.reg .f32 a) {
  .reg .f64 x;
  cvt.f64.f32 x, a;  sqrt.rn.f64 x, x;  cvt.rp.f32.f64 q, x;
}
// The neighbour of q below it if the exact result is less (error < 0), above it if it is greater.
.func (.reg .f64 r) __gt200_below_f64 (.reg .f64 q, .reg .f64 error) {
  .reg .s64 n, step;  .reg .pred p;
  mov.b64 n, q;  shr.s64 step, n, 63;  or.b64 step, step, 1;  sub.s64 n, n, step;
  mov.b64 r, n;  setp.lt.f64 p, error, 0d0000000000000000;  selp.f64 r, r, q, p;
}
.func (.reg .f64 r) __gt200_above_f64 (.reg .f64 q, .reg .f64 error) {
  .reg .s64 n, step;  .reg .pred p;
  mov.b64 n, q;  shr.s64 step, n, 63;  or.b64 step, step, 1;  add.s64 n, n, step;
  mov.b64 r, n;  setp.gt.f64 p, error, 0d0000000000000000;  selp.f64 r, r, q, p;
}
.func (.reg .f64 r) __gt200_towards_zero_f64 (.reg .f64 q, .reg .f64 error) {
  .reg .s64 n;  .reg .pred p;
  mov.b64 n, q;  setp.lt.s64 p, n, 0;
  @p neg.f64 error, error;
  sub.s64 n, n, 1;  mov.b64 r, n;
  setp.lt.f64 p, error, 0d0000000000000000;  selp.f64 r, r, q, p;
}
// The quotient to nearest, and a number with the sign of (a / b - q): that of the remainder a - q b. A small dividend
// and its divisor are multiplied by 2^200 first, so that the remainder is no denormal.
.func (.reg .f64 q, .reg .f64 error) __gt200_quotient_f64 (.reg .f64 a, .reg .f64 b) {
  .reg .f64 x, y, k;  .reg .u32 l, h;  .reg .pred p;
  div.rn.f64 q, a, b;
  abs.f64 x, a;  abs.f64 y, b;  mov.f64 k, 0d3FF0000000000000;
  setp.lt.f64 p, x, 0d0DF0000000000000;  setp.lt.and.f64 p, y, 0d52B0000000000000, p;
  selp.f64 k, 0d4C70000000000000, k, p;
  mul.rn.f64 x, a, k;  mul.rn.f64 y, b, k;  neg.f64 k, q;
  fma.rn.f64 error, k, y, x;
  mov.b64 {l, h}, b;  setp.lt.s32 p, h, 0;
  @p neg.f64 error, error;
}
.func (.reg .f64 r) __gt200_div_rz_f64 (.reg .f64 a, .reg .f64 b) {
  .reg .f64 q, e;
  call (q, e), __gt200_quotient_f64, (a, b);  call (r), __gt200_towards_zero_f64, (q, e);
}
.func (.reg .f64 r) __gt200_div_rm_f64 (.reg .f64 a, .reg .f64 b) {
  .reg .f64 q, e;
  call (q, e), __gt200_quotient_f64, (a, b);  call (r), __gt200_below_f64, (q, e);
}
.func (.reg .f64 r) __gt200_div_rp_f64 (.reg .f64 a, .reg .f64 b) {
  .reg .f64 q, e;
  call (q, e), __gt200_quotient_f64, (a, b);  call (r), __gt200_above_f64, (q, e);
}
.func (.reg .f64 r) __gt200_rcp_rz_f64 (.reg .f64 a) { call (r), __gt200_div_rz_f64, (0d3FF0000000000000, a); }
.func (.reg .f64 r) __gt200_rcp_rm_f64 (.reg .f64 a) { call (r), __gt200_div_rm_f64, (0d3FF0000000000000, a); }
.func (.reg .f64 r) __gt200_rcp_rp_f64 (.reg .f64 a) { call (r), __gt200_div_rp_f64, (0d3FF0000000000000, a); }
.func (.reg .f64 q, .reg .f64 error) __gt200_root_f64 (.reg .f64 a) {
  .reg .f64 x, y, k;  .reg .pred p;
  sqrt.rn.f64 q, a;
  mov.f64 x, a;  mov.f64 y, q;
  setp.lt.f64 p, a, 0d0DF0000000000000;
  @p mul.rn.f64 x, x, 0d4C70000000000000;
  @p mul.rn.f64 y, y, 0d4630000000000000;
  neg.f64 k, y;  fma.rn.f64 error, k, y, x;
}
.func (.reg .f64 r) __gt200_sqrt_rz_f64 (.reg .f64 a) { call (r), __gt200_sqrt_rm_f64, (a); }
.func (.reg .f64 r) __gt200_sqrt_rm_f64 (.reg .f64 a) {
  .reg .f64 q, e;
  call (q, e), __gt200_root_f64, (a);  call (r), __gt200_below_f64, (q, e);
}
.func (.reg .f64 r) __gt200_sqrt_rp_f64 (.reg .f64 a) {
  .reg .f64 q, e;
  call (q, e), __gt200_root_f64, (a);  call (r), __gt200_above_f64, (q, e);
}
)";

constexpr const char* searches = R"(
// The position of the n-th set bit from `base` upwards, or downwards in the reversed word for a negative n.
.func (.reg .b32 r) __gt200_fns_b32 (.reg .b32 mask, .reg .b32 base, .reg .s32 n) {
  .reg .b32 m, b, t, left;  .reg .pred p, down;
  mov.b32 r, -1;  mov.b32 m, mask;  mov.b32 b, base;
  setp.gt.u32 p, b, 31;
  @p bra DONE;
  abs.s32 left, n;  setp.lt.s32 down, n, 0;
  setp.ne.s32 p, n, 0;
  @p bra SEARCH;
  shr.u32 m, m, b;  and.b32 m, m, 1;  setp.ne.u32 p, m, 0;
  @p mov.b32 r, b;
  bra DONE;
SEARCH:
  setp.gt.u32 p, left, 32;
  @p bra DONE;
  brev.b32 t, m;  selp.b32 m, t, m, down;  sub.u32 t, 31, b;  selp.b32 b, t, b, down;
  mov.b32 t, -1;  shl.b32 t, t, b;  and.b32 m, m, t;
NEXT:
  setp.eq.u32 p, m, 0;
  @p bra DONE;
  sub.u32 left, left, 1;  setp.eq.u32 p, left, 0;
  @p bra FOUND;
  sub.u32 t, m, 1;  and.b32 m, m, t;
  bra NEXT;
FOUND:
  brev.b32 m, m;  clz.b32 r, m;  sub.u32 t, 31, r;  selp.b32 r, t, r, down;
DONE:
}
)";

}  // namespace

module_source native_library() {
  return parsed_library(std::string(integer_functions) + integers + single_precision + double_precision +
                        directed_roundings + searches);
}

}  // namespace gt200::ptx
