"""OFA: a supernet whose smaller networks are trained with it, and taken out of it.

Source: Cai et al. 2020, "Once-for-All: Train One Network and Specialize it for Efficient
Deployment", arXiv 1908.09791: sizes join what is drawn from one after another, kernels first, then
depth, then width ("progressive shrinking", section 3.3).
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from twinoar.core.near import near_names
from twinoar.core.values import Value
from twinoar.errors import ArgumentError, TypeMismatchError, UnknownNameError, UnsupportedError
from twinoar.nn import Layer
from twinoar.slim.nas.ofa.draws import Draws, phase_of
from twinoar.slim.nas.ofa.elastic import WIDTHS, Elastic
from twinoar.slim.nas.ofa.export import fitted, made_ordinary, random_inputs
from twinoar.slim.nas.ofa.layers_base import BaseBlock
from twinoar.slim.nas.ofa.search_space import Space, follows_input, space_of
from twinoar.slim.nas.ofa.teaching import Teaching


class RunConfig(NamedTuple):
    """How a supernet is trained.

    train_batch_size, total_images: by which epochs are counted where `set_epoch` says none.
    n_epochs: for each task the last epoch of each of its phases, such as [[1], [2, 3], [4, 5]].
    init_learning_rate: without effect. elastic_depth: what may be passed to `forward` as `depth`.
    dynamic_batch_size: for each task how many networks are drawn for a batch. skip_layers: names of
    layers that stay as large as they are. same_search_space: lists of names of layers that choose
    their width together, in the place of what the Program says. ofa_layers: candidates by layer.
    """

    train_batch_size: int | None = None
    n_epochs: Sequence[Sequence[int]] | None = None
    init_learning_rate: Any = None
    total_images: int | None = None
    elastic_depth: Sequence[int] | None = None
    dynamic_batch_size: Sequence[int] | None = None
    skip_layers: Sequence[str] | None = None
    same_search_space: Sequence[Sequence[str]] | None = None
    ofa_layers: Mapping[str, Mapping[str, Sequence[Any]]] | None = None


class DistillConfig(NamedTuple):
    """Who teaches a supernet, and how.

    teacher_model: a Layer. teacher_model_path: its parameters, a file or a dictionary.
    mapping_layers: names of layers, the same in both, whose results are compared. mapping_op:
    "conv2d" or "linear" for a layer between, None for none. distill_fn: the loss, by default the
    mean squared error. lambda_distill: its factor.
    """

    lambda_distill: float | None = None
    teacher_model: Layer | None = None
    mapping_layers: Sequence[str] | None = None
    teacher_model_path: Any = None
    distill_fn: Any = None
    mapping_op: str | None = None


class OFABase(Layer):
    """A network with blocks, which are called with the sizes in `current_config`.

    model: it, with Blocks, such as `Convert` puts in.
    """

    current_config: dict[str, Any] | None = None

    def __init__(self, model: Layer):
        super().__init__()
        if not isinstance(model, Layer):
            raise TypeMismatchError(f"expected a Layer, received {model!r}")
        self.model = model
        self._key2name: dict[str, str] = {}
        self._blocks: dict[str, Elastic] = {}
        self._fixed: set[str] = set()
        self._ofa_layers: dict[str, Any] = {}
        for name, layer in model.named_sublayers():
            if isinstance(layer, BaseBlock):
                layer.set_supernet(self)
                self._key2name[layer.key] = name
                if not layer.fixed and layer.candidate_config:
                    self._blocks[name] = layer.fn
                    self._ofa_layers[name] = dict(layer.candidate_config)

    @property
    def ofa_layers(self) -> dict[str, Any]:
        """What may be chosen, by the names of layers."""
        return self._ofa_layers

    @property
    def layers(self) -> dict[str, Any]:
        """What may be chosen, by the keys of blocks."""
        names = {name: key for key, name in self._key2name.items()}
        return {names.get(name, name): config for name, config in self._ofa_layers.items()}

    def layers_forward(self, block: Any, *inputs: Any, **kwargs: Any) -> Any:
        """What a block makes of its inputs with the sizes chosen for it."""
        chosen = (self.current_config or {}).get(self._key2name[block.key], {})
        return block.fn(*inputs, **{**kwargs, **({} if block.fixed else chosen)})

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the network makes of its inputs."""
        return self.model(*inputs, **kwargs)


class OFA(OFABase):
    """A supernet: each call trains, or runs, one of the networks in it.

    model: a network with Blocks. run_config: how it is trained. distill_config: who teaches it;
    then calls return what both answer. elastic_order: the tasks in order, "kernel_size", "depth"
    and "width". train_full: train the largest alone. Draws follow from `paddle.seed`. What layers
    choose their width by themselves, and which together, follows from the Program of the network
    at the first call. Raises ArgumentError, TypeMismatchError, UnknownNameError.

    >>> from twinoar.slim.nas.ofa.convert_super import Convert, supernet
    >>> nn = twinoar.nn
    >>> net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
    >>> ofa = OFA(Convert(supernet(expand_ratio=[0.5, 1.0])).convert(net))
    >>> ofa.set_net_config({"0": {"expand_ratio": 0.5}})
    >>> ofa(twinoar.ones([3, 4])).shape
    [3, 2]
    >>> small = ofa.export({"0": {"expand_ratio": 0.5}}, [1, 4], ["float32"])
    >>> small[0].weight.shape, small[2].weight.shape
    ([4, 4], [4, 2])
    """

    def __init__(
        self,
        model: Layer,
        run_config: RunConfig | None = None,
        distill_config: DistillConfig | None = None,
        elastic_order: Sequence[str] | None = None,
        train_full: bool = False,
    ):
        super().__init__(model)
        self.run_config = run_config or RunConfig()
        self.distill_config, self.train_full = distill_config, train_full
        self._offer()
        self.elastic_order = list(self._default_order() if elastic_order is None else elastic_order)
        self._check_tasks()
        self._draws = Draws(self._ofa_layers)
        self.net_config: Mapping[str, Any] | None = None
        self.task: list[str] = []
        self.phase: int | None = None
        self.task_idx, self._is_manual = 0, False
        self._epoch: int | None = None
        self._iterations = self._in_batch = 0
        self._space: Space | None = None
        self.token_map: dict[str, dict[str, dict[int, Any]]] = {}
        self.search_cands: list[list[int]] = []
        self._teaching = None
        if distill_config is not None:
            self._teaching = Teaching(model, distill_config, OFABase)

    def _offer(self) -> None:
        """Note candidates that the run configuration has beside those of layers."""
        for name, candidates in (self.run_config.ofa_layers or {}).items():
            self._known(name)
            self._ofa_layers[name] = {n: sorted(set(v)) for n, v in candidates.items()}
        for name in self.run_config.skip_layers or ():
            self._known(name)
        if self.run_config.elastic_depth is not None:
            self._ofa_layers["depth"] = sorted(set(self.run_config.elastic_depth))

    def _known(self, name: str) -> str:
        """The name of an elastic layer, of its name or its key. Raises UnknownNameError."""
        found = self._key2name.get(name, name)
        if found not in self._blocks and found != "depth":
            raise UnknownNameError(
                f"the supernet has no elastic layer {name!r}",
                cure=near_names(name, [*self._blocks, *self._key2name]),
            )
        return found

    def _default_order(self) -> list[str]:
        offered = {n for c in self._ofa_layers.values() if isinstance(c, dict) for n in c}
        present = {
            "kernel_size": "kernel_size" in offered,
            "depth": "depth" in self._ofa_layers,
            "width": bool(offered.intersection(WIDTHS)),
        }
        return [name for name, is_there in present.items() if is_there]

    def _check_tasks(self) -> None:
        for name in ("n_epochs", "dynamic_batch_size", "init_learning_rate"):
            given = getattr(self.run_config, name)
            if given is not None and len(given) != len(self.elastic_order):
                raise ArgumentError(
                    f"{name} has {len(given)} entries, the tasks are {self.elastic_order}",
                    cure="give an entry for each task",
                )
        for phases in self.run_config.n_epochs or ():
            if not isinstance(phases, (list, tuple)) or not phases:
                raise ArgumentError(
                    f"each task in n_epochs is a list of last epochs, received {phases!r}"
                )

    def set_epoch(self, epoch: int) -> None:
        """Say which epoch this is: tasks follow from it by n_epochs."""
        self._epoch = epoch

    def set_task(self, task: str | Sequence[str], phase: int | None = None) -> None:
        """Say from which sizes networks are drawn: "width", "kernel_size", "depth", or several.

        phase: how far the last of them has come: 0 for its two largest candidates, None for all.
        """
        self._is_manual, self.phase = True, phase
        self.task = self._draws.names([task] if isinstance(task, str) else list(task))

    def set_net_config(self, net_config: Mapping[str, Any] | None) -> None:
        """Call one network from now on; None to draw again.

        net_config: sizes by the name or the key of a layer, as {"conv1": {"expand_ratio": 0.5}};
        what it leaves out is as large as it is. Raises UnknownNameError.
        """
        if net_config is not None:
            net_config = {self._known(n): c for n, c in net_config.items() if c}
        self.net_config = net_config

    @property
    def get_current_config(self) -> dict[str, Any] | None:
        """The sizes of the last call, by the names of layers."""
        return self.current_config

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the chosen network makes of its inputs, and with a teacher what that does too."""
        self._find_space(inputs, kwargs)
        self.current_config = self._together(self._chosen())
        if "depth" in self.current_config:
            kwargs = {**kwargs, "depth": self.current_config["depth"]}
        if self._teaching is None:
            return self.model(*inputs, **kwargs)
        return self._teaching.answers(self.model, *inputs, **kwargs)

    def _chosen(self) -> dict[str, Any]:
        if self.net_config is not None:
            return copy.deepcopy(dict(self.net_config))
        self._count_call()
        if self.train_full:
            return self._sample_config([], "largest")
        if self._is_manual:
            return self._sample_config(self.task, phase=self.phase)
        phase = None
        if len(self.elastic_order) > 1:
            if self.run_config.n_epochs is None:
                raise ArgumentError(
                    "which task an epoch has is not known", cure="give n_epochs, or call set_task"
                )
            self.task_idx, phase = phase_of(self._now(), self.run_config.n_epochs)
        self.task = self._draws.names(self.elastic_order[: self.task_idx + 1])
        return self._sample_config(self.task, phase=phase)

    def _sample_config(
        self, task: str | Sequence[str], sample_type: str = "random", phase: int | None = None
    ) -> dict[str, Any]:
        """The sizes of a network: "largest", "smallest", or "random" in what a task draws from."""
        names = self._draws.names([task] if isinstance(task, str) else list(task or ()))
        return self._draws.draw(self._ofa_layers, names, sample_type, phase)

    def _count_call(self) -> None:
        size = self.run_config.dynamic_batch_size
        self._in_batch += 1
        if size is None or self._in_batch >= size[self.task_idx]:
            self._iterations, self._in_batch = self._iterations + 1, 0

    def _now(self) -> int:
        """The epoch. Raises ArgumentError where nothing says it."""
        if self._epoch is not None:
            return self._epoch
        images, size = self.run_config.total_images, self.run_config.train_batch_size
        if images is None or size is None:
            raise ArgumentError(
                "the epoch is not known",
                cure="call set_epoch, or give total_images and train_batch_size in RunConfig",
            )
        return self._iterations // max(images // size, 1)

    def _find_space(self, inputs: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        """Let layers without a width of their own follow, the first time."""
        if self._space is not None:
            return
        given = self.run_config.same_search_space
        if given is not None:
            self._space = Space([[self._known(n) for n in group] for group in given], [])
        else:
            tensors = [*inputs, *kwargs.values()]
            if not all(isinstance(x, Value) for x in tensors):
                raise UnsupportedError(
                    "which layers choose their width together follows from calls with tensors "
                    "alone",
                    cure="give same_search_space in RunConfig",
                )
            self.current_config = None
            self._space = space_of(self.model, self._blocks, tensors)
        skipped = set(map(self._known, self.run_config.skip_layers or ()))
        for group in self._space.together:
            if skipped.intersection(group):
                skipped.update(group)
        for name in skipped:
            self._ofa_layers.pop(name, None)
        by_channel = [name for name, layer in self._blocks.items() if follows_input(layer)]
        followers = [name for group in self._space.together for name in group[1:]]
        for name in (*self._space.fixed, *by_channel, *followers):
            self._clear_width(name)

    def _clear_width(self, name: str) -> None:
        kept = {n: v for n, v in self._ofa_layers.get(name, {}).items() if n not in WIDTHS}
        if kept:
            self._ofa_layers[name] = kept
        else:
            self._ofa_layers.pop(name, None)

    def _together(self, config: dict[str, Any]) -> dict[str, Any]:
        """The sizes with the width of the first of each group in all of it."""
        space = self._space or Space([], [])
        for name in space.fixed:
            config[name] = {n: v for n, v in config.get(name, {}).items() if n not in WIDTHS}
        for leader, *others in space.together:
            width = {n: v for n, v in config.get(leader, {}).items() if n in WIDTHS}
            for name in others:
                kept = {n: v for n, v in config.get(name, {}).items() if n not in WIDTHS}
                config[name] = {**kept, **width}
        return {name: sizes for name, sizes in config.items() if sizes}

    def calc_distill_loss(self) -> Any:
        """The losses between the layers that are compared, of the last call, added up: []."""
        if self._teaching is None:
            raise ArgumentError("nobody teaches the supernet", cure="give a distill_config")
        return self._teaching.loss()

    @property
    def netAs_param(self) -> list[Any]:  # PaddleSlim's name
        """The parameters of the layers between those that are compared, to train with others."""
        return [] if self._teaching is None else self._teaching.parameters()

    def tokenize(self) -> None:
        """Number the candidates of the task that was set: `token_map`, `search_cands`.

        Raises ArgumentError where the task is none or several.
        """
        if len(self.task) != 1:
            raise ArgumentError(
                f"expected one task, it is {self.task}", cure="call set_task before"
            )
        (task,) = self.task
        offered = {
            name: candidates[task]
            for name, candidates in self._ofa_layers.items()
            if isinstance(candidates, dict) and task in candidates
        }
        every = sorted({value for values in offered.values() for value in values})
        self.token_map = {
            task: {n: {every.index(v): v for v in values} for n, values in offered.items()}
        }
        self.search_cands = [list(tokens) for tokens in self.token_map[task].values()]

    def decode_token(self, token: Sequence[int]) -> dict[str, Any]:
        """The sizes that numbers stand for, one for each entry of `search_cands`; they are called.

        Raises ArgumentError before `tokenize`, and for numbers that stand for nothing.
        """
        ((task, tokens),) = self.token_map.items() or [("", {})]
        if len(token) != len(tokens):
            raise ArgumentError(f"expected {len(tokens)} numbers, received {list(token)}")
        for (name, known), value in zip(tokens.items(), token, strict=True):
            if value not in known:
                raise ArgumentError(f"{name} has {sorted(known)} to choose from, not {value!r}")
        config = {n: {task: known[v]} for (n, known), v in zip(tokens.items(), token, strict=True)}
        self.net_config = config
        return config

    def export(
        self,
        config: Mapping[str, Any],
        input_shapes: Any,
        input_dtypes: Any,
        origin_model: Layer | None = None,
        load_weights_from_supernet: bool = True,
    ) -> Layer:
        """An ordinary network of these sizes, with its share of the parameters.

        config: as of `set_net_config`. input_shapes, input_dtypes: of all inputs, or of the only
        one. origin_model: the network before it became a supernet, which is changed and returned;
        without it one is made of the supernet. load_weights_from_supernet: take over parameters of
        layers that are not elastic as well. Raises ArgumentError for a network that does not fit.
        """
        before = (self.net_config, self.current_config)
        inputs = random_inputs(input_shapes, input_dtypes)
        modes = [(layer, layer.training) for layer in self.sublayers(include_self=True)]
        self.eval()
        try:
            self.set_net_config(config)
            self._find_space(inputs, {})
            self.current_config = self._together(self._chosen())
            depth = self.current_config.get("depth")
            self.model(*inputs, **({} if depth is None else {"depth": depth}))
            if origin_model is None:
                return made_ordinary(self.model)
            return fitted(origin_model, self.model, load_weights_from_supernet)
        finally:
            self.net_config, self.current_config = before
            for layer, training in modes:
                layer.training = training
