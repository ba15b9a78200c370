// Acceleration of every body by the first `sources` bodies.
extern "C" __global__ void nbody(float4* acc, const float4* pos, int sources) {
  __shared__ float4 tile[128];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 own = pos[i];
  float x = 0;
  float y = 0;
  float z = 0;
  for (int first = 0; first < sources; first += 128) {
    tile[threadIdx.x] = pos[first + threadIdx.x];
    __syncthreads();
#pragma unroll 4
    for (int j = 0; j < 128; ++j) {
      const float dx = tile[j].x - own.x;
      const float dy = tile[j].y - own.y;
      const float dz = tile[j].z - own.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
      const float factor = tile[j].w * (inverse * inverse * inverse);
      x += dx * factor;
      y += dy * factor;
      z += dz * factor;
    }
    __syncthreads();
  }
  acc[i] = make_float4(x, y, z, 0.0f);
}
