"""A device with memory, programs and launches. Each device is a process of its own, so a session may have several."""
import collections.abc
import json
import operator
import os
import pathlib
import sys
import tempfile

from . import _arguments, _program, results
from .config import Config
from .errors import Error, InputError, error_of
from .running import element_type


class Launch:
    """How one launch went: core_cycles, seconds (simulated), issued (warp instructions), ipc."""

    def __init__(self, kernel, facts, sms):
        self.kernel = kernel
        self.core_cycles = facts["core_cycles"]
        self.seconds = (facts["ended_at_fs"] - facts["began_at_fs"]) * 1e-15
        self.issued = facts["warp_instructions"]
        self.ipc = self.issued / (self.core_cycles * sms) if self.core_cycles else 0.0

    def __repr__(self):
        return f"Launch({self.kernel}: {self.core_cycles:,} core cycles, {self.seconds * 1e6:.3f} us, IPC {self.ipc:.3f})"


class _Handle:
    """What owns a part of a process: a copy would give it back a second time."""

    def __reduce_ex__(self, _):
        # Of the module copy, and of pickle.
        raise InputError(f"{self!r} cannot be copied: it stands for what one device holds{self._instead}")


class DeviceArray(_Handle):
    """Memory of a device that holds an array: `address`, `shape`, `dtype`.

    It is released with the object, or by release(). The object cannot be copied; device.array(a.get()) has memory
    of its own.
    """

    _instead = "; device.array(a.get()) has memory of its own"

    def __init__(self, device, shape, dtype):
        import numpy

        self.dtype = numpy.dtype(dtype)
        self.shape = tuple(_whole("an extent of the shape", extent, 2**64) for extent in _several(shape))
        self.size = int(numpy.prod(self.shape, dtype=object))
        self.nbytes = _whole("the number of bytes", self.size * self.dtype.itemsize, 2**64)
        self._device = device
        self.address = device._connection.allocate(self.nbytes)

    def __repr__(self):
        return f"DeviceArray({self.dtype}{list(self.shape)} at {self.address:#x})"

    def get(self):
        """The content, as a NumPy array."""
        import numpy

        array = numpy.empty(self.shape, self.dtype)
        self._device._connection.read(self.address, array)
        return array

    def set(self, values):
        """Writes the content: an array that can be broadcast to this shape."""
        import numpy

        array = numpy.ascontiguousarray(numpy.broadcast_to(numpy.asarray(values, self.dtype), self.shape))
        self._device._connection.write(self.address, array)
        return self

    def release(self):
        """Gives the memory back. The array cannot be used afterwards."""
        if self.address:
            address, self.address = self.address, 0
            self._device._connection.release(address)

    def __del__(self, is_finalizing=sys.is_finalizing):
        # With the interpreter goes the process of the device, and all of its memory.
        if is_finalizing():
            return
        try:
            if self.address and not self._device.closed:
                self.release()
        except (AttributeError, Error, KeyboardInterrupt):  # it was never made, or the device is going
            pass


class Symbol:
    """A variable or constant of a program on a device."""

    def __init__(self, program, name, nbytes, address):
        self._program, self.name, self.nbytes = program, name, nbytes
        self.address = address or None
        self.is_constant = not address

    def __repr__(self):
        return f"Symbol({self.name}: {self.nbytes} bytes {'of constant memory' if self.is_constant else f'at {self.address:#x}'})"

    def get(self, dtype="uint8"):
        """The content as a one-dimensional array."""
        import numpy

        dtype = numpy.dtype(dtype)
        array = numpy.empty(self.nbytes // dtype.itemsize, dtype)
        self._program._device._connection.read_symbol(self._program._number, self.name, 0, array)
        return array

    def set(self, values, offset=0):
        """Writes an array from a byte offset on."""
        import numpy

        array = numpy.ascontiguousarray(values)
        offset = _whole("offset", offset, 2**64)
        self._program._device._connection.write_symbol(self._program._number, self.name, offset, array)


class Kernel:
    """A kernel of a program on a device: registers, shared_bytes, local_bytes, parameters as (offset, size), and their
    types: "integer", "real", or "" where only the width is known.

    `kernel[grid, block](arguments...)` runs it and returns a Launch; so does kernel.launch().
    """

    def __init__(self, program, name, facts):
        self._program, self.name = program, name
        self.registers, self.shared_bytes, self.local_bytes, self.parameters, self.types = facts

    def __repr__(self):
        return f"Kernel({self.name}: {self.registers} registers, {self.shared_bytes} bytes of shared memory)"

    def __getitem__(self, shape):
        if not isinstance(shape, tuple) or len(shape) not in (2, 3):
            raise InputError(f"{self.name}[grid, block] or {self.name}[grid, block, shared bytes] is expected")
        return lambda *arguments: self.launch(*shape[:2], *arguments, shared=shape[2] if len(shape) == 3 else 0)

    def launch(self, grid, block, *arguments, shared=0):
        """Runs the kernel to its end. `grid`, `block`: numbers or tuples of up to three; `shared`: bytes.

        Arguments are DeviceArrays and Symbols of the same device, NumPy scalars or structures, and Python numbers. Where
        PTX or CUDA C declares a type (`types`), a Python number becomes one of that type, and what it cannot hold is
        refused: 3.5 for an integer, 2**40 for 4 bytes. NumPy scalars must have its kind and width. Machine code declares
        only a width: there an int is passed as an integer and a float as a floating-point number of that width.
        Raises Fault, Hang, LimitReached or WrongResult with `results`; the device takes no more
        launches then. Ctrl-C ends the launch in order and raises KeyboardInterrupt.
        """
        device = self._program._device
        facts = device._connection.launch(self._program._number, self.name, _extents("grid", grid), _extents("block", block),
                                          _whole("shared", shared, 2**32), _arguments.packed(arguments, self, device))
        if facts["code"] != 0:
            raise error_of(facts["code"], facts["verdict"], device.results())
        made = Launch(self.name, facts, device.sms)
        device.launches.append(made)
        return made


class Program:
    """A program on a device: `kernels`, `symbols`, and `refused` kernels with the reason. program.NAME is a kernel."""

    def __init__(self, device, path, found):
        self._device, self._number, self.path = device, found["number"], path
        self.kernels = {name: Kernel(self, name, facts) for name, facts in found["kernels"].items()}
        self.symbols = {name: Symbol(self, name, *facts) for name, facts in found["symbols"].items()}
        self.refused = found["refused"]

    def __repr__(self):
        return f"Program({self.path}: {', '.join(self.kernels)})"

    def __getattr__(self, name):
        found = self.__dict__.get("kernels", {}).get(name)
        if found is None:
            raise AttributeError(f"{self.__dict__.get('path')} has no kernel '{name}'")
        return found

    def __getitem__(self, name):
        """A kernel by its name, which need not be one that Python accepts."""
        if name in self.refused:
            raise InputError(f"{self.path}: kernel '{name}' cannot run: {self.refused[name]}")
        return self.kernels[name]


class Device(_Handle):
    """A board: a chip with memory.

    >>> with gt200.Device("gt200", {"tpc.sm.scheduler.policy": "gto"}) as device:
    ...     add = device.load("kernels/vector_add/vector_add.s").VecAdd
    ...     a, b = device.array(x), device.array(y)
    ...     c = device.empty(x.shape, x.dtype)
    ...     print(add[x.size // 256, 256](a, b, c, x.size))
    ...     sums = c.get()

    config, set  the chip: a preset, a file or a Config; keys to change
    check        compare every instruction with the emulator
    threads      threads of the host that run the chip
    max_cycles   core cycles allowed for a launch; 0: no limit

    Memory lies where `gt200 run` would place it, so that the same launches take the same cycles.
    """

    _instead = ""

    def __init__(self, config="gt200", set=None, *, check=False, threads=1, max_cycles=0):
        from . import _core

        self._connection = None
        self._folders = []
        self.closed = True
        self.config = Config(config, set)
        words = [*self.config.words(), "--threads", str(threads), "--max-cycles", str(max_cycles)]
        self._connection = _core.Connection(_program.program(), words + ["--check"] * bool(check))
        self.closed = False
        facts = self._connection.describe()
        self.sms = facts["sms"]
        self.capability = facts["capability"] / 10
        self.memory_bytes = facts["memory_bytes"]
        self.launches = []
        """The launches that ran to their end, in order."""

    def __repr__(self):
        return f"Device({self.config.file!r}: {self.sms} SMs, {self.memory_bytes >> 20} MiB{', closed' if self.closed else ''})"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the process of the device."""
        if not self.closed:
            self.closed = True
            self._connection.close()
            for folder in self._folders:
                folder.cleanup()

    @property
    def process(self):
        """The number of the device's process; 0 when it has ended."""
        return self._connection.process

    @property
    def free_bytes(self):
        """Bytes of memory that are not allocated."""
        return self._connection.describe()["free_bytes"]

    def load(self, path):
        """Loads a program: assembly (.s), PTX, CUDA C (.cu, needs clang), or a cubin."""
        path = os.fspath(path)
        return Program(self, path, self._connection.load(path))

    def compile(self, text, suffix=".cu"):
        """Loads a program from its text; `suffix` says what it is: .cu, .ptx, .s."""
        # Kept as long as the device: results() show the source lines.
        folder = tempfile.TemporaryDirectory(prefix="gt200-")
        self._folders.append(folder)
        path = pathlib.Path(folder.name) / f"program{suffix}"
        path.write_text(text, encoding="utf-8")
        return self.load(path)

    def array(self, values):
        """Memory with the content of a NumPy array."""
        import numpy

        values = numpy.asarray(values)
        element_type(values)
        return DeviceArray(self, values.shape, values.dtype).set(values)

    def empty(self, shape, dtype="float32"):
        """Memory for an array, without content."""
        return DeviceArray(self, shape, dtype)

    def zeros(self, shape, dtype="float32"):
        """Memory for an array of zeros."""
        return DeviceArray(self, shape, dtype).set(0)

    def results(self):
        """The Results of all launches so far."""
        return results.Results(json.loads(self._connection.statistics()), self.config)


def _several(value):
    return list(value) if isinstance(value, collections.abc.Iterable) else [value]


def _whole(name, value, end):
    """A whole number of at least 0 and below `end`, of any type that has one."""
    try:
        number = int(value) if isinstance(value, float) and value.is_integer() else operator.index(value)
    except TypeError:
        raise InputError(f"{name} {value!r} is no whole number") from None
    if not 0 <= number < end:
        raise InputError(f"{name} {number} lies outside 0 to 2^{end.bit_length() - 1} - 1")
    return number


def _extents(name, value):
    values = [_whole(f"an extent of {name}", v, 2**32) for v in _several(value)]
    if not 1 <= len(values) <= 3:
        raise InputError(f"{name} has one to three extents")
    return (values + [1, 1])[:3]
