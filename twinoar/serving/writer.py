"""A language model of Hugging Face's files, served whole: weights, tokenizer, template.

The version's folder is that of the model: `config.json`, its weights, `tokenizer.json`. The step
over pages is compiled once for each of some sizes before the first client, and the compiled kernels
are kept, so the next start is quick. What the config may say is in `parameters`.
"""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from twinoar import pretrained
from twinoar.errors import FileError
from twinoar.export.save import save
from twinoar.inference import Config, create_predictor
from twinoar.pretrained.generation import Writer
from twinoar.pretrained.paged import PagedStep
from twinoar.pretrained.past import Kept
from twinoar.serving.chat import open_template, read_settings
from twinoar.serving.configuration import Defaults, complete, parameter, queue_of
from twinoar.serving.embedding import EMBEDDINGS, EmbeddingModel, open_embeddings
from twinoar.serving.language import WRITES, LanguageModel, configured_turns, queue_size
from twinoar.serving.paged import PagedEngine, Plan, Run
from twinoar.serving.statistics import Statistics
from twinoar.serving.tokenizer import open_tokenizer
from twinoar.static.input import InputSpec

PAGE, PIECE = 16, 64  # words
MOST_CONTEXT = 1 << 17
POOL_BYTES = 1 << 30  # of keys and values, where the config does not say how many pages
GENERATION = "generation_config.json"


def open_writer(
    folder: Path, version: int, config: Any, defaults: Defaults, *, python: bool = False
) -> LanguageModel | EmbeddingModel:
    """The model of a folder of Hugging Face: one that writes, or one that makes vectors.

    Raises FileError, UnsupportedError.
    """
    place = folder / str(version)
    model = pretrained.load(place)
    if not isinstance(model, Writer) or parameter(config, WRITES) == EMBEDDINGS:
        return open_embeddings(model, folder, version, config, defaults, python=python)
    named = parameter(config, "tokenizer")
    if named is None and not (place / pretrained.tokenizer.FILE).is_file():
        raise FileError(
            f"{place} has no {pretrained.tokenizer.FILE}",
            cure="put it there, or name another `tokenizer` in the config's parameters",
        )
    tokenizer = open_tokenizer(place, named or pretrained.tokenizer.FILE, python=python)
    complete(config, (), (), defaults, False)
    config.max_batch_size = config.max_batch_size or defaults.max_batch_size
    queue_of(config, defaults)  # refuses what does not fit
    plan = _plan(config, model.kept())
    threads = int(parameter(config, "threads") or defaults.threads)
    run = _compiled(model, plan, threads)
    engine = PagedEngine(
        run, model.kept(), plan, _ends(config, place, model), queue_size(config, defaults),
        folder.name, Statistics(),
    )  # fmt: skip
    template, encode = open_template(place), None
    if template is not None and isinstance(tokenizer, pretrained.Tokenizer):
        encode = partial(tokenizer.encode, special=False)  # the template has written them
    return LanguageModel(
        folder.name, version, config, engine, tokenizer, int(model.config["vocab_size"]),
        template or configured_turns(config), encode,
    )  # fmt: skip


def _plan(config: Any, kept: Kept) -> Plan:
    """The sizes, by the config's parameters or what is usual."""
    most = kept.places or MOST_CONTEXT
    context = _number(config, "context_length", most)
    if not 1 < context <= most:
        raise FileError(f"{config.name}: context_length is from 2 to {most}, not {context}")
    page = _number(config, "page_size", PAGE)
    text = -(-context // page)
    page_bytes = 8 * kept.layers * page * kept.heads * kept.size
    usual = min(config.max_batch_size * text, max(text, POOL_BYTES // page_bytes))
    pages = _number(config, "pages", usual)
    piece = _number(config, "prompt_piece", PIECE)
    shares = parameter(config, "share_prefixes") or "true"
    if shares not in ("true", "false"):
        raise FileError(f"{config.name}: share_prefixes is true or false, not {shares!r}")
    return Plan(config.max_batch_size, page, pages, piece, context, shares == "true")


def _compiled(model: Any, plan: Plan, threads: int) -> Run:
    """The model's step, compiled and run in all sizes that will come."""
    kept, any_size = model.kept(), None
    pool = [kept.layers, plan.pages, plan.page, kept.heads, kept.size]
    spec = [
        InputSpec([any_size, any_size], "int64", "words"),
        InputSpec([any_size], "int64", "start"),
        InputSpec([any_size], "int64", "count"),
        InputSpec([any_size, any_size], "int64", "table"),
        InputSpec(pool, "float32", "keys"),
        InputSpec(pool, "float32", "values"),
    ]
    step = PagedStep(model)
    step.eval()
    with tempfile.TemporaryDirectory() as folder:
        save(step, f"{folder}/model", spec)
        config = Config(f"{folder}/model.pdmodel", f"{folder}/model.pdiparams")
        if threads:
            config.set_cpu_math_library_num_threads(threads)
        predictor = create_predictor(config)
    empty = np.zeros(pool, "float32")
    for rows, words, pages in plan.shapes():
        zeros = np.zeros(rows, "int64")
        table = np.zeros((rows, pages), "int64")
        _run(predictor, [np.zeros((rows, words), "int64"), zeros, zeros + 1, table, empty, empty])
    return partial(_run, predictor)


def _run(predictor: Any, arrays: list[np.ndarray]) -> list[np.ndarray]:
    return list(predictor.run(arrays))


def _ends(config: Any, place: Path, model: Any) -> tuple[int, ...]:
    """The tokens that end a text: those of the config, of the model's settings, or of the model."""
    named = parameter(config, "end_token")
    if named is not None:
        parts = named.split(",")
        if not all(part.strip().isdecimal() for part in parts):
            raise FileError(f"{config.name}: end_token is a number, or some with commas: {named!r}")
        return tuple(map(int, parts))
    told = read_settings(place / GENERATION).get("eos_token_id")
    if told is None:
        told = model.config.told.get("eos_token_id")
    listed = told if isinstance(told, list) else [] if told is None else [told]
    return tuple(int(word) for word in listed)


def _number(config: Any, name: str, usual: int) -> int:
    told = parameter(config, name)
    if told is None:
        return usual
    if not told.isdecimal() or not int(told):
        raise FileError(f"{config.name}: the parameter {name} is a number above 0, not {told!r}")
    return int(told)
