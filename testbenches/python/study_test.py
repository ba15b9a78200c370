"""Studies: tables of `gt200 sweep`, and what is made of them."""
import unittest

import pandas

import gt200
from support import ROOT, SMALL, FolderTest

KERNEL = ROOT / "kernels/vector_add"
POLICIES = ["lrr", "gto"]


class StudyTest(FolderTest):
    def sweep(self, name="study", **changes):
        arguments = dict(config=SMALL, params={"N": [512, 1024]}, set={"tpc.sm.scheduler.policy": POLICIES},
                         out=self.folder / name)
        return gt200.sweep(KERNEL, **{**arguments, **changes})

    def test_is_the_table_of_the_program(self):
        study = self.sweep(counters=["tpc.sm.icache.misses"])
        self.assertEqual(study.axes, ["tpc.sm.scheduler.policy", "N", "config"])
        self.assertEqual(study.varied, ["tpc.sm.scheduler.policy", "N"])
        self.assertEqual(len(study), 4)
        expected = pandas.read_csv(self.folder / "study/sweep.csv")
        pandas.testing.assert_frame_equal(study.frame, expected)
        self.assertEqual(study.failures, "")

    def test_the_results_of_a_point_are_those_of_its_row(self):
        study = self.sweep(counters=["tpc.sm.icache.misses"])
        for row in range(len(study)):
            results, values = study.results(row), study.frame.iloc[row]
            self.assertEqual(results.cycles, values["core_cycles"])
            self.assertEqual(results.counter("tpc.sm.icache.misses"), values["tpc.sm.icache.misses"])
            self.assertEqual(results.config["tpc.sm.scheduler.policy"], values["tpc.sm.scheduler.policy"])

    def test_a_list_of_points_says_where_they_are(self):
        study = self.sweep()
        kept = study.results(2)
        folders = [study._folders()[tuple(values)].rename(self.folder / f"study/points/{row}")
                   for row, values in enumerate(study._texts.to_numpy())]
        listed = study._texts.assign(folder=[f"points/{folder.name}" for folder in folders])
        for ending in self.folder.rglob("ending.json"):
            ending.unlink()
        listed.to_csv(self.folder / "study/points.csv", index=False)
        self.assertEqual(gt200.Study(self.folder / "study").results(2).stats, kept.stats)

    def test_a_repeated_sweep_runs_nothing_again(self):
        def written():
            return {path: path.stat().st_mtime_ns for path in (self.folder / "study").rglob("stats.json")}

        first, before = self.sweep(), written()
        again = self.sweep()
        self.assertEqual(len(before), 4)
        self.assertEqual(written(), before)
        pandas.testing.assert_frame_equal(first.frame, again.frame)

    def test_flags_and_real_numbers_are_axes(self):
        study = self.sweep(set={"idealisations.ideal_memory": [False, True], "clocks.shader_mhz": [1296.0, 1400.0]},
                           params={"N": [512]})
        for row in range(len(study)):
            self.assertEqual(study.results(row).config["idealisations.ideal_memory"],
                             study.frame["idealisations.ideal_memory"].iloc[row])

    def test_a_failed_point_is_a_row_with_its_reason(self):
        study = self.sweep(set={"tpc.sm.limits.warps": [32, 16]}, params={"N": [512]})
        self.assertEqual(sorted(study.frame["exit_code"]), [0, 1])
        self.assertIn("contradiction", study.failures)
        self.assertEqual(len(study.done), 1)
        with self.assertRaisesRegex(gt200.InputError, "no result of the point"):
            study.results(int(study.frame["exit_code"].to_numpy().argmax()))

    def test_wrong_input_has_the_line_of_the_program(self):
        with self.assertRaisesRegex(gt200.InputError, "no such kernel folder or file"):
            gt200.sweep("no/kernel", out=self.folder / "x")
        with self.assertRaisesRegex(gt200.InputError, "No such file"):
            gt200.Study(self.folder / "nothing")
        (self.folder / "sweep.csv").write_text("a,b\n1,2\n")
        with self.assertRaisesRegex(gt200.InputError, "no column exit_code"):
            gt200.Study(self.folder)

    def test_replicates_give_means_and_paired_speed_ups(self):
        study = self.sweep(set={"tpc.sm.sp.latency_cycles": [24, 96]}, params={"N": [512]}, replicate=3)
        self.assertEqual(len(study), 6)
        self.assertIn("replicate", study.axes)
        mean = study.frame.groupby("tpc.sm.sp.latency_cycles")["core_cycles"].mean()
        self.assertEqual([round(c, 3) for c in study.summary()["core_cycles"]], [round(c, 3) for c in mean])
        compared = study.compare()
        self.assertEqual(list(compared["verdict"]), ["baseline", "slower"])
        self.assertLess(compared["speed_up_high"][1], 1)
        turned = study.compare({"tpc.sm.sp.latency_cycles": 96})
        self.assertEqual(list(turned["verdict"]), ["faster", "baseline"])
        self.assertAlmostEqual(turned["speed_up"][0] * compared["speed_up"][1], 1, places=4)
        self.assertEqual(list(study.designs()["verdict"]), ["baseline", "slower"])
        with self.assertRaisesRegex(gt200.InputError, "the luckiest would win"):
            gt200.pareto_front(study.frame, "core_cycles", "ipc")

    def test_effects_and_interactions_have_intervals(self):
        rows = [(kernel, x, y, r, "gt200", 0, round(size * (1 + 0.001 * (-1) ** r) * (1.1 if x == 2 else 1) * (1.05 if x == y == 2 else 1), 3))
                for kernel, size in (("a", 1000), ("b", 50000)) for x in (1, 2) for y in (1, 2) for r in (1, 2, 3)]
        columns = ["kernel", "sm.x", "sm.y", "replicate", "config", "exit_code", "core_cycles"]
        pandas.DataFrame(rows, columns=columns).to_csv(self.folder / "sweep.csv", index=False)
        study = gt200.Study(self.folder)
        effects = study.effects().set_index(["axis", "value"])
        self.assertAlmostEqual((1 + effects["effect"]["sm.x", 2]) / (1 + effects["effect"]["sm.x", 1]), 1.1 * 1.05 ** 0.5, places=5)
        self.assertTrue((effects["low"] <= effects["effect"]).all() and (effects["effect"] <= effects["high"]).all())
        pairs = study.interactions()
        self.assertEqual(len(pairs), 4)
        for effect, alike in zip(pairs["effect"], pairs["value"] == pairs["other_value"]):
            self.assertAlmostEqual(effect, 1.05 ** (0.25 if alike else -0.25) - 1, places=5)
        self.assertTrue(gt200.Study(self.folder).effects("core_cycles")["high"].notna().all())

    def test_single_runs_are_judged_by_the_noise_of_the_baseline(self):
        study = self.sweep(set={"tpc.sm.sp.latency_cycles": [24, 96]})
        self.assertEqual(list(study.noise["N"]), [512, 1024])
        self.assertEqual(list(study.noise["replicates"]), [5, 5])
        self.assertTrue((study.noise["noise"] < 0.05).all())
        self.assertEqual(list(study.compare()["verdict"]), ["baseline"] * 2 + ["one run, beyond the noise"] * 2)
        self.assertIsNone(self.sweep("without", noise=0).noise)

    def test_kernels_are_not_mixed(self):
        frame = pandas.DataFrame({"kernel": ["a", "b"], "x": [1, 2], "core_cycles": [5, 50]})
        with self.assertRaisesRegex(gt200.InputError, "there are several kernels"):
            gt200.pareto_front(frame, "x", "core_cycles")
        with self.assertRaisesRegex(gt200.InputError, "there are several kernels"):
            gt200.plot.heat_map(frame, "x", "x")
        self.assertEqual(len(gt200.pareto_front(frame[frame["kernel"] == "a"], "x", "core_cycles")), 1)

    def test_hints_are_listed(self):
        study = self.sweep(set={"topology.hop_cycles": [1, 3]}, params={"N": [512]})
        self.assertTrue(any("topology.hop_cycles has no effect" in hint for hint in study.hints), study.hints)

    def test_one_axis_at_a_time(self):
        study = gt200.one_at_a_time(KERNEL, {"tpc.sm.sp.latency_cycles": [24, 96], "tpc.sm.scheduler.policy": POLICIES},
                                    config=SMALL, params={"N": [512]}, out=self.folder / "axes")
        self.assertEqual(len(study.frame), 4)
        table = study.sensitivity()
        self.assertEqual(table["axis"][0], "tpc.sm.sp.latency_cycles")
        self.assertEqual((table["least_at"][0], table["greatest_at"][0]), (24, 96))
        self.assertGreater(table["greatest"][0], 0)

    def test_the_front_that_nothing_beats(self):
        frame = pandas.DataFrame({"x": [1, 2, 3, 2, 1], "y": [5, 3, 3, 4, 6]})
        self.assertEqual(list(gt200.pareto_front(frame, "x", "y").index), [0, 1])
        self.assertEqual(list(gt200.pareto_front(frame, "x", "y", (False, False)).index), [2, 3, 4])


if __name__ == "__main__":
    unittest.main()
