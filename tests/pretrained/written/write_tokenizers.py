"""Write tokenizers.json: tokenizers of several styles, and what the library makes of texts.

python write_tokenizers.py tokenizers.json [COUNT], with `tokenizers`: so many random texts of each.
"""

from __future__ import annotations

import json
import random
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tokenizers import (
    AddedToken,
    Regex,
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
    trainers,
)  # fmt: skip

LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
WORDS = (
    "the cat sat on a mat and it's not what they've said don't we'll I'm he'd  two   three\n"
    'In 2024, 1234567 people (or so) wrote: "naïve café" — über Straße; 日本語 テスト 🙂 été\r\n\t'
    "def run(x):\n    return x ** 2 != 0  # ok <tag> &amp; 100% ... a_b-c@d.e/f\\g"
)
SPECIAL = ["<s>", "</s>", "<|end|>"]
ALPHABET = (
    "abcdeTHE sx'tn  \n\r\t.,!?0123456789éßäöüçñ日本語テ漢字カ한국어🙂👍🏽_-<>|/"
    "\u200d\u00a0\u2003\u0301\u05e2\u0628\u0420\u0443\u0441\x00\x1c\x85\u017f\u212a"
)


def trained(tokenizer: Tokenizer, *, alphabet: bool) -> Tokenizer:
    """The tokenizer with a small vocabulary."""
    trainer = trainers.BpeTrainer(
        vocab_size=460 if alphabet else 380, special_tokens=["<unk>", *SPECIAL[:2]],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet() if alphabet else [],
        show_progress=False,
    )  # fmt: skip
    tokenizer.train_from_iterator(WORDS.split("\n") * 3, trainer)
    return tokenizer


def gpt2() -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    return trained(tokenizer, alphabet=True)


def roberta() -> Tokenizer:
    tokenizer = gpt2()
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 1))
    mask = AddedToken("<mask>", lstrip=True, special=True)
    tokenizer.add_special_tokens([mask, AddedToken("<|end|>", rstrip=True, special=True)])
    tokenizer.add_tokens([AddedToken("cat", single_word=True), AddedToken("ab", normalized=True)])
    return tokenizer


def llama3() -> Tokenizer:
    tokenizer = Tokenizer(models.BPE(ignore_merges=True))
    split = pre_tokenizers.Split(Regex(LLAMA3), "isolated")
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([split, byte_level])
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer = trained(tokenizer, alphabet=True)
    tokenizer.post_processor = processors.Sequence([
        processors.ByteLevel(), processors.TemplateProcessing("<s> $A", None, [("<s>", 1)]),
    ])  # fmt: skip
    tokenizer.add_special_tokens([AddedToken("<|end|>", special=True)])
    return tokenizer


def llama2() -> Tokenizer:
    model = models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True)
    tokenizer = Tokenizer(model)
    tokenizer.normalizer = normalizers.Sequence([
        normalizers.Prepend("▁"), normalizers.Replace(" ", "▁"),
    ])  # fmt: skip
    tokenizer.decoder = decoders.Sequence([
        decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(),
        decoders.Strip(" ", 1, 0),
    ])  # fmt: skip
    tokenizer = with_bytes(trained(tokenizer, alphabet=False))
    tokenizer.post_processor = processors.TemplateProcessing("<s> $A", None, [("<s>", 1)])
    return tokenizer


def metaspace() -> Tokenizer:
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Metaspace(prepend_scheme="first"), pre_tokenizers.Digits(True),
    ])  # fmt: skip
    tokenizer.decoder = decoders.Metaspace(prepend_scheme="first")
    return trained(tokenizer, alphabet=False)


def with_bytes(tokenizer: Tokenizer) -> Tokenizer:
    """A word for each byte, as SentencePiece's vocabularies have them."""
    told = json.loads(tokenizer.to_str())
    vocabulary = told["model"]["vocab"]
    for byte in range(256):
        vocabulary[f"<0x{byte:02X}>"] = len(vocabulary)
    return Tokenizer.from_str(json.dumps(told))


def texts(seed: int, count: int) -> Iterator[str]:
    """Texts of known words, letters of all kinds and special words. Unicode 14 has all of them."""
    generator = random.Random(seed)
    words = WORDS.split(" ")
    yield from ("", " ", "  ", "a", " a", "\n", "<s>", "<s> a", "the <|end|>  cat", WORDS)
    while count > 0:
        kinds = generator.choices(
            [words, list(ALPHABET), [*SPECIAL, "<mask>", " <mask> ", "cat", "ab"], ["wide"]],
            [4, 4, 1, 1], k=generator.randint(1, 12),
        )  # fmt: skip
        parts = [generator.choice(kind) for kind in kinds]
        parts = [wide(generator) if part == "wide" else part for part in parts]
        yield generator.choice(["", " "]).join(parts)
        count -= 1


def wide(generator: random.Random) -> str:
    """Any character that this Python's Unicode has."""
    while True:
        character = chr(generator.randrange(0x20000))
        if unicodedata.category(character) not in ("Cn", "Cs", "Co"):
            return character


def main() -> None:
    """Write the file."""
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    found: dict[str, Any] = {}
    for make in (gpt2, roberta, llama3, llama2, metaspace):
        tokenizer, cases = make(), []
        for text in texts(len(found), count):
            words = tokenizer.encode(text).ids
            plain = tokenizer.encode(text, add_special_tokens=False).ids
            cut = words[: len(words) // 2]
            decoded = [tokenizer.decode(w, skip_special_tokens=s) for w, s in
                       ((words, True), (words, False), (cut, True))]  # fmt: skip
            cases.append([text, words, plain, *decoded])
        found[make.__name__] = {"told": json.loads(tokenizer.to_str()), "cases": cases}
    Path(sys.argv[1]).write_text(json.dumps(found))


if __name__ == "__main__":
    main()
