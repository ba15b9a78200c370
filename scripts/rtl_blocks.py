"""Shared by the measurements of the reference RTL: its blocks, and variants of them for rtl_bench."""
import json
import os
import pathlib
import subprocess
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
BENCH = ROOT / "build/testbenches/rtl/rtl_bench"


class Scoreboard:
    name = "scoreboard"
    source = ROOT / "rtl_ref/scoreboard/scoreboard.sv"


class IssueArbiter:
    name = "issue_arbiter"
    source = ROOT / "rtl_ref/issue_arbiter/issue_arbiter.sv"


def describe(block, folder, source, flags=(), at_end=""):
    """A description (rtl_ref/library/description.h) of the block with another source. `at_end`: C++ that runs last."""
    reference = tomllib.loads(block.source.with_suffix(".toml").read_text())
    (folder / "pins.h").write_text(f"""#include "rtl_ref/{block.name}/{reference['pins']}"
template <class module, unsigned... size>
struct variant final : {reference['class']}<module, size...> {{
  ~variant() override {{ {at_end} }}
}};
""")
    description = folder / "variant.toml"
    description.write_text(f"""sources = [{json.dumps(str(source))}]
module = "{reference['module']}"
pins = "pins.h"
class = "variant"
arguments = {json.dumps(reference['arguments'])}
flags = {json.dumps(["-DSYNTHESIS", "-Wno-lint", *flags])}
[parameters]
""" + "".join(f"{name} = {json.dumps(value)}\n" for name, value in reference["parameters"].items()))
    return description


def bench(block, size, seed, cycles, description, cache):
    """Runs rtl_bench with the described RTL, which is kept in the folder `cache`."""
    return subprocess.run([BENCH, block.name, *size, str(seed), str(cycles), description], capture_output=True, text=True,
                          env={**os.environ, "GT200_RTL_CACHE": str(cache)})


def is_no_rtl(done):
    """True if rtl_bench found that the RTL cannot be verilated."""
    return done.returncode == 2 and "verilator.log)" in done.stderr
