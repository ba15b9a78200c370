"""The figures of a run as tables: they add up, and are those of the files."""
import json
import unittest

import gt200
from support import ROOT, SMALL, FolderTest


class ResultsTest(FolderTest):
    @classmethod
    def setUpClass(cls):
        cls.run_ = gt200.run(ROOT / "kernels/reduction", config=SMALL, params={"N": 16384})

    def test_slots_of_each_launch_are_cycles_times_sms(self):
        run = self.run_
        self.assertGreater(len(run.launches), 0)
        for number, launch in run.launches.iterrows():
            self.assertEqual(run.slots.loc[number].to_numpy().sum(), launch["core_cycles"] * run.stats["chip"]["sms"])

    def test_slots_of_sms_and_instructions_add_up(self):
        run = self.run_
        self.assertEqual(run.slots_by_sm.sum().to_dict(), run.slots.sum().to_dict())
        by_instruction = run.instructions[list(gt200.CAUSES)].sum()
        for cause, slots in run.slots.sum().items():
            if cause != "no_warp":
                self.assertEqual(by_instruction[cause], slots, cause)
        self.assertEqual(run.instructions["total"].sum(), run.slots.drop(columns="no_warp").to_numpy().sum())
        self.assertEqual(run.slots_by_warp.to_numpy().sum(), run.slots.drop(columns="no_warp").to_numpy().sum())

    def test_instructions_have_their_source(self):
        frame = self.run_.instructions
        self.assertTrue((frame["source"] != "").any())
        self.assertEqual(list(frame.columns[:3]), ["launch", "kernel", "pc"])

    def test_the_causes_are_those_of_the_program(self):
        self.assertEqual(list(self.run_.slots.columns), list(gt200.CAUSES))

    def test_counters_by_instance_and_over_the_chip(self):
        run = self.run_
        misses = run.counters[run.counters["kind"] == "tpc.sm.icache.misses"]
        self.assertEqual(len(misses), run.stats["chip"]["sms"])
        self.assertEqual(run.counter("tpc.sm.icache.misses"), misses["value"].sum())
        with self.assertRaises(KeyError):
            run.counter("tpc.sm.icache.mises")

    def test_histograms(self):
        run = self.run_
        kind = "tpc.sm.write_back.latency.global_load"
        frame = run.histogram(kind)
        of_kind = run.histograms[run.histograms["kind"] == kind]
        self.assertEqual(frame["count"].sum(), of_kind["count"].sum())
        self.assertTrue((frame["low"] <= frame["high"]).all())
        with self.assertRaises(KeyError):
            run.histogram("none")

    def test_distributions_have_exact_percentiles(self):
        run = self.run_
        kind = "tpc.sm.write_back.latency.global_load"
        values = run.histogram(kind)
        each = values.loc[values.index.repeat(values["count"]), "high"]
        of = run.distributions.loc[(0, kind)]
        self.assertEqual(of["count"], len(each))
        for name, part in (("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("most", 1)):
            self.assertEqual(of[name], each.quantile(part, interpolation="inverted_cdf"), name)
        self.assertEqual(of["unit"], "core cycles")
        for part in ("crossbar.latency.request", "partition.dram.controller.latency.read", "partition.arbiter.queue.used",
                     "tpc.memory.tlb.latency", "tpc.l2.latency.fill"):
            self.assertIn((0, part), run.distributions.index)

    def test_over_time_ends_with_the_run_and_adds_up(self):
        run = self.run_
        frame = run.over_time
        self.assertTrue(frame.index.is_monotonic_increasing)
        self.assertEqual(frame["issued"].sum(), run.issued)
        self.assertEqual(frame["dram_read_bytes"].sum(),
                         run.counters[run.counters["path"].str.endswith(".read_bytes")]["value"].sum())

    def test_the_configuration_of_the_run(self):
        self.assertEqual(self.run_.config.hash, self.run_.configuration_hash)
        self.assertEqual(self.run_.config, gt200.Config(SMALL))

    def test_files_that_are_no_statistics_are_refused(self):
        with self.assertRaisesRegex(gt200.InputError, "stats.json: No such file"):
            gt200.load(self.folder)
        (self.folder / "stats.json").write_text("{")
        with self.assertRaisesRegex(gt200.InputError, "stats.json: not a whole JSON file"):
            gt200.load(self.folder)
        (self.folder / "stats.json").write_text(json.dumps({"schema": "other"}))
        with self.assertRaisesRegex(gt200.InputError, "no statistics of schema"):
            gt200.load(self.folder)

    def test_errors_are_one_line(self):
        self.assertEqual(gt200.errors.one_line("HANG\n2 warps at barrier 0\nmore"), "HANG: 2 warps at barrier 0")
        self.assertEqual(gt200.errors.one_line("FAULT: x\ny"), "FAULT: x")
        self.assertIsInstance(gt200.errors.error_of(99, "x"), gt200.InternalError)


if __name__ == "__main__":
    unittest.main()
