"""Write tensorflow.zip: models of TensorFlow that tf2onnx converted, their inputs and outputs.

python write_tensorflow.py tensorflow.zip, with tensorflow-cpu 2.21 and tf2onnx 1.17.
"""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import tensorflow as tf

keras = tf.keras
L = keras.layers


def convolutions() -> tf.keras.Model:
    given = L.Input((16, 16, 3))
    x = L.Conv2D(8, 3, padding="same", use_bias=False)(given)
    x = L.ReLU()(L.BatchNormalization()(x))
    x = L.Add()([x, L.DepthwiseConv2D(3, padding="same")(x)])
    x = L.MaxPooling2D()(x)
    x = L.SeparableConv2D(12, 3, strides=2, padding="same", activation="swish")(x)
    x = L.Conv2DTranspose(6, 3, strides=2, padding="same")(x)
    x = L.GlobalAveragePooling2D()(x)
    return keras.Model(given, L.Dense(5, activation="softmax")(x))


def recurrent() -> tf.keras.Model:
    given = L.Input((7,), dtype="int32")
    x = L.Embedding(20, 8)(given)
    x = L.Bidirectional(L.LSTM(6, return_sequences=True))(x)
    return keras.Model(given, L.Dense(3)(L.GRU(5)(x)))


def attention() -> tf.keras.Model:
    given = L.Input((6, 8))
    x = L.LayerNormalization()(given)
    x = L.Add()([given, L.MultiHeadAttention(2, 4)(x, x)])
    x = L.Dense(16, activation="gelu")(x)
    return keras.Model(given, L.Dense(3)(L.Flatten()(x)))


def converted(model: tf.keras.Model, folder: Path) -> bytes:
    """The model as ONNX, by the command that the documentation names."""
    model.export(folder / "saved", verbose=False)
    command = [sys.executable, "-m", "tf2onnx.convert", "--opset", "18"]
    command += ["--saved-model", folder / "saved", "--output", folder / "net.onnx"]
    subprocess.run(command, check=True)
    return (folder / "net.onnx").read_bytes()


def main() -> None:
    keras.utils.set_random_seed(0)
    chance = np.random.default_rng(0)
    inputs = {
        convolutions: chance.random((3, 16, 16, 3), np.float32),
        recurrent: chance.integers(0, 20, (3, 7), np.int32),
        attention: chance.random((3, 6, 8), np.float32),
    }
    with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as archive:
        for make, x in inputs.items():
            model = make()
            for layer in model.layers:
                if isinstance(layer, L.BatchNormalization):  # means and variances of some data
                    layer.moving_mean.assign(chance.random(layer.moving_mean.shape))
                    layer.moving_variance.assign(0.5 + chance.random(layer.moving_mean.shape))
            known = io.BytesIO()
            np.savez(known, x=x, y=model(x, training=False).numpy())
            with tempfile.TemporaryDirectory() as folder:
                archive.writestr(f"{make.__name__}.onnx", converted(model, Path(folder)))
            archive.writestr(f"{make.__name__}.npz", known.getvalue())


if __name__ == "__main__":
    main()
