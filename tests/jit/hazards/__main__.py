"""python -m tests.jit.hazards --seed S --count N: so many fresh functions, and how they fare."""

from __future__ import annotations

import argparse
import re
from collections import Counter
from time import perf_counter

from tests.jit.hazards.runner import CRASHED, MODES, WRONG, Verdict, verdict
from tests.jit.hazards.shrink import shrunk
from tests.jit.hazards.writer import Writer

NATIVE_EVERY, SAVED_EVERY = 4, 5


def modes_of(seed: int) -> tuple[str, ...]:
    """The modes that a seed is tried in."""
    modes = [MODES[0]]
    modes += [MODES[1]] if seed % NATIVE_EVERY == 0 else []
    modes += [MODES[2]] if seed % SAVED_EVERY == 0 else []
    return tuple(modes)


def small(seed: int, found: Verdict) -> str:
    """The least module that was found to fail as that of a seed does."""

    def fails(text: str) -> bool:
        again = verdict(text, (found.mode,))
        return again.kind == found.kind and again.sign()[:40] == found.sign()[:40]

    return shrunk(Writer(seed).module(), fails)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--count", type=int, default=100, help="how many functions")
    parser.add_argument("--show", default="WRONG,CRASHED", help="verdicts to show, by comma")
    parser.add_argument("--whole", action="store_true", help="show failures as they were written")
    parser.add_argument("--without", default="$^", help="leave out texts in which this is found")
    args = parser.parse_args()
    counts: Counter[str] = Counter()
    signs: Counter[str] = Counter()
    started = perf_counter()
    for seed in range(args.seed, args.seed + args.count):
        text = Writer(seed).module()
        if re.search(args.without, text):
            continue
        found = verdict(text, modes_of(seed))
        counts[found.kind] += 1
        if found.told:
            signs[found.sign()] += 1
        if found.kind in args.show.split(","):
            print(f"--- seed {seed} ({found.mode}): {found.kind}: {found.told}", flush=True)
            is_whole = args.whole or signs[found.sign()] > 2
            if found.kind in (WRONG, CRASHED) and not is_whole:
                print(small(seed, found), flush=True)
    for sign, count in signs.most_common(40):
        print(f"{count:5} {sign}")
    print(dict(counts), f"{perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
