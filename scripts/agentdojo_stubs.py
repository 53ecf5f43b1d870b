"""Stand-ins for the LLM SDKs that AgentDojo imports but that scripted runs never call.

``install()`` puts a finder behind all others on ``sys.meta_path``. It answers only for the top-level
packages in ``SDKS`` and only where Python found no real package, so an installed SDK stays in use.
Import this module and call ``install()`` before anything of ``agentdojo``.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

SDKS = frozenset(
    {
        "anthropic",
        "click",
        "cohere",
        "dotenv",
        "google",
        "langchain",
        "openai",
        "requests",
        "rich",
        "tenacity",
        "torch",
        "transformers",
    }
)
"""Top-level packages that importing the suites and the attacks asks for but never uses."""


class _AbsentType(type):
    """Metaclass of the stand-ins: attributes, calls and subscripts give stand-ins again."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _absent(name)

    def __call__(cls, *_args: Any, **_kwargs: Any) -> Any:
        return cls

    def __getitem__(cls, _item: Any) -> Any:
        return cls


def _absent(name: str) -> type:
    """A class that may be named in annotations, subclassed, called and used as a decorator."""
    return _AbsentType(name, (), {"__module__": __name__})


class _AbsentModule(ModuleType):
    """A module whose every attribute is a stand-in."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        value = _absent(name)
        setattr(self, name, value)
        return value


class AbsentSdkFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds and loads stand-ins for the packages in ``SDKS`` and for their submodules."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Answers for an absent SDK, and for nothing else."""
        del path, target
        if fullname.partition(".")[0] not in SDKS:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        """Makes the stand-in."""
        return _AbsentModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Has nothing to run."""


def install() -> None:
    """Puts the finder behind all others; a second call changes nothing."""
    if not any(isinstance(finder, AbsentSdkFinder) for finder in sys.meta_path):
        sys.meta_path.append(AbsentSdkFinder())
