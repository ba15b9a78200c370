"""Describes the measuring machine, for records of speed: their figures mean little without it."""
import pathlib


def processor():
    """Name, family and cache of the processor, as far as Linux knows: 'AMD EPYC (family 26, model 2, cache 1024 KB)'."""
    facts = {}
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        key, _, value = line.partition(":")
        facts.setdefault(key.strip(), value.strip())
    details = [f"{label} {facts[key]}" for key, label in (("cpu family", "family"), ("model", "model"), ("cache size", "cache"))
               if key in facts]
    return facts.get("model name", "unknown processor") + (f" ({', '.join(details)})" if details else "")
