"""Generated datetime texts with what Python's parsers make of them, a part of python_vectors.py."""

import datetime

DIGITS = "0123456789"
BLANKS = [" ", "  ", "\t", "\u2003", "\x1c", "\n", ""]
FORMATS = ["%Y-%m-%d", "%Y-%m-%d %H:%M"]


def moment(rng):
    """A text near those that `fromisoformat` reads."""
    year = rng.choice(["2024", "2023", "2020", "2026", "0001", "9999", "0000", "1900", f"{rng.randrange(1, 9999):04}"])
    month, day = f"{rng.randrange(0, 14):02}", f"{rng.randrange(0, 33):02}"
    week, weekday = f"{rng.choice([0, 1, 2, 20, 51, 52, 53, 54]):02}", str(rng.randrange(0, 9))
    date = rng.choice(
        [f"{year}-{month}-{day}"] * 6
        + [year + month + day, f"{year}-W{week}-{weekday}", f"{year}W{week}{weekday}", f"{year}-W{week}", f"{year}W{week}"]
        + [f"{year}-{month}", f"{year}{month}-{day}", f"{year}-{month}{day}", f"{year}-{int(month)}-{int(day)}"]
    )
    separator = rng.choice([" ", "T"] * 4 + ["t", "", "-", "é", "€", "😀", "1", "  "])
    return changed(rng, date + rng.choice(["", separator + clock(rng) + offset(rng), separator + clock(rng)]))


def clock(rng, hours=26):
    hour, minute, second = (f"{rng.randrange(0, limit):02}" for limit in (hours, 62, 62))
    fraction = "".join(rng.choice(DIGITS) for _ in range(rng.randrange(1, 9)))
    colon = rng.choice([":", ":", ":", ""])
    parts = colon.join([hour, minute, second][: rng.randrange(1, 4)])
    return parts + rng.choice(["", "", "", "." + fraction, "," + fraction, ".", colon])


def offset(rng):
    return rng.choice(["", "Z", "z", "+", "-", "Zz", "+24:00", "-24:00"] + [rng.choice("+-") + clock(rng) for _ in range(8)])


def changed(rng, text):
    """The text, in one case of four with one character changed, put in or taken out."""
    if rng.random() < 0.75 or not text:
        return text
    at = rng.randrange(len(text))
    return text[:at] + rng.choice(list("0129-:. TWZ+x") + ["٣", "５", "\0", ""]) + text[at + rng.randrange(2) :]


def read(parse, text):
    """What a parser gives or refuses, as text."""
    try:
        return str(parse(text))
    except (ValueError, OverflowError) as error:
        return f"{type(error).__name__}: {error}"


def iso_case(rng):
    text = moment(rng)
    return [text, read(datetime.datetime.fromisoformat, text)]


def strptime_case(rng):
    """A text, whether the format has a time, and what `strptime` makes of it."""
    pick = lambda *numbers: rng.choice([str(number) for number in numbers] + [f"{numbers[0]:02}"])
    date = "-".join([pick(2024, 2023, 24, 0, 10000), pick(rng.randrange(0, 14), 2, 12), pick(rng.randrange(0, 34), 1, 29)])
    if rng.random() < 0.1:
        date = date[:-1] + rng.choice("٣５９১") if rng.random() < 0.7 else "２０２４-05-07"
    if rng.random() < 0.1:
        date = date.replace("-0", "- ")
    time = pick(rng.randrange(0, 26), 9) + ":" + pick(rng.randrange(0, 62), 5) + rng.choice(["", "", "", ":00", " ", "٣", "x"])
    timed = rng.random() < 0.7
    text = changed(rng, date + rng.choice([" "] * 8 + ["T"] + BLANKS) + time if timed == (rng.random() < 0.9) else date)
    return [text, timed, read(lambda text: datetime.datetime.strptime(text, FORMATS[timed]), text)]


CASES = {"fromisoformat": (iso_case, 400), "strptime": (strptime_case, 300)}
