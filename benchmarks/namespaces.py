"""Ranks of an MPI job in network namespaces, between which messages take as long as on a network.

Each rank has two interfaces: one by which the launcher reaches it, which is as fast as the
machine, and `data`, whose link has a latency and a bandwidth. That is `tc netem` where the kernel
has it, and else a process that passes packets on between TUN devices when their time has come.
"""

from __future__ import annotations

import fcntl
import heapq
import json
import os
import select
import shutil
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

TUN, SET_INTERFACE, TUN_WITHOUT_HEADER = "/dev/net/tun", 0x400454CA, 0x1001
CONTROL, DATA = "10.213.78", "10.213.77"
PACKET_BYTES = 65_000  # of TUN devices: few large packets, as Python passes each on
PRIORITY = -15  # of what passes packets on: it sleeps, and has to wake in time
BRIDGE, LAUNCHER = "twinoar0", 254


class NotAllowed(RuntimeError):
    """This machine lets nobody make namespaces here; the message says why."""


def ip(*arguments: str, may_fail: bool = False) -> None:
    """Run `ip`."""
    done = subprocess.run(["ip", *arguments], capture_output=True, text=True)
    if done.returncode and not may_fail:
        raise NotAllowed(f"ip {' '.join(arguments)}: {done.stderr.strip()}")


class Cluster:
    """Namespaces of `count` ranks. emulated_by: what makes the links slow."""

    def __init__(self, count: int, emulated_by: str):
        self.count, self.emulated_by = count, emulated_by

    def run(self, command: Sequence[str], environment: dict[str, str], seconds: float) -> str:
        """Run a command as ranks, each in its namespace; what they print."""
        inside = f'exec ip netns exec {_name("$OMPI_COMM_WORLD_RANK")} "$@"'
        mpirun = Path(sys.executable).parent / "mpirun"
        options = [
            *("-n", str(self.count), "--oversubscribe", "--bind-to", "none"),
            *("--mca", "pml", "ob1", "--mca", "btl", "tcp,self"),
            *("--mca", "btl_tcp_if_include", f"{DATA}.0/24"),
            *("--pmixmca", "ptl_base_if_include", BRIDGE),
        ]
        done = subprocess.run(
            [str(mpirun), *options, "sh", "-c", inside, "sh", *command],
            env={
                **os.environ,
                "OMPI_ALLOW_RUN_AS_ROOT": "1",
                "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                "OMPI_MCA_mpi_yield_when_idle": "1",
                **environment,
            },
            capture_output=True,
            text=True,
            timeout=seconds,
        )
        if done.returncode:
            raise RuntimeError(done.stderr + done.stdout)
        return done.stdout


@contextmanager
def cluster(count: int, latency: float, bandwidth: float) -> Iterator[Cluster]:
    """A cluster whose links have a latency in seconds and a bandwidth in bytes a second.

    Raises NotAllowed.
    """
    if shutil.which("ip") is None or shutil.which("tc") is None:
        raise NotAllowed("ip and tc are not installed")
    with ExitStack() as stack:
        stack.callback(_remove, count)
        _connect(count)
        if _has_netem(count, latency, bandwidth):
            yield Cluster(count, "tc netem")
            return
        stack.enter_context(_relayed(count, latency, bandwidth))
        yield Cluster(count, "TUN devices, as this kernel has no netem")


def _name(rank: int | str) -> str:
    return f"twinoar-{rank}"


def _remove(count: int) -> None:
    for rank in range(count):
        ip("netns", "del", _name(rank), may_fail=True)
        ip("link", "del", f"twinoar0c{rank}", may_fail=True)
        ip("link", "del", f"twinoar0d{rank}", may_fail=True)
    ip("link", "del", BRIDGE, may_fail=True)


def _connect(count: int) -> None:
    """Namespaces, and the interface by which the launcher reaches each."""
    ip("link", "add", BRIDGE, "type", "bridge")
    ip("addr", "add", f"{CONTROL}.{LAUNCHER}/24", "dev", BRIDGE)
    ip("link", "set", BRIDGE, "up")
    for rank in range(count):
        ip("netns", "add", _name(rank))
        _veth(rank, "control", f"twinoar0c{rank}", CONTROL)
        ip("-n", _name(rank), "link", "set", "lo", "up")


def _veth(rank: int, name: str, outside: str, network: str) -> None:
    ip("link", "add", outside, "type", "veth", "peer", "name", name, "netns", _name(rank))
    ip("link", "set", outside, "master", BRIDGE, "up")
    ip("-n", _name(rank), "addr", "add", f"{network}.{rank + 1}/24", "dev", name)
    ip("-n", _name(rank), "link", "set", name, "up")


def _has_netem(count: int, latency: float, bandwidth: float) -> bool:
    """Make links by netem; False, and nothing is left of it, where the kernel has none."""
    for rank in range(count):
        _veth(rank, "data", f"twinoar0d{rank}", DATA)
        shape = ["delay", f"{latency * 1e6:.0f}us", "rate", f"{bandwidth * 8:.0f}bit"]
        command = ["tc", "-n", _name(rank), "qdisc", "add", "dev", "data", "root", "netem", *shape]
        if subprocess.run([*command, "limit", "100000"], capture_output=True).returncode:
            ip("link", "del", f"twinoar0d{rank}")
            return False
    return True


@contextmanager
def _relayed(count: int, latency: float, bandwidth: float) -> Iterator[None]:
    devices = []
    try:
        for rank in range(count):
            devices.append(os.open(TUN, os.O_RDWR))
            device = f"twinoar0t{rank}"
            request = struct.pack("16sH", device.encode(), TUN_WITHOUT_HEADER)
            fcntl.ioctl(devices[-1], SET_INTERFACE, request)
            ip("link", "set", device, "netns", _name(rank))
            inside = ("-n", _name(rank))
            ip(*inside, "link", "set", device, "name", "data", "mtu", str(PACKET_BYTES))
            ip(*inside, "addr", "add", f"{DATA}.{rank + 1}/24", "dev", "data")
            ip(*inside, "link", "set", "data", "up")
    except OSError as error:
        raise NotAllowed(f"{TUN}: {error}") from None
    what = json.dumps([devices, latency, bandwidth])
    process = subprocess.Popen([sys.executable, __file__, what], pass_fds=devices)
    for device in devices:
        os.close(device)
    try:
        yield
    finally:
        process.kill()
        process.wait()


def relay(devices: Sequence[int], latency: float, bandwidth: float) -> None:
    """Pass packets on, each when its sender's wire was free and it has travelled."""
    to = {socket.inet_aton(f"{DATA}.{rank + 1}"): fd for rank, fd in enumerate(devices)}
    os.nice(PRIORITY)
    free = dict.fromkeys(devices, 0.0)
    travelling: list[tuple[float, int, int, bytes]] = []
    number = 0
    while True:
        now = time.monotonic()
        while travelling and travelling[0][0] <= now:
            _, _, target, packet = heapq.heappop(travelling)
            os.write(target, packet)
        wait = max(travelling[0][0] - time.monotonic(), 0.0) if travelling else None
        for fd in select.select(devices, [], [], wait)[0]:
            packet = os.read(fd, PACKET_BYTES + 1000)
            target = to.get(packet[16:20])  # where an IPv4 header has it
            if packet[0] >> 4 != 4 or target is None:
                continue
            free[fd] = max(time.monotonic(), free[fd]) + len(packet) / bandwidth
            number += 1
            heapq.heappush(travelling, (free[fd] + latency, number, target, packet))


if __name__ == "__main__":
    relay(*json.loads(sys.argv[1]))
