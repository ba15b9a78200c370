#!/usr/bin/env python3
"""options_on_pages PROGRAM [PAGE...]: pages name commands, options and keys of the configuration that the program has.

Looks at `gt200 ...` in code blocks and in text, and at names such as tpc.sm.limits.warps, on README and docs/*.md without
the records; prints what the program does not have.
"""
import functools
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = sys.argv[1]
PASSES_ON = ("nvcc",)  # takes the options of another program


@functools.lru_cache(maxsize=None)
def help_of(path):
    """Subcommands and options of a command, by its --help."""
    text = subprocess.run([PROGRAM, *path, "--help"], capture_output=True, text=True, check=True).stdout
    listed = text.partition("\nSubcommands:\n")[2].partition("\n\n")[0]
    options = set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", text.partition("\nOptions:\n")[2].partition("\nExit codes")[0]))
    return re.findall(r"^  (\S+)", listed, re.M), options


def commands_of(text):
    """The words behind the program's name, of each command."""
    blocks = re.findall(r"^ *```\w*\n(.*?)^ *```", text, re.M | re.S) + re.findall(r"(?:^    .*\n)+", text, re.M)
    texts = [re.sub(r"\\\n", " ", block) for block in blocks]
    texts += re.findall(r"`([^`\n]+)`", re.sub(r"^ *```.*?^ *```", "", text, flags=re.M | re.S))
    for one in texts:
        for command in re.split(r"\n|&&|\||;|\s#\s", one):
            words = command.replace("$ ", "").split()
            if words and words[0] in ("gt200", "build/gt200"):
                yield words[1:]


def complaints(words):
    path = []
    if words and re.fullmatch(r"[a-z]+", words[0]):  # commands that the list does not show included
        if help_of((words[0],)) == help_of(()):
            yield f"gt200 has no command {words[0]}"
            return
        path.append(words.pop(0))
    while words and words[0] in help_of(tuple(path))[0]:
        path.append(words.pop(0))
    if path and path[0] in PASSES_ON:
        return
    options = help_of(tuple(path))[1]
    for word in words:
        option = re.match(r"--?[a-z][\w-]*", word.strip("[](),'\""))
        if option and option.group(0) not in options:
            yield f"gt200 {' '.join(path)} has no option {option.group(0)}"


def known_keys():
    """Keys and groups of the configuration."""
    text = subprocess.run([PROGRAM, "config", "explain", "--json"], capture_output=True, text=True, check=True).stdout
    parts = [key.split(".") for key in json.loads(text)["keys"]]
    return {".".join(key[:n]) for key in parts for n in range(1, len(key) + 1)}


KEYS = known_keys()
# Not groups whose names members of C++ classes have too.
GROUPS = sorted({key.partition(".")[0] for key in KEYS} - {"chip", "command_processor"})
NAME = re.compile(rf"(?<![\w./$-])(?:{'|'.join(GROUPS)})(?:\.[a-z0-9_]+)+(?![\w(/*])")
COUNTERS = {"tpc.sm.icache.misses"}


def unknown_keys(text):
    for name in NAME.findall(text):
        if name not in KEYS and name not in COUNTERS and not name.endswith((".cpp", ".h")):
            yield f"the configuration has no key {name}"


pages = [pathlib.Path(name) for name in sys.argv[2:]] or [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
number = 0
wrong = []
for page in pages:
    content = page.read_text(encoding="utf-8")
    wrong += [f"{page.name}: {line}" for line in unknown_keys(content)]
    for words in commands_of(content):
        number += 1
        wrong += [f"{page.name}: {line}" for line in complaints(words)]
print("\n".join(dict.fromkeys(wrong)))
print(f"{number} commands on {len(pages)} pages")
sys.exit(bool(wrong) or number == 0)
