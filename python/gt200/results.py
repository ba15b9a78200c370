"""The figures of a run as DataFrames: what `stats.json` holds (docs/statistics.md)."""
import collections
import functools
import json
import os
import pathlib
import re

from . import config as _config
from .errors import InputError

CAUSES = {
    "issued": "issued",
    "no_warp": "no warp resident",
    "buffer_empty": "instruction buffer empty",
    "icache_miss": "instruction cache miss",
    "dependency_sp": "waits for SP result",
    "dependency_sfu": "waits for SFU result",
    "dependency_dp": "waits for DP result",
    "dependency_shared": "waits for shared memory",
    "dependency_global": "waits for global memory",
    "dependency_texture": "waits for texture",
    "dependency_constant": "waits for constant",
    "dependency_control": "waits for control flow",
    "scoreboard_full": "scoreboard full",
    "not_probed": "ready warp not probed",
    "barrier": "waits at a barrier",
    "unit_busy": "unit busy",
    "dispatch_port": "dispatch port taken",
    "memory_back_pressure": "memory port full",
    "draining": "exited warps drain",
    "register_section": "waits for a register section",
    "warp_formation": "waits for warp formation",
}
"""The causes an issue slot is charged to, in the order of the files, with their texts."""

_SCHEMA, _VERSION = "gt200.stats", 1
_INSTANCE = re.compile(r"_\d+(?=\.|$)")


def kind_of(path):
    """The path of a counter without chip and instance numbers: gt200.tpc_3.sm_1.icache.misses -> tpc.sm.icache.misses."""
    return _INSTANCE.sub("", path.partition(".")[2])


class Results:
    """The figures of a run. DataFrames are made when they are first asked for.

    Made by gt200.run(), Device.results(), Study.results() and gt200.load().
    """

    def __init__(self, stats, config=None, label=None):
        if not isinstance(stats, dict) or stats.get("schema") != _SCHEMA or stats.get("schema_version") != _VERSION:
            raise InputError(f"these are no statistics of schema {_SCHEMA}, version {_VERSION}")
        self.stats = stats
        self.label = label or pathlib.Path(stats["program"]["source"]).stem or "run"
        self._config = config  # a Config, or the text of config.toml

    def __repr__(self):
        return f"{type(self).__name__}({self.label}: {self.end}, {self.cycles:,} core cycles, IPC {self.ipc:.3f})"

    @property
    def hints(self):
        """What the figures do not say by themselves: keys without effect, grids with uneven ends. A list of lines."""
        return self.stats.get("hints", [])

    @property
    def trust(self):
        """How the configuration stands against silicon, by the records of docs/validation. A list of lines."""
        return self.stats.get("trust", [])

    # -- numbers of the whole run --

    @property
    def end(self):
        """How the last launch ended: done, fault, max_cycles, hang, stopped."""
        return self.stats["result"]["end"]

    @property
    def passed(self):
        """True or False by the checks of the result; None when nothing was checked."""
        return self.stats["result"]["passed"]

    @property
    def cycles(self):
        """Core cycles of all launches."""
        return sum(launch["core_cycles"] for launch in self.stats["launches"])

    @property
    def seconds(self):
        """Simulated time of all launches."""
        return sum(launch["ended_at_fs"] - launch["began_at_fs"] for launch in self.stats["launches"]) * 1e-15

    @property
    def ipc(self):
        """Warp instructions per core cycle and SM."""
        cycles = self.cycles * self.stats["chip"]["sms"]
        return self.issued / cycles if cycles else 0.0

    @property
    def issued(self):
        """Warp instructions issued."""
        return sum(launch["cycle_accounting"]["total"]["issued"] for launch in self.stats["launches"])

    @property
    def flops(self):
        """Floating-point operations of all active lanes."""
        return sum(i["flops"] * i["active_lanes"] for launch in self.stats["launches"]
                   for i in launch["cycle_accounting"]["instructions"])

    @property
    def dram_bytes(self):
        """Bytes read from and written to DRAM during the launches."""
        return sum(value for launch in self.stats["launches"] for path, value in launch["counters"].items()
                   if path.endswith((".read_bytes", ".written_bytes")))

    @property
    def configuration_hash(self):
        """The hash of the configuration, as `gt200 config check` prints it."""
        return self.stats["configuration_hash"]

    @property
    def config(self):
        """The Config of the run."""
        if self._config is None:
            raise InputError("the configuration of this run has not been kept: its folder has no config.toml")
        if isinstance(self._config, str):
            self._config = _config.from_text(self._config)
        return self._config

    # -- tables --

    @functools.cached_property
    def launches(self):
        """A row per launch: kernel, grid, block, registers, end, core_cycles, microseconds, issued, ipc, resident_warps."""
        import pandas

        sms = self.stats["chip"]["sms"]
        rows = []
        for launch in self.stats["launches"]:
            accounting = launch["cycle_accounting"]
            cycles = launch["core_cycles"]
            issued = accounting["total"]["issued"]
            resident = sum(sm["resident_warp_cycles"] for sm in accounting["sms"])
            rows.append({"kernel": launch["kernel"], "grid": tuple(launch["grid"]), "block": tuple(launch["block"]),
                         "registers": launch["registers"], "end": launch["end"], "core_cycles": cycles,
                         "microseconds": (launch["ended_at_fs"] - launch["began_at_fs"]) * 1e-9, "issued": issued,
                         "ipc": issued / (cycles * sms) if cycles else 0.0,
                         "resident_warps": resident / (cycles * sms) if cycles else 0.0})
        columns = ["kernel", "grid", "block", "registers", "end", "core_cycles", "microseconds", "issued", "ipc",
                   "resident_warps"]
        return pandas.DataFrame(rows, columns=columns).rename_axis("launch")

    @functools.cached_property
    def slots(self):
        """Issue slots by cause: a row per launch, a column per cause. slots.sum() is the whole run."""
        import pandas

        launches = self.stats["launches"]
        index = pandas.MultiIndex.from_arrays([range(len(launches)), [l["kernel"] for l in launches]],
                                              names=["launch", "kernel"])
        return _slot_columns(pandas.DataFrame([l["cycle_accounting"]["total"] for l in launches], index=index))

    @functools.cached_property
    def slots_by_sm(self):
        """Issue slots by cause: a row per launch and SM."""
        import pandas

        rows = {(number, sm["path"]): sm["slots"] for number, launch in enumerate(self.stats["launches"])
                for sm in launch["cycle_accounting"]["sms"]}
        index = pandas.MultiIndex.from_tuples(rows, names=["launch", "sm"])
        return _slot_columns(pandas.DataFrame(list(rows.values()), index=index))

    @functools.cached_property
    def slots_by_warp(self):
        """Issue slots of the whole run by cause: a row per SM and warp, without the slots that have no warp."""
        import pandas

        rows = {(sm, warp): slots for sm, warps in self.stats["warps"].items() for warp, slots in enumerate(warps)}
        index = pandas.MultiIndex.from_tuples(rows, names=["sm", "warp"])
        return _slot_columns(pandas.DataFrame(list(rows.values()), index=index))

    @functools.cached_property
    def instructions(self):
        """Issue slots by instruction: a row per launch and PC with line, text, source, lanes, registers and all causes."""
        import pandas

        rows = []
        lines = self.stats["source_lines"]
        for number, launch in enumerate(self.stats["launches"]):
            for i in launch["cycle_accounting"]["instructions"]:
                rows.append({"launch": number, "kernel": launch["kernel"], "pc": i["pc"], "line": i["line"],
                             "instruction": i["instruction"], "source": lines.get(str(i["line"]), ""),
                             "active_lanes": i["active_lanes"], "flops": i["flops"],
                             "live_registers": i["live_registers"], "total": sum(i["slots"].values()), **i["slots"]})
        columns = ["launch", "kernel", "pc", "line", "instruction", "source", "active_lanes", "flops", "live_registers", "total"]
        frame = pandas.DataFrame(rows, columns=columns + list(CAUSES))
        return frame[columns].join(_slot_columns(frame))

    @functools.cached_property
    def counters(self):
        """Every counter at the end of the run: path, kind (the path without instances), value, unit, description."""
        return self._figures("counters", ["path", "kind", "value", "unit", "description"])

    @functools.cached_property
    def histograms(self):
        """Every histogram that counted something: path, kind, count, sum, mean, bins, unit, description."""
        frame = self._figures("histograms", ["path", "kind", "count", "sum", "bins", "unit", "description"])
        frame = frame[frame["count"] > 0].reset_index(drop=True)
        frame.insert(4, "mean", frame["sum"] / frame["count"])
        return frame

    @functools.cached_property
    def distributions(self):
        """Latencies and used places of queues: a row per launch and kind with count, mean, p50, p90, p99, most and unit; exact
        below 1,024, at most 0.2 % too large above."""
        import pandas

        rows = {(number, kind): of for number, launch in enumerate(self.stats["launches"])
                for kind, of in launch.get("distributions", {}).items()}
        columns = ["count", "mean", "p50", "p90", "p99", "most", "unit"]
        index = pandas.MultiIndex.from_tuples(rows, names=["launch", "kind"]) if rows else None
        return pandas.DataFrame([{**of, "mean": of["sum"] / of["count"]} for of in rows.values()], index=index, columns=columns)

    @functools.cached_property
    def over_time(self):
        """The run in intervals: a row for each, by its last core cycle; slots by cause, resident warps, DRAM bytes."""
        import pandas

        times = self.stats["over_time"]
        frame = _slot_columns(pandas.DataFrame(times["slots"], index=range(len(times["core_cycles"]))))
        for name in ("resident_warp_cycles", "dram_read_bytes", "dram_written_bytes"):
            frame[name] = times[name]
        frame.index = pandas.Index(times["core_cycles"], name="core_cycles")
        return frame

    def counter(self, kind):
        """The sum of a counter over the chip: counter("tpc.sm.icache.misses")."""
        found = self.counters[self.counters["kind"] == kind]
        if found.empty:
            raise KeyError(f"no counter '{kind}'; Results.counters lists them")
        return int(found["value"].sum())

    def histogram(self, kind):
        """A histogram summed over the chip and the launches, as a DataFrame: values from `low` to `high`, their count."""
        import pandas

        exact = collections.Counter()
        for launch in self.stats["launches"]:
            values = launch.get("distributions", {}).get(kind, {}).get("values", [])
            exact.update(dict(zip(values[0::2], values[1::2])))
        if exact:
            # Above 1,023 a value stands for its class: docs/statistics.md.
            rows = [(high if high < 1024 else high + 1 - 2 ** (high.bit_length() - 10), high, count)
                    for high, count in sorted(exact.items())]
            return pandas.DataFrame(rows, columns=["low", "high", "count"])
        found = self.histograms[self.histograms["kind"] == kind]
        if found.empty:
            raise KeyError(f"no histogram '{kind}' that counted something; Results.histograms lists them")
        counts = [0] * max(len(bins) for bins in found["bins"])
        for bins in found["bins"]:
            for number, count in enumerate(bins):
                counts[number] += count
        rows = [(0 if n == 0 else 2 ** (n - 1), 0 if n == 0 else 2**n - 1, count) for n, count in enumerate(counts)]
        return pandas.DataFrame(rows, columns=["low", "high", "count"])

    def _figures(self, name, columns):
        import pandas

        frame = pandas.DataFrame(self.stats[name])
        if frame.empty:
            return pandas.DataFrame(columns=columns)
        frame["kind"] = [kind_of(path) for path in frame["path"]]
        return frame[columns]


def _slot_columns(frame):
    """A column for every cause, also for those without slots, which the files leave out."""
    return frame.reindex(columns=list(CAUSES)).fillna(0).astype("int64")


def read(path):
    """The statistics in a file stats.json."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except ValueError:
        raise InputError(f"{path}: not a whole JSON file") from None


def load(folder, label=None):
    """The Results in a folder that `gt200 run --out` or `gt200 exec --out` has written."""
    folder = pathlib.Path(os.fspath(folder))
    stats = read(folder / "stats.json")
    config = folder / "config.toml"
    text = config.read_text(encoding="utf-8") if config.is_file() else None
    return Results(stats, text, label or folder.name)
