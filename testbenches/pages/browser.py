"""A headless Chromium with a page of gt200, and what tests ask of it."""
import importlib.util
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
GT200 = pathlib.Path(os.environ.get("GT200_PROGRAM", ROOT / "build/gt200"))
AXE = pathlib.Path(os.environ.get("GT200_AXE") or
                   pathlib.Path(os.environ.get("XDG_DATA_HOME", pathlib.Path.home() / ".local/share")) / "gt200/axe.min.js")
DRIVER = shutil.which("chromedriver")
MISSING = ("chromedriver" if not DRIVER else "chromium" if not shutil.which("chromium") else
           "selenium" if importlib.util.find_spec("selenium") is None else
           "libjs-vega" if os.environ.get("GT200_VEGA", "?") in ("", "GT200_VEGA_FOLDER-NOTFOUND") else "")


def gt200(*words, code=0):
    done = subprocess.run([str(GT200), *map(str, words)], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == code, f"gt200 {' '.join(map(str, words))}: {done.returncode}: {done.stderr}"
    return done.stdout


@unittest.skipIf(MISSING, f"there is no {MISSING}: scripts/setup --browser installs it")
class BrowserTest(unittest.TestCase):
    """Tests that share a folder and a browser."""

    @classmethod
    def setUpClass(cls):
        from selenium import webdriver

        folder = tempfile.TemporaryDirectory(prefix="gt200-pages-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        options = webdriver.ChromeOptions()
        for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                     f"--user-data-dir={cls.folder}/chromium"):
            options.add_argument(word)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        cls.driver = webdriver.Chrome(service=webdriver.chrome.service.Service(DRIVER), options=options)
        cls.addClassCleanup(cls.driver.quit)

    def setUp(self):
        self.size(1400, 1000)
        self.colours("light")

    def tearDown(self):
        messages = [line["message"] for line in self.driver.get_log("browser")]
        self.assertEqual(messages, [], "messages on the console")

    def open(self, page, state=""):
        self.driver.get("about:blank")
        self.driver.get(pathlib.Path(page).as_uri() + ("#" + state if state else ""))
        self.assertEqual(self.js("return document.documentElement.dataset.ready"), "true")

    def js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def size(self, width, height):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})

    def colours(self, scheme):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def text(self, selector):
        return self.js("return document.querySelector(arguments[0]).textContent", selector)

    def texts(self, selector):
        return self.js("return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)", selector)

    def click(self, selector):
        self.js("document.querySelector(arguments[0]).click()", selector)

    def choose(self, selector, value):
        self.js("const e = document.querySelector(arguments[0]); e.value = arguments[1]; e.dispatchEvent(new Event('change'))", selector, value)

    def type(self, selector, text):
        self.js("const e = document.querySelector(arguments[0]); e.value = arguments[1]; e.dispatchEvent(new Event('input'))", selector, text)

    def press(self, selector, *keys):
        from selenium.webdriver.common.by import By
        from selenium.webdriver.common.keys import Keys

        self.driver.find_element(By.CSS_SELECTOR, selector).send_keys(*[getattr(Keys, key) for key in keys])

    def drag(self, selector, begin, end):
        """With the pointer, between two shares of the width of an element."""
        from selenium.webdriver.common.action_chains import ActionChains
        from selenium.webdriver.common.by import By

        element = self.driver.find_element(By.CSS_SELECTOR, selector)
        self.js("arguments[0].scrollIntoView({block: 'center'})", element)
        width = element.size["width"]
        ActionChains(self.driver).move_to_element_with_offset(element, int(width * (begin - 0.5)), 0).click_and_hold() \
            .move_to_element_with_offset(element, int(width * (end - 0.5)), 0).release().perform()

    def address(self):
        return self.js("return location.hash")

    def pixels(self, selector):
        """A hash of what a chart shows."""
        return self.js("return [...document.querySelectorAll(arguments[0] + ' canvas')].map(c => c.toDataURL()).join()", selector)

    def require_no_overflow(self):
        wide = self.js("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
        self.assertLessEqual(wide, 0, "the page is wider than the window")

    def require_accessible(self):
        if not AXE.exists():
            self.skipTest(f"there is no {AXE}: scripts/setup --browser brings axe")
        self.js(AXE.read_text(encoding="utf-8"))
        found = self.driver.execute_async_script("axe.run().then(r => arguments[0](r.violations.map("
                                                 "v => [v.impact, v.id, v.nodes.slice(0, 3).map(n => n.html.slice(0, 160))])))")
        self.assertEqual(found, [])
