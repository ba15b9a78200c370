// The kernels of this repository (kernels/*/*.cu): writes what they leave in memory to the file that it is given, as
// lines "name number-of-bytes" with the bytes behind them.
#include <stdio.h>
#include <string.h>

namespace bfs {
#include "kernels/bfs/bfs.cu"
}
namespace bitonic_sort {
#include "kernels/bitonic_sort/bitonic_sort.cu"
}
namespace black_scholes_prices {
#include "kernels/black_scholes/black_scholes.cu"
}
namespace convolution_5x5 {
#include "kernels/convolution/convolution.cu"
}
namespace daxpy_vectors {
#include "kernels/daxpy/daxpy.cu"
}
namespace dmatmul_tiles {
#include "kernels/dmatmul/dmatmul.cu"
}
namespace fft {
#include "kernels/fft512/fft512.cu"
}
namespace histogram_bins {
#include "kernels/histogram/histogram.cu"
}
namespace mandelbrot_set {
#include "kernels/mandelbrot/mandelbrot.cu"
}
namespace matrix_mul {
#include "kernels/matrix_mul/matrix_mul.cu"
}
namespace nbody_forces {
#include "kernels/nbody/nbody.cu"
}
namespace reduction {
#include "kernels/reduction/reduction.cu"
}
namespace scan {
#include "kernels/scan/scan.cu"
}
namespace sha1_digests {
#include "kernels/sha1/sha1.cu"
}
namespace spmv_rows {
#include "kernels/spmv/spmv.cu"
}
namespace texture_filter_image {
#include "kernels/texture_filter/texture_filter.cu"
}
namespace transpose_tiles {
#include "kernels/transpose/transpose.cu"
}
namespace vector_add {
#include "kernels/vector_add/vector_add.cu"
}

static FILE* results;
static unsigned state = 12345;
static unsigned random_bits() { return state = state * 1664525u + 1013904223u; }

// An array on the device: numbers of the generator from 0 to 1, below a limit, or zeros.
template <class T>
struct array {
  T* at;
  size_t count;
  explicit array(size_t n) : count(n) {
    cudaMalloc(&at, n * sizeof(T));
    cudaMemset(at, 0, n * sizeof(T));
  }
  ~array() { cudaFree(at); }
  array& fill(const T* from) {
    cudaMemcpy(at, from, count * sizeof(T), cudaMemcpyHostToDevice);
    return *this;
  }
  array& random(unsigned below = 0) {
    T* numbers = new T[count];
    for (size_t i = 0; i < count; ++i)
      numbers[i] = below != 0 ? static_cast<T>((random_bits() >> 8) % below) : static_cast<T>((random_bits() >> 8) * 0x1p-24);
    fill(numbers);
    delete[] numbers;
    return *this;
  }
  void save(const char* name) const {
    char* bytes = new char[count * sizeof(T)];
    cudaMemcpy(bytes, at, count * sizeof(T), cudaMemcpyDeviceToHost);
    fprintf(results, "%s %zu\n", name, count * sizeof(T));
    fwrite(bytes, 1, count * sizeof(T), results);
    delete[] bytes;
  }
};

static void sums_and_sorts() {
  array<unsigned> words(4 * 512);
  words.random(1u << 20);
  bitonic_sort::bitonic_sort<<<4, 256>>>(words.at);
  words.save("bitonic_sort");

  array<unsigned> values(10000), bins(64);
  histogram_bins::histogram<<<(10000 + 191) / 192, 192>>>(values.random(64).at, bins.at, 10000);
  bins.save("histogram");

  array<int> in(8 * 256), out(8 * 256), totals(8), none(8);
  scan::scan_blocks<<<8, 256>>>(in.random(1000).at, out.at, totals.at);
  scan::add_totals<<<8, 256>>>(out.at, totals.at);
  out.save("scan");

  array<unsigned> terms(16 * 128), first(16), second(16), third(16);
  terms.random(1000);
  reduction::reduce1<<<16, 128>>>(first.at, terms.at);
  reduction::reduce2<<<16, 128>>>(second.at, terms.at);
  reduction::reduce3<<<16, 128>>>(third.at, terms.at);
  array<unsigned> fourth(8), fifth(8), sixth(8), seventh(4);
  reduction::reduce4<<<8, 128>>>(fourth.at, terms.at);
  reduction::reduce5<<<8, 128>>>(fifth.at, terms.at);
  reduction::reduce6<<<8, 128>>>(sixth.at, terms.at);
  reduction::reduce7<<<4, 128>>>(seventh.at, terms.at, 16 * 128);
  first.save("reduce1");
  fourth.save("reduce4");
  fifth.save("reduce5");
  sixth.save("reduce6");
  seventh.save("reduce7");
  second.save("reduce2");
  third.save("reduce3");

  array<unsigned> found(1), digests(4 * 64);
  sha1_digests::sha1<<<4, 64>>>(found.at, digests.at, 0x12345678u, 1000);
  digests.save("sha1");
}

static void matrices() {
  const int n = 64;
  array<float> a(n * n), b(n * n), c(n * n);
  a.random(), b.random();
  matrix_mul::matrix_mul_naive<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(c.at, a.at, b.at, n, n);
  c.save("matrix_mul_naive");
  matrix_mul::matrixMul_bs16_32bit<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(c.at, a.at, b.at, n, n);
  c.save("matrixMul_bs16_32bit");
  matrix_mul::matrix_mul_blocked<<<dim3(n / 16, n / 16), dim3(16, 4)>>>(c.at, a.at, b.at, n, n);
  c.save("matrix_mul_blocked");
  transpose_tiles::coalesced<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(c.at, a.at, n, n);
  c.save("coalesced");
  transpose_tiles::diagonal<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(c.at, b.at, n, n);
  c.save("diagonal");

  array<double> da(n * n), db(n * n), dc(n * n);
  dmatmul_tiles::dmatmul<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(dc.at, da.random().at, db.random().at, n);
  dc.save("dmatmul");
  const double factor = 0.3;
  cudaMemcpyToSymbol(daxpy_vectors::a, &factor, sizeof factor);
  daxpy_vectors::daxpy<<<n, n>>>(da.at, dc.at, n * n);
  dc.save("daxpy");

  int first[n + 1], column[4 * n];
  float element[4 * n];
  for (int row = 0, at = 0; row <= n; ++row) {
    first[row] = at;
    for (int k = 0; row < n && k < row % 5; ++k, ++at) {
      column[at] = (row * 7 + k * 11) % n;
      element[at] = 0.1f * static_cast<float>(k + row);
    }
  }
  array<int> firsts(n + 1), columns(4 * n);
  array<float> elements(4 * n), y(n);
  spmv_rows::spmv<<<2, 32>>>(firsts.fill(first).at, columns.fill(column).at, elements.fill(element).at, a.at, y.at, n);
  y.save("spmv");
}

static void floats() {
  const int n = 1000;
  array<float> price(n), strike(n), years(n), call(n), put(n), sum(n);
  price.random(), strike.random(), years.random();
  vector_add::VecAdd<<<8, 128>>>(price.at, strike.at, sum.at, n);
  sum.save("vector_add");
  black_scholes_prices::black_scholes<<<8, 128>>>(call.at, put.at, price.at, strike.at, years.at, 0.02f, 0.3f, n);
  call.save("calls");
  put.save("puts");

  array<float> positions(4 * 256), forces(4 * 256);
  nbody_forces::nbody<<<2, 128>>>(reinterpret_cast<float4*>(forces.at), reinterpret_cast<float4*>(positions.random().at),
                                  256);
  forces.save("nbody");

  array<float> signal(2 * 2 * 512), twiddle(2 * 256), transformed(2 * 2 * 512);
  fft::fft512<<<2, 256>>>(reinterpret_cast<float2*>(transformed.at), reinterpret_cast<float2*>(signal.random().at),
                          reinterpret_cast<float2*>(twiddle.random().at));
  transformed.save("fft512");

  array<int> steps(96 * 64);
  mandelbrot_set::mandelbrot<<<dim3(6, 8), dim3(16, 8)>>>(steps.at, 96, 64, 100);
  steps.save("mandelbrot");
}

static void images() {
  const int width = 80, height = 48;
  static float plane[width * height];
  for (float& p : plane) p = static_cast<float>(random_bits() >> 8) * 0x1p-24f;
  cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  cudaArray* image;
  cudaMallocArray(&image, &floats, width, height);
  cudaMemcpyToArray(image, 0, 0, plane, sizeof plane, cudaMemcpyHostToDevice);
  cudaBindTextureToArray(convolution_5x5::image, image, floats);
  float filter[25];
  for (int k = 0; k < 25; ++k) filter[k] = 0.01f * static_cast<float>(k - 5);
  cudaMemcpyToSymbol(convolution_5x5::filter, filter, sizeof filter);
  array<float> out(width * height);
  convolution_5x5::convolution<<<dim3((width + 15) / 16, (height + 7) / 8), dim3(16, 8)>>>(out.at, width, height);
  out.save("convolution");

  array<unsigned char> bytes(64 * 21);
  bytes.random(256);
  const float step[] = {0.0137f, 0.0213f}, first[] = {-0.21f, -0.33f};
  cudaMemcpyToSymbol(texture_filter_image::step, step, sizeof step);
  cudaMemcpyToSymbol(texture_filter_image::first, first, sizeof first);
  auto& texels = texture_filter_image::image;
  texels.normalized = true;
  texels.filterMode = cudaFilterModeLinear;
  texels.addressMode[0] = texels.addressMode[1] = cudaAddressModeWrap;
  cudaBindTexture2D(0, texels, bytes.at, cudaCreateChannelDesc<unsigned char>(), 37, 21, 64);
  array<float> filtered(96 * 64);
  texture_filter_image::texture_filter<<<dim3(6, 4), dim3(16, 16)>>>(filtered.at, 96);
  filtered.save("texture_filter");
}

static void graph() {
  const int n = 300, degree = 4;
  bfs::node_edges nodes[n];
  int edges[n * degree];
  for (int i = 0; i < n; ++i) {
    nodes[i].first = i * degree;
    nodes[i].count = degree;
    for (int k = 0; k < degree; ++k) edges[i * degree + k] = static_cast<int>((random_bits() >> 8) % n);
  }
  array<bfs::node_edges> node_list(n);
  array<int> edge_list(n * degree), cost(n);
  array<signed char> mask(n), updating(n), visited(n);
  array<unsigned char> over(1);
  node_list.fill(nodes), edge_list.fill(edges);
  cudaMemset(mask.at, 1, 1);
  cudaMemset(visited.at, 1, 1);
  for (unsigned char more = 1; more != 0;) {
    cudaMemset(over.at, 0, 1);
    bfs::bfs_kernel1<<<3, 128>>>(node_list.at, edge_list.at, mask.at, updating.at, visited.at, cost.at, n);
    bfs::bfs_kernel2<<<3, 128>>>(mask.at, updating.at, visited.at, over.at, n);
    if (cudaMemcpy(&more, over.at, 1, cudaMemcpyDeviceToHost) != cudaSuccess) return;
  }
  cost.save("bfs");
}

int main(int, char** words) {
  results = fopen(words[1], "wb");
  if (results == NULL) return 2;
  sums_and_sorts();
  matrices();
  floats();
  images();
  graph();
  fclose(results);
  const cudaError_t error = cudaThreadSynchronize();
  if (error != cudaSuccess) printf("%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
