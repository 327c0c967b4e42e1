"""The processor time of `import twinoar` beyond NumPy's own import: at most 150 ms is the aim."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys

PROCESSES = 7
TIMED = """
import numpy, time
begin = time.process_time()
import twinoar
print(time.process_time() - begin)
"""


# As installed: with compiled bytecode, which the first process writes.
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


def seconds() -> float:
    command = [sys.executable, "-c", TIMED]
    return float(subprocess.run(command, check=True, capture_output=True, env=ENVIRONMENT).stdout)


def main() -> None:
    seconds()
    times = [seconds() for _ in range(PROCESSES)]
    print(
        f"import twinoar beyond NumPy, {PROCESSES} fresh processes: "
        f"median {statistics.median(times) * 1e3:.0f} ms, least {min(times) * 1e3:.0f} ms"
    )


if __name__ == "__main__":
    main()
