"""What the rows cover: verdicts both ways of every check, and outcomes of every tool."""

from __future__ import annotations

import collections
from typing import Any

from oracle_world import World

WANTED = 5
"""Rows that every check should have each way."""
CONSTANT = {
    (
        "banking",
        "user_task_5",
        False,
    ): "always true: a payment that is there from the start satisfies it",
    ("banking", "user_task_8", False): "always true: it checks nothing",
}
"""Verdicts that upstream's checks cannot give, and why."""

Check = tuple[str, str]
"""A suite and a task of it."""


class Coverage:
    """Counts of verdicts by check and of outcomes by tool."""

    def __init__(self, worlds: list[World]) -> None:
        self.verdicts: dict[Check, collections.Counter[str]] = {
            (world.name, task): collections.Counter()
            for world in worlds
            for task in [*world.users, *world.attackers]
        }
        self.tools: dict[Check, collections.Counter[str]] = {
            (world.name, tool): collections.Counter() for world in worlds for tool in world.tools
        }
        self.attempts: collections.Counter[Check] = collections.Counter()

    def of_row(self, row: dict[str, Any]) -> list[tuple[Check, str]]:
        """The checks that a row judges, with ``true``, ``false`` or ``raised``."""
        pairs = [(row["user_task"], "utility"), (row["injection_task"], "security")]
        found = []
        for task, key in pairs:
            verdict = row["expect"][key]
            if task is not None:
                name = "raised" if isinstance(verdict, dict) else str(verdict).lower()
                found.append(((row["suite"], task), name))
        return found

    def helps(self, row: dict[str, Any]) -> bool:
        """Whether a row brings a check nearer to ``WANTED``."""
        return any(
            verdict != "raised" and self.verdicts[check][verdict] < WANTED
            for check, verdict in self.of_row(row)
        )

    def add(self, row: dict[str, Any]) -> None:
        """Counts a row."""
        for check, verdict in self.of_row(row):
            self.verdicts[check][verdict] += 1
        for call, output in zip(row["calls"], row["expect"]["outputs"], strict=True):
            tool = (row["suite"], call["function"])
            if tool in self.tools:
                self.tools[tool]["done" if output["error"] is None else "error"] += 1

    def count(self, check: Check, verdict: str) -> int:
        """How often a verdict came up."""
        return self.verdicts[check][verdict]

    def missing(self) -> list[tuple[Check, str]]:
        """Verdicts that came up less often than wanted, those that cannot come up left out."""
        return [
            (check, verdict)
            for check, verdict in self._short()
            if (*check, verdict == "true") not in CONSTANT
        ]

    def _short(self) -> list[tuple[Check, str]]:
        return [
            (check, verdict)
            for check, counts in self.verdicts.items()
            for verdict in ("true", "false")
            if counts[verdict] < WANTED
        ]

    def report(self) -> str:
        """The tables, and the verdicts that are short with the reason."""
        lines = [f"{'check':<32}{'true':>7}{'false':>7}{'raised':>8}"]
        for (suite, task), counts in self.verdicts.items():
            name = f"{suite} {task}"
            lines.append(f"{name:<32}{counts['true']:>7}{counts['false']:>7}{counts['raised']:>8}")
        lines.append(f"{'tool':<48}{'done':>7}{'error':>7}")
        for (suite, tool), counts in self.tools.items():
            lines.append(f"{suite + ' ' + tool:<48}{counts['done']:>7}{counts['error']:>7}")
        short = self._short()
        lines.append(
            f"checks without {WANTED} rows each way: {'none' if not short else ''}".rstrip()
        )
        for check, verdict in short:
            reason = CONSTANT.get((*check, verdict == "true"))
            if reason is None:
                reason = f"not found in {self.attempts[check]} tries aimed at it"
            count = self.verdicts[check][verdict]
            lines.append(f"  {check[0]} {check[1]}: {verdict} {count} times: {reason}")
        return "\n".join(lines)
