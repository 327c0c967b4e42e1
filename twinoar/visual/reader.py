"""Reading what was written to be looked at."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from twinoar.errors import ArgumentError, FileError
from twinoar.visual.record import COMPONENT_OF_FIELD, records_of


class LogReader:
    """The records of one file, by kind and tag.

    file_path: the file. Raises FileError where it cannot be read, or is none of VisualDL.

    >>> import tempfile
    >>> from twinoar.visual import LogReader, LogWriter
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with LogWriter(folder) as writer:
    ...         writer.add_text("note", "warm")
    ...     LogReader(writer.file_name).get_tags()
    {'meta_data': ['meta_data_tag'], 'text': ['note']}
    """

    def __init__(self, file_path: str):
        self.file_path = str(file_path)
        self._values: dict[str, dict[str, list[Any]]] = {}
        try:
            data = Path(file_path).read_bytes()
        except OSError as error:
            raise FileError(f"cannot read {self.file_path!r}: {error.strerror}") from None
        for record in records_of(data, self.file_path):
            for value in record.values:
                self._hold(value)

    def _hold(self, value: Any) -> None:
        kinds = {told.name for told, _ in value.ListFields()} & set(COMPONENT_OF_FIELD)
        for kind in kinds:
            by_tag = self._values.setdefault(COMPONENT_OF_FIELD[kind], {})
            by_tag.setdefault(value.tag, []).append(value)

    def get_tags(self) -> dict[str, list[str]]:
        """The tags of each kind: scalar, scalars, image, text, audio, histogram, ..."""
        return {component: list(tags) for component, tags in self._values.items()}

    def get_data(self, component: str, tag: str) -> list[Any]:
        """The values of a tag: `id` is the step, `timestamp` in milliseconds, and what they hold.

        Raises ArgumentError where there are none.
        """
        try:
            return list(self._values[component][tag])
        except KeyError:
            raise ArgumentError(
                f"{self.file_path} has no {component} {tag!r}", cure=f"it has {self.get_tags()}"
            ) from None

    def get_log_data(self, component: str, tag: str) -> list[Any]:
        """The same as `get_data`."""
        return self.get_data(component, tag)
