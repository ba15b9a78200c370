"""The arguments of a launch, as the device takes them: a kind and bytes."""
import math
import struct

from .errors import InputError

_REALS = {4: "<f", 8: "<d"}


def packed(arguments, kernel, device):
    """All arguments. The program says when their number is wrong."""
    declared = [(kind, size) for kind, (_, size) in zip(kernel.types, kernel.parameters)]
    declared += [("", 0)] * (len(arguments) - len(declared))
    return [_packed(value, number, device, *how) for number, (value, how) in enumerate(zip(arguments, declared), 1)]


def _packed(value, number, device, kind, width):
    """The kind and bytes of an argument, for a parameter of the type `kind` ("integer", "real", "": unknown)."""
    import numpy

    from .device import DeviceArray, Symbol

    if isinstance(value, (DeviceArray, Symbol)):
        owner = value._device if isinstance(value, DeviceArray) else value._program._device
        if owner is not device:
            raise InputError(f"argument {number}: {value!r} lies in the memory of another device")
        if not value.address:
            raise InputError(f"{value!r} has no address")
        if kind == "real":
            raise InputError(f"argument {number}: {value!r} is an address, but parameter {number} is a floating-point number")
        return "address", struct.pack("<Q", value.address)
    if isinstance(value, numpy.generic) or (isinstance(value, numpy.ndarray) and value.ndim == 0):
        _require_kind(value, number, kind)
        return "bytes", value.tobytes()
    if isinstance(value, numpy.ndarray):
        raise InputError("a NumPy array lies in the memory of the host; hand over device.array(values)")
    if isinstance(value, bytes):
        return "bytes", value
    if not isinstance(value, (int, float)):
        raise InputError(f"{value!r} is neither a number nor memory of the device")
    if kind == "integer":
        return _integer(_as_integer(value, number))
    if kind == "real" or isinstance(value, float):
        return "real", struct.pack("<d", _as_real(value, number, width))
    return _integer(value)


def _integer(value):
    # The device puts it into the width of the parameter, or refuses it.
    if not -2**63 <= value < 2**64:
        raise InputError(f"{value} does not fit 64 bits")
    return ("natural", struct.pack("<Q", value)) if value >= 2**63 else ("integer", struct.pack("<q", value))


def _as_integer(value, number):
    if isinstance(value, float) and not value.is_integer():
        raise InputError(f"argument {number}: {value!r} is no whole number, but parameter {number} is an integer")
    return int(value)


def _as_real(value, number, width):
    """A float is rounded to the width as C does; an int must be there exactly, and no number becomes infinite."""
    form = _REALS.get(width, "<d")
    try:
        real = float(value)
        there = struct.unpack(form, struct.pack(form, real))[0]
    except OverflowError:
        there = math.inf
    if (math.isinf(there) and value not in (math.inf, -math.inf)) or (isinstance(value, int) and there != value):
        raise InputError(f"argument {number}: {value!r} does not fit the floating-point number of {width} bytes that "
                         f"parameter {number} is")
    return real


def _require_kind(value, number, kind):
    """A NumPy scalar says its type; structures and other bytes pass as they are."""
    wanted = {"integer": "iub", "real": "f"}.get(kind)
    if wanted and value.dtype.kind in "iubfc" and value.dtype.kind not in wanted:
        name = "an integer" if kind == "integer" else "a floating-point number"
        raise InputError(f"argument {number} is a {value.dtype}, but parameter {number} is {name}")
