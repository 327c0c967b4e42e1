"""Tokenizers: the words and texts of the library `tokenizers`, and what is refused."""

from __future__ import annotations

import contextlib
import copy
import json
from pathlib import Path
from typing import Any

import pytest

from twinoar import pretrained
from twinoar.errors import FileError, TwinoarError, UnsupportedError
from twinoar.pretrained.tokenizer.pattern import compiled

WRITTEN = json.loads((Path(__file__).parent / "written" / "tokenizers.json").read_text())
STYLES = list(WRITTEN)


@pytest.mark.parametrize("style", STYLES)
def test_words_are_those_of_the_library(style: str) -> None:
    tokenizer = pretrained.Tokenizer(WRITTEN[style]["told"])
    for text, words, plain, *_ in WRITTEN[style]["cases"]:
        assert tokenizer.encode(text) == words, text
        assert tokenizer.encode(text, special=False) == plain, text


@pytest.mark.parametrize("style", STYLES)
def test_texts_are_those_of_the_library(style: str) -> None:
    tokenizer = pretrained.Tokenizer(WRITTEN[style]["told"])
    for text, words, _, decoded, whole, cut in WRITTEN[style]["cases"]:
        assert tokenizer.decode(words) == decoded, text
        assert tokenizer.decode(words, special=True) == whole, text
        assert tokenizer.decode(words[: len(words) // 2]) == cut, text


def test_bytes_of_half_a_character_are_marked_until_the_rest_is_there() -> None:
    tokenizer = pretrained.Tokenizer(WRITTEN["gpt2"]["told"])
    words = tokenizer.encode("🙂")
    assert tokenizer.decode(words) == "🙂"
    assert "\ufffd" in tokenizer.decode(words[:-1])


def test_a_long_piece_without_spaces_is_read_in_time() -> None:
    tokenizer = pretrained.Tokenizer(WRITTEN["llama2"]["told"])
    text = "thecatsat" * 20_000  # 180,000 letters: a quadratic way would take hours
    assert tokenizer.decode(tokenizer.encode(text)) == text


def test_halves_of_surrogate_pairs_are_no_text() -> None:
    tokenizer = pretrained.Tokenizer(WRITTEN["gpt2"]["told"])
    assert tokenizer.decode(tokenizer.encode("a\ud800b")) == "a?b"
    assert tokenizer.decode([0, 99999]) == tokenizer.decode([0])


def test_a_folder_and_a_file_are_read(tmp_path: Path) -> None:
    told = WRITTEN["gpt2"]["told"]
    (tmp_path / "tokenizer.json").write_text(json.dumps(told))
    for place in (tmp_path, tmp_path / "tokenizer.json"):
        assert len(pretrained.Tokenizer.load(place)) == len(told["model"]["vocab"])
    with pytest.raises(FileError, match="cannot read"):
        pretrained.Tokenizer.load(tmp_path / "other")
    (tmp_path / "tokenizer.json").write_text("[")
    with pytest.raises(FileError, match="no JSON"):
        pretrained.Tokenizer.load(tmp_path)
    (tmp_path / "tokenizer.json").write_text("[1]")
    with pytest.raises(FileError, match="must hold a tokenizer"):
        pretrained.Tokenizer.load(tmp_path)


REFUSED: dict[str, dict[str, Any]] = {
    "model of type 'Unigram'": {"model": {"type": "Unigram", "vocab": []}},
    "normalizer of type 'Precompiled'": {"normalizer": {"type": "Precompiled"}},
    "pre_tokenizer of type 'BertPreTokenizer'": {"pre_tokenizer": {"type": "BertPreTokenizer"}},
    "decoder of type 'CTC'": {"decoder": {"type": "CTC"}},
    "post_processor of type 'x'": {"post_processor": {"type": "x"}},
    "dropout=0.5": {"model": {"type": "BPE", "vocab": {}, "merges": [], "dropout": 0.5}},
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_would_change_words_is_refused_by_name(message: str) -> None:
    with pytest.raises(UnsupportedError, match=message):
        pretrained.Tokenizer({**WRITTEN["gpt2"]["told"], **REFUSED[message]})


@pytest.mark.parametrize("pattern", [r"\p{Han}", r"[a[b]]", r"(", r"\p{Qq}"])
def test_an_expression_that_python_has_not_is_refused(pattern: str) -> None:
    with pytest.raises(UnsupportedError):
        compiled(pattern)


def test_a_damaged_file_is_told_so() -> None:
    """Each value of each part replaced: it loads, or says what is wrong."""
    for style in STYLES:
        told = WRITTEN[style]["told"]
        small = {**told["model"], "vocab": {"a": 0, "<unk>": 1}, "merges": []}
        whole = {**told, "model": {**small, "byte_fallback": False}}
        for key, value in whole.items():
            for other in (None, 1, "x", [], {}, [None], {"type": 3}, {"type": "Split"}):
                changed = copy.deepcopy(whole) | {key: other}
                with contextlib.suppress(TwinoarError):
                    pretrained.Tokenizer(changed)
            for inner in value if isinstance(value, dict) else ():
                changed = copy.deepcopy(whole)
                changed[key][inner] = 7
                with contextlib.suppress(TwinoarError):
                    pretrained.Tokenizer(changed)


def test_merges_that_name_no_word_are_told() -> None:
    with pytest.raises(FileError, match="names 'b', which is no word"):
        pretrained.Tokenizer({"model": {"type": "BPE", "vocab": {"a": 0}, "merges": ["a b"]}})
