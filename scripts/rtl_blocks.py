"""Shared by the measurements of the reference RTL: its blocks, and variants of them for rtl_bench."""
import json
import os
import pathlib
import subprocess
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
BENCH = ROOT / "build/testbenches/rtl/rtl_bench"


class Block:
    def __init_subclass__(cls, **_):
        cls.folder = ROOT / "rtl_ref" / cls.name
        cls.reference = tomllib.loads((cls.folder / f"{cls.name}.toml").read_text())
        cls.sources = [cls.folder / source for source in cls.reference["sources"]]


class Scoreboard(Block):
    name = "scoreboard"


class ScoreboardAtIssue(Block):
    name = "scoreboard_at_issue"


class IssueArbiter(Block):
    name = "issue_arbiter"


class Coalescer(Block):
    name = "coalescer"


class Sp(Block):
    name = "sp"


def describe(block, folder, sources, flags=(), at_end=""):
    """A description (rtl_ref/library/description.h) of the block with other sources. `at_end`: C++ that runs last."""
    reference = block.reference
    (folder / "pins.h").write_text(f"""#include "rtl_ref/{block.name}/{reference['pins']}"
namespace gt200::rtl {{
template <class module, unsigned... size>
struct variant final : {reference['class']}<module, size...> {{
  ~variant() override {{ {at_end} }}
}};
}}  // namespace gt200::rtl
""")
    description = folder / "variant.toml"
    description.write_text(f"""sources = {json.dumps([str(s) for s in sources])}
module = "{reference['module']}"
pins = "pins.h"
class = "variant"
arguments = {json.dumps(reference['arguments'])}
flags = {json.dumps(["-DSYNTHESIS", "-Wno-lint", *flags])}
[parameters]
""" + "".join(f"{name} = {json.dumps(value)}\n" for name, value in reference["parameters"].items()))
    return description


def bench(block, size, seed, amount, description, cache):
    """Runs rtl_bench with the described RTL, which is kept in the folder `cache`."""
    return subprocess.run([BENCH, block.name, *size, str(seed), str(amount), description], capture_output=True, text=True,
                          env={**os.environ, "GT200_RTL_CACHE": str(cache)})


def is_no_rtl(done):
    """True if rtl_bench found that the RTL cannot be verilated."""
    return done.returncode == 2 and "verilator.log)" in done.stderr
