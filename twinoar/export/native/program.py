"""A model as a program of its own: it reads its inputs from files of NumPy, and writes such files.

    NAME INPUT.npy ... OUTPUT.npy ...   runs the model; - is what is given, or goes, to the terminal
    NAME --time RUNS [FILES]            tells how long the quickest of so many runs took
    NAME --verify                       runs what it brings, and compares
    NAME --description                  tells inputs and outputs as JSON

It ends with 0, with 1 where a file or the model fails, and with 2 for other arguments.
"""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from twinoar.export.native.data import ALIGNMENT
from twinoar.export.native.header import itemsize
from twinoar.export.native.program_text import ROOM_BYTES, constant, functions
from twinoar.export.native.system import BEGIN, System
from twinoar.export.native.text import Lines

EXPORTED = (BEGIN,)


def program(description: Mapping[str, Any], system: System, word_bits: int) -> str:
    """The text of the program of a model with this description, beside the text of the model."""
    return _Program(description, word_bits).printed(system)


def head(port: Mapping[str, Any]) -> bytes:
    """What stands before the elements in a file of NumPy."""
    kind = np.dtype("uint16" if port["dtype"] == "bfloat16" else port["dtype"])
    told = {"descr": kind.str, "fortran_order": False, "shape": tuple(port["shape"])}
    if kind.byteorder == "=" and kind.itemsize > 1:
        told["descr"] = "<" + kind.str[1:]
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, told)
    return file.getvalue()


def _told(port: Mapping[str, Any]) -> str:
    """The same as the program compares it: without blanks, and without the last comma."""
    text = head(port)[10:].decode().replace(" ", "").replace("\n", "")
    return text.replace(",}", "}")


class _Program:
    def __init__(self, description: Mapping[str, Any], word_bits: int):
        self.name: str = description["name"]
        self.size = f"i{word_bits}"
        self.inputs: Sequence[Mapping[str, Any]] = description["inputs"]
        self.outputs: Sequence[Mapping[str, Any]] = description["outputs"]
        self.workspace = max(description["workspace_bytes"], description["verify_bytes"])
        self.verify = description["verify_bytes"]
        self.constants: list[str] = []
        self.lines = Lines()
        # What lies in memory: room for heads, each array, the workspace.
        at, self.places = ROOM_BYTES, []
        for port in (*self.inputs, *self.outputs):
            self.places.append(at)
            size = _bytes(port)
            at += size + -size % ALIGNMENT
        self.working, self.total = at, at + self.workspace

    def printed(self, system: System) -> str:
        """All functions."""
        lines = self.lines
        self._told_alone()
        lines.do(f"%memory = call ptr @twinoar_memory(i64 {self.total})")
        self._refuse("icmp eq ptr %memory, null", "there is not enough memory\n")
        lines.do("%slot = alloca ptr")
        self._checked(f"call i32 @{self.name}_open(ptr %slot, ptr null, {self.size} 0)")
        lines.do("%model = load ptr, ptr %slot")
        lines.do(f"%workspace = getelementptr i8, ptr %memory, i64 {self.working}")
        self._verified()
        self._arguments()
        self._moved(self._read)
        self._run()
        self._moved(self._written)
        self._timed()
        head = "internal i32 @twinoar_program(i64 %count, ptr %names) nounwind"
        return "\n".join([functions(system), *self.constants, lines.function(head)])

    # Texts.

    def _text(self, text: str) -> str:
        name = f"twinoar_text{len(self.constants)}"
        self.constants.append(constant(name, text))
        return f"@{name}"

    def _say(self, file: int, text: str) -> None:
        self.lines.do(f"call void @twinoar_say(i64 {file}, ptr {text})")

    def _refuse(self, condition: str, text: str, code: int = 1) -> None:
        """End with a text where a condition holds."""
        failed, on = self.lines.label(), self.lines.label()
        self.lines.branch(self.lines.line(condition), failed, on)
        self.lines.begin(failed)
        self._say(2, self._text(text))
        self.lines.do(f"ret i32 {code}")
        self.lines.begin(on)

    def _checked(self, call: str) -> None:
        """End with the text of the code of a call, where that is one of a failure."""
        lines = self.lines
        code = lines.line(call)
        failed, on = lines.label(), lines.label()
        lines.branch(lines.line(f"icmp ne i32 {code}, 0"), failed, on)
        lines.begin(failed)
        self._say(2, lines.line(f"call ptr @{self.name}_error(i32 {code})"))
        self._say(2, self._text("\n"))
        lines.do("ret i32 1")
        lines.begin(on)

    # Arguments.

    def _usage(self) -> str:
        ports = (*self.inputs, *self.outputs)
        files = " ".join(f"{_letters(p['name'])}.npy" for p in ports)
        rows = [f"usage: {self.name} [--time RUNS] {files}"]
        rows += [f"       {self.name} --verify | --description | --time RUNS"]
        for what, some in (("reads", self.inputs), ("writes", self.outputs)):
            rows += [f"{what} {_letters(p['name'])}.npy: {_told(p)}" for p in some]
        rows.append("- stands for what comes from, or goes to, the standard streams.")
        return "\n".join(rows) + "\n"

    def _told_alone(self) -> None:
        """What is told without a run: how to call it, and what the model is."""
        lines = self.lines
        usage = self._text(self._usage())
        few, on = lines.label(), lines.label()
        lines.branch(lines.line("icmp slt i64 %count, 2"), few, on)
        lines.begin(few)
        self._say(2, usage)
        lines.do("ret i32 2")
        lines.begin(on)
        lines.do("%at.option = getelementptr ptr, ptr %names, i64 1")
        lines.do("%option = load ptr, ptr %at.option")
        with_text = lines.line(f"call ptr @{self.name}_description()")
        for name, text in (("--help", usage), ("--description", with_text)):
            asked, on = lines.label(), lines.label()
            lines.branch(self._is_option(name), asked, on)
            lines.begin(asked)
            self._say(1, text)
            if name == "--description":
                self._say(1, self._text("\n"))
            lines.do("ret i32 0")
            lines.begin(on)
        self.usage = usage

    def _is_option(self, name: str) -> str:
        return self.lines.line(f"call i1 @twinoar_equal(ptr %option, ptr {self._text(name)})")

    def _verified(self) -> None:
        lines = self.lines
        asked, on = lines.label(), lines.label()
        lines.branch(self._is_option("--verify"), asked, on)
        lines.begin(asked)
        given = f"ptr %model, ptr %workspace, {self.size} {self.verify}"
        self._checked(f"call i32 @{self.name}_verify({given})")
        self._say(1, self._text("it computes what Python did\n"))
        lines.do("ret i32 0")
        lines.begin(on)

    def _arguments(self) -> None:
        """%runs, %is.timed, %given, the first name of a file, and %has.files."""
        lines = self.lines
        ports = len(self.places)
        timed, plain, on = lines.label(), lines.label(), lines.label()
        is_option = self._is_option("--time")
        has_number = lines.line("icmp sgt i64 %count, 2")
        lines.do(f"%is.timed = and i1 {is_option}, {has_number}")
        lines.branch("%is.timed", timed, plain)
        lines.begin(timed)
        where = lines.line("getelementptr ptr, ptr %names, i64 2")
        number = lines.line(f"load ptr, ptr {where}")
        asked = lines.line(f"call i64 @twinoar_number(ptr {number})")
        lines.jump(on)
        lines.begin(plain)
        lines.jump(on)
        lines.begin(on)
        lines.do(f"%runs = phi i64 [ {asked}, %{timed} ], [ 1, %{plain} ]")
        lines.do("%first = select i1 %is.timed, i64 3, i64 1")
        lines.do("%given = getelementptr ptr, ptr %names, i64 %first")
        rest = lines.line("sub i64 %count, %first")
        lines.do(f"%has.files = icmp eq i64 {rest}, {ports}")
        none = lines.line(f"icmp eq i64 {rest}, 0")
        alone = lines.line(f"and i1 {none}, %is.timed")
        known = lines.line(f"or i1 {alone}, %has.files")
        some = lines.line("icmp ne i64 %runs, 0")
        sound = lines.line(f"and i1 {known}, {some}")
        left, go = lines.label(), lines.label()
        lines.branch(sound, go, left)
        lines.begin(left)
        self._say(2, self.usage)
        lines.do("ret i32 2")
        lines.begin(go)

    # Arrays.

    def _moved(self, moved: Any) -> None:
        """What reads or writes, where files are given."""
        lines = self.lines
        asked, on = lines.label(), lines.label()
        lines.branch("%has.files", asked, on)
        lines.begin(asked)
        moved()
        lines.jump(on)
        lines.begin(on)

    def _path(self, number: int) -> str:
        where = self.lines.at("%given", 8 * number)
        return self.lines.line(f"load ptr, ptr {where}")

    def _read(self) -> None:
        for n, port in enumerate(self.inputs):
            wanted, path = self._text(_told(port)), self._path(n)
            into = self.lines.at("%memory", self.places[n])
            given = f"ptr {path}, ptr {wanted}, ptr {into}, i64 {_bytes(port)}, ptr %memory"
            call = f"call ptr @twinoar_array_read({given})"
            self._moved_well(call, path, f"; expected {port['name']}: {_told(port)}\n")

    def _written(self) -> None:
        for n, port in enumerate(self.outputs, len(self.inputs)):
            begins = head(port)
            name = f"twinoar_head{n}"
            self.constants.append(constant(name, begins))
            path, from_ = self._path(n), self.lines.at("%memory", self.places[n])
            given = f"ptr {path}, ptr @{name}, i64 {len(begins)}, ptr {from_}, i64 {_bytes(port)}"
            self._moved_well(f"call ptr @twinoar_array_written({given})", path, "\n")

    def _moved_well(self, call: str, path: str, about: str) -> None:
        lines = self.lines
        reason = lines.line(call)
        failed, on = lines.label(), lines.label()
        lines.branch(lines.line(f"icmp ne ptr {reason}, null"), failed, on)
        lines.begin(failed)
        told = self._text(about)
        lines.do(f"call void @twinoar_complain(ptr {path}, ptr {reason}, ptr {told})")
        lines.do("ret i32 1")
        lines.begin(on)

    def _run(self) -> None:
        """All runs; %least: the nanoseconds of the quickest."""
        lines = self.lines
        tables = []
        for first, ports in ((0, self.inputs), (len(self.inputs), self.outputs)):
            table = lines.room(max(1, len(ports)))
            for n in range(len(ports)):
                where = lines.at("%memory", self.places[first + n])
                lines.do(f"store ptr {where}, ptr {lines.at(table, 8 * n)}")
            tables.append(table)
        least = lines.room(1)
        lines.do(f"store i64 -1, ptr {least}")
        with lines.count("%runs"):
            before = lines.line("call i64 @twinoar_now()")
            given = f"ptr %model, ptr {tables[0]}, ptr {tables[1]}, ptr %workspace"
            run = f"@{self.name}_run({given}, {self.size} {self.workspace})"
            self._checked(f"call i32 {run}")
            after = lines.line("call i64 @twinoar_now()")
            took = lines.line(f"sub i64 {after}, {before}")
            old = lines.line(f"load i64, ptr {least}")
            is_less = lines.line(f"icmp ult i64 {took}, {old}")
            new = lines.line(f"select i1 {is_less}, i64 {took}, i64 {old}")
            lines.do(f"store i64 {new}, ptr {least}")
        lines.do(f"%least = load i64, ptr {least}")

    def _timed(self) -> None:
        lines = self.lines
        asked, on = lines.label(), lines.label()
        lines.branch("%is.timed", asked, on)
        lines.begin(asked)
        # Where an output goes to the standard output, the time does not go between its bytes.
        lines.do("call void @twinoar_say_number(i64 2, i64 %least)")
        self._say(2, self._text(" ns, the least of "))
        lines.do("call void @twinoar_say_number(i64 2, i64 %runs)")
        self._say(2, self._text(" runs\n"))
        lines.jump(on)
        lines.begin(on)


def _bytes(port: Mapping[str, Any]) -> int:
    return math.prod(port["shape"]) * itemsize(port["dtype"])


def _letters(name: str) -> str:
    """A name as the usage shows it, whatever is in it."""
    return "".join(c if c.isprintable() and c != " " else "_" for c in name)
