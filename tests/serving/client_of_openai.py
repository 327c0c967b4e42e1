"""Run by a Python that has `openai`: completes and chats, whole and streamed; prints JSON.

`python client_of_openai.py URL`; the server has the language model `writer`.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import openai


def told(url: str) -> dict[str, Any]:
    """What the client sees."""
    client = openai.OpenAI(base_url=url, api_key="none", max_retries=0)
    asked: dict[str, Any] = {"model": "writer", "max_tokens": 8, "temperature": 0}
    messages: Any = [{"role": "user", "content": "Hi"}]
    whole = client.completions.create(prompt="Once", **asked)
    parts = client.completions.create(prompt="Once", stream=True, **asked)
    chat = client.chat.completions.create(messages=messages, **asked)
    chunks = client.chat.completions.create(messages=messages, stream=True, **asked)
    found = {
        "models": [model.id for model in client.models.list()],
        "whole": whole.choices[0].text,
        "streamed": "".join(part.choices[0].text for part in parts),
        "chat": chat.choices[0].message.content,
        "chat streamed": "".join(c.choices[0].delta.content or "" for c in chunks),
    }
    found |= _likely(client, asked, messages)
    formats: Any = ({}, {"encoding_format": "float"})  # without one it asks for base64
    found["vectors"] = [
        client.embeddings.create(model="vectors", input=[1, 2, 3], **one).data[0].embedding
        for one in formats
    ]
    for name, wrong in (("400", {"temperature": 9}), ("404", {"model": "other"})):
        try:
            client.completions.create(prompt="a", **{**asked, **wrong})
        except openai.APIStatusError as error:
            found[name] = f"{error.status_code} {error.message}"
    return found


def _likely(client: Any, asked: dict[str, Any], messages: Any) -> dict[str, Any]:
    """What it sees of how likely tokens were."""
    scored = client.completions.create(
        prompt="Once", echo=True, logprobs=2, **{**asked, "max_tokens": 0}
    ).choices[0]
    likely = {"logprobs": True, "top_logprobs": 2, **asked}
    chat = client.chat.completions.create(messages=messages, **likely)
    chunks = client.chat.completions.create(messages=messages, stream=True, **likely)
    whole = chat.choices[0].logprobs.content
    parts = [one for c in chunks if c.choices[0].logprobs for one in c.choices[0].logprobs.content]
    return {
        "scored": [scored.text, scored.logprobs.tokens, scored.logprobs.token_logprobs],
        "likely": [[one.token, one.logprob, len(one.top_logprobs)] for one in whole],
        "likely streamed": [[one.token, one.logprob, len(one.top_logprobs)] for one in parts],
        "cached": chat.usage.prompt_tokens_details.cached_tokens,
    }


if __name__ == "__main__":
    json.dump(told(sys.argv[1]), sys.stdout)
