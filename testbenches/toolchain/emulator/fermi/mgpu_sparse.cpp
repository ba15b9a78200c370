#include "testbenches/toolchain/emulator/fermi/mgpu_sparse.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <type_traits>

namespace gt200::compiled {
namespace {

constexpr unsigned warp = 32;
constexpr unsigned warps_per_block = 8;
constexpr std::uint32_t row_ends = 1u << 25;  // the value is the last one of its row in this thread
constexpr unsigned field = 26;                // what the first four values of a thread carry above their column

template <class T>
struct matrix {
  struct element {
    std::uint32_t row, column;
    T value;
  };
  std::uint32_t rows = 0, columns = 0;
  std::vector<element> elements;  // by row
};

// Every row has elements, most a few, some many.
template <class T>
matrix<T> random_matrix(std::uint32_t rows) {
  std::mt19937 random(rows);
  std::uniform_real_distribution<double> number(-1, 1);
  matrix<T> m;
  m.rows = rows;
  m.columns = rows + 7;
  for (std::uint32_t row = 0; row < rows; ++row) {
    const unsigned count = 1 + static_cast<unsigned>(random() % (row % 61 == 5 ? 300 : 9));
    for (unsigned k = 0; k < count; ++k)
      m.elements.push_back({row, static_cast<std::uint32_t>(random() % m.columns), static_cast<T>(number(random))});
  }
  return m;
}

// The matrix as the kernel reads it. A warp has a group of 32 x n elements of at most 32 rows, n in a row for each
// thread. A thread adds up products until a row ends, or its elements do, and puts the sum into the next slot; the
// warp then adds the slots of each row in a scan. `columns` carries besides: the first slot of the thread; whether
// the group has a row for it, and the distance of slot `lane` from the first of its row; that of slot 32 + lane;
// the last slot of the row that the thread writes out.
template <class T>
struct encoded {
  std::vector<std::uint32_t> columns;
  std::vector<T> values;
  std::vector<std::uint32_t> first_output;  // by group: the first of its sums, one per row
  std::vector<std::uint32_t> output_of;     // by row: the first of its sums; and the end
};

struct slot_table {
  std::vector<std::uint32_t> rows;          // by slot
  std::array<std::uint32_t, warp> first{};  // by thread

  std::uint32_t distance(std::size_t slot) const {
    if (slot >= rows.size()) return 0;
    return static_cast<std::uint32_t>(slot - (std::find(rows.begin(), rows.end(), rows[slot]) - rows.begin()));
  }
  // The rows of the group, and the last slot of each.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> last() const {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> all;
    for (std::uint32_t slot = 0; slot < rows.size(); ++slot) {
      if (all.empty() || all.back().first != rows[slot]) all.push_back({rows[slot], slot});
      all.back().second = slot;
    }
    return all;
  }
};

template <class T>
class encoder {
 public:
  encoder(const matrix<T>& m, unsigned per_thread) : m_(m), n_(per_thread) {
    result_.output_of.assign(m.rows + 1, 0);
    for (std::size_t at = 0; at < m.elements.size();) at = add_group(at);
    while (next_row_ <= m.rows) result_.output_of[next_row_++] = outputs_;
  }
  encoded<T> result() && { return std::move(result_); }
  std::uint32_t outputs() const { return outputs_; }

 private:
  // Returns the first element of the next group.
  std::size_t add_group(std::size_t begin) {
    std::size_t end = begin;
    const std::uint32_t first_row = m_.elements[begin].row;
    while (end < m_.elements.size() && end < begin + warp * n_ && m_.elements[end].row < first_row + warp) ++end;
    // Behind its end a group has zeros in its last row.
    std::vector<typename matrix<T>::element> group(m_.elements.begin() + static_cast<std::ptrdiff_t>(begin),
                                                   m_.elements.begin() + static_cast<std::ptrdiff_t>(end));
    group.resize(warp * n_, {group.back().row, 0, T{0}});
    std::vector<std::uint32_t> columns;
    slot_table slots;
    for (unsigned k = 0; k < group.size(); ++k) {
      if (k % n_ == 0) slots.first[k / n_] = static_cast<std::uint32_t>(slots.rows.size());
      const bool thread_ends = k % n_ == n_ - 1;
      const bool ends = !thread_ends && group[k].row != group[k + 1].row;
      columns.push_back(group[k].column | (ends ? row_ends : 0));
      if (ends || thread_ends) slots.rows.push_back(group[k].row);
    }
    const auto rows = slots.last();
    for (unsigned lane = 0; lane < warp; ++lane) {
      std::uint32_t* const own = &columns[lane * n_];
      const bool writes = lane < rows.size();
      own[0] |= slots.first[lane] << field;
      own[1] |= std::uint32_t{writes} << field | slots.distance(lane) << (field + 1);
      own[2] |= slots.distance(warp + lane) << field;
      own[3] |= (writes ? rows[lane].second : 0) << field;
    }
    // A warp reads one element of each thread at once.
    for (unsigned k = 0; k < n_; ++k)
      for (unsigned lane = 0; lane < warp; ++lane) {
        result_.columns.push_back(columns[lane * n_ + k]);
        result_.values.push_back(group[lane * n_ + k].value);
      }
    result_.first_output.push_back(outputs_);
    for (const auto& [row, slot] : rows) {
      while (next_row_ <= row) result_.output_of[next_row_++] = outputs_;
      ++outputs_;
    }
    return end;
  }

  const matrix<T>& m_;
  unsigned n_;
  encoded<T> result_;
  std::uint32_t outputs_ = 0;
  std::uint32_t next_row_ = 0;
};

template <class T>
device::argument as_bytes(T value) {
  std::vector<std::uint8_t> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

template <class T>
void expect_within_bound(const std::vector<T>& actual, const matrix<T>& m, const std::vector<T>& x, double alpha,
                         double beta, const std::vector<T>& y, const std::string& what) {
  std::vector<long double> sum(m.rows, 0), magnitude(m.rows, 0);
  std::vector<unsigned> count(m.rows, 0);
  for (const auto& e : m.elements) {
    const long double product = static_cast<long double>(e.value) * x[e.column];
    sum[e.row] += product;
    magnitude[e.row] += std::abs(product);
    ++count[e.row];
  }
  const long double unit = std::ldexp(1.0L, std::is_same_v<T, float> ? -24 : -53);
  for (std::uint32_t row = 0; row < m.rows; ++row) {
    const long double exact = alpha * sum[row] + beta * static_cast<long double>(y[row]);
    const long double size = std::abs(alpha) * magnitude[row] + std::abs(beta * static_cast<long double>(y[row]));
    ASSERT_LE(std::abs(actual[row] - exact), (count[row] + 8) * unit * size)
        << what << ", row " << row << " of " << m.rows << " is " << actual[row] << ", not " << exact;
  }
}

template <class T>
void check(device& d, const cubin::module& m, const sparse_case& what, std::uint32_t rows) {
  const matrix<T> a = random_matrix<T>(rows);
  encoder<T> encode(a, what.values_per_thread);
  const std::uint32_t outputs = encode.outputs();
  const encoded<T> e = std::move(encode).result();
  std::mt19937 random(rows + 1);
  std::uniform_real_distribution<double> number(-1, 1);
  std::vector<T> x(a.columns);
  for (T& v : x) v = static_cast<T>(number(random));

  const auto groups = static_cast<std::uint32_t>(e.first_output.size());
  const std::uint32_t columns = d.upload(e.columns);
  const std::uint32_t values = d.upload(e.values);
  const std::uint32_t first_output = d.upload(e.first_output);
  const std::uint32_t output_of = d.upload(e.output_of);
  const std::uint32_t sums = d.allocate(static_cast<std::uint32_t>(sizeof(T)) * outputs);
  const std::uint32_t result = d.allocate(static_cast<std::uint32_t>(sizeof(T)) * rows);
  sampling::texel_layout texel;
  if (sizeof(T) == 8) texel = {sampling::texel_format::u32, 2, false};
  d.bind_texels(0, d.upload(x), a.columns, texel);

  const std::uint32_t blocks = (groups + warps_per_block - 1) / warps_per_block;
  const std::string text = std::string(what.type) + " " + std::to_string(what.values_per_thread);
  std::vector<T> y(rows, T{0});
  for (const bool scaled : {false, true}) {
    const double alpha = scaled ? 2 : 1;
    const double beta = scaled ? -3 : 0;
    d.launch(m, "SpMxV_" + std::to_string(what.values_per_thread), blocks, warps_per_block * warp,
             {first_output, columns, values, sums, groups});
    d.launch(m, "Finalize", blocks, warps_per_block * warp,
             {sums, output_of, rows, result, as_bytes(static_cast<T>(alpha)), as_bytes(static_cast<T>(beta)),
              scaled ? 1 : 0});
    const std::vector<T> now = d.download<T>(result, rows);
    expect_within_bound(now, a, x, alpha, beta, y, text);
    if (testing::Test::HasFatalFailure()) return;
    y = now;
  }
}

}  // namespace

void check_sparse_product(device& d, const cubin::module& m, const sparse_case& what, std::size_t rows) {
  if (std::string(what.type) == "float") return check<float>(d, m, what, static_cast<std::uint32_t>(rows));
  check<double>(d, m, what, static_cast<std::uint32_t>(rows));
}

}  // namespace gt200::compiled
