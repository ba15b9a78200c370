"""Differences between what was asked of nouveau's emitter and what its words say in our listing, each with a reason.

A rule says to which instructions it applies and what our listing then says: no other difference passes. Where our table
refuses words, a rule gives the beginning of the reason. Rules of words say which bits our assembler writes otherwise.
"""
import listing


def is_move_to_predicate(i):
    return i["op"] in ("mov", "cvt") and i["results"][0]["file"] == "predicate" and i["sources"][0]["file"] != "gpr"


def is_video_shift(i):
    return i["op"] == "vshl" and i["to"] == "s32"


def video_shift_by_emitter(i):
    return listing.video_shift(i, merge=i.get("sub_operation", 0) >> 10 & 7 | 4, result_sign="u32")


def is_swap_of_pairs(i):
    return i["op"] == "atom" and i["to"] == "u64" and i.get("sub_operation") == 8


def swap_by_emitter(i):
    words = listing.atomic(i)
    return [*words[:-1], f"$r{i['sources'][1]['number'] + 1}d"]


def is_clock(i):
    return i["op"] == "rdsv" and i["sources"][0]["name"] == "clock"


def clock_by_emitter(i):
    return [*listing.special_register(i)[:-1], ("$vtxcnt", "$invoc")[i["sources"][0]["index"]]]


def is_line_below_base(i):
    """Cache control of global memory with a negative offset and no pair of registers."""
    where = i["sources"][0] if i["op"] == "cctl" else {}
    return where.get("file") == "global" and where["offset"] < 0 and where.get("base", {}).get("bytes") != 8


def line_by_emitter(i):
    where = i["sources"][0]
    base = {"number": where.get("base", {"number": 63})["number"], "bytes": 8}
    return listing.cache_control(dict(i, sources=[dict(where, base=base)]))


# (which, what our listing says, why)
TEXTS = [
    (is_move_to_predicate, lambda i: listing.move(i, second="$p0"),
     "moves to a predicate: the emitter leaves the field of the second predicate at zero, which is `$p0` (its moves from a "
     "predicate write 7, true). envydis hides `and $p0` here. Our listing says what the bits say"),
    (is_video_shift, video_shift_by_emitter,
     "`vshl` with a signed result: the emitter sets bit 57, which belongs to the merge; the sign of the result is bit 42 in "
     "envydis, in our table and in the emitter's own form for two halves. nouveau asks for unsigned results only"),
    (is_swap_of_pairs, swap_by_emitter,
     "compare-and-swap of 64 bits: the emitter names the register behind the first one of the value to compare, `$r5d` behind "
     "`$r4d`, so that both overlap. In 32 bits the emitter and our listing agree"),
    (is_clock, clock_by_emitter,
     "`$clock` and `$clockhi`: the emitter shifts the number of the special register, 0x50 and 0x51, out of the first word and "
     "loses its upper two bits. envydis and our table have eight bits for it"),
    (is_line_below_base, line_by_emitter,
     "`cctl` of global memory with a negative offset: the emitter does not cut the offset to its 30 bits, and the sign falls on "
     "bit 58, which says that the base is a pair"),
]

# (which, beginning of our reason, why)
REFUSALS = [
    (lambda i: i["op"] in ("suldb", "sustb", "sulea"), "su", "surfaces are refused by name"),
    (lambda i: i["op"] in ("tex", "txb", "txl", "txf", "txg"), "",
     "fetches with a level in a register, an offset, a comparison, samples, cubes, gathers are not in the table"),
    (lambda i: i["op"] in ("min", "max") and i.get("sub_operation"), "no instruction has the words",
     "parts of a minimum of 64 bits are not in the table: what they do is not known to us"),
    (lambda i: i["op"] == "load" and i.get("sub_operation") and i["sources"][0]["file"] == "constant", "ld: the bits",
     "modes of an indexed constant are not in the table: what they do is not known to us"),
    (lambda i: i["op"] == "bra" and i.get("indirect"), "no instruction has the words",
     "branch by a constant: the emitter takes the form that has no register (bits 59 to 63 are 8) and puts one into it, which "
     "envydis shows as unknown bits. The table has the form with a register (9), which compiled code uses"),
]

# (which, bits, why)
WORDS = []


def text_rule(i):
    return next((rule for rule in TEXTS if rule[0](i)), None)


def refusal_rule(i, reason):
    return next((rule for rule in REFUSALS if rule[0](i) and reason.startswith(rule[1])), None)


def word_rule(i, difference):
    return next((rule for rule in WORDS if rule[0](i) and difference & ~rule[1] == 0), None)
