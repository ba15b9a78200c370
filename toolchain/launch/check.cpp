#include "toolchain/launch/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "toolchain/error.h"
#include "toolchain/launch/crc32.h"
#include "toolchain/launch/initial_content.h"

namespace gt200::launch {
namespace {

constexpr std::size_t max_shown = 4;  // differing elements in a message

struct comparison {
  std::size_t differing = 0;
  double worst = 0;
  std::string shown;
};

// NaN on one side only is a difference; the comparer looks at two of them. Equal infinities are none.
double error_of(double found, double expected, double scale, error_metric metric) {
  const double difference = found == expected ? 0 : std::fabs(found - expected);
  if (metric == error_metric::absolute || difference == 0) return difference;
  if (metric == error_metric::relative) return difference / std::fabs(expected);
  return difference / scale;
}

class comparer {
 public:
  comparer(const buffer& compared, const expectation& expected) : buffer_(compared), expected_(expected) {}

  void compare_bytes(const std::vector<std::uint8_t>& found, const std::vector<std::uint8_t>& wanted) {
    const std::size_t size = size_of(buffer_.type);
    compared_ = wanted.size() / size;
    for (std::size_t at = 0; at + size <= wanted.size(); at += size) {
      const std::uint8_t* a = found.data() + at;
      const std::uint8_t* b = wanted.data() + at;
      if (std::memcmp(a, b, size) == 0) continue;
      if (is_float(buffer_.type) && are_equal_nans(a, to_number(buffer_.type, b))) continue;
      if (expected_.metric != error_metric::exact)
        compare_number(at / size, a, to_number(buffer_.type, b), 1);
      else
        differ(at / size, to_text(buffer_.type, a), to_text(buffer_.type, b));
    }
  }

  void compare_numbers(const std::vector<std::uint8_t>& found, const reference_result& wanted) {
    const std::size_t size = size_of(buffer_.type);
    const bool may_be_nan = is_float(buffer_.type);
    compared_ = wanted.value.size();
    for (std::size_t i = 0; i < wanted.value.size(); ++i) {
      const std::uint8_t* bytes = found.data() + i * size;
      if (may_be_nan && are_equal_nans(bytes, wanted.value[i])) continue;
      if (expected_.metric == error_metric::exact)
        compare_exactly(i, bytes, wanted.value[i]);
      else
        compare_number(i, bytes, wanted.value[i], expected_.metric == error_metric::scaled ? wanted.scale[i] : 1);
    }
  }

  // "3 of 256 elements of 'c' differ; c[4] is 1, expected 2; ..."
  std::string differences() const {
    const std::string counted =
        compared_ == buffer_.count
            ? fmt::format("{} of {} elements of '{}'", result_.differing, buffer_.count, buffer_.name)
            : fmt::format("{} of the first {} elements of '{}', which has {},", result_.differing, compared_,
                          buffer_.name, buffer_.count);
    return counted + " differ" + result_.shown;
  }
  const comparison& result() const { return result_; }

 private:
  // True for NaNs with other bits, if the expectation takes them for equal.
  bool are_equal_nans(const std::uint8_t* found, double wanted) const {
    return expected_.nan == nan_rule::equal && std::isnan(wanted) && std::isnan(to_number(buffer_.type, found));
  }

  // Rounds the reference to the type of the buffer and compares bits.
  void compare_exactly(std::size_t index, const std::uint8_t* found, double wanted) {
    const std::optional<bool> same = is_number(buffer_.type, found, wanted);
    if (!same) return differ(index, to_text(buffer_.type, found), fmt::format("{}", wanted));
    if (*same) return;
    std::vector<std::uint8_t> bytes;
    if (is_float(buffer_.type))
      append_float(buffer_.type, wanted, bytes);
    else
      append_integer(buffer_.type, static_cast<std::int64_t>(wanted), bytes);
    differ(index, to_text(buffer_.type, found), to_text(buffer_.type, bytes.data()));
  }

  void compare_number(std::size_t index, const std::uint8_t* found, double wanted, double scale) {
    if (std::isnan(wanted)) return compare_exactly(index, found, wanted);  // no number is near it
    const double error = error_of(to_number(buffer_.type, found), wanted, scale, expected_.metric);
    if (!std::isnan(error)) result_.worst = std::max(result_.worst, error);
    if (!(error <= expected_.tolerance))
      differ(index, to_text(buffer_.type, found), fmt::format("{} (error {:.3g})", wanted, error));
  }

  void differ(std::size_t index, const std::string& found, const std::string& wanted) {
    if (result_.differing++ < max_shown)
      result_.shown += fmt::format("; {}[{}] is {}, expected {}", buffer_.name, index, found, wanted);
  }

  const buffer& buffer_;
  const expectation& expected_;
  comparison result_;
  std::size_t compared_ = 0;  // elements, the first of the buffer
};

class checker {
 public:
  checker(const prepared& program, const host_table& hosts, const device& target)
      : program_(program), hosts_(hosts), random_(program.launch->seed), context_(*program.launch, random_) {
    for (const placed_bytes& placed : program.buffers) {
      std::vector<std::uint8_t>& bytes = context_.result_images()[placed.name];
      bytes.resize(placed.initial.size());
      target.read(placed.address, bytes.data(), bytes.size());
      context_.initial_images()[placed.name] = placed.initial;
    }
    for (const constant& c : program.launch->constants)
      for (const cubin::constant_segment& segment : program.module->constants)
        if (segment.name == c.content.name) context_.initial_images()[segment.name] = segment.data;
  }

  check_result run() {
    for (const expectation& e : program_.launch->expectations)
      if (e.applies) run(e);
    return std::move(result_);
  }

 private:
  void run(const expectation& e) {
    ++result_.checks;
    const buffer& compared = *program_.launch->find_buffer(e.buffer);
    const std::vector<std::uint8_t>& found = context_.result_images().at(e.buffer);
    if (e.kind == expectation_kind::crc32) {
      const std::uint32_t crc = crc32(found.data(), found.size());
      if (crc != e.crc32) fail(e, fmt::format("crc32 of '{}' is {:08x}, expected {:08x}", e.buffer, crc, e.crc32));
      return;
    }
    comparer compare(compared, e);
    if (e.kind == expectation_kind::values)
      compare.compare_bytes(found, e.values);
    else if (e.kind == expectation_kind::file)
      compare.compare_bytes(found, read_expected_file(*program_.launch, e));
    else
      compare.compare_numbers(found, compute_reference(e, compared));
    result_.worst_error = std::max(result_.worst_error, compare.result().worst);
    if (compare.result().differing > 0) fail(e, compare.differences());
  }

  void fail(const expectation& e, const std::string& reason) {
    result_.passed = false;
    if (!result_.message.empty()) result_.message += '\n';
    result_.message += fmt::format("{}:{}: {}", program_.launch->file, e.line, reason);
  }

  reference_result compute_reference(const expectation& e, const buffer& compared) const {
    reference_result wanted = find_reference(*program_.launch, e, hosts_)(context_, e.buffer);
    if (wanted.value.empty() || wanted.value.size() > compared.count)
      throw input_error(program_.launch->file, e.line,
                        fmt::format("reference '{}' gives {} values for the {} elements of '{}'", e.reference,
                                    wanted.value.size(), compared.count, e.buffer));
    if (e.metric == error_metric::scaled && wanted.scale.size() != wanted.value.size())
      throw input_error(program_.launch->file, e.line,
                        fmt::format("reference '{}' gives no scale for '{}'", e.reference, e.buffer));
    return wanted;
  }

  const prepared& program_;
  const host_table& hosts_;
  random_sequence random_;
  host_context context_;
  check_result result_;
};

}  // namespace

check_result check(const prepared& program, const host_table& hosts, const device& target) {
  return checker(program, hosts, target).run();
}

}  // namespace gt200::launch
