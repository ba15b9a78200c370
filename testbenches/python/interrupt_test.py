"""Ctrl-C ends what runs, in order."""
import os
import signal
import subprocess
import threading
import time
import unittest

import numpy as np

import gt200
from support import ROOT, SMALL, ENDLESS, FolderTest


def ctrl_c_after(seconds):
    """Ctrl-C for this interpreter."""
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    return timer


class InterruptTest(FolderTest):
    def setUp(self):
        super().setUp()
        self.endless = self.program(ENDLESS)

    def test_a_run_ends_with_its_results(self):
        ctrl_c_after(1.5)
        with self.assertRaises(KeyboardInterrupt) as interrupted:
            gt200.run(self.endless, config=SMALL, args=[np.zeros(1, np.uint32)], block=32)
        self.assertIsInstance(interrupted.exception, gt200.Interrupted)
        self.assertEqual(interrupted.exception.results.end, "stopped")
        self.assertGreater(interrupted.exception.results.cycles, 0)

    def test_a_launch_ends_with_its_figures(self):
        with gt200.Device(SMALL) as device:
            kernel, out = device.load(self.endless).k, device.zeros(1)
            ctrl_c_after(0.7)
            began = time.monotonic()
            with self.assertRaises(KeyboardInterrupt):
                kernel[1, 32](out)
            self.assertLess(time.monotonic() - began, 10)
            results = device.results()
            self.assertEqual(results.end, "stopped")
            self.assertGreater(results.cycles, 0)
            self.assertGreater(results.slots["issued"].sum(), 0)
            with self.assertRaisesRegex(gt200.InputError, "an earlier launch did not end"):
                kernel[1, 32](out)

    def test_a_second_ctrl_c_is_no_deadlock(self):
        with gt200.Device(SMALL) as device:
            kernel, out = device.load(self.endless).k, device.zeros(1)
            os.kill(device.process, signal.SIGSTOP)  # a process that does not react
            ctrl_c_after(0.5)
            ctrl_c_after(1.2)
            with self.assertRaises(KeyboardInterrupt):
                kernel[1, 32](out)

    def test_a_sweep_leaves_a_table_of_the_finished_points(self):
        out = self.folder / "sweep"
        timer = threading.Thread(target=self.interrupt_when, args=(lambda: len(list(out.rglob("stats.json"))) >= 3,))
        timer.start()
        with self.assertRaises(gt200.Interrupted) as interrupted:
            gt200.sweep(ROOT / "kernels/vector_add", config=SMALL, set={"tpc.sm.sp.latency_cycles": range(24, 124)},
                        params={"N": [1024]}, out=out, jobs=1)
        timer.join()
        study = interrupted.exception.results
        self.assertGreaterEqual(len(study), 2)
        self.assertLess(len(study), 100)

    def test_the_interpreter_alone_gets_the_terminals_ctrl_c(self):
        """The whole process group of the interpreter gets the signal, as from a terminal: the run still ends in order."""
        code = ("import gt200, numpy as np, sys\n"
                "try:\n"
                f"    print('begins', flush=True)\n"
                f"    gt200.run({str(self.endless)!r}, config={SMALL!r}, args=[np.zeros(1, np.uint32)], block=32)\n"
                "except gt200.Interrupted as end:\n"
                "    print(end.results.end, end.results.cycles > 0)\n")
        process = subprocess.Popen(["/usr/bin/python3", "-c", code], stdout=subprocess.PIPE, text=True, process_group=0)
        process.stdout.readline()
        time.sleep(1.5)
        os.killpg(process.pid, signal.SIGINT)
        self.assertEqual(process.communicate(timeout=60)[0], "stopped True\n")
        self.assertEqual(process.returncode, 0)

    @staticmethod
    def interrupt_when(condition):
        for _ in range(1200):
            if condition():
                break
            time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)


if __name__ == "__main__":
    unittest.main()
