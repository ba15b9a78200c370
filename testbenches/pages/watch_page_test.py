"""--watch of run, sweep and exec: the page while they run."""
import http.client
import json
import re
import subprocess
import time
import unittest
import urllib.error
import urllib.request

from browser import GT200, ROOT, BrowserTest

# Ended by the tests, so that it is still running whatever the machine does meanwhile.
LONG = ["run", "kernels/reduce0", "--config", "gt200_small", "--param", "N=8388608"]
SHORT = ["run", "kernels/reduce0", "--config", "gt200_small", "--param", "N=16384"]
# Two short points, and two that the tests end.
STUDY = ["sweep", "kernels/reduce0", "--noise", "0", "--config", "gt200_small", "--set", "tpc.sm.scheduler.policy=lrr,gto", "--param", "N=16384,8388608",
         "--jobs", "2", "--no-cache"]
PROGRAM = """
__global__ void spin(unsigned* out) {
  unsigned x = threadIdx.x;
  for (int i = 0; i < 2000; ++i) x = x * 1664525u + 1013904223u;
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
#include <cstdio>
#include <cstdlib>
// The argument is the number of launches, or a file whose appearance ends the program.
int main(int, char** arguments) {
  const int launches = atoi(arguments[1]);
  unsigned* out;
  cudaMalloc(&out, 64 * 128 * sizeof(unsigned));
  for (int i = 0; launches == 0 || i < launches; ++i) {
    spin<<<64, 128>>>(out);
    if (cudaThreadSynchronize() != cudaSuccess) return 1;
    if (FILE* stop = launches == 0 ? fopen(arguments[1], "r") : nullptr) return fclose(stop);
  }
  return 0;
}
"""


def available():
    return (GT200.parent / "lib/gt200_watch.so").exists()


@unittest.skipUnless(available(), "built without libcpp-httplib-dev: scripts/setup --browser installs it")
class WatchPage(BrowserTest):
    def start(self, run, *more):
        process = subprocess.Popen([GT200, run[0], "--watch", *run[1:], *more], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, cwd=ROOT)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        line = process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        self.assertTrue(found, line)
        return process, int(found.group(1))

    def answer(self, port, address):
        self.assertTrue(address.startswith(f"http://127.0.0.1:{port}/points/"), address)
        with urllib.request.urlopen(address, timeout=60) as found:
            return found.read().decode()

    def cycles(self):
        return self.js("return data.time.ends[data.time.ends.length - 1]")

    def open_live(self, port):
        """Before there are figures, the browser comes back until there are."""
        self.driver.get(f"http://127.0.0.1:{port}/")
        self.wait("return document.getElementById('live') !== null")

    def wait(self, script):
        for _ in range(300):
            if self.js(script):
                return
            time.sleep(0.1)
        self.fail(f"never: {script}")

    def test_follows_the_run_and_keeps_its_end(self):
        process, port = self.start(LONG, "--out", self.folder / "watched")
        self.open_live(port)
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

    def test_follows_a_study_and_keeps_its_end(self):
        process, port = self.start([*STUDY, "--out", self.folder / "study"])
        self.open_live(port)
        self.wait("return /^Running\\. 2 of 4 points, about \\d+ s left$/.test(document.getElementById('live').textContent)")
        self.assertEqual(len(self.texts("table[data-name=points] tbody tr")), 4)
        self.assertIn("2 of 4 points have not ended", self.text(".hints"))
        self.assertEqual(len(self.texts("#study_heat canvas")), 1)
        self.require_accessible()
        links = self.js("return [...document.querySelectorAll('table[data-name=points] a')].map(a => a.href)")
        self.assertEqual(len(links), 2)
        for link in links:
            self.assertIn('"kind":"run"', self.answer(port, link))
        process.terminate()
        self.wait("return document.getElementById('live').textContent.includes('has ended')")
        self.assertEqual(process.wait(timeout=60), 130)
        self.assertIn("2 of 4 points have not ended", self.text(".hints"))

    def test_follows_a_cuda_program(self):
        (self.folder / "spin.cu").write_text(PROGRAM, encoding="utf-8")
        subprocess.run([GT200, "nvcc", "spin.cu", "-o", "spin"], cwd=self.folder, check=True)
        run = ["exec", "--quiet", "--config", "gt200_small"]
        stop = self.folder / "stop"
        process, port = self.start(run, "--out", self.folder / "watched_exec", self.folder / "spin", stop)
        self.open_live(port)
        self.assertRegex(self.text("#live"), r"Running\. launch \d+, .*spin.*: \d+ of 64 blocks")
        before = self.cycles()
        self.wait(f"return data.time.ends[data.time.ends.length - 1] > {before}")
        stop.touch()
        self.wait("return document.getElementById('live').textContent.includes('has ended')")
        launches = self.js("return data.launches.length")
        self.assertEqual(process.wait(timeout=60), 0)
        subprocess.run([GT200, *run, "--out", self.folder / "exec", self.folder / "spin", str(launches)], cwd=ROOT, check=True)
        watched, alone = (json.loads((self.folder / name / "stats.json").read_text(encoding="utf-8")) for name in ("watched_exec", "exec"))
        for member in ("launches", "over_time", "counters", "histograms"):
            self.assertEqual(watched[member], alone[member], member)

    def test_a_study_answers_for_its_points_alone(self):
        process, port = self.start([*STUDY, "--out", self.folder / "other_study"])
        for path in ("/points/../sweep.csv", "/points/", "/points/x/report.html", "/sweep.csv"):
            with self.assertRaises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=60)
            self.assertEqual(refused.exception.code, 404, path)
        process.terminate()
        self.assertEqual(process.wait(timeout=60), 130)

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
