"""AgentDojo's values as plain JSON: environments, arguments, types of tools.

Nothing here depends on how pydantic prints a schema, so a bundle is the same under its versions.
"""

from __future__ import annotations

import datetime
import enum
import string
import types
import typing
from collections.abc import Mapping
from typing import Any

import yaml


class ExportError(Exception):
    """Upstream holds something that the bundle's form has no place for."""


def format_fields(text: str) -> list[str]:
    """The names of ``str.format`` fields in ``text``, each once, in order of first sight."""
    try:
        fields = [field for _, field, _, _ in string.Formatter().parse(text) if field is not None]
    except ValueError as error:
        raise ExportError(f"failed to read the placeholders of a text: {error}") from error
    return list(dict.fromkeys(fields))


class Hosts:
    """The texts that hold injection placeholders, found by what they look like with canaries."""

    def __init__(self, dumped: str, vectors: list[str]) -> None:
        """Reads the environment's dumped YAML text, placeholders still in it."""
        self.canaries = {vector: f"CANARY0{vector}0YRANAC" for vector in vectors}
        self._raw_of: dict[str, str] = {}
        self._used: set[str] = set()
        self._read(yaml.compose(dumped, yaml.SafeLoader), dumped)
        missing = set(vectors) - {
            name for raw in self._raw_of.values() for name in format_fields(raw)
        }
        if missing:
            raise ExportError(f"failed to find the placeholders of {sorted(missing)}")

    def _read(self, node: yaml.Node, dumped: str) -> None:
        """Collects the scalars under ``node``; a placeholder in a key has no place in the bundle."""
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                if not isinstance(key, yaml.ScalarNode) or format_fields(key.value):
                    raise ExportError(
                        f"failed to place the key `{key.value}`: it holds a placeholder"
                    )
                self._read(value, dumped)
        elif isinstance(node, yaml.SequenceNode):
            for item in node.value:
                self._read(item, dumped)
        elif isinstance(node, yaml.ScalarNode) and format_fields(node.value):
            self._take(node, dumped)

    def _take(self, node: yaml.ScalarNode, dumped: str) -> None:
        """Remembers a scalar's text between its double quotes."""
        start, end = node.start_mark.index, node.end_mark.index
        if node.style != '"' or dumped[start] != '"' or dumped[end - 1] != '"':
            raise ExportError(f"failed to read the scalar at {start}: it is not double-quoted")
        raw = dumped[start + 1 : end - 1]
        if not set(format_fields(raw)) <= set(self.canaries):
            raise ExportError(
                f"failed to read the scalar at {start}: it holds an unknown placeholder"
            )
        seen = yaml.safe_load(f'"{raw.format(**self.canaries)}"')
        if self._raw_of.setdefault(seen, raw) != raw:
            raise ExportError(f"failed to tell two texts apart: `{seen}`")

    def holds(self, text: str) -> bool:
        """Whether ``text`` holds a canary."""
        return any(canary in text for canary in self.canaries.values())

    def raw(self, text: str) -> str:
        """The host text that gave ``text``."""
        if text not in self._raw_of:
            raise ExportError(f"failed to map `{text}` to its host text")
        self._used.add(text)
        return self._raw_of[text]

    def require_all_used(self) -> None:
        """Fails if a host text never came up in the environment."""
        unused = set(self._raw_of) - self._used
        if unused:
            raise ExportError(f"failed to find {sorted(unused)} in the environment")


def plain(value: Any, hosts: Hosts | None = None) -> Any:
    """``value`` as JSON: times are tagged, enums are their values, host texts are ``$host``."""
    if isinstance(value, enum.Enum):
        return plain(value.value, hosts)
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, str):
        if hosts is not None and hosts.holds(value):
            return {"$host": hosts.raw(value)}
        return value
    if isinstance(value, datetime.datetime):
        return {"$datetime": value.isoformat()}
    if isinstance(value, datetime.date):
        return {"$date": value.isoformat()}
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str) or (hosts is not None and hosts.holds(key)):
                raise ExportError(f"failed to place the key `{key}`")
        return {str(key): plain(item, hosts) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item, hosts) for item in value]
    raise ExportError(f"failed to place a value of type `{type(value).__name__}`")


def parameter_type(annotation: Any) -> tuple[dict[str, Any], bool]:
    """An argument's type as ``{"kind": ...}``, and whether it may be null."""
    origin = typing.get_origin(annotation)
    if origin in (typing.Union, types.UnionType):
        members = typing.get_args(annotation)
        others = [member for member in members if member is not type(None)]
        if len(others) != 1:
            raise ExportError(f"failed to place the union `{annotation}`")
        kind, _ = parameter_type(others[0])
        return kind, len(others) < len(members)
    if origin is typing.Annotated:
        return parameter_type(typing.get_args(annotation)[0])
    if origin is list:
        items, nullable = parameter_type(typing.get_args(annotation)[0])
        if nullable:
            raise ExportError(f"failed to place `{annotation}`: its items may be null")
        return {"kind": "list", "items": items}, False
    if annotation is dict or origin is dict:
        return {"kind": "dict"}, False
    if isinstance(annotation, type) and issubclass(annotation, enum.Enum):
        return {"kind": "enum", "values": [member.value for member in annotation]}, False
    kinds = {str: "str", int: "int", float: "float", bool: "bool"}
    if annotation in kinds:
        return {"kind": kinds[annotation]}, False
    raise ExportError(f"failed to place an argument of type `{annotation}`")


def type_name(annotation: Any) -> str:
    """A return type as it is written in Python, without module names."""
    if annotation is None or annotation is type(None):
        return "None"
    if annotation is Any:
        return "Any"
    origin = typing.get_origin(annotation)
    if origin in (typing.Union, types.UnionType):
        return " | ".join(type_name(member) for member in typing.get_args(annotation))
    if origin is typing.Annotated:
        return type_name(typing.get_args(annotation)[0])
    if origin is not None:
        arguments = ", ".join(type_name(argument) for argument in typing.get_args(annotation))
        return f"{origin.__name__}[{arguments}]"
    if isinstance(annotation, type):
        return annotation.__name__
    raise ExportError(f"failed to name the type `{annotation}`")
