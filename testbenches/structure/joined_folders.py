#!/usr/bin/env python3
"""Checks that the source files of a folder can be compiled together, in whatever batches.

joined_folders.py BUILD TARGET... [--add FOLDER FILE]...

For each folder of each target (BUILD/unity/TARGET.txt lists the files), one file that includes all sources of the folder
is parsed with the options of the target, and nothing is generated. What fails is a folder in which two files collide,
for example by two functions of one name in their anonymous namespaces. --add also puts FILE into the sources of FOLDER.
"""
import argparse
import concurrent.futures
import json
import os
import shlex
import subprocess
import sys
import tempfile


def folders_of(build, target):
    """Source files of the target by folder, in the order in which batches take them."""
    folders = {}
    with open(os.path.join(build, "unity", target + ".txt"), encoding="utf-8") as listed:
        for file in listed.read().split():
            folders.setdefault(os.path.dirname(file), []).append(file)
    return folders


def parser_of(commands, target):
    """The compiler and its options for a source file of the target, parsing only; without the file."""
    inside = f"/{target}.dir/"
    entry = next(e for e in commands if inside in e["command"])
    words = shlex.split(entry["command"])
    words = words[: words.index("-c")]
    output = words.index("-o")
    del words[output : output + 2]
    return words + ["-fsyntax-only"], entry["directory"]


def check(folder, files, command, directory):
    """The compiler's messages on the files as one; empty if there are none."""
    with tempfile.NamedTemporaryFile("w", suffix=".cpp", encoding="utf-8") as joined:
        joined.writelines(f'#include "{file}"\n' for file in files)
        joined.flush()
        run = subprocess.run(command + [joined.name], cwd=directory, capture_output=True, text=True, check=False)
    return f"{folder}: its files collide\n{run.stderr}" if run.returncode != 0 else ""


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("build")
    arguments.add_argument("targets", nargs="+")
    arguments.add_argument("--add", nargs=2, action="append", default=[], metavar=("FOLDER", "FILE"))
    given = arguments.parse_args()
    with open(os.path.join(given.build, "compile_commands.json"), encoding="utf-8") as file:
        commands = json.load(file)
    jobs = []
    for target in given.targets:
        command, directory = parser_of(commands, target)
        for folder, files in folders_of(given.build, target).items():
            files += [os.path.abspath(file) for to, file in given.add if os.path.abspath(to) == folder]
            if len(files) > 1:
                jobs.append((folder, files, command, directory))
    for to, _ in given.add:
        if os.path.abspath(to) not in [job[0] for job in jobs]:
            sys.exit(f"joined_folders: no folder {to} in {' '.join(given.targets)}")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        messages = [message for message in pool.map(lambda job: check(*job), jobs) if message]
    print("\n".join(messages), file=sys.stderr)
    print(f"{len(jobs)} folders of {len(given.targets)} libraries and programs: {len(messages)} with collisions")
    sys.exit(1 if messages else 0)


if __name__ == "__main__":
    main()
