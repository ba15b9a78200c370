"""What measurements of the reference RTL share: its blocks, and building one into a library for rtl_bench."""
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
BENCH = ROOT / "build/testbenches/rtl/rtl_bench"
VERILATOR = pathlib.Path("/usr/share/verilator/include")
COMPILE = ["-std=c++17", "-O1", "-fPIC", "-DVL_TIME_CONTEXT", f"-I{ROOT}", f"-I{VERILATOR}", f"-I{VERILATOR}/vltstd"]


class Scoreboard:
    name = "scoreboard"
    source = ROOT / "rtl_ref/scoreboard/scoreboard.sv"
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
    source = ROOT / "rtl_ref/issue_arbiter/issue_arbiter.sv"
    pins = "rtl_ref/issue_arbiter/verilated_pins.h"
    interface = "arbiter_pins"

    @staticmethod
    def parameters(size):
        return [f"-GWARPS={size[0]}", f"-GORDER={int(size[1] == 'gto')}"]

    @staticmethod
    def verilated(module, size):
        return f"verilated_arbiter<{module}, {size[0]}>"


def build_runtime(folder, *defines):
    """What all Verilated classes need, compiled once."""
    source = folder / "runtime.cpp"
    files = ["verilated.cpp", "verilated_threads.cpp"] + (["verilated_cov.cpp"] if defines else [])
    source.write_text("".join(f'#include "{VERILATOR}/{f}"\n' for f in files))
    subprocess.run(["g++", *COMPILE, *defines, "-c", source, "-o", folder / "runtime.o"], check=True)
    return folder / "runtime.o"


def build(block, folder, source, size, runtime, flags=(), at_end=""):
    """A shared object with this RTL for rtl_bench, or None when it is no Verilog. `at_end`: C++ before its last breath."""
    made = subprocess.run(
        ["verilator", "--cc", "--no-assert", "-Wno-fatal", "-Wno-lint", "-O3", "-DSYNTHESIS", *flags, "--prefix", "Vblock",
         "--top-module", block.name, "--Mdir", folder / "v", *block.parameters(size), source],
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
    subprocess.run(["g++", *COMPILE, f"-I{folder / 'v'}", "-shared", unity, runtime, "-pthread", "-o", library], check=True,
                   capture_output=True)
    return library
