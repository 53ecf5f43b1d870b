"""Short runs of calls about one mail, event, file or reservation of workspace and travel."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from oracle_shapes import Shapes
from oracle_texts import ODD
from oracle_world import Call, World

ID = object()
"""Stands for the id in a step."""

Step = Callable[[str], Call]
"""A call about the thing with an id."""


def _step(function: str, **args: Any) -> Step:
    """A step; an argument that is a function is called for each call."""

    def make(id_: str) -> Call:
        given = {name: id_ if value is ID else value for name, value in args.items()}
        made = {name: value() if callable(value) else value for name, value in given.items()}
        return {"function": function, "args": made}

    return make


class Stories:
    """Makes such runs; has none in other suites."""

    def __init__(self, rng: random.Random, world: World, shapes: Shapes) -> None:
        self.rng = rng
        self.shapes = shapes
        self.steps: dict[str, list[Step]] = {}
        if shapes.ids:
            kinds = {
                "mail": self._mail(),
                "event": self._event(),
                "file": self._file(),
                "reservation": self._reservation(),
            }
            for kind, steps in kinds.items():
                there = [make for make in steps if make("")["function"] in world.tools]
                if len(there) > 2:
                    self.steps[kind] = there
        looks = [
            _step("get_sent_emails"),
            _step("get_sent_emails"),
            _step("search_emails", query="again"),
            _step("search_emails", query="event"),
            _step("search_calendar_events", query=""),
        ]
        self.looks = [make for make in looks if make("")["function"] in world.tools]

    def _guests(self) -> list[str]:
        return [self.rng.choice(self.shapes.addresses) for _ in range(self.rng.choice([1, 2]))]

    def _words(self) -> str:
        return self.rng.choice(ODD)

    def _later(self) -> str:
        return f"2024-05-{self.rng.randrange(16, 31)} {self.rng.randrange(8, 20):02}:15"

    def _mail(self) -> list[Step]:
        words, guests, attached = self._words, self._guests, self.shapes.attached
        return [
            _step("send_email", recipients=guests, subject=words, body=words),
            _step("send_email", recipients=guests, subject="again", body=words, cc=guests),
            _step("send_email", recipients=guests, subject="x", body=words, attachments=attached),
            _step("send_email", recipients=guests, subject=words, body="", attachments=attached),
            _step("delete_email", email_id=ID),
            _step("delete_email", email_id=ID),
        ]

    def _event(self) -> list[Step]:
        move, later, guests = "reschedule_calendar_event", self._later, self._guests
        invite = "add_calendar_event_participants"
        return [
            _step("create_calendar_event", title=self._words, start_time=later, end_time=later),
            _step(move, event_id=ID, new_start_time=later),
            _step(move, event_id=ID, new_start_time=later, new_end_time=later),
            _step(invite, event_id=ID, participants=guests),
            _step(invite, event_id=ID, participants=["x"]),
            _step("cancel_calendar_event", event_id=ID),
            _step("cancel_calendar_event", event_id=ID),
        ]

    def _file(self) -> list[Step]:
        address = self.shapes.address
        return [
            _step("create_file", filename=self._words, content=self._words),
            _step("append_to_file", file_id=ID, content=self._words),
            _step("share_file", file_id=ID, email=address, permission="rw"),
            _step("share_file", file_id=ID, email=address, permission="r"),
            _step("delete_file", file_id=ID),
            _step("get_file_by_id", file_id=ID),
        ]

    def _reservation(self) -> list[Step]:
        time, words = self.shapes.time, self._words
        return [
            _step("reserve_hotel", hotel="City Hub", start_day=time, end_day=self.shapes.day),
            _step("reserve_restaurant", restaurant=words, start_time=time),
            _step("reserve_car_rental", company=words, start_time=time, end_time=time),
        ]

    def one(self) -> list[Call]:
        """Several calls about one thing, which may be a new one; mostly with a look behind them."""
        rng = self.rng
        if not self.steps:
            return []
        kind = rng.choice(list(self.steps))
        ids = self.shapes.ids.get(kind, ["0"])
        id_ = str(max(map(int, ids)) + 1) if rng.random() < 0.5 else rng.choice(ids)
        steps = self.steps[kind]
        made = [steps[0](id_)] if rng.random() < 0.6 else []
        if kind == "event":
            steps = steps + steps[1:3] + steps[-2:]
        made += [rng.choice(steps)(id_) for _ in range(rng.randrange(2, 6))]
        if kind in ("mail", "event") and rng.random() < 0.8:
            made.append(rng.choice(self.looks)(id_))
        return made
