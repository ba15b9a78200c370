"""GT200 from Python: runs, devices, configurations, results and studies (docs/python.md).

>>> import gt200
>>> run = gt200.run("kernels/matrix_mul", set={"tpc.sm.scheduler.policy": "gto"})
>>> run.cycles, run.arrays["C"][:4]
>>> run.slots.sum()
>>> gt200.plot.cycle_stack(run)
"""
import importlib

from .config import Config, Key, presets
from .device import Device, DeviceArray, Kernel, Launch, Program, Symbol
from .errors import (Error, Fault, Hang, InputError, InternalError, Interrupted, LimitReached, OutOfResources, UsageError,
                     WrongResult)
from .results import CAUSES, Results, load
from .running import Run, describe, inputs, run
from .study import OneAtATime, Study, one_at_a_time, pareto_front, sweep

__all__ = ["CAUSES", "Config", "Device", "DeviceArray", "Error", "Fault", "Hang", "InputError", "InternalError",
           "Interrupted", "Kernel", "Key", "Launch", "LimitReached", "OneAtATime", "OutOfResources", "Program", "Results", "Run",
           "Study", "Symbol", "UsageError", "WrongResult", "describe", "inputs", "load", "one_at_a_time", "pareto_front", "plot",
           "presets", "run", "sweep"]


def __getattr__(name):
    # matplotlib takes longer to import than everything else.
    if name == "plot":
        return importlib.import_module(".plot", __name__)
    raise AttributeError(f"module 'gt200' has no attribute '{name}'")
