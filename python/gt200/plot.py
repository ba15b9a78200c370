"""Pictures of results and studies, with matplotlib. Every function draws into `ax`, or into a new figure, and returns it."""
import collections.abc

from .errors import InputError
from .results import CAUSES, Results
from .study import OneAtATime, Study, pareto_front, require_one_workload

COLOURS = {
    "issued": "#2b8a3e", "no_warp": "#dee2e6", "buffer_empty": "#fcc2d7", "icache_miss": "#f783ac",
    "dependency_sp": "#a5d8ff", "dependency_sfu": "#66d9e8", "dependency_dp": "#3bc9db", "dependency_shared": "#ffd43b",
    "dependency_global": "#e8590c", "dependency_texture": "#fd7e14", "dependency_constant": "#ffa94d",
    "dependency_control": "#b197fc", "scoreboard_full": "#845ef7", "not_probed": "#5f3dc4", "barrier": "#c2255c",
    "unit_busy": "#1971c2", "dispatch_port": "#1864ab", "memory_back_pressure": "#862e9c", "draining": "#868e96",
    "register_section": "#e599f7", "warp_formation": "#f08c00",
}
"""The colour of each cause of an issue slot: the same in every picture."""


def _axes(ax, width=7.0, height=3.5):
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=(width, height), layout="constrained")[1]


def _plain(value):
    """A text as it is: matplotlib takes what stands between dollar signs as a formula."""
    return str(value).replace("$", r"\$")


def _named(runs):
    """Results that have launches, by label, from one, a list, or a dictionary of them; or from a small Study."""
    if isinstance(runs, Results):
        runs = [runs]
    if isinstance(runs, Study):
        runs = [runs.results(row) for row in range(len(runs)) if runs.frame["exit_code"].iloc[row] == 0]
    named = dict(runs) if isinstance(runs, collections.abc.Mapping) else {}
    if not named:
        for run in runs:
            label, number = run.label, 2
            while label in named:
                label, number = f"{run.label} ({number})", number + 1
            named[label] = run
    named = {label: run for label, run in named.items() if run.stats["launches"]}
    if not named:
        raise InputError("there is nothing to draw: no run has a launch")
    return named


def _stacked(ax, table, colours, texts, sizes=1.0):
    """Horizontal bars of a table: a row per bar, a column per part."""
    left = None
    for part in table.columns:
        widths = table[part].to_numpy(float)
        ax.barh(range(len(table)), widths, left=left, color=colours.get(part), label=texts.get(part, part), height=0.8 * sizes)
        left = widths if left is None else left + widths
    ax.set_yticks(range(len(table)), [_plain(label) for label in table.index])
    ax.invert_yaxis()
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, fontsize="small")


def cycle_stack(runs, *, share=False, least=0.005, ax=None):
    """What the issue slots of runs were spent on, as stacked bars.

    The length of a bar is the run's core cycles: the slots of a cause divided by the issue slots of the chip per cycle.
    With share=True all bars have the length 1. Causes below the share `least` everywhere are added up as "other".
    """
    import pandas

    named = _named(runs)
    table = pandas.DataFrame({label: run.slots.sum() for label, run in named.items()}).T.fillna(0)
    shares = table.div(table.sum(axis=1), axis=0)
    for label, run in named.items():
        table.loc[label] = shares.loc[label] * (1 if share else run.cycles)
    shown = [cause for cause in CAUSES if cause in table.columns and (shares[cause] >= least).any()]
    rest = table.drop(columns=shown).sum(axis=1)
    table = table[shown]
    if (rest > 0).any():
        table = table.assign(other=rest)
    ax = _axes(ax, 7.5, 1.2 + 0.4 * len(table))
    _stacked(ax, table, {**COLOURS, "other": "#343a40"}, CAUSES)
    ax.set_xlabel("share of the issue slots" if share else "core cycles")
    return ax


def hot_instructions(run, number=12, *, ax=None):
    """The instructions with most issue slots, all launches together, as stacked bars by cause."""
    frame = run.instructions.groupby(["kernel", "pc", "instruction"], sort=False)[["total", *CAUSES]].sum().reset_index()
    frame = frame.sort_values("total", ascending=False, kind="stable").head(number)
    causes = [cause for cause in CAUSES if frame[cause].sum() > 0]
    slots = run.slots.to_numpy().sum()
    table = frame[causes].div(slots)
    table.index = [f"{pc:#06x} {text[:38]}" for pc, text in zip(frame["pc"], frame["instruction"])]
    ax = _axes(ax, 9.0, 1.0 + 0.27 * len(table))
    _stacked(ax, table, COLOURS, CAUSES)
    for text in ax.get_yticklabels():
        text.set(family="monospace", size="small")
    ax.set_xlabel("share of all issue slots")
    return ax


def over_time(run, *, ax=None):
    """The issue slots by cause over the core cycles of the whole run."""
    frame = run.over_time
    causes = [cause for cause in CAUSES if cause != "no_warp" and frame[cause].sum() > 0]
    ends = frame.index.to_numpy(float)
    begins = [0.0, *ends[:-1]]
    slots = frame[list(CAUSES)].sum(axis=1)
    shares = frame[causes].div(slots.where(slots > 0, 1), axis=0)
    ax = _axes(ax, 8.0, 3.0)
    # A step for each interval.
    x = [edge for pair in zip(begins, ends) for edge in pair]
    ax.stackplot(x, *[[v for share in shares[c] for v in (share, share)] for c in causes],
                 colors=[COLOURS[c] for c in causes], labels=[CAUSES[c] for c in causes], linewidth=0)
    ax.set(xlabel="core cycle", ylabel="share of the issue slots", xlim=(0, ends[-1]), ylim=(0, 1))
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, fontsize="small")
    return ax


def roofline(runs, *, ax=None):
    """Achieved operations per second against operations per byte of DRAM, below the peaks of the chip.

    A roof is drawn for each different configuration among the runs. Runs without floating-point operations or without
    DRAM traffic have no place in it and are left out.
    """
    named = _named(runs)
    points = {label: (run.flops / run.dram_bytes, run.flops / run.seconds / 1e9) for label, run in named.items()
              if run.flops and run.dram_bytes and run.seconds}
    if not points:
        raise InputError("no run has floating-point operations and DRAM traffic")
    ax = _axes(ax, 6.5, 4.2)
    least = min(x for x, _ in points.values())
    most = max(x for x, _ in points.values())
    chips = [named[label].config for label in points]
    roofs = {tuple(chip.peaks.values()): None for chip in chips}
    for number, (bandwidth, single, double) in enumerate(roofs):
        corner = single / bandwidth
        low, high = min(least, corner) / 4, max(most, corner) * 4
        style = ("-", "--", ":", "-.")[number % 4]
        ax.plot([low, corner, high], [low * bandwidth / 1e9, single / 1e9, single / 1e9], color="#495057", linestyle=style)
        ax.text(high, single / 1e9, f"{single / 1e9:.0f} GFLOP/s single", ha="right", va="bottom", fontsize="small")
        if double:
            ax.plot([max(double / bandwidth, low), high], [double / 1e9] * 2, color="#adb5bd", linestyle=style)
            ax.text(high, double / 1e9, f"{double / 1e9:.0f} double", ha="right", va="bottom", fontsize="small", color="#868e96")
        ax.text(low * 1.15, low * 1.15 * bandwidth / 1e9 * 1.5, f"{bandwidth / 1e9:.0f} GB/s", fontsize="small", rotation=32)
    for label, (x, y) in points.items():
        ax.plot(x, y, "o", label=_plain(label))
    ax.set(xscale="log", yscale="log", xlabel="operations per byte of DRAM", ylabel="GFLOP/s")
    ax.grid(True, which="major", color="#e9ecef")
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, fontsize="small")
    return ax


def sensitivity(study, figure="core_cycles", *, ax=None):
    """How a figure moves along each axis of gt200.one_at_a_time(), relative to the base point: a line per axis."""
    if not isinstance(study, OneAtATime):
        raise InputError("sensitivity: the result of gt200.one_at_a_time() is expected")
    ax = _axes(ax, 7.0, 3.8)
    base = float(study.base[figure])
    for axis, part in study.studies.items():
        done = part.done
        ax.plot(range(len(done)), done[figure] / base, "o-", label=_plain(f"{axis}: {', '.join(str(v) for v in done[axis])}"))
    ax.axhline(1.0, color="#868e96", linewidth=0.8)
    ax.set(xlabel="values in their order", ylabel=f"{figure}, relative to the base")
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.18), frameon=False, fontsize="small")
    return ax


def tornado(study, figure="core_cycles", *, ax=None):
    """How far each axis of gt200.one_at_a_time() moves a figure from the base point: the widest bar on top."""
    if not isinstance(study, OneAtATime):
        raise InputError("tornado: the result of gt200.one_at_a_time() is expected")
    table = study.sensitivity(figure)
    ax = _axes(ax, 7.0, 1.0 + 0.42 * len(table))
    for y, row in table.iterrows():
        ends = sorted([(row["least"], row["least_at"]), (row["greatest"], row["greatest_at"])], key=lambda end: -abs(end[0]))
        if (ends[0][0] < 0) == (ends[1][0] < 0):  # on one side: the shorter bar would hide behind the longer one
            ends.pop()
        for value, at in ends:
            ax.barh(y, 100 * value, color="#2b8a3e" if value < 0 else "#e8590c", height=0.6)
            if value != 0:
                ax.annotate(_plain(at), (100 * value, y), xytext=(4 if value > 0 else -4, 0), textcoords="offset points",
                            ha="left" if value > 0 else "right", va="center", fontsize="small")
    ax.axvline(0, color="#495057", linewidth=0.8)
    ax.set_yticks(range(len(table)), table["axis"])
    ax.set_ylim(len(table) - 0.5, -0.5)
    ax.margins(x=0.25)
    ax.set_xlabel(f"change of {figure} from the base point, %")
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def _frame_of(study):
    return study.done if isinstance(study, Study) else study


def pareto(study, x, y, *, smaller_is_better=(True, True), label=None, ax=None):
    """The points of a study in two figures, with the front that nothing beats in both. `label`: a column to name them."""
    frame = _frame_of(study)
    front = pareto_front(frame, x, y, smaller_is_better)
    ax = _axes(ax, 6.5, 4.0)
    ax.plot(frame[x], frame[y], "o", color="#adb5bd", markersize=4)
    ax.plot(front[x], front[y], "o-", color="#e8590c", markersize=6, drawstyle="steps-post")
    for _, row in front.iterrows():
        if label is not None:
            ax.annotate(_plain(row[label]), (row[x], row[y]), xytext=(5, 5), textcoords="offset points", fontsize="small")
    ax.set(xlabel=x, ylabel=y)
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def speed_ups(study, *, baseline=None, ax=None):
    """The speed-up of every design against a baseline, a bar per kernel, with its 95 % interval.

    Pale bars are not distinguishable from the baseline. `baseline`: as for Study.compare().
    """
    frame = study.compare(baseline)
    frame = frame[(frame["verdict"] != "baseline") & frame["speed_up"].notna()]
    if frame.empty:
        raise InputError("there is nothing to draw: the study has one design")
    named = [axis for axis in frame.columns[:list(frame.columns).index("replicates")] if frame[axis].nunique() > 1 or axis == "kernel"]
    ax = _axes(ax, 7.0, 1.0 + 0.34 * len(frame))
    for y, (_, row) in enumerate(frame.iterrows()):
        pale = row["verdict"] in ("not distinguishable", "equal", "one run")
        ax.barh(y, row["speed_up"] - 1, left=1, height=0.7, color="#adb5bd" if pale else "#2b8a3e" if row["speed_up"] > 1 else "#e8590c")
        if row["speed_up_low"] == row["speed_up_low"]:
            ax.plot([row["speed_up_low"], row["speed_up_high"]], [y, y], color="#212529", linewidth=1.2, marker="|")
    ax.axvline(1, color="#495057", linewidth=0.8)
    ax.set_yticks(range(len(frame)), [_plain(", ".join(str(row[axis]) for axis in named) or "design") for _, row in frame.iterrows()])
    ax.invert_yaxis()
    ax.set_xlabel("speed-up against the baseline, 95 % interval")
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def heat_map(study, x, y, figure="core_cycles", *, values=True, ax=None):
    """A figure over two axes of a study, as coloured cells. Replicates are averaged; rows of several kernels are refused."""
    frame = _frame_of(study)
    require_one_workload(frame, (x, y))
    table = frame.pivot_table(index=y, columns=x, values=figure, aggfunc="mean", sort=False)
    if table.columns.is_numeric():
        table = table.sort_index(axis=1)
    if table.index.is_numeric():
        table = table.sort_index()
    ax = _axes(ax, 1.8 + 0.62 * table.shape[1], 1.4 + 0.36 * table.shape[0])
    image = ax.imshow(table.to_numpy(float), aspect="auto", cmap="viridis")
    ax.set_xticks(range(table.shape[1]), table.columns)
    ax.set_yticks(range(table.shape[0]), table.index)
    ax.set(xlabel=x, ylabel=y)
    if values:
        for row in range(table.shape[0]):
            for column in range(table.shape[1]):
                value = table.iat[row, column]
                if value == value:
                    light = image.norm(value) > 0.6
                    ax.text(column, row, f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}", ha="center", va="center",
                            color="black" if light else "white", fontsize="small")
    ax.figure.colorbar(image, ax=ax, label=figure)
    return ax
