"""Generated mail addresses, times and pairs of texts with what pydantic and difflib make of them, a part of
python_vectors.py."""

import datetime
import difflib

import pydantic
from pydantic.networks import validate_email

LOCALS = ["a", "a.b", "A.b+c", "a..b", ".a", "a.", "a b", "é", "e\u0301", "\u0301a", "INFO", "Info", "a'b", '"a b"', '"a"', "a\u200bb", ""]
LOCALS += ["a_b", "a(b", "a,b", "用户", "a\\b", "a" * 70, "a@b", "Sales", "\U0001f600", "x" * 250, "\u00a0a", "a\x7f"]
HOSTS = ["b.co", "B.CO", "b", "b.c1", "b..co", "-b.co", "b-.co", "b.co.", ".b.co", "localhost", "x.test", "x.local", "test", "b_c.co"]
HOSTS += ["ab--c.de", "xn--bcher-kva.de", "xn--a.de", "xn--4ca.de", "XN--4CA.DE", "xn--abc-.de", "Ä.de", "bücher.DE", "[1.2.3.4]", "[x]"]
HOSTS += ["example.com", "a.arpa", "invalid", "onion.", "a.onion", "b。co", "b．co", "b.コム", "b.рф", "\U0001f600.de", "straße.de", "", "b c.de"]
HOSTS += ["b.c-d", "1.2.3.4", "x" * 64 + ".de", "x" * 63 + ".de", ".".join(["x" * 60] * 5) + ".de", "b.123", "b.co\u0301", "mail.b.co.uk"]


def address_case(rng):
    """A text near a mail address, and its normal form or null."""
    address = rng.choice(LOCALS + ["a"] * 15) + rng.choice(["@"] * 30 + ["", "@@", "＠", "@\u0338"]) + rng.choice(HOSTS + ["b.co"] * 15)
    name = rng.choice([None] * 12 + ["", "X ", "X Y ", '"X, Y" ', "X, Y ", "X", "é "])
    if name is not None:
        address = name + rng.choice(["<"] * 8 + [""]) + address + rng.choice([">"] * 8 + ["", "> ", ">x"])
    if rng.random() < 0.1:
        address = rng.choice([" ", "\t", "\n", "\u2003", "  "]) + address
    if rng.random() < 0.1:
        address += rng.choice([" ", "\t", "\n", "\x1c", ";", ">"])
    try:
        return [address, validate_email(address)[1]]
    except ValueError:
        return [address, None]


class _Moment(pydantic.BaseModel):
    at: datetime.datetime


def moment_case(rng):
    """A value near those that pydantic takes for a time, and that time as text or the error's type."""
    day = rng.choice(["2024-05-15", "2024-02-30", "0000-01-01", "0001-01-01", "9999-12-31", "2024-5-15", "20240515", "2024/05/15"])
    clock = rng.choice(["10:00", "10:00:30", "24:00", "10:60", "10:00:60", "1000", "10", "", "00:00:00"])
    fraction = rng.choice(["", "", "", ".5", ",5", ".1234567", ".", ".123456789012"])
    zone = rng.choice(["", "", "", "Z", "z", "+02:00", "-0330", "+02", "+24:00", "-00:00", "+23:59", "UTC", " "])
    text = day + rng.choice(["T", "T", " ", "t", "_", "", "  "]) + clock + fraction + zone
    numbers = [0, -1, 1.5, 20_000_000_000, 20_000_000_001, 1_715_767_200_000, 253_402_300_799, 1e20, -11_676_096_000, -11_676_096_001, -1.25]
    others = [day, "1715767200", "1715767200.5", "-5", "+5", "1e5", ".5", "5.", "nan", "", "x", True, None, [], {"a": 1}]
    value = rng.choice([text] * 60 + numbers + others)
    try:
        return [value, str(_Moment(at=value).at)]
    except pydantic.ValidationError as refused:
        return [value, refused.errors()[0]["type"]]


def ratio_case(rng):
    """Two texts and how alike they are."""
    alphabet = rng.choice(["ab", "abcde ", "abcdefghijklmnopqrstuvwxyz ,.\n"])
    one = "".join(rng.choice(alphabet) for _ in range(rng.choice([0, 1, 5, 40, 150, 199, 200, 201, 320])))
    other = list(one)
    for _ in range(rng.choice([0, 1, 3, 10, 40])):
        at = rng.randrange(len(other) + 1)
        other[at : at + rng.randrange(3)] = rng.choice(["", "x", rng.choice(alphabet)])
    other = "".join(other)
    return [one, other, difflib.SequenceMatcher(None, one, other).ratio()]


CASES = {"address": (address_case, 500), "moment": (moment_case, 300), "ratio": (ratio_case, 100)}
