"""Finds the program `gt200` and runs it: once per call, in a process group of its own, so that Ctrl-C reaches it in order."""
import os
import pathlib
import shutil
import signal
import subprocess

from .errors import InputError, error_of

_PLACES = ("../../gt200",          # build/python/gt200 -> build/gt200
           "../../../../bin/gt200")  # PREFIX/lib/python3.N/dist-packages/gt200 -> PREFIX/bin/gt200


def program():
    """The path of the program: $GT200_PROGRAM, that of this build or installation, or the one on PATH."""
    named = os.environ.get("GT200_PROGRAM")
    if named:
        if not os.access(named, os.X_OK) or os.path.isdir(named):
            raise InputError(f"{named}: GT200_PROGRAM is not a program")
        return named
    # Not resolved: in the build folder the sources are links.
    here = pathlib.Path(os.path.abspath(__file__)).parent
    for place in _PLACES:
        path = pathlib.Path(os.path.normpath(here / place))
        if path.is_file() and os.access(path, os.X_OK):
            return str(path)
    found = shutil.which("gt200")
    if found is None:
        raise InputError("the program gt200 is neither beside the package nor on PATH; set GT200_PROGRAM")
    return found


def message_of(text):
    """The line that the program prints about an error, without its name in front."""
    lines = [line for line in text.splitlines() if line.startswith("gt200: ")]
    return lines[-1][len("gt200: "):] if lines else text.strip()


def end_of(code):
    """What an exit code without a message says."""
    return f"the program was ended by signal {-code}" if code < 0 else f"the program ended with exit code {code}"


def call(words):
    """Runs `gt200 WORDS`. Returns exit code, standard output and standard error.

    Ctrl-C is passed on once: the run ends in order, and the exit code is 130. A second one ends the process at once.
    """
    process = subprocess.Popen([program(), *map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, errors="replace", process_group=0)
    try:
        out, err = process.communicate()
    except KeyboardInterrupt:
        process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate()
        except KeyboardInterrupt:
            process.kill()
            process.communicate()
            raise
        return 130, out, err
    except BaseException:
        process.kill()
        process.wait()
        raise
    return process.returncode, out, err


def output_of(words):
    """Standard output of `gt200 WORDS`; raises what the program says when its exit code is not 0."""
    code, out, err = call(words)
    if code != 0:
        raise error_of(code, message_of(err) or end_of(code))
    return out
