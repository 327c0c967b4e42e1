"""Small language models as folders of Hugging Face, in the layout of a repository."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

import twinoar as paddle
from twinoar import pretrained

WRITTEN = Path(__file__).parents[1] / "pretrained" / "written" / "tokenizers.json"
TEMPLATE = (
    "{{ bos_token }}{% for m in messages %}[{{ m['role'] }}] {{ m['content'] | trim }}<|end|>"
    "{% endfor %}{% if add_generation_prompt %}[assistant]{% endif %}"
)
END = 2
COMMON = {"vocab_size": 470, "eos_token_id": END}
GPT2 = {
    **COMMON, "n_positions": 128, "n_embd": 16, "n_layer": 2, "n_head": 2,
    "activation_function": "gelu_new", "layer_norm_epsilon": 1e-5,
    **dict.fromkeys(("embd_pdrop", "resid_pdrop", "attn_pdrop"), 0.0),
}  # fmt: skip
LLAMA = {
    **COMMON, "max_position_embeddings": 128, "hidden_size": 16, "intermediate_size": 24,
    "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
    "rms_norm_eps": 1e-6, "hidden_act": "silu",
}  # fmt: skip
KINDS = {
    "gpt2": (pretrained.GPT2LMHeadModel, GPT2, "gpt2"),
    "llama": (pretrained.LlamaForCausalLM, LLAMA, "llama3"),
    "llama2": (pretrained.LlamaForCausalLM, {**LLAMA, "vocab_size": 640}, "llama2"),
}


def writer(
    folder: Path, kind: str = "gpt2", *, slots: int = 4, chat: bool = True, **parameters: Any
) -> Any:
    """Put a model with random weights that vary its words into a repository; the layer."""
    made, config, style = KINDS[kind]
    place = folder / kind / "1"
    place.mkdir(parents=True)
    paddle.seed(3)
    model: Any = made(config)
    model.eval()
    for tensor in model.parameters():
        if tensor.ndim > 1:
            tensor.set_value(tensor.numpy() * np.float32(6))
    pretrained.save(model, place)
    told = json.loads(WRITTEN.read_text())[style]["told"]
    (place / "tokenizer.json").write_text(json.dumps(told))
    if chat:
        settings = {"chat_template": TEMPLATE, "bos_token": {"content": "<s>"}}
        (place / "tokenizer_config.json").write_text(json.dumps(settings))
    listed = " ".join(
        f'parameters {{ key: "{k}" value {{ string_value: "{v}" }} }}'
        for k, v in parameters.items()
    )
    (folder / kind / "config.pbtxt").write_text(f"max_batch_size: {slots} {listed}")
    return model
