"""The configuration of a chip as a dictionary, with the meaning, range and source of every key."""
import collections.abc
import dataclasses
import functools
import json
import os

from . import _program
from .errors import InputError


def toml_value(value):
    """A value as an option --set takes it: True -> true, 24 -> 24, 'gto' -> gto."""
    if hasattr(value, "item"):  # a NumPy scalar
        value = value.item()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value)
    return str(value)


def settings(changes):
    """A dictionary of keys and values as options `--set KEY=VALUE`."""
    if changes is None:
        return []
    if not isinstance(changes, collections.abc.Mapping):
        raise InputError("set: a dictionary of configuration keys and values is expected")
    return [word for key, value in changes.items() for word in ("--set", f"{key}={toml_value(value)}")]


@dataclasses.dataclass(frozen=True)
class Key:
    """One key of a configuration: its value, and what `gt200 config explain` says about it."""

    name: str
    value: object
    unit: str
    text: str
    allowed: str
    source: str
    set_at: str
    low: object = None
    high: object = None
    step: int = 1
    power_of_two: bool = False
    choices: dict = None

    def __str__(self):
        lines = [f"{self.name} = {self.value}", f"  {self.text}"]
        if self.unit:
            lines.append(f"  unit     {self.unit}")
        lines.append(f"  allowed  {self.allowed}")
        if self.choices and any(self.choices.values()):
            lines += [f"    {name:<12} {text}" for name, text in self.choices.items()]
        return "\n".join(lines + [f"  source   {self.source}", f"  set at   {self.set_at}"])


class Config(collections.abc.Mapping):
    """A resolved configuration: a read-only dictionary from key to value.

    >>> chip = gt200.Config("gt200", {"tpc.sm.scheduler.policy": "gto"})
    >>> chip["tpc.sm.scheduler.policy"]
    'gto'
    >>> print(chip.explain("tpc.sm.scoreboard.entries_per_warp"))

    `config` is a file or the name of a preset, or another Config; `set` changes keys on top of it. What the program
    refuses is an InputError with the same line.
    """

    def __init__(self, config="gt200", set=None):
        base = config._changes if isinstance(config, Config) else {}
        self.file = config.file if isinstance(config, Config) else os.fspath(config)
        self._changes = {**base, **(set or {})}
        words = ["config", "explain", "--json", "--config", self.file, *settings(self._changes)]
        found = json.loads(_program.output_of(words))
        self.hash = found["hash"]
        self.peaks = found["peaks"]
        self._groups = found["groups"]
        self._keys = {name: Key(name=name, **entry) for name, entry in found["keys"].items()}

    def __getitem__(self, name):
        return self.explain(name).value

    def __iter__(self):
        return iter(self._keys)

    def __len__(self):
        return len(self._keys)

    def __contains__(self, name):
        return name in self._keys

    def __repr__(self):
        changes = f", {self._changes}" if self._changes else ""
        return f"Config({self.file!r}{changes}): {len(self)} keys, hash {self.hash}"

    def __hash__(self):
        return hash(self.hash)

    def __eq__(self, other):
        return isinstance(other, Config) and self.hash == other.hash

    def explain(self, name):
        """The Key with its text, unit, allowed values and source. Unknown names raise KeyError with near ones."""
        if name in self._keys:
            return self._keys[name]
        try:  # the program knows which names are near
            _program.output_of(["config", "explain", name, "--config", self.file, *settings(self._changes)])
        except InputError as error:
            raise KeyError(str(error)) from None
        raise KeyError(f"'{name}' is a group of keys: {self._groups.get(name, '')}")

    def frame(self, below=""):
        """All keys below a group as a DataFrame: value, unit, text, allowed, source, set_at."""
        import pandas

        columns = ["value", "unit", "text", "allowed", "source", "set_at"]
        rows = {name: [getattr(key, column) for column in columns] for name, key in self._keys.items()
                if not below or name == below or name.startswith(below + ".")}
        return pandas.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("key")

    def changed(self, set):
        """A Config with further changes."""
        return Config(self, set)

    def diff(self, other):
        """The keys in which two configurations differ, as a DataFrame with the columns `here` and `there`."""
        import pandas

        rows = {name: (self[name], other[name]) for name in self if name in other and self[name] != other[name]}
        return pandas.DataFrame.from_dict(rows, orient="index", columns=["here", "there"]).rename_axis("key")

    def words(self):
        """The options that choose this configuration on the command line."""
        return ["--config", self.file, *settings(self._changes)]


def chosen(config, set):
    """The options --config and --set for what a function was given: a preset, a file, or a Config."""
    if isinstance(config, Config):
        return [*config.words(), *settings(set)]
    return ["--config", os.fspath(config), *settings(set)]


@functools.lru_cache(maxsize=64)
def from_text(text):
    """The Config of a resolved config.toml of a run."""
    import tempfile

    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        file.write(text)
        file.flush()
        return Config(file.name)


def presets():
    """The names of the presets."""
    try:
        _program.output_of(["config", "check", "no such preset"])
    except InputError as error:
        return str(error).rpartition("presets are ")[2].split(", ")
    return []
