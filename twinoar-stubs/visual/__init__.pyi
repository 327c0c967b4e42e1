"""What one looks at while training, in VisualDL's form: `LogWriter`, `LogReader`, `Monitor`."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar.visual
from typing import Any, Literal, overload

import numpy as _numpy

class LogReader:
    """The records of one file, by kind and tag."""
    def __init__(self, file_path: builtins.str) -> None: ...
    def get_tags(self) -> builtins.dict[builtins.str, builtins.list[builtins.str]]:
        """The tags of each kind: scalar, scalars, image, text, audio, histogram, ..."""
    def get_data(self, component: builtins.str, tag: builtins.str) -> builtins.list[Any]:
        """The values of a tag: `id` is the step, `timestamp` in milliseconds, and what they hold."""
    def get_log_data(self, component: builtins.str, tag: builtins.str) -> builtins.list[Any]:
        """The same as `get_data`."""
    file_path: Any
class LogWriter:
    """Writes records that VisualDL shows, to a file in a folder."""
    def __init__(self, logdir: builtins.str | None = None, comment: builtins.str = '', max_queue: Any = 10, flush_secs: Any = 120, filename_suffix: builtins.str = '', write_to_disk: builtins.bool = True, display_name: builtins.str = '', file_name: builtins.str = '', form: builtins.str = 'visualdl') -> None: ...
    @property
    def logdir(self) -> builtins.str:
        """The folder."""
    @property
    def file_name(self) -> builtins.str:
        """The path of the file."""
    def add_meta(self, tag: builtins.str = 'meta_data_tag', display_name: builtins.str = '', step: Any = 0, walltime: Any = None) -> None:
        """Name the run as it is shown."""
    def add_scalar(self, tag: builtins.str, value: Any, step: Any, walltime: Any = None) -> None:
        """Add a number."""
    def add_scalars(self, main_tag: builtins.str, tag_scalar_dict: collections.abc.Mapping[builtins.str, Any], step: Any, walltime: Any = None) -> None:
        """Add numbers that are shown in one chart."""
    def add_image(self, tag: builtins.str, img: Any, step: Any, walltime: Any = None, dataformats: builtins.str = 'HWC') -> None:
        """Add a picture: [height, width, channels] or as `dataformats` says, 1, 3 or 4 channels."""
    def add_image_matrix(self, tag: builtins.str, imgs: Any, step: Any, rows: Any = -1, scale: Any = ..., walltime: Any = None, dataformats: builtins.str = 'HWC') -> None:
        """Add pictures of one size as one, in rows; -1 makes about as many rows as columns."""
    def add_figure(self, tag: builtins.str, figure: Any, step: Any, walltime: Any = None) -> None:
        """Add a figure of matplotlib as a picture."""
    def add_text(self, tag: builtins.str, text_string: builtins.str, step: Any = None, walltime: Any = None) -> None:
        """Add a text."""
    def add_audio(self, tag: builtins.str, audio_array: Any, step: Any, sample_rate: Any = 8000, walltime: Any = None) -> None:
        """Add a sound: numbers from -1 to 1 in one dimension, `sample_rate` of them a second."""
    def add_histogram(self, tag: builtins.str, values: Any, step: Any, walltime: Any = None, buckets: Any = 10) -> None:
        """Add how often numbers fall into each of equal intervals."""
    def add_embeddings(self, tag: builtins.str, mat: Any = None, metadata: collections.abc.Sequence | None = None, metadata_header: collections.abc.Sequence[builtins.str] | None = None, walltime: Any = None, labels: collections.abc.Sequence | None = None, hot_vectors: Any = None, labels_meta: collections.abc.Sequence[builtins.str] | None = None) -> None:
        """Add points: a row each in `mat`, [points, dimensions], named by `metadata`."""
    def add_pr_curve(self, tag: builtins.str, labels: Any, predictions: Any, step: Any, num_thresholds: Any = 10, weights: Any = None, walltime: Any = None) -> None:
        """Add the precision and recall of predictions, from 0 to 1, of labels that are 0 or 1."""
    def add_roc_curve(self, tag: builtins.str, labels: Any, predictions: Any, step: Any, num_thresholds: Any = 10, weights: Any = None, walltime: Any = None) -> None:
        """Add the shares of the true and of the false that are taken as true."""
    def add_hparams(self, hparams_dict: collections.abc.Mapping[builtins.str, Any], metrics_list: collections.abc.Sequence[builtins.str], walltime: Any = None) -> None:
        """Add the settings of a run, numbers or texts, and which scalars measure it."""
    def add_graph(self, model: Any, input_spec: collections.abc.Sequence[Any], verbose: builtins.bool = False) -> None:
        """Add the graph of a Layer: its operators, within the layers that call them."""
    def flush(self) -> None:
        """Write what was added."""
    def close(self) -> None:
        """Write what was added, and close the file"""
    def __enter__(self) -> twinoar.visual.LogWriter: ...
    def __exit__(self, *raised: Any) -> None: ...
class Monitor:
    """Writes each some steps what tells whether a training is well."""
    def __init__(self, model: Any, writer: twinoar.visual.LogWriter, every: Any = 10) -> None: ...
    def step(self, loss: Any = None) -> None:
        """Say that a step has been taken: after the optimizer's, before gradients are cleared."""
    def close(self) -> None:
        """Watch no more."""
    def __enter__(self) -> twinoar.visual.Monitor: ...
    def __exit__(self, *raised: Any) -> None: ...
    model: Any
    writer: twinoar.visual.LogWriter
    every: builtins.int
    count: Any
