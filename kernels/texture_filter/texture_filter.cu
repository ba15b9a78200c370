// Resamples an image through a texture: out(x, y) = image(x * step.x + first.x, y * step.y + first.y), with the
// addressing mode and the filter that the launch description sets.
__constant__ float step[2];
__constant__ float first[2];
texture<unsigned char, 2, cudaReadModeNormalizedFloat> image;

extern "C" __global__ void texture_filter(float* out, unsigned width) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  const float at_x = __fadd_rn(__fmul_rn(x, step[0]), first[0]);
  const float at_y = __fadd_rn(__fmul_rn(y, step[1]), first[1]);
  out[y * width + x] = tex2D(image, at_x, at_y);
}
