"""Write models.zip: folders of transformers with small models, their inputs and outputs.

python write.py models.zip, with torch and transformers.
"""

from __future__ import annotations

import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import torch
import transformers as t

TEXT = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 4}
BERT = t.BertConfig(**TEXT, intermediate_size=24, vocab_size=20, max_position_embeddings=12)
GPT2 = {"n_embd": 16, "n_layer": 2, "n_head": 4, "vocab_size": 20, "n_positions": 12,
        "bos_token_id": 1, "eos_token_id": 1}  # fmt: skip
LLAMA = {"intermediate_size": 24, "vocab_size": 20, "num_key_value_heads": 2}
LONG = {"rope_type": "llama3", "factor": 4.0, "low_freq_factor": 1.0, "high_freq_factor": 2.0,
        "original_max_position_embeddings": 16, "rope_theta": 1000.0}  # fmt: skip
SLOW = {"rope_type": "linear", "factor": 2.5, "rope_theta": 500.0}
VIT = {"intermediate_size": 24, "image_size": 16, "patch_size": 8}
RESNET = {"embedding_size": 4, "hidden_sizes": [8, 16], "depths": [1, 2]}
MODELS = {
    "bert": t.BertModel(BERT),
    "bert_words": t.BertForMaskedLM(BERT),
    "bert_classes": t.BertForSequenceClassification(BERT),
    "bert_kinds": t.BertForTokenClassification(BERT),
    "bert_answers": t.BertForQuestionAnswering(BERT),
    "gpt2": t.GPT2Model(t.GPT2Config(**GPT2, scale_attn_by_inverse_layer_idx=True)),
    "gpt2_words": t.GPT2LMHeadModel(t.GPT2Config(**GPT2)),
    "llama": t.LlamaModel(t.LlamaConfig(**TEXT, **LLAMA, rope_parameters=SLOW, head_dim=6)),
    "llama_words": t.LlamaForCausalLM(t.LlamaConfig(**TEXT, **LLAMA, rope_parameters=LONG)),
    "llama_tied": t.LlamaForCausalLM(
        t.LlamaConfig(**TEXT, **LLAMA, tie_word_embeddings=True, attention_bias=True)
    ),
    "vit": t.ViTModel(t.ViTConfig(**TEXT, **VIT)),
    "vit_classes": t.ViTForImageClassification(t.ViTConfig(**TEXT, **VIT, num_labels=3)),
    "resnet": t.ResNetModel(t.ResNetConfig(**RESNET, layer_type="basic", hidden_act="gelu")),
    "resnet_classes": t.ResNetForImageClassification(t.ResNetConfig(**RESNET, num_labels=3)),
}


def settled(model: torch.nn.Module) -> torch.nn.Module:
    """The model with statistics and norms that are not those of the start, in few digits."""
    for name, x in [*model.named_parameters(), *model.named_buffers()]:
        if x.is_floating_point() and "inv_freq" not in name:
            with torch.no_grad():
                x.copy_(((x + 0.3 * torch.rand_like(x)) * 64).round() / 64)
    return model.eval()


def given(name: str) -> dict[str, torch.Tensor]:
    """Inputs: two texts of which one is shorter, or two images."""
    if name.startswith(("vit", "resnet")):
        return {"pixel_values": torch.randn(2, 3, 16, 16)}
    mask = torch.ones(2, 7, dtype=torch.int64)
    mask[1, 5:] = 0
    ids = torch.randint(0, 20, (2, 7))
    more = {"token_type_ids": torch.randint(0, 2, (2, 7))} if name.startswith("bert") else {}
    return {"input_ids": ids, "attention_mask": mask, **more}


def write(out: str, models: dict[str, torch.nn.Module]) -> None:
    """Write the folders of models into a zip, with their inputs and outputs."""
    torch.manual_seed(0)
    with (
        tempfile.TemporaryDirectory() as folder,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z,
    ):
        for name, model in models.items():
            inputs, place = given(name), Path(folder, name)
            found = settled(model)(**inputs).to_tuple()[0]
            (found**2).mean().backward()
            size = "4KB" if name == "llama_words" else "1GB"  # which is written in pieces
            model.save_pretrained(place, max_shard_size=size)
            kept = {k: v.numpy() for k, v in inputs.items()}
            last = [(n, p) for n, p in model.named_parameters() if p.grad is not None][-1]
            kept |= {"output": found.detach().numpy(), f"gradient {last[0]}": last[1].grad.numpy()}
            np.savez(place / "io.npz", **kept)
            for path in sorted(place.iterdir()):
                z.write(path, f"{name}/{path.name}")


if __name__ == "__main__":
    write(sys.argv[1], MODELS)
