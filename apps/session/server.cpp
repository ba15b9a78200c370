#include "apps/session/server.h"

#include <fmt/format.h>

#include "apps/support/internal_error.h"
#include "cuda/protocol/message.h"
#include "toolchain/error.h"

namespace gt200::session {
namespace {

using apps::exit_code;
using cudart::message_reader;
using cudart::message_writer;

parameter_type declared_type(ptx::number_kind kind) {
  switch (kind) {
    case ptx::number_kind::integer: return parameter_type::integer;
    case ptx::number_kind::real: return parameter_type::real;
    case ptx::number_kind::none: break;
  }
  return parameter_type::none;
}

class server {
 public:
  server(cudart::channel& connection, board& device, const std::function<void()>& launch_begins)
      : connection_(connection), device_(device), launch_begins_(launch_begins) {}

  void run() {
    std::uint32_t kind = 0;
    std::vector<std::uint8_t> content;
    while (connection_.receive(kind, content)) {
      message_writer reply;
      exit_code code = exit_code::ok;
      try {
        act(static_cast<command>(kind), message_reader(std::move(content)), reply);
      } catch (const input_error& error) {
        reply = {};
        reply.text(error.what());
        code = exit_code::bad_input;
      } catch (const cudart::short_message&) {
        reply = {};
        reply.text("a message of the session is too short");
        code = exit_code::bad_input;
      } catch (const std::exception& error) {
        connection_.send(static_cast<std::uint32_t>(exit_code::internal),
                         message_writer().text(apps::text_of_internal_error(error)).content());
        throw;
      }
      if (!connection_.send(static_cast<std::uint32_t>(code), reply.content())) return;
      content.clear();
    }
  }

 private:
  void act(command what, message_reader from, message_writer& reply) {
    switch (what) {
      case command::describe: reply.put(device_.describe()); return;
      case command::load: return load(from, reply);
      case command::allocate: reply.put<std::uint64_t>(device_.allocate(from.get<std::uint64_t>())); return;
      case command::release: return device_.release(from.get<std::uint64_t>());
      case command::write: {
        const auto address = from.get<std::uint64_t>();
        std::size_t count = 0;
        const std::uint8_t* bytes = from.bytes(count);
        return device_.write(address, bytes, count);
      }
      case command::read: {
        const auto address = from.get<std::uint64_t>();
        const std::vector<std::uint8_t> bytes = device_.read(address, from.get<std::uint64_t>());
        reply.bytes(bytes.data(), bytes.size());
        return;
      }
      case command::write_symbol: {
        const auto number = from.get<std::uint32_t>();
        const std::string name = from.text();
        const auto offset = from.get<std::uint64_t>();
        return device_.write_symbol(number, name, offset, from.bytes());
      }
      case command::read_symbol: {
        const auto number = from.get<std::uint32_t>();
        const std::string name = from.text();
        const auto offset = from.get<std::uint64_t>();
        const std::vector<std::uint8_t> bytes =
            device_.read_symbol(number, name, offset, from.get<std::uint64_t>());
        reply.bytes(bytes.data(), bytes.size());
        return;
      }
      case command::launch: return launch(from, reply);
      case command::statistics: reply.text(device_.statistics_text()); return;
    }
    throw input_error(fmt::format("unknown command {}", static_cast<std::uint32_t>(what)));
  }

  void load(message_reader& from, message_writer& reply) {
    std::uint32_t number = 0;
    const program& loaded = device_.load(from.text(), number);
    const cubin::module& module = loaded.module;
    reply.put(number).put(static_cast<std::uint32_t>(module.kernels.size()));
    for (const cubin::kernel& k : module.kernels) {
      reply.text(k.name).put(kernel_facts{k.registers, k.shared_bytes, k.local_bytes});
      reply.put(static_cast<std::uint32_t>(k.parameters.size()));
      const auto types = loaded.types.find(k.name);
      for (std::size_t i = 0; i < k.parameters.size(); ++i) {
        const bool known = types != loaded.types.end() && i < types->second.size();
        reply.put(k.parameters[i].offset).put(k.parameters[i].size);
        reply.put(known ? declared_type(types->second[i]) : parameter_type::none);
      }
    }
    reply.put(static_cast<std::uint32_t>(loaded.prepared.globals.size() + module.constants.size()));
    for (const launch::placed_bytes& v : loaded.prepared.globals)
      reply.text(v.name).put<std::uint64_t>(v.initial.size()).put<std::uint64_t>(v.address);
    for (const cubin::constant_segment& c : module.constants)
      reply.text(c.name).put<std::uint64_t>(c.size).put<std::uint64_t>(0);
    reply.put(static_cast<std::uint32_t>(module.refused.size()));
    for (const cubin::refused_kernel& k : module.refused) reply.text(k.name).text(k.reason);
  }

  void launch(message_reader& from, message_writer& reply) {
    const auto number = from.get<std::uint32_t>();
    const std::string kernel = from.text();
    const auto shape = from.get<launch_shape>();
    std::vector<argument> arguments;
    for (auto left = from.get<std::uint32_t>(); left > 0; --left) {
      const auto kind = from.get<argument_kind>();
      arguments.push_back({kind, from.bytes()});
      if (kind > argument_kind::real) throw input_error("an argument is of no kind that there is");
      if (kind != argument_kind::bytes && arguments.back().bytes.size() != sizeof(std::uint64_t))
        throw input_error("an address or number of an argument has no 8 bytes");
    }
    launch_begins_();
    const apps::launch_outcome outcome = device_.launch(number, kernel, shape, arguments);
    reply.put(launch_facts{static_cast<std::uint32_t>(outcome.result.code), outcome.launch.cycles,
                           outcome.launch.began_at, outcome.launch.ended_at, device_.issued()});
    reply.text(outcome.result.text).text(outcome.message);
  }

  cudart::channel& connection_;
  board& device_;
  const std::function<void()>& launch_begins_;
};

}  // namespace

void serve(cudart::channel& connection, board& device, const std::function<void()>& launch_begins) {
  server(connection, device, launch_begins).run();
}

}  // namespace gt200::session
