"""DARTSearch: trains a network and, on other data, what it is made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from twinoar import nn, optimizer
from twinoar.autograd import no_grad
from twinoar.core.public import declared
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError
from twinoar.export.objects import save
from twinoar.io import DataLoader, Dataset
from twinoar.slim.common.logs import AvgrageMeter, get_logger
from twinoar.slim.nas.darts.architect import DECAY, Architect
from twinoar.slim.nas.darts.get_genotype import Genotype, get_genotype

logger = get_logger(__name__)
LONGEST = 5.0  # of the gradient of all parameters
MOMENTUM = 0.9


def count_parameters_in_MB(all_params: Iterable[Any]) -> float:  # PaddleSlim's name
    """How many million numbers are trained; those with "aux" in their names do not count.

    >>> count_parameters_in_MB(twinoar.nn.Linear(1000, 999).parameters())
    0.999999
    """
    counted = (p.size for p in all_params if p.trainable and "aux" not in p.name)
    return float(sum(counted)) / 1e6


class DARTSearch:
    """Searches what a network is made of, by gradients.

    model: such as `slim.nas.darts.Network`: with `arch_parameters()`, `_loss(x, y)`,
    `alphas_normal`, `alphas_reduce`, `_steps`, `_multiplier` and `_primitives`. train_reader,
    valid_reader: a Dataset, of which `batchsize` samples make a batch, a DataLoader, or a function
    that gives batches of images and labels. learning_rate: of the parameters, which falls to 0 over
    num_epochs; arch_learning_rate, unrolled: as of `Architect`, which begins after
    epochs_no_archopt epochs. save_dir: a folder that the parameters of each epoch are kept in, or
    None. log_freq: after how many steps the loss is logged. place, num_imgs, use_multiprocess:
    without effect. Raises ArgumentError.

    >>> net = twinoar.slim.nas.darts.Network(2, 3, 1, steps=1, multiplier=1)
    >>> def batches():
    ...     yield twinoar.ones([2, 3, 4, 4]), twinoar.to_tensor([[0], [1]])
    >>> found = DARTSearch(net, batches, batches, None, num_epochs=1, save_dir=None).train()
    >>> len(found.normal)
    2
    """

    def __init__(
        self,
        model: Any,
        train_reader: Any,
        valid_reader: Any,
        place: Any = None,
        learning_rate: float = 0.025,
        batchsize: int = 64,
        num_imgs: int = 50000,
        arch_learning_rate: float = 3e-4,
        unrolled: bool = False,
        num_epochs: int = 50,
        epochs_no_archopt: int = 0,
        use_multiprocess: bool = False,
        save_dir: str | None = "./",
        log_freq: int = 50,
    ):
        if num_epochs < 1 or log_freq < 1:
            raise ArgumentError(
                f"num_epochs and log_freq must be 1 or more, received {num_epochs}, {log_freq}"
            )
        self.model, self.num_epochs, self.epochs_no_archopt = model, num_epochs, epochs_no_archopt
        self._train, self._valid = (_Batches(x, batchsize) for x in (train_reader, valid_reader))
        self.save_dir, self.log_freq = save_dir, log_freq
        self._rate = optimizer.lr.CosineAnnealingDecay(learning_rate, num_epochs)
        self._architect = Architect(model, self._rate, arch_learning_rate, unrolled)
        self.genotypes: list[Genotype] = []

    def train(self) -> Genotype:
        """Search, and return what was found; `genotypes` has what each epoch began with.

        Raises ArgumentError where there are no batches.
        """
        own = {id(alpha) for alpha in self.model.arch_parameters()}
        parameters = [p for p in self.model.parameters() if id(p) not in own]
        logger.info("param size = %.6fMB", count_parameters_in_MB(parameters))
        rule = optimizer.Momentum(
            self._rate,
            MOMENTUM,
            parameters=parameters,
            weight_decay=DECAY,
            grad_clip=nn.ClipGradByGlobalNorm(LONGEST),
        )
        for epoch in range(self.num_epochs):
            self.genotypes.append(get_genotype(self.model))
            logger.info("Epoch %d, lr %.6f, %s", epoch, rule.get_lr(), self.genotypes[-1])
            share = self.train_one_epoch(rule, epoch)
            logger.info("Epoch %d, train_acc %.6f", epoch, share)
            if epoch == self.num_epochs - 1:
                logger.info("Epoch %d, valid_acc %.6f", epoch, self.valid_one_epoch())
            if self.save_dir is not None:
                file = Path(self.save_dir, str(epoch), "params")
                save(self.model.state_dict(), str(file))
            self._rate.step()
        return get_genotype(self.model)

    def train_one_epoch(self, rule: Any, epoch: int) -> float:
        """Train on each batch, and what the network is made of on one of the others.

        rule: the optimizer of the parameters. Returns the share of right answers.
        """
        self.model.train()
        losses, right = AvgrageMeter(), AvgrageMeter()
        pairs = zip(self._train, self._valid.again(), strict=False)
        for step, ((x, y), (x_valid, y_valid)) in enumerate(pairs):
            if epoch >= self.epochs_no_archopt:
                self._architect.step(x, y, x_valid, y_valid)
            scores = self.model(x)
            loss = nn.functional.cross_entropy(scores, y)
            loss.backward()
            rule.step()
            self.model.clear_gradients()
            losses.update(loss.item(), x.shape[0])
            right.update(_share(scores, y), x.shape[0])
            if step % self.log_freq == 0:
                shown = (epoch, step, losses.avg, right.avg)
                logger.info("Train Epoch %d, Step %d, loss %.6f, acc_1 %.6f", *shown)
        if not losses.cnt:
            raise ArgumentError(
                "there are no batches to train on", cure="give readers that have some"
            )
        return right.avg

    def valid_one_epoch(self) -> float:
        """The share of right answers on the other data."""
        self.model.eval()
        right = AvgrageMeter()
        with no_grad():
            for x, y in self._valid:
                right.update(_share(self.model(x), y), x.shape[0])
        return right.avg


class _Batches:
    """Batches of images and labels [N], again and again."""

    def __init__(self, given: Any, size: int):
        if isinstance(given, Dataset):
            given = DataLoader(given, batch_size=size, shuffle=True)
        if not callable(given) and not isinstance(given, Iterable):
            raise ArgumentError(
                f"expected a Dataset, a DataLoader or a function of batches, received {given!r}"
            )
        self._given = given

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        made = self._given if isinstance(self._given, Iterable) else self._given()
        for x, y in made:
            yield to_tensor(x), to_tensor(y).flatten()

    def again(self) -> Iterator[tuple[Any, Any]]:
        """All of them, without an end if there are some."""
        is_there = True
        while is_there:
            is_there = False
            for batch in self:
                is_there = True
                yield batch


def _share(scores: Any, labels: Any) -> float:
    return float((scores.numpy().argmax(axis=1) == labels.numpy()).mean())


__all__ = declared(globals())
