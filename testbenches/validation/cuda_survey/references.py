"""Results of programs that do not check themselves, compared with calculations of this file.

A function takes the working directory, what the program printed and its arguments, and gives (result, detail).
"""
import re
from collections import deque

NUMBER = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?|[-+]?nan|[-+]?inf", re.IGNORECASE)


def same_numbers(mine, theirs, tolerance):
    """Whether two texts have the same numbers, each within tolerance of the largest magnitude of the text."""
    a, b = ([float(n) for n in NUMBER.findall(text)] for text in (mine, theirs))
    if len(a) != len(b):
        return False, f"{len(a)} numbers, the reference has {len(b)}"
    if not a:
        return False, "no numbers"
    scale = max(abs(n) for n in b) or 1
    worst = max(abs(x - y) if x == x and y == y else float("inf") for x, y in zip(a, b))
    return worst <= tolerance * scale, f"differs by {worst:g} at values up to {scale:g}"


def _answer(good, detail):
    return ("right" if good else "wrong"), ("reference" if good else detail)


def bfs(at, text, arguments):
    """Distances in result.txt, by a search in breadth."""
    words = iter((at / arguments[-1]).read_text().split())
    count = int(next(words))
    nodes = [(int(next(words)), int(next(words))) for _ in range(count)]
    source, edges = int(next(words)), int(next(words))
    targets = [(int(next(words)), int(next(words)))[0] for _ in range(edges)]
    distance = [-1] * count
    distance[source] = 0
    queue = deque([source])
    while queue:
        node = queue.popleft()
        start, degree = nodes[node]
        for target in targets[start:start + degree]:
            if distance[target] < 0:
                distance[target] = distance[node] + 1
                queue.append(target)
    got = [int(n) for n in re.findall(r"cost:(-?\d+)", (at / "result.txt").read_text())]
    return _answer(got == distance, f"{sum(a != b for a, b in zip(got, distance))} distances of {count} differ")


def pathfinder(at, text, arguments):
    """The cheapest way to each column, from the printed costs."""
    columns, rows = int(arguments[0]), int(arguments[1])
    lines = [[int(n) for n in line.split()] for line in text.splitlines()
             if re.fullmatch(r"(?:\d+ ){%d}" % columns, line)]
    if len(lines) < rows + 1:
        return "wrong", "prints no costs"
    best = lines[0]
    for row in lines[1:rows]:
        best = [cost + min(best[max(0, k - 1):k + 2]) for k, cost in enumerate(row)]
    return _answer(lines[-1] == best, f"{sum(a != b for a, b in zip(lines[-1], best))} of {columns} differ")


def nearest(at, text, arguments):
    """The nearest records of all, from the files."""
    wanted = int(arguments[arguments.index("-r") + 1])
    lat, lng = (float(arguments[arguments.index(word) + 1]) for word in ("-lat", "-lng"))
    distances = []
    for name in (at / arguments[0]).read_text().split():
        for line in (at / name).read_text().splitlines():
            distances.append(((lat - float(line[28:33])) ** 2 + (lng - float(line[33:38])) ** 2) ** 0.5)
    got = [float(n) for n in re.findall(r"Distance=([\d.]+)", text)]
    expected = sorted(distances)[:wanted]
    return _answer(len(got) == wanted and all(abs(a - b) < 1e-3 for a, b in zip(got, expected)), f"{got}, not {expected}")


def accuracy(at, text, arguments):
    """A printed deviation from a calculation of the program's own on the CPU, with values of some hundreds."""
    found = re.search(r"Accuracy: ([-\d.e+]+)", text)
    return _answer(found and float(found[1]) < 1e-2, "Accuracy " + (found[1] if found else "is not printed"))


def hotspot(at, text, arguments):
    """Temperatures in the output file: the steps of the documented difference equation."""
    size, steps = int(arguments[0]), int(arguments[2])
    t, p = ([float(n) for n in (at / arguments[k]).read_text().split()] for k in (3, 4))
    thick, capacity, k_si, amb, width = 0.0005, 0.5, 100.0, 80.0, 0.016
    grid = width / size
    cap = capacity * 1.75e6 * thick * grid * grid
    r = grid / (2.0 * k_si * thick * grid)
    rz = thick / (k_si * grid * grid)
    slope = 3.0e6 / (capacity * 1.75e6 * thick)
    step = 0.001 / slope
    for _ in range(steps):
        new = []
        for y in range(size):
            for x in range(size):
                c = t[y * size + x]
                n, s = t[max(0, y - 1) * size + x], t[min(size - 1, y + 1) * size + x]
                w, e = t[y * size + max(0, x - 1)], t[y * size + min(size - 1, x + 1)]
                new.append(c + step / cap * (p[y * size + x] + (n + s - 2 * c) / r + (e + w - 2 * c) / r + (amb - c) / rz))
        t = new
    got = [float(line.split()[1]) for line in (at / arguments[5]).read_text().splitlines() if len(line.split()) == 2]
    worst = max((abs(a - b) for a, b in zip(got, t)), default=float("inf"))
    return _answer(len(got) == size * size and worst < 1e-2, f"a temperature differs by {worst:g}")


def lud(at, text, arguments):
    """Its own check prints 'dismatch' for every element that differs from the product of the factors."""
    verified = ">>>Verify<<<<" in text
    return ("wrong", "dismatch" if verified else "did not verify") if "dismatch" in text or not verified else ("right", "own check")


def centres(at, text, arguments):
    """Of the printed centres each is the mean of the points that are nearest to it, as far as two decimals say."""
    rows = [[float(n) for n in line.split()[1:]] for line in (at / arguments[-1]).read_text().splitlines()]
    found = [[float(n) for n in line.split()] for line in re.findall(r"(?m)^\d+: *(.*)$", text)]
    if not found or any(len(c) != len(rows[0]) for c in found):
        return "wrong", f"prints {len(found)} centres"
    members = [[] for _ in found]
    for row in rows:
        distances = [sum((a - b) ** 2 for a, b in zip(row, centre)) for centre in found]
        members[distances.index(min(distances))].append(row)
    worst = max(abs(c - sum(column) / len(column)) for centre, points in zip(found, members) if points
                for c, column in zip(centre, zip(*points)))
    # The program stops before the last point has moved.
    return _answer(worst < 1.0, f"a centre is {worst:g} away from the mean of its points")


def wavelets(at, text, arguments):
    """Three components of a picture, by the 5/3 transform of JPEG 2000, in three files of bytes. Columns come first, and
    divisions round to zero, as those of C do."""
    width, height = (int(n) for n in arguments[arguments.index("-d") + 1].split("x"))
    levels = int(arguments[arguments.index("-l") + 1])
    name = arguments[0]
    pixels = (at / "../../data/dwt2d" / name).resolve().read_bytes()
    for component, letter in enumerate("rgb"):
        plane = [[pixels[3 * (y * width + x) + component] - 128 for x in range(width)] for y in range(height)]
        w, h = width, height
        for _ in range(levels):
            columns = [_lift(list(column)) for column in zip(*[row[:w] for row in plane[:h]])]
            for y, row in enumerate(zip(*columns)):
                plane[y][:w] = _lift(list(row))
            w, h = (w + 1) // 2, (h + 1) // 2
        file = at / f"{name}.dwt.{letter}"
        if not file.exists():
            return "wrong", f"no file {file.name}"
        got = file.read_bytes()
        wanted = bytes(min(255, max(0, v + 128)) for row in plane for v in row)
        # The file is not cut off when it is written: it may be longer.
        if got[:len(wanted)] != wanted:
            return "wrong", f"{sum(a != b for a, b in zip(got, wanted))} of {len(wanted)} coefficients of {letter} differ"
    return "right", "reference"


def _lift(row):
    """Low, then high coefficients of one line."""
    n = len(row)
    at = lambda values, k: values[-k if k < 0 else 2 * (n - 1) - k if k > n - 1 else k]
    high = {k: row[k] - int((at(row, k - 1) + at(row, k + 1)) / 2) for k in range(1, n, 2)}
    odd = lambda k: high[-k if k < 0 else 2 * (n - 1) - k if k > n - 1 else k]
    low = [row[k] + int((odd(k - 1) + odd(k + 1) + 2) / 4) for k in range(0, n, 2)]
    return low + [high[k] for k in range(1, n, 2)]
