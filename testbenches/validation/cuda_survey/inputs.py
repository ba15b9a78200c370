"""Inputs that suites leave out, made as their programs read them: always the same numbers for the same words.

An input is written as 'KIND FILE NUMBER...'; its file is made below the working directory of the program.
"""
import math
import random


def make(words, at):
    kind, name, *numbers = words.split()
    path = at / name
    path.parent.mkdir(parents=True, exist_ok=True)
    KINDS[kind](path, random.Random(words), *[int(n) for n in numbers])


def graph(path, draw, nodes):
    """A random graph as Rodinia's bfs reads it: start and degree of each node, the source, targets with weights."""
    degrees = [draw.randint(1, 6) for _ in range(nodes)]
    lines, start = [str(nodes)], 0
    for degree in degrees:
        lines.append(f"{start} {degree}")
        start += degree
    lines += ["", "0", "", str(start)]
    lines += [f"{draw.randrange(nodes)} {draw.randint(1, 10)}" for _ in range(start)]
    path.write_text("\n".join(lines) + "\n")


def field(path, draw, count, low, high):
    """Numbers between two bounds, one a line."""
    path.write_text("".join(f"{draw.uniform(low, high):.6f}\n" for _ in range(count)))


def points(path, draw, count, features):
    """Points of some clusters as kmeans reads them: an id and the features."""
    centres = [[draw.uniform(0, 100) for _ in range(features)] for _ in range(5)]
    lines = [" ".join([str(n + 1)] + [f"{c + draw.gauss(0, 3):.3f}" for c in draw.choice(centres)]) for n in range(count)]
    path.write_text("\n".join(lines) + "\n")


def keys(path, draw, count):
    """Keys of a tree: how many, then each once."""
    path.write_text("\n".join([str(count)] + [str(k) for k in range(1, count + 1)]) + "\n")


def commands(path, draw, ranges, length, finds):
    """Commands of b+tree: ranges of a length, and finds."""
    path.write_text(f"j {ranges} {length}\nk {finds}\n")


def storms(path, draw, count):
    """Records of storms of 49 characters, as nn's own generator writes them."""
    names = ["ALBERTO", "BERYL", "CHRIS", "DEBBY", "ERNESTO"]
    lines = [f"{draw.randint(1950, 2004):4d} {draw.randint(1, 12):2d} {draw.randint(1, 28):2d} {draw.choice([0, 6, 12, 18]):2d} "
             f"{draw.randint(1, 28):2d} {draw.choice(names):<9s} {draw.uniform(7, 70):5.1f} {draw.uniform(0, 358):5.1f} "
             f"{draw.randint(10, 165):4d} {draw.randint(0, 899):4d}" for _ in range(count)]
    path.write_text("\n".join(lines) + "\n")


def lists(path, draw, files):
    """The list of nn's files of records."""
    path.write_text("".join(f"storms_{k}.db\n" for k in range(files)))


def image(path, draw, width, height):
    """A grey image in PGM text: smooth, with speckle."""
    values = [min(255, max(0, int(120 + 60 * math.sin(x / 17) * math.cos(y / 23) + draw.gauss(0, 12))))
              for y in range(height) for x in range(width)]
    path.write_text(f"P2\n{width} {height}\n255\n" + "\n".join(str(v) for v in values) + "\n")


def words(path, draw, count):
    """Words of 32 bits with few frequent bytes, as an encoder reads them."""
    path.write_bytes(bytes(min(255, int(draw.expovariate(0.08))) for _ in range(4 * count)))


def bitmap(path, draw, width, height):
    """Red, green and blue of each pixel, without a header."""
    path.write_bytes(bytes(min(255, max(0, int(128 + 90 * math.sin((x + 7 * c) / 29) * math.cos(y / 31) + draw.gauss(0, 6))))
                           for y in range(height) for x in range(width) for c in range(3)))


def floats(path, draw, count):
    path.write_text("".join(f"{draw.random():.6f}\n" for _ in range(count)))


def sequence(path, draw, count):
    """A genome in FASTA."""
    text = "".join(draw.choice("ACGT") for _ in range(count))
    path.write_text(">reference\n" + "\n".join(text[k:k + 70] for k in range(0, count, 70)) + "\n")


def queries(path, draw, count, length, size):
    """Parts of the genome that sequence() makes beside this file, some with an error."""
    text = "".join(random.Random(f"sequence reference.fna {size}").choice("ACGT") for _ in range(size))
    lines = []
    for n in range(count):
        start = draw.randrange(size - length)
        part = list(text[start:start + length])
        if n % 3 == 0:
            part[draw.randrange(length)] = draw.choice("ACGT")
        lines.append(f">query{n}\n{''.join(part)}")
    path.write_text("\n".join(lines) + "\n")


def mesh(path, draw, side):
    """A block of cubes as cfd reads it: volume, four neighbours (0: far field) and their outward normals, of a tetrahedral count."""
    count = side * side
    lines = [str(count)]
    for y in range(side):
        for x in range(side):
            cell = []
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                inside = 0 <= x + dx < side and 0 <= y + dy < side
                cell.append(f"{(y + dy) * side + x + dx + 1 if inside else -2} {-dx * 0.1:.3f} {-dy * 0.1:.3f} 0.0")
            lines.append(f"{0.01 * (1 + 0.1 * draw.random()):.6f} " + " ".join(cell))
    path.write_text("\n".join(lines) + "\n")


def state(path, draw, count):
    """Numbers near one, in rows of one."""
    path.write_text("".join(f"{draw.uniform(0.5, 1.5):.6f}\n" for _ in range(count)))


def equations(path, draw, size):
    """A system of linear equations as gaussian reads it: the size, the matrix, the right side."""
    rows = [" ".join(f"{draw.uniform(-1, 1) + (size if x == y else 0):.6f}" for x in range(size)) for y in range(size)]
    path.write_text("\n".join([str(size), "", *rows, "", " ".join(f"{draw.uniform(-1, 1):.6f}" for _ in range(size))]) + "\n")


KINDS = {k: v for k, v in globals().items() if callable(v) and not k.startswith("_") and k not in ("make",)}
