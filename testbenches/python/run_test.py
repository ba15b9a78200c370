"""Runs with NumPy arrays in and out."""
import json
import subprocess
import unittest

import numpy as np

import gt200
from gt200 import _program
from support import ROOT, SMALL, VECTOR_ADD, ENDLESS, WRITES_OUTSIDE, FolderTest


class RunTest(FolderTest):
    def test_equals_gt200_run(self):
        run = gt200.run(ROOT / "kernels/vector_add", config=SMALL, params={"N": 4096})
        out = self.folder / "out"
        subprocess.run([_program.program(), "run", ROOT / "kernels/vector_add", "--config", SMALL, "--param", "N=4096",
                        "--out", out, "--dump", f"C={self.folder / 'c'}"], check=True, capture_output=True)
        expected = json.loads((out / "stats.json").read_text())
        for different in ("host", "command_line"):
            expected.pop(different)
        self.assertEqual({name: run.stats[name] for name in expected}, expected)
        self.assertEqual(run.arrays["C"].tobytes(), (self.folder / "c").read_bytes())
        self.assertIs(run.passed, True)

    def test_arrays_have_the_types_of_the_buffers(self):
        run = gt200.run(ROOT / "kernels/vector_add", config=SMALL, params={"N": 1024})
        self.assertEqual({name: (a.dtype.name, a.shape) for name, a in run.arrays.items()},
                         {name: ("float32", (1024,)) for name in "ABC"})
        np.testing.assert_array_equal(run.arrays["C"], run.arrays["A"] + run.arrays["B"])

    def test_arrays_go_in_and_keep_their_shape(self):
        a = np.arange(1024, dtype=np.float32).reshape(32, 32)
        run = gt200.run(ROOT / "kernels/vector_add", config=SMALL, params={"N": 1024}, inputs={"A": a, "B": -a})
        self.assertEqual(run.arrays["A"].shape, (32, 32))
        np.testing.assert_array_equal(run.arrays["C"], np.zeros(1024, np.float32))
        # The reference has computed the result from these inputs; the fixed sum of the description is not compared.
        self.assertIs(run.passed, True)

    def test_an_array_of_the_wrong_type_or_size_is_refused(self):
        for wrong in (np.zeros(1024), np.zeros(1023, np.float32)):
            with self.subTest(wrong.dtype), self.assertRaisesRegex(gt200.InputError, r"but buffer 'A' is f32\[1024\]"):
                gt200.run(ROOT / "kernels/vector_add", config=SMALL, params={"N": 1024}, inputs={"A": wrong})
        with self.assertRaisesRegex(gt200.InputError, "--input names the unknown buffer 'Z'"):
            gt200.run(ROOT / "kernels/vector_add", config=SMALL, inputs={"Z": np.zeros(4)})
        with self.assertRaisesRegex(gt200.InputError, "complex"):
            gt200.run(ROOT / "kernels/vector_add", config=SMALL, inputs={"A": np.zeros(4, complex)})

    def test_arrays_of_other_order_are_converted(self):
        a = np.asfortranarray(np.arange(1024, dtype=">f4").reshape(32, 32))
        run = gt200.run(ROOT / "kernels/vector_add", config=SMALL, params={"N": 1024}, inputs={"A": a})
        np.testing.assert_array_equal(run.arrays["A"], a)

    def test_a_program_without_a_description(self):
        a, b = np.arange(512, dtype=np.float32), np.full(512, 2, np.float32)
        run = gt200.run(VECTOR_ADD, config=SMALL, args={"a": a, "b": b, "c": np.zeros_like(a), "n": 512}, grid=2, block=256)
        np.testing.assert_array_equal(run.arrays["c"], a + b)
        run = gt200.run(VECTOR_ADD, config=SMALL, args=[a, b, np.zeros_like(a), np.int32(512)], grid=(2, 1), block=(256, 1, 1))
        np.testing.assert_array_equal(run.arrays["arg2"], a + b)

    def test_errors_are_the_lines_of_the_program(self):
        with self.assertRaises(gt200.InputError) as refused:
            gt200.run("no/such/kernel")
        self.assertEqual(str(refused.exception), "no/such/kernel: no such kernel folder or file")
        with self.assertRaises(gt200.UsageError):
            gt200.run(ROOT / "kernels/vector_add", options=["--no-such-option"])
        with self.assertRaises(gt200.InputError):
            gt200.run(VECTOR_ADD, args=[1])

    def test_a_fault_has_its_results(self):
        with self.assertRaises(gt200.Fault) as fault:
            gt200.run(self.program(WRITES_OUTSIDE), config=SMALL, args=[np.zeros(1, np.uint32)], block=32)
        self.assertIn("0x70000000", str(fault.exception))
        shown = subprocess.run([_program.program(), "run", self.folder / "k.s", "--config", SMALL, "--block", "32", "--arg",
                                "u32[1]"], capture_output=True, text=True)
        self.assertEqual(shown.returncode, fault.exception.code)
        self.assertIn(f"result        {fault.exception}\n", shown.stdout)
        self.assertEqual(fault.exception.results.end, "fault")
        self.assertGreater(fault.exception.results.cycles, 0)

    def test_a_limit_has_its_results_or_returns_them(self):
        endless = self.program(ENDLESS)
        arguments = dict(config=SMALL, args=[np.zeros(1, np.uint32)], block=32, max_cycles=5000)
        with self.assertRaises(gt200.LimitReached) as limit:
            gt200.run(endless, **arguments)
        self.assertNotIn("\n", str(limit.exception))
        run = gt200.run(endless, **arguments, errors="return")
        self.assertIsInstance(run.error, gt200.LimitReached)
        self.assertEqual(run.end, "max_cycles")
        self.assertGreater(run.issued, 0)

    def test_a_wrong_result_is_raised(self):
        kernel = self.folder / "wrong"
        kernel.mkdir()
        (kernel / "launch.toml").write_text(
            f'schema = 1\nsource = "{VECTOR_ADD}"\n'
            + "".join(f'[[buffer]]\nname = "{n}"\ntype = "f32"\ncount = 256\ninit = "iota"\n' for n in "ABC")
            + '[[step]]\nlaunch = "VecAdd"\ngrid = [1]\nblock = [256]\narguments = ["A", "B", "C", {type = "s32", value = 256}]\n'
            + '[[expect]]\nbuffer = "C"\nvalues = [1, 2]\n')
        with self.assertRaises(gt200.WrongResult) as wrong:
            gt200.run(kernel, config=SMALL)
        self.assertIn("WRONG", str(wrong.exception))
        self.assertEqual(wrong.exception.results.arrays["C"][3], 6)

    def test_keeps_its_folder_when_asked(self):
        gt200.run(ROOT / "kernels/vector_add", config=SMALL, params={"N": 256}, out=self.folder / "kept")
        again = gt200.load(self.folder / "kept")
        self.assertEqual(again.launches["core_cycles"].sum(), again.cycles)

    def test_inputs_and_description_of_a_kernel(self):
        inputs = gt200.inputs(ROOT / "kernels/vector_add", params={"N": 1024})
        run = gt200.run(ROOT / "kernels/vector_add", config=SMALL, params={"N": 1024})
        np.testing.assert_array_equal(inputs["A"], run.arrays["A"])
        steps = gt200.describe(ROOT / "kernels/vector_add", params={"N": 1024})["steps"]
        self.assertEqual((steps[0]["launch"], steps[0]["grid"]), ("VecAdd", [4, 1, 1]))


if __name__ == "__main__":
    unittest.main()
