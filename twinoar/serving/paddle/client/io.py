"""`paddle_serving_client.io`: a saved model with the configs of Paddle Serving beside it."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from twinoar.errors import ArgumentError, FileError
from twinoar.formats.atomic import write_atomically
from twinoar.formats.paddle_serving import GeneralModelConfig
from twinoar.formats.protobuf import text_of
from twinoar.inference import Config, create_predictor
from twinoar.serving.paddle.tensors import number_of

SERVER_CONFIG, CLIENT_CONFIG = "serving_server_conf", "serving_client_conf"


def inference_model_to_serving(
    dirname: str,
    serving_server: str = "serving_server",
    serving_client: str = "serving_client",
    model_filename: str | None = None,
    params_filename: str | None = None,
    encryption: bool = False,
    key_len: int = 128,
    encrypt_conf: Any = None,
    show_proto: bool = False,
    feed_alias_names: str | None = None,
    fetch_alias_names: str | None = None,
) -> tuple[list[str], list[str]]:
    """Write folders for a server and for clients; the names of inputs and outputs.

    dirname: where the model was saved; without file names it holds `__model__`. show_proto: print
    the config, and write nothing. The alias names have commas between them. Raises FileError for
    a model that does not read, ArgumentError for as many aliases as there are not.
    """
    if encryption:
        raise ArgumentError("encrypted models are not served", cure="encryption=False")
    files = _files(Path(dirname), model_filename, params_filename)
    config = _config(files, feed_alias_names, fetch_alias_names)
    names = [v.name for v in config.feed_var], [v.name for v in config.fetch_var]
    if show_proto:
        print(text_of(config), end="")
        return names
    server, client = Path(serving_server), Path(serving_client)
    for folder in (server, client):
        folder.mkdir(parents=True, exist_ok=True)
    for file in files if len(files) == 2 else sorted(Path(dirname).iterdir()):
        if file.is_file():
            shutil.copyfile(file, server / file.name)
    for folder, name in ((server, SERVER_CONFIG), (client, CLIENT_CONFIG)):
        write_atomically(folder / f"{name}.prototxt", text_of(config).encode())
        write_atomically(folder / f"{name}.stream.prototxt", config.SerializeToString())
    return names


def _files(folder: Path, model: str | None, parameters: str | None) -> Sequence[Path]:
    """The program and its parameters; the program alone where each has a file of its own."""
    program = folder / (model or "__model__")
    if not program.is_file():
        raise FileError(
            f"there is no {program}", cure="name it: --model_filename inference.pdmodel"
        )
    if parameters is None:
        return [program]
    if not (folder / parameters).is_file():
        raise FileError(f"there is no {folder / parameters}", cure="see --params_filename")
    return [program, folder / parameters]


def _config(files: Sequence[Path], feeds: str | None, fetches: str | None) -> Any:
    single = len(files) == 1
    settings = Config(str(files[0].parent)) if single else Config(*map(str, files))
    predictor = create_predictor(settings)
    main, config = predictor.program.main, GeneralModelConfig()
    for told, variables, known, aliases, what in (
        (config.feed_var, main.inputs, predictor.get_input_names(), feeds, "feed"),
        (config.fetch_var, main.outputs, predictor.get_output_names(), fetches, "fetch"),
    ):
        named = zip(variables, known, _aliases(aliases, known, what), strict=True)
        for variable, name, alias in named:
            # By their names in the file, which passes change in the Program.
            added = told.add(name=name, alias_name=alias, is_lod_tensor=False)
            setattr(added, f"{what}_type", number_of(variable.spec.dtype.numpy))
            added.shape.extend(_shape(variable))
    return config


def _shape(variable: Any) -> list[int]:
    """The sizes that are known, as Paddle Serving writes them: without the batch axis."""
    return [d for d in variable.spec.shape if isinstance(d, int)]


def _aliases(told: str | None, names: list[str], what: str) -> list[str]:
    aliases = names if told is None else told.split(",")
    if len(aliases) != len(names):
        raise ArgumentError(
            f"the model has {len(names)} {what} variables ({', '.join(names)}), received "
            f"{len(aliases)} alias names"
        )
    return aliases
