// Makes the steps of a plan, dimension by dimension, from the last one on.
#include <algorithm>
#include <map>

#include "cuda/libraries/fft/plan.h"
#include "cuda/libraries/fft/split.h"

namespace gt200_fft {
namespace {

class builder {
 public:
  explicit builder(plan& p) : plan_(p), most_(most_elements(p.is_wide())) {}

  // Packed complex data come from `at` and end in `to`.
  void dimensions(array at, array to) {
    int inner = 1;
    for (int d = 2; d >= 0; --d) {
      const int n = plan_.n[d];
      if (n == 1) continue;
      const int outer = plan_.elements() / n / inner;
      dimension(n, outer, inner, at, to);
      at = to;
      inner *= n;
    }
  }

  cufftResult allocate(bool needs_packed) {
    if (too_large_) return CUFFT_INVALID_SIZE;
    const size_t bytes = plan_.is_wide() ? sizeof(double2) : sizeof(float2);
    if (needs_packed) elements_[packed] = static_cast<size_t>(plan_.elements());
    for (int a = packed; a < arrays; ++a)
      if (!reserve(&plan_.memory[a], elements_[a] * bytes)) return CUFFT_ALLOC_FAILED;
    if (!reserve(&plan_.tables, tables_.size() * bytes) || !reserve(&plan_.order, order_.size() * sizeof(int)))
      return CUFFT_ALLOC_FAILED;
    if (tables_.empty()) return CUFFT_SUCCESS;
    const cudaError_t copied = plan_.is_wide() ? send<double2>() : send<float2>();
    if (copied != cudaSuccess) return CUFFT_SETUP_FAILED;
    const size_t order_bytes = order_.size() * sizeof(int);
    return cudaMemcpy(plan_.order, order_.data(), order_bytes, cudaMemcpyHostToDevice) == cudaSuccess
               ? CUFFT_SUCCESS
               : CUFFT_SETUP_FAILED;
  }

 private:
  bool reserve(void** pointer, size_t bytes) {
    plan_.bytes += bytes;
    return bytes == 0 || cudaMalloc(pointer, bytes) == cudaSuccess;
  }

  template <class T>
  cudaError_t send() {
    typedef decltype(T::x) real;
    std::vector<T> rounded(tables_.size());
    for (size_t i = 0; i < tables_.size(); ++i) {
      rounded[i].x = static_cast<real>(tables_[i].real());
      rounded[i].y = static_cast<real>(tables_[i].imag());
    }
    return cudaMemcpy(plan_.tables, rounded.data(), rounded.size() * sizeof(T), cudaMemcpyHostToDevice);
  }

  ptrdiff_t keep(const numbers& table) {
    tables_.insert(tables_.end(), table.begin(), table.end());
    return static_cast<ptrdiff_t>(tables_.size() - table.size());
  }

  void dimension(int n, int outer, int inner, array from, array to) {
    const std::vector<int> factors = factors_of(n, most_);
    if (!factors.empty())
      passes(factors, outer, inner, from, to, work, as_called, -1);
    else
      convolution(n, outer, inner, from, to);
  }

  // x_j = chirp_j (chirp_j x_j * conj(chirp)), a convolution by transforms of `padded` elements.
  void convolution(int n, int outer, int inner, array from, array to) {
    const int padded = padded_length(2 * n - 1, most_);
    const int rows = outer * inner;
    if (rows > most_places / padded) {
      too_large_ = true;
      return;
    }
    const numbers table = chirp_of(n);
    step s = {};
    s.convolution = {n, inner, padded, rows * padded};
    s.factors = keep(table);
    s.kind = step_chirp_in;
    s.from = from;
    s.to = work;
    plan_.steps.push_back(s);
    use(work, rows * padded);
    const std::vector<int> factors = factors_of(padded, most_);
    passes(factors, rows, 1, work, work, other_work, forward, keep(spectrum_of_chirp(table, padded)));
    passes(factors, rows, 1, work, work, other_work, inverse, -1);
    s.convolution.elements = rows * n;
    s.kind = step_chirp_out;
    s.from = work;
    s.to = to;
    plan_.steps.push_back(s);
  }

  // The length is split into digits, the first the most significant. A pass transforms by one digit, and all but
  // the last multiply by a factor of what follows. The last one turns the order of the digits round, so the passes
  // before it are in an array of their own. `spectrum`: factors of the result.
  void passes(const std::vector<int>& digits, int outer, int inner, array from, array to, array between,
              direction way, ptrdiff_t spectrum) {
    int after = 1;
    for (const int d : digits) after *= d;
    const int n = after;
    if (digits.size() > 1) use(between, outer * n * inner);
    for (size_t i = 0; i < digits.size(); ++i) {
      const int length = digits[i];
      after /= length;
      const bool is_last = i + 1 == digits.size();
      step s = {};
      s.kind = step_pass;
      s.way = way;
      s.from = i == 0 ? from : between;
      s.to = is_last ? to : between;
      s.factors = is_last ? spectrum : factors_between(length * after);
      pass& p = s.transforms;
      p.length = length;
      p.transforms = outer * inner * (n / length);
      p.inner = inner;
      p.factors_by_place = is_last;
      p.in_step = after * inner;
      if (is_last) {
        const int first = digits.size() > 1 ? digits[0] : 1, second = digits.size() > 2 ? digits[1] : 1;
        set_loops(p, {inner, first, second}, {1, n / first * inner, length * inner, n * inner},
                  {1, inner, first * inner, n * inner});
        p.out_step = n / length * inner;
      } else {
        set_loops(p, {after * inner, 1, 1}, {1, 0, 0, length * after * inner}, {1, 0, 0, length * after * inner});
        p.out_step = p.in_step;
      }
      drop_first_loop(p);
      butterflies(s);
      plan_.steps.push_back(s);
    }
  }

  static void set_loops(pass& p, const int (&counts)[3], const int (&in)[4], const int (&out)[4]) {
    std::copy(counts, counts + 3, p.counts);
    std::copy(in, in + 4, p.in);
    std::copy(out, out + 4, p.out);
  }

  // Indices of one value come last, so that neighbouring transforms are neighbours in memory where they can be.
  static void drop_first_loop(pass& p) {
    for (int i = 0; i < 2 && p.counts[0] == 1; ++i)
      for (int k = 0; k < 2; ++k) {
        std::swap(p.counts[k], p.counts[k + 1]);
        std::swap(p.in[k], p.in[k + 1]);
        std::swap(p.out[k], p.out[k + 1]);
      }
  }

  ptrdiff_t factors_between(int n) {
    const auto known = between_.find(n);
    if (known != between_.end()) return known->second;
    return between_[n] = keep(roots_of_unity(n));
  }

  // Columns, radices and tables of transforms of one length.
  void butterflies(step& s) {
    pass& p = s.transforms;
    p.columns = 1;
    p.columns_log2 = 0;
    while (p.columns < most_columns && p.columns < p.transforms &&
           p.length * row_of(2 * p.columns) <= most_of_several(plan_.is_wide())) {
      p.columns *= 2;
      ++p.columns_log2;
    }
    const std::vector<int> radices = radices_of(p.length);
    for (const int r : radices) p.radices = p.radices << 4 | static_cast<unsigned>(r);
    s.twiddles = factors_between(p.length);
    const auto [known, is_new] = orders_.emplace(p.length, static_cast<ptrdiff_t>(order_.size()));
    s.order = known->second;
    if (!is_new) return;
    const std::vector<int> order = order_of(radices);
    order_.insert(order_.end(), order.begin(), order.end());
  }

  void use(array a, int elements) { elements_[a] = std::max(elements_[a], static_cast<size_t>(elements)); }

  plan& plan_;
  const int most_;
  numbers tables_;
  std::vector<int> order_;
  std::map<int, ptrdiff_t> between_, orders_;
  size_t elements_[arrays] = {};
  bool too_large_ = false;
};

}  // namespace

cufftResult build(plan& p) {
  builder b(p);
  b.dimensions(p.moves() ? packed : from_program, p.moves() ? packed : to_program);
  return b.allocate(p.moves());
}

}  // namespace gt200_fft
