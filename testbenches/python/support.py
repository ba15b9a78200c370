"""What tests of the package share."""
import pathlib
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
VECTOR_ADD = ROOT / "kernels/vector_add/vector_add.s"
SMALL = "gt200_small"


class FolderTest(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gt200-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def program(self, body, name="k.s"):
        """An assembly program with one kernel 'k', whose parameter is an address."""
        path = self.folder / name
        path.write_text(f".entry k\n.param u32 out\n{body}.end\n", encoding="utf-8")
        return path


ENDLESS = "again:\n    bra again\n    exit nop\n"
WRITES_OUTSIDE = "    mov b32 $r1 0x70000000\n    exit st b32 g14[$r1] $r1\n"
