"""What our listing should say for an instruction that was asked of nouveau's emitter.

The descriptions are those of nvc0_emitter/driver.cpp: operations of nouveau's intermediate representation with registers.
This file is a second statement of the syntax of docs/isa.md; it reads no words.
"""
import operands as o

FUNCTIONS = {"cos": "cos", "sin": "sin", "ex2": "ex2", "lg2": "lg2", "rcp": "rcp", "rsq": "rsqrt"}
PERMUTATIONS = ["", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16"]
MERGES = ["h1", "h0", "b0", "b2", "add", "min", "max", ""]
PARTS = ["b0", "b1", "b2", "b3", "h0", "h1", ""]
ATOMICS = ["add", "min", "max", "inc", "dec", "and", "or", "xor", "cas", "exch"]
CACHE_CONTROLS = ["query1", "pf1", "pf15", "pf2", "wb", "iv", "ivall", "rs"]
BARRIERS = ["popc", "arrive", "and", "or", "popc"]
REVERSED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "ltu": "gtu", "gtu": "ltu", "leu": "geu", "geu": "leu"}
FACTORS = {0: "", 1: "mul2", 2: "mul4", 3: "mul8", -1: "div2", -2: "div4", -3: "div8"}
TYPES = {"u8": "u8", "s8": "s8", "u16": "u16", "s16": "s16", "f16": "u16", "u32": "b32", "s32": "b32", "f32": "b32",
         "u64": "b64", "s64": "b64", "f64": "b64", "b128": "b128"}
SPECIAL = {"tid": "tid", "ctaid": "ctaid", "ntid": "ntid", "nctaid": "nctaid", "tid_packed": "tid", "gridid": "gridid",
           "laneid": "laneid", "physid": "physid", "vertex_count": "vtxcnt", "invocation": "invoc", "ydir": "ydir",
           "thread_kill": "thread_kill", "local_base": "lwinbase", "shared_base": "swinbase"}
TARGETS = {"bra": "bra", "call": "call", "joinat": "joinat", "prebreak": "prebrk", "precont": "precont", "preret": "preret"}
LEAVING = {"exit": "exit", "ret": "ret", "break": "brk", "cont": "cont"}
CONVERSIONS = ("cvt", "ceil", "floor", "trunc", "abs", "neg", "sat")
SIZE = {"8": 1, "16": 2, "32": 4, "64": 8}


def is_float(name):
    return name[0] == "f"


def size(name):
    return SIZE[name[1:]]


def flag(i, key, word):
    return word if i.get(key) else ""


def sign(name):
    return "s32" if name[0] in "sf" else "u32"


def product_sign(i):
    return "neg" if i["sources"][0].get("neg", 0) != i["sources"][1].get("neg", 0) else ""


def result(i):
    return o.operand(i["results"][0])


def carries(i):
    return flag(i, "carry_out", "$c"), flag(i, "carry_in", "$c")


# -- sums and products --

def float_sum(i):
    a, b = i["sources"]
    b = dict(b, neg=b.get("neg", 0) ^ (i["op"] == "sub"))
    if not o.is_long_float(b):
        return ["add", flag(i, "ftz", "ftz"), flag(i, "saturate", "sat"), "r" + i["round"], "f32", result(i),
                *o.with_signs(a), *o.with_signs(b)]
    value = b["value"] & (0x7fffffff if b.get("abs") else 0xffffffff)
    return ["long", "add", flag(i, "ftz", "ftz"), "f32", result(i), *o.with_signs(a), o.number(value ^ b["neg"] << 31)]


def double_sum(i):
    a, b = i["sources"]
    b = dict(b, neg=b.get("neg", 0) ^ (i["op"] == "sub"))
    return ["add", "r" + i["round"], "f64", result(i), *o.with_signs(a), *o.with_signs(b)]


def integer_sum(i):
    a, b = i["sources"]
    name = "subr" if a.get("neg") else "sub" if b.get("neg", 0) ^ (i["op"] == "sub") else "add"
    is_long = o.is_long_integer(b)
    out, in_ = carries(i)
    return ["long" if is_long else "", name, flag(i, "saturate", "sat"), "b32", result(i), out, o.operand(a),
            o.operand(b, "long" if is_long else "integer"), in_]


def float_product(i):
    a, b = i["sources"]
    zero, sat = ["fmz" if i.get("dnz") else "", flag(i, "ftz", "ftz")], flag(i, "saturate", "sat")
    if o.is_long_float(b):
        return ["long", "mul", *zero, sat, "f32", result(i), o.operand(a),
                o.number(b["value"] ^ (1 << 31 if product_sign(i) else 0))]
    return ["mul", FACTORS[i.get("factor", 0)], *zero, sat, "r" + i["round"], product_sign(i), "f32", result(i),
            o.operand(a), o.operand(b, "float")]


def double_product(i):
    a, b = i["sources"]
    return ["mul", "r" + i["round"], product_sign(i), "f64", result(i), o.operand(a), o.operand(b, "float")]


def integer_product(i):
    a, b = i["sources"]
    is_long = o.is_long_integer(b)
    return ["long" if is_long else "", "mul", flag(i, "sub_operation", "high"), result(i), sign(i["to"]), o.operand(a),
            sign(i["from"]), o.operand(b, "long" if is_long else "integer")]


def float_multiply_add(i):
    a, b, c = i["sources"]
    modifiers = [flag(i, "ftz", "ftz"), "fmz" if i.get("dnz") else "", flag(i, "saturate", "sat")]
    if o.is_long_float(b):
        return ["long", "fma", *modifiers, "f32", result(i), product_sign(i), o.operand(a), o.operand(b, "long"), result(i)]
    return ["fma", *modifiers, "r" + i["round"], "f32", result(i), product_sign(i), o.operand(a), o.operand(b, "float"),
            *o.with_signs(c)]


def double_multiply_add(i):
    a, b, c = i["sources"]
    return ["fma", "r" + i["round"], "f64", result(i), product_sign(i), o.operand(a), o.operand(b, "float"), *o.with_signs(c)]


def integer_multiply_add(i):
    a, b, c = i["sources"]
    name = "sub" if c.get("neg") else "subr" if product_sign(i) else "add"
    out, in_ = carries(i)
    return [name, flag(i, "saturate", "sat"), result(i), out, "(", "mul", flag(i, "sub_operation", "high"), sign(i["to"]),
            o.operand(a), sign(i["from"]), o.operand(b), ")", o.operand(c), in_]


def shift_and_add(i):
    a, count, b = i["sources"]
    name = "subr" if a.get("neg") else "sub" if b.get("neg") else "add"
    return [name, "b32", result(i), carries(i)[0], "(", "shl", o.operand(a), o.operand(count), ")", o.operand(b)]


def sum_of_differences(i):
    return ["sad", sign(i["to"]), result(i), *map(o.operand, i["sources"])]


def function(i):
    wide = i.get("sub_operation")
    return [FUNCTIONS[i["op"]] + ("64h" if wide else ""), flag(i, "saturate", "sat"), "" if wide else "f32", result(i),
            *o.with_signs(i["sources"][0])]


def range_reduction(i):
    return [i["op"], "f32", result(i), *o.with_signs(i["sources"][0])]


# -- bits --

def logic(i):
    if i["results"][0]["file"] == "predicate":
        return logic_of_predicates(i)
    a, b = i["sources"]
    is_long = o.is_long_integer(b)
    out, in_ = carries(i)
    return ["long" if is_long else "", i["op"], "b32", result(i), out, *o.inverted(a),
            *o.inverted(b, "long" if is_long else "integer"), in_]


def predicates_written(i):
    return [*map(o.predicate, i["results"]), "$p7"][:2]


def logic_of_predicates(i):
    a, b, *third = i["sources"]
    combined = [i["op"], o.inverted_predicate(third[0])] if third else []
    return ["set", *predicates_written(i), o.inverted_predicate(a), i["op"], o.inverted_predicate(b), *combined]


def inversion(i):
    source = o.operand(i["sources"][0])
    return ["mov2", "b32", result(i), source, "not", source]


def shift(i):
    a, b = i["sources"]
    kind = "b32" if i["op"] == "shl" else sign(i["to"])
    return [i["op"], kind, result(i), o.operand(a), "wrap" if i.get("sub_operation") else "clamp", o.operand(b)]


def count_of_bits(i):
    a, b = i["sources"]
    return ["popc", result(i), *o.inverted(a), *o.inverted(b)]


def insertion(i):
    return ["ins", "b32", result(i), *map(o.operand, i["sources"])]


def extraction(i):
    return ["ext", flag(i, "sub_operation", "rev"), sign(i["to"]), result(i), *map(o.operand, i["sources"])]


def highest_bit(i):
    return ["bfind", flag(i, "sub_operation", "shiftamt"), sign(i["to"]), result(i), *o.inverted(i["sources"][0])]


def permutation(i):
    return ["prmt", PERMUTATIONS[i.get("sub_operation", 0)], "b32", result(i), *map(o.operand, i["sources"])]


def video_shift(i, merge=None, result_sign=None):
    code = i.get("sub_operation", 0)
    a, b, c = map(o.operand, i["sources"])
    return ["vshl", "clamp", flag(i, "saturate", "sat"), MERGES[code >> 10 & 7 if merge is None else merge],
            result_sign or sign(i["to"]), result(i), carries(i)[0], PARTS[code & 7], sign(i["from"]), a,
            PARTS[code >> 5 & 7], "u32", b, c]


# -- comparisons --

def comparison(i):
    a, b, *third = i["sources"]
    kind = i["from"] if is_float(i["from"]) else sign(i["from"])
    to_predicate = i["results"][0]["file"] == "predicate"
    written = predicates_written(i) if to_predicate else ["f32" if is_float(i["to"]) else "b32", result(i)]
    combined = [i["op"].partition("_")[2], o.inverted_predicate(third[0])] if third else []
    of = "float" if is_float(kind) else "integer"
    return ["set", flag(i, "ftz", "ftz"), *written, i["condition"], kind, *o.with_signs(a, of), *o.with_signs(b, of),
            carries(i)[1], *combined]


def selection_by_sign(i):
    a, b, c = i["sources"]
    condition = REVERSED.get(i["condition"], i["condition"]) if c.get("neg") else i["condition"]
    kind = i["to"] if is_float(i["to"]) else sign(i["to"])
    return ["slct", flag(i, "ftz", "ftz"), "b32", result(i), o.operand(a),
            o.operand(b, "float" if is_float(kind) else "integer"), condition, kind, o.operand(c)]


def selection_by_predicate(i):
    a, b, p = i["sources"]
    return ["selp", "b32", result(i), o.operand(a), o.operand(b), o.inverted_predicate(p)]


def minimum_or_maximum(i):
    if i.get("sub_operation"):
        return None
    a, b = i["sources"]
    kind = i["to"] if is_float(i["to"]) else sign(i["to"])
    of = "float" if is_float(kind) else "integer"
    return [i["op"], flag(i, "ftz", "ftz"), kind, result(i), carries(i)[0], *o.with_signs(a, of), *o.with_signs(b, of)]


# -- conversions and moves --

def rounding(i):
    to, from_ = i["to"], i["from"]
    mode = {"ceil": "p", "floor": "m", "trunc": "z"}.get(i["op"], i["round"][0])
    if is_float(from_) and not is_float(to):
        return f"r{mode}i"
    if is_float(from_) and to == from_:
        return f"r{mode}i" if i["op"] in ("ceil", "floor", "trunc") or i["round"][1:] == "i" else ""
    if is_float(to) and (not is_float(from_) or size(to) < size(from_)):
        return f"r{mode}"
    return ""


def conversion(i):
    source = i["sources"][0]
    if "predicate" in (source["file"], i["results"][0]["file"]):
        return move(i)
    to, from_ = i["to"], i["from"]
    if i["op"] == "neg" and to == "u32":
        to = "s32"
    part = []
    if size(from_) <= 2:
        part = [o.number(i.get("sub_operation", 0) // (2 if from_ in ("u16", "s16") else 1))]
    negative = ["neg"] if i["op"] == "neg" or source.get("neg") else []
    absolute = ["abs"] if i["op"] == "abs" or source.get("abs") else []
    places = [o.operand(source), *part] if is_float(to) and is_float(from_) else [*part, o.operand(source)]
    return ["cvt", flag(i, "ftz", "ftz"), "sat" if i["op"] == "sat" or i.get("saturate") else "", rounding(i), to, result(i),
            *negative, *absolute, from_, *places]


def lanes_of_quad(i):
    lanes = i["lanes"]
    return "" if lanes == 15 else "l" + ("".join(str(n) for n in range(4) if lanes >> n & 1) or "none")


def move(i, second="$p7"):
    source, to = i["sources"][0], i["results"][0]
    if to["file"] == "predicate":
        if source["file"] == "gpr":
            return ["set", o.predicate(to), "$p7", "ne", "u32", o.operand(source), "$r63"]
        if source["file"] == "number":
            return ["set", o.predicate(to), "$p7", "$p7" if source["value"] else "not $p7", "and", second]
        return ["set", o.predicate(to), "$p7", o.predicate(source), "and", second]
    if source["file"] == "predicate":
        return ["set", "b32", result(i), o.predicate(source), "and", "$p7"]
    if source["file"] == "number":
        return ["long", lanes_of_quad(i), "mov", "b32", result(i), o.number(source["value"])]
    return [lanes_of_quad(i), "mov", "b32", result(i), o.operand(source)]


def special_register(i):
    source = i["sources"][0]
    name = SPECIAL.get(source["name"], source["name"])
    if source["name"] in ("tid", "ctaid", "ntid", "nctaid"):
        name += "xyz"[source["index"]]
    if source["name"] == "clock" and source["index"]:
        name += "hi"
    return ["mov", "b32", result(i), "$" + name]


def vote(i):
    written = {r["file"]: r for r in i["results"]}
    source = i["sources"][0]
    if source["file"] == "number":
        source = {"number": 7, "not": 1 - source["value"]}
    return ["vote", ("all", "any", "uni")[i.get("sub_operation", 0)], o.operand(written["gpr"]) if "gpr" in written else "$r63",
            o.predicate(written["predicate"]) if "predicate" in written else "$p7", o.inverted_predicate(source)]


# -- memory --

def load(i):
    source, kind = i["sources"][0], TYPES[i["to"]]
    if source["file"] == "constant":
        if "base" not in source and kind == "b32":
            return move(i)
        return None if i.get("sub_operation") else ["ld", kind, result(i), o.place(source)]
    if i.get("sub_operation"):
        return locked_load(i, kind)
    return ["ld", kind, result(i), i["cache"] if source["file"] != "shared" else "", o.place(source)]


def locked_load(i, kind):
    written = {r["file"]: r for r in i["results"]}
    data = o.operand(written["gpr"]) if "gpr" in written else o.register(63, {"b64": 8, "b128": 16}.get(kind, 4))
    return ["ld", "lock", kind, o.predicate(written["predicate"]), data, o.place(i["sources"][0])]


def store(i):
    where, value = i["sources"]
    cache = {"ca": "wb", "cv": "wt"}.get(i["cache"], i["cache"])
    shared = where["file"] == "shared"
    return ["st", "unlock" if i.get("sub_operation") else "", TYPES[i["to"]], "" if shared else cache, o.place(where),
            o.operand(value)]


def atomic(i):
    where, value = i["sources"]
    name, kind = ATOMICS[i.get("sub_operation", 0)], i["to"]
    width = size(kind)
    if name in ("exch", "cas"):
        kind = f"b{8 * width}"
    first = o.register(value["number"], width)
    values = [first, o.register(value["number"] + width // 4, width)] if name == "cas" else [first]
    return ["atom" if i["results"] else "red", name, kind, *map(o.operand, i["results"]), o.place(where), *values]


def cache_control(i):
    return ["cctl", CACHE_CONTROLS[i.get("sub_operation", 0)], *([result(i)] if i["results"] else ["$r63"]),
            o.place(i["sources"][0])]


def fence(i):
    return ["membar", ("cta", "gl", "sys")[i["sub_operation"] >> 2]]


# -- control --

def with_target(i):
    if i.get("indirect"):
        return None
    return [TARGETS[i["op"]], flag(i, "limit", "lim"), flag(i, "all_warp", "allwarp"), o.number(i["target"])]


def barrier(i):
    written = {r["file"]: r for r in i["results"]}
    number, threads, *third = i["sources"]
    return ["bar", BARRIERS[i.get("sub_operation", 0)], o.predicate(written["predicate"]) if "predicate" in written else "$p7",
            o.operand(written["gpr"]) if "gpr" in written else "$r63", o.operand(number), o.operand(threads),
            o.inverted_predicate(third[0]) if third else "$p7"]


# -- textures --

def fetch(i):
    if i["op"] not in ("tex", "txf") or len(i["sources"]) > 1 or any(i.get(k) for k in ("cube", "shadow", "samples", "offsets")):
        return None
    first = i["results"][0]["number"]
    written = []
    for place in range(4):
        written.append(f"$r{first}" if i["mask"] >> place & 1 else "#")
        first += i["mask"] >> place & 1
    array, dimensions = i.get("array", 0), i["dimensions"]
    base = i["sources"][0]["number"]
    coordinates = ":".join(f"$r{base + n}" for n in range(dimensions + array))
    start = ["texfetch"] if i["op"] == "txf" else ["tex"]
    level = ["lzero"] if i["op"] == "txf" else ["lzero" if i.get("level_zero") else "lauto"]
    derivatives = [] if i["op"] == "txf" else ["dall" if i.get("all_derivatives") else "dfp"]
    return [*start, "t" if i.get("independent_follows") else "p", *level, "live" if i.get("live_only") else "all", *derivatives,
            ":".join(written), f"{'a' if array else 't'}{dimensions}d", f"$t{i['texture']}", f"$s{i['sampler']}", coordinates,
            "()"]


BY_TYPE = {"add": (float_sum, double_sum, integer_sum), "sub": (float_sum, double_sum, integer_sum),
           "mul": (float_product, double_product, integer_product),
           "mad": (float_multiply_add, double_multiply_add, integer_multiply_add),
           "fma": (float_multiply_add, double_multiply_add, integer_multiply_add)}
ALWAYS = {"shladd": shift_and_add, "sad": sum_of_differences, "presin": range_reduction, "preex2": range_reduction,
          "and": logic, "or": logic, "xor": logic, "not": inversion, "shl": shift, "shr": shift, "popcnt": count_of_bits,
          "insbf": insertion, "extbf": extraction, "bfind": highest_bit, "permt": permutation, "vshl": video_shift,
          "set": comparison, "set_and": comparison, "set_or": comparison, "set_xor": comparison, "slct": selection_by_sign,
          "selp": selection_by_predicate, "min": minimum_or_maximum, "max": minimum_or_maximum, "mov": move,
          "rdsv": special_register, "vote": vote, "load": load, "store": store, "atom": atomic, "cctl": cache_control,
          "membar": fence, "bar": barrier, "tex": fetch, "txb": fetch, "txl": fetch, "txf": fetch, "txg": fetch,
          "brkpt": lambda i: ["bpt", "drain", "0x0"], "join": lambda i: ["nop"], "suldb": lambda i: None,
          "sustb": lambda i: None, "sulea": lambda i: None,
          **{name: function for name in FUNCTIONS}, **{name: conversion for name in CONVERSIONS},
          **{name: with_target for name in TARGETS}, **{name: (lambda i: [LEAVING[i["op"]]]) for name in LEAVING}}


def prefix(i):
    words = ["join"] if i.get("join") else []
    if "guard" in i:
        words.append(f"( not $p{i['guard']} )" if i.get("guard_not") else f"$p{i['guard']}")
    return words


def expected(i, words=None):
    """The listing, or None where our table has no such instruction. `words` replaces those of the operation."""
    if words is None:
        if i["op"] in BY_TYPE:
            single, double, integer = BY_TYPE[i["op"]]
            words = (double if i["to"] == "f64" else single if is_float(i["to"]) else integer)(i)
        else:
            words = ALWAYS[i["op"]](i)
    if words is None:
        return None
    return " ".join(word for word in [*prefix(i), *words] if word)
