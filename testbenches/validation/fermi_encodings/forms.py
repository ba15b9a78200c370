"""Forms of instructions: a listing without the numbers of its operands, and its modifiers apart.

    join $p1 fma ftz rn f32 $r1 neg $r2 c0[0x4] $r3    has the form    fma f32 R R c[N] R
                                                       and the modifiers ftz, rn (before operand 0), neg (before operand 1)

Guards, `join` and tests of $c in front of control instructions are parts of all rows alike and not counted.
"""
import re

COMPARISONS = {"false", "lt", "eq", "le", "gt", "ne", "ge", "num", "nan", "ltu", "equ", "leu", "gtu", "neu", "geu", "true"}
TESTS = {"never", "l", "e", "g", "lg", "lge", "u", "lu", "eu", "gu", "lgu", "no", "nc", "ns", "na", "a", "s", "c", "o"}
MODIFIERS = COMPARISONS | {
    "neg", "abs", "not", "sat", "ftz", "fmz", "rn", "rm", "rp", "rz", "rni", "rmi", "rpi", "rzi", "high", "clamp", "wrap", "rev",
    "shiftamt", "$c", "div2", "div4", "div8", "mul2", "mul4", "mul8", "ca", "cg", "cs", "cv", "wb", "wt", "lim", "allwarp", "f4e",
    "b4e", "rc8", "ecl", "ecr", "rc16"}
OF_TEXTURES = {"t", "p", "lauto", "lzero", "live", "all", "dall", "dfp"}
# Words of the form that are modifiers elsewhere: operations of cache control, absolute targets.
OF_THE_FORM = {"cctl": {"wb", "c"}, "bra": {"abs"}, "call": {"abs"}}
# Of video instructions: parts of a source, types, and how the result is merged.
OF_VIDEO = {"b0", "b1", "b2", "b3", "h0", "h1", "u32", "s32", "add", "min", "max", "shr7", "shr15"}
LANES = re.compile(r"l(none|[0-3]+)$")
OPERANDS = [(re.compile(pattern), kind) for pattern, kind in (
    (r"\$r\d+$", "R"), (r"\$r\d+d$", "Rd"), (r"\$r\d+q$", "Rq"), (r"\$p\d$", "P"), (r"\$flags$", "flags"), (r"\$t\d+$", "T"),
    (r"\$s\d+$", "S"), (r"\$[a-z_]+\d*$", "special"), (r"-?0x[0-9a-f]+$", "N"), (r"[$#r0-9:]*:[$#r0-9:]*$", "R:R"))]


def kind_of(word):
    """R, Rd, Rq, P, N, c[N], g[R+N] and so on; None for a word of the syntax."""
    place = re.match(r"(c|g|l|s)(\d*)\[(\$r\d+(d?))?(([-+]?)0x[0-9a-f]+)?\]$", word)
    if place:
        base = "R" + (place[4] or "") if place[3] else ""
        return f"{place[1]}[{'+'.join(part for part in (base, 'N' if place[5] else '') if part)}]"
    return next((kind for pattern, kind in OPERANDS if pattern.match(word)), None)


def words_of(text):
    return re.sub(r"([()])", r" \1 ", text).split()


def without_prefix(words):
    if words[:1] == ["join"]:
        words = words[1:]
    if words[:2] == ["(", "not"]:
        words = words[4:]
    elif words and re.match(r"\$p\d$", words[0]) or words[:1] == ["never"] and words[1:2] != ["$c"]:
        words = words[1:]
    return words


def form_of(text):
    """The form, and the modifiers as (word, number of operands in front of it)."""
    words = without_prefix(words_of(text))
    form, modifiers, operands = [], [], 0
    if words[1:2] == ["$c"]:  # "e $c bra"
        words = words[2:]
    mnemonic = next(word for word in words if word != "long" and not LANES.match(word))
    special = OF_TEXTURES if mnemonic.startswith("tex") else OF_VIDEO if mnemonic[0] == "v" and mnemonic != "vote" else set()
    of_the_form = OF_THE_FORM.get(mnemonic, set()) | {mnemonic}
    after_mnemonic = False
    for word in words:
        kind = kind_of(word)
        combines = word in ("and", "or", "xor", "lg", "l", "e") and after_mnemonic and mnemonic in ("set", "vset")
        if word in special or LANES.match(word) or combines or word in MODIFIERS - of_the_form:
            modifiers.append((word, operands))
        elif mnemonic == "set" and word in TESTS and after_mnemonic:
            modifiers.append((word, operands))
        elif kind:
            form.append(kind)
            operands += 1
        else:
            form.append(word)
        after_mnemonic = after_mnemonic or word == mnemonic
    return " ".join(form).replace("( ", "(").replace(" )", ")"), modifiers
