"""Published figures of G80 and GT200 that no parameter was tuned to: what was measured, and how it is measured here.

Long runs of the silicon are replaced by the difference of two short ones, which has no start and no end of a grid.
"""
import cmath
import dataclasses
import math
import random
import typing

from simulate import failure, launch, parameters, run

GEMS_31 = "Nyland, Harris and Prins, GPU Gems 3, chapter 31, figure 31-7"
GEMS_39 = "Harris, Sengupta and Owens, GPU Gems 3, chapter 39 (quoted from memory)"
TUTORIAL = "NVIDIA, Tutorial CUDA, 2008, coalescing: timing results"
TUTORIAL_MEMORY = "NVIDIA, Tutorial CUDA, 2008 (quoted from memory)"
HARRIS = "Harris, Optimizing Parallel Reduction in CUDA, 2007"
HISTOGRAM = "Podlozhnyuk, Histogram calculation in CUDA, white paper of the SDK"
MONTE_CARLO = "Podlozhnyuk and Harris, Monte Carlo option pricing, white paper of the SDK"
BLACK_SCHOLES = "NVIDIA's developer forum, thread 880: the SDK's sample"
FITTING_FFT = "Volkov and Kazian, Fitting FFT onto the G80 architecture, 2008, abstract"
FFT_SC08 = "Volkov, SC 2008 poster, abstract: up to"
STONE = "Stone et al., J. Comput. Chem. 28, 2007 (quoted from memory)"
CPOTENTIAL = "cpotential test codes, University of Illinois, README of 2007"
RYOO = "Ryoo et al., PPoPP 2008 (quoted from memory)"
GUIDE = "CUDA C Best Practices Guide 2.3, optimising C = AB and C = AA^T (quoted from memory)"
MISALIGNED = "CUDA C Best Practices Guide 4.2, effects of misaligned accesses"
PYRIT = "Pyrit's issue tracker, number {}: output of its benchmark"
BELL = "Bell and Garland, NVR-2008-004, abstract"
SEPARABLE = "Podlozhnyuk, Image convolution with CUDA, white paper of the SDK"
VOLKOV = "Volkov and Demmel, SC 2008 (quoted from memory)"

G80 = ("g80", [])
C870 = ("g80", ["clocks.memory_mhz=800"])  # Tesla C870: the chip of the 8800 GTX, slower memory
GTX_280 = ("gt200", [])
GTX_295 = ("gt200", ["clocks.shader_mhz=1242", "clocks.uncore_mhz=576", "clocks.memory_mhz=999", "chip.partitions=7"])
# GeForce 9800 GTX+: the SMs of the 8800 GTX at a higher clock, 256 bits of memory
GTX_9800 = ("g80", ["clocks.shader_mhz=1836", "clocks.uncore_mhz=738", "clocks.memory_mhz=1100", "chip.partitions=4",
                    "chip.compute_capability=1.1"])


@dataclasses.dataclass
class figure:
    id: str
    what: str
    published: float
    source: str
    board: tuple
    measure: typing.Callable  # of the board; returns the value
    ruled_out_by: str = ""  # the figure whose published value cannot hold together with this one


def near(ours, expected, relative, what):
    if not abs(ours - expected) <= relative * max(abs(expected), 1e-6):
        raise failure(f"{what}: {ours} instead of {expected}")


def times_of(board, *args, **kwargs):
    return run(board[0], board[1], *args, **kwargs)


# ---- the tutorial's coalescing experiment, microseconds


def increment(entry, blocks, block_words):
    words = blocks * block_words

    def measure(board):
        done = times_of(board, "increment.cu", launch(blocks, 256, [f"data:f32[{words}]=iota"], entry), {"data": "f32"})
        for i in range(0, words, 1021):
            stays = entry == "increment_partly" and i % 16 in (2, 9)
            near(done.buffers["data"][i], i if stays else i + 1, 0, f"{entry}, word {i}")
        return 1e6 * done.duration

    return measure


# ---- version 7 of the reduction, GB/s read: the difference of two sizes, so that the host's time drops out


def reduction_7(board):
    less, more = 1 << 22, 1 << 25
    seconds = [times_of(board, "../../../kernels/reduction/nvcc_reduce7.toml", parameters(N=n)).duration for n in (less, more)]
    return 1e-9 * 4 * (more - less) / (seconds[1] - seconds[0])


# ---- copies from a word on, GB/s read and written


def offset_copy(offset, words=1 << 22):
    def measure(board):
        arguments = [f"out:f32[{words + 64}]", f"in:f32[{words + 64}]=iota", f"s32={offset}"]
        done = times_of(board, "offset_copy.cu", launch(words // 256, 256, arguments), {"out": "f32"})
        for i in range(offset, words, 1021):
            near(done.buffers["out"][i], i, 0, f"word {i}")
        return 1e-9 * 8 * words / done.duration

    return measure


# ---- transposes by 16 x 16, milliseconds


def transpose(entry, width, height):
    words = width * height

    def measure(board):
        arguments = [f"out:f32[{words}]", f"in:f32[{words}]=iota", f"s32={width}", f"s32={height}"]
        done = times_of(board, "transpose_16.cu", launch((width // 16, height // 16), (16, 16), arguments, entry),
                        {"out": "f32"})
        for i in range(0, words, 1021):
            near(done.buffers["out"][i], (i % height) * width + i // height, 0, f"{entry}, word {i}")
        return 1e3 * done.duration

    return measure


# ---- a convolution by rows and columns, megapixels a second of both


def separable(radius, size=1536):
    taps = [n / 32 for n in (1, 2, 1, 3, 1, 2, 1, 4, 8, 2, 1, 1, 1, 1, 1, 1, 1)]
    words = size * size

    def measure(board):
        arguments = [f"out:f32[{words}]", f"in:f32[{words}]=iota", f"s32={size}"]
        rows = times_of(board, "separable.cu",
                        launch((size // 128, size), 16 + 128 + radius, arguments, f"rows_{radius}"), {"out": "f32"})
        columns = times_of(board, "separable.cu",
                           launch((size // 16, size // 48), (16, 8), arguments + [f"s32={size}"], f"columns_{radius}"),
                           {"out": "f32"})
        for i in range(0, words, 10211):
            for done, place, stride in ((rows, i % size, 1), (columns, i // size, size)):
                expected = sum((i + k * stride) * taps[8 - k] for k in range(-radius, radius + 1)
                               if 0 <= place + k < size)
                near(done.buffers["out"][i], expected, 1e-5, f"radius {radius}, word {i}")
        return 1e-6 * words / (rows.duration + columns.duration)

    return measure


# ---- n-body with tiles of p bodies, GFLOP/s of 20 operations per interaction


def nbody(p, bodies=16384):
    def once(board, sources):
        arguments = [f"acc:f32[{4 * bodies}]", f"pos:f32[{4 * bodies}]=random", f"s32={sources}", f"s32={p}"]
        done = times_of(board, "nbody_tiles.s", launch(bodies // p, p, arguments, shared=16 * p), {"acc": "f32", "pos": "f32"})
        position, body = done.buffers["pos"], 4 * 1234
        expected = 0.0
        for k in range(0, 4 * sources, 4):
            d = [position[k + i] - position[body + i] for i in range(3)]
            expected += d[0] * position[k + 3] * (sum(x * x for x in d) + 0.01) ** -1.5
        near(done.buffers["acc"][body], expected, 1e-3, f"acceleration with tiles of {p}")
        return done.duration

    return lambda board: 1e-9 * 20 * bodies * 512 / (once(board, 768) - once(board, 256))


# ---- histograms, GB/s of bytes counted


def histogram_64(board):
    def once(blocks):
        words = 63 * 192 * blocks
        values = random.Random(12345).randbytes(4 * words)
        arguments = [f"out:u32[{64 * blocks}]", f"data:u32[{words}]", "s32=63"]
        done = times_of(board, "histogram_64.cu", launch(blocks, 192, arguments), {"out": "u32"}, {"data": values})
        for bin_ in (0, 17, 63):
            near(sum(done.buffers["out"][bin_::64]), sum(values.count(4 * bin_ + i) for i in range(4)), 0, f"bin {bin_}")
        return done.duration

    return 1e-9 * 32 * 63 * 192 * 4 / (once(64) - once(32))


def histogram_256(board):
    def once(words):
        values = random.Random(12345).randbytes(4 * words)
        arguments = ["out:u32[16384]", f"data:u32[{words}]", f"s32={words}"]
        done = times_of(board, "histogram_256.cu", launch(64, 192, arguments), {"out": "u32"}, {"data": values})
        for bin_ in (0, 17, 255):
            near(sum(done.buffers["out"][bin_::256]), values.count(bin_), 0, f"bin {bin_}")
        return done.duration

    step = 64 * 192 * 8
    return 1e-9 * 4 * step / (once(2 * step) - once(step))


# ---- options


def monte_carlo(board):
    """Options priced per second with 32 million paths each."""
    options = 12

    def once(paths):
        threads = 16 * 256
        arguments = [f"sums:f32[{2 * options * threads}]", f"samples:f32[{paths}]=random",
                     f"options:f32[{4 * options}]=random", f"s32={paths}"]
        done = times_of(board, "monte_carlo.cu", launch((16, options), 256, arguments),
                        {"sums": "f32", "samples": "f32", "options": "f32"})
        s, x, drift, deviation = done.buffers["options"][4:8]
        expected = sum(max(0.0, s * math.exp(drift + deviation * r) - x) for r in done.buffers["samples"][77::threads])
        near(done.buffers["sums"][2 * (threads + 77)], expected, 1e-3, "sum of payoffs")
        return done.duration

    return options * 262144 / (once(524288) - once(262144)) / 32e6


def black_scholes(board):
    """10^9 options per second, call and put counted each."""

    def once(n):
        arguments = [f"{name}:f32[{n}]" for name in ("call", "put")]
        arguments += [f"{name}:f32[{n}]=random" for name in ("price", "strike", "years")]
        arguments += ["f32=0.02", "f32=0.3", f"s32={n}"]
        done = times_of(board, "black_scholes_loop.cu", launch(480, 128, arguments),
                        {name: "f32" for name in ("call", "price", "strike", "years")})
        s, x, t = (done.buffers[name][1000] for name in ("price", "strike", "years"))
        d1 = (math.log(s / x) + (0.02 + 0.5 * 0.3**2) * t) / (0.3 * math.sqrt(t))
        normal = [0.5 * (1 + math.erf(d / math.sqrt(2))) for d in (d1, d1 - 0.3 * math.sqrt(t))]
        near(done.buffers["call"][1000], s * normal[0] - x * math.exp(-0.02 * t) * normal[1], 1e-3, "price of a call")
        return done.duration

    step = 480 * 128 * 4
    return 1e-9 * 2 * step / (once(2 * step) - once(step))


# ---- transforms of 512 points, GFLOP/s of 5 n log2 n operations


def fft(waves):
    def measure(board):
        def once(blocks):
            arguments = [f"{name}:f32[{1024 * blocks}]{init}" for name, init in (("out", ""), ("in", "=random"))]
            done = times_of(board, "fft_512.cu", launch(blocks, 64, arguments), {"out": "f32", "in": "f32"})
            first = 1024 * (blocks - 1)
            values = [complex(done.buffers["in"][first + 2 * i], done.buffers["in"][first + 2 * i + 1]) for i in range(512)]
            for k in (0, 1, 100, 511):
                expected = sum(v * cmath.exp(-2j * cmath.pi * i * k / 512) for i, v in enumerate(values))
                ours = complex(done.buffers["out"][first + 2 * k], done.buffers["out"][first + 2 * k + 1])
                if abs(ours - expected) > 2e-2:
                    raise failure(f"output {k} of a transform: {ours} instead of {expected}")
            return done.duration

        return 1e-9 * 4 * waves * 5 * 512 * 9 / (once(8 * waves) - once(4 * waves))

    return measure


# ---- keys of WPA, per second: two blocks of PBKDF2, each of 4096 rounds


def hash_of(state, text):
    """SHA-1 of a last block of 20 bytes, from a state on."""

    def rotate(x, n):
        return (x << n | x >> (32 - n)) & 0xFFFFFFFF

    w = list(text) + [0x80000000] + 9 * [0] + [672]
    for t in range(16, 80):
        w.append(rotate(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1))
    a, b, c, d, e = state
    for t in range(80):
        f, k = ((b & c | ~b & d, 0x5A827999), (b ^ c ^ d, 0x6ED9EBA1), (b & c | b & d | c & d, 0x8F1BBCDC),
                (b ^ c ^ d, 0xCA62C1D6))[t // 20]
        a, b, c, d, e = (rotate(a, 5) + (f & 0xFFFFFFFF) + e + k + w[t]) & 0xFFFFFFFF, a, rotate(b, 30), c, d
    return [(x + y) & 0xFFFFFFFF for x, y in zip(state, (a, b, c, d, e))]


def wpa_keys(blocks_per_sm):
    def measure(board):
        threads = 64 * blocks_per_sm * (30 if board[0] == "gt200" else 16)

        def once(rounds):
            states = random.Random(12345).randbytes(60 * threads)
            arguments = [f"keys:u32[{5 * threads}]", f"states:u32[{15 * threads}]", f"s32={threads}", f"s32={rounds}"]
            done = times_of(board, "pbkdf2.cu", launch(threads // 64, 64, arguments), {"keys": "u32"},
                            {"states": states})
            words = [int.from_bytes(states[4 * (k * threads + 77):][:4], "little") for k in range(15)]
            last = key = words[10:]
            for _ in range(rounds):
                last = hash_of(words[5:10], hash_of(words[:5], last))
                key = [x ^ y for x, y in zip(key, last)]
            for k in range(5):
                near(done.buffers["keys"][k * threads + 77], key[k], 0, f"word {k} of a key")
            return done.duration

        return threads / (2 * 4096) * 2 / (once(3) - once(1))

    return measure


# ---- Coulomb potential, 10^9 pairs of atom and point per second


def coulomb(target, points, more, less, name, atoms_per_unit=1, **sizes):
    def measure(board):
        seconds = [times_of(board, target, parameters(**{name: count}, **sizes)).duration for count in (less, more)]
        return 1e-9 * points * (more - less) * atoms_per_unit / (seconds[1] - seconds[0])

    return measure


# ---- matrix products


def matrix_tiles(source):
    """GFLOP/s of the terms that one run has beyond the other; blocks fill the SMs three times."""
    rows, columns, pitch = 144, 256, 4096

    def once(board, terms):
        arguments = [f"c:f32[{rows * pitch}]", f"a:f32[{rows * pitch}]=random", f"b:f32[{terms * pitch}]=random",
                     f"s32={pitch}", f"s32={terms}"]
        done = times_of(board, source, launch((columns // 16, rows // 16), (16, 16), arguments),
                        {"c": "f32", "a": "f32", "b": "f32"})
        a, b = done.buffers["a"], done.buffers["b"]
        expected = sum(a[77 * pitch + k] * b[k * pitch + 99] for k in range(terms))
        near(done.buffers["c"][77 * pitch + 99], expected, 1e-4, f"{source}, an element")
        return done.duration

    return lambda board: 1e-9 * 2 * rows * columns * 128 / (once(board, 256) - once(board, 128))


def thin_product(board, entry, m=768, n=768):
    arguments = [f"c:f32[{m * n}]", f"a:f32[{16 * m}]=random", f"b:f32[{16 * n}]=random", f"s32={n}"]
    done = times_of(board, "thin_product.cu", launch((n // 16, m // 16), (16, 16), arguments, entry),
                    {"c": "f32", "a": "f32", "b": "f32"})
    a, b = done.buffers["a"], done.buffers["b"]
    other = (lambda i: a[99 * 16 + i]) if entry == "simple_transposed" else (lambda i: b[i * n + 99])
    near(done.buffers["c"][77 * n + 99], sum(a[77 * 16 + i] * other(i) for i in range(16)), 1e-4, f"{entry}, an element")
    return done.duration


def ratio_of_products(slow, fast):
    return lambda board: thin_product(board, slow) / thin_product(board, fast)


def dgemm(board):
    """GFLOP/s of the terms that one run has beyond the other."""
    m, n = 640, 192

    def once(k):
        arguments = [f"c:f64[{m * n}]", f"a:f64[{m * k}]=random", f"b:f64[{k * n}]=random", f"s32={m}", f"s32={k}"]
        done = times_of(board, "dgemm.cu", launch((m // 64, n // 16), 64, arguments), {"c": "f64", "a": "f64", "b": "f64"})
        a, b = done.buffers["a"], done.buffers["b"]
        near(done.buffers["c"][99 * m + 77], sum(a[i * m + 77] * b[99 * k + i] for i in range(k)), 1e-12, "an element")
        return done.duration

    return 1e-9 * 2 * m * n * 64 / (once(128) - once(64))


# ---- prefix sums


def scan(board):
    """10^9 elements per second; the totals of the blocks take 1/512 of the work and are left out."""

    def once(blocks):
        words = 512 * blocks
        arguments = [f"out:f32[{words}]", f"in:f32[{words}]=random", f"totals:f32[{blocks}]", "s32=512"]
        first = times_of(board, "scan_blocks.cu", launch(blocks, 256, arguments, "scan_blocks", shared=4 * (512 + 512 // 16)),
                         {"out": "f32", "in": "f32"})
        near(first.buffers["out"][511], sum(first.buffers["in"][:511]), 1e-4, "sum of 511 elements")
        arguments = [f"data:f32[{words}]=iota", f"totals:f32[{blocks}]=iota", "s32=512"]
        second = times_of(board, "scan_blocks.cu", launch(blocks, 256, arguments, "add_totals"), {"data": "f32"})
        near(second.buffers["data"][1000], 1001, 0, "element 1000 and its total")
        return first.duration + second.duration

    return 1e-9 * 512 * 768 / (once(1536) - once(768))


# ---- sparse matrix by diagonals


def spmv(target):
    """GFLOP/s of two operations per stored element within the matrix."""

    def elements(planes):
        rows = 10000 * planes
        return sum(rows - abs(p + l + c) for p in (-10000, 0, 10000) for l in (-100, 0, 100) for c in (-1, 0, 1))

    def measure(board):
        kind = "f64" if "double" in target else "f32"
        seconds = []
        for planes in (10, 20):
            done = times_of(board, target, parameters(PLANES=planes), {"y": kind, "x": kind, "data": kind})
            rows, row = 10000 * planes, 45678
            offsets = [p + l + c for p in (-10000, 0, 10000) for l in (-100, 0, 100) for c in (-1, 0, 1)]
            expected = sum(done.buffers["data"][row + i * rows] * done.buffers["x"][row + o] for i, o in enumerate(offsets))
            near(done.buffers["y"][row], expected, 1e-4, f"{target}, row {row}")
            seconds.append(done.duration)
        return 1e-9 * 2 * (elements(20) - elements(10)) / (seconds[1] - seconds[0])

    return measure


FIGURES = [
    figure("increment_coalesced", "3 M floats read, incremented and written back, 8800 GTX, us", 356, TUTORIAL, G80,
           increment("increment", 12288, 256)),
    figure("increment_partly", "the same, two threads of every half-warp stay out, us", 357, TUTORIAL, G80,
           increment("increment_partly", 12288, 256)),
    figure("increment_permuted", "the same, neighbours swap their words, us", 3494, TUTORIAL, G80,
           increment("increment_permuted", 12288, 256)),
    figure("increment_triples", "the same as 1 M triples of floats, a triple per thread, us", 3302, TUTORIAL, G80,
           increment("increment_triples", 4096, 768)),
    figure("increment_triples_shared", "the same triples by way of shared memory, us", 359, TUTORIAL_MEMORY, G80,
           increment("increment_triples_shared", 4096, 768)),
    # Published: 0.268 ms for 2^22 integers, 73 GB/s for 2^25.
    figure("reduction_7_steady", "sum of integers, version 7: GB/s between 2^22 and 2^25 of them", 74.8, HARRIS, G80,
           reduction_7),
    figure("offset_copy_g80", "copy of 16 MB, 8800 GTX, GB/s read and written", 74, MISALIGNED, G80, offset_copy(0)),
    figure("offset_copy", "copy of 16 MB, GTX 280, GB/s read and written", 120, MISALIGNED + " (quoted from memory)",
           GTX_280, offset_copy(0)),
    figure("offset_copy_shifted", "the same from the second word on, GB/s", 70, MISALIGNED + " (quoted from memory)",
           GTX_280, offset_copy(1)),
    figure("transpose_naive_1024", "1024 x 1024 floats, 16 x 16 threads, straight, 8800 GTX, ms", 1.92, TUTORIAL_MEMORY,
           G80, transpose("transpose_naive", 1024, 1024)),
    figure("transpose_conflicts_1024", "1024 x 1024 floats, tiles of 16 x 16, 8800 GTX, ms", 0.412, TUTORIAL_MEMORY, G80,
           transpose("transpose_conflicts", 1024, 1024)),
    figure("transpose_padded_1024", "1024 x 1024 floats, tiles of 16 x 17, 8800 GTX, ms", 0.30, TUTORIAL_MEMORY, G80,
           transpose("transpose_padded", 1024, 1024)),
    figure("transpose_naive_2048", "1024 x 2048 floats, 16 x 16 threads, straight, 8800 GTX, ms", 6.6, TUTORIAL_MEMORY,
           G80, transpose("transpose_naive", 1024, 2048)),
    figure("transpose_conflicts_2048", "1024 x 2048 floats, tiles of 16 x 16, 8800 GTX, ms", 0.869, TUTORIAL_MEMORY, G80,
           transpose("transpose_conflicts", 1024, 2048)),
    figure("transpose_padded_2048", "1024 x 2048 floats, tiles of 16 x 17, 8800 GTX, ms", 0.79, TUTORIAL_MEMORY, G80,
           transpose("transpose_padded", 1024, 2048)),
    *[figure(f"nbody_tiles_{p}", f"all pairs of 16384 bodies, blocks of {p}, 8800 GTX, GFLOP/s", rate, GEMS_31, G80,
             nbody(p)) for p, rate in ((16, 126), (32, 187), (64, 196), (128, 200))],
    figure("histogram_64", "64 bins, a histogram per thread, 8800 GTX, GB/s", 10, HISTOGRAM, G80, histogram_64),
    figure("histogram_256", "256 bins, a histogram per warp, random bytes, 8800 GTX, GB/s", 5.5, HISTOGRAM, G80,
           histogram_256),
    figure("monte_carlo", "options of 32 M paths per second, Tesla C870", 400, MONTE_CARLO, C870, monte_carlo),
    figure("black_scholes", "10^9 options per second, calls and puts, 8800 GTX", 4.45, BLACK_SCHOLES, G80, black_scholes),
    figure("fft_512_g80", "transforms of 512 points, 8800 GTX, GFLOP/s", 144, FITTING_FFT, G80, fft(256)),
    figure("fft_512", "transforms of 512 points, GTX 280, GFLOP/s", 270, FFT_SC08, GTX_280, fft(480)),
    figure("wpa_keys_gtx295", "keys of WPA per second, a chip of the GTX 295 (10343 to 11198)", 10800, PYRIT.format(59),
           GTX_295, wpa_keys(5)),
    figure("wpa_keys_9800", "keys of WPA per second, 9800 GTX+ (6900 to 7440)", 7170, PYRIT.format(27), GTX_9800,
           wpa_keys(2)),
    figure("coulomb_4", "potential, atoms in c[], four points per thread, 8800 GTX, 10^9 pairs/s", 33.4, STONE, G80,
           coulomb("coulomb_4.toml", 1024 * 120, 384, 128, "COUNT", HEIGHT=120)),
    figure("coulomb_8", "potential, atoms in c[], eight points per thread, 8800 GTX, 10^9 pairs/s", 39.5, STONE, G80,
           coulomb("coulomb_8.toml", 2048 * 96, 384, 128, "COUNT", WIDTH=2048, HEIGHT=96)),
    figure("coulomb_texture", "potential, atoms in a texture, 8800 GTX, 10^9 pairs/s", 9, CPOTENTIAL, G80,
           coulomb("coulomb_texture.toml", 256 * 192, 12, 4, "ROWS", 64)),
    figure("separable_1", "convolution by rows and columns, radius 1, 8800 GTX, Mpixel/s", 1945, SEPARABLE, G80,
           separable(1)),
    figure("separable_8", "convolution by rows and columns, radius 8, 8800 GTX, Mpixel/s", 1200, SEPARABLE, G80,
           separable(8)),
    figure("matrix_tiles_in_loop", "C = A B by tiles of 16 x 16, loop as it stands, 8800 GTX, GFLOP/s", 46.49, RYOO, G80,
           matrix_tiles("matrix_tiles.cu")),
    figure("matrix_tiles_unrolled", "C = A B by tiles of 16 x 16, loop unrolled, 8800 GTX, GFLOP/s", 91.14, RYOO, G80,
           matrix_tiles("matrix_tiles.s")),
    figure("thin_product_coalesced", "C = A B of 16 terms, tile of A in s[], GTX 280: rate, of that without", 14.3 / 8.8,
           GUIDE, GTX_280, ratio_of_products("simple", "coalesced")),
    figure("thin_product_shared", "C = A B of 16 terms, tiles in s[], GTX 280: rate, of that without", 29.7 / 8.8, GUIDE,
           GTX_280, ratio_of_products("simple", "shared_ab")),
    figure("thin_product_transposed", "C = A A^T of 16 terms, GTX 280: rate, of that of C = A B", 1.1 / 8.8, GUIDE,
           GTX_280, ratio_of_products("simple", "simple_transposed")),
    figure("thin_product_g80", "C = A B of 16 terms, tiles of A and B in s[], 8800 GTX: rate, of that with A alone",
           15.7 / 8.2, GUIDE, G80, ratio_of_products("coalesced", "shared_ab")),
    figure("thin_product_transposed_g80", "C = A A^T of 16 terms, 8800 GTX: rate, of that of C = A B", 0.5 / 0.7, GUIDE, G80,
           ratio_of_products("simple", "simple_transposed"), "matrix_product_naive_g80"),
    figure("thin_product_coalesced_g80", "C = A B of 16 terms, tile of A in s[], 8800 GTX: rate, of that without",
           8.2 / 0.7, GUIDE, G80, ratio_of_products("simple", "coalesced"), "matrix_product_naive_g80"),
    figure("scan", "prefix sums of an array, 8800 GTX, 10^9 elements/s", 1.066, GEMS_39, G80, scan),
    figure("spmv_diagonals", "27 diagonals, x from a texture, single precision, GTX 280, GFLOP/s", 36, BELL, GTX_280,
           spmv("spmv_diagonals.toml")),
    figure("spmv_diagonals_double", "27 diagonals, x from a texture, double precision, GTX 280, GFLOP/s", 16, BELL,
           GTX_280, spmv("spmv_diagonals_double.toml")),
    figure("dgemm", "C = A B by blocks of 64 x 16, double precision, GTX 280, GFLOP/s", 75, VOLKOV, GTX_280, dgemm),
]
