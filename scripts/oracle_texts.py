"""Texts that are hard to handle the way Python does: for arguments, injections and answers."""

from __future__ import annotations

import random
import re

ODD = (
    "",
    " ",
    "  leading and trailing  ",
    "trailing blanks at two ends  \nof lines  ",
    "it's",
    'say "hi"',
    "both ' and \"",
    "back\\slash",
    "literal \\n and \\t",
    "tab\there",
    "line one\nline two",
    "\nstarts with a break",
    "ends with a break\n",
    "gap\n\n\nof breaks",
    "carriage\r\nreturn",
    "caf\u00e9 \u20ac5 \u2014 na\u00efve",
    "\u6f22\u5b57 \u0417\u0434\u0440\u0430\u0432\u0441\u0442\u0432\u0443\u0439",
    "emoji \U0001f600 end",
    "next\x85line \u2028 separator",
    "bell\x07 escape\x1b nul\x00",
    "\u00df \u0130 \u01c5",
    "x: y",
    "- item",
    "# comment",
    "a #b",
    "key:",
    "? q",
    "! tag",
    "&anchor",
    "*alias",
    "%directive",
    "@at",
    "`tick`",
    "{a: b}",
    "[a",
    "a, b",
    "---",
    "...",
    "null",
    "Null",
    "~",
    "true",
    "Yes",
    "off",
    "=",
    "<<",
    "42",
    "-7",
    "3.50",
    "1e3",
    "1_000",
    "0x1F",
    "0o17",
    "017",
    "12:30:45",
    ".inf",
    ".nan",
    "2022-03-04",
    "2022-3-4",
    "2022-03-04 10:00:00",
    "2022-03-04T10:00",
    "a long text that runs over the eightieth column, so that a dumper which folds lines has to fold it",
    "it's a long text with an apostrophe: it runs over the eightieth column and therefore has to be folded",
    "long \u00e9 text, not ASCII, that runs far over the eightieth column and so is folded with escapes in it",
    "double  blanks   inside    a     text      that       is        long         enough          to fold",
    "averyveryverylongwordwithoutanyblanksthatrunsovertheeightiethcolumnandsocannotbefoldedatall0123456789",
    "a long first line that runs over the eightieth column for sure, yes, it really does\n\n  then an indent",
)
"""Texts for arguments."""

LIST_TEXTS = (
    "[]",
    "['one']",
    '["one", "two"]',
    "['it\\'s', 'caf\u00e9']",
    "[1, 2, 3]",
    "[1.5, True, None]",
    "[['nested'], {'a': 1}]",
    "['a' 'b']",
    "['trailing',]",
    "  ['indented']",
    "['broken\\\nline']",
    "['a',\n 'b']",
    "[unquoted]",
    "['open'",
    "('tuple',)",
    "{'a': 1}",
    "['x'] + ['y']",
    "[-1, +2]",
    "'[]'",
)
"""Texts that are, or nearly are, a Python list."""

NUMBER_TEXTS = (
    "5",
    "5.0",
    "5.50",
    " 7 ",
    "+3",
    "-0",
    "-12.25",
    ".5",
    "5.",
    "1e3",
    "1E-2",
    "1_000",
    "1,000",
    "5,0",
    "0x10",
    "nan",
    "NaN",
    "inf",
    "-Infinity",
    "ten",
    "",
    "5 EUR",
    "9007199254740993",
    "00012",
    "true",
)
"""Texts given for numbers."""

HOSTILE = (
    "#",
    " # not a comment",
    "key: value",
    "it's",
    "100%",
    "a\tb",
    "caf\u00e9 \u2026 \U0001f600",
    "\\t",
    "\\n",
    "\\n\\n",
    "\\\\",
    '\\"quoted\\"',
    "\\x41\\u00e9\\U0001F600",
    "\\/\\_\\N\\L\\P\\e\\a\\0",
    "\\ ",
    "\\\n",
    "\\\n   \\ ",
    "\n",
    "\n\n",
    "\n\n\n\n",
    "  \n  ",
    "\t\n\t",
    "\n \t\n",
    "\r\n",
    "\r",
    "\x85",
    "\u2028",
    "\u2029\n",
    " \u2028 ",
    "{x}",
    "{}",
    "{{y}}",
    "- a\n- b",
    "!tag &anchor *alias",
    "[a, b]",
    " ",
    "    ",
    "\ufeff",
    "trailing blank ",
    " leading blank",
    "a long run of words that by itself is wider than eighty columns, so that it is folded when it is dumped",
)
"""Pieces of injections that a double-quoted YAML scalar treats specially but accepts."""

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen"
).split()
_TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split()


def in_words(number: int, joint: str = " ") -> str:
    """A number from 0 to 999,999 in English words; ``joint`` stands before the last part."""
    if number < 20:
        return _UNITS[number]
    if number < 100:
        rest = number % 10
        return _TENS[number // 10] + (f"-{_UNITS[rest]}" if rest else "")
    size, name = (1000, "thousand") if number >= 1000 else (100, "hundred")
    rest = number % size
    head = f"{in_words(number // size, joint)} {name}"
    return head if rest == 0 else head + joint + in_words(rest, joint)


def number_forms(text: str) -> list[str]:
    """Other ways to write a number such as ``1,050`` or ``12.50``, and its neighbours."""
    bare = text.replace(",", "")
    whole = int(bare.partition(".")[0])
    forms = [
        bare,
        f"{whole:,}",
        f"{whole:,}.00",
        f"{whole}.00",
        f"{whole}.0",
        f"{whole:_}",
        f"{whole:,}".replace(",", " "),
        f"{whole:,}".replace(",", "."),
        str(whole + 1),
        str(whole - 1),
        f"0{whole}",
        f"{whole}0",
        str(whole)[1:] or "0",
    ]
    if whole < 1_000_000:
        forms += [in_words(whole), in_words(whole, " and "), in_words(whole).title()]
    return forms


def near_text(rng: random.Random, text: str) -> str:
    """A text that differs from ``text`` in one respect."""
    if not text:
        return rng.choice(ODD)
    place = rng.randrange(len(text))
    words = text.split(" ")
    word = rng.randrange(len(words))
    return rng.choice(
        [
            text.upper(),
            text.lower(),
            text.swapcase(),
            text.title(),
            text + rng.choice([" ", ".", "\n", "x", "'", "\u00e9", "  \n"]),
            rng.choice([" ", "\n", "x", "Re: ", "\u00a0", "- "]) + text,
            text[:place] + text[place + 1 :],
            text[:place] + rng.choice("09azAZ .'\"\u00e9\n") + text[place + 1 :],
            text[:place] + rng.choice([" ", "'", '"', "\n", "\t", "\u200b", "  "]) + text[place:],
            text[: len(text) // 2],
            text[::-1],
            text + " " + text,
            " ".join(words[:word] + words[word + 1 :]),
            " ".join([words[word], *words[:word], *words[word + 1 :]]),
            text.replace(" ", "  "),
            text.replace(" ", ""),
            text.strip(".!?"),
        ]
    )


def near_answer(rng: random.Random, text: str) -> str:
    """An answer near the expected ``text``: often with a number written another way."""
    numbers = list(re.finditer(r"\d[\d,]*(?:\.\d+)?", text))
    if numbers and rng.random() < 0.6:
        number = rng.choice(numbers)
        form = rng.choice(number_forms(number.group().rstrip(",")))
        return rng.choice([text[: number.start()] + form + text[number.end() :], form])
    return near_text(rng, text)
