"""Changes to a list of calls, and calls made up from what a suite's environment holds."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

from agentdojo.agent_pipeline.llms.google_llm import EMPTY_FUNCTION_NAME

from agentdojo_values import parameter_type, plain
from oracle_shapes import Shapes
from oracle_stories import Stories
from oracle_texts import LIST_TEXTS, NUMBER_TEXTS, ODD, near_text
from oracle_world import Call, World

INTEGERS = (0, 1, -1, 2, 5, 6, 7, 8, 10, 99, 100, 1200, -40, 2**31, 2**53 + 1, -(2**63), 2**63 - 1)
"""Whole numbers; none is wider than 64 bits."""
FLOATS = (
    0.0,
    -0.0,
    0.01,
    0.1 + 0.2,
    1.5,
    5.0,
    -3.25,
    7.999999999,
    1e16,
    1e22,
    1.5e300,
    5e-324,
    123456.789,
)
"""Numbers with a fraction or an exponent; all are finite."""
SHAPED = 0.6
"""Share of made-up values that ``Shapes`` gives, where it has any."""
LONG = 1000
"""Longest value that is learned from a script, in characters."""
UNKNOWN_TOOLS = ("nope", "", "Send_Money", "get-iban", "it's", "send_email ", "functions.get_iban")
EXTRA_ARGUMENTS = ("note", "id_", "env", "kwargs", "self", "Recipient", "caf\u00e9")


class Mutator:
    """Changes calls of one suite. Every choice comes from ``rng``."""

    def __init__(self, rng: random.Random, world: World) -> None:
        self.rng = rng
        self.world = world
        self.known: dict[str, list[Any]] = {}
        self.texts: list[str] = []
        self._scripts: list[list[Call]] = []
        self.kinds = {
            name: {
                field: parameter_type(info.annotation)
                for field, info in tool.parameters.model_fields.items()
            }
            for name, tool in world.tools.items()
        }
        self._required = {
            name: [
                field for field, info in tool.parameters.model_fields.items() if info.is_required()
            ]
            for name, tool in world.tools.items()
        }
        self.shapes = Shapes(rng, world)
        self.stories = Stories(rng, world, self.shapes)
        self._learn()
        self.changes: tuple[Callable[[list[Call]], None], ...] = (
            self.near_miss,
            self.near_miss,
            self.near_miss,
            self.retype,
            self.retype,
            self.odd_text,
            self.odd_text,
            self.list_text,
            self.drop_argument,
            self.add_argument,
            self.repeat,
            self.reorder,
            self.delete,
            self.swap_values,
            self.rename,
            self.insert,
            self.insert,
            self.borrow,
            *([self.reshape] * 4 + [self.tell] * 2 if self.stories.steps else []),
        )

    def _learn(self) -> None:
        """Collects the values of all ground truths by argument, and the environment's texts."""
        for calls in self.world.scripts():
            self._scripts.append(calls)
            for call in calls:
                for name, value in call["args"].items():
                    if value not in self.known.setdefault(name, []) and len(str(value)) <= LONG:
                        self.known[name].append(value)
        self._harvest(plain(self.world.environment({}).model_dump()))
        self.texts = list(dict.fromkeys(self.texts))

    def _harvest(self, value: Any) -> None:
        """Adds the short texts in ``value``, keys included."""
        if isinstance(value, str) and len(value) <= 60:
            self.texts.append(value)
        elif isinstance(value, dict):
            self.texts.extend(value)
            for item in value.values():
                self._harvest(item)
        elif isinstance(value, list):
            for item in value:
                self._harvest(item)

    def mutate(self, calls: list[Call], count: int) -> list[Call]:
        """``calls`` with ``count`` changes."""
        made = copy.deepcopy(calls)
        for _ in range(count):
            self.rng.choice(self.changes)(made)
        return made

    def _argument(self, calls: list[Call]) -> tuple[Call, str] | None:
        """A call with an argument, and the argument's name."""
        places = [(call, name) for call in calls for name in call["args"]]
        return self.rng.choice(places) if places else None

    def near_miss(self, calls: list[Call]) -> None:
        """Makes a value slightly different, or takes another value known for the argument."""
        place = self._argument(calls)
        if place is None:
            return
        call, name = place
        call["args"][name] = self._near(call["args"][name], name)

    def _near(self, value: Any, name: str) -> Any:
        rng = self.rng
        if rng.random() < 0.3 and self.known.get(name):
            return copy.deepcopy(rng.choice(self.known[name]))
        if isinstance(value, bool):
            return not value
        if isinstance(value, int):
            near = [value + 1, value - 1, -value, value * 10, float(value), value + 0.5]
            return rng.choice([each for each in near if -(2**63) <= each < 2**63])
        if isinstance(value, float):
            whole = int(value) if abs(value) < 2**53 else value
            return rng.choice([value + 0.01, value - 0.01, -value, value * 10, value / 3, whole])
        if isinstance(value, str):
            return near_text(rng, value)
        if isinstance(value, list):
            if not value or rng.random() < 0.4:
                return [*value, rng.choice(self.texts)]
            index = rng.randrange(len(value))
            return (
                value[:index] + value[index + 1 :]
                if rng.random() < 0.5
                else value[::-1] + value[:1]
            )
        return rng.choice(ODD)

    def retype(self, calls: list[Call]) -> None:
        """Gives a value in another type."""
        place = self._argument(calls)
        if place is None:
            return
        call, name = place
        value, rng = call["args"][name], self.rng
        forms: list[Any] = [
            None,
            True,
            rng.choice(INTEGERS),
            rng.choice(FLOATS),
            rng.choice(NUMBER_TEXTS),
            [value],
            [],
            {"value": value},
            {},
        ]
        if isinstance(value, (int, float)):
            forms += [
                str(value),
                f" {value} ",
                f"{float(value):.2f}",
                float(value),
                f"${value}",
            ] * 2
        if isinstance(value, list):
            forms += [repr(value), ", ".join(map(str, value)), value[0] if value else ""] * 2
        if isinstance(value, str):
            forms += [repr([value]), [value, value], len(value)]
        call["args"][name] = rng.choice(forms)

    def odd_text(self, calls: list[Call]) -> None:
        """Puts a text that is hard to print in place of a value, or behind it."""
        place = self._argument(calls)
        if place is None:
            return
        call, name = place
        value, odd = call["args"][name], self.rng.choice(ODD)
        joined = isinstance(value, str) and self.rng.random() < 0.5
        call["args"][name] = value + odd if joined else odd

    def list_text(self, calls: list[Call]) -> None:
        """Gives a text that reads as a list, or nearly so."""
        place = self._argument(calls)
        if place is not None:
            place[0]["args"][place[1]] = self.rng.choice(LIST_TEXTS)

    def drop_argument(self, calls: list[Call]) -> None:
        """Leaves an argument out."""
        place = self._argument(calls)
        if place is not None:
            del place[0]["args"][place[1]]

    def add_argument(self, calls: list[Call]) -> None:
        """Adds an argument that the tool does not know, or one of another call's."""
        if calls:
            name = self.rng.choice([*EXTRA_ARGUMENTS, *self.known])
            self.rng.choice(calls)["args"][name] = self.rng.choice(self.known.get(name, list(ODD)))

    def repeat(self, calls: list[Call]) -> None:
        """Makes a call twice."""
        if calls:
            call = copy.deepcopy(self.rng.choice(calls))
            calls.insert(self.rng.randrange(len(calls) + 1), call)

    def reorder(self, calls: list[Call]) -> None:
        """Changes the order of the calls."""
        if self.rng.random() < 0.5:
            calls.reverse()
        else:
            self.rng.shuffle(calls)

    def delete(self, calls: list[Call]) -> None:
        """Leaves a call out."""
        if calls:
            calls.pop(self.rng.randrange(len(calls)))

    def swap_values(self, calls: list[Call]) -> None:
        """Exchanges the values of two arguments."""
        one, two = self._argument(calls), self._argument(calls)
        if one is None or two is None:
            return
        (first, name), (second, other) = one, two
        held = first["args"][name]
        first["args"][name] = second["args"][other]
        second["args"][other] = held

    def rename(self, calls: list[Call]) -> None:
        """Asks for another tool, or for one that does not exist."""
        if calls:
            names = [*UNKNOWN_TOOLS, EMPTY_FUNCTION_NAME, *self.world.tools]
            self.rng.choice(calls)["function"] = self.rng.choice(names)

    def insert(self, calls: list[Call]) -> None:
        """Adds a made-up call."""
        calls.insert(self.rng.randrange(len(calls) + 1), self.made_up())

    def borrow(self, calls: list[Call]) -> None:
        """Adds a ground-truth call of another task."""
        truth = self.rng.choice(self._scripts)
        if truth:
            call = copy.deepcopy(self.rng.choice(truth))
            calls.insert(self.rng.randrange(len(calls) + 1), call)

    def reshape(self, calls: list[Call]) -> None:
        """Gives an id, a time, an address, an attachment or a name of another shape."""
        places = [
            (call, name) for call in calls for name in call["args"] if self.shapes.knows(name)
        ]
        if places:
            call, name = self.rng.choice(places)
            call["args"][name] = self.shapes.value(name)

    def tell(self, calls: list[Call]) -> None:
        """Adds several calls about one thing."""
        place = self.rng.randrange(len(calls) + 1)
        calls[place:place] = self.stories.one()

    def made_up(self, known: float = 0.35) -> Call:
        """A call of any tool, with arguments from the environment, the ground truths or odd ones;
        ``known`` is the share of values from ground truths, where there are any."""
        return self.call_of(self.rng.choice(list(self.world.tools)), known)

    def broken(self, name: str) -> Call:
        """A call of a tool with an argument that upstream refuses, or without one that it needs."""
        call = self.call_of(name, 0.85)
        field = self.rng.choice(self._required[name] or list(self.kinds[name]))
        if self.rng.random() < 0.5:
            call["args"].pop(field, None)
        else:
            call["args"][field] = self.rng.choice([{"a": [1]}, 1.5, "no such thing", [None]])
        return call

    def call_of(self, name: str, known: float) -> Call:
        """A call of one tool, with arguments as those of ``made_up``."""
        args = {}
        for field, (kind, nullable) in self.kinds[name].items():
            if field not in self._required[name] and self.rng.random() < 0.5:
                continue
            if nullable and self.rng.random() < 0.1:
                args[field] = None
            else:
                args[field] = self._value(field, kind, known)
        return {"function": name, "args": args}

    def _value(self, field: str, kind: dict[str, Any], known: float) -> Any:
        """A value for an argument: mostly one that upstream accepts."""
        rng = self.rng
        if self.shapes.knows(field) and rng.random() < SHAPED:
            return self.shapes.value(field)
        if rng.random() < known and self.known.get(field):
            return copy.deepcopy(rng.choice(self.known[field]))
        match kind["kind"]:
            case "str":
                return rng.choice(self.texts if rng.random() < 0.6 else ODD)
            case "int":
                return rng.choice(INTEGERS if rng.random() < 0.8 else NUMBER_TEXTS)
            case "float":
                pool = rng.choice([INTEGERS, FLOATS, FLOATS, NUMBER_TEXTS])
                return rng.choice(pool)
            case "bool":
                return rng.choice([True, False, "yes", "off", "True", "t", 1, 0, 2, "maybe", 1.0])
            case "enum":
                return rng.choice([*kind["values"], "", "other", kind["values"][0].upper()])
            case "dict":
                return rng.choice(
                    [{}, {"type": "file", "file_id": "1"}, {"file_id": 2}, {"type": "x"}]
                )
            case _:
                return [self._value("", kind["items"], known) for _ in range(rng.randrange(4))]
