"""Operands of nouveau's intermediate representation in the spelling of our listing."""

SHORT = 1 << 19  # immediates of 20 bits
WIDE = {8: "d", 16: "q"}


def register(number, size=4):
    return f"$r{number}{WIDE.get(size, '')}"


def predicate(value):
    return f"$p{value['number']}"


def inverted_predicate(value):
    """[not] $p."""
    return ("not " if value.get("not") else "") + predicate(value)


def signed(value):
    return value - (1 << 32) if value >> 31 else value


def number(value):
    return f"-{-value:#x}" if value < 0 else f"{value:#x}"


def address(value):
    """What stands between the brackets: a register, an offset, or both."""
    base, offset = value.get("base"), value["offset"]
    if base is None or (base["number"] == 63 and base["bytes"] == 4):
        return number(offset)
    inside = register(base["number"], base["bytes"])
    return inside if offset == 0 else inside + ("+" if offset > 0 else "") + number(offset)


def place(value):
    letter = {"global": "g", "local": "l", "shared": "s"}.get(value["file"]) or f"c{value['bank']}"
    return f"{letter}[{address(value)}]"


def operand(value, of="integer"):
    """Register, constant or immediate. `of` says how an immediate is shown: integer, float or long."""
    if value["file"] == "gpr":
        return register(value["number"], value["bytes"])
    if value["file"] == "number":
        return number(signed(value["value"]) if of == "integer" else value["value"])
    return place(value)


def signs(value):
    return [word for word in ("neg", "abs") if value.get(word)]


def with_signs(value, of="float"):
    return [*signs(value), operand(value, of)]


def inverted(value, of="integer"):
    return (["not"] if value.get("not") else []) + [operand(value, of)]


def is_long_float(value):
    return value["file"] == "number" and bool(value["value"] & 0xfff)


def is_long_integer(value):
    return value["file"] == "number" and not -SHORT <= signed(value["value"]) < SHORT
