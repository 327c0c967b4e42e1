"""A small training step, and a parsed page."""

from __future__ import annotations

from html.parser import HTMLParser

import twinoar as paddle
from twinoar import nn

VOID = {"meta", "input", "hr", "br", "link", "img"}


def trained_step():
    """A training step of a network with two layers that has run."""
    paddle.seed(0)
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))
    optimizer = paddle.optimizer.Adam(0.1, parameters=model.parameters())

    @paddle.jit.to_static
    def step(x, label):
        loss = nn.functional.cross_entropy(model(x), label)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    for _ in range(2):
        step(paddle.ones([4, 8]), paddle.zeros([4], "int64"))
    return step


class Page(HTMLParser):
    """A page's ids, targets of links, what refers elsewhere, and elements that are not closed."""

    def __init__(self, text: str):
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.outside: list[str] = []
        self.classes: dict[str, str] = {}
        self.open: list[str] = []
        self.mismatched: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if "id" in given:
            self.ids.append(given["id"])
            self.classes[given["id"]] = given.get("class") or ""
        if tag == "a":
            self.links.append(given["href"])
        self.outside += [given[k] for k in ("src", "action", "data") if k in given]
        if tag == "link":
            self.outside.append(given.get("href", ""))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.mismatched.append(tag)
