"""scripts/validate fermi_encodings: the comparisons, and their record as Markdown."""
import argparse
import os
import pathlib
import random
import sys

import coverage
import tool
from comparison import Comparison

SKIPPED = 77
PER_ROW = 300  # random words of a row: enough that every form and modifier occurs
LEAST = 10000
USUAL = 100000  # so that every form occurs that the emitter makes
GENERATED, ON_COMPILED, EMITTER, COMPILED = "envydis, generated", "envydis, mgpu", "nouveau", "mgpu"
SOURCES = (GENERATED, ON_COMPILED, EMITTER, COMPILED)


def arguments(words):
    parser = argparse.ArgumentParser(prog="scripts/validate fermi_encodings")
    parser.add_argument("emitter", nargs="?", type=pathlib.Path, metavar="EMITTER",
                        help="nvc0_emitter/driver.cpp, linked with nouveau's code generator")
    parser.add_argument("envydis", nargs="?", type=pathlib.Path, metavar="ENVYDIS", help="the program of envytools")
    parser.add_argument("mgpu", nargs="?", type=pathlib.Path, metavar="MGPU", help="a checkout of seanbaxter/mgpu_old")
    parser.add_argument("count", nargs="?", type=int, default=USUAL, metavar="COUNT", help="instructions of the emitter")
    return parser.parse_args(words)


def compare_with_emitter(program, count, seen):
    """Returns the comparison, and what was asked for."""
    asked = tool.asked_of_emitter(program.resolve(), count)
    comparison = Comparison()
    for instruction, ours in zip(asked, tool.our_listing([i["words"] for i in asked]), strict=True):
        comparison.add(instruction, ours)
    for _, ours in comparison.agreed:
        seen.add(EMITTER, ours.row, ours.name, ours.text)
    return comparison, asked


def unnoticed_flips(comparison, asked):
    """Flips one bit of each instruction that agrees; something must show it. Returns how many were flipped, and the unnoticed."""
    chance = random.Random(len(asked))
    right = {instruction["at"] for instruction, _ in comparison.agreed}
    flipped = [dict(i, words=f"{int(i['words'], 16) ^ 1 << chance.randrange(64):016x}") for i in asked]
    unnoticed = []
    for instruction, ours in zip(flipped, tool.our_listing([i["words"] for i in flipped]), strict=True):
        again = Comparison()
        again.add(instruction, ours)
        if instruction["at"] in right and not again.unexplained:
            unnoticed.append(instruction)
    return len(right), unnoticed


def compare_with_envydis(program, words, source, seen):
    """Returns the differences as (words, ours, theirs). Forms whose listings are equal have been seen."""
    differences = []
    for word, ours, (left, right) in zip(words, tool.our_listing(words), tool.beside_envydis(program.resolve(), words), strict=True):
        if not ours.text:
            differences.append((word, ours.reason, right))
            continue
        equal = left == right
        seen.add(source if equal else None, ours.row, ours.name, ours.text)
        if not equal:
            differences.append((word, left, right))
    return differences


def use_compiled(folder, seen):
    """Compiled code has been seen where it decodes and encodes bit for bit. Returns kernels, words, failures."""
    kernels, words = tool.compiled(folder)
    failures = []
    for word, ours in zip(words, tool.our_listing(words), strict=True):
        if ours.words == word:
            seen.add(COMPILED, ours.row, ours.name, ours.text)
        else:
            failures.append((word, ours.text, ours.words or ours.reason))
    return kernels, words, failures


def print_comparison(comparison, asked, flips):
    count = comparison.count
    print("## Against nouveau's emitter\n")
    print("| | |\n|---|---|")
    print(f"| instructions | {count['instructions']}, {len({i['words'] for i in asked})} different words, of "
          f"{len({i['op'] for i in asked})} operations |")
    print(f"| our listing says what was asked for | {count['text']} |")
    print(f"| our listing differs for a reason below | {count['explained']} |")
    print(f"| we refuse the words for a reason below | {count['refused']} |")
    print(f"| the listing assembles to the emitter's bits | {count['words']} |")
    print(f"| to other bits for a reason below | {count['other words']} |")
    print(f"| unexplained | {len(comparison.unexplained)} |")
    print(f"| instructions with one bit flipped, and those where nothing shows it | {flips[0]}, {len(flips[1])} |\n")
    if comparison.explanations:
        print("| instructions | reason |\n|---|---|")
        for reason, number in comparison.explanations.most_common():
            print(f"| {number} | {reason} |")
        print()
    for instruction in flips[1][:20]:
        print(f"- UNNOTICED {instruction['words']} ({instruction['op']})")
    for instruction, ours, wanted in comparison.unexplained[:40]:
        print(f"- UNEXPLAINED {instruction['words']} ({instruction['op']}): `{ours}`, wanted: `{wanted}`")


def print_listings(results):
    print("## Against envydis\n")
    print("| words | compared | listed differently |\n|---|---|---|")
    for title, words, differences in results:
        print(f"| {title} | {len(words)} | {len(differences)} |")
    print()
    for title, _, differences in results:
        for word, ours, theirs in differences[:20]:
            print(f"- {title}, {word}: `{ours}`, envydis: `{theirs}`")


def print_table(seen, used):
    print("## What each source has seen\n")
    print("A form is a mnemonic with the kinds of its operands and its types; a modifier counts once per row of the table and")
    print("operand. A source has seen a form when it agrees with us on an instruction of that form. The encodings were taken")
    print("from envytools, so envydis checks that they were copied right. nouveau's emitter is other code by people who shared what")
    print("they knew with envytools; compiled code is the witness that comes from NVIDIA. What an instruction computes is not")
    print("compared here.\n")
    print("| mnemonic | forms | " + " | ".join(used) + " | modifiers | " + " | ".join(used) + " |")
    print("|---" * (3 + 2 * len(used)) + "|")
    for name in seen.names():
        cells = [name]
        for kind in ("forms", "modifiers"):
            cells += [seen.count(kind, name)] + [seen.count(kind, name, source) for source in used]
        print("| " + " | ".join(map(str, cells)) + " |")
    sums = ["all"]
    for kind in ("forms", "modifiers"):
        keys = getattr(seen, kind)
        sums += [len(keys)] + [sum(source in sources for sources in keys.values()) for source in used]
    print("| " + " | ".join(map(str, sums)) + " |\n")


def print_list(heading, lines):
    print(f"| {heading} |\n|---|---|")
    for name, texts in lines.items():
        print(f"| {name} | " + ", ".join(f"`{text}`" for text in texts) + " |")
    print()


def print_witnesses(seen):
    """Every form under the sources that agree with us on it."""
    checkers, others = {GENERATED, ON_COMPILED}, (
        ("Forms that nouveau and compiled code have seen", {EMITTER, COMPILED}),
        ("Forms that nouveau has seen and compiled code not", {EMITTER}),
        ("Forms that compiled code has seen and nouveau not", {COMPILED}))
    for title, wanted in others:
        keys = seen.where("forms", lambda sources: sources - checkers == wanted)
        print(f"### {title}: {len(keys)}\n")
        if keys:
            print_list("mnemonic | forms", coverage.by_mnemonic(keys))
    for title, wanted in (("Seen by envydis alone", lambda sources: bool(sources) and sources <= checkers),
                          ("Covered by none", lambda sources: not sources)):
        forms, modifiers = seen.where("forms", wanted), seen.where("modifiers", wanted)
        print(f"### {title}: {len(forms)} forms, {len(modifiers)} modifiers\n")
        if forms:
            print_list("mnemonic | forms", coverage.by_mnemonic(forms))
        if modifiers:
            print("A modifier is shown with the number of operands in front of it.\n")
            print_list("row of the table, by its shortest form | modifiers",
                       {f"`{form}`": words for form, words in coverage.by_row(seen, modifiers).items()})


def main(words):
    chosen = arguments(words)
    if chosen.emitter is None:
        print("fermi_encodings: skipped: no EMITTER is named (scripts/validate fermi_encodings EMITTER [ENVYDIS] [MGPU] [COUNT])",
              file=sys.stderr)
        return SKIPPED
    tool.build()
    seen = coverage.Coverage()
    generated = tool.generated(PER_ROW)
    for ours in tool.our_listing(generated):
        seen.add(None, ours.row, ours.name, ours.text)
    comparison, asked = compare_with_emitter(chosen.emitter, chosen.count, seen)
    used, listings, failures = [EMITTER], [], []
    if chosen.mgpu:
        kernels, compiled, failures = use_compiled(chosen.mgpu, seen)
        used.append(COMPILED)
    if chosen.envydis:
        listings.append(("generated", generated, compare_with_envydis(chosen.envydis, generated, GENERATED, seen)))
        used.append(GENERATED)
        accepted = [ours.words for _, ours in comparison.agreed]
        listings.append(("of nouveau's emitter", accepted, compare_with_envydis(chosen.envydis, accepted, GENERATED, seen)))
        if chosen.mgpu:
            listings.append(("of mgpu", compiled, compare_with_envydis(chosen.envydis, compiled, ON_COMPILED, seen)))
            used.append(ON_COMPILED)
    used = [source for source in SOURCES if source in used]

    print("# Encodings of sm_20 against nouveau and envydis\n")
    print("`scripts/validate fermi_encodings EMITTER [ENVYDIS] [MGPU] [COUNT]` asks nouveau's code emitter for random instructions and")
    print("compares our listing of its words with what was asked: mnemonic, operands, modifiers. The listing is assembled again and")
    print("its bits are compared. EMITTER is `testbenches/validation/fermi_encodings/nvc0_emitter`, linked with nouveau's code")
    print("generator, ENVYDIS the disassembler of envytools, MGPU a checkout of seanbaxter/mgpu_old; their code is not part of this")
    print("repository. Not asked for: attributes, interpolation, vertices, derivatives and queries of textures, operations on quads")
    print("of pixels, what a GK104 has and a GF100 has not.\n")
    versions = [f"Mesa {tool.release(chosen.emitter)}{tool.version(chosen.emitter)}"]
    if chosen.envydis:
        versions.append(f"envytools {tool.version(chosen.envydis)}")
    if chosen.mgpu:
        versions.append(f"mgpu_old {tool.version(chosen.mgpu)}")
    print(f"At {os.environ.get('GT200_COMMIT', 'unknown')}, with {', '.join(versions)}.\n")
    flips = unnoticed_flips(comparison, asked)
    print_comparison(comparison, asked, flips)
    if listings:
        print_listings(listings)
    if chosen.mgpu:
        print(f"The {kernels} kernels of mgpu have {len(compiled)} different words; "
              f"{len(compiled) - len(failures)} decode and assemble to the same bits.\n")
    print_table(seen, used)
    print_witnesses(seen)
    good = (not comparison.unexplained and not failures and not flips[1] and not any(differences for _, _, differences in listings)
            and comparison.count["instructions"] >= min(chosen.count, LEAST))
    print(f"Verdict: {'agreement' if good else 'DISAGREEMENT'}.")
    return 0 if good else 1
