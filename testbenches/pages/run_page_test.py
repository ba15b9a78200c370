"""The page of one run: what a reader does with it."""
import ast
import json
import pathlib
import re
import unittest

from browser import ROOT, BrowserTest, gt200


def number(text):
    return float(re.sub(r"[^0-9.]", "", text))


class RunPage(BrowserTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.run_folder = cls.folder / "run"
        gt200("run", "kernels/bfs", "--config", "gt200_small", "--param", "N=128", "--out", cls.run_folder)
        cls.page = gt200("report", cls.run_folder).strip()
        cls.stats = json.loads((cls.run_folder / "stats.json").read_text(encoding="utf-8"))

    def setUp(self):
        super().setUp()
        self.open(self.page)

    def slots(self):
        """The table of causes: text -> slots."""
        names, counts = self.texts("#slots tbody tr td:first-child summary, #slots tbody tr td:first-child > span"), self.texts("#slots tbody tr td:nth-child(3)")
        return dict(zip(names, map(number, counts)))

    def test_is_one_file_that_asks_for_nothing(self):
        text = pathlib.Path(self.page).read_text(encoding="utf-8")
        self.assertNotIn(" src=", text)
        self.assertNotIn("<link rel=\"stylesheet", text)
        self.assertEqual(self.js("return performance.getEntriesByType('resource').length"), 0)

    def test_shows_the_exact_slots_of_all_launches(self):
        expected = sum(sum(l["cycle_accounting"]["total"].values()) for l in self.stats["launches"])
        shown = self.slots()
        self.assertEqual(sum(n for text, n in shown.items() if text != "outside of launches"), expected)
        issued = sum(l["cycle_accounting"]["total"]["issued"] for l in self.stats["launches"])
        self.assertEqual(shown["issued"], issued)

    def test_table_and_chart_agree(self):
        """The intervals of the whole run, brushed, are the exact slots and those outside of launches."""
        exact = self.slots()
        last = self.stats["over_time"]["core_cycles"][-1]
        self.open(self.page, f"from=0&to={last}")
        self.assertIn("brushed", self.text("#window"))
        self.assertEqual(self.slots(), exact)

    def test_a_brush_changes_all_panels(self):
        before = {part: self.pixels(part) for part in ("#panels", "#heatmap")}
        slots, commands, figures = self.slots(), self.text("#commands"), self.text("#figures")
        self.drag(".surface", 0.3, 0.5)
        self.assertRegex(self.address(), r"from=\d+&to=\d+")
        for part, picture in before.items():
            self.assertNotEqual(self.pixels(part), picture, part)
        self.assertLess(sum(self.slots().values()), 0.5 * sum(slots.values()))
        self.assertNotEqual(self.text("#figures"), figures)
        self.assertNotEqual(self.text("#commands"), commands)
        window = re.search(r"core cycles ([\d,]+) to ([\d,]+)", self.text("#window"))
        begin, end = (int(w.replace(",", "")) for w in window.groups())
        self.assertIn(f"--wave-window {begin}:{end}", self.text("#commands"))
        ends = self.stats["over_time"]["core_cycles"]
        first, last = ends.index(begin) + 1 if begin else 0, ends.index(end) + 1
        self.assertEqual(self.slots()["issued"], sum(self.stats["over_time"]["slots"]["issued"][first:last]))
        self.click("#whole")
        self.assertEqual(self.slots(), slots)

    def test_the_brush_moves_with_keys(self):
        self.press("#brush_begin", "ARROW_RIGHT", "ARROW_RIGHT", "ARROW_RIGHT")
        ends = self.stats["over_time"]["core_cycles"]
        self.assertIn(f"from={ends[2]}&to={ends[-1]}", self.address())
        self.press("#brush_end", "ARROW_LEFT")
        self.assertIn(f"to={ends[-2]}", self.address())
        self.press("#brush_end", "ESCAPE")
        self.assertNotIn("from", self.address())

    def test_the_address_brings_the_state_back(self):
        self.drag(".surface", 0.2, 0.6)
        self.choose("#heat", "resident")
        self.type("#filter", "mov")
        state, slots, heat = self.address()[1:], self.slots(), self.pixels("#heatmap")
        rows = self.texts("table.listing tbody tr")
        self.open(self.page, state)
        self.assertEqual(self.slots(), slots)
        self.assertEqual(self.pixels("#heatmap"), heat)
        self.assertEqual(self.texts("table.listing tbody tr"), rows)

    def test_the_launch_picker_shows_the_exact_figures_of_a_launch(self):
        self.assertGreater(len(self.stats["launches"]), 1)
        code = self.texts("table.listing tbody tr")
        panels = self.pixels("#panels")
        self.choose("#launch", "l:1")
        launch = self.stats["launches"][1]
        expected = {n for n in launch["cycle_accounting"]["total"].values() if n}
        self.assertEqual(set(self.slots().values()), expected)
        self.assertNotEqual(self.texts("table.listing tbody tr"), code)
        self.assertNotEqual(self.pixels("#panels"), panels)

    def test_sort_changes_the_order(self):
        def shares():
            return [number(t) for t in self.texts("[aria-label='machine code'] tbody td:nth-child(4)")]
        self.assertNotEqual(shares(), sorted(shares(), reverse=True))
        self.js("[...document.querySelectorAll('[aria-label=\"machine code\"] th button')].find(b => b.textContent === 'share').click()")
        self.assertEqual(shares(), sorted(shares(), reverse=True))
        self.js("[...document.querySelectorAll('[aria-label=\"machine code\"] th button')].find(b => b.textContent === 'share').click()")
        self.assertEqual(shares(), sorted(shares()))

    def test_filter_leaves_the_rows_that_match(self):
        self.type("#filter", "bra")
        rows = self.texts("[aria-label='machine code'] tbody tr")
        self.assertGreater(len(rows), 0)
        self.assertTrue(all("bra" in row for row in rows))

    def test_counters_can_be_filtered_and_sorted(self):
        name = "input[aria-label='filter of counters']"
        self.type(name, "dram.controller")
        rows = self.texts("table[data-name=counters] tbody tr")
        self.assertGreater(len(rows), 3)
        self.assertTrue(all("dram.controller" in row for row in rows))
        self.js("document.querySelectorAll('table[data-name=counters] th button')[1].click()")
        values = [number(t) for t in self.texts("table[data-name=counters] td:nth-child(2)")]
        self.assertEqual(values, sorted(values, reverse=True))

    def test_a_line_shows_its_instructions_and_commands(self):
        self.click("[aria-label='source lines'] tbody tr:nth-child(4)")
        line = self.text("[aria-label='source lines'] tbody tr.chosen td")
        related = self.texts("[aria-label='machine code'] tbody tr.related td:last-child")
        self.assertGreater(len(related), 0)
        self.assertEqual(set(related), {line})
        pc = self.text("[aria-label='machine code'] tbody tr.related td")
        self.assertIn(f"--pc {pc}", self.text("#commands"))
        self.assertIn(f"line {line}:", self.text("#detail"))

    def test_a_cause_opens_its_definition(self):
        shown = "return document.querySelector('#slots details.cause p').checkVisibility()"
        self.assertFalse(self.js(shown))
        self.click("#slots details.cause summary")
        self.assertTrue(self.js(shown))
        self.assertGreater(len(self.text("#slots details.cause p")), 20)

    def test_heat_maps_have_a_row_for_every_sm_and_bank(self):
        options = self.js("return [...document.querySelectorAll('#heat option')].map(o => o.value)")
        self.assertTrue({"issued", "resident", "bus", "banks"} <= set(options), options)
        picture = self.pixels("#heatmap")
        self.choose("#heat", "banks")
        self.assertNotEqual(self.pixels("#heatmap"), picture)

    def test_colours_are_those_of_python(self):
        module = ast.parse((ROOT / "python/gt200/plot.py").read_text(encoding="utf-8"))
        colours = next(ast.literal_eval(node.value) for node in module.body
                       if isinstance(node, ast.Assign) and node.targets[0].id == "COLOURS")
        self.assertEqual({c["key"]: c["colour"] for c in self.js("return data.causes")}, colours)

    def test_dark_mode_changes_page_and_charts(self):
        ground, panels = self.js("return getComputedStyle(document.body).backgroundColor"), self.pixels("#panels")
        self.colours("dark")
        self.assertNotEqual(self.js("return getComputedStyle(document.body).backgroundColor"), ground)
        self.assertNotEqual(self.pixels("#panels"), panels)

    def test_fits_a_phone_and_a_desk(self):
        for width in (390, 1400):
            self.size(width, 900)
            self.open(self.page)
            self.require_no_overflow()
            chart = self.js("return document.querySelector('#panels canvas').getBoundingClientRect().width")
            self.assertGreater(chart, 0.8 * width)
            self.assertLess(chart, width)

    def test_is_accessible_in_both_colours(self):
        for scheme in ("light", "dark"):
            self.colours(scheme)
            self.open(self.page)
            self.require_accessible()


class RooflinePage(BrowserTest):
    """Of a kernel with floating-point operations."""
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = cls.folder / "run"
        once = (ROOT / "kernels/vector_add/launch.toml").read_text(encoding="utf-8")
        step = once[once.index("[[step]]"):once.index("[[expect]]")]
        twice = once.replace(step, 2 * step).replace("vector_add.s", str(ROOT / "kernels/vector_add/vector_add.s"))
        (cls.folder / "twice.toml").write_text(twice, encoding="utf-8")
        gt200("run", "kernels/vector_add", "--launch", cls.folder / "twice.toml", "--config", "gt200_small", "--param", "N=16384", "--out", folder)
        cls.page = gt200("report", folder).strip()
        cls.stats = json.loads((folder / "stats.json").read_text(encoding="utf-8"))

    def setUp(self):
        super().setUp()
        self.open(self.page)

    def points(self):
        return self.js("return document.getElementById('roofline').points")

    def flops(self):
        return [sum(i["active_lanes"] * i["flops"] for i in l["cycle_accounting"]["instructions"]) for l in self.stats["launches"]]

    def test_has_launches_kernels_and_intervals(self):
        self.assertEqual(self.texts("#roof option"), ["launches", "kernels", "intervals"])
        seconds = [(l["ended_at_fs"] - l["began_at_fs"]) * 1e-15 for l in self.stats["launches"]]
        launches = self.points()
        self.assertEqual(len(launches), 2)
        for point, flops, time in zip(launches, self.flops(), seconds):
            self.assertAlmostEqual(point["rate"], flops / time * 1e-9)
        pictures = [self.pixels("#roofline")]
        self.choose("#roof", "kernels")
        self.assertIn("roof=kernels", self.address())
        [kernel] = self.points()
        self.assertAlmostEqual(kernel["rate"], sum(self.flops()) / sum(seconds) * 1e-9)
        self.assertEqual(kernel["dram"], sum(point["dram"] for point in launches))
        pictures.append(self.pixels("#roofline"))
        self.choose("#roof", "intervals")
        over_time = self.stats["over_time"]
        self.assertEqual(sum(point["work"] for point in self.points()),
                         sum(issued for issued, read, written in zip(over_time["slots"]["issued"], *self.js("return [data.time.read, data.time.written]"))
                             if read + written > 0))
        pictures.append(self.pixels("#roofline"))
        self.assertEqual(len(set(pictures)), 3)

    def test_shows_what_is_chosen(self):
        def shown():
            return [point["now"] for point in self.points()]
        self.assertTrue(all(shown()))
        self.choose("#launch", "l:0")
        self.assertEqual(shown(), [True] + [False] * (len(shown()) - 1))
        self.choose("#roof", "intervals")
        self.drag(".surface", 0.2, 0.5)
        self.assertTrue(any(shown()))
        self.assertFalse(all(shown()))

    def test_a_point_chooses_its_launch(self):
        from selenium.webdriver.common.action_chains import ActionChains
        from selenium.webdriver.common.by import By
        self.js("document.querySelector('#roofline').scrollIntoView({block: 'center'})")
        canvas = self.driver.find_element(By.CSS_SELECTOR, "#roofline canvas")
        x, y = self.js("""const find = (mark, x, y) => mark.name === 'dots' ? [x + mark.items[0].x, y + mark.items[0].y] :
            (mark.items || []).map(i => find(i, x + (i.items ? i.x || 0 : 0), y + (i.items ? i.y || 0 : 0))).find(found => found);
            return find(document.getElementById('roofline').view.scenegraph().root, 0, 0);""")
        box = canvas.size
        ActionChains(self.driver).move_to_element_with_offset(canvas, int(x - box["width"] / 2), int(y - box["height"] / 2)).click().perform()
        self.assertRegex(self.address(), "launch=l%3A[01]")


if __name__ == "__main__":
    unittest.main()
