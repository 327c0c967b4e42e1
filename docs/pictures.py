"""Makes the pictures of the gallery when the site is built: what a page's own code draws.

A page with `<!-- picture NAME.svg -->` in it has its ```python blocks run, in order, in an empty
folder; each mark becomes the file of that name, within the page, so that nothing is kept beside it.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zlib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

MARK = re.compile(r"<!-- picture ([\w-]+\.svg) -->")
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


def on_page_markdown(markdown: str, **_: Any) -> str:
    """The page with its pictures; called by mkdocs for each page."""
    return with_pictures(markdown) if MARK.search(markdown) else markdown


def with_pictures(markdown: str) -> str:
    """The page with its pictures. Raises RuntimeError where its code fails or draws none."""
    with TemporaryDirectory() as folder:
        # A file, as `to_static` reads the source of what it converts.
        script = Path(folder) / "page.py"
        script.write_text("\n".join(BLOCK.findall(markdown)), encoding="utf-8")
        done = subprocess.run(
            [sys.executable, script.name],
            cwd=folder,
            env={**os.environ, "MPLBACKEND": "agg"},
            capture_output=True,
            text=True,
        )
        if done.returncode:
            raise RuntimeError(f"the code of a page with pictures fails:\n{done.stderr}")
        drawn = {file.name: inline(file.read_text()) for file in Path(folder).glob("*.svg")}
    lacking = [name for name in MARK.findall(markdown) if name not in drawn]
    if lacking:
        raise RuntimeError(f"the page's code does not draw {', '.join(lacking)}")
    return MARK.sub(lambda mark: drawn[mark[1]], markdown)


def inline(svg: str) -> str:
    """A drawing as an element of a page: without the head of a file, as wide as there is room."""
    body = svg[svg.index("<svg") :]
    identities = set(re.findall(r'\bid="([^"]+)"', body))
    prefix = f"p{zlib.crc32(body.encode()):08x}-"  # two drawings of a page may have the same ids
    for identity in sorted(identities, key=len, reverse=True):
        body = body.replace(f'id="{identity}"', f'id="{prefix}{identity}"')
        body = body.replace(f'#{identity}"', f'#{prefix}{identity}"')
        body = body.replace(f"url(#{identity})", f"url(#{prefix}{identity})")
    lines = [line for line in body.splitlines() if line.strip()]
    lines[0] = lines[0].replace("<svg ", '<svg class="drawn" ', 1)
    return "\n".join(["<figure markdown='0'>", *lines, "</figure>"])
