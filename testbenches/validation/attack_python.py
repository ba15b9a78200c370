"""Wrong and hostile calls of the Python package, for `scripts/validate attack`: python3 attack_python.py WAY SEED.

Prints a line per kind of end: its count, a tab, and what happened. A call must return, or raise an error of the package or one
that Python itself raises for wrong arguments, with a text. After each way a device computes a right sum.
"""
import collections
import gc
import os
import pathlib
import random
import resource
import signal
import sys
import tempfile
import threading
import time

import numpy

import gt200
from gt200 import _core  # before descriptors are few

ROOT = pathlib.Path(__file__).resolve().parents[2]
VECTOR_ADD = str(ROOT / "kernels/vector_add/vector_add.s")
KERNEL = str(ROOT / "kernels/vector_add")
SMALL = "gt200_small"
ENDLESS = ".entry k\n.param u32 out\nagain:\n    bra again\n    exit nop\n.end\n"
REFUSED = (gt200.Error, TypeError, ValueError, AttributeError, KeyError, IndexError, OverflowError, MemoryError, OSError)
found = collections.Counter()


def attempt(what, act):
    try:
        act()
        found[f"{what}: accepted"] += 1
    except REFUSED as error:
        kind = type(error).__name__
        if not str(error).strip() or isinstance(error, gt200.InternalError):
            kind = f"WRONG: {kind}: {str(error)[:150]!r}"
        found[f"{what}: {kind}"] += 1
    except Exception as error:  # nothing else is expected of a call
        found[f"{what}: WRONG: {type(error).__name__}: {str(error)[:150]!r}"] += 1


def values_of(rng, device=None, arrays=()):
    plain = [None, -1, 0, 1, 7, 2**31, 2**32, 2**63, 2**64, 2**70, -2**63, 1.5, float("nan"), float("inf"), True, "", "x", "\0", "a\0b",
             b"x", b"\0\0\0\0", [], [1, 2], {}, {"a": 1}, (), (1, 2, 3, 4), object(), lambda: 0, sys, int, "x" * 100000]
    of_numpy = [numpy.zeros(0), numpy.zeros((2, 3)), numpy.zeros(5, "<f8")[::2], numpy.array(["a"]), numpy.zeros(3, ">i4"),
                numpy.zeros(2, "O"), numpy.zeros(2, [("a", "i4"), ("b", "f8")]), numpy.float32(1), numpy.int64(-1), numpy.bool_(1),
                numpy.datetime64("2020"), numpy.zeros(()), numpy.ma.masked_array([1, 2], [True, False]), numpy.zeros(4, "f2")]
    return rng.choice([*plain, *of_numpy, *([device] if device else []), *arrays, *arrays])


def check_device():
    """A new device still adds right."""
    with gt200.Device(SMALL) as device:
        x = numpy.arange(512, dtype="f4")
        a, c = device.array(x), device.empty(512)
        device.load(VECTOR_ADD).VecAdd[2, 256](a, a, c, 512)
        if not (c.get() == 2 * x).all():
            found["WRONG: a device adds wrongly"] += 1


def methods(rng):
    """Every public method of every object with anything."""
    with gt200.Device(SMALL, max_cycles=100000) as device:
        program = device.load(VECTOR_ADD)
        array = device.empty(64)
        objects = [device, program, program.VecAdd, array, device.results(), device.config]
        for _ in range(300):
            of = rng.choice(objects)
            names = [n for n in dir(of) if not n.startswith("_") and callable(getattr(of, n, None)) and n not in ("close", "release")]
            if not names:
                continue
            name = rng.choice(names)
            arguments = [values_of(rng, device, [array]) for _ in range(rng.randrange(4))]
            attempt(f"{type(of).__name__}.{name}", lambda: getattr(of, name)(*arguments))


def launches(rng):
    with gt200.Device(SMALL, max_cycles=20000) as device:
        add = device.load(VECTOR_ADD).VecAdd
        for _ in range(150):
            arrays = [device.empty(rng.choice([1, 64, 512])) for _ in range(3)]
            if rng.random() < 0.3:
                arrays[0].release()
            shape = [rng.choice([1, 2, 256, 0, -1, (2, 2), (1, 1, 64), 2**16, None, 1.0, "1"]) for _ in range(rng.choice([2, 2, 2, 3]))]
            arguments = [*rng.sample(arrays, 3), rng.choice([512, 1, 0, -1, 2**31])]
            if rng.random() < 0.5:
                arguments[rng.randrange(4)] = values_of(rng, device, arrays)
            if rng.random() < 0.2:
                arguments = arguments[:rng.randrange(4)]
            attempt("launch", lambda: add[tuple(shape)](*arguments))
            if device.launches and rng.random() < 0.1:
                attempt("results", device.results)


def memory(rng):
    with gt200.Device(SMALL) as device:
        kept = []
        for _ in range(150):
            way = rng.randrange(6)
            if way == 0:
                attempt("array", lambda: kept.append(device.array(values_of(rng, device, kept[:2]))))
            elif way == 1:
                attempt("empty", lambda: kept.append(device.empty(values_of(rng), values_of(rng))))
            elif way == 2:
                attempt("zeros", lambda: kept.append(device.zeros(rng.choice([0, 1, (3, 4), 2**20]), rng.choice(["f4", "u1", "O", "V7", "U3"]))))
            elif way == 3 and kept:
                attempt("set", lambda: rng.choice(kept).set(values_of(rng, device, kept[:2])))
            elif way == 4 and kept:
                attempt("get", lambda: rng.choice(kept).get())
            elif kept:
                attempt("release", lambda: rng.choice(kept).release())
            if len(kept) > 20:
                del kept[rng.randrange(20)]
                gc.collect()


def programs(rng):
    source = pathlib.Path(VECTOR_ADD).read_text(encoding="utf-8")
    with gt200.Device(SMALL) as device, tempfile.TemporaryDirectory() as folder:
        for _ in range(40):
            attempt("load", lambda: device.load(values_of(rng)))
            text = list(source)
            for _ in range(rng.randrange(1, 5)):
                text[rng.randrange(len(text))] = rng.choice("\0\n x0{.,;é\U0001F600")
            suffix = rng.choice([".s", ".s", ".ptx", ".cubin", "", ".cu/x", "\0"])
            attempt("compile", lambda: device.compile("".join(text), suffix))
            path = pathlib.Path(folder, "p.cubin")
            path.write_bytes(rng.randbytes(rng.randrange(200)))
            attempt("load of a file", lambda: device.load(path))
        attempt("load of a folder", lambda: device.load(folder))
        attempt("load of a device", lambda: device.load("/dev/zero"))


def functions(rng):
    """The functions of the module, each a process of its own: one wrong argument at a time."""
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(25):
            named = {"config": SMALL, "params": {"N": 256}}
            named[rng.choice(["config", "set", "params", "inputs", "args", "grid", "block", "entry", "shared", "source", "launch", "seed", "check",
                              "threads", "max_cycles", "options", "errors", "no_such"])] = values_of(rng)
            attempt("run", lambda: gt200.run(rng.choice([KERNEL, KERNEL, KERNEL, values_of(rng)]), **named))
            attempt("Config", lambda: gt200.Config(rng.choice([SMALL, values_of(rng)]), rng.choice([None, {"a": values_of(rng)}, values_of(rng)])))
            attempt("inputs", lambda: gt200.inputs(values_of(rng)))
            attempt("load", lambda: gt200.load(rng.choice([folder, values_of(rng)])))
            attempt("Device", lambda: gt200.Device(SMALL, threads=values_of(rng), max_cycles=rng.choice([0, values_of(rng)])).close())
        for _ in range(6):
            named = {"config": SMALL, "params": {"N": [256]}, "jobs": 1}
            named[rng.choice(["config", "set", "params", "jobs", "replicate", "out"])] = values_of(rng)
            attempt("sweep", lambda: gt200.sweep(KERNEL, **{"out": os.path.join(folder, "sweep"), **named}))


def killed(rng):
    """The process of the device dies, or stands still, at a random moment of a launch."""
    for _ in range(12):
        sent = rng.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGABRT, signal.SIGHUP])
        with gt200.Device(SMALL) as device:
            program, array = device.compile(ENDLESS, ".s"), device.zeros(1)
            timer = threading.Timer(rng.random() * 0.3, os.kill, (device.process, sent))
            timer.start()
            try:
                program.k[1, 32](array)
                found["device killed: WRONG: an endless launch ended"] += 1
            except (gt200.Error, KeyboardInterrupt) as error:
                found[f"device killed: {type(error).__name__}"] += bool(str(error)) or 1
            timer.join()
            attempt("after it", lambda: array.get())


def threads(rng):
    """Several threads on one device, one of which closes it at the end."""
    for _ in range(3):
        device = gt200.Device(SMALL)
        add = device.load(VECTOR_ADD).VecAdd

        def work(number):
            for k in range(15):
                x = numpy.full(256, number * 100 + k, "f4")

                def one():
                    a, c = device.array(x), device.empty(256)
                    add[1, 256](a, a, c, 256)
                    if not (c.get() == 2 * x).all():
                        raise RuntimeError("the values of another thread")

                attempt("in a thread", one)

        running = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in running:
            thread.start()
        time.sleep(rng.random())
        device.close()
        for thread in running:
            thread.join()


def limits(rng):
    """Few descriptors, then no processes: a device is made or refused, and others work afterwards."""
    config = gt200.Config(SMALL)
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    for k in range(40):
        resource.setrlimit(resource.RLIMIT_NOFILE, (rng.randrange(3, 24), hard))
        attempt("few descriptors", lambda: gt200.Device(rng.choice([config, SMALL])).close())
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    devices = []
    for k in range(300):
        end = sum(found.values())
        attempt("many devices", lambda: devices.append(gt200.Device(config)))
        if len(devices) < k + 1 or end + 1 != sum(found.values()) or len(devices) >= 40:
            break
    for device in devices:
        device.close()


def forks(rng):
    with gt200.Device(SMALL) as device:
        array = device.array(numpy.arange(16))
        for k in range(10):
            child = os.fork()
            if child == 0:
                try:
                    array.get()
                    os._exit(1)
                except gt200.InputError:
                    if rng.random() < 0.5:
                        device.close()
                    os._exit(0)
            found["in a forked process: " + ("refused" if os.waitpid(child, 0)[1] == 0 else "WRONG: no refusal")] += 1
            if not (array.get() == numpy.arange(16)).all():
                found["WRONG: a child has changed the device of its parent"] += 1


def leaves(rng):
    """The interpreter ends with open devices, in several ways; the caller looks for processes that live on."""
    for _ in range(12):
        child = os.fork()
        if child == 0:
            device = gt200.Device(SMALL)
            kernel, array = device.compile(ENDLESS, ".s").k, device.zeros(1)
            way = rng.randrange(5)
            thread = threading.Thread(target=lambda: kernel[1, 32](array), daemon=True)
            if way > 1:
                thread.start()
                time.sleep(rng.random() * 0.1)
            if way in (0, 2):
                os._exit(0)
            if way in (1, 3):
                os.kill(os.getpid(), rng.choice([signal.SIGKILL, signal.SIGTERM]))
            os.abort()
        rng.random()
        os.waitpid(child, 0)
        found["interpreter ended"] += 1


def main():
    way, seed = sys.argv[1:]
    gc.collect()
    globals()[way](random.Random(f"{way} {seed}"))
    check_device()
    for end, count in sorted(found.items()):
        print(f"{count}\t{end}")


WAYS = [methods, launches, memory, programs, functions, killed, threads, limits, forks, leaves]
if __name__ == "__main__":
    if sys.argv[1:]:
        main()
    else:
        print(" ".join(way.__name__ for way in WAYS))
