// A transform of cuFFT on the device, with what is around its elements, compared with the reference.
#pragma once

#include <algorithm>

#include "cufft.h"
#include "testbenches/cuda/libraries/dft.h"
#include "testbenches/cuda/libraries/reference.h"

// The functions of one precision under common names.
struct single {
  typedef float real;
  typedef cufftComplex complex;
  static const cufftType c2c = CUFFT_C2C, r2c = CUFFT_R2C, c2r = CUFFT_C2R;
  static cufftResult run(cufftHandle p, cufftComplex* in, cufftComplex* out, int way) {
    return cufftExecC2C(p, in, out, way);
  }
  static cufftResult run(cufftHandle p, float* in, cufftComplex* out, int) { return cufftExecR2C(p, in, out); }
  static cufftResult run(cufftHandle p, cufftComplex* in, float* out, int) { return cufftExecC2R(p, in, out); }
  static double unit() { return std::ldexp(1.0, -23); }
  static const char* name() { return "single"; }
};
struct twofold {
  typedef double real;
  typedef cufftDoubleComplex complex;
  static const cufftType c2c = CUFFT_Z2Z, r2c = CUFFT_D2Z, c2r = CUFFT_Z2D;
  static cufftResult run(cufftHandle p, cufftDoubleComplex* in, cufftDoubleComplex* out, int way) {
    return cufftExecZ2Z(p, in, out, way);
  }
  static cufftResult run(cufftHandle p, double* in, cufftDoubleComplex* out, int) {
    return cufftExecD2Z(p, in, out);
  }
  static cufftResult run(cufftHandle p, cufftDoubleComplex* in, double* out, int) {
    return cufftExecZ2D(p, in, out);
  }
  static double unit() { return std::ldexp(1.0, -52); }
  static const char* name() { return "double"; }
};

// Where the elements of one side are: index x of dimension d at x * steps[d].
struct placement {
  int steps[3], distance;
  int operator()(int number, int x, int y, int z) const {
    return number * distance + x * steps[0] + y * steps[1] + z * steps[2];
  }
};

struct shape {
  int n[3];
  int batch;
  // As cufftPlanMany() takes them for three dimensions; strides 0: packed.
  int in_embed[3], in_stride, in_distance;
  int out_embed[3], out_stride, out_distance;
  int elements() const { return n[0] * n[1] * n[2]; }
  bool is_own() const { return in_stride != 0; }
};

inline placement packed_rows(const shape& s, int row) { return {{s.n[1] * row, row, 1}, s.n[0] * s.n[1] * row}; }
inline placement embedded(const int* embed, int stride, int distance) {
  return {{embed[1] * embed[2] * stride, embed[2] * stride, stride}, distance};
}

inline std::string text_of(const shape& s) {
  std::string text;
  for (const int n : s.n) text += (text.empty() ? "" : " x ") + std::to_string(n);
  return text + " batch " + std::to_string(s.batch) + (s.is_own() ? " with strides" : "");
}

inline int largest_prime(int n) {
  int largest = 1;
  for (int p = 2; n > 1; ++p)
    for (; n % p == 0; n /= p) largest = p;
  return largest;
}

// The bound of the relative RMS error, in units of the last place of 1: 0.4 units per doubling of the length,
// and 1.6 where a length has a prime factor above 7, whose transform takes two longer ones.
inline double error_bound(const shape& s) {
  double bound = 0.8;
  for (const int n : s.n) bound += (largest_prime(n) > 7 ? 1.6 : 0.4) * std::log2(n);
  return bound;
}

inline void expect_close(const spectrum& got, const spectrum& expected, double unit, const shape& s,
                         const std::string& what) {
  long double error = 0, size = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    error += std::norm(got[i] - expected[i]);
    size += std::norm(expected[i]);
  }
  const double relative = static_cast<double>(std::sqrt(error / size)) / unit;
  if (!(relative <= error_bound(s)))
    expect(false,
           what + ": RMS error of " + std::to_string(relative) + " units, bound " + std::to_string(error_bound(s)));
}

// Elements on the device between margins; nothing but what is written may change.
template <class T>
class device_array {
 public:
  explicit device_array(int size) : host_(size + 2 * margin) {
    for (T& x : host_) x = element<T>::of(random_element<T>());
    expect(cudaMalloc(reinterpret_cast<void**>(&device_), bytes()) == cudaSuccess, "cudaMalloc");
  }
  device_array(const device_array&) = delete;
  ~device_array() { cudaFree(device_); }
  T& operator[](int i) { return host_[i + margin]; }
  T* device() { return device_ + margin; }
  void send() {
    expect(cudaMemcpy(device_, host_.data(), bytes(), cudaMemcpyHostToDevice) == cudaSuccess, "send");
    written_.assign(host_.size(), false);
  }
  void fetch() {
    old_ = host_;
    expect(cudaMemcpy(host_.data(), device_, bytes(), cudaMemcpyDeviceToHost) == cudaSuccess, "fetch");
  }
  widest result(int i) {
    written_[i + margin] = true;
    const wide x = element<T>::read(host_[i + margin]);
    return widest(x.real(), x.imag());
  }
  void expect_rest_unchanged(const std::string& what) {
    for (size_t i = 0; i < host_.size(); ++i)
      if (!written_[i])
        expect(element<T>::read(host_[i]) == element<T>::read(old_[i]), what + ": writes outside its elements");
  }

 private:
  enum { margin = 4 };
  size_t bytes() const { return host_.size() * sizeof(T); }
  std::vector<T> host_, old_;
  std::vector<bool> written_;
  T* device_ = nullptr;
};

inline int end_of(const placement& p, const shape& s, int last) {
  return p(s.batch - 1, s.n[0] - 1, s.n[1] - 1, last - 1) + 1;
}

inline cufftHandle plan_of(const shape& s, cufftType type, const std::string& what) {
  cufftHandle plan = 0;
  cufftResult made;
  shape a = s;
  if (s.is_own())
    made = cufftPlanMany(&plan, 3, a.n, a.in_embed, s.in_stride, s.in_distance, a.out_embed, s.out_stride,
                         s.out_distance, type, s.batch);
  else if (s.n[0] == 1 && s.n[1] == 1)
    made = cufftPlan1d(&plan, s.n[2], type, s.batch);
  else if (s.batch > 1)
    made = cufftPlanMany(&plan, 3, a.n, nullptr, 7, 7, nullptr, 7, 7, type, s.batch);
  else if (s.n[0] == 1)
    made = cufftPlan2d(&plan, s.n[1], s.n[2], type);
  else
    made = cufftPlan3d(&plan, s.n[0], s.n[1], s.n[2], type);
  expect(made == CUFFT_SUCCESS, what + ": plan gives " + std::to_string(made));
  return plan;
}

// The elements of one transform, `last` in each row.
template <class F>
void for_each(const shape& s, int last, F f) {
  for (int x = 0; x < s.n[0]; ++x)
    for (int y = 0; y < s.n[1]; ++y)
      for (int z = 0; z < last; ++z) f(x, y, z, (x * s.n[1] + y) * s.n[2] + z);
}

template <class P>
void check_complex(const shape& s, int way, bool in_place) {
  typedef typename P::complex complex;
  const std::string what = std::string("C2C ") + P::name() + " " + text_of(s) + (way < 0 ? "" : " inverse") +
                           (in_place ? " in place" : "");
  const cufftHandle plan = plan_of(s, P::c2c, what);
  const placement in = s.is_own() ? embedded(s.in_embed, s.in_stride, s.in_distance) : packed_rows(s, s.n[2]);
  const placement out =
      s.is_own() && !in_place ? embedded(s.out_embed, s.out_stride, s.out_distance) : packed_rows(s, s.n[2]);
  device_array<complex> from(end_of(in, s, s.n[2])), apart(in_place ? 1 : end_of(out, s, s.n[2]));
  device_array<complex>& to = in_place ? from : apart;
  from.send();
  to.send();
  std::vector<spectrum> expected(s.batch, spectrum(s.elements()));
  for (int b = 0; b < s.batch; ++b) {
    for_each(s, s.n[2], [&](int x, int y, int z, int i) {
      const wide e = element<complex>::read(from[in(b, x, y, z)]);
      expected[b][i] = widest(e.real(), e.imag());
    });
    expected[b] = transform(expected[b], s.n, way);
  }
  const cufftResult done = P::run(plan, from.device(), to.device(), way);
  expect(done == CUFFT_SUCCESS, what + ": gives " + std::to_string(done));
  to.fetch();
  for (int b = 0; b < s.batch; ++b) {
    spectrum got(s.elements());
    for_each(s, s.n[2], [&](int x, int y, int z, int i) { got[i] = to.result(out(b, x, y, z)); });
    expect_close(got, expected[b], P::unit(), s, what);
  }
  to.expect_rest_unchanged(what);
  expect(cufftDestroy(plan) == CUFFT_SUCCESS, "destroy");
}

// Real data are the real parts of arrays of complex ones in place: a row has two numbers for each.
template <class P>
void check_real(const shape& s, bool to_real, bool in_place) {
  typedef typename P::complex complex;
  typedef typename P::real real;
  const std::string what =
      std::string(to_real ? "C2R " : "R2C ") + P::name() + " " + text_of(s) + (in_place ? " in place" : "");
  const cufftHandle plan = plan_of(s, to_real ? P::c2r : P::r2c, what);
  const int half = s.n[2] / 2 + 1;
  const auto own = [&](bool input) {
    return input ? embedded(s.in_embed, s.in_stride, s.in_distance)
                 : embedded(s.out_embed, s.out_stride, s.out_distance);
  };
  const placement reals = s.is_own() ? own(!to_real) : packed_rows(s, in_place ? 2 * half : s.n[2]);
  const placement halves = s.is_own() ? own(to_real) : packed_rows(s, half);
  device_array<complex> spectra(end_of(halves, s, half));
  device_array<real> values(end_of(reals, s, s.n[2]));
  std::vector<spectrum> expected(s.batch, spectrum(s.elements()));
  for (int b = 0; b < s.batch; ++b) {
    spectrum& e = expected[b];
    for_each(s, s.n[2], [&](int x, int y, int z, int i) { e[i] = values[reals(b, x, y, z)]; });
    e = transform(e, s.n, -1);
    if (!to_real) continue;
    const auto at = [&](int x, int y, int z) -> complex& { return spectra[halves(b, x, y, z)]; };
    for_each(s, half, [&](int x, int y, int z, int i) {
      at(x, y, z) = element<complex>::of(wide(static_cast<double>(e[i].real()), static_cast<double>(e[i].imag())));
    });
    for_each(s, s.n[2], [&](int x, int y, int z, int i) {
      const bool stored = z < half;
      const complex c = stored ? at(x, y, z) : at((s.n[0] - x) % s.n[0], (s.n[1] - y) % s.n[1], s.n[2] - z);
      e[i] = widest(c.x, stored ? c.y : -c.y);
    });
    e = transform(e, s.n, 1);
    for (widest& v : e) v = v.real();
  }
  cufftResult done;
  if (in_place) {
    // Both kinds share the memory of the complex numbers.
    device_array<complex> both(end_of(halves, s, half));
    real* as_reals = reinterpret_cast<real*>(&both[0]);
    for (int b = 0; b < s.batch; ++b)
      if (to_real)
        for_each(s, half,
                 [&](int x, int y, int z, int) { both[halves(b, x, y, z)] = spectra[halves(b, x, y, z)]; });
      else
        for_each(s, s.n[2],
                 [&](int x, int y, int z, int) { as_reals[reals(b, x, y, z)] = values[reals(b, x, y, z)]; });
    both.send();
    real* on_device = reinterpret_cast<real*>(both.device());
    done = to_real ? P::run(plan, both.device(), on_device, 0) : P::run(plan, on_device, both.device(), 0);
    both.fetch();
    spectra.send();
    values.send();
    spectra.fetch();
    values.fetch();
    for (int b = 0; b < s.batch; ++b)
      if (to_real)
        for_each(s, s.n[2],
                 [&](int x, int y, int z, int) { values[reals(b, x, y, z)] = as_reals[reals(b, x, y, z)]; });
      else
        for_each(s, half,
                 [&](int x, int y, int z, int) { spectra[halves(b, x, y, z)] = both[halves(b, x, y, z)]; });
  } else {
    spectra.send();
    values.send();
    done = to_real ? P::run(plan, spectra.device(), values.device(), 0)
                   : P::run(plan, values.device(), spectra.device(), 0);
    spectra.fetch();
    values.fetch();
  }
  expect(done == CUFFT_SUCCESS, what + ": gives " + std::to_string(done));
  for (int b = 0; b < s.batch; ++b) {
    spectrum got(s.elements()), wanted = expected[b];
    // Of half a spectrum, the other half counts as right.
    got = wanted;
    if (to_real)
      for_each(s, s.n[2], [&](int x, int y, int z, int i) { got[i] = values.result(reals(b, x, y, z)); });
    else
      for_each(s, half, [&](int x, int y, int z, int i) { got[i] = spectra.result(halves(b, x, y, z)); });
    expect_close(got, wanted, P::unit(), s, what);
  }
  if (!in_place) {
    spectra.expect_rest_unchanged(what);
    values.expect_rest_unchanged(what);
  }
  expect(cufftDestroy(plan) == CUFFT_SUCCESS, "destroy");
}
