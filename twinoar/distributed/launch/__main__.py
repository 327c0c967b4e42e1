"""`python -m twinoar.distributed.launch`."""

from twinoar.distributed.launch import launch

launch()
