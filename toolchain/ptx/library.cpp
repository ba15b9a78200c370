#include "toolchain/ptx/library.h"

#include "toolchain/ptx/parser.h"

namespace gt200::ptx {

const char* const integer_functions = R"(
.func (.reg .u32 r) __gt200_popc_b32 (.reg .u32 x) {
  .reg .u32 a, b;
  shr.u32 a, x, 1;  and.b32 a, a, 0x55555555;  sub.u32 b, x, a;
  and.b32 a, b, 0x33333333;  shr.u32 b, b, 2;  and.b32 b, b, 0x33333333;  add.u32 a, a, b;
  shr.u32 b, a, 4;  add.u32 a, a, b;  and.b32 a, a, 0x0f0f0f0f;
  shr.u32 b, a, 8;  add.u32 a, a, b;  shr.u32 b, a, 16;  add.u32 a, a, b;  and.b32 r, a, 63;
}
.func (.reg .u32 r) __gt200_popc_b64 (.reg .u64 x) {
  .reg .u32 l, h;
  mov.b64 {l, h}, x;
  call (l), __gt200_popc_b32, (l);
  call (h), __gt200_popc_b32, (h);
  add.u32 r, l, h;
}
// The exponent of x as a float, rounded towards zero.
.func (.reg .u32 r) __gt200_clz_b32 (.reg .u32 x) {
  .reg .u32 a;  .reg .f32 f;
  cvt.rz.f32.u32 f, x;  mov.b32 a, f;  shr.u32 a, a, 23;  sub.u32 a, 158, a;  min.u32 r, a, 32;
}
.func (.reg .u32 r) __gt200_clz_b64 (.reg .u64 x) {
  .reg .u32 l, h;  .reg .pred p;
  mov.b64 {l, h}, x;
  call (l), __gt200_clz_b32, (l);
  call (h), __gt200_clz_b32, (h);
  add.u32 l, l, 32;  setp.eq.u32 p, h, 32;  selp.u32 r, l, h, p;
}
// For targets with bfind of 32 bits.
.func (.reg .u32 r) __gt200_bfind_u64 (.reg .u64 x) {
  .reg .u32 l, h;  .reg .pred p;
  mov.b64 {l, h}, x;
  setp.ne.u32 p, h, 0;
  bfind.u32 h, h;  add.u32 h, h, 32;  bfind.u32 l, l;  selp.u32 r, h, l, p;
}
.func (.reg .u32 r) __gt200_bfind_s64 (.reg .s64 x) {
  .reg .s64 s;
  shr.s64 s, x, 63;  xor.b64 s, s, x;
  call (r), __gt200_bfind_u64, (s);
}
// The shift that brings the bit to the top; -1 if there is none.
.func (.reg .u32 r) __gt200_bfind_shiftamt_u64 (.reg .u64 x) {
  .reg .pred p;
  call (r), __gt200_bfind_u64, (x);
  setp.ne.u32 p, r, -1;
  @p sub.u32 r, 63, r;
}
.func (.reg .u32 r) __gt200_bfind_shiftamt_s64 (.reg .s64 x) {
  .reg .pred p;
  call (r), __gt200_bfind_s64, (x);
  setp.ne.u32 p, r, -1;
  @p sub.u32 r, 63, r;
}
.func (.reg .u32 r) __gt200_brev_b32 (.reg .u32 x) {
  .reg .u32 a, b;
  shr.u32 a, x, 1;  and.b32 a, a, 0x55555555;  and.b32 b, x, 0x55555555;  shl.b32 b, b, 1;  or.b32 b, a, b;
  shr.u32 a, b, 2;  and.b32 a, a, 0x33333333;  and.b32 b, b, 0x33333333;  shl.b32 b, b, 2;  or.b32 b, a, b;
  shr.u32 a, b, 4;  and.b32 a, a, 0x0f0f0f0f;  and.b32 b, b, 0x0f0f0f0f;  shl.b32 b, b, 4;  or.b32 b, a, b;
  shr.u32 a, b, 8;  and.b32 a, a, 0x00ff00ff;  and.b32 b, b, 0x00ff00ff;  shl.b32 b, b, 8;  or.b32 b, a, b;
  shr.u32 a, b, 16;  shl.b32 b, b, 16;  or.b32 r, a, b;
}
.func (.reg .u64 r) __gt200_brev_b64 (.reg .u64 x) {
  .reg .u32 l, h;
  mov.b64 {l, h}, x;
  call (l), __gt200_brev_b32, (l);
  call (h), __gt200_brev_b32, (h);
  mov.b64 r, {h, l};
}
.func (.reg .u32 r) __gt200_bfe_u32 (.reg .u32 a, .reg .u32 b, .reg .u32 c) {
  .reg .u32 m;
  and.b32 b, b, 255;  and.b32 c, c, 255;
  mov.u32 m, -1;  shl.b32 m, m, c;  not.b32 m, m;  shr.u32 r, a, b;  and.b32 r, r, m;
}
.func (.reg .s32 r) __gt200_bfe_s32 (.reg .s32 a, .reg .u32 b, .reg .u32 c) {
  .reg .s32 s;
  and.b32 b, b, 255;  and.b32 c, c, 255;
  sub.s32 s, 32, c;  max.s32 s, s, 0;  shr.s32 r, a, b;  shl.b32 r, r, s;  shr.s32 r, r, s;
}
.func (.reg .u64 r) __gt200_bfe_u64 (.reg .u64 a, .reg .u32 b, .reg .u32 c) {
  .reg .u64 m;
  and.b32 b, b, 255;  and.b32 c, c, 255;
  mov.u64 m, -1;  shl.b64 m, m, c;  not.b64 m, m;  shr.u64 r, a, b;  and.b64 r, r, m;
}
.func (.reg .s64 r) __gt200_bfe_s64 (.reg .s64 a, .reg .u32 b, .reg .u32 c) {
  .reg .s32 s;
  and.b32 b, b, 255;  and.b32 c, c, 255;
  sub.s32 s, 64, c;  max.s32 s, s, 0;  shr.s64 r, a, b;  shl.b64 r, r, s;  shr.s64 r, r, s;
}
.func (.reg .u32 r) __gt200_bfi_b32 (.reg .u32 a, .reg .u32 b, .reg .u32 c, .reg .u32 d) {
  .reg .u32 m, n;
  and.b32 c, c, 255;  and.b32 d, d, 255;
  mov.u32 m, -1;  shl.b32 m, m, d;  not.b32 m, m;  shl.b32 m, m, c;
  shl.b32 n, a, c;  and.b32 n, n, m;  not.b32 m, m;  and.b32 m, m, b;  or.b32 r, m, n;
}
.func (.reg .u64 r) __gt200_bfi_b64 (.reg .u64 a, .reg .u64 b, .reg .u32 c, .reg .u32 d) {
  .reg .u64 m, n;
  and.b32 c, c, 255;  and.b32 d, d, 255;
  mov.u64 m, -1;  shl.b64 m, m, d;  not.b64 m, m;  shl.b64 m, m, c;
  shl.b64 n, a, c;  and.b64 n, n, m;  not.b64 m, m;  and.b64 m, m, b;  or.b64 r, m, n;
}
.func (.reg .u32 r) __gt200_byte (.reg .u32 a, .reg .u32 b, .reg .u32 s) {
  .reg .u32 n;  .reg .pred p;
  and.b32 n, s, 4;  setp.ne.u32 p, n, 0;  selp.u32 r, b, a, p;
  and.b32 n, s, 3;  shl.b32 n, n, 3;  shr.u32 r, r, n;  and.b32 r, r, 255;
  and.b32 n, s, 8;  setp.ne.u32 p, n, 0;
  @p shr.u32 r, r, 7;
  @p mul24.lo.u32 r, r, 255;
}
.func (.reg .u32 r) __gt200_prmt_b32 (.reg .u32 a, .reg .u32 b, .reg .u32 s) {
  .reg .u32 x;
  call (r), __gt200_byte, (a, b, s);
  shr.u32 s, s, 4;
  call (x), __gt200_byte, (a, b, s);
  shl.b32 x, x, 8;  or.b32 r, r, x;  shr.u32 s, s, 4;
  call (x), __gt200_byte, (a, b, s);
  shl.b32 x, x, 16;  or.b32 r, r, x;  shr.u32 s, s, 4;
  call (x), __gt200_byte, (a, b, s);
  shl.b32 x, x, 24;  or.b32 r, r, x;
}
.func (.reg .u64 r) __gt200_mul_hi_u64 (.reg .u64 a, .reg .u64 b) {
  .reg .u32 al, ah, bl, bh;  .reg .u64 m, n;
  mov.b64 {al, ah}, a;  mov.b64 {bl, bh}, b;
  mul.wide.u32 m, al, bl;  shr.u64 m, m, 32;  mad.wide.u32 m, ah, bl, m;
  and.b64 n, m, 0xffffffff;  mad.wide.u32 n, al, bh, n;
  shr.u64 m, m, 32;  shr.u64 n, n, 32;  add.u64 m, m, n;  mad.wide.u32 r, ah, bh, m;
}
.func (.reg .s64 r) __gt200_mul_hi_s64 (.reg .s64 a, .reg .s64 b) {
  .reg .s64 t;
  call (r), __gt200_mul_hi_u64, (a, b);
  shr.s64 t, a, 63;  and.b64 t, t, b;  sub.s64 r, r, t;
  shr.s64 t, b, 63;  and.b64 t, t, a;  sub.s64 r, r, t;
}
.func (.reg .u64 r) __gt200_mad_hi_u64 (.reg .u64 a, .reg .u64 b, .reg .u64 c) {
  call (r), __gt200_mul_hi_u64, (a, b);
  add.u64 r, r, c;
}
.func (.reg .s64 r) __gt200_mad_hi_s64 (.reg .s64 a, .reg .s64 b, .reg .s64 c) {
  call (r), __gt200_mul_hi_s64, (a, b);
  add.s64 r, r, c;
}
// Numbers of 32 bits by the 32-bit division, others bit by bit.
.func (.reg .u64 q, .reg .u64 r) __gt200_divide_u64 (.reg .u64 a, .reg .u64 b) {
  .reg .u32 al, ah, bl, bh, n;  .reg .u64 t;  .reg .pred p;
  mov.b64 {al, ah}, a;  mov.b64 {bl, bh}, b;
  or.b32 n, ah, bh;  setp.ne.u32 p, n, 0;
  @p bra LONG;
  div.u32 n, al, bl;  mul.lo.u32 bl, n, bl;  sub.u32 al, al, bl;
  cvt.u64.u32 q, n;  cvt.u64.u32 r, al;
  bra DONE;
LONG:
  mov.u64 q, a;  mov.u64 r, 0;  mov.u32 n, 64;
LOOP:
  shr.u64 t, r, 63;  setp.ne.u64 p, t, 0;
  shr.u64 t, q, 63;  shl.b64 q, q, 1;  shl.b64 r, r, 1;  or.b64 r, r, t;
  setp.ge.or.u64 p, r, b, p;
  @p sub.u64 r, r, b;
  @p or.b64 q, q, 1;
  sub.u32 n, n, 1;  setp.ne.u32 p, n, 0;
  @p bra LOOP;
DONE:
}
.func (.reg .u64 q) __gt200_div_u64 (.reg .u64 a, .reg .u64 b) {
  .reg .u64 r;
  call (q, r), __gt200_divide_u64, (a, b);
}
.func (.reg .u64 r) __gt200_rem_u64 (.reg .u64 a, .reg .u64 b) {
  .reg .u64 q;
  call (q, r), __gt200_divide_u64, (a, b);
}
.func (.reg .s64 q) __gt200_div_s64 (.reg .s64 a, .reg .s64 b) {
  .reg .s64 x, y, r, s;
  xor.b64 s, a, b;  shr.s64 s, s, 63;
  abs.s64 x, a;  abs.s64 y, b;
  call (q, r), __gt200_divide_u64, (x, y);
  xor.b64 q, q, s;  sub.s64 q, q, s;
}
.func (.reg .s64 r) __gt200_rem_s64 (.reg .s64 a, .reg .s64 b) {
  .reg .s64 x, y, q, s;
  shr.s64 s, a, 63;
  abs.s64 x, a;  abs.s64 y, b;
  call (q, r), __gt200_divide_u64, (x, y);
  xor.b64 r, r, s;  sub.s64 r, r, s;
}
)";

module_source parsed_library(const std::string& functions) {
  const std::string text = ".version 1.4\n.target sm_13\n" + functions;
  return parse(text, source_file("library", text));
}

bool is_library(const std::string& function) { return function.rfind(library_prefix, 0) == 0; }

}  // namespace gt200::ptx
