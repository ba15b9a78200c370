"""Devices: memory, programs, launches, several of them in one session."""
import copy
import gc
import os
import pickle
import subprocess
import threading
import time
import unittest

import numpy as np

import gt200
from support import ROOT, SMALL, VECTOR_ADD, ENDLESS, WRITES_OUTSIDE, FolderTest

SCALE = """
__constant__ float factor[4];
__device__ unsigned launches = 0;
extern "C" __global__ void scale(float* values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) launches++;
  if (i < n) values[i] *= factor[1];
}
"""


TAKES_TYPES = """
extern "C" __global__ void take(float* out, int n, float x, double y, unsigned char c, unsigned long long w) {
  out[0] = n; out[1] = x; out[2] = y; out[3] = c; out[4] = w;
}
"""


def is_running(process):
    try:
        with open(f"/proc/{process}/stat", encoding="ascii") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class DeviceTest(FolderTest):
    def setUp(self):
        super().setUp()
        self.device = gt200.Device(SMALL)
        self.addCleanup(self.device.close)

    def test_adds_vectors(self):
        x, y = np.arange(1024, dtype=np.float32), np.ones(1024, np.float32)
        add = self.device.load(VECTOR_ADD).VecAdd
        a, b, c = self.device.array(x), self.device.array(y), self.device.empty(1024)
        launch = add[4, 256](a, b, c, 1024)
        np.testing.assert_array_equal(c.get(), x + y)
        self.assertGreater(launch.core_cycles, 0)
        self.assertEqual(self.device.launches, [launch])

    def test_takes_the_cycles_of_gt200_run(self):
        kernel, params = ROOT / "kernels/vector_add", {"N": 4096}
        run = gt200.run(kernel, config=SMALL, params=params)
        program = self.device.load(VECTOR_ADD)
        a, b, c = (self.device.array(array) for array in gt200.inputs(kernel, params=params).values())
        program.VecAdd[16, 256](a, b, c, 4096)
        mine = self.device.results()
        for part in ("chip", "launches", "counters", "histograms", "over_time", "warps", "configuration_hash"):
            self.assertEqual(mine.stats[part], run.stats[part], part)
        np.testing.assert_array_equal(c.get(), run.arrays["C"])

    def test_results_without_a_launch_are_empty_tables(self):
        results = self.device.results()
        self.assertEqual((results.cycles, results.ipc, results.flops), (0, 0, 0))
        for table in (results.launches, results.slots, results.slots_by_sm, results.instructions, results.histograms):
            self.assertEqual(len(table), 0)
            self.assertGreater(len(table.columns), 0)
        self.assertEqual(results.slots.sum().sum(), 0)
        self.assertGreater(len(results.counters), 0)
        with self.assertRaisesRegex(gt200.InputError, "nothing to draw"):
            gt200.plot.cycle_stack(results)

    def test_arrays_of_any_shape_and_type(self):
        for dtype in ("u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f4", "f8"):
            values = np.arange(24).astype(dtype).reshape(2, 3, 4)
            there = self.device.array(values)
            self.assertEqual((there.dtype, there.shape, there.nbytes), (values.dtype, values.shape, values.nbytes))
            np.testing.assert_array_equal(there.get(), values)
            np.testing.assert_array_equal(there.set(7).get(), np.full_like(values, 7))
        np.testing.assert_array_equal(self.device.zeros((2, 2)).get(), np.zeros((2, 2)))
        np.testing.assert_array_equal(self.device.array(np.arange(12)[::3]).get(), [0, 3, 6, 9])

    def test_memory_is_released_with_its_array(self):
        free = self.device.free_bytes
        array = self.device.empty(1 << 20, "uint8")
        address = array.address
        self.assertEqual(self.device.free_bytes, free - (1 << 20))
        del array
        gc.collect()
        self.assertEqual(self.device.free_bytes, free)
        self.assertEqual(self.device.empty(16).address, address)

    def test_symbols_and_compiled_text(self):
        program = self.device.compile(SCALE)
        self.assertEqual(program.symbols["factor"].nbytes, 16)
        program.symbols["factor"].set(np.array([0, 3, 0, 0], np.float32))
        np.testing.assert_array_equal(program.symbols["factor"].get("float32"), [0, 3, 0, 0])
        values = self.device.array(np.arange(64, dtype=np.float32))
        program.scale[1, 64](values, 64)
        program.scale[1, 64](values, np.int32(32))
        np.testing.assert_array_equal(values.get()[[1, 40]], [9, 120])
        self.assertEqual(program.symbols["launches"].get("uint32")[0], 2)

    def test_wrong_calls_are_refused_and_do_no_harm(self):
        program = self.device.load(VECTOR_ADD)
        a = self.device.zeros(256)
        for wrong, reason in (
                (lambda: self.device.load("no.cubin"), "no.cubin"),
                (lambda: self.device.load(str(VECTOR_ADD) + "\0x"), "vector_add.s.*a null character"),
                (lambda: program.VecAdd[1, 256](a, a, a), "has 4 parameters, 3 arguments are given"),
                (lambda: program.VecAdd[1, 256](a, a, a, np.float64(1)), "argument 4 has 8 bytes, but parameter 4"),
                (lambda: program.VecAdd[1, 256](a, a, a, 2**40), "argument 4 does not fit the 4 bytes"),
                (lambda: program.VecAdd[1, 256](a, a, a, 2**64 - 5), "argument 4 does not fit the 4 bytes"),
                (lambda: program.VecAdd[1, 256](a, a, np.zeros(4), 4), "lies in the memory of the host"),
                (lambda: program.VecAdd[1, 1024](a, a, a, 4), "block"),
                (lambda: program.VecAdd[0, 256](a, a, a, 4), "grid.x is 0"),
                (lambda: program.VecAdd[1, -1](a, a, a, 4), "block"),
                (lambda: program.VecAdd[1](a, a, a, 4), "is expected"),
                (lambda: self.device.empty(1 << 40, "uint8"), "no room in device memory"),
                (lambda: self.device.array(np.zeros(4, complex)), "cannot be a buffer"),
                (lambda: self.device._connection.read(a.address + 1020, np.zeros(2, np.float32)), "do not lie in one allocation"),
                (lambda: self.device._connection.release(a.address + 4), "no memory has been allocated")):
            with self.subTest(reason), self.assertRaisesRegex(gt200.InputError, reason):
                wrong()
        with self.assertRaises(AttributeError):
            program.no_kernel
        program.VecAdd[1, 256](a, a, a, 256)

    def test_an_array_of_another_device_is_refused(self):
        other = gt200.Device(SMALL)
        self.addCleanup(other.close)
        add = self.device.load(VECTOR_ADD).VecAdd
        a, foreign = self.device.zeros(256), other.zeros(256)
        with self.assertRaisesRegex(gt200.InputError, "argument 2: DeviceArray.* lies in the memory of another device"):
            add[1, 256](a, foreign, a, 256)
        variable = other.compile(SCALE).symbols["launches"]
        with self.assertRaisesRegex(gt200.InputError, "argument 1: Symbol.* lies in the memory of another device"):
            add[1, 256](variable, a, a, 256)

    def test_numbers_become_what_the_source_declares(self):
        take = self.device.compile(TAKES_TYPES).take
        self.assertEqual(take.types, ["integer", "integer", "real", "real", "integer", "integer"])
        out = self.device.zeros(5)
        for given, expected in (((3.0, 2, 1, 7.0, 5.0), (3, 2, 1, 7, 5)),
                                ((-3, 0.1, 0.1, 255, 2**40), (-3, np.float32(0.1), np.float32(0.1), 255, 2.0**40)),
                                ((True, float("inf"), -2, False, 0), (1, np.inf, -2, 0, 0)),
                                ((np.int32(9), np.float32(1.5), np.float64(2.5), np.uint8(4), np.uint64(6)), (9, 1.5, 2.5, 4, 6)),
                                ((np.uint32(9), 16777216, 2**53, np.True_, np.int64(6)), (9, 16777216, 2.0**53, 1, 6))):
            with self.subTest(given):
                take[1, 1](out, *given)
                np.testing.assert_array_equal(out.get(), np.array(expected, np.float32))

    def test_numbers_that_the_declared_type_cannot_hold_are_refused(self):
        take = self.device.compile(TAKES_TYPES).take
        out = self.device.zeros(5)
        good = [out, 1, 1.0, 1.0, 1, 1]
        for place, value, reason in ((2, 3.5, "argument 2: 3.5 is no whole number, but parameter 2 is an integer"),
                                     (2, float("nan"), "nan is no whole number"),
                                     (2, 1e10, "argument 2 does not fit the 4 bytes"),
                                     (2, 2**32, "argument 2 does not fit the 4 bytes"),
                                     (2, np.float32(2), "argument 2 is a float32, but parameter 2 is an integer"),
                                     (3, 16777217, "16777217 does not fit the floating-point number of 4 bytes"),
                                     (3, 1e300, "does not fit the floating-point number of 4 bytes"),
                                     (3, np.int32(2), "argument 3 is a int32, but parameter 3 is a floating-point number"),
                                     (3, np.float64(2), "argument 3 has 8 bytes, but parameter 3"),
                                     (3, out, "is an address, but parameter 3 is a floating-point number"),
                                     (4, 10**400, "does not fit the floating-point number of 8 bytes"),
                                     (5, 300, "argument 5 does not fit the 1 bytes"),
                                     (6, 1e30, "does not fit 64 bits")):
            with self.subTest(reason), self.assertRaisesRegex(gt200.InputError, reason):
                take[1, 1](*good[:place - 1], value, *good[place:])
        take[1, 1](*good)

    def test_machine_code_declares_widths_alone(self):
        add = self.device.load(VECTOR_ADD).VecAdd
        self.assertEqual(add.types, [""] * 4)
        a = self.device.zeros(256)
        with self.assertRaisesRegex(gt200.InputError, "1e[+]300 does not fit the floating-point number of 4 bytes"):
            add[1, 256](a, a, a, 1e300)

    def test_handles_are_not_copied(self):
        a = self.device.array(np.arange(4, dtype=np.float32))
        for duplicate in (copy.copy, copy.deepcopy, pickle.dumps):
            with self.assertRaisesRegex(gt200.InputError, "DeviceArray.* cannot be copied"):
                duplicate(a)
            with self.assertRaisesRegex(gt200.InputError, "Device.* cannot be copied"):
                duplicate(self.device)
        gc.collect()
        self.device.array(np.full(4, 9, np.float32))
        np.testing.assert_array_equal(a.get(), np.arange(4))

    def test_numbers_of_calls_are_whole_and_in_range(self):
        add = self.device.load(VECTOR_ADD).VecAdd
        constant = self.device.compile(SCALE).symbols["factor"]
        a = self.device.zeros(256)
        for wrong, reason in ((lambda: self.device.empty(-5), "an extent of the shape -5 lies outside"),
                              (lambda: self.device.empty((2, 1.5)), "an extent of the shape 1.5 is no whole number"),
                              (lambda: self.device.empty((2**40, 2**40)), "the number of bytes .* lies outside"),
                              (lambda: constant.set(np.ones(1, np.float32), offset=-4), "offset -4 lies outside"),
                              (lambda: constant.set(np.ones(1, np.float32), offset=None), "offset None is no whole number"),
                              (lambda: add[1.9, 256](a, a, a, 4), "an extent of grid 1.9 is no whole number"),
                              (lambda: add["3", 256](a, a, a, 4), "an extent of grid '3' is no whole number"),
                              (lambda: add[(1, 2, 3, 4), 256](a, a, a, 4), "grid has one to three extents"),
                              (lambda: add[1, 2**32](a, a, a, 4), "an extent of block 4294967296 lies outside 0 to 2.32 - 1"),
                              (lambda: add.launch(1, 256, a, a, a, 4, shared=-1), "shared -1 lies outside"),
                              (lambda: add[1, 256, 0.5](a, a, a, 4), "shared 0.5 is no whole number")):
            with self.subTest(reason), self.assertRaisesRegex(gt200.InputError, reason):
                wrong()
        add[1.0, np.int64(256)](a, a, a, 256)

    def test_a_fault_ends_the_launches_of_this_device_only(self):
        other = gt200.Device(SMALL)
        self.addCleanup(other.close)
        kernel = self.device.load(self.program(WRITES_OUTSIDE)).k
        with self.assertRaises(gt200.Fault) as fault:
            kernel[1, 32](self.device.zeros(1))
        self.assertIn("0x70000000", str(fault.exception))
        self.assertEqual(fault.exception.results.end, "fault")
        with self.assertRaisesRegex(gt200.InputError, "an earlier launch did not end"):
            kernel[1, 32](self.device.zeros(1))
        a = other.array(np.ones(256, np.float32))
        other.load(VECTOR_ADD).VecAdd[1, 256](a, a, a, 256)
        self.assertEqual(a.get()[0], 2)

    def test_a_limit_of_cycles(self):
        with gt200.Device(SMALL, max_cycles=4000) as device, self.assertRaises(gt200.LimitReached) as limit:
            device.load(self.program(ENDLESS)).k[1, 32](device.zeros(1))
        self.assertGreater(len(limit.exception.report.splitlines()), 1)

    def test_several_devices_with_different_chips(self):
        chips = [gt200.Device(SMALL, {"tpc.sm.sp.latency_cycles": cycles}) for cycles in (24, 48)]
        taken = []
        for device in chips:
            self.addCleanup(device.close)
            a = device.array(np.ones(256, np.float32))
            taken.append(device.load(VECTOR_ADD).VecAdd[1, 256](a, a, a, 256).core_cycles)
        self.assertLess(taken[0], taken[1])
        self.assertEqual(chips[1].config["tpc.sm.sp.latency_cycles"], 48)

    def test_a_checked_device(self):
        with gt200.Device(SMALL, check=True) as device:
            a = device.array(np.ones(256, np.float32))
            self.assertGreater(device.load(VECTOR_ADD).VecAdd[1, 256](a, a, a, 256).issued, 0)

    def test_a_fermi_runs_its_own_code(self):
        with gt200.Device("gtx480") as device:
            kernel = device.load(ROOT / "testbenches/system/fermi/programs/saxpy.s")
            x, y = (device.array(np.arange(256, dtype=np.float32)) for _ in range(2))
            next(iter(kernel.kernels.values()))[2, 128](256, 2.0, x, y)
            np.testing.assert_array_equal(y.get(), 3 * np.arange(256, dtype=np.float32))

    def test_a_refused_configuration_has_the_line_of_the_program(self):
        with self.assertRaisesRegex(gt200.InputError, "contradiction"):
            gt200.Device(SMALL, {"tpc.sm.limits.warps": 16})

    def test_closing_ends_the_process(self):
        process = self.device.process
        self.assertTrue(is_running(process))
        self.device.close()
        self.assertFalse(is_running(process))
        with self.assertRaisesRegex(gt200.InputError, "the device is closed"):
            self.device.zeros(4)

    def test_a_killed_process_is_an_error_and_no_crash(self):
        os.kill(self.device.process, 9)
        with self.assertRaisesRegex(gt200.InternalError, "ended by signal 9"):
            self.device.zeros(4)
        with self.assertRaisesRegex(gt200.InputError, "the device is closed"):
            self.device.zeros(4)

    def test_an_interpreter_whose_device_was_killed_ends_without_a_word(self):
        code = (f"import gt200, os, numpy as np\ndef make():\n  d = gt200.Device('{SMALL}')\n  a = d.zeros(4)\n"
                "  os.kill(d.process, 9)\n  return a\nkept = make()\n")
        ended = subprocess.run(["/usr/bin/python3", "-c", code], capture_output=True, text=True)
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))

    def test_without_descriptors_no_device_is_made(self):
        code = ("import gt200, os, resource\n"
                f"config = gt200.Config('{SMALL}')\n"
                "gt200.Device(config).close()\n"  # what is imported late is there
                "for more in (0, 1, 2):\n"
                "  kept = [os.dup(0) for _ in range(64)]\n"
                "  resource.setrlimit(resource.RLIMIT_NOFILE, (max(kept) + 1 + more, 4096))\n"
                "  try:\n"
                "    gt200.device.Config = lambda *_: config\n"  # no program beside that of the device
                "    gt200.Device(config)\n"
                "  except gt200.OutOfResources as error:\n"
                "    print(error.code, error)\n"
                "  resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))\n"
                "  for d in kept: os.close(d)\n")
        ended = subprocess.run(["/usr/bin/python3", "-c", code], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        self.assertEqual(ended.stderr, "")
        self.assertEqual(len(ended.stdout.splitlines()), 3, ended.stdout)
        for line in ended.stdout.splitlines():
            self.assertIn("71 ", line)

    def test_a_forked_interpreter_has_no_devices_of_its_parent(self):
        array = self.device.array(np.arange(4))
        child = os.fork()
        if child == 0:
            try:
                self.device.empty(4)
            except gt200.InputError as error:
                os._exit(7 if "belongs to the process" in str(error) else 8)
            os._exit(9)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 7)
        np.testing.assert_array_equal(array.get(), np.arange(4))

    def test_calls_of_several_threads_follow_one_another(self):
        arrays = [self.device.array(np.full(1000, number)) for number in range(8)]
        wrong = []

        def read(array, number):
            for _ in range(50):
                if (array.get() != number).any():
                    wrong.append(number)

        threads = [threading.Thread(target=read, args=pair) for pair in zip(arrays, range(8))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_the_process_ends_with_its_interpreter(self):
        code = f"import gt200, os\nd = gt200.Device('{SMALL}')\nprint(d.process, flush=True)\nos.kill(os.getpid(), 9)"
        ended = subprocess.run(["/usr/bin/python3", "-c", code], capture_output=True, text=True)
        for _ in range(100):
            if not is_running(int(ended.stdout)):
                return
            time.sleep(0.05)
        self.fail("the process of the device lives on")


if __name__ == "__main__":
    unittest.main()
