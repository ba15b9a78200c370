"""How fast the model of a later chip is beside GT200's: warp instructions per CPU second and busy SM.

Both chips have two busy SMs, so that what a chip's other parts cost weighs the same.
"""
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import host

PROGRAM = "build/gt200"
SMS = 2
GT200 = ["--set", f"chip.tpcs={SMS}", "--set", "chip.sms_per_tpc=1", "--set", "tpc.texture.l1.instances=1"]
# Whose work keeps two SMs busy for seconds of host time.
KERNELS = {"matrix_mul": ["N=128"], "nbody": ["NSRC=256"], "bfs": ["N=16384"], "scan": ["BLOCKS=64"], "mandelbrot": [],
           "black_scholes": ["N=65536"], "vector_add": ["N=262144"], "sha1": []}


def rate_of(kernel, chip):
    """Warp instructions per CPU second and SM of a run, and their number. `chip`: options that select it."""
    command = [PROGRAM, "run", f"kernels/{kernel}/launch.toml", "--source", f"kernels/{kernel}/{kernel}.cu", *chip]
    for parameter in KERNELS[kernel]:
        command += ["--param", parameter]
    with tempfile.TemporaryDirectory() as out:
        run = subprocess.run([*command, "--out", out], capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(f"{kernel} with {' '.join(chip)}: {(run.stdout + run.stderr).strip().splitlines()[-1]}")
        figures = json.loads((pathlib.Path(out) / "stats.json").read_text())
    rate = figures["host"]["warp_instructions_per_cpu_second"]
    return rate / SMS, round(rate * figures["host"]["cpu_seconds"])


def compare(measurement, generation, chip, goal):
    """Prints the record of a measurement of that name as Markdown and ends with its verdict."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    subprocess.run(["scripts/build", "release", "gt200"], check=True, stdout=sys.stderr)
    print(f"# Speed of the {generation} model\n")
    print(f"`scripts/validate {measurement} [RUNS]`, at {os.environ.get('GT200_COMMIT', 'unknown')}, on {host.processor()}: kernels in CUDA C on "
          f"{SMS} SMs of each chip, median of {runs} runs in turn.")
    print("Warp instructions per CPU second of the simulation and busy SM.\n")
    print(f"| kernel | warp instructions, GT200 | {generation} | per CPU s and SM, GT200 | {generation} | ratio |\n|---|---|---|---|---|---|")
    ratios = []
    for kernel in KERNELS:
        rates = [[], []]
        issued = [0, 0]
        for _ in range(runs):
            for which, options in enumerate((GT200, chip)):
                rate, issued[which] = rate_of(kernel, options)
                rates[which].append(rate)
        tesla, other = map(statistics.median, rates)
        ratios.append(other / tesla)
        print(f"| {kernel} | {issued[0]:,} | {issued[1]:,} | {tesla:,.0f} | {other:,.0f} | {other / tesla:.2f} |", flush=True)
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"\nGeometric mean of the ratios {mean:.2f}, smallest {min(ratios):.2f}; goal {goal}.")
    print(f"\nVerdict: {'holds' if mean >= goal else 'MISSED'}.")
    sys.exit(mean < goal)
