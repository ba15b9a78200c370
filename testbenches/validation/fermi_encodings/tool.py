"""The project's own programs that this measurement runs, and the programs of others."""
import collections
import json
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[3]
TOOL = ROOT / "build/testbenches/validation/fermi_encodings"

listed = collections.namedtuple("listed", "row name text words reason")


def run(*command, text=""):
    done = subprocess.run([str(word) for word in command], input=text, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{command[0]}: {done.stderr.strip()}")
    return done.stdout.splitlines()


def build():
    subprocess.run([ROOT / "scripts/build", "release", "fermi_encodings"], check=True, stdout=2)


def asked_of_emitter(program, count):
    return [json.loads(line) for line in run(program, count)]


def our_listing(words):
    """By row, name, text, words of that text, reason of a refusal."""
    return [listed(*line.split("\t")) for line in run(TOOL, "list", text="\n".join(words) + "\n")]


def beside_envydis(program, words):
    """Pairs of listings, ours and envydis's."""
    return [tuple(line.split("\t")) for line in run(TOOL, "envydis", program, text="\n".join(words) + "\n")]


def generated(per_row):
    return run(TOOL, "generated", per_row)


def compiled(folder):
    """The number of kernels, and their distinct words."""
    first, *words = run(TOOL, "cubins", folder)
    return int(first.split()[1]), words


def release(emitter):
    """What the checkout of Mesa calls itself, with a blank behind it."""
    file = emitter.resolve().parent / "VERSION"
    return file.read_text().strip() + ", " if file.exists() else ""


def version(path):
    """Commit and date of the checkout that a file or folder is in."""
    folder = path if path.is_dir() else path.parent
    done = subprocess.run(["git", "-C", folder, "log", "-1", "--format=%h of %cs"], capture_output=True, text=True)
    return done.stdout.strip() or "unknown"
