"""A step of a model that writes, over pages: what a model server compiles and runs."""

from __future__ import annotations

from typing import Any

from twinoar import nn
from twinoar.errors import TypeMismatchError
from twinoar.ops.create.range import arange
from twinoar.ops.index.mask import where
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.shape.concat import stack
from twinoar.pretrained.generation import Writer
from twinoar.pretrained.past import Pages


class PagedStep(nn.Layer):
    """Scores of the words that follow, of words and the pages that have those before.

    Raises TypeMismatchError for a model that does not write.
    """

    def __init__(self, model: Any):
        super().__init__()
        if not isinstance(model, Writer):
            raise TypeMismatchError(
                f"expected a model that writes, received {type(model).__name__}",
                cure="GPT2LMHeadModel or LlamaForCausalLM",
            )
        self.model = model

    def forward(
        self, words: Any, start: Any, count: Any, table: Any, keys: Any, values: Any
    ) -> tuple[Any, Any, Any]:
        """Scores [batch,words], and the new keys and values [layers,batch,steps,heads,size].

        words: [batch,steps], of which row n has count[n], and others behind. start: how many each
        text has before, [batch]. table: the pages of each text, in order, [batch,pages]; those
        behind may be any. keys, values: [layers,pages,words of a page,heads,size].
        """
        past = Pages(start, table, keys, values, words.shape[1])
        hidden = self.model.hidden(words, past)
        # The last word's vector of each row, by a product: sizes may be any, and rows are few.
        last = arange(words.shape[1]).unsqueeze(0) == (count - 1).unsqueeze(1)
        chosen = matmul(where(last, 1.0, 0.0).unsqueeze(1), hidden)
        scores = self.model.scores(chosen).squeeze(1)
        new_keys, new_values = zip(*past.new, strict=True)
        return scores, stack(list(new_keys)), stack(list(new_values))
