"""What is not collected here."""

from __future__ import annotations

collect_ignore = ["written"]  # its module is of TensorFlow, which is not there
