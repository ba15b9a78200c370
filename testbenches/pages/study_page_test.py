"""The pages of a study and of a comparison: what a reader does with them."""
import math
import re
import unittest

from browser import BrowserTest, gt200


def number(text):
    return float(re.match(r"[0-9.,]+", text).group().replace(",", ""))


class StudyPage(BrowserTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.study = cls.folder / "study"
        gt200("sweep", "kernels/vector_add", "--config", "gt200_small", "--param", "N=4096,8192", "--set", "tpc.sm.scoreboard.entries_per_warp=1,6",
              "--set", "tpc.sm.scheduler.policy=lrr,gto", "--replicate", 2, "--no-cache", "--out", cls.study)
        cls.page = gt200("report", cls.study).strip()

    def setUp(self):
        super().setUp()
        self.open(self.page)

    def test_the_table_can_be_sorted(self):
        def cycles():
            return [number(t) for t in self.texts("table[data-name=points] td:nth-child(5)")]
        before = cycles()
        self.assertEqual(len(before), 8)
        self.js("[...document.querySelectorAll('table[data-name=points] th button')].find(b => b.textContent === 'core_cycles').click()")
        self.assertEqual(cycles(), sorted(before, reverse=True))
        self.assertNotEqual(cycles(), before)
        self.assertIn("order.points", self.address())

    def test_workloads_are_not_mixed(self):
        self.assertEqual(self.texts("#workload option"), ["N=4096", "N=8192"])
        pictures = {part: self.pixels(part) for part in ("#study_heat", "#study_pareto", "#study_sensitivity")}
        self.choose("#workload", "N=8192")
        for part, picture in pictures.items():
            self.assertNotEqual(self.pixels(part), picture, part)

    def test_interactions_are_what_two_values_do_beyond_each_alone(self):
        logs = {}
        for row in self.js("return data.groups.map(g => [g.values, g.figures[data.names.indexOf('core_cycles')][0]])"):
            if row[0][self.axis("N")] == 0:
                logs[row[0][self.axis("tpc.sm.scoreboard.entries_per_warp")], row[0][self.axis("tpc.sm.scheduler.policy")]] = math.log(row[1])
        expected = 100 * math.expm1((logs[0, 0] - logs[0, 1] - logs[1, 0] + logs[1, 1]) / 4)
        rows = self.texts("#study_interactions tbody tr")
        self.assertEqual(len(rows), 4)
        first = next(row for row in rows if "entries_per_warp = 1" in row and "policy = lrr" in row)
        self.assertIn(f" {expected:+.2f} ", " ".join(first.split()))

    def axis(self, name):
        return self.js("return data.axes.map(a => a.name)").index(name)

    def test_a_figure_is_chosen_for_all_charts(self):
        heat = self.pixels("#study_heat")
        self.choose("#figure", "speed_up")
        self.assertNotEqual(self.pixels("#study_heat"), heat)
        self.assertIn("figure=speed_up", self.address())

    def test_a_point_opens_its_run(self):
        self.click("table[data-name=points] tbody tr a")
        self.assertEqual(self.js("return data.kind"), "run")
        self.assertIn("/points/", self.js("return location.pathname"))
        self.driver.back()
        self.js("document.querySelector('#study_heat').scrollIntoView({block: 'center'})")
        from selenium.webdriver.common.action_chains import ActionChains
        from selenium.webdriver.common.by import By
        canvas = self.driver.find_element(By.CSS_SELECTOR, "#study_heat canvas")
        ActionChains(self.driver).move_to_element_with_offset(canvas, -100, -20).click().perform()
        self.assertEqual(self.js("return data.kind"), "run")

    def test_fits_a_phone_and_a_desk_and_is_accessible(self):
        for width in (390, 1400):
            self.size(width, 900)
            self.open(self.page)
            self.require_no_overflow()
        self.require_accessible()


class ComparisonPage(BrowserTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        runs = [cls.folder / "a", cls.folder / "b"]
        gt200("run", "kernels/matrix_mul", "--param", "N=32", "--config", "gt200_small", "--out", runs[0])
        gt200("run", "kernels/matrix_mul", "--param", "N=32", "--config", "gt200_small", "--set", "tpc.sm.scoreboard.entries_per_warp=1", "--out", runs[1])
        cls.page = gt200("report", *runs).strip()

    def setUp(self):
        super().setUp()
        self.open(self.page)

    def test_lines_can_be_sorted_and_filtered(self):
        self.type("input[aria-label='filter of lines']", "mov")
        rows = self.texts("table[data-name=lines] tbody tr")
        self.assertGreater(len(rows), 0)
        self.assertTrue(all("mov" in row for row in rows))
        self.type("input[aria-label='filter of lines']", "")
        self.js("document.querySelectorAll('table[data-name=lines] th button')[0].click()")
        lines = [number(t) for t in self.texts("table[data-name=lines] td:first-child") if t]
        self.assertEqual(lines, sorted(lines))

    def test_fits_a_phone_and_a_desk_and_is_accessible(self):
        for width in (390, 1400):
            self.size(width, 900)
            self.open(self.page)
            self.require_no_overflow()
        self.colours("dark")
        self.require_accessible()


if __name__ == "__main__":
    unittest.main()
