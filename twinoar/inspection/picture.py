"""The operators of a Program as a picture: nodes in lanes, curves to who reads them; SVG, DOT."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path

from twinoar.core.ir.program import Operator, Program, Variable
from twinoar.errors import ArgumentError
from twinoar.inspection.graph_layout import Place, layout

WIDTH, HEIGHT = 148, 36  # of a node
ACROSS, DOWN = 176, 58  # from one node to the next
MARGIN = 34
LONGEST = 18  # characters of a label
BEND = 26  # how far a curve that passes nodes of its own column keeps from them


STYLE = """
.node rect { fill: #ffffff; stroke: #6a7079; }
.node.forward rect { stroke: #3d6fb8; }
.node.backward rect { stroke: #b8632a; }
.node.optimize rect { stroke: #3f8658; }
.node rect.meter { fill: #c8372d; stroke: none; }
.node text { font: 600 12px sans-serif; fill: #22252b; }
.node text.shape { font: 10px monospace; fill: #6a7079; }
.edge { fill: none; stroke: #6a7079; stroke-opacity: 0.55; }
.edge.across { stroke-opacity: 0.2; }
"""  # for a file of its own, which programs that know no variables of CSS show too
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<style>
body {{ margin: 0; display: flex; height: 100vh; font: 14px/1.45 sans-serif; color: #22252b; }}
.picture {{ flex: 0 1 auto; overflow: auto; border-right: 1px solid #e2e2dd; }}
pre {{ flex: 1 1 50%; margin: 0; padding: 24px; overflow: auto; font: 12px/1.6 monospace; }}
pre span:target {{ background: #fff1b8; }}
{style}</style>
</head>
<body>
<div class="picture">
{picture}
</div>
<pre>{text}</pre>
</body>
</html>
"""


def write_picture(program: Program, file: Path) -> Path:
    """Write the picture of a Program: `.svg`, `.html` with its text beside it, `.dot`.

    Returns the path. Raises ArgumentError for another ending.
    """
    makers: dict[str, Callable[[Program], str]] = {".svg": _svg, ".html": _page, ".dot": dot}
    if file.suffix not in makers:
        raise ArgumentError(
            f"{file.name} must end in {', '.join(makers)}", cure="an .html opens in any browser"
        )
    file.write_text(makers[file.suffix](program), encoding="utf-8")
    return file


def dot(program: Program) -> str:
    """The operators, inputs and states as a graph in the language DOT."""
    values = [*program.states.values(), *program.main.inputs]
    names = {v: f"v{n}" for n, v in enumerate(values)}
    lines = [f"digraph {_quoted(program.name)} {{"]
    for v, name in names.items():
        lines.append(f"  {name} [shape=ellipse, label={_quoted(f'{v.name}: {v.spec}')}];")
    for n, o in enumerate(program.main.ops):
        lines.append(f"  o{n} [shape=box, label={_quoted(o.op.name)}];")
        sources = dict.fromkeys(names[x] for x in variables(o))
        lines += [f"  {source} -> o{n};" for source in sources]
        names |= {v: f"o{n}" for v in o.results if v is not None}
    return "\n".join([*lines, "}", ""])


def picture(
    id_: str, operators: Sequence[Operator], share: Callable[[Operator], float], style: str = ""
) -> str:
    """The picture of operators; `share` is how full a node's meter is; style: CSS to put into it.

    A node links to the element `<id_>-o<number>`.
    """
    numbers = {o: n for n, o in enumerate(operators)}
    reads = [
        [numbers[v.producer] for v in variables(o) if v.producer in numbers] for o in operators
    ]
    places = layout([o.role for o in operators], reads, twins(operators))
    width = MARGIN * 2 + ACROSS * max((p.column for p in places), default=0) + WIDTH
    height = MARGIN * 2 + DOWN * max((p.row for p in places), default=0) + HEIGHT
    edges = [
        _edge(m, n, places[m], places[n], operators[m].role == operators[n].role)
        for n, found in enumerate(reads)
        for m in dict.fromkeys(found)
    ]
    nodes = [_node(id_, n, o, places[n], share(o)) for n, o in enumerate(operators)]
    return "\n".join(
        [
            f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            'xmlns="http://www.w3.org/2000/svg" role="img" aria-label="operators">',
            *([f"<style>{style}</style>"] if style else []),
            "<g>",
            *edges,
            "</g>",
            *nodes,
            "</svg>",
        ]
    )


def variables(o: Operator) -> list[Variable]:
    """The Variables that an operator reads, each once."""
    return list(dict.fromkeys(x for x in o.operands if isinstance(x, Variable)))


def twins(operators: Sequence[Operator]) -> dict[int, int]:
    """The number of each operator's gradient, for those that have one in the same Program."""
    found: dict[int, int] = {}
    for n, gradient in enumerate(operators):
        values = set(variables(gradient))
        shared = {
            m: len(values.intersection([*variables(o), *o.results]))
            for m, o in enumerate(operators[:n])
            if f"{o.op.name}.grad" == gradient.op.name and m not in found
        }
        best = max(shared, key=shared.__getitem__, default=None)
        if best is not None and shared[best]:
            found[best] = n
    return found


def shape_of(o: Operator) -> str:
    """The shape of an operator's first result, such as `64 x 128`; its dtype where it has none."""
    v = next((v for v in o.results if v is not None), None)
    if v is None:
        return ""
    return " x ".join(map(str, v.spec.shape)) or v.spec.dtype.name


def _node(id_: str, number: int, o: Operator, place: Place, share: float) -> str:
    x, y = _corner(place)
    name = escape(_short(o.op.name))
    return (
        f'<a href="#{id_}-o{number}" id="{id_}-n{number}" class="node {o.role}">'
        f"<title>{escape(str(o).split('#')[0].strip())}</title>"
        f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="6"/>'
        f'<rect class="meter" x="{x}" y="{y + HEIGHT - 3}" width="{WIDTH * share:.1f}" height="3"/>'
        f'<text x="{x + 10}" y="{y + 15}">{name}</text>'
        f'<text class="shape" x="{x + 10}" y="{y + 28}">{escape(_short(shape_of(o)))}</text></a>'
    )


def _edge(source: int, target: int, a: Place, b: Place, in_lane: bool) -> str:
    return (
        f'<path class="edge{"" if in_lane else " across"}" data-from="{source}" data-to="{target}" '
        f'd="{_curve(a, b)}"/>'
    )


def _curve(a: Place, b: Place) -> str:
    """A line from one node to another: straight to a neighbor, around what stands between."""
    (x0, y0), (x1, y1) = _corner(a), _corner(b)
    if a.column == b.column and abs(a.row - b.row) > 1:  # to the left of the column
        ya, yb = y0 + HEIGHT / 2, y1 + HEIGHT / 2
        bend = x0 - BEND
        return f"M{x0} {ya} C{bend} {ya} {bend} {yb} {x1} {yb}"
    if a.column == b.column or (abs(a.row - b.row) <= 2 and a.row != b.row):
        down = a.row < b.row
        ya, yb = (y0 + HEIGHT, y1) if down else (y0, y1 + HEIGHT)
        xa, xb, middle = x0 + WIDTH / 2, x1 + WIDTH / 2, (ya + yb) / 2
        return f"M{xa} {ya} C{xa} {middle} {xb} {middle} {xb} {yb}"
    right = a.column < b.column
    xa, xb = (x0 + WIDTH, x1) if right else (x0, x1 + WIDTH)
    ya, yb, middle = y0 + HEIGHT / 2, y1 + HEIGHT / 2, (xa + xb) / 2
    return f"M{xa} {ya} C{middle} {ya} {middle} {yb} {xb} {yb}"


def _corner(place: Place) -> tuple[int, int]:
    return MARGIN + ACROSS * place.column, MARGIN + DOWN * place.row


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _svg(program: Program) -> str:
    return picture("g", program.main.ops, lambda o: 0.0, STYLE) + "\n"


def _page(program: Program) -> str:
    """The picture, and the text with a place for each operator that its node links to."""
    lines = escape(program.to_text(), quote=False).split("\n")
    texts = {escape(str(o), quote=False): n for n, o in enumerate(program.main.ops)}
    shown = [
        f'<span id="g-o{texts[line.strip()]}">{line}</span>' if line.strip() in texts else line
        for line in lines
    ]
    drawn = picture("g", program.main.ops, lambda o: 0.0)
    title = escape(program.name)
    return PAGE.format(title=title, style=STYLE, picture=drawn, text="\n".join(shown))


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
