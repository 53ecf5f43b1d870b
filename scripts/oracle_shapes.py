"""Values that mean something in workspace and travel: ids, times, addresses, attachments, names."""

from __future__ import annotations

import random
from typing import Any

from oracle_borders import ADDRESSES, EVENT_TIMES, TIMES
from oracle_texts import ODD
from oracle_world import World

ODD_SHARE = 0.4
"""Share of times that come from ``TIMES``."""
_ID_FIELDS = {"email_id": "mail", "event_id": "event", "file_id": "file"}
_TIME_FIELDS = ("start_time", "end_time", "new_start_time", "new_end_time")
_DAY_FIELDS = ("start_day", "end_day", "day", "date")
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
    """Makes such values; knows none in other suites."""

    def __init__(self, rng: random.Random, world: World) -> None:
        self.rng = rng
        self.ids: dict[str, list[str]] = {}
        self.names: dict[str, list[str]] = {}
        self.addresses: list[str] = []
        self.phrases: list[list[str]] = []
        if world.name in ("workspace", "travel"):
            self._read(world.environment({}))

    def _read(self, environment: Any) -> None:
        """Takes ids, addresses and names from an environment."""
        self.ids["mail"] = list(environment.inbox.emails)
        self.ids["event"] = list(environment.calendar.events)
        self.addresses = [each.email for each in environment.inbox.contact_list]
        self.addresses.append(environment.inbox.account_email)
        contacts = environment.inbox.contact_list
        self.phrases = [
            [each.subject for each in environment.inbox.emails.values()],
            [each.title for each in environment.calendar.events.values()],
            [each.name for each in contacts],
            self.addresses,
        ]
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
            cities += [each.departure_city for each in flights]
            cities += [each.arrival_city for each in flights]
            self.names["cities"] = list(dict.fromkeys(cities))

    def knows(self, field: str) -> bool:
        """Whether ``value`` has something to say about an argument of this name."""
        if field in _ID_FIELDS:
            return _ID_FIELDS[field] in self.ids
        if field in _NAME_FIELDS:
            return bool(self.names)
        known = (
            *_TIME_FIELDS,
            *_DAY_FIELDS,
            *_LIST_ADDRESSES,
            *_ADDRESS_FIELDS,
            "attachments",
            "query",
        )
        return bool(self.addresses) and field in known

    def value(self, field: str) -> Any:
        """A value for an argument that ``knows`` answers true for."""
        if field in _ID_FIELDS:
            return self.id_of(_ID_FIELDS[field])
        if field in _TIME_FIELDS:
            return self.time()
        if field in _DAY_FIELDS:
            return self.day()
        if field == "query":
            return self.query()
        if field in _NAME_FIELDS:
            many = field in ("hotel_names", "restaurant_names", "company_name")
            return self._names(_NAME_FIELDS[field]) if many else self._name(_NAME_FIELDS[field])
        if field in _LIST_ADDRESSES:
            return [self.address() for _ in range(self.rng.choice([0, 1, 1, 1, 2, 3]))]
        if field in _ADDRESS_FIELDS:
            return self.address()
        return self.attached()

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
        """A time of day; often of the form that the tools ask for."""
        if self.rng.random() < ODD_SHARE:
            return self.rng.choice(TIMES)
        minutes = self.rng.choice(["00", "30"])
        return f"{self._day()} {self.rng.randrange(8, 20):02}:{minutes}"

    def day(self) -> str:
        """A day; often of the form that the tools ask for."""
        return self.rng.choice(TIMES) if self.rng.random() < ODD_SHARE else self._day()

    def _day(self) -> str:
        return f"2024-05-{self.rng.randrange(12, 32)}"

    def query(self) -> str:
        """A word of a title, a subject or a name, whole or in part."""
        rng = self.rng
        words = rng.choice(rng.choice(self.phrases)).split()
        word = rng.choice(words) if words else ""
        return rng.choice(["", word, word.upper(), word[:3], word[1:], " ".join(words[:2])])

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

    def attached(self) -> list[Any]:
        """Some attachments."""
        return [self.attachment() for _ in range(self.rng.choice([0, 1, 1, 1, 2, 3]))]

    def attachment(self) -> Any:
        """An attachment: a file, an event, or something that is nearly one."""
        rng = self.rng
        file_id = self.id_of("file") if "file" in self.ids else "1"
        strange_ids = [None, 3, 1.5, True, [1, "a"], {"a": None}]
        strange_details = ["text", None, 5, [], {}, [["a", 1]]]
        return rng.choice(
            [
                {"type": "file", "file_id": file_id},
                {"type": "file", "file_id": file_id},
                {"file_id": file_id, "type": "event"},
                {"type": "event", "event_details": self.event_details()},
                {"type": "event", "event_details": self.event_details()},
                {"type": "other", "event_details": self.event_details()},
                {"type": None, "event_details": self.event_details()},
                {"type": "event", "event_details": rng.choice(strange_details)},
                {"type": "file", "file_id": rng.choice(strange_ids)},
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
