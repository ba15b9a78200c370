#include "testbenches/toolchain/emulator/fermi/mgpu_programs.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <random>

namespace gt200::compiled {
namespace {

constexpr std::uint32_t round_up(std::uint32_t value, std::uint32_t unit) {
  return (value + unit - 1) / unit * unit;
}
constexpr std::uint32_t div_up(std::uint32_t value, std::uint32_t unit) { return (value + unit - 1) / unit; }

std::vector<std::uint32_t> random_values(std::size_t count, std::uint32_t limit = ~0u) {
  std::mt19937 random(static_cast<unsigned>(count));
  std::vector<std::uint32_t> values(count);
  for (std::uint32_t& v : values) v = static_cast<std::uint32_t>(random()) % limit;
  return values;
}

// Reports the first difference.
template <class T>
void expect_same(const std::vector<T>& actual, const std::vector<T>& expected, const std::string& what) {
  ASSERT_EQ(actual.size(), expected.size()) << what;
  const auto [a, e] = std::mismatch(actual.begin(), actual.end(), expected.begin());
  if (a != actual.end())
    ADD_FAILURE() << what << ": value " << a - actual.begin() << " is " << *a << ", expected is " << *e;
}

// -- scan --

constexpr std::uint32_t scan_brick = 4096;  // values that a block takes at once

// The whole scan with several blocks. The kernels read whole bricks, so the arrays are as long.
std::vector<std::uint32_t> scan(device& d, const cubin::module& m, const std::vector<std::uint32_t>& values,
                                bool inclusive) {
  const auto count = static_cast<std::uint32_t>(values.size());
  const std::uint32_t bricks = div_up(count, scan_brick);
  const std::uint32_t blocks = std::min(bricks, 3u);
  std::vector<std::uint32_t> ranges;
  for (std::uint32_t b = 0, begin = 0; b < blocks; ++b) {
    const std::uint32_t end = begin + (bricks / blocks + (b < bricks % blocks ? 1 : 0)) * scan_brick;
    ranges.insert(ranges.end(), {begin, std::min(end, count)});
    begin = end;
  }
  const std::uint32_t in = d.upload(values, bricks * scan_brick);
  const std::uint32_t out = d.allocate(4 * bricks * scan_brick);
  const std::uint32_t totals = d.upload(std::vector<std::uint32_t>(blocks + 1, 0));
  const std::uint32_t range = d.upload(ranges);
  if (blocks > 1) {
    d.launch(m, "GlobalScanUpsweep", blocks - 1, 1024, {in, totals, range});
    d.launch(m, "GlobalScanReduction", 1, 256, {totals, blocks});
  }
  d.launch(m, "GlobalScanDownsweep", blocks, 1024, {in, out, totals, range, count, inclusive ? 1 : 0});
  return d.download<std::uint32_t>(out, count);
}

// -- search --

constexpr std::uint32_t node_lanes = 16;
constexpr std::uint32_t max_levels = 8;

// The B-tree that the search descends: node pointers, round-down values, levels, number of values.
struct search_tree {
  std::vector<std::uint32_t> sizes;   // root first; the last level is the data
  std::vector<std::uint32_t> starts;  // addresses
};

std::vector<std::uint32_t> level_sizes(std::uint32_t count) {
  std::vector<std::uint32_t> sizes = {round_up(count, node_lanes)};
  do {
    count = round_up(div_up(count, node_lanes), node_lanes);
    sizes.push_back(count);
  } while (count > node_lanes);
  std::reverse(sizes.begin(), sizes.end());
  return sizes;
}

search_tree build_tree(device& d, const cubin::module& m, std::uint32_t data, std::uint32_t count,
                       std::uint32_t value_bytes) {
  search_tree t;
  t.sizes = level_sizes(count);
  for (std::size_t k = 0; k + 1 < t.sizes.size(); ++k) t.starts.push_back(d.allocate(value_bytes * t.sizes[k]));
  t.starts.push_back(data);
  std::vector<std::uint32_t> counts = t.sizes;
  counts.back() = count;
  for (std::size_t k = t.sizes.size() - 1; k-- > 0;)
    d.launch(m, value_bytes == 8 ? "BuildTree8" : "BuildTree4", div_up(t.sizes[k], 256), 256,
             {t.starts[k + 1], counts[k + 1], t.starts[k]});
  return t;
}

std::vector<std::uint8_t> tree_argument(const search_tree& t, std::uint32_t count) {
  std::vector<std::uint32_t> words(2 * max_levels + 2);
  for (std::size_t k = 0; k < t.starts.size(); ++k) {
    words[k] = t.starts[k];
    if (k + 1 < t.starts.size()) words[max_levels + k] = t.sizes[k + 1] - node_lanes;
  }
  words[2 * max_levels] = static_cast<std::uint32_t>(t.starts.size());
  words[2 * max_levels + 1] = count;
  std::vector<std::uint8_t> bytes(4 * words.size());
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

template <class T>
std::vector<std::uint32_t> search(device& d, const cubin::module& m, const std::string& kernel,
                                  const std::vector<T>& data, const std::vector<T>& keys) {
  const auto count = static_cast<std::uint32_t>(data.size());
  const auto queries = static_cast<std::uint32_t>(keys.size());
  // The search looks at whole nodes, so the values behind the last one must not be less than a key.
  std::vector<T> padded = data;
  padded.resize(round_up(count, node_lanes), std::numeric_limits<T>::max());
  const std::uint32_t data_address = d.upload(padded);
  const search_tree tree = build_tree(d, m, data_address, count, sizeof(T));
  const std::uint32_t keys_address = d.upload(keys, round_up(queries, 1024));
  const std::uint32_t results = d.allocate(4 * round_up(queries, 1024));
  const std::uint32_t blocks = std::min(div_up(queries, 1024 / node_lanes), 3u);
  d.launch(m, kernel, blocks, 1024,
           {keys_address, queries / blocks, queries % blocks, tree_argument(tree, count), results});
  return d.download<std::uint32_t>(results, queries);
}

template <class T>
void check_search_of(device& d, const cubin::module& m, const std::string& type, bool upper, std::size_t count,
                     std::size_t queries) {
  std::vector<T> data;
  for (const std::uint32_t v : random_values(count, 100000)) data.push_back(static_cast<T>(v));
  std::sort(data.begin(), data.end());
  std::vector<T> keys;
  for (const std::uint32_t v : random_values(queries, 100000)) keys.push_back(static_cast<T>(v));
  std::vector<std::uint32_t> expected;
  for (const T key : keys) {
    const auto place =
        upper ? std::upper_bound(data.begin(), data.end(), key) : std::lower_bound(data.begin(), data.end(), key);
    expected.push_back(static_cast<std::uint32_t>(place - data.begin()));
  }
  expect_same(search(d, m, "SearchTree" + type + (upper ? "Upper" : "Lower"), data, keys), expected,
              type + " of " + std::to_string(count));
}

// -- sort --

constexpr std::uint32_t values_per_thread = 8;
constexpr std::uint32_t most_arrays = 6;

// Addresses of what a pass reads and writes.
struct pass_arrays {
  std::uint32_t keys = 0;
  std::array<std::uint32_t, most_arrays> values = {};
};

constexpr std::uint32_t count_warps = 4;
constexpr std::uint32_t hist_warps = 32;
constexpr std::uint32_t multiprocessors = 2;

// What the sort kernel gets behind the keys.
std::vector<device::argument> value_arguments(sorted_values kind, unsigned arrays, const pass_arrays& from,
                                              const pass_arrays& to) {
  switch (kind) {
    case sorted_values::key: return {};
    case sorted_values::index: return {to.values[0]};
    case sorted_values::single: return {from.values[0], to.values[0]};
    case sorted_values::multi: break;
  }
  std::vector<device::argument> all = {arrays};
  all.insert(all.end(), from.values.begin(), from.values.end());
  all.insert(all.end(), to.values.begin(), to.values.end());
  return all;
}

// One pass over `bits` bits from `first` on.
void sort_pass(device& d, const sort_modules& m, const cubin::module& sort, const sort_case& what,
               sorted_values kind, std::uint32_t elements, std::uint32_t first, std::uint32_t bits,
               const pass_arrays& from, const pass_arrays& to) {
  const std::uint32_t block_values = what.threads * values_per_thread;
  const std::uint32_t buckets = 1u << bits;
  const std::uint32_t sort_blocks = div_up(elements, block_values);
  const std::uint32_t count_blocks = div_up(sort_blocks, count_warps);
  const std::uint32_t rows = div_up(sort_blocks, std::min(count_warps, 32 / (buckets / 2)));
  const std::uint32_t hist_blocks = std::min(multiprocessors, div_up(rows, hist_warps));
  std::vector<std::uint32_t> pairs;
  for (std::uint32_t k = 0, begin = 0; k < hist_blocks * hist_warps; ++k) {
    const std::uint32_t end =
        begin + rows / (hist_blocks * hist_warps) + (k < rows % (hist_blocks * hist_warps) ? 1 : 0);
    pairs.insert(pairs.end(), {begin, end});
    begin = end;
  }
  const std::uint32_t counts = d.allocate(4 * std::max(32u, buckets * count_warps) * count_blocks);
  const std::uint32_t ranges = d.upload(pairs);
  const std::uint32_t count_scan = d.allocate(4 * 64 * multiprocessors);
  const std::uint32_t column_scan = d.allocate(4 * 64 * multiprocessors * hist_warps);
  const std::uint32_t codes = d.allocate(4 * round_up(sort_blocks, 2) * round_up(buckets, 32));
  const std::string suffix = "_" + std::to_string(bits);
  d.launch(m.count, "CountBuckets" + suffix, count_blocks, 32 * count_warps,
           {from.keys, first, elements, block_values / 32, counts});
  d.launch(m.hist, "HistogramReduce_1" + suffix, hist_blocks, 32 * hist_warps,
           {counts, ranges, count_scan, column_scan});
  d.launch(m.hist, "HistogramReduce_2" + suffix, 1, 32 * hist_warps, {hist_blocks, count_scan});
  d.launch(m.hist, "HistogramReduce_3" + suffix, hist_blocks, 32 * hist_warps,
           {counts, ranges, count_scan, column_scan, codes, 0});
  std::vector<device::argument> arguments = {from.keys, 0, codes, first, to.keys};
  const std::vector<device::argument> values = value_arguments(kind, what.arrays, from, to);
  arguments.insert(arguments.end(), values.begin(), values.end());
  d.launch(sort, "RadixSort" + suffix, sort_blocks, what.threads, arguments);
}

// The values of an array: each is of its own, so that the order of equal keys shows.
std::uint32_t value_of(std::uint32_t element, unsigned array) { return element * (array + 1) + array; }

}  // namespace

void check_scan(device& d, const cubin::module& m, std::size_t count, bool inclusive) {
  const std::vector<std::uint32_t> values = random_values(count, 1000);
  std::vector<std::uint32_t> expected(count);
  std::partial_sum(values.begin(), values.end(), expected.begin());
  if (!inclusive)
    for (std::size_t k = count; k-- > 0;) expected[k] = k == 0 ? 0 : expected[k - 1];
  expect_same(scan(d, m, values, inclusive), expected, std::to_string(count));
}

void check_scan_of_one_warp(device& d, const cubin::module& m) {
  const std::vector<std::uint32_t> values = random_values(32, 1000);
  const std::uint32_t in = d.upload(values);
  const std::uint32_t inclusive = d.allocate(128);
  const std::uint32_t exclusive = d.allocate(128);
  d.launch(m, "WarpScan1", 1, 32, {in, inclusive, exclusive});
  std::vector<std::uint32_t> expected(32);
  std::partial_sum(values.begin(), values.end(), expected.begin());
  expect_same(d.download<std::uint32_t>(inclusive, 32), expected, "inclusive");
  for (std::size_t k = 0; k < 32; ++k) expected[k] -= values[k];
  expect_same(d.download<std::uint32_t>(exclusive, 32), expected, "exclusive");
}

void check_search(device& d, const cubin::module& m, const std::string& type, bool upper, std::size_t count,
                  std::size_t queries) {
  if (type == "Int") return check_search_of<std::int32_t>(d, m, type, upper, count, queries);
  if (type == "Float") return check_search_of<float>(d, m, type, upper, count, queries);
  if (type == "Int64") return check_search_of<std::int64_t>(d, m, type, upper, count, queries);
  ASSERT_EQ(type, "Double");
  check_search_of<double>(d, m, type, upper, count, queries);
}

std::string sort_case::name() const {
  return folder + "_" + kernel_file(values).substr(5) + (arrays > 1 ? "_" + std::to_string(arrays) : "");
}

std::string sort_case::kernel_file(sorted_values v) const {
  static const std::array<const char*, 4> names = {"key", "index", "single", "multi"};
  return "sort_" + std::to_string(threads) + "_8_" + names[static_cast<std::size_t>(v)] + "_simple";
}

std::vector<sort_case> sort_cases() {
  std::vector<sort_case> all;
  for (const char* folder : {"cubin", "cubin64"})
    for (const unsigned threads : {128u, 256u}) {
      all.push_back({folder, threads, sorted_values::key, 0});
      all.push_back({folder, threads, sorted_values::index, 1});
      all.push_back({folder, threads, sorted_values::single, 1});
      all.push_back({folder, threads, sorted_values::multi, threads == 128 ? 2u : most_arrays});
    }
  return all;
}

void check_sort(device& d, const sort_modules& m, const sort_case& what, std::size_t count) {
  const auto elements = static_cast<std::uint32_t>(count);
  const std::uint32_t room = round_up(elements, what.threads * values_per_thread);
  // Few values for some keys, all values for others: many are equal.
  std::vector<std::uint32_t> keys = random_values(count);
  for (std::uint32_t& k : keys)
    if (k % 2 != 0) k %= 97;
  // 1. The keys fill whole blocks, with values that stay behind all others.
  std::vector<std::uint32_t> padded = keys;
  padded.resize(room, ~0u);
  pass_arrays from, to;
  from.keys = d.upload(padded);
  to.keys = d.allocate(4 * room);
  for (unsigned array = 0; array < what.arrays; ++array) {
    std::vector<std::uint32_t> values(count);
    for (std::uint32_t e = 0; e < elements; ++e) values[e] = value_of(e, array);
    const bool made_by_kernel = what.values == sorted_values::index;
    from.values[array] = made_by_kernel ? d.allocate(4 * room) : d.upload(values, room);
    to.values[array] = d.allocate(4 * room);
  }
  // 2. The passes.
  std::uint32_t bit = 0;
  for (const std::uint32_t bits : {5u, 5u, 5u, 5u, 6u, 6u}) {
    const bool is_first = bit == 0;
    const sorted_values kind =
        what.values == sorted_values::index && !is_first ? sorted_values::single : what.values;
    sort_pass(d, m, is_first ? m.first : m.other, what, kind, elements, bit, bits, from, to);
    if (testing::Test::HasFatalFailure()) return;
    std::swap(from, to);
    bit += bits;
  }
  // 3. Against the standard library.
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
  const auto expected = [&](auto value) {
    std::vector<std::uint32_t> all;
    for (const std::uint32_t e : order) all.push_back(value(e));
    return all;
  };
  const std::string text = what.name() + " of " + std::to_string(count);
  expect_same(d.download<std::uint32_t>(from.keys, count), expected([&](std::uint32_t e) { return keys[e]; }),
              "keys: " + text);
  for (unsigned array = 0; array < what.arrays; ++array)
    expect_same(d.download<std::uint32_t>(from.values[array], count),
                expected([&](std::uint32_t e) { return value_of(e, array); }), "values: " + text);
}

}  // namespace gt200::compiled
