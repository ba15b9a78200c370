"""The suites of the survey: where each is, how it is built, and which programs it has."""
import os
import pathlib
import re
import shutil
import subprocess
import tomllib

HERE = pathlib.Path(__file__).parent


class Suite:
    """A tree of programs. root is a checkout that is only read; copy is where programs are built."""

    def __init__(self, name, title, root, work, make, shared=(), libraries=(), sdk=None):
        self.name, self.title, self.root = name, title, root.resolve()
        self.copy = work / name
        self.make, self.sdk = make, sdk
        self.shared, self.libraries = shared, libraries
        self.build_seconds = 120
        emulator, model = os.environ.get("GT200_SURVEY_SECONDS", "120 240").split()
        self.run_seconds = {"emulator": int(emulator), "model": int(model)}

    def prepare(self, toolkit):
        """Copies what programs share and makes its libraries; None, or what went wrong."""
        for name in self.shared:
            shutil.rmtree(self.copy / name, ignore_errors=True)
            (self.copy / name).parent.mkdir(parents=True, exist_ok=True)
            copy = shutil.copytree if (self.root / name).is_dir() else shutil.copy
            copy(self.root / name, self.copy / name)
        for folder in self.libraries:
            made = subprocess.run(["make", "-C", self.copy / folder, f"CUDA_INSTALL_PATH={toolkit}"], capture_output=True,
                                  text=True)
            if made.returncode != 0:
                return made.stderr[-300:]
        return None

    def version(self):
        shown = subprocess.run(["git", "-C", self.root, "log", "-1", "--format=%h of %cs"], capture_output=True, text=True)
        return shown.stdout.strip() or "unknown"


def rodinia(root, work, sdk):
    suite = Suite("rodinia", "Rodinia 3.1", root, work,
                  ["CUDA_DIR={toolkit}", "CUDA_LIB_DIR={toolkit}/lib64", "SDK_DIR={sdk}/C"], shared=("common", "cuda/util"), sdk=sdk)
    # One Makefile names the suite by its place below the home folder.
    (work / "home").mkdir(parents=True, exist_ok=True)
    link = work / "home/rodinia_3.0"
    if not link.is_symlink():
        link.symlink_to(suite.copy)
    return suite, tomllib.loads((HERE / "rodinia.toml").read_text())["program"]


def rodinia_driver(root, work):
    suite = Suite("rodinia_driver", "Rodinia 2.0.1 for the driver API", root, work, ["CUDA_HOME={toolkit}", "CUDA_INC={toolkit}/include", "NVCCFLAGS=-O3 -use_fast_math -arch sm_13 -cubin"],
                  shared=("cuda/util", "cuda/lud/common"))
    entries = tomllib.loads((HERE / "rodinia_driver.toml").read_text())["program"]
    return suite, [{**entry, "driver": True} for entry in entries]


GRAPHICS = re.compile(r"^\s*USE(?:GLLIB|GLUT|RENDERCHECKGL|PARAMGL)\s*:?=\s*1", re.MULTILINE)
GRAPHICS_SOURCE = re.compile(r"#\s*include\s*[<\"](?:GL/|cutil_gl|cuda_gl|rendercheck)")


def has_graphics(folder):
    if GRAPHICS.search((folder / "Makefile").read_text(errors="replace")):
        return True
    sources = [p for p in folder.rglob("*") if p.suffix in (".c", ".cpp", ".cu", ".h", ".cuh")]
    return any(GRAPHICS_SOURCE.search(p.read_text(errors="replace")) for p in sources)


def sdk(name, title, root, work, only_besides=()):
    """Every folder with a Makefile and without graphics; those of only_besides are left to another edition of the SDK."""
    suite = Suite(name, title, root, work, ["CUDA_INSTALL_PATH={toolkit}"], shared=("shared", "C/common", "CUDALibraries/common"),
                  libraries=("shared", "C/common", "CUDALibraries/common"), sdk=root)
    settings = tomllib.loads((HERE / "sdk.toml").read_text())
    entries, graphics = [], []
    for part in ("C", "CUDALibraries"):
        for folder in sorted(p for p in (root / part / "src").iterdir() if (p / "Makefile").exists()):
            if folder.name in only_besides:
                continue
            if has_graphics(folder):
                graphics.append(folder.name)
                continue
            named = re.search(r"^EXECUTABLE\s*:?=\s*(\S+)", (folder / "Makefile").read_text(errors="replace"), re.MULTILINE)
            entries.append({"name": folder.name, "folder": f"{part}/src/{folder.name}",
                            "program": f"../../bin/linux/release/{named[1] if named else folder.name}",
                            **settings["options"], **settings["program"].get(folder.name, {})})
            entries[-1]["driver"] = bool(re.search(r"\bcu(?:Init|ModuleLoad\w*|CtxCreate|DeviceGetAttribute)\s*\(", text_of(folder)))
    return suite, entries, graphics


def text_of(folder):
    return "".join(p.read_text(errors="replace") for p in folder.rglob("*") if p.suffix in (".c", ".cpp", ".cu", "") and p.is_file())
