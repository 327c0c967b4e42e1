"""The pictures of a page are what its code draws when the site is built."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

DOCS = Path(__file__).parents[2] / "docs"


def loaded() -> ModuleType:
    spec = importlib.util.spec_from_file_location("pictures", DOCS / "pictures.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PICTURES = loaded()
SVG = "<?xml version='1.0'?>\n<svg xmlns='x'>\n\n<path id=\"a\"/><use href=\"#a\"/>\n</svg>"
PAGE = f"""# A page

```python
from pathlib import Path
Path("one.svg").write_text({SVG!r})
```

<!-- picture one.svg -->

After it.
"""


def test_a_mark_becomes_what_the_code_draws() -> None:
    text = PICTURES.on_page_markdown(PAGE, page=None, config=None, files=None)
    figure = text[text.index("<figure") : text.index("</figure>") + len("</figure>")]
    drawing = ElementTree.fromstring(figure)
    assert drawing[0].tag == "{x}svg" and "<!--" not in text and "After it." in text
    assert "\n\n" not in figure  # a blank line would end the element in Markdown


def test_ids_of_two_drawings_do_not_meet() -> None:
    one, other = (PICTURES.inline(text) for text in (SVG, SVG.replace("path", "rect")))
    ids = [text.split('id="')[1].split('"')[0] for text in (one, other)]
    assert ids[0] != ids[1] and all(
        f'href="#{id_}"' in text for id_, text in zip(ids, (one, other), strict=True)
    )


def test_a_page_without_marks_is_as_it_was() -> None:
    assert PICTURES.on_page_markdown("# A page\n\n```python\n1 / 0\n```\n") == (
        "# A page\n\n```python\n1 / 0\n```\n"
    )


def test_code_that_fails_or_draws_nothing_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        PICTURES.with_pictures(PAGE.replace("Path(", "1 / 0\nPath("))
    with pytest.raises(RuntimeError, match=r"does not draw two\.svg"):
        PICTURES.with_pictures(PAGE.replace("picture one", "picture two"))


def test_the_gallery_has_marks_for_what_it_draws() -> None:
    text = (DOCS / "gallery.md").read_text()
    marks = set(PICTURES.MARK.findall(text))
    drawn = {
        name
        for block in PICTURES.BLOCK.findall(text)
        for name in block.split('"')
        if name.endswith(".svg")
    }
    assert marks == drawn and len(marks) >= 5
