"""What the rows cover: verdicts both ways of every check, and outcomes of every tool."""

from __future__ import annotations

import collections
from typing import Any

from oracle_world import Plan, World

WANTED = 5
"""Rows that every check should have each way."""
CONSTANT = {
    (
        "banking",
        "user_task_5@1.0.0",
        False,
    ): "always true: a payment that is there from the start satisfies it",
    ("banking", "user_task_8@1.0.0", False): "always true: it checks nothing",
}
"""Verdicts that upstream's checks cannot give, and why."""
TOOL_WANTED = {"done": 10, "error": 5}
"""Calls of each outcome that every tool should have."""

Check = tuple[str, str]
"""A suite and a task of it, by its key."""
Tool = tuple[str, str]
"""A suite and a tool of it."""


class Coverage:
    """Counts of verdicts by check and of outcomes by tool."""

    def __init__(self, worlds: list[World]) -> None:
        self.verdicts: dict[Check, collections.Counter[str]] = {
            (world.name, task): collections.Counter()
            for world in worlds
            for task in [*world.users, *world.attackers]
        }
        self.unfailing = {
            (world.name, name)
            for world in worlds
            for name, tool in world.tools.items()
            if not tool.parameters.model_fields
        }
        self.tools: dict[Tool, collections.Counter[str]] = {
            (world.name, tool): collections.Counter() for world in worlds for tool in world.tools
        }
        self.attempts: collections.Counter[Check | Tool] = collections.Counter()

    def of_row(self, plan: Plan, row: dict[str, Any]) -> list[tuple[Check, str]]:
        """The checks that a row judges, with ``true``, ``false`` or ``raised``."""
        pairs = [(plan.user_task, "utility"), (plan.injection_task, "security")]
        found = []
        for task, key in pairs:
            verdict = row["expect"][key]
            if task is not None:
                name = "raised" if isinstance(verdict, dict) else str(verdict).lower()
                found.append(((row["suite"], task), name))
        return found

    def helps(self, plan: Plan, row: dict[str, Any], level: int) -> bool:
        """Whether a row gives a verdict that came up less often than ``level``."""
        return any(
            verdict != "raised" and self.verdicts[check][verdict] < level
            for check, verdict in self.of_row(plan, row)
        )

    def helps_tool(self, row: dict[str, Any]) -> bool:
        """Whether a row brings a tool nearer to ``TOOL_WANTED``."""
        return any(
            self.tools[tool][outcome] < TOOL_WANTED[outcome]
            for tool, outcome in self._outcomes(row)
        )

    def add(self, plan: Plan, row: dict[str, Any]) -> None:
        """Counts a row."""
        for check, verdict in self.of_row(plan, row):
            self.verdicts[check][verdict] += 1
        for tool, outcome in self._outcomes(row):
            self.tools[tool][outcome] += 1

    def _outcomes(self, row: dict[str, Any]) -> list[tuple[Tool, str]]:
        """The tools that a row calls, with ``done`` or ``error``."""
        made = zip(row["calls"], row["expect"]["outputs"], strict=True)
        found = [
            ((row["suite"], call["function"]), "done" if output["error"] is None else "error")
            for call, output in made
        ]
        return [(tool, outcome) for tool, outcome in found if tool in self.tools]

    def missing_of_tools(self) -> list[tuple[Tool, str]]:
        """Outcomes of tools that came up less often than wanted, those that cannot come up left
        out."""
        return [(tool, what) for tool, what in self._short_tools() if tool not in self.unfailing]

    def _short_tools(self) -> list[tuple[Tool, str]]:
        return [
            (tool, outcome)
            for tool, counts in self.tools.items()
            for outcome, wanted in TOOL_WANTED.items()
            if counts[outcome] < wanted
        ]

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
        lines = [f"{'check':<40}{'true':>7}{'false':>7}{'raised':>8}"]
        for (suite, task), counts in self.verdicts.items():
            name = f"{suite} {task}"
            lines.append(f"{name:<40}{counts['true']:>7}{counts['false']:>7}{counts['raised']:>8}")
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
        short_tools = self._short_tools()
        lines.append(
            "tools without 10 successes and 5 errors: " + ("" if short_tools else "none").rstrip()
        )
        for tool, outcome in short_tools:
            reason = f"not found in {self.attempts[tool]} tries aimed at it"
            if tool in self.unfailing and outcome == "error":
                reason = "it takes no argument and cannot fail"
            count = self.tools[tool][outcome]
            lines.append(f"  {tool[0]} {tool[1]}: {outcome} {count} times: {reason}")
        return "\n".join(lines)
