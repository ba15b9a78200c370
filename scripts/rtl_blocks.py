"""Shared by the measurements of the reference RTL: its blocks, and building one into a library for rtl_bench."""
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
BENCH = ROOT / "build/testbenches/rtl/rtl_bench"
VERILATOR = pathlib.Path("/usr/share/verilator/include")
COMPILE = ["-std=c++17", "-fPIC", "-DVL_TIME_CONTEXT", f"-I{ROOT}", f"-I{VERILATOR}", f"-I{VERILATOR}/vltstd"]


class Scoreboard:
    name = "scoreboard"
    sources = [ROOT / "rtl_ref/scoreboard/scoreboard.sv"]
    pins = "rtl_ref/scoreboard/verilated_pins.h"
    interface = "scoreboard_pins"

    @staticmethod
    def parameters(size):
        return [f"-GWARPS={size[0]}", f"-GENTRIES={size[1]}"]

    @staticmethod
    def verilated(module, size):
        return f"verilated_scoreboard<{module}, {size[0]}, {size[1]}>"


class IssueArbiter:
    name = "issue_arbiter"
    sources = [ROOT / "rtl_ref/issue_arbiter/issue_arbiter.sv"]
    pins = "rtl_ref/issue_arbiter/verilated_pins.h"
    interface = "arbiter_pins"

    @staticmethod
    def parameters(size):
        return [f"-GWARPS={size[0]}", f"-GORDER={int(size[1] == 'gto')}"]

    @staticmethod
    def verilated(module, size):
        return f"verilated_arbiter<{module}, {size[0]}>"


class Coalescer:
    name = "coalescer"
    sources = [ROOT / "rtl_ref/coalescer/coalescer.sv"]
    pins = "rtl_ref/coalescer/verilated_pins.h"
    interface = "coalescer_pins"

    @staticmethod
    def parameters(size):
        return [f"-GRULE={int(size[0] == '1.2')}"]

    @staticmethod
    def verilated(module, size):
        return f"verilated_coalescer<{module}>"


class Runtime:
    """Compiles what all Verilated classes need once: an object and a precompiled header, with these flags."""

    def __init__(self, folder, *flags):
        self.flags = [*COMPILE, *flags]
        self.object = folder / "runtime.o"
        self.header = folder / "common.h"
        source = folder / "runtime.cpp"
        files = ["verilated.cpp", "verilated_threads.cpp"] + (["verilated_cov.cpp"] if "-DVM_COVERAGE=1" in flags else [])
        source.write_text("".join(f'#include "{VERILATOR}/{f}"\n' for f in files))
        blocks = ("coalescer", "issue_arbiter", "scoreboard")
        self.header.write_text('#include "verilated.h"\n' + "".join(f'#include "rtl_ref/{b}/pins.h"\n' for b in blocks))
        subprocess.run(["g++", *self.flags, "-c", source, "-o", self.object], check=True)
        subprocess.run(["g++", *self.flags, "-x", "c++-header", self.header, "-o", f"{self.header}.gch"], check=True)


def build(block, folder, sources, size, runtime, flags=(), at_end=""):
    """A shared object with this RTL for rtl_bench, or None if it is not valid Verilog. `at_end`: C++ that runs last."""
    made = subprocess.run(
        ["verilator", "--cc", "--no-assert", "-Wno-fatal", "-Wno-lint", "-O3", "-DSYNTHESIS", *flags, "--prefix", "Vblock",
         "--top-module", block.name, "--Mdir", folder / "v", *block.parameters(size), *sources],
        capture_output=True, text=True)
    if made.returncode != 0:
        return None
    unity = folder / "unity.cpp"
    unity.write_text("".join(f'#include "{f}"\n' for f in sorted((folder / "v").glob("*.cpp"))) + f"""
#include "{block.pins}"
struct block final : gt200::rtl::{block.verilated("Vblock", size)} {{
  ~block() override {{ {at_end} }}
}};
extern "C" gt200::rtl::{block.interface}* gt200_make_{block.name}() {{ return new block; }}
""")
    library = folder / "block.so"
    subprocess.run(["g++", *runtime.flags, "-include", runtime.header, f"-I{folder / 'v'}", "-shared", unity, runtime.object,
                    "-pthread", "-o", library], check=True, capture_output=True)
    return library
