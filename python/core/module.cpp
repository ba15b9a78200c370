// gt200._core: the connection to the process of a device, for device.py. What it refuses is raised as
// gt200.errors.error_of() makes it.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "apps/exit_code.h"
#include "python/core/worker.h"

namespace py = pybind11;

namespace gt200::session {
namespace {

using cudart::message_reader;
using cudart::message_writer;

// gt200.errors.error_of(). An interpreter that ends imports nothing any more, and objects go until the last moment:
// it is fetched with the module, and never given back.
py::handle& error_of() {
  static py::handle function;
  return function;
}

[[noreturn]] void raise(const failure& cause) {
  const py::object error = error_of()(cause.code, cause.what());
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
  throw py::error_already_set();
}

// The system reads names up to a null character, and would take another file than the text says.
const std::string& without_null(const std::string& text) {
  if (const std::size_t at = text.find('\0'); at != std::string::npos)
    raise(failure(static_cast<int>(apps::exit_code::bad_input),
                  text.substr(0, at) + "\\0...: a null character in a name"));
  return text;
}

// Contiguous bytes of a Python object, without a copy.
class byte_view {
 public:
  byte_view(const py::object& from, bool writable) {
    if (PyObject_GetBuffer(from.ptr(), &view_, writable ? PyBUF_CONTIG : PyBUF_CONTIG_RO) != 0)
      throw py::error_already_set();
  }
  ~byte_view() { PyBuffer_Release(&view_); }
  byte_view(const byte_view&) = delete;
  byte_view& operator=(const byte_view&) = delete;

  std::uint8_t* data() const { return static_cast<std::uint8_t*>(view_.buf); }
  std::size_t size() const { return static_cast<std::size_t>(view_.len); }

 private:
  Py_buffer view_ = {};
};

class connection {
 public:
  connection(const std::string& program, const std::vector<std::string>& options) {
    for (const std::string& option : options) without_null(option);
    try {
      worker_ = std::make_unique<worker>(without_null(program), options);
    } catch (const failure& cause) {
      raise(cause);
    }
  }

  py::dict describe() {
    const auto facts = ask(command::describe).get<device_facts>();
    py::dict result;
    result["capability"] = facts.capability;
    result["sms"] = facts.sms;
    result["warps_per_sm"] = facts.warps_per_sm;
    result["memory_bytes"] = facts.memory_bytes;
    result["free_bytes"] = facts.free_bytes;
    return result;
  }

  py::dict load(const std::string& path) {
    message_reader reply = ask(command::load, message_writer().text(without_null(path)));
    py::dict result;
    py::dict kernels;
    py::dict symbols;
    py::dict refused;
    result["number"] = reply.get<std::uint32_t>();
    for (auto left = reply.get<std::uint32_t>(); left > 0; --left) {
      const std::string name = reply.text();
      const auto facts = reply.get<kernel_facts>();
      py::list parameters;
      py::list types;
      for (auto parameter = reply.get<std::uint32_t>(); parameter > 0; --parameter) {
        const auto offset = reply.get<std::uint32_t>();
        const auto size = reply.get<std::uint32_t>();
        parameters.append(py::make_tuple(offset, size));
        types.append(name_of(reply.get<parameter_type>()));
      }
      kernels[name.c_str()] =
          py::make_tuple(facts.registers, facts.shared_bytes, facts.local_bytes, parameters, types);
    }
    for (auto left = reply.get<std::uint32_t>(); left > 0; --left) {
      const std::string name = reply.text();
      const auto bytes = reply.get<std::uint64_t>();
      const auto address = reply.get<std::uint64_t>();
      symbols[name.c_str()] = py::make_tuple(bytes, address);
    }
    for (auto left = reply.get<std::uint32_t>(); left > 0; --left) {
      const std::string name = reply.text();
      refused[name.c_str()] = reply.text();
    }
    result["kernels"] = kernels;
    result["symbols"] = symbols;
    result["refused"] = refused;
    return result;
  }

  std::uint64_t allocate(std::uint64_t bytes) {
    return ask(command::allocate, message_writer().put(bytes)).get<std::uint64_t>();
  }
  void release(std::uint64_t address) { ask(command::release, message_writer().put(address)); }
  void write(std::uint64_t address, const py::object& from) {
    const byte_view bytes(from, false);
    ask(command::write, message_writer().put(address).bytes(bytes.data(), bytes.size()));
  }
  void read(std::uint64_t address, const py::object& into) {
    const byte_view bytes(into, true);
    copy(ask(command::read, message_writer().put(address).put<std::uint64_t>(bytes.size())), bytes);
  }
  void write_symbol(std::uint32_t program, const std::string& name, std::uint64_t offset, const py::object& from) {
    const byte_view bytes(from, false);
    ask(command::write_symbol,
        message_writer().put(program).text(name).put(offset).bytes(bytes.data(), bytes.size()));
  }
  void read_symbol(std::uint32_t program, const std::string& name, std::uint64_t offset, const py::object& into) {
    const byte_view bytes(into, true);
    copy(ask(command::read_symbol,
             message_writer().put(program).text(name).put(offset).put<std::uint64_t>(bytes.size())),
         bytes);
  }

  // `arguments`: pairs of a kind ("bytes", "address", "integer", "real") and the bytes.
  py::dict launch(std::uint32_t program, const std::string& kernel, const std::array<std::uint32_t, 3>& grid,
                  const std::array<std::uint32_t, 3>& block, std::uint64_t dynamic_shared,
                  const std::vector<std::pair<std::string, std::string>>& arguments) {
    launch_shape shape = {};
    for (std::size_t i = 0; i < 3; ++i) {
      shape.grid[i] = grid[i];
      shape.block[i] = block[i];
    }
    shape.dynamic_shared = dynamic_shared;
    message_writer content;
    content.put(program).text(kernel).put(shape).put(static_cast<std::uint32_t>(arguments.size()));
    for (const auto& [kind, bytes] : arguments) content.put(kind_of(kind)).bytes(bytes.data(), bytes.size());
    message_reader reply = ask(command::launch, content);
    const auto facts = reply.get<launch_facts>();
    py::dict result;
    result["code"] = facts.code;
    result["core_cycles"] = facts.core_cycles;
    result["began_at_fs"] = facts.began_at_fs;
    result["ended_at_fs"] = facts.ended_at_fs;
    result["warp_instructions"] = facts.warp_instructions;
    result["verdict"] = text_of(reply);
    result["message"] = text_of(reply);
    return result;
  }

  py::str statistics() {
    message_reader reply = ask(command::statistics);
    return text_of(reply);
  }

  void close() {
    const py::gil_scoped_release others_run;
    worker_->close();
  }
  int process() const { return worker_->process(); }

 private:
  // Disassembly and messages may hold any byte.
  static py::str text_of(message_reader& from) {
    const std::string text = from.text();
    return py::reinterpret_steal<py::str>(
        PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
  }

  static const char* name_of(parameter_type type) {
    if (type == parameter_type::integer) return "integer";
    return type == parameter_type::real ? "real" : "";
  }

  static argument_kind kind_of(const std::string& name) {
    if (name == "address") return argument_kind::address;
    if (name == "integer") return argument_kind::integer;
    if (name == "natural") return argument_kind::natural;
    if (name == "real") return argument_kind::real;
    return argument_kind::bytes;
  }

  static void copy(message_reader reply, const byte_view& into) {
    std::size_t count = 0;
    const std::uint8_t* from = reply.bytes(count);
    if (count == into.size()) std::copy(from, from + count, into.data());
  }

  // Other threads of the interpreter run meanwhile. Ctrl-C ends the launch in order and is raised afterwards, when
  // the reply has come.
  message_reader ask(command what, const message_writer& content = {}) {
    bool interrupted = false;
    py::object type;
    py::object value;
    py::object trace;
    const auto waiting = [&]() -> bool {
      const py::gil_scoped_acquire now;
      if (PyErr_CheckSignals() == 0) return false;
      PyObject* parts[3] = {};
      PyErr_Fetch(&parts[0], &parts[1], &parts[2]);
      type = py::reinterpret_steal<py::object>(parts[0]);
      value = py::reinterpret_steal<py::object>(parts[1]);
      trace = py::reinterpret_steal<py::object>(parts[2]);
      interrupted = true;
      return true;
    };
    const auto raise_interrupt = [&] {
      PyErr_Restore(type.release().ptr(), value.release().ptr(), trace.release().ptr());
      throw py::error_already_set();
    };
    try {
      message_reader reply = [&] {
        const py::gil_scoped_release others_run;
        return worker_->ask(what, content, waiting);
      }();
      if (interrupted) raise_interrupt();
      return reply;
    } catch (const failure& cause) {
      if (interrupted) raise_interrupt();
      raise(cause);
    }
  }

  std::unique_ptr<worker> worker_;
};

}  // namespace
}  // namespace gt200::session

PYBIND11_MODULE(_core, m) {
  using gt200::session::connection;
  gt200::session::error_of() =
      pybind11::module_::import("gt200.errors").attr("error_of").cast<pybind11::object>().release();
  m.doc() = "The connection to the process of a device; gt200.Device uses it.";
  py::class_<connection>(m, "Connection")
      .def(py::init<const std::string&, const std::vector<std::string>&>())
      .def("describe", &connection::describe)
      .def("load", &connection::load)
      .def("allocate", &connection::allocate)
      .def("release", &connection::release)
      .def("write", &connection::write)
      .def("read", &connection::read)
      .def("write_symbol", &connection::write_symbol)
      .def("read_symbol", &connection::read_symbol)
      .def("launch", &connection::launch)
      .def("statistics", &connection::statistics)
      .def("close", &connection::close)
      .def_property_readonly("process", &connection::process);
}
