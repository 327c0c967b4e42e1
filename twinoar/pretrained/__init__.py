"""Models of others as layers that train: folders of Hugging Face here, files of Keras in `keras`.

Layers of the former have the names that the weights have there, so a folder that is written loads
in `transformers` again. Nothing in these files is run, and nothing is unpickled.
"""

from twinoar.core.public import exported
from twinoar.pretrained import keras
from twinoar.pretrained.bert import (
    BertForMaskedLM,
    BertForQuestionAnswering,
    BertForSequenceClassification,
    BertForTokenClassification,
    BertModel,
)
from twinoar.pretrained.folder import load, save
from twinoar.pretrained.gpt2 import GPT2LMHeadModel, GPT2Model
from twinoar.pretrained.llama import LlamaForCausalLM, LlamaModel
from twinoar.pretrained.resnet import ResNetForImageClassification, ResNetModel
from twinoar.pretrained.tokenizer import Tokenizer
from twinoar.pretrained.vit import ViTForImageClassification, ViTModel

__all__ = exported(globals(), "keras")
