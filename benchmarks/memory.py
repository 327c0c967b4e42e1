"""The memory that training takes: the peak of a peer's process, and what of it came with the work.

Each work runs in a process of its own for each peer. What a framework takes when it is loaded is
told apart; libraries that it loads with its first step count as the step's.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from pathlib import Path

from training import add_interpreters, chosen, commands
from turns import Peer, started
from works import WORKS, write

PEERS = ("twinoar eager", "twinoar train_step", "torch eager", "torch channels_last")
DEFAULT = "r18,r18_224,enc,enc_length_2048"
STEPS = 5
MEBI = 1024  # of the KiB in which the kernel counts


def memory(peer: Peer, entry: str) -> float:
    """MiB that the kernel says of the peer's process: VmRSS now, VmHWM at the peak."""
    status = Path(f"/proc/{peer.process.pid}/status").read_text()
    found = re.search(rf"^{entry}:\s+(\d+) kB", status, re.MULTILINE)
    assert found is not None
    return int(found[1]) / MEBI


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_interpreters(parser)
    parser.add_argument("--works", default=DEFAULT, help=f"of {', '.join(WORKS)}")
    parser.add_argument("--peers", help=f"names or patterns, with commas; else {', '.join(PEERS)}")
    given = parser.parse_args()
    print(f"| MiB at the peak of {STEPS} steps | process | of it with the work |")
    print("|---|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        found = commands(given, Path(folder))
        peers = chosen(list(found), given.peers or ",".join(p for p in PEERS if p in found))
        for work in chosen(list(WORKS), given.works):
            write(work, Path(folder))
            for name in peers:
                with started([found[name]]) as (peer,):
                    if work in peer.works:
                        loaded = memory(peer, "VmRSS")
                        peer.results(work, STEPS)
                        peak = memory(peer, "VmHWM")
                        print(f"| `{work}` {name} | {peak:.0f} | {peak - loaded:.0f} |", flush=True)


if __name__ == "__main__":
    main()
