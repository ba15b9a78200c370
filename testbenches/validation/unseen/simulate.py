"""Runs kernels of this folder on the model, one process each, and reads back times and buffers."""
import array
import json
import pathlib
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
GT200 = ROOT / "build" / "gt200"
TYPES = {"f32": "f", "f64": "d", "u32": "I", "s32": "i", "u8": "B"}


_done = []  # (CPU seconds, hash of the configuration) of the runs since reset()


def reset():
    _done.clear()


def cpu_seconds():
    return sum(seconds for seconds, _ in _done)


def last_configuration():
    return _done[-1][1]


class failure(RuntimeError):
    """A run did not end well; the text says which and how."""


def read(path, kind):
    values = array.array(TYPES[kind])
    values.frombytes(path.read_bytes())
    return values


class run:
    """One run. `seconds` holds the duration of every launch, `buffers` what the buffers in `dumped` (name: type) held at
    its end; `inputs` (name: bytes) is what buffers hold at its start."""

    def __init__(self, preset, overrides, target, options, dumped=None, inputs=None):
        with tempfile.TemporaryDirectory() as folder:
            command = [str(GT200), "run", str(HERE / target), "--config", preset, "--json"]
            for item in overrides:
                command += ["--set", item]
            files = {name: pathlib.Path(folder) / name for name in dumped or {}}
            for name, path in files.items():
                command += ["--dump", f"{name}={path}"]
            for name, content in (inputs or {}).items():
                path = pathlib.Path(folder) / f"{name}.input"
                path.write_bytes(content)
                command += ["--input", f"{name}={path}"]
            done = subprocess.run(command + options, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise failure(f"{' '.join(command + options)}: {done.stderr.strip()}")
            self.report = json.loads(done.stdout)
            self.buffers = {name: read(path, dumped[name]) for name, path in files.items()}
        self.seconds = [1e-15 * (launch["ended_at_fs"] - launch["began_at_fs"]) for launch in self.report["launches"]]
        _done.append((self.report["host"]["cpu_seconds"], self.report["configuration_hash"]))

    @property
    def duration(self):
        return sum(self.seconds)


def launch(grid, block, arguments, entry=None, shared=0):
    """Options of a launch without a description."""

    def shape(sizes):
        return ",".join(map(str, sizes)) if isinstance(sizes, tuple) else str(sizes)

    options = ["--grid", shape(grid), "--block", shape(block)]
    for argument in arguments:
        options += ["--arg", argument]
    if shared:
        options += ["--shared", str(shared)]
    return options + (["--entry", entry] if entry else [])


def parameters(**values):
    """Options that set parameters of a launch description."""
    return [word for name, value in values.items() for word in ("--param", f"{name}={value}")]
