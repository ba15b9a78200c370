#include "toolchain/launch/initial_content.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "toolchain/cubin/load.h"
#include "toolchain/error.h"
#include "toolchain/launch/nearest.h"

namespace gt200::launch {
namespace {

class content_maker {
 public:
  content_maker(const description& launch, const host_table& hosts)
      : launch_(launch), hosts_(hosts), random_(launch.seed), context_(launch, random_) {}

  std::map<std::string, std::vector<std::uint8_t>> run() {
    for (const buffer& b : launch_.buffers) fill(b);
    for (const constant& c : launch_.constants) fill(c.content);
    return std::move(images());
  }

 private:
  std::map<std::string, std::vector<std::uint8_t>>& images() { return context_.initial_images(); }

  void fill(const buffer& b) {
    switch (b.init) {
      case initial_content::zeros: images()[b.name].assign(b.bytes(), 0); break;
      case initial_content::iota: fill_iota(b); break;
      case initial_content::random: fill_random(b); break;
      case initial_content::values:
        images()[b.name] = b.values;
        images()[b.name].resize(b.bytes(), 0);
        break;
      case initial_content::file: fill_from_file(b); break;
      case initial_content::generator: fill_by_generator(b); break;
    }
  }

  void fill_iota(const buffer& b) {
    std::vector<std::uint8_t>& bytes = images()[b.name];
    bytes.reserve(b.bytes());
    for (std::uint64_t i = 0; i < b.count; ++i)
      if (!append_integer(b.type, static_cast<std::int64_t>(i), bytes))
        throw input_error(launch_.file, b.line,
                          fmt::format("iota of {} elements does not fit the type {}", b.count, name_of(b.type)));
  }

  void put_draw(const buffer& b, std::uint8_t* to) {
    if (is_float(b.type)) return put_float(b.type, static_cast<double>(random_.draw_float()), to);
    std::uint32_t draw = random_.draw();
    if (b.modulo) draw %= *b.modulo;
    // A type of fewer than 24 bits takes the low bits of the draw.
    put_bits(draw, size_of(b.type), to);
  }

  void fill_random(const buffer& first) {
    if (first.random_group.empty()) {
      std::vector<std::uint8_t>& bytes = images()[first.name];
      bytes.resize(first.bytes());
      for (std::size_t at = 0; at < bytes.size(); at += size_of(first.type)) put_draw(first, &bytes[at]);
      return;
    }
    if (!done_.insert("group " + first.random_group).second) return;
    std::vector<std::pair<const buffer*, std::uint8_t*>> group;  // and where its next element goes
    for (const buffer& b : launch_.buffers) {
      if (b.random_group != first.random_group) continue;
      std::vector<std::uint8_t>& bytes = images()[b.name];
      bytes.resize(b.bytes());
      group.emplace_back(&b, bytes.data());
    }
    for (std::uint64_t i = 0; i < first.count; ++i) {
      for (auto& [b, to] : group) {
        put_draw(*b, to);
        to += size_of(b->type);
      }
    }
  }

  void fill_from_file(const buffer& b) {
    const std::string content = read_named_file(b.path, launch_.file, b.line);
    if (content.size() != b.bytes())
      throw input_error(
          launch_.file, b.line,
          fmt::format("'{}' has {} bytes, its file {} has {}", b.name, b.bytes(), b.path, content.size()));
    images()[b.name].assign(content.begin(), content.end());
  }

  void fill_by_generator(const buffer& b) {
    const host_functions* host = find_host(hosts_, b.generator);
    if (host == nullptr || host->generator == nullptr)
      throw input_error(launch_.file, b.line, fmt::format("there is no generator '{}'", b.generator));
    if (done_.insert("generator " + b.generator).second) host->generator(context_);
    if (images().count(b.name) == 0)
      throw input_error(launch_.file, b.line,
                        fmt::format("generator '{}' does not fill '{}'", b.generator, b.name));
  }

  const description& launch_;
  const host_table& hosts_;
  random_sequence random_;
  host_context context_;
  std::set<std::string> done_;
};

}  // namespace

std::map<std::string, std::vector<std::uint8_t>> make_initial_content(const description& launch,
                                                                      const host_table& hosts) {
  return content_maker(launch, hosts).run();
}

std::string read_named_file(const std::string& path, const std::string& named_in, unsigned line) {
  try {
    return cubin::read_file(path);
  } catch (const input_error& error) {
    throw input_error(named_in, line, error.what());
  }
}

const host_functions* find_host(const host_table& hosts, const std::string& name) {
  for (const host_functions& entry : hosts)
    if (entry.name == name) return &entry;
  return nullptr;
}

reference_function find_reference(const description& launch, const expectation& e, const host_table& hosts) {
  const host_functions* host = find_host(hosts, e.reference);
  if (host != nullptr && host->reference != nullptr) return host->reference;
  std::vector<std::string> names;
  for (const host_functions& known : hosts)
    if (known.reference != nullptr) names.push_back(known.name);
  const std::string hint = suggestion(e.reference, names);
  throw input_error(launch.file, e.line, fmt::format("there is no reference '{}'{}", e.reference, hint));
}

std::vector<std::uint8_t> read_expected_file(const description& launch, const expectation& e) {
  const std::string content = read_named_file(e.path, launch.file, e.line);
  const std::uint64_t size = launch.find_buffer(e.buffer)->bytes();
  if (content.size() != size)
    throw input_error(launch.file, e.line,
                      fmt::format("buffer '{}' has {} bytes, {} has {}", e.buffer, size, e.path, content.size()));
  return {content.begin(), content.end()};
}

}  // namespace gt200::launch
