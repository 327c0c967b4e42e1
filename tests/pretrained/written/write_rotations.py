"""Write rotations.json and rotations.zip: what transformers makes of each kind of scaling.

python write_rotations.py, with torch and transformers. The first has, of many configs, the speeds
of pairs and the scale for texts of some lengths; the second whole models with inputs and outputs,
as write.py writes them.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import torch
import transformers as t
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding
from write import LLAMA, TEXT, write

HERE = Path(__file__).parent
LENGTHS = (1, 3, 8, 9, 15, 40)


def drawn(chance: random.Random) -> dict[str, Any]:
    """The config of some scaling."""
    size, factor = chance.choice([4, 6, 8, 16]), chance.choice([1.0, 1.5, 4.0, 32.0])
    told: dict[str, Any] = {"factor": factor, "rope_theta": chance.choice([10.0, 1e4, 5e5])}
    told["rope_type"] = kind = chance.choice(["linear", "dynamic", "yarn", "longrope", "llama3"])
    if kind in ("yarn", "longrope", "llama3"):
        told["original_max_position_embeddings"] = chance.choice([8, 64])
    if kind == "llama3":
        told |= {"low_freq_factor": 1.0, "high_freq_factor": chance.choice([2.0, 4.0])}
    if kind == "longrope":
        for name in ("short_factor", "long_factor"):
            told[name] = [round(chance.uniform(1, 9), 2) for _ in range(size // 2)]
    if kind == "yarn":
        more = {"beta_fast": 4.0, "beta_slow": 0.5, "truncate": False, "attention_factor": 1.3}
        told |= {name: value for name, value in more.items() if chance.random() < 0.4}
        if chance.random() < 0.4:
            told |= {"mscale": 0.7, "mscale_all_dim": 1.2}
    if kind in ("yarn", "longrope") and chance.random() < 0.3:
        told["factor"] = None
    return {"head_dim": size, "max_position_embeddings": 8, "rope_parameters": told}


def speeds_of(config: dict[str, Any]) -> list[tuple[list[float], float]]:
    """The speeds and the scale for each length, by a layer that has seen no other."""
    found = []
    for length in LENGTHS:
        layer = LlamaRotaryEmbedding(t.LlamaConfig(**TEXT, **json.loads(json.dumps(config))))
        layer(torch.zeros(1), torch.arange(length)[None])
        found.append((layer.inv_freq.tolist(), float(layer.attention_scaling)))
    return found


def main() -> None:
    chance = random.Random(0)
    configs = [drawn(chance) for _ in range(60)]
    kept = [{"config": config, "found": speeds_of(config)} for config in configs]
    (HERE / "rotations.json").write_text(json.dumps({"lengths": LENGTHS, "of": kept}) + "\n")

    factors = {"short_factor": [1.0, 1.5], "long_factor": [2.0, 7.0]}
    kinds = {
        "dynamic": {"rope_type": "dynamic", "factor": 4.0},
        "yarn": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 4},
        "longrope": {"rope_type": "longrope", "original_max_position_embeddings": 4, **factors},
        "longrope_short": {"rope_type": "longrope", "original_max_position_embeddings": 9}
        | factors,
    }  # fmt: skip
    more = {"attention_bias": True, "mlp_bias": True, "max_position_embeddings": 5}
    torch.manual_seed(0)
    models = {
        name: t.LlamaForCausalLM(
            t.LlamaConfig(**TEXT, **LLAMA, **more, rope_parameters={"rope_theta": 100.0, **told})
        )
        for name, told in kinds.items()
    }
    write(str(HERE / "rotations.zip"), models)


if __name__ == "__main__":
    main()
