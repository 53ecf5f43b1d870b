#!/usr/bin/env python3
"""Prints digests of what AgentDojo's own attacks inject: ``agentdojo_attacks.py --text TEXT``.

One line for each version, attack and pair of tasks: ``version suite user_task injection_task attack
sha256``. The digest is over the vectors and their texts, each behind a NUL and in upstream's order.
``TEXT`` is what is typed where the attack ``manual`` asks for a text.
"""

from __future__ import annotations

import argparse
import builtins
import hashlib
import pickle
import sys
from typing import Any

import agentdojo_stubs

agentdojo_stubs.install()

import agentdojo.attacks  # noqa: E402, F401  registers the attacks
from agentdojo.agent_pipeline.base_pipeline_element import BasePipelineElement  # noqa: E402
from agentdojo.attacks.attack_registry import ATTACKS  # noqa: E402
from agentdojo.attacks.base_attacks import BaseAttack  # noqa: E402
from agentdojo.task_suite import load_suites  # noqa: E402
from agentdojo.task_suite.task_suite import TaskSuite  # noqa: E402


class _Pipeline(BasePipelineElement):
    """A pipeline that only has a name."""

    name = "gpt-4o-2024-05-13"

    def query(self, *_args: Any, **_kwargs: Any) -> Any:
        raise NotImplementedError


LOADED: dict[tuple, bytes] = {}
"""Environments, which are the same in every version and slow to load."""
_load = TaskSuite.load_and_inject_default_environment


def load(suite: TaskSuite, injections: dict[str, str]) -> Any:
    """A fresh copy of what upstream loads."""
    key = (suite.name, *sorted(injections.items()))
    if key not in LOADED:
        LOADED[key] = pickle.dumps(_load(suite, injections), pickle.HIGHEST_PROTOCOL)
    return pickle.loads(LOADED[key])


CANDIDATES: dict[int, list[str]] = {}
"""The vectors that a user task shows: they are the same for every attack, and slow to find."""
_candidates = BaseAttack.get_injection_candidates


def candidates(attack: BaseAttack, user_task: Any) -> list[str]:
    """Upstream's own, once for each task."""
    if id(user_task) not in CANDIDATES:
        CANDIDATES[id(user_task)] = _candidates(attack, user_task)
    return CANDIDATES[id(user_task)]


def digest(injections: dict[str, str]) -> str:
    """The digest of what is injected where."""
    made = hashlib.sha256()
    for vector, text in injections.items():
        made.update(f"{vector}\0{text}\0".encode("utf-8", "surrogatepass"))
    return made.hexdigest()


def lines(version: str, name: str, suite: TaskSuite) -> list[str]:
    """The digests of one suite in one version. Of an attack that only denies service upstream runs
    the first injection task alone."""
    made = []
    for attack_name, kind in ATTACKS.items():
        attack = kind(suite, _Pipeline())
        attackers = list(suite.injection_tasks.items())
        for user_id, user_task in suite.user_tasks.items():
            for attacker_id, attacker in attackers[: 1 if attack.is_dos_attack else None]:
                injections = attack.attack(user_task, attacker)
                pair = f"{version} {name} {user_id} {attacker_id}"
                made.append(f"{pair} {attack_name} {digest(injections)}")
    return made


def main() -> int:
    """Prints the digests."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--text", required=True, help="the text of the attack `manual`")
    arguments = parser.parse_args()
    builtins.input = lambda *_prompt: arguments.text
    TaskSuite.load_and_inject_default_environment = load
    BaseAttack.get_injection_candidates = candidates
    for version, suites in load_suites._SUITES.items():
        for name, suite in suites.items():
            print("\n".join(lines(version, name, suite)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
