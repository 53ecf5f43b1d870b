#!/usr/bin/env python3
"""Writes golden rows that AgentDojo's own Python has carried out and judged, in every version.

``agentdojo_oracle.py --rows N --seed S -o FILE [--suites workspace,travel,banking,slack]
[--versions v1,v1.1,…]``: JSON lines, the same for the same N, S, suites and versions. The first rows
are chosen so that every check of every version is judged both ways, and every tool succeeds and
fails.
"""

from __future__ import annotations

import argparse
import collections
import json
import random
import sys
from collections.abc import Callable
from typing import Any

from agentdojo_files import write_atomically
from oracle_coverage import Check, Coverage, Tool
from oracle_rows import RowMaker
from oracle_world import VERSIONS, Plan, World

SUITES = ("workspace", "travel", "banking", "slack")
TRIES = 1000
"""Plans made for a check whose verdicts do not come up."""
EASY_TRIES = 60
"""Those among them from the usual mix of makers."""
ATTACKED = 0.75
"""Share of the rows with an injection task."""


class Oracle:
    """Makes rows for some suites from one seed."""

    def __init__(self, suites: list[str], versions: list[str], seed: int) -> None:
        self.rng = random.Random(seed)
        self.worlds = {name: World(name, versions) for name in suites}
        self.makers = {name: RowMaker(self.rng, world) for name, world in self.worlds.items()}
        self.coverage = Coverage(list(self.worlds.values()))
        self.made: collections.Counter[str] = collections.Counter()
        self._lines: dict[str, str] = {}

    def rows(self, count: int) -> list[str]:
        """``count`` different rows as JSON lines, in a shuffled order."""
        while len(self._lines) < count and self._aim():
            pass
        while len(self._lines) < count and self._aim_at_tool():
            pass
        while len(self._lines) < count:
            suite = self.rng.choice(list(self.worlds))
            user = self._random_user(suite)
            name, plan = self.makers[suite].plan(user, self._random_attacker(suite, user))
            self._keep(suite, name, plan, lambda _row: True)
        lines = list(self._lines.values())
        self.rng.shuffle(lines)
        return lines

    def _aim(self) -> bool:
        """Adds a row for a verdict that is short; false when no verdict is left to aim at."""
        goals = [
            (check, verdict)
            for check, verdict in self.coverage.missing()
            if self.coverage.attempts[check] < TRIES
        ]
        if not goals:
            return False
        # What was tried least comes first, so that a hard one does not keep the others waiting. Rows
        # are kept for what is as rare only, so that few rows suffice for one verdict each way.
        check, verdict = min(
            goals, key=lambda goal: (self.coverage.count(*goal), self.coverage.attempts[goal[0]])
        )
        level = self.coverage.count(check, verdict) + 1
        self.coverage.attempts[check] += 1
        user, attacker = self._pair(check, goals)
        hard = self.coverage.attempts[check] > EASY_TRIES
        name, plan = self.makers[check[0]].plan(user, attacker, hard)
        self._keep(check[0], name, plan, lambda row: self.coverage.helps(plan, row, level))
        return True

    def _aim_at_tool(self) -> bool:
        """Adds a row for an outcome of a tool that is short; false when none is left to aim at."""
        goals: list[tuple[Tool, str]] = [
            (tool, outcome)
            for tool, outcome in self.coverage.missing_of_tools()
            if self.coverage.attempts[tool] < EASY_TRIES
        ]
        if not goals:
            return False
        tool, outcome = goals[0]
        self.coverage.attempts[tool] += 1
        suite, name = tool
        maker, plan = self.makers[suite].plan_of_tool(self._random_user(suite), name, outcome)
        self._keep(suite, maker, plan, self.coverage.helps_tool)
        return True

    def _pair(self, check: Check, goals: list[tuple[Check, str]]) -> tuple[str, str | None]:
        """The tasks of a row for ``check``; the other task is one that is short too, if any is."""
        suite, task = check
        world = self.worlds[suite]
        short = [name for (where, name), _ in goals if where == suite]
        if task in world.attackers:
            return self.rng.choice([name for name in world.users if world.versions(name, task)]), task
        attackers = [name for name in short if name in world.fitting(task)]
        if attackers:
            return task, self.rng.choice(attackers)
        return task, self._random_attacker(suite, task)

    def _random_user(self, suite: str) -> str:
        return self.rng.choice(list(self.worlds[suite].users))

    def _random_attacker(self, suite: str, user: str) -> str | None:
        attackers = self.worlds[suite].fitting(user)
        return self.rng.choice(attackers) if self.rng.random() < ATTACKED else None

    def _keep(
        self, suite: str, name: str, plan: Plan, is_wanted: Callable[[dict[str, Any]], bool]
    ) -> None:
        """Makes one row and keeps it if it is wanted and new; ``name`` is its maker."""
        row: dict[str, Any] = self.worlds[suite].row(plan)
        if not is_wanted(row):
            return
        line = json.dumps(row, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
        if line in self._lines:
            return
        self._lines[line] = line
        self.coverage.add(plan, row)
        self.made[name] += 1


def main() -> int:
    """Runs the oracle."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, required=True, metavar="N", help="rows to write")
    parser.add_argument("--seed", type=int, required=True, metavar="S", help="seed of every choice")
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="JSON lines")
    parser.add_argument("--suites", default=",".join(SUITES), help="suites, separated by commas")
    parser.add_argument(
        "--versions", default=",".join(VERSIONS), help="versions, separated by commas"
    )
    arguments = parser.parse_args()
    suites = arguments.suites.split(",")
    unknown = [name for name in suites if name not in SUITES]
    if unknown or arguments.rows < 0:
        parser.error(f"unknown suite `{unknown[0]}`" if unknown else "--rows must not be negative")
    chosen = arguments.versions.split(",")
    unknown = [version for version in chosen if version not in VERSIONS]
    if unknown:
        parser.error(f"unknown version `{unknown[0]}`")
    versions = [version for version in VERSIONS if version in chosen]
    oracle = Oracle(suites, versions, arguments.seed)
    lines = oracle.rows(arguments.rows)
    write_atomically(arguments.output, "".join(line + "\n" for line in lines))
    print(oracle.coverage.report(), file=sys.stderr)
    makers = ", ".join(f"{name} {oracle.made[name]}" for name in sorted(oracle.made))
    print(f"makers: {makers}", file=sys.stderr)
    print(
        f"rows: {len(lines)}, suites: {','.join(suites)}, versions: {','.join(versions)}, "
        f"seed: {arguments.seed}",
        file=sys.stderr,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
