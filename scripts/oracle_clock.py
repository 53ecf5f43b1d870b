"""What upstream leaves to the machine, made the same for all runs: the clock, the order of a set.

The changes are in this process only; the installed package stays as it is.
"""

from __future__ import annotations

import builtins
import datetime
import types
from collections.abc import Iterable
from typing import Any

START = datetime.datetime(2024, 5, 15, 12, 0, 0)
"""The first reading after a restart."""
STEP = datetime.timedelta(seconds=1)
"""How much later each further reading is."""


class Clock:
    """A clock that moves when it is read, also by a call that fails afterwards."""

    def __init__(self) -> None:
        self._next = START

    def restart(self) -> None:
        """Makes the next reading the first one."""
        self._next = START

    def now(self) -> datetime.datetime:
        """The next reading."""
        reading = self._next
        self._next += STEP
        return reading


CLOCK = Clock()
"""The clock that upstream's tools read."""


def _in_order(items: Iterable[Any]) -> list[Any]:
    """The different ``items``, sorted; upstream makes a list of a set of them."""
    return sorted(builtins.set(items))


def install() -> None:
    """Gives the clock to upstream's tools, and to its calendar a set with an order."""
    from agentdojo.default_suites.v1.tools import calendar_client, cloud_drive_client, email_client

    for module in (email_client, cloud_drive_client):
        module.datetime = types.SimpleNamespace(datetime=CLOCK)
    calendar_client.set = _in_order
