"""What a profiler records, when it hands traces over, and what it prints and writes."""

import json
import linecache
import threading
from itertools import pairwise

import numpy as np
import pytest

import twinoar as paddle
from twinoar.core.observer import EVERYWHERE
from twinoar.errors import ArgumentError, FileError, ProgramError, UnsupportedError
from twinoar.inspection.summary import outermost
from twinoar.profiler import (
    Profiler,
    ProfilerState,
    ProfilerTarget,
    RecordEvent,
    SortedKeys,
    SummaryView,
    export_chrome_tracing,
    load_profiler_result,
    make_scheduler,
)


def ignore(profiler):
    """Instead of a file in the working folder."""


def recorded(work, **options):
    with Profiler(on_trace_ready=ignore, **options) as profiler:
        work()
    return profiler.profiler_result.events


def names(events, kind):
    return [e.name for e in events if e.kind == kind]


def test_operators_are_recorded_with_and_without_gradients():
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)

    def work():
        y = (x * 2.0).sum()
        with paddle.no_grad():
            paddle.exp(x)
        y.backward()

    events = recorded(work)
    assert {"multiply", "sum", "exp"} <= set(names(events, "Operator"))
    (backward,) = [e for e in events if e.kind == "Backward"]
    inside = [e for e in events if e.start >= backward.start and e.end <= backward.end]
    assert len(inside) > 1
    assert all(e.end >= e.start for e in events)


def test_nothing_is_watched_before_and_after():
    with Profiler(on_trace_ready=ignore) as profiler:
        assert len(EVERYWHERE) == 1
    paddle.ones([2]) + 1.0
    assert not EVERYWHERE
    assert "add" not in names(profiler.profiler_result.events, "Operator")


def test_an_operator_that_fails_is_recorded_and_the_watch_ends():
    with pytest.raises(ArgumentError), Profiler(on_trace_ready=ignore) as profiler:
        paddle.matmul(paddle.ones([2, 3]), paddle.ones([2, 3]))
    assert "matmul" in names(profiler.profiler_result.events, "Operator")
    assert not EVERYWHERE


def test_compiled_programs_are_recorded():
    converted = paddle.jit.to_static(lambda x: paddle.tanh(x) * 2.0)
    converted(paddle.ones([2]))
    events = recorded(lambda: converted(paddle.ones([2])))
    assert len(names(events, "Program")) == 1


def test_programs_that_an_executor_runs_are_recorded():
    paddle.enable_static()
    try:
        program = paddle.static.Program()
        with paddle.static.program_guard(program):
            out = paddle.static.data("x", [2], "float32") * 2.0
        run = paddle.static.Executor().run
        feed = {"x": np.ones(2, "float32")}
        events = recorded(lambda: run(program, feed=feed, fetch_list=[out]))
    finally:
        paddle.disable_static()
    assert len(names(events, "Program")) == 1


def test_shapes_are_recorded_where_they_are_asked_for():
    def work():
        paddle.matmul(paddle.ones([2, 3]), paddle.ones([3, 4]))

    (event,) = [e for e in recorded(work, record_shapes=True) if e.name == "matmul"]
    assert event.detail == {"shapes": [[2, 3], [3, 4]]}
    assert all(e.detail is None for e in recorded(work))


def test_events_of_ones_own_are_recorded_from_every_thread():
    def work():
        event = RecordEvent("reading")
        event.begin()
        event.end()
        with RecordEvent("other", "Dataloader"):
            pass

    thread = threading.Thread(target=work)
    events = recorded(lambda: (work(), thread.start(), thread.join()))
    assert names(events, "PythonUserDefined") == ["reading"] * 2
    assert names(events, "Dataloader") == ["other"] * 2
    assert len({e.thread for e in events if e.name == "reading"}) == 2


def test_a_schedule_repeats_after_what_it_skips():
    scheduler = make_scheduler(closed=1, ready=1, record=2, repeat=1, skip_first=1)
    closed, ready = ProfilerState.CLOSED, ProfilerState.READY
    recording, last = ProfilerState.RECORD, ProfilerState.RECORD_AND_RETURN
    assert [scheduler(i) for i in range(7)] == [closed] * 2 + [ready, recording, last] + [
        closed
    ] * 2
    endless = make_scheduler(closed=1, ready=0, record=1)
    assert [endless(i) for i in range(4)] == [closed, last] * 2


def test_a_pair_names_the_steps_that_are_recorded():
    handed = []
    states = []
    with Profiler(scheduler=(1, 3), on_trace_ready=handed.append) as profiler:
        for _ in range(5):
            states.append(profiler.current_state.name)
            paddle.ones([2]) + 1.0
            profiler.step()
    assert states == ["READY", "RECORD", "RECORD_AND_RETURN", "CLOSED", "CLOSED"]
    assert handed == [profiler]
    events = profiler.profiler_result.events
    assert names(events, "ProfileStep") == ["ProfileStep#2", "ProfileStep#3"]
    assert names(events, "Operator").count("add") == 2


def test_traces_are_files_that_load_again(tmp_path):
    with Profiler(on_trace_ready=export_chrome_tracing(tmp_path / "log", "worker")) as profiler:
        paddle.ones([2]) + 1.0
    (file,) = (tmp_path / "log").iterdir()
    assert file.name.startswith("worker_time_")
    assert file.name.endswith(".paddle_trace.json")
    shown = json.loads(file.read_text())["traceEvents"]
    assert {"name", "cat", "ph", "pid", "tid", "ts", "dur"} <= shown[0].keys()
    loaded = load_profiler_result(str(file)).events
    assert [(e.name, e.duration) for e in loaded] == [
        (e.name, e.duration) for e in profiler.profiler_result.events
    ]


def test_a_trace_has_the_form_that_viewers_read(tmp_path):
    def work():
        x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        (x * 2.0).sum().backward()

    thread = threading.Thread(target=work)
    with Profiler(on_trace_ready=ignore, record_shapes=True) as profiler:
        work()
        thread.start()
        thread.join()
    profiler.export(str(tmp_path / "trace.json"))
    trace = json.loads((tmp_path / "trace.json").read_text())
    assert trace["displayTimeUnit"] in ("ms", "ns")
    spans: dict[int, list[tuple[float, float]]] = {}
    named = set()
    for e in trace["traceEvents"]:
        assert isinstance(e["name"], str) and isinstance(e["pid"], int)
        assert isinstance(e["tid"], int) and 0 < e["tid"] < 1 << 31
        if e["ph"] == "M":
            assert e["name"] in ("process_name", "thread_name") and e["args"]["name"]
            named.add(e["tid"])
            continue
        assert e["ph"] == "X" and e["cat"] and isinstance(e["args"], dict)
        assert e["ts"] >= 0 and e["dur"] >= 0
        spans.setdefault(e["tid"], []).append((e["ts"], e["ts"] + e["dur"]))
    assert named == spans.keys() | {1} and len(spans) == 2
    for lasting in spans.values():
        for a, b in lasting:  # those of a thread nest: viewers draw them in one another
            assert all(
                c >= b or d <= a or (a <= c and d <= b) or (c <= a and b <= d) for c, d in lasting
            )


def test_events_know_the_users_line_and_keep_it_in_files(tmp_path):
    with Profiler(on_trace_ready=ignore) as profiler:
        paddle.ones([2]).exp()
    (event,) = [e for e in profiler.profiler_result.events if e.name == "exp"]
    file, _, number = event.line.rpartition(":")
    assert file == __file__
    assert "paddle.ones([2]).exp()" in linecache.getline(file, int(number))
    profiler.export(str(tmp_path / "trace.json"))
    loaded = load_profiler_result(str(tmp_path / "trace.json")).events
    assert [e.line for e in loaded] == [e.line for e in profiler.profiler_result.events]


def test_lines_add_up_without_what_lies_inside_of_others(capsys):
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    with Profiler(on_trace_ready=ignore) as profiler:
        y = (x * 2.0).sum()
        y.backward()
    found = outermost(profiler.profiler_result.events)
    assert [e.name for e in found if e.kind == "Backward"] == [found[-1].name]
    assert all(a.end <= b.start for a, b in pairwise(found))
    profiler.summary(views=SummaryView.LineView)
    printed = capsys.readouterr().out
    assert "Lines of your source (time in ms)" in printed and "Overview" not in printed
    lines = {
        line.split(" ", 1)[1].split("  ")[0] for line in printed.splitlines() if ".py:" in line
    }
    assert lines == {"y = (x * 2.0).sum()", "y.backward()"}


def test_another_file_is_no_trace(tmp_path):
    (tmp_path / "x.json").write_text("[]")
    with pytest.raises(FileError, match="is no trace"):
        load_profiler_result(str(tmp_path / "x.json"))


def test_the_summary_counts_and_sorts(capsys):
    def work():
        with RecordEvent("mine"):
            for _ in range(3):
                paddle.ones([2]) + 1.0

    with Profiler(on_trace_ready=ignore) as profiler:
        work()
    profiler.summary(sorted_by=SortedKeys.CPUMax, time_unit="us")
    printed = capsys.readouterr().out
    (line,) = [line.split() for line in printed.splitlines() if line.startswith("add ")]
    assert line[1] == "3"
    assert {"Overview (time in us)", "Events of your own (time in us)"} <= set(printed.splitlines())
    profiler.summary(views=SummaryView.UDFView)
    assert "Overview" not in capsys.readouterr().out


def test_steps_are_timed_with_samples():
    with Profiler(timer_only=True) as profiler:
        for _ in range(2):
            profiler.step(num_samples=8)
        first = profiler.step_info()
        profiler.step()
        second = profiler.step_info()
        profiler.step(4)
        third = profiler.step_info("images")
    assert first.startswith(" batch_cost: ")
    assert first.endswith("samples/s")
    assert second.endswith("steps/s")
    assert third.endswith("images/s")
    assert not EVERYWHERE


@pytest.mark.parametrize("flag", ["profile_memory", "with_flops", "emit_nvtx"])
def test_what_is_not_served_is_refused(flag):
    with pytest.raises(UnsupportedError, match=flag):
        Profiler(**{flag: True})


def test_wrong_arguments_are_refused():
    with pytest.raises(ArgumentError, match="at least 1"):
        make_scheduler(closed=0, ready=0, record=0)
    with pytest.raises(ArgumentError, match="function of the step"):
        Profiler(scheduler=(3, 1))
    with pytest.raises(ArgumentError, match=r"must have ProfilerTarget\.CPU"):
        Profiler(targets=[ProfilerTarget.GPU])
    with pytest.raises(ProgramError, match="no trace yet"):
        Profiler(on_trace_ready=ignore).summary()
