"""Houses of Boston: a data set for regression."""

from __future__ import annotations

from twinoar.core.dtype import default_dtype
from twinoar.dataset import uci_housing
from twinoar.text.samples import Path, SampleDataset, files_of


class UCIHousing(SampleDataset):
    """Houses of Boston: samples (features [13], price [1]) of the default floating type.

    data_file: housing.data; None takes it from the data home or the cache, or downloads it. mode:
    "train" for the first four fifths, "test" for the rest. download: allow downloading. Features
    are about 0, in a range of 1. Raises FileError, ArgumentError.
    """

    def __init__(self, data_file: Path | None = None, mode: str = "train", download: bool = True):
        self.mode = self._checked_mode(mode)
        read = uci_housing.train if self.mode == "train" else uci_housing.test
        kind = default_dtype().numpy
        with files_of({"housing.data": data_file}, download):
            self.samples = [(x.astype(kind), y.astype(kind)) for x, y in read()()]
