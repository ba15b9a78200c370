#include "cuda/client/launch.h"

#include <algorithm>
#include <cstring>

#include "cuda/client/event.h"

namespace gt200::cudart {
namespace {

std::array<std::uint32_t, 3> numbers(dim3 d) { return {d.x, d.y, d.z}; }

}  // namespace

std::vector<std::uint8_t> packed(const known_kernel& kernel, void* const* arguments) {
  std::vector<std::uint8_t> parameters;
  for (size_t k = 0; k < kernel.parameters.size(); ++k) {
    const known_kernel::parameter& p = kernel.parameters[k];
    parameters.resize(std::max<size_t>(parameters.size(), p.offset + p.size));
    std::memcpy(parameters.data() + p.offset, arguments[k], p.size);
  }
  return parameters;
}

cudaError_t launch(process_state& all, board& device, const std::string& name, const known_kernel& kernel,
                   const call_configuration& configuration, std::vector<std::uint8_t> parameters) {
  if (!takes_work(all, configuration.stream)) return cudaErrorInvalidResourceHandle;
  device_description d;
  if (const status known = device.describe(d); known != status::success) return error_of(known);
  constexpr unsigned first_with_pointers_of_the_host = 20;
  if (d.capability >= first_with_pointers_of_the_host)
    if (const status ready = all.mapped.prepare(device, parameters); ready != status::success)
      return error_of(ready);
  if (const status sent = all.mapped.send(device); sent != status::success) return error_of(sent);
  message_writer content;
  content.put(kernel.module).text(name);
  content.put(launch_description{numbers(configuration.grid), numbers(configuration.block), configuration.shared,
                                 configuration.cooperative ? 1u : 0u});
  content.bytes(parameters.data(), parameters.size());
  const call_scope scope(in_stream(configuration.stream));
  return error_of(device.ask(command::launch, content));
}

}  // namespace gt200::cudart
