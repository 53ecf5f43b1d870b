#!/usr/bin/env python3
"""Writes what real Python makes of generated inputs, for crates/world/tests/python_vectors.rs.

Needs Python 3.11 with PyYAML 6.0.4 and pydantic 2.14. Every input is made here, from a seed.

    python scripts/python_vectors.py                          # the committed vectors
    python scripts/python_vectors.py --cases 20000 --seed 7 --out /tmp/more.json
    PYTHON_VECTORS=/tmp/more.json cargo test -p world --test python_vectors
"""

import argparse
import ast
import datetime
import enum
import json
import math
import random
import re
import struct
import warnings
from pathlib import Path

import pydantic
import python_datetimes
import python_models
import yaml

warnings.simplefilter("ignore")

DEFAULT_OUT = Path(__file__).parent.parent / "crates/world/tests/data/python_vectors.json"
WORDS = ["plain", "it's", "a:", ":b", "#c", "- d", "e", "a-rather-long-word", "1", "2.5", '"q"', "x\\y", "é", "—"]
ALPHABETS = [
    "ab c",
    "ab \n",
    "a \n'",
    "a'\"\\ \t",
    " -?:,[]{}#&*!|>%@`'\"a\n",
    "0123456789-+.:_eExXabfinTZ ",
    "a é\u2026\u00a0\u00ad\u200b\ufeff\U0001f600\U0010ffff",
    "a \n\r\x85\u2028\u2029\t\x00\x07\x1b\x7f",
    "abcdefghijklmnopqrstuvwxyz      ",
]
RESOLVED = (
    "yes Yes YES yEs no on Off true True TRUE tRUE false null Null NULL ~ = << < - -- --- ---a ... ...a . .. ? : "
    "0 00 08 07 0_7 0b 0b1 0b2 0x 0xg 0xF_ 0o7 1_ _1 +1 -1 +-1 1:0 1:60 1:59:59 1:5:9 01:1 1:30.5 1:60.5 0:1.0 1. 1.e5 "
    "1.0e5 1.0e+5 1.0e+ .5 -.5 +.5 .5e+5 ._5 .inf -.Inf +.INF .iNf .nan -.nan .NaN .nAn 1e5 1.5_ 1__0 2024-01-02 "
    "2024-1-2 2024-1-2T3:04:05 2024-1-2t03:04:05.Z 2024-01-02T03:04:05+1 2024-01-02T03:04:05+01:30 "
    "2024-01-02T03:04:05-1:3 ! & * !a &a *a @a `a %a ,a [a ]a {a }a |a >a 'a \"a #a a#b a:b a: a, a?b ?a :a -a y n Y N"
).split() + ["", " ", "\n", "2024-01-02 03:04:05 +1", "2024-01-02 \t03:04:05.6 Z", "a #b", "a: b", "- a", "? a"]


def text(rng, longest=40):
    """A text over one of the alphabets, or of words, sometimes long enough to be folded."""
    kind = rng.random()
    if kind < 0.15:
        return rng.choice(RESOLVED)
    if kind < 0.45:
        blank = lambda: rng.choice([" "] * 12 + ["  ", "\n", "\n\n", " \n", "\n ", "\t", "—", "\u2028"])
        plain = lambda: " " if kind < 0.35 else blank()
        return "".join(rng.choice(WORDS if kind > 0.25 else WORDS[:1] + WORDS[6:8]) + plain() for _ in range(rng.randrange(1, rng.choice([5, longest])))).strip(
            " " if rng.random() < 0.8 else ""
        )
    alphabet = rng.choice(ALPHABETS)
    return "".join(rng.choice(alphabet) for _ in range(rng.randrange(1, rng.choice([3, 8, 20, longest, 5 * longest]))))


def number(rng):
    """A float of one of many sizes."""
    kind = rng.randrange(8)
    if kind == 7:
        # Often equally near to two decimals of 16 or 17 digits.
        return (rng.randrange(2**52, 2**53) | 1) * 2.0 ** -rng.randrange(1, 40)
    if kind == 0:
        return struct.unpack("<d", rng.randbytes(8))[0]
    if kind == 1:
        return rng.choice([1.0, -1.0]) * 2.0 ** rng.randrange(-1074, 1024)
    if kind == 2:
        return float(f"{rng.randrange(1, 10**rng.randrange(1, 18))}e{rng.randrange(-330, 300)}")
    if kind == 3:
        return round(rng.uniform(-1e4, 1e4), rng.randrange(4))
    if kind == 4:
        return float(rng.randrange(10**15, 10**17))
    if kind == 5:
        return rng.choice([0.0, -0.0, math.nan, math.inf, -math.inf, 1e16, 1e15, 1e-4, 1e-5, 9999999999999998.0, 5e-324])
    return rng.randrange(1, 100) * 10.0 ** rng.randrange(-7, 20)


def moment(rng):
    """A date, or a day and a time."""
    day = datetime.datetime(rng.randrange(1, 9999), rng.randrange(1, 13), rng.randrange(1, 29), rng.randrange(24), 5)
    if rng.random() < 0.3:
        return day.date()
    if rng.random() < 0.3:
        day = day.replace(microsecond=rng.randrange(10**6))
    if rng.random() < 0.3:
        offset = datetime.timedelta(minutes=rng.randrange(-700, 700), seconds=rng.choice([0, 0, 0, 7]))
        day = day.replace(tzinfo=datetime.timezone(offset))
    return day


def node(rng, depth, moments):
    """A value to dump, and its description. Datetimes of `moments` are shared objects."""
    kind = rng.random()
    if depth > 0 and kind < 0.55:
        if kind < 0.25:
            items = [node(rng, depth - 1, moments) for _ in range(rng.randrange(5))]
            return [item for item, _ in items], [shown for _, shown in items]
        keys = {text(rng, 40) if rng.random() < 0.7 else "k" * rng.randrange(118, 128) for _ in range(rng.randrange(5))}
        entries = [(key, node(rng, depth - 1, moments)) for key in sorted(keys, key=lambda _: rng.random())]
        return {key: item for key, (item, _) in entries}, {"map": [[key, shown] for key, (_, shown) in entries]}
    if kind < 0.8:
        value = text(rng)
        return value, value
    if kind < 0.85:
        value = rng.choice([None, True, False, 0, -1, 2**63 - 1, -(2**63), rng.randrange(1000)])
        return value, value
    if kind < 0.9:
        value = number(rng)
        return value, {"float": repr(value)}
    at = rng.randrange(len(moments)) if rng.random() < 0.7 else None
    value = moment(rng) if at is None else moments[at]
    shown = value.isoformat(" ") if isinstance(value, datetime.datetime) else value.isoformat()
    return value, {"datetime": shown, "identity": 0 if at is None else at + 1}


def yaml_case(rng):
    value, shown = node(rng, rng.choice([0, 0, 1, 2, 3, 5]), [moment(rng) for _ in range(3)])
    return [shown, yaml.safe_dump(value)]


def json_value(rng, depth=3):
    """A value that JSON holds, its numbers within 64 bits and finite."""
    kind = rng.random()
    if depth > 0 and kind < 0.3:
        if kind < 0.15:
            return [json_value(rng, depth - 1) for _ in range(rng.randrange(4))]
        return {text(rng, 8): json_value(rng, depth - 1) for _ in range(rng.randrange(4))}
    if kind < 0.6:
        return text(rng, 12)
    value = number(rng)
    if kind < 0.8 and math.isfinite(value):
        return value
    return rng.choice([None, True, False, 0, 1, 2, -1, 2**63, 2**64 - 1, -(2**63), rng.randrange(10**6)])


def any_character(rng):
    """A text of code points from everywhere but the surrogates."""
    codes = [rng.randrange(rng.choice([0x100, 0x800, 0x3000, 0x110000])) for _ in range(rng.randrange(30))]
    return "".join(chr(code) for code in codes if not 0xD800 <= code < 0xE000)


def repr_text_case(rng):
    value = any_character(rng) if rng.random() < 0.5 else text(rng)
    return [value, repr(value)]


def repr_float_case(rng):
    value = number(rng)
    return [struct.pack(">d", value).hex(), repr(value)]


def repr_value_case(rng):
    value = json_value(rng)
    return [value, repr(value)]


def repr_dict_case(rng):
    value = {text(rng, 8): text(rng, 12) for _ in range(rng.randrange(5))}
    return [list(map(list, value.items())), repr(value)]


FOLDED = 'aaab"\\\\\\\\  \t\n\n\n\r\x85\u2028\u2029-.0123xuUnNtLP_/eqé:#\x01\x7f\ud7ff\U0001f600\ufeff'
FOLDED_PIECES = [
    "\n---", "\n...", "\n--- ", "\n---\n", "\n\n", "\\\n", "\\\n  ", " \n ", "\r\n", "\\x41", "\\u00e9", "\\U0001F600",
    "\\U00110000", "\\ud800", "\\n", "\\t", "\\\\", '\\"', "word", " ", "\t", "\\ ", "\\\t", "\\/", "\\N", "\\L", "\\x4",
]


def folding_case(rng):
    if rng.random() < 0.5:
        alphabet = FOLDED if rng.random() < 0.5 else "ab \t\n\\-."
        raw = "".join(rng.choice(alphabet) for _ in range(rng.randrange(1, 25)))
    else:
        raw = "".join(rng.choice(FOLDED_PIECES) for _ in range(rng.randrange(1, 15)))
    return [raw, folded(raw)]


def folded(raw):
    """What the scanner gives for the text between double quotes, or what it refuses and where (a byte)."""
    has_surrogate = re.search(r"\\(u|U0000)[dD][89a-fA-F]", raw)
    byte = lambda index: len(raw[: index - 1].encode())
    error = lambda kind, at=None: {"error": "any" if has_surrogate and kind != "unprintable" else kind, "at": None if has_surrogate else at}
    try:
        token = yaml.SafeLoader(f'"{raw}"').scan_flow_scalar('"')
    except yaml.reader.ReaderError as refused:
        return {"error": "unprintable", "at": byte(refused.position)}
    except yaml.scanner.ScannerError as refused:
        kinds = {"unknown escape": "escape", "escape sequence": "hex", "separator": "marker", "end of stream": "unfinished"}
        kind = next(kind for words, kind in kinds.items() if words in refused.problem)
        return error(kind, None if kind == "unfinished" else byte(refused.problem_mark.index))
    except (ValueError, OverflowError):
        return error("no character")
    if any("\ud800" <= character <= "\udfff" for character in token.value):
        return error("any")
    if token.end_mark.index != len(raw) + 2:
        return error("quote", byte(token.end_mark.index - 1))
    return {"value": token.value}


BLANKS = [""] * 12 + [" ", "  ", "\n", "\t", " # c\n", "\\\n", "\r\n", "\x0c"]
ATOMS = (
    "1 0 00 -1 +2 1_000 0x_fF 0o17 0b1 1. .5 1e5 1e999 1j 01.5 True False None ... set() -1j 1+2j -1-2j 0-1j -0.0+1j (1) -(1) "
    "18446744073709551615 18446744073709551616 -9223372036854775808 -9223372036854775809 0x1ffffffffffffffff"
).split()
MUTATIONS = "[](){}'\"\\,:.0123456789_jeExXobrBuUf \t\n\r\x0c#+-é*"
ESCAPES = ["\\n", "\\'", '\\"', "\\\\", "\\x41", "\\u00e9", "\\U0001F600", "\\101", "\\q", "\\\n", "\\0", "\\777", "\\ud800", "\\8"]


def string_literal(rng):
    prefix = rng.choice([""] * 12 + ["r", "u", "R", "U", "b", "rb", "Br"])
    quote = rng.choice(["'", '"', "'", '"', "'''", '"""'])
    pieces = ["a", "bc", " ", "1", ","] + ESCAPES * (rng.random() < 0.4)
    if "b" not in prefix.lower():
        pieces += ["é", "😀"]
    if len(quote) == 3:
        pieces += ["\n", "'" if quote[0] == '"' else '"']
    body = "".join(rng.choice(pieces) for _ in range(rng.randrange(6)))
    return prefix + quote + body + quote


def literal(rng, depth):
    blank = lambda: rng.choice(BLANKS)
    kind = rng.random()
    if depth == 0 or kind < 0.6:
        if kind < 0.25:
            return rng.choice(ATOMS)
        return (blank() or " ").join(string_literal(rng) for _ in range(1 if rng.random() < 0.9 else 2))
    items = [blank() + literal(rng, depth - 1) + blank() for _ in range(rng.randrange(4))]
    comma = "," if items and rng.random() < 0.2 else ""
    if kind < 0.8:
        return "[" + ",".join(items) + comma + "]"
    if kind < 0.88:
        return "(" + ",".join(items) + comma + ")"
    if kind < 0.92 and items:
        return "{" + ",".join(items) + comma + "}"
    return "{" + ",".join(f"{literal(rng, 0)}{blank()}:{item}" for item in items) + comma + "}"


def literal_case(rng):
    around = lambda: rng.choice([""] * 8 + [" ", "\n", "\t", "# c\n", "\\\n", " \n", "\r", "\x0c", "\n\n"])
    items = [literal(rng, rng.randrange(3)) for _ in range(rng.randrange(4))]
    source = around() + around() + "[" + ",".join(items) + "]" + around() + around()
    if rng.random() < 0.1:
        source = f"({source})"
    if rng.random() < 0.5:
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(len(source) + 1)
            source = source[:at] + rng.choice(["", rng.choice(MUTATIONS)]) + source[at + rng.randrange(2) :]
    return [source, literal_list(source)]


def literal_list(source):
    """The list that `literal_eval` gives as JSON, or None."""
    try:
        if not isinstance(ast.literal_eval(source), list):
            return None
    except (ValueError, SyntaxError, TypeError):
        return None
    return mapped(ast.parse(source.lstrip(" \t"), mode="eval").body)


def mapped(tree):
    if isinstance(tree, (ast.List, ast.Tuple)):
        return [mapped(item) for item in tree.elts]
    if isinstance(tree, ast.Set):
        members = {json.dumps(mapped(item)): mapped(item) for item in tree.elts}
        return list(members.values())
    if isinstance(tree, ast.Call):
        return []
    if isinstance(tree, ast.Dict):
        keys = [mapped(key) for key in tree.keys]
        return {key if isinstance(key, str) else repr(key): mapped(item) for key, item in zip(keys, tree.values)}
    value = ast.literal_eval(tree)
    if isinstance(value, str):
        return re.sub("[\ud800-\udfff]", "\ufffd", value)
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, complex):
        return repr(value)
    return None if value is ... else json_number(value)


def json_number(value):
    if isinstance(value, int) and not isinstance(value, bool) and not -(2**63) <= value < 2**64:
        value = float(value)
    return None if isinstance(value, float) and not math.isfinite(value) else value


TYPES = {"str": str, "int": int, "float": float, "bool": bool, "dict": dict}
NUMERALS = (
    "2,2.0,2.5,1_000,1__0,_1,1_,+3,-3,- 3,+-3,-+3,0x10,1e3,2.,.5,007,-007,-0,0_1,00,0_0.0,-_1,+_1,1._0,1_.5,nan,-NaN,inf,Infinity,"
    "-infinity,infin,1e400,1e-400,1e5_,e5,.,+,-,1.0_0,9223372036854775807,9223372036854775808,18446744073709551616,-9223372036854775809,"
    "9223372036854775808.0,true,True,TRUE,yes,YES,y,t,on,off,f,n,no,0,1,tru,oN"
).split(",")


def parameter_type(rng, depth=2):
    kind = rng.choice(["str", "int", "int", "float", "float", "bool", "bool", "dict", "list", "enum"])
    if kind == "list" and depth > 0:
        shown, real = parameter_type(rng, depth - 1)
        return {"kind": "list", "items": shown}, list[real]
    if kind == "enum":
        values = rng.sample(["r", "rw", "it's", "é", "\u200b"], rng.randrange(1, 5))
        return {"kind": "enum", "values": values}, enum.StrEnum("Choice", [(f"v{at}", value) for at, value in enumerate(values)])
    kind = "str" if kind == "list" else kind
    return {"kind": kind}, TYPES[kind]


def argument(rng, shown):
    kind = rng.random()
    if kind < 0.35:
        if shown["kind"] == "list":
            return [argument(rng, shown["items"]) for _ in range(rng.randrange(4))]
        if shown["kind"] == "enum":
            return rng.choice(shown["values"])
        if shown["kind"] == "dict":
            return {text(rng, 5): json_value(rng, 1)}
    if kind < 0.65:
        if rng.random() < 0.4:
            return "".join(rng.choice("00012._+-e ") for _ in range(rng.randrange(1, 8)))
        blank = lambda: rng.choice([""] * 6 + [" ", "\t", "\n", "\u00a0", "\u3000", "\x1c", "\u200b", "\x85"])
        return blank() + rng.choice(NUMERALS) + blank()
    return json_value(rng)


def coercion_case(rng):
    """Parameters, arguments, and either the values in order or the whole error text."""
    shown, fields, args = [], {}, {}
    for at in range(rng.randrange(1, 4)):
        name = f"p{at}"
        kind, real = parameter_type(rng)
        required = rng.random() < 0.7
        nullable = rng.random() < 0.3
        default = None if required else json_value(rng, 1)
        fields[name] = (real | None if nullable else real, ... if required else default)
        described = {"name": name, "description": "", "type": kind, "nullable": nullable}
        shown.append(described | {"required": required, "default": default})
        if rng.random() < 0.9:
            args[name] = argument(rng, kind)
    if rng.random() < 0.2:
        args["extra"] = json_value(rng, 1)
    try:
        values = pydantic.create_model("Input schema for `t`", **fields).model_validate(args).model_dump()
    except pydantic.ValidationError as refused:
        return [shown, args, {"error": str(refused)}]
    return [shown, args, {"values": [validated(values[entry["name"]]) for entry in shown]}]


def validated(value):
    if isinstance(value, list):
        return [validated(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)
    if isinstance(value, (dict, enum.Enum)):
        return value
    return json_number(value)


MODULES = {
    "yaml": (yaml_case, 240),
    "repr_text": (repr_text_case, 200),
    "repr_float": (repr_float_case, 300),
    "repr_value": (repr_value_case, 120),
    "repr_dict": (repr_dict_case, 100),
    "literal": (literal_case, 500),
    "folding": (folding_case, 500),
    "coercion": (coercion_case, 200),
} | python_datetimes.CASES | python_models.CASES


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--cases", type=int, help="cases a module (default: a few hundred)")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--out", type=Path, default=DEFAULT_OUT)
    chosen = options.parse_args()
    vectors = {}
    for name, (case, count) in MODULES.items():
        rng = random.Random(f"{chosen.seed} {name}")
        vectors[name] = [case(rng) for _ in range(chosen.cases or count)]
    vectors["yaml"] += [[value, yaml.safe_dump(value)] for value in RESOLVED]
    vectors["literal"] += [[value, literal_list(value)] for value in RESOLVED]
    lines = [f'"{name}": [\n' + ",\n".join(map(json.dumps, cases)) + "\n]" for name, cases in vectors.items()]
    chosen.out.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
