"""A suite of upstream's at v1.2.2 that carries out calls and judges them: the oracle itself."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import io
import warnings
from collections import OrderedDict
from typing import Any

import yaml
from pydantic import ValidationError

import agentdojo_stubs
from agentdojo_values import plain

agentdojo_stubs.install()

import agentdojo.attacks  # noqa: E402, F401  registers the attacks
from agentdojo.agent_pipeline.base_pipeline_element import BasePipelineElement  # noqa: E402
from agentdojo.agent_pipeline.tool_execution import ToolsExecutor  # noqa: E402
from agentdojo.attacks.attack_registry import load_attack  # noqa: E402
from agentdojo.functions_runtime import FunctionCall, FunctionsRuntime  # noqa: E402
from agentdojo.task_suite.load_suites import get_suites  # noqa: E402
from agentdojo.types import text_content_block_from_string  # noqa: E402

VERSION = "v1.2.2"
MAX_ENVIRONMENTS = 600

warnings.filterwarnings("ignore", category=SyntaxWarning)
warnings.filterwarnings("ignore", category=DeprecationWarning)

Call = dict[str, Any]
"""A call as requested: ``{"function": name, "args": {...}}``."""


@dataclasses.dataclass
class Plan:
    """Everything that decides a row."""

    user_task: str
    injection_task: str | None
    injections: dict[str, str]
    calls: list[Call]
    answer: str


class _Pipeline(BasePipelineElement):
    """A pipeline that only has a name."""

    name = "gpt-4o-2024-05-13"

    def query(self, *_args: Any, **_kwargs: Any) -> Any:
        raise NotImplementedError


class World:
    """A suite with its loaded environments."""

    def __init__(self, name: str) -> None:
        self.suite = get_suites(VERSION)[name]
        self.name = name
        self.users = self.suite.user_tasks
        self.attackers = self.suite.injection_tasks
        self.vectors = list(self.suite.get_injection_vector_defaults())
        self.tools = {tool.name: tool for tool in self.suite.tools}
        self._attack = load_attack("important_instructions", self.suite, _Pipeline())
        self._runtime = FunctionsRuntime(self.suite.tools)
        self._executor = ToolsExecutor()
        self._loaded: OrderedDict[tuple, Any] = OrderedDict()

    def candidates(self, user_task: str) -> list[str]:
        """The vectors that the user task's ground truth shows."""
        return self._attack.get_injection_candidates(self.users[user_task])

    def attacked(self, user_task: str, injection_task: str) -> dict[str, str]:
        """The injections of ``important_instructions``."""
        return self._attack.attack(self.users[user_task], self.attackers[injection_task])

    def environment(self, injections: dict[str, str]) -> Any:
        """A fresh copy of the environment with ``injections`` in it."""
        key = tuple(sorted(injections.items()))
        if key not in self._loaded:
            self._loaded[key] = self.suite.load_and_inject_default_environment(injections)
            if len(self._loaded) > MAX_ENVIRONMENTS:
                self._loaded.popitem(last=False)
        self._loaded.move_to_end(key)
        return self._loaded[key].model_copy(deep=True)

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
        made: list[Call] = []

        def carry_out(calls: list[FunctionCall]) -> None:
            for call in calls:
                made.append({"function": call.function, "args": plain(call.args)})
                self._runtime.run_function(environment, call.function, call.args)

        user = None if user_task is None else self.users[user_task]
        attacker = None if injection_task is None else self.attackers[injection_task]
        if user is not None:
            environment = user.init_environment(environment)
        calls = [] if user is None else user.ground_truth(environment)
        split = len(calls) if at is None else min(at, len(calls))
        carry_out(calls[:split])
        if attacker is not None:
            carry_out(attacker.ground_truth(environment))
        carry_out(calls[split:])
        return made

    def row(self, plan: Plan) -> dict[str, Any]:
        """Carries a plan out and judges it."""
        user = self.users[plan.user_task]
        environment = user.init_environment(self.environment(plan.injections))
        before = environment.model_copy(deep=True)
        outputs, trace = [], []
        for call in plan.calls:
            output, requested = self._carry_out(environment, call)
            outputs.append(output)
            trace.append(requested)
        attacker = None if plan.injection_task is None else self.attackers[plan.injection_task]
        return {
            "suite": self.name,
            "version": VERSION,
            "user_task": plan.user_task,
            "injection_task": plan.injection_task,
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
        with contextlib.redirect_stdout(io.StringIO()):
            try:
                verdict = self.suite._check_task_result(
                    task,
                    [text_content_block_from_string(answer)],
                    before.model_copy(deep=True),
                    after.model_copy(deep=True),
                    copy.deepcopy(trace),
                )
            except Exception as error:  # whatever a check of upstream's may raise is its verdict
                return {"raised": type(error).__name__}
        return bool(verdict)
