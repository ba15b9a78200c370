"""Errors of the package, one class for each exit code of the program `gt200`.

The text is the line the program prints, without its name. `code` is the exit code; `report` is the whole explanation,
of a hang for example; `results` are the figures up to that moment, if there are any.
"""


class Error(Exception):
    """Anything the program refuses or a run ends with. The base of all others."""

    code = 70

    def __init__(self, report, results=None):
        super().__init__(one_line(report))
        self.report = report
        self.results = results


class InputError(Error, ValueError):
    """A file, a configuration or a value is wrong; nothing has run (exit code 1)."""

    code = 1


class UsageError(Error, ValueError):
    """Options that do not go together (exit code 2)."""

    code = 2


class WrongResult(Error):
    """The kernel ran to its end and left another result than expected, or the checker found a difference (exit code 3)."""

    code = 3


class Fault(Error):
    """The simulated program faulted (exit code 4)."""

    code = 4


class Hang(Error):
    """Nothing moves any more (exit code 5); `report` says what waits for what."""

    code = 5


class LimitReached(Error):
    """A limit is used up: that of cycles, or that of the passes of a step (exit code 6)."""

    code = 6


class InternalError(Error):
    """A defect of the simulator (exit code 70)."""

    code = 70


class OutOfResources(Error):
    """This computer or a limit gives no more memory, processes or open files (exit code 71)."""

    code = 71


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended the run in order (exit code 130); `results` are complete up to that moment."""

    code = 130

    def __init__(self, report="interrupted", results=None):
        super().__init__(report)
        self.report = report
        self.results = results


_CLASSES = {cls.code: cls for cls in (InputError, UsageError, WrongResult, Fault, Hang, LimitReached, InternalError,
                                      OutOfResources, Interrupted)}


def one_line(report):
    """The first line; a first line that is only a title ("HANG") takes the second one with it."""
    lines = [line.strip() for line in str(report).strip().splitlines()] or [""]
    return f"{lines[0]}: {lines[1]}" if len(lines) > 1 and lines[0].isupper() and " " not in lines[0] else lines[0]


def error_of(code, report, results=None):
    """The error for an exit code of the program."""
    return _CLASSES.get(int(code), InternalError)(report, results)
