"""Studies: a kernel on many configurations, run by `gt200 sweep`, as one DataFrame (docs/sweep.md)."""
import collections.abc
import io
import json
import os
import pathlib
import re

from . import _program, results
from .config import Config, toml_value
from .errors import InputError, Interrupted, error_of

_NOT_IN_FOLDERS = re.compile(r"[^A-Za-z0-9._=-]")


def _axis_values(values):
    """The values of an axis as `gt200 sweep` takes them: a list, a range, one value, or its own text ("1..8")."""
    if isinstance(values, str):
        return values
    if isinstance(values, range):
        values = list(values)
    if not isinstance(values, collections.abc.Iterable):
        values = [values]
    texts = [toml_value(value) for value in values]
    return ",".join(f'"{text}"' if "," in text and text[0] not in "\"'[{" else text for text in texts)


class Study:
    """The table of a study, and the runs behind it.

    `frame`: a row per point; the axes first, then exit_code and the figures of docs/sweep.md. `axes`: the columns that
    are axes, `replicate` among them if there are replicates. Made by gt200.sweep(), or from the folder of one.

    `summary()`, `compare()` and `designs()` are the tables of docs/sweep.md: means with 95 % intervals, and every
    design against a baseline.
    """

    def __init__(self, folder, *, text=""):
        self.folder = pathlib.Path(os.fspath(folder))
        self.text = text
        self.frame = _read_table(self.folder / "sweep.csv")
        columns = list(self.frame.columns)
        self.axes = columns[:columns.index("exit_code")]
        self._texts = _read_csv(self.folder / "sweep.csv", dtype=str)[self.axes]
        self._points = None

    def __repr__(self):
        varied = {axis: self.frame[axis].nunique() for axis in self.varied}
        failed = int((self.frame["exit_code"] != 0).sum())
        return f"Study({self.folder}: {len(self.frame)} points, axes {varied}, {failed} failed)"

    def __len__(self):
        return len(self.frame)

    @property
    def varied(self):
        """The axes with more than one value."""
        return [axis for axis in self.axes if self.frame[axis].nunique() > 1]

    @property
    def done(self):
        """The rows of the points that ran to their end with the expected result."""
        return self.frame[self.frame["exit_code"] == 0]

    @property
    def failures(self):
        """What went wrong, as the program wrote it down; empty if nothing did."""
        path = self.folder / "failures.txt"
        return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""

    @property
    def hints(self):
        """What the program says about keys and grids of the study, with the number of points. A list of lines."""
        path = self.folder / "hints.txt"
        return path.read_text(encoding="utf-8", errors="replace").splitlines() if path.is_file() else []

    @property
    def noise(self):
        """A study without replicates: what replicates of its baseline say of a single run. A row per kernel and parameters.

        As summary(); the column `noise` is the standard deviation of a run's cycles, by their mean. None if not measured.
        """
        path = self.folder / "noise.csv"
        return _read_csv(path, na_values=[""]) if path.is_file() else None

    def summary(self):
        """A row per design, kernel and parameters: every figure as the mean of the replicates, half width in NAME_ci95."""
        return self._table("summary", None)

    def compare(self, baseline=None):
        """A row per design, kernel and parameters: speed-up against a baseline, with its interval and a verdict in words.

        baseline   a dictionary of keys and values; None: that of the study, else its first design
        """
        return self._table("comparison", baseline)

    def designs(self, baseline=None):
        """A row per design: the geometric mean of its speed-ups over all kernels, with its interval and a verdict."""
        return self._table("designs", baseline)

    def effects(self, figure="core_cycles"):
        """What each value of each axis of the designs does to a figure, a row each: `effect` and its 95 % interval `low`, `high`.

        An effect is a change from the geometric mean over all designs, of every workload alike; 0.02 is 2 % more. Intervals
        are those of the replicates and empty without. Of a sample, axes that were drawn alike share their effects.
        """
        logs, axes = self._logs(figure), self._design_axes()
        return _effect_table([({"axis": axis, "value": value}, _by_replicate(logs[logs[axis] == value]))
                              for axis in axes for value in logs[axis].unique()])

    def interactions(self, figure="core_cycles"):
        """How far two axes of the designs together do something else to a figure than each alone: effects() of pairs of values.

        `effect` is what is left when the effects of both values are taken away: 0 if one axis does the same at every value
        of the other. Ordered by its size. Needs every pair of values, so no small sample.
        """
        logs, axes = self._logs(figure), self._design_axes()
        rows = []
        for i, a in enumerate(axes):
            for b in axes[i + 1:]:
                alone = {axis: {value: _by_replicate(part) for value, part in logs.groupby(axis)} for axis in (a, b)}
                for (x, y), part in logs.groupby([a, b]):
                    rows.append(({"axis": a, "value": x, "other": b, "other_value": y},
                                 _by_replicate(part) - alone[a][x] - alone[b][y]))
        table = _effect_table(rows)
        return table.iloc[table["effect"].abs().sort_values(ascending=False, kind="stable").index].reset_index(drop=True) if rows else table

    def _design_axes(self):
        return [axis for axis in self.varied if axis == "config" or "." in axis]

    def _logs(self, figure):
        """The runs that ended well, with `log`: of the figure, less its mean over the designs; by workload and replicate."""
        import numpy

        runs = self.done.copy()
        if "replicate" not in runs.columns:
            runs["replicate"] = 1
        runs["log"] = numpy.log(runs[figure])
        workload = [axis for axis in self.axes if axis not in self._design_axes() and axis != "replicate"]
        runs["log"] -= runs.groupby(workload + ["replicate"])["log"].transform("mean")
        return runs

    def _table(self, name, baseline):
        import pandas

        words = ["sweep", "compare", self.folder, "--csv", name]
        for key, value in (baseline or {}).items():
            words += ["--baseline", f"{key}={toml_value(value)}"]
        return pandas.read_csv(io.StringIO(_program.output_of(words)), keep_default_na=False, na_values=[""])

    def results(self, row):
        """The Results of a point, by its number in the frame."""
        values = tuple(self._texts.iloc[row])
        folder = self._folders().get(values)
        if folder is None:
            raise InputError(f"{self.folder}: no result of the point {dict(zip(self.axes, values))}")
        label = ", ".join(f"{axis.rpartition('.')[2]}={value}" for axis, value in zip(self.axes, values) if axis in self.varied)
        return results.load(folder, label or None)

    def _folders(self):
        """Folder of each point, by its values as the table prints them."""
        if self._points is None:
            listed = self.folder / "points.csv"
            self._points = self._listed(listed) if listed.is_file() else self._found()
        return self._points

    def _listed(self, path):
        """From a list of all points, with the folder in the last column."""
        rows = _read_csv(path, dtype=str)
        return {tuple(row[axis] for axis in self.axes): self.folder / row.iloc[-1] for _, row in rows.iterrows() if row.iloc[-1]}

    def _found(self):
        """From the options that each point has been run with."""
        points = {}
        for ending in sorted(self.folder.glob("points/*/ending.json")):
            try:
                options = json.loads(ending.read_text(encoding="utf-8"))["options"]
            except (ValueError, KeyError):
                continue
            values = {}
            for option, value in zip(options, options[1:]):
                if option in ("--set", "--param"):
                    key, _, text = value.partition("=")
                    values[key] = text
                elif option == "--config":
                    values["config"] = value
            points[tuple(values.get(axis, "") for axis in self.axes)] = ending.parent
        return points


# Student's t of 95 % for 1, 2, ... degrees of freedom.
_T_95 = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110,
         2.101, 2.093, 2.086]


def _by_replicate(part):
    return part.groupby("replicate")["log"].mean()


def _effect_table(rows):
    """A row per effect, from its values by replicate, which are logarithms."""
    import numpy
    import pandas

    result = []
    for names, logs in rows:
        values = logs.dropna().to_numpy()
        mean, half = values.mean() if len(values) else numpy.nan, numpy.nan
        if len(values) > 1:
            half = _T_95[min(len(values) - 2, len(_T_95) - 1)] * values.std(ddof=1) / len(values) ** 0.5
        result.append({**names, "effect": numpy.expm1(mean), "low": numpy.expm1(mean - half), "high": numpy.expm1(mean + half)})
    return pandas.DataFrame(result)


def _read_csv(path, **options):
    import pandas

    try:
        return pandas.read_csv(path, keep_default_na=False, **options)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except pandas.errors.ParserError as error:
        raise InputError(f"{path}: not a table: {error}") from None
    except pandas.errors.EmptyDataError:
        raise InputError(f"{path}: an empty table") from None


def _read_table(path):
    frame = _read_csv(path, na_values=[""])
    if "exit_code" not in frame.columns:
        raise InputError(f"{path}: not a table of gt200 sweep: it has no column exit_code")
    return frame


def sweep(kernel, *, set=None, params=None, config=None, counters=(), out, jobs=None, threads=None, launch=None,
          source=None, seed=None, check=False, max_cycles=None, replicate=None, noise=None, baseline=None):
    """Runs a kernel on every combination of values, as `gt200 sweep`, and returns a Study.

    kernel, set   as for run(), but every key has a list of values, a range, or a text such as "1..8"
    params        the same for parameters of the launch description
    config        configurations: a preset, a file, or a list of them; None: the preset gt200
    counters      further columns: counters without instances, such as "tpc.sm.icache.misses", summed over the chip
    out           folder of the study. A repeated sweep runs only what is missing there
    replicate     so many runs of every point, with other input seeds and at other moments of the machine
    noise         without replicate: so many replicates of the baseline measure the noise of a single run; None: 5
    baseline      the design with which others are compared, a dictionary of keys and values; None: the first one
    jobs, threads runs at a time, threads of each; None: one thread, and as many runs as processors

    Points that fail are rows with an exit code other than 0, and Study.failures says why. Ctrl-C ends the sweep in
    order and raises Interrupted with the Study of the finished points as `results`.
    """
    words = ["sweep", kernel, "--out", os.fspath(out)]
    for option, axes in (("--set", set), ("--param", params)):
        for key, values in (axes or {}).items():
            words += [option, f"{key}={_axis_values(values)}"]
    configs = config if isinstance(config, (list, tuple)) else [] if config is None else [config]
    if any(isinstance(c, Config) for c in configs):
        raise InputError("config of a sweep: presets and files; give changed keys as set={key: [value]}")
    if configs:
        words += ["--config", ",".join(os.fspath(c) for c in configs)]
    for counter in counters:
        words += ["--counter", counter]
    for option, value in (("--jobs", jobs), ("--threads", threads), ("--launch", launch), ("--source", source), ("--seed", seed),
                          ("--max-cycles", max_cycles), ("--replicate", replicate), ("--noise", noise)):
        if value is not None:
            words += [option, value]
    for key, value in (baseline or {}).items():
        words += ["--baseline", f"{key}={toml_value(value)}"]
    words += ["--check"] * bool(check)
    return _run(words, out)


def _run(words, out):
    code, text, err = _program.call(words)
    table = pathlib.Path(os.fspath(out)) / "sweep.csv"
    if code == 130:
        raise Interrupted(text.strip() or "interrupted", Study(out, text=text) if table.is_file() else None)
    if code not in (0, 3):
        raise error_of(code, _program.message_of(err) or _program.end_of(code))
    return Study(out, text=text)


class OneAtATime:
    """A study that changes one axis at a time from a base point. Made by gt200.one_at_a_time().

    `frame`: a row per point with `axis`, `value`, and the figures of the study; `base`: the row of the base point.
    """

    def __init__(self, base, studies):
        import pandas

        self.base = base.frame.iloc[0]
        self.studies = studies
        parts = []
        for axis, study in studies.items():
            part = study.frame.rename(columns={axis: "value"}).drop(columns=[a for a in study.axes if a != axis])
            part.insert(0, "axis", axis)
            parts.append(part)
        self.frame = pandas.concat(parts, ignore_index=True) if parts else pandas.DataFrame()

    def __repr__(self):
        return f"OneAtATime({len(self.frame)} points on {len(self.studies)} axes)"

    def sensitivity(self, figure="core_cycles"):
        """For each axis the least and the greatest value of a figure, as changes from the base point, and where they are.

        Ordered by the span, the distance between the extremes and the base point.
        """
        import pandas

        rows = []
        for axis, study in self.studies.items():
            done = study.done
            if done.empty:
                continue
            low, high = done[figure].idxmin(), done[figure].idxmax()
            base = float(self.base[figure])
            rows.append({"axis": axis, "least": done[figure][low] / base - 1, "least_at": done[axis][low],
                         "greatest": done[figure][high] / base - 1, "greatest_at": done[axis][high]})
        frame = pandas.DataFrame(rows, columns=["axis", "least", "least_at", "greatest", "greatest_at"])
        frame["span"] = frame["greatest"].clip(lower=0) - frame["least"].clip(upper=0)
        return frame.sort_values("span", ascending=False, kind="stable").reset_index(drop=True)


def one_at_a_time(kernel, set, *, out, config=None, **options):
    """Runs a base point, and for every key each of its values with all others as in the base point.

    set      keys with lists of values, ranges or texts, as for sweep()
    out      folder; the study of each key is a folder below
    config   the base: a preset or a file; None: the preset gt200
    options  further ones of sweep()
    """
    if options.get("replicate"):
        raise InputError("one_at_a_time: one run per value; sweep(replicate=...) and Study.compare() give intervals")
    folder = pathlib.Path(os.fspath(out))
    options.setdefault("noise", 0)
    base = sweep(kernel, config=config, out=folder / "base", **options)
    if int(base.frame["exit_code"].iloc[0]) != 0:
        raise error_of(int(base.frame["exit_code"].iloc[0]), base.failures or "the base point has failed")
    studies = {key: sweep(kernel, config=config, set={key: values}, out=folder / _NOT_IN_FOLDERS.sub("_", key), **options)
               for key, values in set.items()}
    return OneAtATime(base, studies)


def require_one_workload(frame, shown):
    """Figures of different kernels have no common scale: a mean of them, or the better of two, says nothing."""
    if "kernel" in frame.columns and "kernel" not in shown and frame["kernel"].nunique() > 1:
        raise InputError("there are several kernels: choose the rows of one (frame[frame['kernel'] == ...]), or take the "
                         "geometric mean over all of them, study.designs()")


def pareto_front(frame, x, y, smaller_is_better=(True, True)):
    """The rows that no other row beats in both columns, ordered by x. Rows of several kernels, and replicates, are refused."""
    require_one_workload(frame, (x, y))
    if "replicate" in frame.columns and frame["replicate"].nunique() > 1:
        raise InputError("there are replicates, of which the luckiest would win: take their means, study.summary()")
    signs = [1 if smaller else -1 for smaller in smaller_is_better]
    ordered = frame.dropna(subset=[x, y]).assign(_x=frame[x] * signs[0], _y=frame[y] * signs[1])
    ordered = ordered.sort_values(["_x", "_y"], kind="stable")
    kept, best = [], float("inf")
    for index, value in ordered["_y"].items():
        if value < best:
            kept.append(index)
            best = value
    return frame.loc[kept]
