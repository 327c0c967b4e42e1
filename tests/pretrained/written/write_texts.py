"""Write texts.json: how transformers goes on with prompts, by the folders of models.zip.

python write_texts.py models.zip texts.json, with torch and transformers.
"""

from __future__ import annotations

import json
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import torch
import transformers as t

PROMPTS = [[3, 9, 4, 11], [0, 0, 17, 5], [0, 12, 12, 6]]
MASK = [[1, 1, 1, 1], [0, 0, 1, 1], [0, 1, 1, 1]]
OPTIONS: list[dict[str, Any]] = [
    {},
    {"max_new_tokens": 8},
    {
        "max_length": 9,
        "eos_token_id": [7, 13],
    },
    {"max_new_tokens": 7, "repetition_penalty": 1.7},
    {"max_new_tokens": 7, "min_new_tokens": 4, "eos_token_id": [2, 7, 13, 5, 8]},
    {"max_new_tokens": 8, "num_beams": 3},
    {"max_new_tokens": 8, "num_beams": 4, "num_return_sequences": 3, "eos_token_id": [7, 13, 2]},
    {"max_new_tokens": 8, "num_beams": 2, "length_penalty": 2.5, "eos_token_id": [7, 13, 2]},
    {"max_new_tokens": 8, "num_beams": 3, "length_penalty": -1.0, "eos_token_id": [7, 13, 5]},
    {"max_new_tokens": 8, "num_beams": 4, "early_stopping": True, "eos_token_id": [7, 13, 5, 8]},
]


def main() -> None:
    """Write the file."""
    found = []
    with tempfile.TemporaryDirectory() as place, zipfile.ZipFile(sys.argv[1]) as archive:
        archive.extractall(place)
        for name in ("gpt2_words", "llama_words", "llama_tied"):
            model = t.AutoModelForCausalLM.from_pretrained(f"{place}/{name}")
            for options in OPTIONS:
                if not options and name == "gpt2_words":
                    continue  # 20 new words are more than it has places for
                told = {"pad_token_id": 19, "eos_token_id": None, "do_sample": False, **options}
                texts = model.generate(
                    torch.tensor(PROMPTS), attention_mask=torch.tensor(MASK), **told
                )
                found.append({"model": name, "options": options, "texts": texts.tolist()})
    lines = ",\n".join(map(json.dumps, found))
    head = f'"prompts": {json.dumps(PROMPTS)},\n"mask": {json.dumps(MASK)}'
    Path(sys.argv[2]).write_text(f'{{{head},\n"cases": [\n{lines}\n]}}\n')


if __name__ == "__main__":
    main()
