// CUDPP against loops. The argument names a part; `small` is one case of each, for the model.
#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

#include "cuda_runtime_api.h"
#include "cudpp.h"
#include "testbenches/cuda/libraries/reference.h"

template <class T>
struct type_of;
template <>
struct type_of<int> {
  static const CUDPPDatatype value = CUDPP_INT;
  static const char* name() { return "int"; }
  static int random() { return static_cast<int>(numbers()); }
};
template <>
struct type_of<unsigned> {
  static const CUDPPDatatype value = CUDPP_UINT;
  static const char* name() { return "unsigned"; }
  static unsigned random() { return static_cast<unsigned>(numbers()); }
};
template <>
struct type_of<float> {
  static const CUDPPDatatype value = CUDPP_FLOAT;
  static const char* name() { return "float"; }
  static float random() { return static_cast<float>(random_number()); }
};

// Elements on the device, with one in front and behind that must not change.
template <class T>
class elements {
 public:
  explicit elements(std::vector<T> host) : host_(host) {
    host_.insert(host_.begin(), T(77));
    host_.push_back(T(78));
    expect(cudaMalloc(reinterpret_cast<void**>(&device_), bytes()) == cudaSuccess, "cudaMalloc");
    expect(cudaMemcpy(device_, host_.data(), bytes(), cudaMemcpyHostToDevice) == cudaSuccess, "send");
  }
  elements(const elements&) = delete;
  ~elements() { cudaFree(device_); }
  T* device() { return device_ + 1; }
  std::vector<T> result(const std::string& what) const {
    std::vector<T> got(host_.size());
    expect(cudaMemcpy(got.data(), device_, bytes(), cudaMemcpyDeviceToHost) == cudaSuccess, what + ": fetch");
    expect(got.front() == T(77) && got.back() == T(78), what + ": writes outside its elements");
    return std::vector<T>(got.begin() + 1, got.end() - 1);
  }

 private:
  size_t bytes() const { return host_.size() * sizeof(T); }
  std::vector<T> host_;
  T* device_ = nullptr;
};

template <class T>
std::vector<T> random_elements(int n) {
  std::vector<T> all(n);
  for (T& x : all) x = type_of<T>::random();
  return all;
}
// One in `distance` is not 0.
std::vector<unsigned> random_flags(int n, unsigned distance) {
  std::vector<unsigned> flags(n);
  for (unsigned& f : flags) f = numbers() % distance == 0 ? 1 + static_cast<unsigned>(numbers() % 3) : 0;
  return flags;
}

CUDPPHandle plan_of(CUDPPConfiguration c, int n, int rows = 1, int pitch = 0) {
  CUDPPHandle plan = 0;
  expect(cudppPlan(&plan, c, n, rows, pitch) == CUDPP_SUCCESS, "plan");
  return plan;
}

// A value with the bound of its error: sums and products of floats depend on the order.
template <class T>
struct exact {
  T value;
  double bound;
  static exact identity(CUDPPOperator op) {
    switch (op) {
      case CUDPP_ADD: return {0, 0};
      case CUDPP_MULTIPLY: return {1, 0};
      case CUDPP_MIN: return {std::numeric_limits<T>::max(), 0};
      default: return {std::numeric_limits<T>::lowest(), 0};
    }
  }
};

// Sums of magnitudes m over k terms are within (k + 2) units of m, products within k units of themselves.
template <class T>
class accumulator {
 public:
  explicit accumulator(CUDPPOperator op) : op_(op) { reset(); }
  void reset() {
    value_ = exact<T>::identity(op_).value;
    wide_ = op_ == CUDPP_MULTIPLY ? 1 : 0;
    size_ = 0;
    terms_ = 0;
  }
  void take(T x) {
    ++terms_;
    wide_ = op_ == CUDPP_MULTIPLY ? wide_ * x : wide_ + x;
    size_ += std::abs(static_cast<double>(x));
    typedef typename std::conditional<std::is_same<T, int>::value, unsigned, T>::type plain;
    if (op_ == CUDPP_ADD) value_ = static_cast<T>(static_cast<plain>(value_) + static_cast<plain>(x));
    if (op_ == CUDPP_MULTIPLY) value_ = static_cast<T>(static_cast<plain>(value_) * static_cast<plain>(x));
    if (op_ == CUDPP_MIN) value_ = std::min(value_, x);
    if (op_ == CUDPP_MAX) value_ = std::max(value_, x);
  }
  exact<T> now() const {
    if (!std::is_same<T, float>::value || op_ == CUDPP_MIN || op_ == CUDPP_MAX) return {value_, 0};
    const double unit = std::ldexp(1.0, -23);
    const double bound =
        op_ == CUDPP_ADD ? (terms_ + 2) * unit * size_ : (terms_ + 2) * unit * std::abs(wide_) + 1e-37;
    return {static_cast<T>(wide_), bound};
  }

 private:
  CUDPPOperator op_;
  T value_;
  double wide_, size_;
  int terms_;
};

template <class T>
void compare(const std::vector<T>& got, const std::vector<exact<T>>& expected, const std::string& what) {
  for (size_t i = 0; i < got.size(); ++i)
    if (expected[i].bound == 0)
      expect(got[i] == expected[i].value, what + ": element " + std::to_string(i) + " is " +
                                              std::to_string(got[i]) + ", expected " +
                                              std::to_string(expected[i].value));
    else
      expect_near(got[i], expected[i].value, expected[i].bound, what);
}

struct way {
  CUDPPOperator op;
  bool backward, inclusive;
  unsigned options() const {
    return (backward ? CUDPP_OPTION_BACKWARD : CUDPP_OPTION_FORWARD) |
           (inclusive ? CUDPP_OPTION_INCLUSIVE : CUDPP_OPTION_EXCLUSIVE);
  }
};

template <class T>
std::string text_of(const char* name, const way& w, int n) {
  const char* ops[] = {"add", "multiply", "min", "max"};
  return std::string(name) + " " + type_of<T>::name() + " " + ops[w.op] + (w.backward ? " backward" : "") +
         (w.inclusive ? " inclusive " : " exclusive ") + std::to_string(n);
}

// Of a row; without flags, one segment.
template <class T>
std::vector<exact<T>> scanned(const T* in, const unsigned* flags, int n, const way& w) {
  std::vector<exact<T>> expected(n);
  accumulator<T> sum(w.op);
  for (int k = 0; k < n; ++k) {
    const int i = w.backward ? n - 1 - k : k;
    if (flags != nullptr && !w.backward && flags[i] != 0) sum.reset();
    if (!w.inclusive) expected[i] = sum.now();
    sum.take(in[i]);
    if (w.inclusive) expected[i] = sum.now();
    if (flags != nullptr && w.backward && flags[i] != 0) sum.reset();
  }
  return expected;
}

// Products of numbers near 1, which neither vanish nor overflow.
template <class T>
std::vector<T> terms_for(const way& w, int n) {
  std::vector<T> in = random_elements<T>(n);
  if (w.op == CUDPP_MULTIPLY && std::is_same<T, float>::value)
    for (T& x : in) x = static_cast<T>(1 + 0.01 * static_cast<double>(x));
  return in;
}

template <class T>
void check_scan(int n, const way& w, bool in_place) {
  const std::string what = text_of<T>("scan", w, n);
  const CUDPPHandle plan = plan_of({CUDPP_SCAN, w.op, type_of<T>::value, w.options()}, n + n % 3);
  const std::vector<T> host = terms_for<T>(w, n);
  elements<T> in(host), out(random_elements<T>(n));
  T* const to = in_place ? in.device() : out.device();
  expect(cudppScan(plan, to, in.device(), n) == CUDPP_SUCCESS, what);
  compare((in_place ? in : out).result(what), scanned<T>(host.data(), nullptr, n, w), what);
  expect(cudppDestroyPlan(plan) == CUDPP_SUCCESS, "destroy");
}

template <class T>
void check_multi_scan(int n, int rows, int pitch, const way& w) {
  const std::string what = text_of<T>("multiscan", w, n);
  const CUDPPHandle plan = plan_of({CUDPP_SCAN, w.op, type_of<T>::value, w.options()}, n, rows, pitch);
  const std::vector<T> host = terms_for<T>(w, pitch * rows), old = random_elements<T>(pitch * rows);
  elements<T> in(host), out(old);
  expect(cudppMultiScan(plan, out.device(), in.device(), n, rows) == CUDPP_SUCCESS, what);
  const std::vector<T> got = out.result(what);
  for (int r = 0; r < rows; ++r) {
    const auto row = got.begin() + r * pitch;
    compare(std::vector<T>(row, row + n), scanned<T>(&host[r * pitch], nullptr, n, w), what);
    expect(std::equal(row + n, row + pitch, old.begin() + r * pitch + n), what + ": writes between the rows");
  }
  expect(cudppDestroyPlan(plan) == CUDPP_SUCCESS, "destroy");
}

template <class T>
void check_segmented_scan(int n, unsigned distance, const way& w) {
  const std::string what = text_of<T>("segmented scan", w, n) + " distance " + std::to_string(distance);
  const CUDPPHandle plan = plan_of({CUDPP_SEGMENTED_SCAN, w.op, type_of<T>::value, w.options()}, n);
  const std::vector<T> host = terms_for<T>(w, n);
  const std::vector<unsigned> host_flags = random_flags(n, distance);
  elements<T> in(host), out(random_elements<T>(n));
  elements<unsigned> flags(host_flags);
  expect(cudppSegmentedScan(plan, out.device(), in.device(), flags.device(), n) == CUDPP_SUCCESS, what);
  compare(out.result(what), scanned<T>(host.data(), host_flags.data(), n, w), what);
  expect(cudppDestroyPlan(plan) == CUDPP_SUCCESS, "destroy");
}

template <class T>
void check_reduce(int n, CUDPPOperator op) {
  const std::string what = text_of<T>("reduce", {op, false, true}, n);
  const CUDPPHandle plan = plan_of({CUDPP_REDUCE, op, type_of<T>::value, 0}, n);
  const std::vector<T> host = terms_for<T>({op, false, true}, n);
  elements<T> in(host), out(std::vector<T>(1));
  expect(cudppReduce(plan, out.device(), in.device(), n) == CUDPP_SUCCESS, what);
  accumulator<T> sum(op);
  for (const T x : host) sum.take(x);
  compare(out.result(what), {sum.now()}, what);
  expect(cudppDestroyPlan(plan) == CUDPP_SUCCESS, "destroy");
}

template <class T>
void check_compact(int n, unsigned distance, bool backward) {
  const std::string what = text_of<T>("compact", {CUDPP_ADD, backward, false}, n);
  const CUDPPHandle plan = plan_of({CUDPP_COMPACT, CUDPP_ADD, type_of<T>::value,
                                    static_cast<unsigned>(backward ? CUDPP_OPTION_BACKWARD : CUDPP_OPTION_FORWARD)},
                                   n);
  const std::vector<T> host = random_elements<T>(n), old = random_elements<T>(n);
  const std::vector<unsigned> host_valid = random_flags(n, distance);
  elements<T> in(host), out(old);
  elements<unsigned> valid(host_valid);
  elements<size_t> number(std::vector<size_t>(1, 99));
  expect(cudppCompact(plan, out.device(), number.device(), in.device(), valid.device(), n) == CUDPP_SUCCESS, what);
  std::vector<T> expected;
  for (int k = 0; k < n; ++k) {
    const int i = backward ? n - 1 - k : k;
    if (host_valid[i] != 0) expected.push_back(host[i]);
  }
  expect(number.result(what)[0] == expected.size(), what + ": number of valid elements");
  expected.insert(expected.end(), old.begin() + expected.size(), old.end());
  expect(out.result(what) == expected, what + ": elements");
  expect(cudppDestroyPlan(plan) == CUDPP_SUCCESS, "destroy");
}

// With few different keys, it shows whether equal ones keep their order.
template <class T>
void check_sort(int n, int bits, bool pairs) {
  const std::string what =
      std::string("sort ") + type_of<T>::name() + " " + std::to_string(n) + " bits " + std::to_string(bits);
  const CUDPPHandle plan =
      plan_of({CUDPP_SORT_RADIX, CUDPP_ADD, type_of<T>::value,
               static_cast<unsigned>(pairs ? CUDPP_OPTION_KEY_VALUE_PAIRS : CUDPP_OPTION_KEYS_ONLY)},
              n + 5);
  std::vector<T> host = random_elements<T>(n);
  if (n % 2 == 0)
    for (T& x : host)
      x = static_cast<T>(static_cast<int>(numbers() % 9) - (type_of<T>::value == CUDPP_UINT ? 0 : 4));
  std::vector<unsigned> order(n);
  std::iota(order.begin(), order.end(), 0u);
  const auto lower = [&](T x) {
    unsigned word;
    std::memcpy(&word, &x, sizeof word);
    if (type_of<T>::value == CUDPP_FLOAT && word >> 31 != 0) word = ~word;
    return bits == 32 ? word : word & ((1u << bits) - 1);
  };
  std::stable_sort(order.begin(), order.end(), [&](unsigned a, unsigned b) {
    return bits == 32 ? host[a] < host[b] : lower(host[a]) < lower(host[b]);
  });
  elements<T> keys(host);
  elements<unsigned> values(random_elements<unsigned>(n));
  std::vector<unsigned> first(n);
  std::iota(first.begin(), first.end(), 0u);
  elements<unsigned> numbered(first);
  expect(cudppSort(plan, keys.device(), pairs ? numbered.device() : nullptr, bits, n) == CUDPP_SUCCESS, what);
  std::vector<T> expected(n);
  for (int i = 0; i < n; ++i) expected[i] = host[order[i]];
  expect(keys.result(what) == expected, what + ": keys");
  if (pairs) expect(numbered.result(what) == order, what + ": values");
  expect(cudppDestroyPlan(plan) == CUDPP_SUCCESS, "destroy");
}

static void check_errors() {
  CUDPPHandle plan = 0;
  const CUDPPConfiguration scan = {CUDPP_SCAN, CUDPP_ADD, CUDPP_INT, CUDPP_OPTION_FORWARD | CUDPP_OPTION_EXCLUSIVE};
  const auto refused = [&](CUDPPConfiguration c) {
    return cudppPlan(&plan, c, 8, 1, 0) == CUDPP_ERROR_ILLEGAL_CONFIGURATION && plan == CUDPP_INVALID_HANDLE;
  };
  CUDPPConfiguration c = scan;
  c.options |= CUDPP_OPTION_BACKWARD;
  expect(refused(c), "both directions");
  c = scan;
  c.options |= CUDPP_OPTION_INCLUSIVE;
  expect(refused(c), "inclusive and exclusive");
  c = scan;
  c.datatype = CUDPP_CHAR;
  expect(refused(c), "characters");
  c = scan;
  c.algorithm = CUDPP_SPMVMULT;
  expect(refused(c), "sparse matrices");
  expect(cudppPlan(nullptr, scan, 8, 1, 0) == CUDPP_ERROR_ILLEGAL_CONFIGURATION, "no place for the plan");
  expect(cudppPlan(&plan, scan, 8, 2, 7) == CUDPP_ERROR_ILLEGAL_CONFIGURATION, "rows that overlap");
  expect(cudppPlan(&plan, scan, 8, 0, 8) == CUDPP_ERROR_ILLEGAL_CONFIGURATION, "no rows");
  expect(cudppPlan(&plan, scan, 8, 1, 8) == CUDPP_SUCCESS, "plan");
  elements<int> data(std::vector<int>(9, 1));
  int* p = data.device();
  expect(cudppScan(plan, p, p, 9) == CUDPP_ERROR_ILLEGAL_CONFIGURATION, "more elements than planned");
  expect(cudppMultiScan(plan, p, p, 4, 2) == CUDPP_ERROR_ILLEGAL_CONFIGURATION, "more rows than planned");
  expect(cudppScan(plan, nullptr, p, 8) == CUDPP_ERROR_ILLEGAL_CONFIGURATION, "no output");
  expect(cudppReduce(plan, p, p, 8) == CUDPP_ERROR_INVALID_HANDLE, "plan of another algorithm");
  expect(cudppScan(plan, p, p, 0) == CUDPP_SUCCESS, "scan of nothing");
  expect(cudppDestroyPlan(plan) == CUDPP_SUCCESS, "destroy");
  expect(cudppDestroyPlan(plan) == CUDPP_ERROR_INVALID_HANDLE, "destroys twice");
  expect(cudppScan(plan, p, p, 8) == CUDPP_ERROR_INVALID_HANDLE, "destroyed plan");
  // The operator counts where there is one.
  for (const CUDPPAlgorithm with : {CUDPP_SCAN, CUDPP_SEGMENTED_SCAN, CUDPP_REDUCE}) {
    const CUDPPConfiguration c = {with, static_cast<CUDPPOperator>(99), CUDPP_INT, 0};
    expect(cudppPlan(&plan, c, 8, 1, 8) == CUDPP_ERROR_ILLEGAL_CONFIGURATION, "unknown operator");
  }
  for (const CUDPPAlgorithm without : {CUDPP_SORT_RADIX, CUDPP_COMPACT}) {
    const CUDPPConfiguration c = {without, static_cast<CUDPPOperator>(99), CUDPP_INT, 0};
    expect(cudppPlan(&plan, c, 8, 1, 8) == CUDPP_SUCCESS, "operator of an algorithm without");
    expect(cudppDestroyPlan(plan) == CUDPP_SUCCESS, "destroy");
  }
}

static const CUDPPOperator operators[] = {CUDPP_ADD, CUDPP_MULTIPLY, CUDPP_MIN, CUDPP_MAX};

// Each size in one of the sixteen ways, and some in all.
template <class T>
void check_scans(const std::vector<int>& sizes, const std::vector<int>& sizes_in_all_ways) {
  const auto one = [](int n, int k) {
    const way w = {operators[k / 4 % 4], k % 2 != 0, k / 2 % 2 != 0};
    check_scan<T>(n, w, n % 2 == 0);
    check_segmented_scan<T>(n, k % 5 == 0 ? 1 : k % 5 == 1 ? 3 : k % 5 == 2 ? 40 : k % 5 == 3 ? 1500 : 100000, w);
    if (n < 5000) check_multi_scan<T>(n, 3, n + n % 7, w);
    check_reduce<T>(n, w.op);
  };
  int k = 0;
  for (const int n : sizes) one(n, k++);
  for (const int n : sizes_in_all_ways)
    for (k = 0; k < 16; ++k) one(n, k);
}

template <class T>
void check_orders(const std::vector<int>& sizes) {
  int k = 0;
  for (const int n : sizes) {
    ++k;
    check_compact<T>(n, k % 3 == 0 ? 1 : k % 3 == 1 ? 2 : 100, k % 2 == 0);
    check_sort<T>(n, k % 4 != 0 ? 32 : static_cast<int>(1 + numbers() % 31), k % 3 != 0);
  }
}

template <class T>
void check_all(const std::string& part) {
  std::vector<int> sizes(300);
  std::iota(sizes.begin(), sizes.end(), 1);
  for (int k = 0; k < 6; ++k) sizes.push_back(300 + static_cast<int>(numbers() % 40000));
  if (part == "scans") {
    check_scans<T>(sizes, {1, 1023, 1024, 1025, 5000});
    // Three levels of tiles.
    check_scan<T>(1100000, {CUDPP_ADD, true, false}, true);
    check_segmented_scan<T>(1100000, 300000, {CUDPP_MAX, false, true});
  }
  sizes.insert(sizes.end(), {1023, 1024, 1025, 20000, 70000});
  if (part == "orders") check_orders<T>(sizes);
  if (part == "small") {
    check_scans<T>({1030}, {});
    check_scan<T>(2050, {CUDPP_MAX, true, true}, false);
    check_segmented_scan<T>(1500, 700, {CUDPP_MIN, true, false});
    check_orders<T>({100, 1100});
  }
}

int main(int, char** words) {
  check_errors();
  check_all<int>(words[1]);
  check_all<unsigned>(words[1]);
  check_all<float>(words[1]);
  std::printf("%d failures\n", failures);
  return failures != 0;
}
