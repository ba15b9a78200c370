// cuFFT against transforms in long double. The argument names a part; `small` is for the model, `first` for chips
// without double precision.
#include "testbenches/cuda/libraries/fft.h"

static shape row(int n, int batch = 1) { return {{1, 1, n}, batch, {}, 0, 0, {}, 0, 0}; }
static shape block(int x, int y, int z, int batch = 1) { return {{x, y, z}, batch, {}, 0, 0, {}, 0, 0}; }

// Rows with gaps in each direction, of different sizes on both sides; `half` is the side with half the row.
static shape with_gaps(int x, int y, int z, int batch, int half) {
  shape s = block(x, y, z, batch);
  const int in = half == 1 ? z / 2 + 1 : z, out = half == 2 ? z / 2 + 1 : z;
  s.in_stride = 3;
  s.out_stride = 2;
  const int in_embed[] = {x, y + 1, in + 2}, out_embed[] = {x + 1, y, out + 1};
  std::copy(in_embed, in_embed + 3, s.in_embed);
  std::copy(out_embed, out_embed + 3, s.out_embed);
  s.in_distance = 3 * x * (y + 1) * (in + 2) + 5;
  s.out_distance = 2 * (x + 1) * y * (out + 1) + 1;
  return s;
}

static void check_errors() {
  cufftHandle plan = 0;
  expect(cufftPlan1d(nullptr, 8, CUFFT_C2C, 1) == CUFFT_INVALID_VALUE, "no place for the plan");
  expect(cufftPlan1d(&plan, 0, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE, "no elements");
  expect(cufftPlan1d(&plan, 8, CUFFT_C2C, 0) == CUFFT_INVALID_SIZE, "no transforms");
  expect(cufftPlan1d(&plan, 1 << 30, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE, "too many elements");
  expect(cufftPlan3d(&plan, 4096, 4096, 4096, CUFFT_C2C) == CUFFT_INVALID_SIZE, "too many elements in all");
  expect(cufftPlan2d(&plan, 8, -8, CUFFT_C2C) == CUFFT_INVALID_SIZE, "negative size");
  expect(cufftPlan1d(&plan, 8, static_cast<cufftType>(7), 1) == CUFFT_INVALID_TYPE, "unknown type");
  int n[] = {8, 8, 8, 8}, embed[] = {8, 7, 8, 8};
  expect(cufftPlanMany(&plan, 4, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE, "rank 4");
  expect(cufftPlanMany(&plan, 2, n, embed, 1, 64, nullptr, 1, 0, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE,
         "an embedding shorter than the row");
  expect(cufftPlanMany(&plan, 1, n, n, 0, 64, nullptr, 1, 0, CUFFT_C2C, 1) == CUFFT_INVALID_VALUE, "stride 0");
  expect(cufftPlanMany(&plan, 1, nullptr, n, 1, 64, nullptr, 1, 0, CUFFT_C2C, 1) == CUFFT_INVALID_VALUE,
         "no sizes");
  expect(cufftExecC2C(77, nullptr, nullptr, CUFFT_FORWARD) == CUFFT_INVALID_PLAN, "unknown plan");
  expect(cufftDestroy(77) == CUFFT_INVALID_PLAN, "destroys an unknown plan");
  expect(cufftSetStream(77, nullptr) == CUFFT_INVALID_PLAN, "stream of an unknown plan");
  cufftComplex* data = nullptr;
  expect(cudaMalloc(reinterpret_cast<void**>(&data), 8 * sizeof *data) == cudaSuccess, "cudaMalloc");
  expect(cufftPlan1d(&plan, 8, CUFFT_C2C, 1) == CUFFT_SUCCESS, "plan");
  expect(cufftExecC2C(plan, nullptr, data, CUFFT_FORWARD) == CUFFT_INVALID_VALUE, "no input");
  expect(cufftExecC2C(plan, data, data, 0) == CUFFT_INVALID_VALUE, "no direction");
  expect(cufftExecR2C(plan, &data->x, data) == CUFFT_INVALID_TYPE, "plan of another type");
  expect(cufftSetCompatibilityMode(plan, static_cast<cufftCompatibility>(9)) == CUFFT_INVALID_VALUE, "mode 9");
  expect(cufftDestroy(plan) == CUFFT_SUCCESS, "destroy");
  expect(cufftExecC2C(plan, data, data, CUFFT_FORWARD) == CUFFT_INVALID_PLAN, "destroyed plan");
  expect(cufftDestroy(plan) == CUFFT_INVALID_PLAN, "destroys twice");
  cudaFree(data);
}

// A plan in two calls: a number, which takes a stream, and what it is to transform.
static void check_created() {
  cufftHandle plan = 0;
  size_t bytes = 0;
  expect(cufftCreate(nullptr) == CUFFT_INVALID_VALUE, "no place for the number");
  expect(cufftMakePlan1d(77, 8, CUFFT_C2C, 1, &bytes) == CUFFT_INVALID_PLAN, "makes an unknown plan");
  expect(cufftCreate(&plan) == CUFFT_SUCCESS, "create");
  expect(cufftSetStream(plan, nullptr) == CUFFT_SUCCESS, "stream of a created plan");
  device_array<cufftComplex> data(8);
  for (int i = 0; i < 8; ++i) data[i] = make_cuComplex(i == 1 ? 1.0f : 0.0f, 0.0f);
  data.send();
  expect(cufftExecC2C(plan, data.device(), data.device(), CUFFT_FORWARD) == CUFFT_INVALID_PLAN, "executes nothing");
  expect(cufftGetSize(plan, &bytes) == CUFFT_INVALID_PLAN, "size of nothing");
  expect(cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, nullptr) == CUFFT_INVALID_VALUE, "no place for the size");
  expect(cufftMakePlan1d(plan, 0, CUFFT_C2C, 1, &bytes) == CUFFT_INVALID_SIZE, "makes no elements");
  int n[] = {8};
  expect(cufftMakePlanMany(plan, 1, n, nullptr, 1, 8, nullptr, 1, 8, CUFFT_C2C, 1, &bytes) == CUFFT_SUCCESS,
         "make");
  expect(cufftMakePlan2d(plan, 8, 8, CUFFT_C2C, &bytes) == CUFFT_INVALID_PLAN, "makes twice");
  size_t same = 1;
  expect(cufftGetSize(plan, &same) == CUFFT_SUCCESS && same == bytes, "size");
  expect(cufftExecC2C(plan, data.device(), data.device(), CUFFT_FORWARD) == CUFFT_SUCCESS, "executes");
  data.fetch();
  for (int i = 0; i < 8; ++i)
    expect(std::fabs(data[i].x - std::cos(0.785398163 * i)) < 1e-6 &&
               std::fabs(data[i].y + std::sin(0.785398163 * i)) < 1e-6,
           "wave");
  expect(cufftDestroy(plan) == CUFFT_SUCCESS, "destroy");
}

// Without padding, real rows in place are packed.
static void check_native() {
  cufftHandle plan = 0;
  expect(cufftPlan1d(&plan, 4, CUFFT_C2R, 2) == CUFFT_SUCCESS, "plan");
  expect(cufftSetCompatibilityMode(plan, CUFFT_COMPATIBILITY_NATIVE) == CUFFT_SUCCESS, "native");
  device_array<cufftComplex> data(6);
  for (int i = 0; i < 6; ++i) data[i] = make_cuComplex(i % 3 == 0 ? static_cast<float>(1 + i) : 0.0f, 0.0f);
  data.send();
  expect(cufftExecC2R(plan, data.device(), reinterpret_cast<float*>(data.device())) == CUFFT_SUCCESS, "native C2R");
  data.fetch();
  for (int i = 0; i < 4; ++i)
    expect(data[i].x == (i < 2 ? 1 : 4) && data[i].y == (i < 2 ? 1 : 4), "packed rows in place");
  expect(cufftDestroy(plan) == CUFFT_SUCCESS, "destroy");
}

template <class P>
static void check_sizes() {
  for (int n = 1; n <= 300; ++n) {
    check_complex<P>(row(n, 1 + n % 3), CUFFT_FORWARD, n % 2 == 0);
    check_complex<P>(row(n, 1 + n % 2), CUFFT_INVERSE, n % 2 != 0);
    check_real<P>(row(n, 1 + n % 3), false, n % 2 != 0);
    check_real<P>(row(n, 1 + n % 2), true, n % 2 == 0);
  }
  // More transforms than a block has.
  for (const int n : {2, 7, 16, 60, 81}) check_complex<P>(row(n, 150), CUFFT_FORWARD, n == 16);
}

template <class P>
static void check_large() {
  for (const int n : {512, 1024, 1029, 2187, 4096, 4103, 12005, 16384, 30030, 65536, 100000})
    check_complex<P>(row(n, n < 5000 ? 3 : 1), n % 3 == 0 ? CUFFT_INVERSE : CUFFT_FORWARD, n % 5 == 0);
  for (int k = 0; k < 6; ++k) {
    const int n = 300 + static_cast<int>(numbers() % 5000);
    check_complex<P>(row(n), CUFFT_FORWARD, false);
    check_real<P>(row(n), k % 2 == 0, k % 3 == 0);
  }
}

template <class P>
static void check_dimensions() {
  const int sizes[][3] = {{1, 8, 8},    {1, 16, 30},  {1, 64, 128}, {1, 13, 21}, {1, 1200, 3}, {1, 3, 1200},
                          {1, 2, 1100}, {1, 37, 1},   {4, 4, 4},    {8, 15, 7},  {11, 3, 10},  {32, 16, 8},
                          {1200, 2, 2}, {2, 1200, 2}, {2, 3, 2100}, {1, 1031, 2}};
  int k = 0;
  for (const auto& n : sizes) {
    const bool in_place = ++k % 2 == 0;
    check_complex<P>(block(n[0], n[1], n[2]), k % 3 == 0 ? CUFFT_INVERSE : CUFFT_FORWARD, in_place);
    check_complex<P>(block(n[0], n[1], n[2], 2), k % 3 == 0 ? CUFFT_FORWARD : CUFFT_INVERSE, !in_place);
    check_real<P>(block(n[0], n[1], n[2]), false, !in_place);
    check_real<P>(block(n[0], n[1], n[2]), true, in_place);
    check_real<P>(block(n[0], n[1], n[2], 3), k % 2 == 0, k % 3 == 0);
    if (n[0] * n[1] * n[2] > 1000) continue;
    check_complex<P>(with_gaps(n[0], n[1], n[2], 2, 0), CUFFT_FORWARD, false);
    check_real<P>(with_gaps(n[0], n[1], n[2], 2, 2), false, false);
    check_real<P>(with_gaps(n[0], n[1], n[2], 3, 1), true, false);
  }
}

template <class P>
static void check_few() {
  check_complex<P>(row(64, 5), CUFFT_FORWARD, false);
  check_complex<P>(row(210), CUFFT_INVERSE, true);
  check_complex<P>(row(13, 2), CUFFT_FORWARD, true);
  check_complex<P>(row(1280), CUFFT_FORWARD, false);
  check_real<P>(block(1, 6, 20), false, false);
  check_real<P>(with_gaps(3, 4, 5, 1, 1), true, false);
}

template <class P>
static void check_all(const std::string& part) {
  if (part == "sizes") check_sizes<P>();
  if (part == "large") check_large<P>();
  if (part == "dimensions") check_dimensions<P>();
  if (part == "small") check_few<P>();
}

int main(int, char** words) {
  const std::string part = words[1];
  check_errors();
  check_created();
  check_native();
  if (part == "first") {
    cufftHandle plan = 0;
    expect(cufftPlan1d(&plan, 8, CUFFT_Z2Z, 1) == CUFFT_INVALID_TYPE, "double precision before 1.3");
    check_all<single>("small");
    check_complex<single>(row(1024), CUFFT_FORWARD, false);
    check_complex<single>(row(343, 3), CUFFT_FORWARD, false);
  } else {
    check_all<single>(part);
    check_all<twofold>(part);
  }
  std::printf("%d failures\n", failures);
  return failures != 0;
}
