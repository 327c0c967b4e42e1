"""What one looks at while training, in VisualDL's form: `LogWriter` and `LogReader`."""

from twinoar.visual.reader import LogReader
from twinoar.visual.writer import LogWriter

__all__ = ["LogReader", "LogWriter"]
