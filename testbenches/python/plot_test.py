"""Pictures: they show the figures they are made of."""
import unittest

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import gt200
from support import ROOT, SMALL, FolderTest


class PlotTest(FolderTest):
    @classmethod
    def setUpClass(cls):
        cls.runs = [gt200.run(ROOT / "kernels/vector_add", config=SMALL, params={"N": n}) for n in (1024, 4096)]

    def tearDown(self):
        plt.close("all")

    def drawn(self, ax):
        path = self.folder / "picture.png"
        ax.figure.savefig(path)
        self.assertGreater(path.stat().st_size, 2000)
        return ax

    def test_the_bars_of_a_cycle_stack_are_as_long_as_the_runs(self):
        ax = self.drawn(gt200.plot.cycle_stack(self.runs))
        ends = {}
        for bar in ax.patches:
            row = round(bar.get_y() + bar.get_height() / 2)
            ends[row] = max(ends.get(row, 0), bar.get_x() + bar.get_width())
        for row, run in enumerate(self.runs):
            self.assertAlmostEqual(ends[row], run.cycles, delta=1e-6 * run.cycles)
        self.assertEqual([t.get_text() for t in ax.get_yticklabels()], ["vector_add", "vector_add (2)"])

    def test_shares_end_at_one(self):
        ax = self.drawn(gt200.plot.cycle_stack({"a": self.runs[0]}, share=True))
        self.assertAlmostEqual(max(b.get_x() + b.get_width() for b in ax.patches), 1)

    def test_the_roof_is_that_of_the_chip(self):
        ax = self.drawn(gt200.plot.roofline(self.runs))
        peak = gt200.Config(SMALL).peaks["single_flops_per_second"] / 1e9
        self.assertAlmostEqual(max(ax.get_lines()[0].get_ydata()), peak)
        points = [line for line in ax.get_lines() if line.get_marker() == "o"]
        self.assertAlmostEqual(points[0].get_ydata()[0], 1024 / self.runs[0].seconds / 1e9)

    def test_a_volta_lies_below_its_roof(self):
        with gt200.Device("v100_small") as device:
            values = device.zeros(2048)
            program = device.compile("""extern "C" __global__ void fma(float* out, float a, float b) {
              float x = threadIdx.x;
              for (int i = 0; i < 64; ++i) x = x * a + b;
              out[blockIdx.x * blockDim.x + threadIdx.x] = x;
            }""")
            program.fma[4, 512](values, 1, 0.5)
            results = device.results()
        self.assertGreaterEqual(results.flops, 2 * 64 * 2048)
        ax = self.drawn(gt200.plot.roofline({"fma": results}))
        point = [line for line in ax.get_lines() if line.get_marker() == "o"][0]
        peak = results.config.peaks["single_flops_per_second"] / 1e9
        self.assertAlmostEqual(max(ax.get_lines()[0].get_ydata()), peak)
        self.assertLess(point.get_ydata()[0], peak)

    def test_hot_instructions_and_time(self):
        self.assertEqual(len(self.drawn(gt200.plot.hot_instructions(self.runs[0], 5)).get_yticks()), 5)
        ax = self.drawn(gt200.plot.over_time(self.runs[1]))
        self.assertEqual(ax.get_xlim()[1], self.runs[1].over_time.index[-1])

    def test_studies(self):
        study = gt200.sweep(ROOT / "kernels/vector_add", config=SMALL, out=self.folder / "study", params={"N": [512]},
                            set={"tpc.sm.scheduler.policy": ["lrr", "gto"], "tpc.sm.scoreboard.entries_per_warp": [1, 6]})
        ax = self.drawn(gt200.plot.heat_map(study, "tpc.sm.scoreboard.entries_per_warp", "tpc.sm.scheduler.policy"))
        self.assertEqual(ax.images[0].get_array().shape, (2, 2))
        self.assertEqual(ax.images[0].get_array().sum(), study.frame["core_cycles"].sum())
        self.drawn(gt200.plot.speed_ups(study))
        self.drawn(gt200.plot.pareto(study, "tpc.sm.scoreboard.entries_per_warp", "core_cycles",
                                     label="tpc.sm.scheduler.policy"))
        self.assertEqual(len(gt200.plot.cycle_stack(study).get_yticks()), 4)

    def test_one_axis_at_a_time(self):
        study = gt200.one_at_a_time(ROOT / "kernels/vector_add", {"tpc.sm.sp.latency_cycles": [24, 96],
                                    "tpc.sm.scoreboard.entries_per_warp": [1, 6]}, config=SMALL, params={"N": [512]},
                                    out=self.folder / "axes")
        self.drawn(gt200.plot.sensitivity(study))
        ax = self.drawn(gt200.plot.tornado(study))
        widest = max(ax.patches, key=lambda bar: abs(bar.get_width()))
        self.assertAlmostEqual(widest.get_width(), 100 * study.sensitivity()["greatest"].max())
        with self.assertRaises(gt200.InputError):
            gt200.plot.tornado(self.runs[0])


if __name__ == "__main__":
    unittest.main()
