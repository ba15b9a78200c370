// Coulomb potential of atoms on the points of a plane, one point per thread; atoms come from a two-dimensional texture
// (cuenergytex of the cpotential test codes). A row of it holds 64 atoms.
texture<float4, 2> atom_texture;

extern "C" __global__ void coulomb_texture(float* energy, int rows, int pitch, float spacing) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const float at_x = spacing * x;
  const float at_y = spacing * y;
  float sum = 0;
#pragma unroll 1
  for (int row = 0; row < rows; ++row) {
#pragma unroll 1
    for (int column = 0; column < 64; ++column) {
      const float4 atom = tex2D(atom_texture, column, row);
      const float dx = at_x - atom.x;
      const float dy = at_y - atom.y;
      sum += atom.w * rsqrtf(dx * dx + dy * dy + atom.z);
    }
  }
  energy[y * pitch + x] += sum;
}
