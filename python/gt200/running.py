"""One run of a kernel, as `gt200 run` makes it, with NumPy arrays in and out."""
import collections.abc
import json
import os
import pathlib
import tempfile

from . import _program, results
from .config import chosen, toml_value
from .errors import InputError, error_of

_TYPES = {"u1": "u8", "i1": "s8", "u2": "u16", "i2": "s16", "u4": "u32", "i4": "s32", "u8": "u64", "i8": "s64",
          "f4": "f32", "f8": "f64"}


# Exit codes of runs that have left their figures.
_WITH_RESULTS = (0, 3, 4, 5, 6, 130)


class Run(results.Results):
    """The Results of a run, with the content of its buffers.

    `arrays`: every buffer by name, as a NumPy array, after the run. `text`: the summary that the program prints.
    `error`: how the run ended if that was not well, with errors="return".
    """

    arrays = {}
    text = ""
    error = None


def element_type(array):
    """The type of a buffer that holds this array: 'f32' for float32."""
    found = _TYPES.get(array.dtype.str[1:]) if array.dtype.byteorder != ">" else None
    if found is None:
        raise InputError(f"an array of {array.dtype} cannot be a buffer; types are {', '.join(_TYPES.values())}")
    return found


def _scalar(value):
    """TYPE=VALUE of a scalar argument. Python's own numbers are s32 (s64 if they need it) and f32."""
    import numpy

    if isinstance(value, numpy.generic):
        return f"{element_type(value)}={toml_value(value)}"
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise InputError(f"{value!r} is neither a number nor an array")
    if isinstance(value, float):
        return f"f32={value!r}"
    return f"{'s32' if -2**31 <= value < 2**31 else 's64'}={value}"


def _dimensions(value):
    return ",".join(str(int(extent)) for extent in (value if isinstance(value, collections.abc.Iterable) else [value]))


class _Buffers:
    """Files of the buffers that go in, and the shapes that come out."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.words = []
        self.shapes = {}

    def add(self, name, value):
        import numpy

        array = numpy.ascontiguousarray(value)
        array = array.astype(array.dtype.newbyteorder("="), copy=False)
        element_type(array)
        path = self.folder / f"in{len(self.shapes)}.npy"
        numpy.save(path, array)
        self.words += ["--input", f"{name}={path}"]
        self.shapes[name] = numpy.shape(value)
        return array

    def read(self, folder):
        import numpy

        found = {path.stem: numpy.load(path) for path in sorted(pathlib.Path(folder).glob("*.npy"))}
        return {name: array.reshape(self.shapes.get(name, array.shape)) for name, array in found.items()}


def _direct_words(block, grid, args, entry, shared, buffers):
    if block is None:
        if args is not None or grid is not None or entry is not None or shared:
            raise InputError("args, grid, entry and shared go with block: a launch without a description")
        return []
    words = ["--block", _dimensions(block), "--grid", _dimensions(1 if grid is None else grid), "--shared", shared]
    if entry is not None:
        words += ["--entry", entry]
    named = args.items() if isinstance(args, collections.abc.Mapping) else ((None, value) for value in args or ())
    for number, (name, value) in enumerate(named):
        name = name or f"arg{number}"
        if hasattr(value, "ndim") and value.ndim > 0:
            array = buffers.add(name, value)
            words += ["--arg", f"{name}:{element_type(array)}[{array.size}]"]
        else:
            words += ["--arg", _scalar(value)]
    return words


def _workload_words(params, source, launch, seed):
    words = [word for name, value in (params or {}).items() for word in ("--param", f"{name}={toml_value(value)}")]
    for option, value in (("--source", source), ("--launch", launch), ("--seed", seed)):
        if value is not None:
            words += [option, os.fspath(value) if isinstance(value, os.PathLike) else value]
    return words


def run(kernel, *, config="gt200", set=None, params=None, inputs=None, args=None, grid=None, block=None, entry=None,
        shared=0, source=None, launch=None, seed=None, check=False, threads=1, max_cycles=0, out=None, options=(),
        errors="raise"):
    """Runs a kernel on the cycle model, as `gt200 run`, and returns a Run.

    kernel          kernel folder, launch description, or program (assembly, PTX, CUDA C, cubin)
    config, set     the chip: a preset, a file or a Config; keys to change
    params, seed    parameters of the launch description; seed of its random inputs
    inputs          NumPy arrays for buffers of the description, by name, instead of what it says; expected results
                    that the description states as fixed values are not compared then
    args            for a program without a description: its arguments in order, as a list, or by name, as a dictionary;
                    arrays are buffers, NumPy scalars have their type, Python's own numbers are s32 and f32
    grid, block     with args: blocks of the grid and threads of a block, numbers or tuples
    entry, shared   with args: the kernel of a program with several; bytes of dynamic shared memory
    source, launch  another program, another launch description
    check           compare every instruction with the emulator
    threads         threads of the host that run the chip
    max_cycles      core cycles allowed for a launch; 0: no limit
    out             folder that keeps stats.json, stats.csv and config.toml
    options         further options of `gt200 run`, as words
    errors          "raise" what is not well: WrongResult, Fault, Hang, LimitReached, each with `results`;
                    "return" the Run all the same, with `error`

    Ctrl-C ends the run in order and raises Interrupted with the `results` up to then.
    """
    if errors not in ("raise", "return"):
        raise InputError('errors: "raise" or "return"')
    with tempfile.TemporaryDirectory(prefix="gt200-") as scratch:
        buffers = _Buffers(scratch)
        words = ["run", kernel, *chosen(config, set), *_workload_words(params, source, launch, seed)]
        words += _direct_words(block, grid, args, entry, shared, buffers)
        for name, value in (inputs or {}).items():
            buffers.add(name, value)
        folder = os.path.join(scratch, "out") if out is None else os.fspath(out)
        arrays = os.path.join(scratch, "arrays")
        words += [*buffers.words, "--out", folder, "--arrays", arrays, "--threads", threads, "--max-cycles", max_cycles]
        words += ["--check"] * bool(check) + [str(option) for option in options]
        code, text, err = _program.call(words)
        message = _program.message_of(err)
        if code not in _WITH_RESULTS:  # refused, files that cannot be written, a defect, or a signal
            raise error_of(code, message or _program.end_of(code))
        if not os.path.exists(os.path.join(folder, "stats.json")):  # interrupted before it had begun
            raise error_of(code, message or _program.end_of(code))
        found = results.load(folder)
        made = Run(found.stats, found._config)
        made.text = text
        made.arrays = buffers.read(arrays)
    if code == 0:
        return made
    made.error = error_of(code, _verdict_of(text) or made.stats["result"]["message"], made)
    if errors == "raise" or code == 130:
        raise made.error
    return made


def _verdict_of(text):
    """What the summary says behind 'result'."""
    at = text.rfind("\nresult ")
    return text[at:].replace("\nresult", "", 1).strip() if at >= 0 else ""


def describe(kernel, *, params=None, source=None, launch=None, seed=None):
    """What a kernel's launch description comes to: buffers with addresses, constants, and steps with their bytes.

    A dictionary, as `gt200 launch check --json` prints it.
    """
    return json.loads(_program.output_of(["launch", "check", kernel, "--json",
                                          *_workload_words(params, source, launch, seed)]))


def inputs(kernel, *, params=None, source=None, launch=None, seed=None):
    """The content of every buffer of a kernel before its first step, as NumPy arrays by name, in the order of memory."""
    with tempfile.TemporaryDirectory(prefix="gt200-") as scratch:
        told = json.loads(_program.output_of(["launch", "check", kernel, "--json", "--arrays", scratch,
                                              *_workload_words(params, source, launch, seed)]))
        found = _Buffers(scratch).read(scratch)
        return {buffer["name"]: found[buffer["name"]] for buffer in told["buffers"]}
