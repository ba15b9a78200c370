// Every intrinsic and function of gt200_cuda.h that computes, on values whose results are known.
extern "C" __global__ void intrinsics(int* out) {
  const int t = threadIdx.x;
  const float f = 2.5f - t;  // 2.5, 1.5, ...
  int* o = out + 32 * t;
  o[0] = __mul24(-3 - t, 5);
  o[1] = __umul24(0x1000003u, 4 + t);
  o[2] = __umulhi(0x80000000u, 6 + t);
  o[3] = __mulhi(-0x40000000, 8 + t);
  o[4] = __sad(-4, 3 + t, 10);
  o[5] = __usad(1, 0xfffffff0u + t, 1);
  o[6] = __popc(0xf0f0u + t);
  o[7] = __clz(t);
  o[8] = __ffs(t << 4);
  o[9] = __brev(t);
  o[10] = __all(t < 2);
  o[11] = __all(t < 1);
  o[12] = __any(t == 1);
  o[13] = __any(t == 2);
  o[14] = __float2int_rn(f);
  o[15] = __float2int_rz(f);
  o[16] = __float2int_ru(f);
  o[17] = __float2int_rd(-f);
  o[18] = __float2uint_rn(f);
  o[19] = __float2uint_rz(f);
  o[20] = __float_as_int(__int2float_rn(0x1000001 + 2 * t));
  o[21] = __float_as_int(__int2float_rz(0x1000001 + 2 * t));
  o[22] = __float_as_int(__uint2float_rn(0x80000000u + t));
  o[23] = static_cast<int>(sqrt(static_cast<double>(t + 2)) * 1e8);
  o[24] = static_cast<int>(fabs(-3.0 * (t + 1)));
  o[25] = static_cast<int>(floorf(-f));
  o[26] = static_cast<int>(ceilf(f));
  o[27] = static_cast<int>(truncf(-f));
  const float3 v = make_float3(1.f + t, 2.f, 3.f);
  const int3 i = make_int3(t, 20, 300);
  o[28] = static_cast<int>(v.x + v.y * v.z) + i.x + i.y + i.z;
  const uchar4 c = {static_cast<unsigned char>(255 + t), 1, 2, 3};
  o[29] = c.x + c.w;
  const double2 d = make_double2(0.5, t);
  o[30] = static_cast<int>(d.x + d.y + 0.5);
  o[31] = sizeof(short2) + sizeof(char2) + sizeof(uint3) + sizeof(double2);
}
