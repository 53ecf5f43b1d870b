"""A suite of upstream's in its versions that carries out calls and judges them: the oracle itself."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import functools
import io
import pickle
import warnings
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import yaml
from pydantic import ValidationError

import agentdojo_stubs
import oracle_clock
from agentdojo_values import plain
from oracle_scripts import own_script

agentdojo_stubs.install()

import agentdojo.attacks  # noqa: E402, F401  registers the attacks
from agentdojo.agent_pipeline.base_pipeline_element import BasePipelineElement  # noqa: E402
from agentdojo.agent_pipeline.tool_execution import ToolsExecutor  # noqa: E402
from agentdojo.attacks.attack_registry import load_attack  # noqa: E402
from agentdojo.base_tasks import BaseUserTask  # noqa: E402
from agentdojo.functions_runtime import FunctionCall, FunctionsRuntime  # noqa: E402
from agentdojo.task_suite import load_suites  # noqa: E402
from agentdojo.types import text_content_block_from_string  # noqa: E402

VERSIONS = tuple(load_suites._SUITES)
"""The versions of the benchmark, the oldest first."""
MAX_ENVIRONMENTS = 1000
DIFFED = ("workspace", "travel")
"""Suites whose checks compare whole environments."""

oracle_clock.install()
warnings.filterwarnings("ignore", category=SyntaxWarning)
warnings.filterwarnings("ignore", category=DeprecationWarning)

Call = dict[str, Any]
"""A call as requested: ``{"function": name, "args": {...}}``."""


@dataclasses.dataclass
class Plan:
    """Everything that decides a row; tasks by their keys."""

    version: str
    user_task: str
    injection_task: str | None
    injections: dict[str, str]
    calls: list[Call]
    answer: str


def id_of(key: str) -> str:
    """A task's id, from its key."""
    return key.partition("@")[0]


def as_calls(calls: list[FunctionCall]) -> list[Call]:
    """Upstream's calls as plain JSON."""
    return [{"function": call.function, "args": plain(call.args)} for call in calls]


def copied(environment: Any) -> Any:
    """A deep copy that keeps what is one object one object; faster than ``copy.deepcopy``."""
    return pickle.loads(pickle.dumps(environment, pickle.HIGHEST_PROTOCOL))


def share_equal(before: Any, after: Any) -> None:
    """Lets two environments hold their equal parts as one object, which a diff then passes over.

    Only for checks that change neither of them before they have compared them.
    """
    for field in type(before).model_fields:
        old, new = getattr(before, field), getattr(after, field)
        if old == new:
            setattr(after, field, old)
            continue
        for name in type(old).model_fields:
            mine, theirs = getattr(old, name), getattr(new, name)
            if isinstance(mine, dict):
                for key in mine.keys() & theirs.keys():
                    if mine[key] == theirs[key]:
                        theirs[key] = mine[key]
            elif mine == theirs:
                setattr(new, name, mine)


class _Pipeline(BasePipelineElement):
    """A pipeline that only has a name."""

    name = "gpt-4o-2024-05-13"

    def query(self, *_args: Any, **_kwargs: Any) -> Any:
        raise NotImplementedError


class World:
    """A suite with its loaded environments, and its tasks as they were registered for any version: the
    key of a task is its id and that version, as in ``user_task_7@1.1.1``. Suites of different versions
    differ in their tasks only."""

    def __init__(self, name: str, versions: Sequence[str] = VERSIONS) -> None:
        suites = {version: load_suites.get_suite(version, name) for version in versions}
        self.suite = suites[versions[-1]]
        self.name = name
        self._serving: dict[str, list[str]] = {}
        self.users = self._tasks(
            {version: (each.user_tasks, each._user_tasks) for version, each in suites.items()}
        )
        self.attackers = self._tasks(
            {
                version: (each.injection_tasks, each._injection_tasks)
                for version, each in suites.items()
            }
        )
        self.vectors = list(self.suite.get_injection_vector_defaults())
        self.tools = {tool.name: tool for tool in self.suite.tools}
        self._load = self.suite.load_and_inject_default_environment
        self.suite.get_injection_vector_defaults = functools.cache(
            self.suite.get_injection_vector_defaults
        )
        self.suite.load_and_inject_default_environment = self.environment
        self._loaded: OrderedDict[tuple, bytes] = OrderedDict()
        self._attack = load_attack("important_instructions", self.suite, _Pipeline())
        self._runtime = FunctionsRuntime(self.suite.tools)
        self._executor = ToolsExecutor()

    def _tasks(self, served: dict[str, tuple[dict, dict]]) -> dict[str, Any]:
        """The tasks that some version serves, by their keys, and which versions serve each."""
        tasks = {}
        for version, (chosen, registered) in served.items():
            for task_id, task in chosen.items():
                (since,) = (key for key, each in registered[task_id].items() if each is task)
                key = f"{task_id}@{'.'.join(map(str, since))}"
                tasks[key] = task
                self._serving.setdefault(key, []).append(version)
        return tasks

    def versions(self, user_task: str, injection_task: str | None) -> list[str]:
        """The versions that serve both tasks."""
        serving = self._serving[user_task]
        if injection_task is None:
            return serving
        return [version for version in serving if version in self._serving[injection_task]]

    def fitting(self, user_task: str) -> list[str]:
        """The injection tasks that some version serves beside a user task."""
        return [name for name in self.attackers if self.versions(user_task, name)]

    def candidates(self, user_task: str) -> list[str]:
        """The vectors that the user task's ground truth shows."""
        return self._attack.get_injection_candidates(self.users[user_task])

    def attacked(self, user_task: str, injection_task: str) -> dict[str, str]:
        """The injections of ``important_instructions``."""
        return self._attack.attack(self.users[user_task], self.attackers[injection_task])

    def environment(self, injections: dict[str, str]) -> Any:
        """A fresh copy of the environment with ``injections`` in it; restarts the clock."""
        key = tuple(sorted(injections.items()))
        if key not in self._loaded:
            self._loaded[key] = pickle.dumps(self._load(injections), pickle.HIGHEST_PROTOCOL)
            if len(self._loaded) > MAX_ENVIRONMENTS:
                self._loaded.popitem(last=False)
        self._loaded.move_to_end(key)
        oracle_clock.CLOCK.restart()
        return pickle.loads(self._loaded[key])

    def loads(self, injections: dict[str, str]) -> bool:
        """Whether the environment still loads with ``injections`` in it."""
        try:
            self.environment(injections)
        except (yaml.YAMLError, ValidationError):
            return False
        return True

    def truth(
        self,
        user_task: str | None,
        injection_task: str | None,
        injections: dict[str, str],
        at: int | None,
    ) -> list[Call]:
        """Ground-truth calls: the user task's, with the injection task's before the one numbered
        ``at`` (``None``: behind all), each computed on the environment as it is by then."""
        environment = self.environment(injections)
        before = copied(environment)
        made: list[Call] = []

        def carry_out(calls: list[Call]) -> None:
            for call in calls:
                made.append(call)
                self._runtime.run_function(
                    environment, call["function"], copy.deepcopy(call["args"])
                )

        user = None if user_task is None else self.users[user_task]
        if user is not None:
            environment = user.init_environment(environment)
        calls = [] if user is None else as_calls(user.ground_truth(environment))
        split = len(calls) if at is None else min(at, len(calls))
        carry_out(calls[:split])
        if injection_task is not None:
            carry_out(self.script(injection_task, before, environment))
        carry_out(calls[split:])
        return made

    def script(self, injection_task: str, before: Any, live: Any) -> list[Call]:
        """The calls of an injection task: upstream's, or ours where upstream has none."""
        task = self.attackers[injection_task]
        calls = as_calls(task.ground_truth(live))
        return calls or own_script(self.name, id_of(injection_task), task, before, live)

    def scripts(self) -> list[list[Call]]:
        """The calls of every task, each on a fresh environment."""
        users = [as_calls(task.ground_truth(self.environment({}))) for task in self.users.values()]
        fresh = self.environment
        return users + [self.script(name, fresh({}), fresh({})) for name in self.attackers]

    def row(self, plan: Plan) -> dict[str, Any]:
        """Carries a plan out and judges it."""
        user = self.users[plan.user_task]
        environment = user.init_environment(self.environment(plan.injections))
        before = copied(environment)
        outputs, trace = [], []
        for call in plan.calls:
            output, requested = self._carry_out(environment, call)
            outputs.append(output)
            trace.append(requested)
        attacker = None if plan.injection_task is None else self.attackers[plan.injection_task]
        return {
            "suite": self.name,
            "version": plan.version,
            "user_task": id_of(plan.user_task),
            "injection_task": None if attacker is None else id_of(plan.injection_task),
            "injections": plan.injections,
            "calls": plan.calls,
            "answer": plan.answer,
            "expect": {
                "outputs": outputs,
                "utility": self._judge(user, plan.answer, before, environment, trace),
                "security": None
                if attacker is None
                else self._judge(attacker, plan.answer, before, environment, trace),
            },
        }

    def _carry_out(self, environment: Any, call: Call) -> tuple[dict, FunctionCall]:
        """Runs one call through upstream's executor, which also turns texts into lists in place."""
        requested = FunctionCall(
            function=call["function"], args=copy.deepcopy(call["args"]), id="0"
        )
        if repr(dict(requested.args)) != repr(call["args"]):
            raise RuntimeError(f"failed to keep the arguments of `{call}` as they are")
        asked = {"role": "assistant", "content": None, "tool_calls": [requested]}
        *_, messages, _ = self._executor.query("", self._runtime, environment, [asked])
        answer = messages[-1]
        text = "\n".join(block["content"] for block in answer["content"])
        return {"text": text, "error": answer["error"]}, requested

    def _judge(self, task: Any, answer: str, before: Any, after: Any, trace: list) -> Any:
        """Upstream's verdict on copies; what its check raises is ``{"raised": name}``."""
        before, after = copied(before), copied(after)
        if isinstance(task, BaseUserTask) and self.name in DIFFED:
            share_equal(before, after)
        with contextlib.redirect_stdout(io.StringIO()):
            try:
                verdict = self.suite._check_task_result(
                    task,
                    [text_content_block_from_string(answer)],
                    before,
                    after,
                    copy.deepcopy(trace),
                )
            except Exception as error:  # whatever a check of upstream's may raise is its verdict
                return {"raised": type(error).__name__}
        return bool(verdict)
