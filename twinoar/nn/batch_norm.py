"""Batch normalization: statistics over the batch in training, running ones in use."""

from __future__ import annotations

from typing import Any

from twinoar.errors import ArgumentError, ShapeError
from twinoar.nn import functional
from twinoar.nn.initializer import Constant
from twinoar.nn.layer import Layer
from twinoar.nn.over_ranks import normalized_over_ranks, ranks_now
from twinoar.nn.param_attr import ParamAttr


class _BatchNormBase(Layer):
    """y = (x - mean) / sqrt(variance + epsilon) * weight + bias, one of each per channel.

    In training mean and variance are those of the batch, and the running ones move:
    `_mean = momentum * _mean + (1 - momentum) * mean`; otherwise the running ones are used.
    """

    default_format = "NCHW"
    ranks: tuple[int, ...] = ()

    def __init__(
        self,
        num_features: int,
        momentum: float = 0.9,
        epsilon: float = 1e-05,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str | None = None,
        use_global_stats: bool | None = None,
        name: str | None = None,
    ):
        super().__init__()
        self._num_features, self._momentum, self._epsilon = num_features, momentum, epsilon
        self._weight_attr, self._bias_attr = weight_attr, bias_attr
        self._data_format = data_format or self.default_format
        self._use_global_stats, self._name = use_global_stats, name
        self._create_members(name and f"{name}_mean", name and f"{name}_variance", True)

    def _create_members(
        self, mean_name: str | None, variance_name: str | None, do_model_average: bool
    ) -> None:
        def statistic(name: str | None, start: float) -> Any:
            attr = ParamAttr(
                name, Constant(start), trainable=False, do_model_average=do_model_average
            )
            return self.create_parameter(size, attr)

        size = [self._num_features]
        self.weight = self.create_parameter(
            size, self._weight_attr, default_initializer=Constant(1.0)
        )
        self.bias = self.create_parameter(size, self._bias_attr, is_bias=True)
        self._mean = statistic(mean_name, 0.0)
        self._variance = statistic(variance_name, 1.0)

    def forward(self, x: Any) -> Any:
        """The normalized x."""
        if self.ranks and x.ndim not in self.ranks:
            expected = " or ".join(f"{rank}D" for rank in self.ranks)
            raise ShapeError(f"expected {expected} input, received {x.ndim}D of shape {x.shape}")
        return functional.batch_norm(
            x,
            self._mean,
            self._variance,
            self.weight,
            self.bias,
            training=self.training,
            momentum=self._momentum,
            epsilon=self._epsilon,
            data_format=self._data_format,
            use_global_stats=self._use_global_stats,
        )

    def _over_all_processes(self) -> type:
        """The kind of layer that takes its place where there are several processes."""
        return SyncBatchNorm

    def extra_repr(self) -> str:
        """The arguments."""
        shown = (
            f"num_features={self._num_features}, momentum={self._momentum}, epsilon={self._epsilon}"
        )
        if self._data_format != "NCHW":
            shown += f", data_format={self._data_format}"
        return f"{shown}, name={self._name}" if self._name else shown


class BatchNorm1D(_BatchNormBase):
    """Batch normalization of vectors or sequences. x: [N,C] or [N,C,L]; NLC has channels last.

    y = (x - mean) / sqrt(variance + epsilon) * weight + bias. Arguments as of BatchNorm2D.
    Raises ShapeError for an input of another rank.

    >>> twinoar.nn.BatchNorm1D(2)(twinoar.to_tensor([[0.0, 1.0], [2.0, 1.0]])).round().tolist()
    [[-1.0, 0.0], [1.0, 0.0]]
    """

    default_format = "NCL"
    ranks = (2, 3)


class BatchNorm2D(_BatchNormBase):
    """Batch normalization of images. x: [N,C,H,W]; NHWC has channels last.

    y = (x - mean) / sqrt(variance + epsilon) * weight + bias, with mean and variance over N, H, W
    in training; the running ones, `_mean` and `_variance`, keep `momentum` of themselves at each
    step, and are used otherwise, or where use_global_stats. weight_attr, bias_attr: False for none.
    Raises ShapeError for an input of another rank. Source: arXiv 1502.03167, algorithm 1.

    >>> layer = twinoar.nn.BatchNorm2D(3)
    >>> layer(twinoar.ones([2, 3, 4, 4])).shape
    [2, 3, 4, 4]
    >>> list(layer.state_dict())
    ['weight', 'bias', '_mean', '_variance']
    """

    ranks = (4,)


class BatchNorm3D(_BatchNormBase):
    """Batch normalization of volumes. x: [N,C,D,H,W]; NDHWC has channels last.

    y = (x - mean) / sqrt(variance + epsilon) * weight + bias. Arguments as of BatchNorm2D.
    Raises ShapeError for an input of another rank.

    >>> twinoar.nn.BatchNorm3D(3)(twinoar.ones([2, 3, 2, 2, 2])).shape
    [2, 3, 2, 2, 2]
    """

    default_format = "NCDHW"
    ranks = (5,)


class SyncBatchNorm(_BatchNormBase):
    """Batch normalization over the batches of all processes, which all call it in training.

    In one process it is batch normalization.

    >>> twinoar.nn.SyncBatchNorm(3)(twinoar.ones([2, 3, 4, 4])).shape
    [2, 3, 4, 4]
    """

    def __init__(
        self,
        num_features: int,
        momentum: float = 0.9,
        epsilon: float = 1e-05,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str = "NCHW",
        name: str | None = None,
    ):
        super().__init__(
            num_features, momentum, epsilon, weight_attr, bias_attr, data_format, None, name
        )

    def forward(self, x: Any) -> Any:
        """The normalized x."""
        trains = self.training if self._use_global_stats is None else not self._use_global_stats
        return normalized_over_ranks(self, x) if trains and ranks_now() > 1 else super().forward(x)

    @classmethod
    def convert_sync_batchnorm(cls, layer: Layer) -> Layer:
        """`layer` with every batch normalization in it replaced by one over all processes."""
        made = layer
        if isinstance(layer, _BatchNormBase) and not isinstance(layer, SyncBatchNorm):
            made = layer._over_all_processes()(
                layer._num_features,
                layer._momentum,
                layer._epsilon,
                layer._weight_attr,
                layer._bias_attr,
                layer._data_format,
                layer._name,
            )
            for name in ("weight", "bias", "_mean", "_variance"):
                setattr(made, name, getattr(layer, name))
        for name, sublayer in layer.named_children():
            made.add_sublayer(name, cls.convert_sync_batchnorm(sublayer))
        return made


class BatchNorm(_BatchNormBase):
    """Batch normalization of any rank, with an activation after it: Paddle's older layer.

    act: the name of an activation, such as "relu". is_test: the running statistics are always used.
    moving_mean_name, moving_variance_name: names of the running statistics. trainable_statistics:
    the batch's statistics are used outside training too. Other arguments as of BatchNorm2D.
    Raises ArgumentError for an activation not known.

    >>> twinoar.nn.BatchNorm(2, act="relu")(twinoar.to_tensor([[0.0], [1.0]]).tile([1, 2])).shape
    [2, 2]
    """

    def __init__(
        self,
        num_channels: int,
        act: str | None = None,
        is_test: bool = False,
        momentum: float = 0.9,
        epsilon: float = 1e-05,
        param_attr: Any = None,
        bias_attr: Any = None,
        dtype: Any = "float32",
        data_layout: str = "NCHW",
        in_place: bool = False,
        moving_mean_name: str | None = None,
        moving_variance_name: str | None = None,
        do_model_average_for_mean_and_var: bool = True,
        use_global_stats: bool = False,
        trainable_statistics: bool = False,
    ):
        Layer.__init__(self)
        self._num_features, self._momentum, self._epsilon = num_channels, momentum, epsilon
        self._weight_attr, self._bias_attr = param_attr, bias_attr
        self._data_format, self._name = data_layout, None
        self._use_global_stats = use_global_stats
        self._is_test, self._trainable_statistics = is_test, trainable_statistics
        self._act = act
        if act is not None and not callable(getattr(functional, act, None)):
            raise ArgumentError(f"act must be the name of an activation, received {act!r}")
        self._create_members(
            moving_mean_name, moving_variance_name, do_model_average_for_mean_and_var
        )

    def forward(self, input: Any) -> Any:
        """The normalized input, after the activation."""
        out = functional.batch_norm(
            input,
            self._mean,
            self._variance,
            self.weight,
            self.bias,
            training=(self.training and not self._is_test) or self._trainable_statistics,
            momentum=self._momentum,
            epsilon=self._epsilon,
            data_format=self._data_format,
            use_global_stats=True if self._use_global_stats else None,
        )
        return out if self._act is None else getattr(functional, self._act)(out)

    def extra_repr(self) -> str:
        """Nothing, as Paddle prints it."""
        return ""
