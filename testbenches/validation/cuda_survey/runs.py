"""Builds and runs one program of a suite, and says what became of it."""
import csv
import os
import re
import shlex
import shutil
import signal
import subprocess

import inputs
import references

PASSED = re.compile(r"\bPASS(?:ED)?\b|\bpassed\b|\bpasses\b|\bSuccess(?:ful)?\b|\bOK\b")
FAILED = re.compile(r"\bFAIL(?:ED|URE)?\b|\b[Ff]ailed\b|\bDoes not match\b|\bmissmatch\b")
COMPLAINT = re.compile(
    r"fatal error:|error:|undefined reference|cannot find|No such file|not implemented|FAULT|HANG|cannot run|CUDA error|\b[Ee]rror\b"
)


class Run:
    """What a command did: exit code (None when it was stopped), and all it printed."""

    def __init__(self, code, text):
        self.code, self.text = code, text


def command(words, folder, environment, seconds, log):
    """Runs words with a limit of time; ends all processes of its group when that is over."""
    with open(log, "wb") as out:
        child = subprocess.Popen(words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=out,
                                 stderr=subprocess.STDOUT, start_new_session=True)
        try:
            code = child.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            code = None
    return Run(code, log.read_text(errors="replace"))


def first_complaint(text):
    """The line of a log that says why, in one short line without folders."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    found = ([line for line in lines if re.search(r"error: |^gt200: (?!.*warning)", line)] or
             [line for line in lines if COMPLAINT.search(line)] or lines[-1:] or ["printed nothing"])
    return re.sub(r"(?:\.{0,2}/[^\s:'\"]*/)", "", found[0])[:150].replace("|", "/")


class Program:
    """One entry of a list, in the copy of its suite."""

    def __init__(self, entry, suite, others, toolkit, work):
        self.entry, self.suite = entry, suite
        self.cpu_suite = others.get(entry.get("cpu", {}).get("suite", suite.name))  # None: the environment does not name it
        self.name = entry["name"]
        self.source = suite.root / entry["folder"]
        self.folder = suite.copy / entry["folder"]
        self.toolkit, self.work = toolkit, work
        self.environment = {**os.environ, "PATH": f"{toolkit}/bin:{toolkit.parent}:{os.environ['PATH']}",
                            "LD_LIBRARY_PATH": f"{toolkit}/lib64:{os.environ.get('LD_LIBRARY_PATH', '')}",
                            "HOME": str(work / "home")}

    def log(self, what):
        return self.work / f"{self.suite.name}_{self.name}.{what}.log"

    def substituted(self, text):
        return text.replace("{toolkit}", str(self.toolkit)).replace("{sdk}", str(self.suite.sdk or ""))

    def build(self):
        """None, or why there is no program."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.source, self.folder, symlinks=True)
        for makefile in [*self.folder.rglob("[Mm]akefile*"), *self.folder.rglob("*.mk")]:
            self.name_toolkit(makefile)
        where = self.folder / self.entry.get("make_at", ".")
        words = ["make"] + [self.substituted(w) for w in self.suite.make + self.entry.get("make", [])]
        made = command(words, where, self.environment, self.suite.build_seconds, self.log("build"))
        if made.code is None:
            return f"not compiled within {self.suite.build_seconds} s"
        if made.code != 0 or not self.binary().exists():
            return first_complaint(made.text)
        reference = self.entry.get("cpu")
        if reference and self.cpu_suite:
            return self.build_reference(reference)
        return None

    def name_toolkit(self, makefile):
        """Puts our folder in the place of that of a toolkit that a Makefile takes for granted."""
        text = makefile.read_text(errors="surrogateescape")
        named = re.sub(r"/usr/local/cuda[-\d.]*(?=[/\s]|$)", str(self.toolkit), text)
        if named != text:
            makefile.write_text(named, errors="surrogateescape")

    def build_reference(self, reference):
        """The program of the suite for the CPU, which gives the results to compare with."""
        folder = self.cpu_suite.copy / reference["folder"]
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.cpu_suite.root / reference["folder"], folder, symlinks=True)
        made = command(["make", *reference.get("make", [])], folder / reference.get("make_at", "."), os.environ.copy(),
                       self.suite.build_seconds, self.log("reference_build"))
        return None if made.code == 0 else "the program for the CPU: " + first_complaint(made.text)

    def binary(self):
        return self.folder / self.entry["program"]

    def run(self, engine):
        """(result, input, detail, launches, cycles) of a run on an engine."""
        arguments = self.substituted(self.entry.get(f"{engine}_arguments", self.entry.get("arguments", "")))
        at = self.folder / self.entry.get("at", ".")
        wanted = self.entry.get(f"{engine}_input", self.entry.get("input"))
        for one in wanted or []:
            inputs.make(one, at)
        for name in self.entry.get("writes", []) + self.entry.get("cpu", {}).get("files", []):
            (at / name).unlink(missing_ok=True)  # of an earlier run
        out = self.work / f"{self.suite.name}_{self.name}.{engine}"
        shutil.rmtree(out, ignore_errors=True)
        done = command([str(self.toolkit.parent / "gt200"), "exec", "--engine", engine, "--out", str(out), str(self.binary()),
                        *shlex.split(arguments)], at, self.environment, self.suite.run_seconds[engine], self.log(engine))
        launches, cycles, off_engine = launches_of(out, engine)
        shown = " ".join([*(wanted or []), arguments]).strip()
        if done.code is None:
            return "no time", shown, f"more than {self.suite.run_seconds[engine]} s", launches, cycles
        result, detail = self.verdict(done, at, arguments, engine)
        if result == "right" and launches == 0:
            detail += ", no launch"
        if off_engine and result == "right":
            result, detail = "wrong", f"{off_engine} launches did not end or ran elsewhere"
        return result, shown, detail, launches, cycles

    def verdict(self, done, at, arguments, engine):
        if done.code != 0 and done.code not in self.entry.get("codes", []):
            return "wrong", f"code {done.code}: {first_complaint(done.text)}"
        if "reference" in self.entry:
            return getattr(references, self.entry["reference"])(at, done.text, arguments.split())
        if "cpu" in self.entry and self.cpu_suite:
            return self.compared(done, at, arguments, engine)
        if FAILED.search(done.text):
            return "wrong", FAILED.search(done.text).string[FAILED.search(done.text).start():].splitlines()[0][:100]
        if PASSED.search(done.text):
            return "right", "own check"
        return "no check", ""

    def compared(self, done, at, arguments, engine):
        """Runs the program for the CPU on the same input and compares what both wrote."""
        reference = self.entry["cpu"]
        folder = self.cpu_suite.copy / reference["folder"] / reference.get("at", ".")
        for one in self.entry.get(f"{engine}_input", self.entry.get("input")) or []:
            inputs.make(one, folder)
        own = reference.get(f"{engine}_arguments", reference.get("arguments", arguments))
        here = {name: (at / name).read_text(errors="replace") for name in reference.get("files", []) if (at / name).exists()}
        cpu = command([str(self.cpu_suite.copy / reference["folder"] / reference["program"]), *shlex.split(own)], folder,
                      os.environ.copy(), self.suite.run_seconds["emulator"], self.log("reference"))
        if cpu.code != 0:
            return "no check", f"the program for the CPU ends with {cpu.code}"
        for name in reference.get("files", []):
            if name not in here or not (folder / name).exists():
                return "wrong", f"no file {name}"
            # The first lines of some files say how memory was laid out.
            texts = ["\n".join(text.splitlines()[reference.get("skip_lines", 0):])
                     for text in (here[name], (folder / name).read_text(errors="replace"))]
            good, detail = references.same_numbers(*texts, reference.get("tolerance", 0))
            if not good:
                return "wrong", f"{name}: {detail}"
        if "pattern" in reference:
            mine, theirs = (re.findall(reference["pattern"], text) for text in (done.text, cpu.text))
            good, detail = references.same_numbers("\n".join(mine), "\n".join(theirs), reference.get("tolerance", 0))
            if not mine or not good:
                return "wrong", detail if mine else "printed no result"
        return "right", "program for the CPU"


def launches_of(folder, engine):
    """Number of launches of all workers, their cycles, and how many did not end well on the engine."""
    launches = cycles = other = 0
    for file in sorted(folder.rglob("launches.csv")):
        for row in csv.DictReader(file.open()):
            launches += 1
            cycles += int(row["cycles"])
            other += row["engine"] != engine or row["end"] != "done"
    return launches, cycles, other
