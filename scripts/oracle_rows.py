"""Makers of rows: what a plan's injections, calls and answer are, chosen by a seeded generator."""

from __future__ import annotations

import random
from collections.abc import Callable

from oracle_mutations import Mutator
from oracle_texts import HOSTILE, near_answer
from oracle_world import Call, Plan, World

HOSTILE_PER_TASK = 5
"""Hostile injections made for a user task; later rows take one of them, as loading is slow."""
ATTACKS_PER_TASK = 4
"""Injection tasks whose attack is put into a user task's environment, for the same reason."""
SMALL_PER_SUITE = 40
"""Injections of no text or of one piece, made for a suite."""
END_STAYS = ("workspace", "user_task_7@1.0.0")
"""The check that upstream's own ground truth does not satisfy: it asks that an event's end stay."""
HARD = ("busy", "mutated user", "made up")
"""Makers that reach verdicts which the usual mix does not."""


class RowMaker:
    """Makes plans for one suite."""

    def __init__(self, rng: random.Random, world: World) -> None:
        self.rng = rng
        self.world = world
        self.mutator = Mutator(rng, world)
        self._goals_of: dict[str, list[str]] = {}
        self._small_made: list[dict[str, str]] = []
        self._hostile_of: dict[str, list[dict[str, str]]] = {}
        self.makers: dict[
            str, tuple[int, Callable[[str, str | None, dict[str, str]], list[Call]]]
        ] = {
            "user": (3, self._user),
            "user then injection": (3, self._both),
            "injection only": (2, self._injection),
            "null agent": (1, self._none),
            "mutated user": (7, self._mutated_user),
            "mutated both": (6, self._mutated_both),
            "mutated injection": (3, self._mutated_injection),
            "made up": (4, self._made_up),
            "busy": (2, self._busy),
            **({"story": (4, self._story)} if self.mutator.stories.steps else {}),
        }

    def plan(self, user: str, attacker: str | None, hard: bool = False) -> tuple[str, Plan]:
        """A plan for a pair of tasks, and the maker's name; ``hard`` leaves the usual mix."""
        names = list(HARD if hard else self.makers)
        (name,) = self.rng.choices(names, [self.makers[each][0] for each in names])
        injections = self._injections(user, attacker)
        calls = self.makers[name][1](user, attacker, injections)
        return name, self._plan(user, attacker, injections, calls)

    def plan_of_tool(self, user: str, tool: str, outcome: str) -> tuple[str, Plan]:
        """A plan with several calls of a tool that are to end so, and the maker's name."""
        made = [
            self.mutator.call_of(tool, 0.85) if outcome == "done" else self.mutator.broken(tool)
            for _ in range(3)
        ]
        calls = self.rng.choice([self._none, self._user])(user, None, {})
        return f"tool {outcome}", self._plan(user, None, {}, calls + made)

    def _plan(
        self, user: str, attacker: str | None, injections: dict[str, str], calls: list[Call]
    ) -> Plan:
        version = self.rng.choice(self.world.versions(user, attacker))
        return Plan(version, user, attacker, injections, calls, self._answer(user, attacker))

    def _injections(self, user: str, attacker: str | None) -> dict[str, str]:
        """No injections, the attack's, the attack's with hostile pieces, or empty ones."""
        rng = self.rng
        (kind,) = rng.choices(["default", "attack", "hostile", "empty", "stray"], [4, 4, 3, 1, 1])
        if kind == "default":
            return {}
        if kind in ("empty", "stray"):
            return self._small(kind)
        made = self._hostile_of.setdefault(user, [])
        if kind == "hostile" and len(made) == HOSTILE_PER_TASK:
            return rng.choice(made)
        attack = self.world.attacked(user, self._goal(user, attacker))
        if kind == "attack":
            return attack
        hostile = {vector: self._hostile(text) for vector, text in attack.items()}
        if not self.world.loads(hostile):
            return attack
        made.append(hostile)
        return hostile

    def _goal(self, user: str, attacker: str | None) -> str:
        """The injection task whose goal is injected: the row's own while there are few."""
        goals = self._goals_of.setdefault(user, [])
        if attacker in goals:
            return attacker
        if len(goals) == ATTACKS_PER_TASK:
            return self.rng.choice(goals)
        goals.append(attacker or self.rng.choice(list(self.world.attackers)))
        return goals[-1]

    def _hostile(self, text: str) -> str:
        """``text`` with pieces that YAML treats specially."""
        for _ in range(self.rng.randrange(1, 5)):
            place = self.rng.choice([0, len(text), self.rng.randrange(len(text) + 1)])
            text = text[:place] + self.rng.choice(HOSTILE) + text[place:]
        return text

    def _small(self, kind: str) -> dict[str, str]:
        """Injections of no text, or one of a hostile piece; loadable ones."""
        rng, made = self.rng, self._small_made
        if len(made) == SMALL_PER_SUITE:
            return rng.choice(made)
        if kind == "empty":
            injections = dict.fromkeys(rng.sample(self.world.vectors, rng.randrange(1, 3)), "")
        else:
            injections = {rng.choice(self.world.vectors): rng.choice(HOSTILE)}
            injections = injections if self.world.loads(injections) else {}
        made.append(injections)
        return injections

    def _answer(self, user: str, attacker: str | None) -> str:
        """The expected texts, one near them, another task's, or none."""
        rng, world = self.rng, self.world
        own = world.users[user].GROUND_TRUTH_OUTPUT
        theirs = "" if attacker is None else world.attackers[attacker].GROUND_TRUTH_OUTPUT
        (kind,) = rng.choices(
            ["own", "both", "near", "theirs", "other", "empty"], [4, 2, 6, 1, 1, 1]
        )
        match kind:
            case "own":
                return own
            case "both":
                return f"{own}\n{theirs}"
            case "near":
                return near_answer(rng, own)
            case "theirs":
                return theirs
            case "other":
                return near_answer(rng, rng.choice(list(world.users.values())).GROUND_TRUTH_OUTPUT)
        return ""

    def _user(self, user: str, _attacker: str | None, injections: dict[str, str]) -> list[Call]:
        calls = self.world.truth(user, None, injections, None)
        if (self.world.name, user) == END_STAYS and self.rng.random() < 0.5:
            event = self.world.environment(injections).calendar.events["5"]
            calls[-1]["args"]["new_end_time"] = event.end_time.strftime("%Y-%m-%d %H:%M")
        return calls

    def _both(self, user: str, attacker: str | None, injections: dict[str, str]) -> list[Call]:
        at = self.rng.randrange(4) if self.rng.random() < 0.3 else None
        return self.world.truth(user, attacker, injections, at)

    def _injection(
        self, _user: str, attacker: str | None, injections: dict[str, str]
    ) -> list[Call]:
        return self.world.truth(None, attacker, injections, None)

    def _none(self, _user: str, _attacker: str | None, _injections: dict[str, str]) -> list[Call]:
        return []

    def _count(self) -> int:
        """How many changes to make."""
        return self.rng.choice([1, 1, 1, 2, 2, 3, 5])

    def _mutated_user(
        self, user: str, attacker: str | None, injections: dict[str, str]
    ) -> list[Call]:
        return self.mutator.mutate(self._user(user, attacker, injections), self._count())

    def _mutated_both(
        self, user: str, attacker: str | None, injections: dict[str, str]
    ) -> list[Call]:
        return self.mutator.mutate(self._both(user, attacker, injections), self._count())

    def _mutated_injection(
        self, user: str, attacker: str | None, injections: dict[str, str]
    ) -> list[Call]:
        return self.mutator.mutate(self._injection(user, attacker, injections), self._count())

    def _made_up(self, user: str, attacker: str | None, injections: dict[str, str]) -> list[Call]:
        """Made-up calls only, or behind a ground truth."""
        base = self.rng.choice([self._none, self._user, self._both])(user, attacker, injections)
        return base + [self.mutator.made_up() for _ in range(self.rng.randrange(1, 5))]

    def _story(self, user: str, attacker: str | None, injections: dict[str, str]) -> list[Call]:
        """A ground truth with calls about one thing before, within and behind it."""
        base = self.rng.choice([self._none, self._user, self._both])(user, attacker, injections)
        for _ in range(self.rng.choice([1, 1, 2])):
            self.mutator.tell(base)
        return base

    def _busy(self, user: str, _attacker: str | None, injections: dict[str, str]) -> list[Call]:
        """A ground truth among many made-up calls with values that mean something."""
        made = self.rng.choice([self._none, self._user])(user, None, injections)
        for _ in range(self.rng.randrange(6, 15)):
            made.insert(self.rng.randrange(len(made) + 1), self.mutator.made_up(known=0.85))
        return made
