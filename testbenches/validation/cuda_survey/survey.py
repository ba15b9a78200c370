"""The survey as a whole: suites from the environment, results that are kept, the record."""
import json
import os
import pathlib
import subprocess
import sys

import report
import suites
from runs import Program

WANTED = {"emulator": 45, "model": 25}
WANTED_DRIVER = 8


def environment_folder(name):
    value = os.environ.get(name)
    if not value:
        print(f"{name} is not set: its programs are skipped", file=sys.stderr)
        return None
    if not pathlib.Path(value).is_dir():
        sys.exit(f"cuda_survey: {name}={value}: no such folder")
    return pathlib.Path(value)


def chosen_suites(work):
    """(suite, its programs, names of programs with graphics) of every suite that the environment names."""
    rodinia, sdk42, sdk40, driver = (environment_folder(f"GT200_{name}")
                                     for name in ("RODINIA", "SDK_4_2", "SDK_4_0", "RODINIA_DRIVER"))
    found = []
    if rodinia:
        found.append((*suites.rodinia(rodinia, work, sdk40), []))
    if sdk42:
        found.append(suites.sdk("sdk_4_2", "SDK 4.2", sdk42, work))
    if sdk40:
        besides = {e["name"] for e in found[-1][1]} | set(found[-1][2]) if sdk42 else ()
        found.append(suites.sdk("sdk_4_0", "SDK 4.0, what 4.2 does not have", sdk40, work, besides))
    if driver:
        found.append((*suites.rodinia_driver(driver, work), []))
    return found


def lack_of(entry):
    """What is known to be missing, by the list of programs."""
    return "no input: " + entry["no_input"] if "no_input" in entry else entry.get("lacks", "")


def examined(program, entry):
    """All that is to be known of one program."""
    known = {"name": program.name, "driver": entry.get("driver", False), "lacks": lack_of(entry), "runs": {}}
    try:
        known["not_built"] = program.build()
    except OSError as error:
        known["not_built"] = str(error)
    if known["not_built"] or "no_input" in entry:
        return known
    for engine in ("emulator", "model"):
        try:
            result, given, detail, launches, cycles = program.run(engine)
        except (ValueError, OSError, LookupError) as error:  # what it wrote is not what a reference reads
            result, given, detail, launches, cycles = "wrong", "", f"unreadable results: {error}", 0, 0
        known["runs"][engine] = {"result": result, "input": given, "detail": detail, "launches": launches, "cycles": cycles}
        if result in ("wrong", "no time") and engine == "emulator":
            break  # the model is for programs that work
    return known


def main(root, names):
    work = pathlib.Path(os.environ.get("GT200_SURVEY", root / "build/cuda_survey")).resolve()
    (work / "results").mkdir(parents=True, exist_ok=True)
    chosen = chosen_suites(work)
    if not chosen:
        print("cuda_survey: no suite is named, nothing is measured", file=sys.stderr)
        return 0
    commit = os.environ.get("GT200_COMMIT", "unknown")
    subprocess.run([root / "scripts/build", "release", "gt200", "cuda", "cudart", "cublas", "cufft", "curand", "cudpp"],
                   check=True, stdout=sys.stderr)
    toolkit = root / "build/cuda_toolkit"
    others = {suite.name: suite for suite, _, _ in chosen}
    tables = []
    for suite, entries, graphics in chosen:
        wanted = [e for e in entries if not names or {e["name"], f"{suite.name}/{e['name']}"} & set(names)]
        problem = suite.prepare(toolkit) if wanted else None
        if problem:
            sys.exit(f"cuda_survey: {suite.title}: {problem}")
        results = []
        for entry in entries:
            kept = work / "results" / f"{suite.name}_{entry['name']}.json"
            if entry in wanted:
                known = {**examined(Program(entry, suite, others, toolkit, work), entry), "commit": commit}
                kept.write_text(json.dumps(known, indent=1))
                print(f"{suite.name} {entry['name']}: {known['not_built'] or report.short(known)}", file=sys.stderr, flush=True)
            elif kept.exists():
                known = {**json.loads(kept.read_text()), "lacks": lack_of(entry), "driver": entry.get("driver", False)}
            else:
                continue
            results.append(known)
        tables.append((suite, results, graphics))
    print(report.page(tables, commit, WANTED, WANTED_DRIVER))
    return 0 if report.enough(tables, WANTED, WANTED_DRIVER) else 1
