// Runs the steps of a plan.
#include "cuda/libraries/context.h"
#include "cuda/libraries/fft/plan.h"

namespace gt200_fft {
namespace {

template <class T>
class run_of {
 public:
  run_of(const plan& p, const void* in, void* out, bool inverse) : plan_(p), out_(out), inverse_(inverse) {
    in_ = in;
    for (int a = packed; a < arrays; ++a) memory_[a] = static_cast<T*>(p.memory[a]);
    memory_[to_program] = static_cast<T*>(out);
  }

  cudaError_t operator()() {
    if (plan_.moves()) {
      const cudaError_t error = run_gather(movement_of(plan_.in, in_kind()), in_, memory_[packed], plan_.stream);
      if (error != cudaSuccess) return error;
    }
    for (const step& s : plan_.steps)
      if (const cudaError_t error = run(s); error != cudaSuccess) return error;
    if (!plan_.moves()) return cudaSuccess;
    return run_scatter(movement_of(plan_.out, out_kind()), memory_[packed], out_, plan_.stream);
  }

 private:
  cudaError_t run(const step& s) {
    const T* from = s.from == from_program ? static_cast<const T*>(in_) : memory_[s.from];
    T* to = memory_[s.to];
    const T* tables = static_cast<const T*>(plan_.tables);
    const T* factors = s.factors < 0 ? nullptr : tables + s.factors;
    const bool turned = s.way == as_called ? inverse_ : s.way == inverse;
    if (s.kind == step_chirp_in) return run_chirp_in(s.convolution, turned, from, to, factors, plan_.stream);
    if (s.kind == step_chirp_out) return run_chirp_out(s.convolution, turned, from, to, factors, plan_.stream);
    const int* order = static_cast<const int*>(plan_.order) + s.order;
    return run_pass(s.transforms, turned, from, to, tables + s.twiddles, order, factors, plan_.stream);
  }

  kind_of_elements in_kind() const {
    return plan_.is_of_complex() ? complex_elements : plan_.is_to_real() ? half_elements : real_elements;
  }
  kind_of_elements out_kind() const {
    return plan_.is_of_complex() ? complex_elements : plan_.is_to_real() ? real_elements : half_elements;
  }

  movement movement_of(const side& s, kind_of_elements kind) const {
    const int half = plan_.n[2] / 2 + 1;
    movement m = {};
    for (int d = 0; d < 3; ++d) m.n[d] = plan_.n[d];
    const bool is_half_written = kind == half_elements && !plan_.is_to_real();
    m.last = is_half_written ? half : m.n[2];
    m.kind = kind;
    m.elements = m.n[0] * m.n[1] * m.last * plan_.batch;
    m.program = s.own;
    if (!s.is_own) {
      const bool in_place = in_ == out_ && (plan_.compatibility & CUFFT_COMPATIBILITY_FFTW_PADDING) != 0;
      const int row = kind == half_elements ? half : kind == real_elements && in_place ? 2 * half : m.n[2];
      m.program = {{m.n[1] * row, row, 1}, m.n[0] * m.n[1] * row};
    }
    return m;
  }

  const plan& plan_;
  const void* in_;
  void* out_;
  T* memory_[arrays] = {};
  bool inverse_;
};

}  // namespace

cufftResult execute(const plan& p, const void* in, void* out, bool inverse) {
  const cudaError_t error =
      p.is_wide() ? run_of<double2>(p, in, out, inverse)() : run_of<float2>(p, in, out, inverse)();
  return error == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

void release(plan& p) {
  for (void* memory : p.memory) gt200_libraries::free_in(p.context, memory);
  gt200_libraries::free_in(p.context, p.tables);
  gt200_libraries::free_in(p.context, p.order);
}

}  // namespace gt200_fft
