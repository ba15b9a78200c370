"""Our listing of the emitter's words against what was asked for, and the words of that listing against the emitter's."""
import collections
import re

import explained
import listing


def plain(text):
    return " ".join(re.sub(r"([()])", r" \1 ", text).split())


class Comparison:
    def __init__(self):
        self.count = collections.Counter()
        self.explanations = collections.Counter()
        self.unexplained = []  # (instruction, ours, expected or reason)
        self.agreed = []       # (instruction, listed): text and words are right

    def add(self, asked, ours):
        wanted = listing.expected(asked)
        self.count["instructions"] += 1
        if ours.reason and not ours.text:
            self.add_refusal(asked, ours, wanted)
        elif wanted is None:
            self.unexplained.append((asked, ours.text, "a refusal"))
        else:
            text, words = self.add_text(asked, ours, wanted), self.add_words(asked, ours)
            if text and words:
                self.agreed.append((asked, ours))

    def add_refusal(self, asked, ours, wanted):
        rule = explained.refusal_rule(asked, ours.reason) if wanted is None else None
        if rule is None:
            self.unexplained.append((asked, ours.reason, wanted or "a refusal with another reason"))
            return
        self.count["refused"] += 1
        self.explanations[rule[2]] += 1

    def add_text(self, asked, ours, wanted):
        if plain(ours.text) == plain(wanted):
            self.count["text"] += 1
            return True
        rule = explained.text_rule(asked)
        if rule is not None and plain(ours.text) == plain(listing.expected(asked, rule[1](asked))):
            self.count["explained"] += 1
            self.explanations[rule[2]] += 1
        else:
            self.unexplained.append((asked, ours.text, wanted))
        return False

    def add_words(self, asked, ours):
        if ours.words == asked["words"]:
            self.count["words"] += 1
            return True
        difference = int(ours.words, 16) ^ int(asked["words"], 16) if ours.words else 0
        rule = explained.word_rule(asked, difference) if ours.words else None
        if rule is None:
            self.unexplained.append((asked, ours.text, f"assembles to {ours.words or ours.reason}"))
        else:
            self.count["other words"] += 1
            self.explanations[rule[2]] += 1
        return False
