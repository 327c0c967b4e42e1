"""What one looks at while training, in VisualDL's form: `LogWriter`, `LogReader`, `Monitor`."""

from twinoar.visual.monitor import Monitor
from twinoar.visual.reader import LogReader
from twinoar.visual.writer import LogWriter

__all__ = ["LogReader", "LogWriter", "Monitor"]
