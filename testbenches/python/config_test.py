"""The configuration as a dictionary with explanations."""
import subprocess
import unittest

import gt200
from gt200 import _program


class ConfigTest(unittest.TestCase):
    def test_has_the_values_of_the_preset_with_their_types(self):
        chip = gt200.Config()
        self.assertEqual(chip["chip.tpcs"], 10)
        self.assertEqual(chip["tpc.sm.scheduler.policy"], "lrr")
        self.assertIs(chip["idealisations.ideal_memory"], False)
        self.assertIsInstance(chip["clocks.shader_mhz"], float)

    def test_changes_are_taken_and_count_in_the_hash(self):
        chip = gt200.Config("gt200", {"tpc.sm.scheduler.policy": "gto", "idealisations.ideal_memory": True})
        self.assertEqual(chip["tpc.sm.scheduler.policy"], "gto")
        self.assertIs(chip["idealisations.ideal_memory"], True)
        self.assertNotEqual(chip.hash, gt200.Config().hash)
        self.assertEqual(chip.changed({"tpc.sm.scheduler.policy": "lrr", "idealisations.ideal_memory": False}), gt200.Config())

    def test_the_hash_is_that_of_the_program(self):
        shown = subprocess.run([_program.program(), "config", "check", "gtx260"], capture_output=True, text=True, check=True)
        self.assertIn(gt200.Config("gtx260").hash, shown.stdout)

    def test_explains_what_the_program_explains(self):
        for name in ("tpc.sm.scoreboard.entries_per_warp", "tpc.sm.scheduler.policy", "clocks.shader_mhz"):
            with self.subTest(name):
                shown = subprocess.run([_program.program(), "config", "explain", name], capture_output=True, text=True,
                                       check=True).stdout
                key = gt200.Config().explain(name)
                for part in (key.text, key.allowed, key.source, key.set_at):
                    self.assertIn(part, shown)

    def test_ranges_are_numbers(self):
        key = gt200.Config().explain("tpc.sm.scoreboard.entries_per_warp")
        self.assertLess(key.low, key.high)
        self.assertIn("gto", gt200.Config().explain("tpc.sm.scheduler.policy").choices)

    def test_refuses_with_the_line_of_the_program(self):
        with self.assertRaises(gt200.InputError) as refused:
            gt200.Config("gt200", {"tpc.sm.scheduler.polcy": "gto"})
        shown = subprocess.run([_program.program(), "config", "check", "gt200", ], capture_output=True, text=True)
        self.assertEqual(shown.returncode, 0)
        shown = subprocess.run([_program.program(), "config", "show", "gt200", "--set", "tpc.sm.scheduler.polcy=gto"],
                               capture_output=True, text=True)
        self.assertEqual(f"gt200: {refused.exception}\n", shown.stderr)
        self.assertEqual(refused.exception.code, shown.returncode)
        self.assertIsInstance(refused.exception, ValueError)

    def test_an_unknown_key_names_near_ones(self):
        with self.assertRaises(KeyError) as unknown:
            gt200.Config()["tpc.sm.scheduler.polcy"]
        self.assertIn("tpc.sm.scheduler.policy", str(unknown.exception))
        with self.assertRaises(KeyError):
            gt200.Config()["tpc.sm.scheduler"]

    def test_is_a_table_of_a_group(self):
        frame = gt200.Config().frame("tpc.sm.scheduler")
        self.assertIn("tpc.sm.scheduler.policy", frame.index)
        self.assertTrue(all(name.startswith("tpc.sm.scheduler.") for name in frame.index))
        self.assertEqual(len(gt200.Config().frame()), len(gt200.Config()))

    def test_differences_of_two_chips(self):
        diff = gt200.Config("gt200").diff(gt200.Config("g80"))
        self.assertIn("chip.tpcs", diff.index)
        self.assertTrue((diff["here"] != diff["there"]).all())

    def test_presets(self):
        self.assertIn("gt200", gt200.presets())
        self.assertIn("g80", gt200.presets())


if __name__ == "__main__":
    unittest.main()
