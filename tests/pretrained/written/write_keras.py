"""Write keras.zip: models of Keras, their inputs and outputs.

KERAS_BACKEND=torch python write_keras.py keras.zip, with keras, h5py and torch.
"""

from __future__ import annotations

import sys
import tempfile
import zipfile
from pathlib import Path

import keras
import numpy as np
from keras import layers as L

Shapes = list[tuple[int, ...]]


def images() -> keras.Model:
    return keras.Sequential([
        L.Input((9, 8, 3)),
        L.Rescaling(0.5, 0.1),
        L.ZeroPadding2D(((1, 0), (0, 2))),
        L.Conv2D(4, 3, strides=2, padding="same", use_bias=False),
        L.BatchNormalization(),
        L.ReLU(6.0),
        L.DepthwiseConv2D(3, padding="same", depth_multiplier=2),
        L.SeparableConv2D(6, (3, 2), activation="swish"),
        L.MaxPooling2D(2, padding="same", strides=1),
        L.AveragePooling2D(2, padding="same"),
        L.SpatialDropout2D(0.1),
        L.GlobalAveragePooling2D(),
        L.Dropout(0.5),
        L.Dense(5, activation="softmax"),
    ])  # fmt: skip


def upwards() -> keras.Model:
    return keras.Sequential([
        L.Input((4, 3, 2)),
        L.Conv2DTranspose(3, 3, strides=2, padding="same", activation="elu"),
        L.Conv2DTranspose(2, 2, strides=3),
        L.UpSampling2D(2),
        L.Cropping2D(((1, 2), (0, 1))),
        L.UpSampling2D(2, interpolation="bilinear"),
        L.Conv2D(2, 3, dilation_rate=2, groups=2, activation="tanh"),
    ])  # fmt: skip


def signals() -> keras.Model:
    x = keras.Input((10, 3))
    y = L.Conv1D(4, 3, padding="causal", dilation_rate=2, activation="gelu")(x)
    y = L.LayerNormalization()(y)
    z = L.Conv1D(4, 4, strides=3, padding="same")(x)
    z = L.UpSampling1D(3)(z)
    z = L.Cropping1D((1, 1))(z)
    y = L.Add()([y, z])
    y = L.MaxPooling1D(2)(y)
    y = L.TimeDistributed(L.Dense(3, activation="leaky_relu"))(y)
    a = L.GlobalMaxPooling1D()(y)
    b = L.Flatten()(L.Permute((2, 1))(y))
    return keras.Model(x, [L.Concatenate()([a, b]), L.LeakyReLU(0.3)(a)])


def texts() -> keras.Model:
    words, more = keras.Input((7,), dtype="int32"), keras.Input((4,))
    x = L.Embedding(11, 6)(words)
    x = L.Bidirectional(L.LSTM(5, return_sequences=True))(x)
    x = L.GRU(4, return_sequences=True)(x)
    x = L.Bidirectional(L.GRU(3, return_sequences=True), merge_mode="ave")(x)
    y = L.SimpleRNN(4, go_backwards=True)(x)
    z = L.Multiply()([y, more])
    z = L.Maximum()([z, more, L.Subtract()([more, y])])
    return keras.Model([words, more], L.Dense(3)(L.Average()([z, y])))


def attending() -> keras.Model:
    start = x = keras.Input((5, 8))
    y = L.MultiHeadAttention(2, 4)(x, x, use_causal_mask=True)
    x = L.LayerNormalization(epsilon=1e-5)(L.Add()([x, y]))
    y = L.Dense(16, activation="relu")(x)
    inner = keras.Sequential([L.Dense(12), L.Activation("mish"), L.Dense(8, name="last")])
    y = inner(y)
    shared = L.Dense(8, activation="sigmoid")
    return keras.Model(start, L.Add()([shared(x), shared(y)]))


def volumes() -> keras.Model:
    return keras.Sequential([
        L.Input((5, 6, 4, 2)),
        L.Conv3D(3, 2, padding="same", strides=2),
        L.MaxPooling3D((1, 2, 1)),
        L.Reshape((-1, 3)),
        L.ELU(0.5),
        L.Softmax(),
        L.GlobalAveragePooling1D(keepdims=True),
        L.Flatten(),
        L.RepeatVector(2),
    ])  # fmt: skip


MODELS = {m.__name__: m for m in (images, upwards, signals, texts, attending, volumes)}


def settled(model: keras.Model, chance: np.random.Generator) -> None:
    """Weights that are not those of the start, in few digits."""
    model.set_weights([
        np.round((w + 0.3 * chance.random(w.shape)) * 64) / 64 for w in model.get_weights()
    ])  # fmt: skip


def main(out: str) -> None:
    chance = np.random.default_rng(0)
    with (
        tempfile.TemporaryDirectory() as folder,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z,
    ):
        for name, make in MODELS.items():
            keras.utils.clear_session()
            model, place = make(), Path(folder, name)
            settled(model, chance)
            inputs = [
                chance.integers(0, 11, (2, *x.shape[1:])).astype("int32")
                if "int" in str(x.dtype) else chance.standard_normal((2, *x.shape[1:]), "float32")
                for x in model.inputs
            ]  # fmt: skip
            outputs = model(inputs if len(inputs) > 1 else inputs[0])
            outputs = outputs if isinstance(outputs, list) else [outputs]
            kept = {f"in{n}": x for n, x in enumerate(inputs)}
            kept |= {f"out{n}": keras.ops.convert_to_numpy(x) for n, x in enumerate(outputs)}
            place.mkdir()
            model.save(place / "net.keras")
            if name != "attending":  # a model in a model
                model.save(place / "net.h5")
            settled(model, chance)
            model.save_weights(place / "other.weights.h5")
            outputs = model(inputs if len(inputs) > 1 else inputs[0])
            outputs = outputs if isinstance(outputs, list) else [outputs]
            kept |= {f"other{n}": keras.ops.convert_to_numpy(x) for n, x in enumerate(outputs)}
            np.savez(place / "io.npz", **kept)
            for path in sorted(place.iterdir()):
                z.write(path, f"{name}/{path.name}")


if __name__ == "__main__":
    main(sys.argv[1])
