"""Which forms and modifiers of the table each source has seen."""
import collections

import forms


class Coverage:
    """Forms and modifiers by row of the table, and who has seen them."""

    def __init__(self):
        self.forms = collections.defaultdict(set)      # (name, row, form) -> sources
        self.modifiers = collections.defaultdict(set)  # (name, row, word, operands in front) -> sources

    def add(self, source, row, name, text):
        """Source None says only that the form exists."""
        form, modifiers = forms.form_of(text)
        keys = [(self.forms, (name, row, form))] + [(self.modifiers, (name, row, *m)) for m in modifiers]
        for seen, key in keys:
            seen[key] |= {source} - {None}

    def names(self):
        return sorted({key[0] for key in self.forms})

    def count(self, kind, name, source=None):
        """Of forms or modifiers of a name: all, or those that a source has seen."""
        seen = getattr(self, kind)
        return sum(key[0] == name and (source is None or source in sources) for key, sources in seen.items())

    def where(self, kind, wanted):
        """Keys whose set of sources `wanted` accepts."""
        return sorted((key for key, sources in getattr(self, kind).items() if wanted(sources)), key=lambda key: (key[0], key[2:]))

    def example(self, name, row):
        """The shortest form of a row: a name for it."""
        return min((key[2] for key in self.forms if key[:2] == (name, row)), key=lambda form: (len(form), form))


def by_mnemonic(keys):
    """Forms by their mnemonic."""
    lines = collections.defaultdict(list)
    for name, _, form in keys:
        if form not in lines[name]:
            lines[name].append(form)
    return lines


def by_row(seen, keys):
    """Modifiers by a form of their row, each with the number of operands in front of it."""
    lines = collections.defaultdict(list)
    for name, row, word, operands in keys:
        lines[seen.example(name, row)].append(f"{word}@{operands}")
    return lines
