"""`paddle.quantization.observers`: what values a network has, and how to round them well."""

# Written by tools/stubs.py.

import abc
import builtins
from typing import Any, Literal, overload

import numpy as _numpy

class AVGObserver:
    """Makes observers of the mean, over samples, of the largest magnitude in each."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    @property
    def args(self) -> builtins.tuple:
        """The positional arguments."""
    @property
    def kwargs(self) -> builtins.dict[builtins.str, Any]:
        """The named arguments."""
class AbsMaxChannelWiseWeightObserver:
    """Makes observers of the largest magnitude of each channel of a weight."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    @property
    def args(self) -> builtins.tuple:
        """The positional arguments."""
    @property
    def kwargs(self) -> builtins.dict[builtins.str, Any]:
        """The named arguments."""
class AbsmaxObserver:
    """Takes the largest magnitude of all data as the scale."""
    def __init__(self, quant_bits: Any = 8) -> None: ...
    @property
    def args(self) -> builtins.tuple:
        """The positional arguments."""
    @property
    def kwargs(self) -> builtins.dict[builtins.str, Any]:
        """The named arguments."""
class EMAObserver:
    """Makes observers of the moving average of the largest magnitudes of batches."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    @property
    def args(self) -> builtins.tuple:
        """The positional arguments."""
    @property
    def kwargs(self) -> builtins.dict[builtins.str, Any]:
        """The named arguments."""
class EMDObserver:
    """Makes observers that clip where rounding moves the distribution of values least."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    @property
    def args(self) -> builtins.tuple:
        """The positional arguments."""
    @property
    def kwargs(self) -> builtins.dict[builtins.str, Any]:
        """The named arguments."""
class GroupWiseWeightObserver:
    """Takes the largest magnitude of each group of rows, in each column of a weight."""
    def __init__(self, quant_bits: Any = 8, group_size: Any = 128) -> None: ...
    @property
    def args(self) -> builtins.tuple:
        """The positional arguments."""
    @property
    def kwargs(self) -> builtins.dict[builtins.str, Any]:
        """The named arguments."""
class HistObserver:
    """Makes observers that leave out so many of the least and of the greatest values."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    @property
    def args(self) -> builtins.tuple:
        """The positional arguments."""
    @property
    def kwargs(self) -> builtins.dict[builtins.str, Any]:
        """The named arguments."""
class KLObserver:
    """Makes observers that clip where integers tell most of how magnitudes are distributed."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    @property
    def args(self) -> builtins.tuple:
        """The positional arguments."""
    @property
    def kwargs(self) -> builtins.dict[builtins.str, Any]:
        """The named arguments."""
class MSEChannelWiseWeightObserver:
    """Makes observers that clip each channel of a weight where the mean square error is least."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    @property
    def args(self) -> builtins.tuple:
        """The positional arguments."""
    @property
    def kwargs(self) -> builtins.dict[builtins.str, Any]:
        """The named arguments."""
class MSEObserver:
    """Makes observers that clip where the mean square of what rounding changes is least."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    @property
    def args(self) -> builtins.tuple:
        """The positional arguments."""
    @property
    def kwargs(self) -> builtins.dict[builtins.str, Any]:
        """The named arguments."""
class MinMaxObserver:
    """Makes observers of the least and the greatest of all values."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    @property
    def args(self) -> builtins.tuple:
        """The positional arguments."""
    @property
    def kwargs(self) -> builtins.dict[builtins.str, Any]:
        """The named arguments."""
