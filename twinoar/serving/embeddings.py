"""OpenAI's `/v1/embeddings`: a vector for each text, as numbers or as their bytes in base64.

Source: https://platform.openai.com/docs/api-reference/embeddings
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from twinoar.errors import ServingError
from twinoar.serving import quick_json
from twinoar.serving.embedding import EmbeddingModel
from twinoar.serving.http import Answer
from twinoar.serving.rest import Call, while_connected
from twinoar.serving.status import invalid

MOST_TEXTS = 2048  # OpenAI's
AT_ONCE = 64  # texts of a request that wait beside those of others
FORMATS = ("float", "base64")


async def embeddings(call: Call) -> Answer:
    """The answer to a request. Raises ServingError."""
    told = await call.json()
    model = _model(call, told)
    written = told.get("encoding_format") or "float"
    if written not in FORMATS:
        raise invalid(f"encoding_format is one of {', '.join(FORMATS)}, received {written!r}"[:200])
    if told.get("dimensions") not in (None, model.width):
        raise invalid(
            f"vectors of {model.name} have {model.width} dimensions", cure="leave dimensions out"
        )
    texts = _texts(told.get("input"), model)
    vectors = await _vectors(call, model, texts)
    listed = [
        {"object": "embedding", "index": number, "embedding": _shown(vector, written)}
        for number, vector in enumerate(vectors)
    ]
    count = sum(map(len, texts))
    usage = {"prompt_tokens": count, "total_tokens": count}
    whole = {"object": "list", "data": listed, "model": model.name, "usage": usage}
    return Answer(200, [quick_json.written(whole)])


async def _vectors(
    call: Call, model: EmbeddingModel, texts: Sequence[list[int]]
) -> list[np.ndarray]:
    """The vectors, of some texts at a time; one that fails takes the others with it."""
    found: list[np.ndarray] = []
    for start in range(0, len(texts), AT_ONCE):
        requests = [model.request(words) for words in texts[start : start + AT_ONCE]]
        try:
            for request in requests:
                request.stages = call.stages
                call.state.repository.submit(model.name, "", request)
            for request in requests:
                found.append((await while_connected(request, call.receive))["vector"][0])
        except BaseException:
            for request in requests:
                request.cancel()
            raise
    return found


def _model(call: Call, told: Mapping[str, Any]) -> EmbeddingModel:
    name = told.get("model")
    if not isinstance(name, str):
        raise invalid("model is the name of a model of vectors")
    model = call.state.repository.model(name)
    if not isinstance(model, EmbeddingModel):
        raise invalid(
            f"{name} makes no vectors of texts",
            cure='parameters { key: "writes" value { string_value: "embeddings" } } in the config '
            "of a language model lets it",
        )
    return model


def _texts(given: Any, model: EmbeddingModel) -> list[list[int]]:
    """Each text in words: from text, words, or a list of either."""
    single = isinstance(given, str) or (isinstance(given, list) and given and _is_word(given[0]))
    several = [given] if single else given
    if not isinstance(several, list) or not 1 <= len(several) <= MOST_TEXTS:
        raise invalid(f"input is a text, a list of tokens, or a list of 1 to {MOST_TEXTS} of them")
    found = []
    for one in several:
        if isinstance(one, str):
            found.append(model.words(one))
        elif isinstance(one, list) and all(map(_is_word, one)):
            found.append(one)
        else:
            raise invalid("input is a text, a list of tokens, or a list of either")
    for words in found:
        model.request(words)  # so that nothing is run for a request that is refused
    return found


def _is_word(value: Any) -> bool:
    return type(value) is int


def _shown(vector: np.ndarray, written: str) -> list[float] | str:
    if not np.isfinite(vector).all():
        raise ServingError("the model's vector is not finite", "INTERNAL")
    if written == "base64":
        return base64.b64encode(vector.astype("<f4").tobytes()).decode()
    found: list[float] = vector.tolist()
    return found
