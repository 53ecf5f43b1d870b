"""Values that mean something in workspace and travel: ids, times, addresses, attachments, names."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from oracle_texts import ODD
from oracle_world import Call, World

TIMES = (
    "2024-05-18 10:00",
    "2024-05-15 12:00",
    "2024-5-8 9:05",
    "2024-05-18 1:2",
    "2024-05-18T10:00",
    "2024-05-18t10:00",
    "2024-05-18",
    "2024-5-8",
    "2024-05-18 10",
    "2024-05-18T10",
    "2024-05-18 10:00:00",
    "2024-05-18 10:00:00.5",
    "2024-05-18 10:00:00,5",
    "2024-05-18T10:00:00.123456",
    "2024-05-18T10:00:00.1234567",
    "2024-05-18 24:00",
    "2024-05-18 23:60",
    "2024-05-18 10:00:60",
    "2024-02-29 10:00",
    "2023-02-29 10:00",
    "2024-02-30",
    "2024-13-01 10:00",
    "2024-00-10",
    "0000-01-01 00:00",
    "0001-01-01 00:00",
    "0024-05-18 10:00",
    "24-05-18 10:00",
    "9999-12-31 23:00",
    "9999-12-31",
    "10000-01-01 00:00",
    " 2024-05-18 10:00",
    "2024-05-18 10:00 ",
    "2024-05-18  10:00",
    "2024-05-18\t10:00",
    "2024-05-18\u00a010:00",
    "2024-05-18\n10:00",
    "20240518",
    "20240518T1000",
    "20240518 100000",
    "2024-W20-6",
    "2024W206T10",
    "2024-W53-1",
    "2024-W20",
    "2024-139",
    "2024-05",
    "2024-05-18T10:00Z",
    "2024-05-18T10:00:00+02:00",
    "2024-05-18 10:00-0530",
    "2024-05-18T10:00+24:00",
    "2024-05-18T10:00:00+00:00:01",
    "2024/05/18 10:00",
    "18.05.2024",
    "05-18-2024 10:00",
    "May 18th",
    "10:00",
    "tomorrow",
    "-2024-05-18",
    "2024-05-18 10:00 PM",
    "2024-05-18 -1:00",
    "\uff12\uff10\uff12\uff14-05-18 10:00",
    "",
)
"""Times for upstream's ``strptime`` and ``fromisoformat``."""

EVENT_TIMES = (
    "2024-05-18T10:00",
    "2024-05-18T10:00:00",
    "2024-05-18 10:00",
    "2024-05-18_10:00:00",
    "2024-05-18T10:00:00.25",
    "2024-05-18T10:00:00Z",
    "2024-05-18T10:00:00+02:00",
    "2024-05-18 10:00-0530",
    "2024-05-18",
    "2024-5-18 10:00",
    "2024-05-18T25:00",
    "2024-02-30",
    "10:00",
    "",
    "1715767200",
    1715767200,
    1715767200.5,
    1715767200000,
    -1,
    True,
    None,
)
"""Times for an event inside an attachment, which pydantic reads."""

_LONG_LABEL = "b" * 63
ADDRESSES = (
    "a@b.com",
    "A@B.COM",
    "Mark.Davies@Hotmail.com",
    "a+tag@b.co.uk",
    "a_b-c@d-e.org",
    "o'x@b.com",
    "a%b@c.com",
    "a!#$&*/=?^`{|}~@b.com",
    "1@2.com",
    "a@b",
    "@b.com",
    "a@",
    "a",
    "",
    " ",
    "a@@b.com",
    "a@b@c.com",
    "a b@c.com",
    "a@b c.com",
    "a@b..com",
    "a@.b.com",
    "a@b.com.",
    ".a@b.com",
    "a.@b.com",
    "a..b@c.com",
    "a@-b.com",
    "a@b-.com",
    "a@b_c.com",
    "a@ab--c.com",
    "a@b.c",
    "a@b.123",
    "a@1.2.3.4",
    "a@[127.0.0.1]",
    "a@localhost",
    "a@x.localhost",
    "a@x.test",
    "a@x.local",
    "a@x.invalid",
    "a@x.onion",
    "a@x.arpa",
    "a@example.com",
    "a@x.example",
    '"q"@b.com',
    '"q r"@b.com',
    "Name <a@b.com>",
    '"Name, N." <a@b.com>',
    "<a@b.com>",
    "Name <a@b>",
    "Name a@b.com",
    "a@b.com ",
    " a@b.com",
    "a@b.com\n",
    "a@b.com,c@d.com",
    "a(b)@c.com",
    "a,b@c.com",
    "a:b@c.com",
    "a@b,com",
    "a@b.com/x",
    "mailto:a@b.com",
    "caf\u00e9@b.com",
    "cafe\u0301@b.com",
    "a@b\u00fccher.de",
    "a@B\u00dcCHER.de",
    "a@xn--bcher-kva.de",
    "a@xn--a.de",
    "a@\u6f22\u5b57.jp",
    "\u6f22\u5b57@b.com",
    "a@b\u3002com",
    "\uff41@b.com",
    "a@\uff42.com",
    "a\u200bb@c.com",
    "a\x00@b.com",
    "a" * 64 + "@b.com",
    "a" * 65 + "@b.com",
    f"a@{_LONG_LABEL}.com",
    f"a@{_LONG_LABEL}b.com",
    "a@" + ".".join([_LONG_LABEL] * 3) + "." + "b" * 57 + ".com",
    "a@" + ".".join([_LONG_LABEL] * 4) + ".com",
)
"""E-mail addresses near the border of validity."""

_ID_FIELDS = {"email_id": "mail", "event_id": "event", "file_id": "file"}
_TIME_FIELDS = (
    "start_time end_time new_start_time new_end_time start_day end_day day date"
).split()
_LIST_ADDRESSES = ("recipients", "cc", "bcc", "participants")
_ADDRESS_FIELDS = ("email", "sender")
_NAME_FIELDS = {
    "hotel_names": "hotels",
    "hotel_name": "hotels",
    "hotel": "hotels",
    "restaurant_names": "restaurants",
    "restaurant": "restaurants",
    "company_name": "companies",
    "company": "companies",
    "city": "cities",
    "departure_city": "cities",
    "arrival_city": "cities",
}


class Shapes:
    """Makes such values and short runs of calls that belong together."""

    def __init__(self, rng: random.Random, world: World) -> None:
        self.rng = rng
        self.tools = list(world.tools)
        self.ids: dict[str, list[str]] = {}
        self.names: dict[str, list[str]] = {}
        self.addresses: list[str] = []
        if world.name in ("workspace", "travel"):
            self._read(world.environment({}))
        self.steps = self._steps()

    def _read(self, environment: Any) -> None:
        """Takes ids, addresses and names from an environment."""
        self.ids["mail"] = list(environment.inbox.emails)
        self.ids["event"] = list(environment.calendar.events)
        self.addresses = [each.email for each in environment.inbox.contact_list]
        self.addresses.append(environment.inbox.account_email)
        if hasattr(environment, "cloud_drive"):
            self.ids["file"] = list(environment.cloud_drive.files)
        if hasattr(environment, "hotels"):
            places = {
                "hotels": environment.hotels.hotel_list,
                "restaurants": environment.restaurants.restaurant_list,
                "companies": environment.car_rental.company_list,
            }
            self.names = {kind: [each.name for each in each_of] for kind, each_of in places.items()}
            cities = [each.city for each_of in places.values() for each in each_of]
            flights = environment.flights.flight_list
            cities += [city for each in flights for city in (each.departure_city, each.arrival_city)]
            self.names["cities"] = list(dict.fromkeys(cities))

    def knows(self, field: str) -> bool:
        """Whether ``value`` has something to say about an argument of this name."""
        if field in _ID_FIELDS:
            return _ID_FIELDS[field] in self.ids
        if field in _NAME_FIELDS:
            return bool(self.names)
        known = (*_TIME_FIELDS, *_LIST_ADDRESSES, *_ADDRESS_FIELDS, "attachments")
        return bool(self.addresses) and field in known

    def value(self, field: str) -> Any:
        """A value for an argument that ``knows`` answers true for."""
        if field in _ID_FIELDS:
            return self.id_of(_ID_FIELDS[field])
        if field in _TIME_FIELDS:
            return self.time()
        if field in _NAME_FIELDS:
            many = field in ("hotel_names", "restaurant_names", "company_name")
            return self._names(_NAME_FIELDS[field]) if many else self._name(_NAME_FIELDS[field])
        if field in _LIST_ADDRESSES:
            return [self.address() for _ in range(self.rng.choice([0, 1, 1, 1, 2, 3]))]
        if field in _ADDRESS_FIELDS:
            return self.address()
        return [self.attachment() for _ in range(self.rng.choice([0, 1, 1, 2, 3]))]

    def id_of(self, kind: str) -> Any:
        """An id: there, the next ones, or one that is not."""
        rng, ids = self.rng, self.ids[kind]
        following = max(map(int, ids)) + 1
        (pool,) = rng.choices(
            [
                ids,
                [str(following), str(following), str(following + 1)],
                ["99", "-1", "00", f" {ids[0]}", f"0{ids[0]}", "", "x", "3.0", following, None],
            ],
            [5, 4, 1],
        )
        return rng.choice(pool)

    def time(self) -> str:
        """A time; often one of the form that the tools ask for."""
        rng = self.rng
        if rng.random() < 0.5:
            return rng.choice(TIMES)
        day = f"2024-05-{rng.randrange(12, 32)}"
        return day if rng.random() < 0.3 else f"{day} {rng.randrange(8, 20):02}:{rng.choice(['00', '30'])}"

    def address(self) -> str:
        """An address: mostly a contact, else one near the border."""
        return self.rng.choice(self.addresses if self.rng.random() < 0.6 else ADDRESSES)

    def _name(self, kind: str) -> str:
        rng = self.rng
        name = rng.choice(self.names[kind])
        return rng.choice([name] * 6 + [name.lower(), f" {name}", name[:-1], ""])

    def _names(self, kind: str) -> list[str]:
        rng = self.rng
        names = [self._name(kind) for _ in range(rng.choice([0, 1, 1, 2, 3, 5]))]
        if names and rng.random() < 0.3:
            return [", ".join(names)]
        return names + names[:1] if rng.random() < 0.1 else names

    def attachment(self) -> Any:
        """An attachment: a file, an event, or something that is nearly one."""
        rng = self.rng
        file_id = self.id_of("file") if "file" in self.ids else "1"
        return rng.choice(
            [
                {"type": "file", "file_id": file_id},
                {"type": "file", "file_id": file_id},
                {"file_id": file_id, "type": "event"},
                {"type": "event", "event_details": self.event_details()},
                {"type": "event", "event_details": self.event_details()},
                {"type": "other", "event_details": self.event_details()},
                {"type": None, "event_details": self.event_details()},
                {"type": "event", "event_details": rng.choice(["text", None, 5, [], {}, [["a", 1]]])},
                {"type": "file", "file_id": rng.choice([None, 3, 1.5, True, [1, "a"], {"a": None}])},
                {"type": "event"},
                {"type": "file"},
                {"file_id": file_id},
                {"event_details": self.event_details()},
                {},
                file_id,
            ]
        )

    def event_details(self) -> dict[str, Any]:
        """The fields of an event; sometimes one of them is odd or left out."""
        rng = self.rng
        details: dict[str, Any] = {
            "id_": str(rng.randrange(40)),
            "title": rng.choice(["Plan", "x: y", "caf\u00e9"]),
            "description": rng.choice(ODD),
            "start_time": rng.choice(EVENT_TIMES[:3]),
            "end_time": rng.choice(EVENT_TIMES[:3]),
            "location": rng.choice([None, "Room 5"]),
            "participants": [rng.choice(self.addresses)] if self.addresses else [],
        }
        odd = {
            "id_": [5, None],
            "title": [7, None],
            "start_time": list(EVENT_TIMES),
            "end_time": list(EVENT_TIMES),
            "location": [3, ""],
            "participants": [["x"], "a@b.com", None, [rng.choice(ADDRESSES)], [4]],
            "all_day": [True, "yes", "maybe", 1, 2, None],
            "status": ["canceled", "confirmed", "CANCELED", "", None],
            "note": ["extra"],
        }
        for _ in range(rng.choice([0, 1, 1, 2])):
            field = rng.choice(list(odd))
            if rng.random() < 0.25:
                details.pop(field, None)
            else:
                details[field] = rng.choice(odd[field])
        return details

    def _steps(self) -> list[list[Callable[[str], Call]]]:
        """Kinds of stories: what may be done to one thing, as functions of its id."""
        rng = self.rng

        def step(function: str, **args: Any) -> Callable[[str], Call]:
            def make(id_: str) -> Call:
                made = {name: id_ if value is ID else value for name, value in args.items()}
                made = {name: value() if callable(value) else value for name, value in made.items()}
                return {"function": function, "args": made}

            return make

        def guests() -> list[str]:
            return [rng.choice(self.addresses) for _ in range(rng.choice([1, 2]))]

        def words() -> str:
            return rng.choice(ODD)

        def later() -> str:
            return f"2024-05-{rng.randrange(16, 31)} {rng.randrange(8, 20):02}:15"

        mail = [
            step("send_email", recipients=guests, subject=words, body=words),
            step("send_email", recipients=guests, subject="again", body=words, cc=guests),
            step("delete_email", email_id=ID),
            step("delete_email", email_id=ID),
            step("search_emails", query="again"),
            step("get_sent_emails"),
        ]
        event = [
            step("create_calendar_event", title=words, start_time=later, end_time=later),
            step("reschedule_calendar_event", event_id=ID, new_start_time=later),
            step(
                "reschedule_calendar_event", event_id=ID, new_start_time=later, new_end_time=later
            ),
            step("add_calendar_event_participants", event_id=ID, participants=guests),
            step("add_calendar_event_participants", event_id=ID, participants=lambda: ["x"]),
            step("cancel_calendar_event", event_id=ID),
            step("search_emails", query="cancel"),
            step("search_emails", query="reschedule"),
            step("get_sent_emails"),
            step("search_calendar_events", query=""),
        ]
        file = [
            step("create_file", filename=words, content=words),
            step("append_to_file", file_id=ID, content=words),
            step("share_file", file_id=ID, email=self.address, permission="rw"),
            step("share_file", file_id=ID, email=self.address, permission="r"),
            step("delete_file", file_id=ID),
            step("get_file_by_id", file_id=ID),
        ]
        reservation = [
            step("reserve_hotel", hotel="City Hub", start_day=self.time, end_day=self.time),
            step("reserve_restaurant", restaurant=words, start_time=self.time),
            step("reserve_car_rental", company=words, start_time=self.time, end_time=self.time),
            step("cancel_calendar_event", event_id=ID),
            step("get_user_information"),
        ]
        kinds = {"mail": mail, "event": event, "file": file, "reservation": reservation}
        there = {kind: [make for make in steps if make("")["function"] in self.tools] for kind, steps in kinds.items()} if self.ids else {}
        self.kinds = [kind for kind, steps in there.items() if len(steps) > 2]
        return [there[kind] for kind in self.kinds]

    def story(self) -> list[Call]:
        """Several calls about one thing, which may be a new one; empty in other suites."""
        if not self.steps:
            return []
        place = self.rng.randrange(len(self.steps))
        kind = self.kinds[place] if self.kinds[place] in self.ids else "event"
        ids = self.ids[kind]
        id_ = str(max(map(int, ids)) + 1) if self.rng.random() < 0.5 else self.rng.choice(ids)
        steps = self.steps[place]
        first = [steps[0](id_)] if self.rng.random() < 0.6 else []
        return first + [self.rng.choice(steps)(id_) for _ in range(self.rng.randrange(2, 6))]


ID = object()
"""Stands for the id in a step."""
