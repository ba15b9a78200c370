"""The package as it is installed: it is found, and finds its program."""
import os
import pathlib
import subprocess
import unittest

from support import ROOT, SMALL, FolderTest

BUILD = pathlib.Path(os.environ.get("GT200_BUILD", ROOT / "build"))
KERNEL = str(ROOT / "kernels/vector_add")
CODE = f"import gt200; print(gt200.__file__); print(gt200.run({KERNEL!r}, config={SMALL!r}, params={{'N': 256}}).passed)"


class InstallTest(FolderTest):
    def setUp(self):
        super().setUp()
        subprocess.run([os.environ.get("GT200_CMAKE", "cmake"), "--install", BUILD, "--prefix", self.folder, "--component",
                        "python"], check=True, stdout=subprocess.DEVNULL)
        self.package = next(self.folder.glob("lib/python3*/dist-packages"))

    def python(self, **environment):
        plain = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(self.package), "HOME": str(self.folder)}
        return subprocess.run(["/usr/bin/python3", "-c", CODE], env={**plain, **environment}, capture_output=True, text=True)

    def test_holds_no_links_into_the_sources(self):
        files = list((self.package / "gt200").iterdir())
        self.assertIn("__init__.py", [file.name for file in files])
        self.assertFalse([file for file in files if file.is_symlink()])

    def test_uses_the_program_of_its_prefix(self):
        (self.folder / "bin").mkdir()
        (self.folder / "bin/gt200").symlink_to(BUILD / "gt200")
        done = self.python()
        self.assertEqual(done.stdout.splitlines(), [str(self.package / "gt200/__init__.py"), "True"], done.stderr)

    def test_uses_the_program_on_the_path_or_a_named_one(self):
        self.assertIn("True", self.python(PATH=f"{BUILD}:/usr/bin").stdout)
        self.assertIn("True", self.python(GT200_PROGRAM=str(BUILD / "gt200")).stdout)

    def test_says_what_is_missing(self):
        self.assertIn("gt200.errors.InputError: the program gt200 is neither beside the package nor on PATH; set GT200_PROGRAM",
                      self.python().stderr)
        self.assertIn("/nowhere: GT200_PROGRAM is not a program", self.python(GT200_PROGRAM="/nowhere").stderr)


if __name__ == "__main__":
    unittest.main()
