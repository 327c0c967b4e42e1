"""The page in a real browser: its script runs, links open and select what they name."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from PIL import Image

import twinoar as paddle
from tests.inspection.pages import Page, trained_step
from twinoar import config, debug

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "chrome"))), None)
OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--virtual-time-budget=5000",
    "--dump-dom",
)

KEPT = Path(__file__).parents[2] / "build" / "pictures"
# Of page.css, for light paper.
FORWARD, OPTIMIZE, HOT = (61, 111, 184), (63, 134, 88), (200, 55, 45)

pytestmark = pytest.mark.skipif(BROWSER is None, reason="there is no Chromium to look with")


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    with config.override(backend="native"):
        return debug.write_page(trained_step(), tmp_path_factory.mktemp("page") / "step.html")


def rendered(file, fragment, folder):
    """The document as the browser has it after the page's script."""
    done = subprocess.run(
        [BROWSER, *OPTIONS, f"--user-data-dir={folder}", f"{file.as_uri()}{fragment}"],
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    )
    return done.stdout


def pictured(address, name, folder):
    """A picture of the page, kept in a folder that git ignores, so that it can be looked at."""
    KEPT.mkdir(parents=True, exist_ok=True)
    picture = KEPT / f"{name}.png"
    picture.unlink(missing_ok=True)
    options = [option for option in OPTIONS if option != "--dump-dom"]
    more = [f"--screenshot={picture}", "--window-size=1400,2200", f"--user-data-dir={folder}"]
    command = [BROWSER, *options, *more, "--blink-settings=preferredColorScheme=1", address]
    subprocess.run(command, capture_output=True, timeout=100, check=True)
    return picture


def colors_of(picture):
    """The colors that many of its pixels have."""
    image = Image.open(picture).convert("RGB")
    return {color for count, color in image.getcolors(maxcolors=1 << 22) if count > 40}


def element(text, id_):
    """The opening tag of an element."""
    return re.search(rf'<[^<>]*\bid="{id_}"[^<>]*>', text)[0]


def test_the_page_is_drawn(file, tmp_path):
    text = rendered(file, "", tmp_path)
    assert 'data-ready="yes"' in text
    page = Page(text)
    nodes = [id_ for id_ in page.ids if re.fullmatch(r"c0-n\d+", id_)]
    assert len(nodes) == len(set(nodes)) > 10
    assert {link[1:] for link in page.links} <= set(page.ids)
    assert text.count("<button") == 6


def test_the_page_looks_like_a_page(file, tmp_path):
    opened = "all('.block').forEach((each) => { each.open = true; })"
    colors = colors_of(
        pictured(with_script(file, opened, tmp_path).as_uri(), "page", tmp_path / "profile")
    )
    assert {FORWARD, HOT} <= colors  # of buffers and of meters: its style has been taken


def test_two_models_are_shown_side_by_side(tmp_path):
    with config.override(backend="native"):
        made = [paddle.jit.to_static(f) for f in (paddle.tanh, lambda x: paddle.tanh(x) * 2.0)]
        for function in made:
            function(paddle.ones([4]))
        file = debug.write_page(made[0], tmp_path / "two.html", beside=made[1])
    text = rendered(file, "", tmp_path / "profile")
    assert " hidden" not in element(text, "d0") and " hidden" in element(text, "c0")
    assert OPTIMIZE in colors_of(pictured(file.as_uri(), "difference", tmp_path / "profile"))


def test_a_link_to_a_kernel_opens_it_and_marks_its_operators(file, tmp_path):
    text = rendered(file, "#c0-k0", tmp_path)
    kernel = element(text, "c0-k0")
    assert " open" in kernel and "selected" in kernel
    (number, *_) = re.search(r'data-nodes="([^"]*)"', kernel)[1].split()
    assert "selected" in element(text, f"c0-n{number}")
    assert 'class="edge on"' in text or 'class="edge across on"' in text


def test_a_link_to_an_operator_marks_its_node(file, tmp_path):
    text = rendered(file, "#c0-o1", tmp_path)
    assert "selected" in element(text, "c0-o1") and "selected" in element(text, "c0-n1")
    assert "selected" not in element(text, "c0-n0")


def with_script(file, script, folder):
    """A copy of the page that also does what a user would."""
    text = file.read_text().replace("</body>", f"<script>{script}</script></body>")
    copy = folder / "copy.html"
    copy.write_text(text)
    return copy


def test_search_leaves_what_holds_the_words(file, tmp_path):
    typed = "search.value = 'relu.grad'; search.dispatchEvent(new Event('input'));"
    page = Page(rendered(with_script(file, typed, tmp_path), "", tmp_path / "profile"))
    shown = [id_ for id_, names in page.classes.items() if "operator" in names.split()]
    kept = [id_ for id_ in shown if "out" not in page.classes[id_].split()]
    assert 0 < len(kept) < len(shown) / 4
    matching = [
        id_ for id_, names in page.classes.items() if names.startswith("node backward match")
    ]
    assert matching


def test_code_is_put_in_place_when_it_is_opened(file, tmp_path):
    opened = "all('.code').forEach((each) => { each.open = true; })"
    text = rendered(with_script(file, opened, tmp_path), "", tmp_path / "profile")
    assert "define void @kernel" in re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)


def test_the_slowest_kernel_can_be_first(file, tmp_path):
    clicked = "document.querySelector('[data-sort=seconds]').click()"
    text = rendered(with_script(file, clicked, tmp_path), "", tmp_path / "profile")
    seconds = [float(found) for found in re.findall(r'data-seconds="([\d.]+)"', text)]
    assert len(seconds) > 3 and seconds == sorted(seconds, reverse=True)


def test_a_link_into_a_closed_part_opens_it(file, tmp_path):
    text = rendered(file, "#c0-l0", tmp_path)
    assert "selected" in element(text, "c0-l0")
    assert text.count('<details class="block" open') == 3
