#!/usr/bin/env python3
"""Writes logs of AgentDojo's with upstream's own logger: ``agentdojo_logs.py --version V -o DIR``.

A pipeline that carries out ground truths stands in for a model: every user task alone, user tasks
under an attack with the injection task's ground truth behind their own, and one injection task run as
a user task. Every other log is rewritten in the form that upstream used before contents were blocks.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import sys
from typing import Any

import agentdojo_stubs
import oracle_clock

agentdojo_stubs.install()

import agentdojo.attacks  # noqa: E402, F401  registers the attacks
from agentdojo.agent_pipeline.agent_pipeline import AgentPipeline  # noqa: E402
from agentdojo.agent_pipeline.base_pipeline_element import BasePipelineElement  # noqa: E402
from agentdojo.agent_pipeline.ground_truth_pipeline import GroundTruthPipeline  # noqa: E402
from agentdojo.attacks.attack_registry import load_attack  # noqa: E402
from agentdojo.logging import NullLogger, TraceLogger  # noqa: E402
from agentdojo.task_suite.load_suites import get_suites  # noqa: E402

oracle_clock.install()

ATTACK = "important_instructions"
PIPELINE = "gpt-4o-2024-05-13"
ATTACKED = 6
"""User tasks of a suite that are attacked, each with every injection task."""


class GroundTruths(BasePipelineElement):
    """Carries out the ground truths of several tasks, one after the other."""

    def __init__(self, tasks: list) -> None:
        self.tasks = tasks

    def query(
        self, query: str, runtime: Any, env: Any = None, messages: Any = (), extra_args: Any = None
    ) -> tuple:
        """The messages of all tasks; the final one says what all of them say."""
        said = [{"role": "user", "content": [{"type": "text", "content": query}]}]
        answers = []
        for task in self.tasks:
            *_, new, _ = GroundTruthPipeline(task).query(query, runtime, env)
            said += new[:-1]
            answers += new[-1]["content"]
        said.append({"role": "assistant", "content": answers, "tool_calls": None})
        return query, runtime, env, [*messages, *said], extra_args or {}


def run(suite: Any, version: str, user: Any, attacker: Any, injections: dict, logs: str) -> None:
    """Runs one case under upstream's logger, as upstream's benchmark does."""
    pipeline = AgentPipeline([GroundTruths([task for task in (user, attacker) if task])])
    pipeline.name = PIPELINE
    delegate = NullLogger()
    delegate.messages, delegate.logdir = [], logs
    with TraceLogger(
        delegate=delegate,
        suite_name=suite.name,
        user_task_id=user.ID,
        injection_task_id=attacker and attacker.ID,
        injections=injections,
        attack_type=ATTACK if attacker else "none",
        pipeline_name=PIPELINE,
        benchmark_version=version,
    ) as logger:
        utility, security = suite.run_task_with_pipeline(pipeline, user, attacker, injections)
        logger.set_contextarg("utility", utility)
        logger.set_contextarg("security", security)


def make_old(path: pathlib.Path) -> None:
    """Rewrites a log as upstream wrote it before contents were blocks."""
    log = json.loads(path.read_text(encoding="utf-8"))
    del log["agentdojo_package_version"]
    for message in log["messages"]:
        if message["content"] is not None:
            message["content"] = "\n".join(block["content"] for block in message["content"])
    path.write_text(json.dumps(log, indent=4), encoding="utf-8")


def main() -> int:
    """Writes the logs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--version", required=True, metavar="V", help="the benchmark's version")
    parser.add_argument("-o", "--output", required=True, metavar="DIR", help="where they go")
    arguments = parser.parse_args()
    logs, failed = arguments.output, 0
    for suite in get_suites(arguments.version).values():
        pipeline = AgentPipeline([])
        pipeline.name = PIPELINE
        attack = load_attack(ATTACK, suite, pipeline)
        for user in suite.user_tasks.values():
            run(suite, arguments.version, user, None, {}, logs)
        for user in list(suite.user_tasks.values())[:ATTACKED]:
            for attacker in suite.injection_tasks.values():
                injections = attack.attack(user, attacker)
                try:
                    run(suite, arguments.version, user, attacker, injections, logs)
                except Exception as error:  # a ground truth may not fit what came before it
                    failed += 1
                    print(f"{suite.name}/{user.ID}/{attacker.ID}: {error!r}", file=sys.stderr)
        run(suite, arguments.version, next(iter(suite.injection_tasks.values())), None, {}, logs)
    paths = sorted(pathlib.Path(logs).rglob("*.json"))
    for path in paths[::2]:
        if "utility" in json.loads(path.read_text(encoding="utf-8")):
            make_old(path)
    print(f"{len(paths)} logs, {failed} of them stopped by an exception")
    return 0


if __name__ == "__main__":
    sys.exit(main())
