#include "cuda/worker/server.h"

#include <cstdio>
#include <exception>
#include <functional>

#include "cuda/protocol/message.h"
#include "toolchain/cuda/container.h"
#include "toolchain/error.h"

namespace gt200::cudart {
namespace {

class server {
 public:
  server(channel& program, machine& device) : program_(program), device_(device) {}

  void run() {
    std::uint32_t kind = 0;
    std::vector<std::uint8_t> content;
    for (;;) {
      bool fits = true;
      try {
        if (!program_.receive(kind, content)) return;
      } catch (const std::bad_alloc&) {
        fits = false;
      }
      message_writer reply;
      std::function<void()> afterwards;
      status result = device_.health();
      const auto what = static_cast<command>(kind);
      if (!fits) {
        if (result == status::success) result = status::memory_allocation;
      } else {
        result = answer(what, message_reader(std::move(content)), reply, afterwards, result);
      }
      if (!program_.send(static_cast<std::uint32_t>(static_cast<std::int32_t>(result)), device_.time().host_time(),
                         reply.content()))
        return;
      if (afterwards) afterwards();
      content.clear();
    }
  }

 private:
  // `health`: of the device; after a launch that did not end, little else is answered.
  status answer(command what, message_reader from, message_writer& reply, std::function<void()>& afterwards,
                status health) {
    try {
      device_.time().begin(from.get<call_context>());
      if (health != status::success && what != command::describe && what != command::printed) return health;
      act(what, from, reply, afterwards);
      return status::success;
    } catch (const refused_call& refused) {
      reply = {};
      return refused.error;
    } catch (const cuda::no_variant& error) {
      reply = {};
      reply.text(error.what());
      return status::no_image_for_device;
    } catch (const invalid_ptx& error) {
      reply = {};
      reply.text(error.what());
      return status::invalid_ptx;
    } catch (const input_error& error) {
      reply = {};
      if (what == command::load_module) {
        reply.text(error.what());
        return status::invalid_image;
      }
      std::fprintf(stderr, "gt200: %s\n", error.what());
      return status::unknown;
    } catch (const short_message& error) {
      reply = {};
      std::fprintf(stderr, "gt200: %s\n", error.what());
      return status::unknown;
    } catch (const std::bad_alloc&) {
      reply = {};
      return status::memory_allocation;
    }
  }

  void act(command what, message_reader& from, message_writer& reply, std::function<void()>& afterwards) {
    switch (what) {
      case command::describe: reply.put(device_.describe()); return;
      case command::load_module: return load(from, reply);
      case command::allocate: reply.put<std::uint64_t>(device_.allocate(from.get<std::uint64_t>())); return;
      case command::release: return device_.release(from.get<std::uint64_t>());
      case command::allocate_array:
        reply.put<std::uint64_t>(device_.allocate_array(from.get<array_description>()));
        return;
      case command::release_array: return device_.release_array(from.get<std::uint64_t>());
      case command::write: return write(from);
      case command::read: return read(from, reply);
      case command::copy: return copy(from);
      case command::fill: return fill(from);
      case command::hold: return require(from.get<memory_rows>());
      case command::write_symbol: {
        program& code = device_.loaded(from.get<std::uint32_t>());
        const std::string name = from.text();
        const auto offset = from.get<std::uint64_t>();
        const std::vector<std::uint8_t> content = from.bytes();
        device_.copied(copy_way::to_device, 0, content.size());
        return device_.write_symbol(code, name, offset, content);
      }
      case command::read_symbol: {
        program& code = device_.loaded(from.get<std::uint32_t>());
        const std::string name = from.text();
        const auto offset = from.get<std::uint64_t>();
        const auto count = from.get<std::uint64_t>();
        const std::vector<std::uint8_t> content = device_.read_symbol(code, name, offset, count);
        device_.copied(copy_way::from_device, 0, content.size());
        reply.bytes(content.data(), content.size());
        return;
      }
      case command::symbol_address: {
        program& code = device_.loaded(from.get<std::uint32_t>());
        reply.put<std::uint64_t>(device_.address_of(code, from.text()));
        return;
      }
      case command::write_array: {
        const auto number = from.get<std::uint64_t>();
        const auto part = from.get<array_box>();
        const std::vector<std::uint8_t> rows = from.bytes();
        device_.copied(copy_way::to_device, 0, rows.size());
        return device_.write_array(number, part, rows);
      }
      case command::read_array: {
        const auto number = from.get<std::uint64_t>();
        const std::vector<std::uint8_t> rows = device_.read_array(number, from.get<array_box>());
        device_.copied(copy_way::from_device, 0, rows.size());
        reply.bytes(rows.data(), rows.size());
        return;
      }
      case command::bind_texture: {
        program& code = device_.loaded(from.get<std::uint32_t>());
        const std::string name = from.text();
        return device_.bind(code, name, from.get<texture_description>());
      }
      case command::launch: return launch(from, afterwards);
      case command::wait: return device_.time().wait();
      case command::time: reply.put<std::uint64_t>(device_.time().record()); return;
      case command::hold_back: return device_.time().hold_back(from.get<std::uint64_t>());
      case command::memory:
        reply.put<std::uint64_t>(device_.free_bytes()).put<std::uint64_t>(device_.bytes());
        return;
      case command::limit: reply.put<std::uint64_t>(device_.limit(from.get<limit_kind>())); return;
      case command::set_limit: {
        const auto which = from.get<limit_kind>();
        return device_.set_limit(which, from.get<std::uint64_t>());
      }
      case command::occupancy: {
        program& code = device_.loaded(from.get<std::uint32_t>());
        const std::string kernel = from.text();
        const auto threads = from.get<std::uint32_t>();
        reply.put<std::uint32_t>(device_.occupancy_of(code, kernel, threads, from.get<std::uint64_t>()));
        return;
      }
      case command::printed: {
        const kernel_output output = device_.take_output();
        reply.text(output.text).text(output.assertions);
        return;
      }
      case command::make_texture:
        reply.put<std::uint64_t>(device_.make_texture(from.get<texture_description>()));
        return;
      case command::drop_texture: return device_.drop_texture(from.get<std::uint64_t>());
      case command::make_surface: reply.put<std::uint64_t>(device_.make_surface(from.get<std::uint64_t>())); return;
      case command::drop_surface: return device_.drop_surface(from.get<std::uint64_t>());
    }
    throw refused_call{status::unknown};
  }

  void load(message_reader& from, message_writer& reply) {
    const auto options = from.get<image_options>();
    std::size_t count = 0;
    const std::uint8_t* bytes = from.bytes(count);
    std::uint32_t number = 0;
    const program& code = device_.load({reinterpret_cast<const char*>(bytes), count}, options, number);
    reply.put(number).put(static_cast<std::uint32_t>(code.module.kernels.size()));
    for (const cubin::kernel& k : code.module.kernels) {
      reply.text(k.name).put(device_.needs_of(k)).put(static_cast<std::uint32_t>(k.parameters.size()));
      for (const cubin::parameter& p : k.parameters) reply.put(p.offset).put(p.size);
    }
    reply.put(static_cast<std::uint32_t>(code.module.globals.size() + code.module.constants.size()));
    for (const cubin::global_variable& v : code.module.globals) reply.text(v.name).put<std::uint64_t>(v.size);
    for (const cubin::constant_segment& c : code.module.constants) reply.text(c.name).put<std::uint64_t>(c.size);
    reply.put(static_cast<std::uint32_t>(code.module.refused.size()));
    for (const cubin::refused_kernel& k : code.module.refused) reply.text(k.name).text(k.reason);
    reply.put(static_cast<std::uint32_t>(code.module.samplers.size()));
    for (const cubin::sampler& s : code.module.samplers) reply.text(s.name);
  }

  static void require_sane(const memory_rows& rows) {
    constexpr std::uint64_t limit = std::uint64_t{1} << 32;
    if (rows.width > limit || rows.rows > limit || rows.pitch > limit || rows.address > limit ||
        (rows.rows != 0 && rows.width > limit / rows.rows))
      throw refused_call{status::invalid_value};
  }

  // All rows, before the first of them is written.
  void require(const memory_rows& rows) {
    require_sane(rows);
    if (rows.width != 0 && rows.rows != 0)
      device_.require(rows.address, (rows.rows - 1) * rows.pitch + rows.width, status::invalid_value);
  }

  void write(message_reader& from) {
    const auto rows = from.get<memory_rows>();
    require(rows);
    std::size_t count = 0;
    const std::uint8_t* bytes = from.bytes(count);
    if (count != rows.width * rows.rows) throw refused_call{status::invalid_value};
    device_.copied(copy_way::to_device, rows.address, count);
    if (rows.pitch == rows.width || rows.rows == 1) return device_.write(rows.address, bytes, count);
    for (std::uint64_t k = 0; k < rows.rows; ++k)
      device_.write(rows.address + k * rows.pitch, bytes + k * rows.width, rows.width);
  }

  void read(message_reader& from, message_writer& reply) {
    const auto rows = from.get<memory_rows>();
    const std::vector<std::uint8_t> content = read(rows);
    device_.copied(copy_way::from_device, rows.address, content.size());
    reply.bytes(content.data(), content.size());
  }

  std::vector<std::uint8_t> read(const memory_rows& rows) {
    require_sane(rows);
    // Before memory of the host is taken for it: the device has that much.
    if (rows.width * rows.rows > device_.bytes()) throw refused_call{status::invalid_value};
    std::vector<std::uint8_t> content(rows.width * rows.rows);
    if (rows.pitch == rows.width || rows.rows == 1) {
      device_.read(rows.address, content.data(), content.size());
      return content;
    }
    for (std::uint64_t k = 0; k < rows.rows; ++k)
      device_.read(rows.address + k * rows.pitch, content.data() + k * rows.width, rows.width);
    return content;
  }

  void copy(message_reader& from) {
    const auto to = from.get<memory_rows>();
    memory_rows source = to;
    source.address = from.get<std::uint64_t>();
    source.pitch = from.get<std::uint64_t>();
    require(to);
    const std::vector<std::uint8_t> content = read(source);
    for (std::uint64_t k = 0; k < to.rows; ++k)
      device_.write(to.address + k * to.pitch, content.data() + k * to.width, to.width);
    device_.moved(2 * content.size());
  }

  void fill(message_reader& from) {
    const auto rows = from.get<memory_rows>();
    require(rows);
    const auto value = from.get<std::uint32_t>();
    const auto size = from.get<std::uint32_t>();
    if (size == 0 || size > sizeof value || rows.width % size != 0) throw refused_call{status::invalid_value};
    std::vector<std::uint8_t> content(rows.width);
    for (std::size_t k = 0; k < content.size(); ++k)
      content[k] = static_cast<std::uint8_t>(value >> 8 * (k % size));
    for (std::uint64_t k = 0; k < rows.rows; ++k)
      device_.write(rows.address + k * rows.pitch, content.data(), content.size());
    device_.moved(rows.width * rows.rows);
  }

  void launch(message_reader& from, std::function<void()>& afterwards) {
    program& code = device_.loaded(from.get<std::uint32_t>());
    const std::string kernel = from.text();
    const auto wanted = from.get<launch_description>();
    const launch::launch_parameters grid = device_.check_grid(code, kernel, wanted, from.bytes());
    device_.time().accept_launch();
    afterwards = [this, &code, grid] { device_.run(code, grid); };
  }

  channel& program_;
  machine& device_;
};

}  // namespace

void serve(channel& program, machine& device) { server(program, device).run(); }

}  // namespace gt200::cudart
