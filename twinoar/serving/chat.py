"""Conversations as prompts: by a turn's text with names in braces, or by a template of Jinja.

Templates are those of Hugging Face (`chat_template` in `tokenizer_config.json`, or the file
`chat_template.jinja`). They are programs of whoever made the model, and run in Jinja's sandbox,
with `messages`, `add_generation_prompt`, the special tokens by name, `raise_exception` and
`strftime_now`. Tools and documents are not given to them.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from twinoar.errors import FileError, UnsupportedError
from twinoar.serving.status import invalid

Message = dict[str, str]
Conversation = Callable[[list[Message]], str]
SETTINGS, TEMPLATE_FILE = "tokenizer_config.json", "chat_template.jinja"
MOST_CHARACTERS = 1 << 22  # of what a template writes: no context is that long


def turns(turn: str, start: str) -> Conversation:
    """Each message as `turn`, with {role} and {content} in it, and `start` behind the last.

    >>> turns("{role}: {content}\\n", "assistant: ")([{"role": "user", "content": "Hi"}])
    'user: Hi\\nassistant: '
    """

    def written(messages: list[Message]) -> str:
        texts = [
            "".join(message.get(part[1:-1], "") if part in ("{role}", "{content}") else part
                    for part in _parts(turn))
            for message in messages
        ]  # fmt: skip
        return "".join(texts) + start

    return written


def open_template(folder: Path) -> Conversation | None:
    """The template of a folder, None where it has none. Raises FileError, UnsupportedError."""
    settings = read_settings(folder / SETTINGS)
    file = folder / TEMPLATE_FILE
    template = file.read_text() if file.is_file() else settings.get("chat_template")
    if isinstance(template, list):  # several by name
        named = {t.get("name"): t.get("template") for t in template if isinstance(t, dict)}
        template = named.get("default")
    if template is None:
        return None
    if not isinstance(template, str):
        raise FileError(f"the chat_template of {folder / SETTINGS} is text")
    tokens = {
        name: told["content"] if isinstance(told, dict) else told
        for name, told in settings.items()
        if name.endswith("_token") and isinstance(told, str | dict)
    }
    return of_jinja(template, tokens)


def of_jinja(template: str, tokens: Mapping[str, str]) -> Conversation:
    """Conversations as a template writes them. Raises FileError where it is none."""
    jinja2, sandbox = _jinja()
    environment = sandbox.ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
    )
    environment.globals |= {"raise_exception": _refuse, "strftime_now": time.strftime}
    environment.filters["tojson"] = lambda value: json.dumps(value, ensure_ascii=False)
    try:
        made = environment.from_string(template)
    except jinja2.TemplateError as error:
        raise FileError(f"the chat_template is no template of Jinja: {error}") from error

    def written(messages: list[Message]) -> str:
        found: list[str] = []
        length = 0
        try:
            for part in made.generate(
                messages=messages, add_generation_prompt=True, tools=None, documents=None, **tokens
            ):
                found.append(part)
                length += len(part)
                if length > MOST_CHARACTERS:
                    raise invalid("the conversation is longer than any context")
        except (jinja2.TemplateError, TypeError, ValueError, ArithmeticError) as error:
            raise invalid(f"the model's template refuses the messages: {error}") from error
        return "".join(found)

    return written


def read_settings(file: Path) -> dict[str, Any]:
    """What a file of JSON says, nothing where it is not there. Raises FileError."""
    if not file.is_file():
        return {}
    try:
        told = json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise FileError(f"cannot read {file}: {str(error)[:80]}") from error
    if not isinstance(told, dict):
        raise FileError(f"{file} must hold values by name")
    return told


def _parts(turn: str) -> list[str]:
    """A turn's text cut at the names in it, so that what a message says is not looked into."""
    parts = [turn]
    for name in ("{role}", "{content}"):
        cut = [part.partition(name) for part in parts]
        parts = [piece for three in cut for piece in three if piece]
    return parts


def _jinja() -> tuple[Any, Any]:
    try:
        return import_module("jinja2"), import_module("jinja2.sandbox")
    except ImportError as error:
        raise UnsupportedError(
            "the model's chat_template needs jinja2, which is not installed",
            cure="pip install 'twinoar[serving]'",
        ) from error


def _refuse(message: str) -> None:
    raise ValueError(message)
