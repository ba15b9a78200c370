"""What the documents show is true: the examples of docs/python.md run, and the notebooks are kept with their outputs."""
import os
import re
import unittest

import matplotlib

matplotlib.use("Agg")

from support import ROOT, FolderTest


class DocumentsTest(FolderTest):
    def test_the_examples_of_the_page_run_in_their_order(self):
        (self.folder / "kernels").symlink_to(ROOT / "kernels")
        before = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, before)
        blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs/python.md").read_text(encoding="utf-8"), re.DOTALL)
        self.assertGreater(len(blocks), 4)
        names = {}
        for number, block in enumerate(blocks):
            with self.subTest(block=number):
                exec(compile(block, f"docs/python.md, block {number}", "exec"), names)
        self.assertTrue((self.folder / "first.png").is_file())
        self.assertIn(repr(names["run"].__class__.__name__), "'Run'")
        self.assertEqual(len(names["study"]), 16)

    def test_what_the_page_says_of_the_first_run(self):
        import gt200

        shown = re.search(r"# (Run\(matrix_mul: .*\))", (ROOT / "docs/python.md").read_text(encoding="utf-8")).group(1)
        self.assertEqual(repr(gt200.run(ROOT / "kernels/matrix_mul")), shown)

    def test_notebooks_have_their_outputs_and_no_errors(self):
        import nbformat

        notebooks = sorted((ROOT / "docs/notebooks").glob("*.ipynb"))
        self.assertEqual(len(notebooks), 3)
        for path in notebooks:
            with self.subTest(path.name):
                notebook = nbformat.read(path, as_version=4)
                nbformat.validate(notebook)
                outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
                self.assertFalse([o for o in outputs if o["output_type"] == "error"])
                self.assertFalse([o.get("text") for o in outputs if o.get("name") == "stderr"])
                self.assertGreaterEqual(sum("image/png" in o.get("data", {}) for o in outputs), 3)
                self.assertNotIn(str(ROOT), path.read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
