"""Callbacks: what they follow, change, write and print."""

from unittest import mock

import numpy as np
import pytest
from matplotlib.figure import Figure

import twinoar as paddle
from tests.hapi.test_model import Points, fitted, prepared
from twinoar.callbacks import (
    Callback,
    EarlyStopping,
    LRScheduler,
    ProgBarLogger,
    ReduceLROnPlateau,
    VisualDL,
)
from twinoar.errors import ArgumentError, FileError
from twinoar.utils import unique_name
from twinoar.visual.curves import draw_curves, read_curves


class Epochs(Callback):
    """Counts epochs, and notes the learning rate of each."""

    def __init__(self):
        super().__init__()
        self.rates = []

    def on_epoch_end(self, epoch, logs=None):
        self.rates.append(self.model.optimizer.get_lr())


def fit(model, *callbacks, epochs=6, **kwargs):
    epochs_seen = Epochs()
    model.fit(
        Points(16), Points(8), batch_size=8, epochs=epochs, verbose=0,
        callbacks=[*callbacks, epochs_seen], **kwargs,
    )  # fmt: skip
    return epochs_seen.rates


def test_training_ends_where_nothing_gets_better(tmp_path, capsys):
    model = prepared(rate=0.0)
    assert len(fit(model, EarlyStopping("loss", patience=2), save_dir=str(tmp_path))) == 3
    assert "training ends early: no better loss" in capsys.readouterr().out
    assert (tmp_path / "best_model.pdparams").exists()


def test_a_baseline_must_be_exceeded(capsys):
    assert len(fit(prepared(), EarlyStopping("acc", baseline=1.5, verbose=0))) == 1
    assert capsys.readouterr().out == ""


def test_what_is_not_logged_is_told():
    with pytest.warns(UserWarning, match="no 'f1' to follow, there are: loss, acc"):
        assert len(fit(prepared(), EarlyStopping("f1"), epochs=2)) == 2


def test_the_rate_falls_on_a_plateau():
    model = prepared(rate=0.0)
    model.optimizer.set_lr(1e-30)
    plateau = ReduceLROnPlateau(factor=0.5, patience=2, cooldown=2, verbose=0)
    rates = fit(model, plateau, epochs=8)
    assert rates == pytest.approx([1e-30] * 3 + [5e-31] * 3 + [2.5e-31] * 2)


def test_the_last_evaluation_of_a_cooldown_counts_again():
    model = prepared(rate=0.0)
    model.optimizer.set_lr(1e-30)
    plateau = ReduceLROnPlateau(factor=0.5, patience=2, cooldown=1, verbose=0)
    assert fit(model, plateau, epochs=6)[-2:] == pytest.approx([5e-31, 2.5e-31])


@pytest.mark.parametrize(("by_step", "rate"), [(True, 0.5**4), (False, 0.5**2)])
def test_schedules_step(by_step, rate):
    model = prepared()
    model.optimizer.set_lr_scheduler(paddle.optimizer.lr.ExponentialDecay(1.0, 0.5))
    fit(model, LRScheduler(by_step, not by_step), epochs=2)
    assert model.optimizer.get_lr() == pytest.approx(rate)


def test_arguments_that_cannot_be_are_refused():
    with pytest.raises(ArgumentError, match="one of by_step and by_epoch"):
        LRScheduler(True, True)
    with pytest.raises(ArgumentError, match="mode must be one of"):
        EarlyStopping(mode="most")
    with pytest.raises(ArgumentError, match="factor must be less than 1"):
        ReduceLROnPlateau(factor=2.0)


def test_lines_of_progress(capsys):
    model = prepared()
    model.fit(Points(16), Points(8), batch_size=4, epochs=1, log_freq=2, verbose=2)
    lines = capsys.readouterr().out.splitlines()
    assert lines[1:3] + lines[4:6] == ["Epoch 1/1", lines[2], "Eval begin...", lines[5]]
    assert lines[2].startswith("step 2/4 - loss: ") and lines[3].startswith("step 4/4 - loss: ")
    assert lines[3].endswith("/step") and lines[-1] == "Eval samples: 8"


def test_a_bar_of_progress(capsys):
    prepared().fit(Points(16), batch_size=4, epochs=1, verbose=1)
    assert "4/4" in capsys.readouterr().err


def test_a_logger_of_ones_own_takes_the_place(capsys):
    prepared().fit(Points(16), batch_size=4, verbose=2, callbacks=ProgBarLogger(verbose=0))
    assert capsys.readouterr().out == ""


def test_curves_are_written_and_read(tmp_path):
    model = prepared()
    log = VisualDL(str(tmp_path))
    found = fitted(model, 2)
    model.fit(Points(16), Points(8), batch_size=8, epochs=2, verbose=0, callbacks=log)
    curves = read_curves(tmp_path)
    assert set(curves) == {"train/loss", "train/acc", "eval/loss", "eval/acc"}
    assert [s for s, _ in curves["train/loss"]] == [1, 2, 3, 4]
    assert [s for s, _ in curves["eval/acc"]] == [2, 4] and len(found) == 6
    assert np.isfinite([v for _, v in curves["train/loss"]]).all()
    assert draw_curves(tmp_path, tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_curves_are_written_in_tensorboards_form_where_that_is_asked_for(tmp_path):
    log = VisualDL(str(tmp_path), form="tensorboard")
    log.on_train_batch_end(0, {"loss": [1.5, 2.0]})
    log.on_train_end()
    (file,) = tmp_path.iterdir()
    assert "tfevents" in file.name
    assert read_curves(tmp_path) == {"train/loss": [(1, 1.5)], "train/loss_1": [(1, 2.0)]}


def test_curves_go_on_where_a_training_is_resumed(tmp_path):
    def train(epochs, **kwargs):
        with unique_name.guard():  # layers are called as those of a new process
            model = prepared()
        log = VisualDL(str(tmp_path / "log"))
        model.fit(
            Points(16), Points(8), batch_size=8, epochs=epochs, verbose=0, callbacks=log, **kwargs
        )

    train(1, save_dir=str(tmp_path))
    train(3, resume=str(tmp_path / "0"))
    curves = read_curves(tmp_path / "log")
    assert [s for s, _ in curves["train/loss"]] == [1, 2, 3, 4, 5, 6]
    assert [s for s, _ in curves["eval/acc"]] == [2, 4, 6]


@pytest.mark.parametrize(("eval_freq", "steps"), [(1, [2, 4, 6, 8, 10]), (2, [2, 6, 10])])
def test_an_evaluation_is_drawn_at_the_step_that_it_followed(tmp_path, eval_freq, steps):
    fit(prepared(), VisualDL(str(tmp_path)), epochs=5, eval_freq=eval_freq)
    assert [s for s, _ in read_curves(tmp_path)["eval/loss"]] == steps
    assert drawn(tmp_path)["loss"] == {"train": list(range(1, 11)), "eval": steps}


def test_a_panel_has_the_curves_of_its_name_alone(tmp_path):
    log = VisualDL(str(tmp_path))
    log.on_train_batch_end(0, {"loss": 1.0, "own_loss": 2.0})
    log.on_train_end()
    assert drawn(tmp_path) == {"loss": {"train": [1]}, "own_loss": {"train": [1]}}


def drawn(folder):
    """The steps of each line in each panel of the picture."""
    with mock.patch.object(Figure, "savefig", autospec=True) as saved:
        draw_curves(folder, folder / "a.png")
    return {
        panel.get_title(): {line.get_label(): list(line.get_xdata()) for line in panel.get_lines()}
        for panel in saved.call_args.args[0].axes
    }


def test_a_folder_without_curves_is_refused(tmp_path):
    with pytest.raises(FileError, match="there are no records of a training"):
        read_curves(tmp_path)
