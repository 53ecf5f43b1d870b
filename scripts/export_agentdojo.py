#!/usr/bin/env python3
"""Writes AgentDojo 0.1.35 as one JSON bundle: ``export_agentdojo.py -o FILE``.

Upstream's own code evaluates everything, from the installed package; no text of it stands here.
The bytes depend on the package only: not on pydantic's version, the time or ``PYTHONHASHSEED``.
The order of keys and lists is upstream's and has a meaning.
"""

from __future__ import annotations

import argparse
import copy
import hashlib
import importlib.metadata
import importlib.resources
import json
import sys
from types import SimpleNamespace
from typing import Any

import yaml

import agentdojo_stubs
from agentdojo_files import write_atomically
from agentdojo_values import ExportError, Hosts, format_fields, parameter_type, plain, type_name

agentdojo_stubs.install()

import agentdojo.attacks  # noqa: E402, F401  registers the attacks
from agentdojo.agent_pipeline.base_pipeline_element import BasePipelineElement  # noqa: E402
from agentdojo.attacks.attack_registry import ATTACKS  # noqa: E402
from agentdojo.attacks.base_attacks import FixedJailbreakAttack  # noqa: E402
from agentdojo.attacks.important_instructions_attacks import (  # noqa: E402
    get_wrong_model_name_from_pipeline,
)
from agentdojo.models import MODEL_NAMES  # noqa: E402
from agentdojo.task_suite import load_suites  # noqa: E402
from agentdojo.task_suite.task_suite import TaskSuite, read_suite_file  # noqa: E402

FORMAT = 1
VERSION = "0.1.35"


class _Pipeline(BasePipelineElement):
    """A pipeline that has a name and nothing else."""

    def __init__(self, name: str) -> None:
        self.name = name

    def query(self, *_args: Any, **_kwargs: Any) -> Any:
        raise NotImplementedError


class _EnvironmentRead(BaseException):
    """Somebody read an attribute of ``_NoEnvironment``; no ``except Exception`` swallows it."""


class _NoEnvironment:
    """An environment that cannot be read."""

    def __getattribute__(self, name: str) -> Any:
        raise _EnvironmentRead(name)


def script(task: Any, environment: Any) -> dict[str, Any]:
    """A task's ground truth on the default environment."""
    calls = task.ground_truth(copy.deepcopy(environment))
    try:
        task.ground_truth(_NoEnvironment())
        constant = True
    except (_EnvironmentRead, Exception):
        constant = False
    return {
        "constant": constant,
        "calls": [
            {
                "function": call.function,
                "args": plain(call.args),
                "placeholder_args": None
                if call.placeholder_args is None
                else plain(call.placeholder_args),
            }
            for call in calls
        ],
    }


def tasks(registered: dict[str, dict[tuple, Any]], text: str, environment: Any) -> list[dict]:
    """Tasks in the order of registration, each with all its versions; ``text`` is its prompt's key."""
    return [
        {
            "id": task_id,
            "versions": [
                {
                    "version": list(version),
                    text: getattr(task, text.upper()),
                    "output": task.GROUND_TRUTH_OUTPUT,
                    "script": script(task, environment),
                }
                for version, task in sorted(versions.items(), key=lambda entry: entry[0])
            ],
        }
        for task_id, versions in registered.items()
    ]


def tool(function: Any) -> dict[str, Any]:
    """A tool's name, texts and arguments in the order of its schema."""
    parameters = []
    for name, field in function.parameters.model_fields.items():
        kind, nullable = parameter_type(field.annotation)
        parameters.append(
            {
                "name": name,
                "description": field.description,
                "type": kind,
                "nullable": nullable,
                "required": field.is_required(),
                "default": None if field.is_required() else plain(field.default),
            }
        )
    return {
        "name": function.name,
        "description": function.description,
        "parameters": parameters,
        "returns": type_name(function.return_type),
    }


def suite(upstream: TaskSuite) -> dict[str, Any]:
    """A suite: its environment with host texts, vectors, tools and tasks."""
    defaults = upstream.get_injection_vector_defaults()
    about = yaml.safe_load(
        read_suite_file(upstream.name, "injection_vectors.yaml", upstream.data_path)
    )
    dumped = read_suite_file(upstream.name, "environment.yaml", upstream.data_path)
    hosts = Hosts(dumped, list(defaults))
    marked = upstream.load_and_inject_default_environment(hosts.canaries)
    environment = plain(marked.model_dump(), hosts)
    hosts.require_all_used()
    default = upstream.load_and_inject_default_environment({})
    return {
        "name": upstream.name,
        "environment": environment,
        "vectors": [
            {"id": vector, "description": about[vector]["description"], "default": text}
            for vector, text in defaults.items()
        ],
        "tools": [tool(function) for function in upstream.tools],
        "user_tasks": tasks(upstream._user_tasks, "prompt", default),
        "injection_tasks": tasks(upstream._injection_tasks, "goal", default),
    }


def require_same_tasks(name: str) -> None:
    """Fails unless every benchmark version registers the same task classes for a suite."""
    shapes = {
        tuple(
            (task_id, tuple((version, type(task)) for version, task in versions.items()))
            for registered in (suites[name]._user_tasks, suites[name]._injection_tasks)
            for task_id, versions in registered.items()
        )
        for suites in load_suites._SUITES.values()
    }
    if len(shapes) != 1:
        raise ExportError(f"failed to join the versions of suite `{name}`: they differ in tasks")


def model_rule(attack: str, suite_: TaskSuite) -> str | None:
    """How an attack names the model: ``pipeline``, ``wrong`` or ``fixed:<text>``."""
    pipelines = [_Pipeline(name) for name in MODEL_NAMES]
    names = [getattr(ATTACKS[attack](suite_, each), "model_name", None) for each in pipelines]
    # A pipeline's name may hold an earlier key, so the true name is upstream's first match.
    true = [
        next(name for key, name in MODEL_NAMES.items() if key in each.name) for each in pipelines
    ]
    if names == true:
        return "pipeline"
    if names == [get_wrong_model_name_from_pipeline(each) for each in pipelines]:
        return "wrong"
    if len(set(names)) != 1:
        raise ExportError(f"failed to tell how attack `{attack}` names the model")
    return None if names[0] is None else f"fixed:{names[0]}"


def wrong_model_names() -> list[list[str]]:
    """Each model's name in prose, with the one that upstream draws in its place."""
    wrong = {}
    for key, name in MODEL_NAMES.items():
        first = next(each for each in MODEL_NAMES if each in key)
        if MODEL_NAMES[first] == name:
            wrong.setdefault(name, get_wrong_model_name_from_pipeline(_Pipeline(key)))
    return [list(pair) for pair in wrong.items()]


class _CallsNamingThemselves:
    """An injection task of ``count`` calls that name themselves as placeholders."""

    ID = "placeholder"

    def __init__(self, count: int) -> None:
        self.count = count

    def ground_truth(self, _environment: Any) -> list[Any]:
        arguments = type("Arguments", (), {"__repr__": lambda _: "{args}"})()
        call = SimpleNamespace(function="{function}", placeholder_args=arguments)
        return [call] * self.count


def tool_sentences(attack: Any) -> dict[str, str] | None:
    """The sentences of an attack that spells out the calls, with ``{function}`` and ``{args}``."""
    if not hasattr(attack, "get_tools_sequence"):
        return None
    one, two, three = (
        attack.get_tools_sequence(_CallsNamingThemselves(count)) for count in (1, 2, 3)
    )
    last = two.removeprefix(one)
    sentences = {"first": one, "middle": three.removeprefix(one).removesuffix(last), "last": last}
    if sentences["first"] + sentences["middle"] + sentences["last"] != three:
        raise ExportError("failed to take the sentences about tools apart")
    return sentences


def attack(name: str, suite_: TaskSuite) -> dict[str, Any]:
    """A registered attack: its template and what fills it."""
    made = ATTACKS[name](suite_, _Pipeline("gpt-4o-2024-05-13"))
    if isinstance(made, FixedJailbreakAttack):
        template = made.jailbreak
    else:
        template = getattr(made, "_DOS_STRING", None)
    return {
        "name": name,
        "template": template,
        "user": getattr(made, "user_name", None),
        "model": model_rule(name, suite_),
        "dos": made.is_dos_attack,
        "params": [] if template is None else format_fields(template),
        "tool_sentences": tool_sentences(made),
    }


def system_messages() -> dict[str, str]:
    """The named system prompts."""
    path = importlib.resources.files("agentdojo") / "data" / "system_messages.yaml"
    return plain(yaml.safe_load(path.read_text(encoding="utf-8")))


def bundle() -> dict[str, Any]:
    """Everything, in upstream's order."""
    installed = importlib.metadata.version("agentdojo")
    if installed != VERSION:
        raise ExportError(f"failed to export agentdojo `{installed}`: this reads {VERSION}")
    versions = list(load_suites._SUITES.items())
    latest = versions[-1][1]
    for name in latest:
        require_same_tasks(name)
    suites = [suite(each) for each in latest.values()]
    return {
        "format": FORMAT,
        "package": {"name": "agentdojo", "version": installed},
        "benchmark_versions": [
            [version, {name: list(each.benchmark_version) for name, each in members.items()}]
            for version, members in versions
        ],
        "suites": suites,
        "attacks": [attack(name, next(iter(latest.values()))) for name in ATTACKS],
        "model_names": [list(pair) for pair in MODEL_NAMES.items()],
        "wrong_model_names": wrong_model_names(),
        "system_message": system_messages(),
    }


def main() -> int:
    """Runs the exporter."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="the bundle")
    arguments = parser.parse_args()
    try:
        made = bundle()
    except ExportError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    text = json.dumps(made, ensure_ascii=True, separators=(",", ":"), allow_nan=False) + "\n"
    write_atomically(arguments.output, text)
    print(f"sha256: {hashlib.sha256(text.encode('ascii')).hexdigest()}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
