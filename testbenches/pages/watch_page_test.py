"""gt200 run --watch: the page of a run while it runs."""
import http.client
import json
import re
import subprocess
import time
import unittest

from browser import GT200, ROOT, BrowserTest

# Ended by the tests, so that it is still running whatever the machine does meanwhile.
LONG = ["run", "kernels/reduce0", "--config", "gt200_small", "--param", "N=8388608"]
SHORT = ["run", "kernels/reduce0", "--config", "gt200_small", "--param", "N=16384"]


def available():
    return (GT200.parent / "lib/gt200_watch.so").exists()


@unittest.skipUnless(available(), "built without libcpp-httplib-dev: scripts/setup --browser installs it")
class WatchPage(BrowserTest):
    def start(self, run, *more):
        process = subprocess.Popen([GT200, *run, "--watch", *more], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, cwd=ROOT)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        line = process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        self.assertTrue(found, line)
        return process, int(found.group(1))

    def cycles(self):
        return self.js("return data.time.ends[data.time.ends.length - 1]")

    def wait(self, script):
        for _ in range(300):
            if self.js(script):
                return
            time.sleep(0.1)
        self.fail(f"never: {script}")

    def test_follows_the_run_and_keeps_its_end(self):
        process, port = self.start(LONG, "--out", self.folder / "watched")
        self.driver.get(f"http://127.0.0.1:{port}/")
        self.assertIn("Running. reduce0:", self.text("#live"))
        before = self.cycles()
        panels = self.pixels("#panels")
        self.wait(f"return data.time.ends[data.time.ends.length - 1] > {before}")
        self.assertNotEqual(self.pixels("#panels"), panels)
        process.terminate()
        self.wait("return document.getElementById('live').textContent.includes('has ended')")
        self.assertEqual(process.wait(timeout=60), 130)
        stats = json.loads((self.folder / "watched/stats.json").read_text(encoding="utf-8"))
        self.assertEqual(self.cycles(), stats["over_time"]["core_cycles"][-1])

    def test_to_be_watched_does_not_change_the_run(self):
        process, port = self.start(SHORT, "--out", self.folder / "asked")
        answers = 0
        try:
            while True:
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
                connection.request("GET", "/data")
                answers += json.loads(connection.getresponse().read())["kind"] == "run"
                connection.close()
        except (OSError, http.client.HTTPException):  # it has ended
            pass
        self.assertGreater(answers, 0)
        self.assertEqual(process.wait(timeout=60), 0)
        subprocess.run([GT200, *SHORT, "--out", self.folder / "alone"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        asked, alone = (json.loads((self.folder / name / "stats.json").read_text(encoding="utf-8")) for name in ("asked", "alone"))
        for member in ("launches", "over_time", "counters", "histograms"):
            self.assertEqual(asked[member], alone[member], member)

    def test_is_read_only_and_answers_this_machine_alone(self):
        process, port = self.start(LONG)

        def status(path, method="GET", host=None):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            connection.putrequest(method, path, skip_host=True)
            connection.putheader("Host", host or f"127.0.0.1:{port}")
            connection.endheaders()
            try:
                return connection.getresponse().status
            finally:
                connection.close()

        self.assertEqual(status("/data"), 200)
        self.assertEqual(status("/etc/passwd"), 404)
        self.assertEqual(status("/../../etc/passwd"), 404)
        self.assertEqual(status("/data", host="example.org"), 403)
        self.assertIn(status("/data", method="POST"), (400, 404, 405))
        process.terminate()

    def test_a_port_that_is_taken_is_refused(self):
        _, port = self.start(LONG)
        again = subprocess.run([GT200, *SHORT, "--watch", "--watch-port", str(port)], capture_output=True, text=True, cwd=ROOT)
        self.assertEqual(again.returncode, 1)
        self.assertIn(f"port {port} of 127.0.0.1 is taken", again.stderr)


if __name__ == "__main__":
    unittest.main()
