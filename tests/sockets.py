"""The addresses that a process and those it started listen on, as Linux tells them."""

from __future__ import annotations

import ipaddress
import os
from contextlib import suppress
from pathlib import Path

LISTEN = "0A"
"""The state of a socket that waits for others to connect."""


def family(process: int) -> set[int]:
    """Return a process and all those that it started."""
    parents: dict[int, int] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                facts = (folder / "stat").read_text("utf-8", "replace")
            except OSError:  # it ended meanwhile
                continue
            parents[int(folder.name)] = int(facts.rpartition(")")[2].split()[1])
    found = {process}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def listened(process: int) -> set[ipaddress.IPv4Address | ipaddress.IPv6Address]:
    """Return the addresses on which a process accepts connections."""
    own = set()
    for handle in Path(f"/proc/{process}/fd").iterdir():
        with suppress(OSError):  # it was closed meanwhile
            own.add(os.readlink(handle))
    found = set()
    for table in ("tcp", "tcp6"):
        path = Path(f"/proc/{process}/net/{table}")
        for line in path.read_text("ascii").splitlines()[1:] if path.exists() else ():
            words = line.split()
            local, state = words[1], words[3]
            if state == LISTEN and f"socket:[{words[9]}]" in own:
                found.add(_address(local.partition(":")[0]))
    return found


def _address(digits: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """Return an address that is written as words of four bytes, the last byte first."""
    words = (digits[i : i + 8] for i in range(0, len(digits), 8))
    return ipaddress.ip_address(b"".join(bytes.fromhex(word)[::-1] for word in words))
