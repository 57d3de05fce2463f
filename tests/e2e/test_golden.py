#!/usr/bin/env python3
"""The whole page of each simulated machine, compared with what was read and found right. --rewrite makes them anew."""
import difflib
import re
import sys

import tap
from node import ROOT, Node

GOLDEN = ROOT / "tests/golden"
# What runs with real time, and what is of the daemon rather than the machine.
MOVING = re.compile(r"^(amdgpu_busy_seconds_total|amdgpu_sample_timestamp_seconds|amdgpu_energy_joules_total)(\{.*\}) .*$")


def golden_page(machine):
    """Families of the GPUs, moving values masked."""
    with Node(machine, conf="[sampler]\ninterval = 100ms\nslow_interval = 200ms") as node:
        node.ctl("time", "100")
        node.wait_passes(8)
        lines = []
        for line in node.get()[2].splitlines():
            name = line.split()[2] if line.startswith("#") else line.split("{")[0]
            if name.startswith("amdgpu_") and name != "amdgpu_driver_info":
                lines.append(MOVING.sub(r"\1\2 (moves)", line))
        return "\n".join(lines) + "\n"


def path_of(machine):
    return GOLDEN / f"{machine.replace(':', '-')}.prom"


def check(machine):
    want, got = path_of(machine).read_text(), golden_page(machine)
    diff = list(difflib.unified_diff(want.splitlines(), got.splitlines(), str(path_of(machine)), "now", lineterm=""))
    assert not diff, "\n".join(diff[:60])


MACHINES = [path.stem for path in sorted((ROOT / "tests/sim/profiles").glob("*.profile"))]

if "--rewrite" in sys.argv:
    GOLDEN.mkdir(exist_ok=True)
    for one in MACHINES:
        path_of(one).write_text(golden_page(one))
        print(f"wrote {path_of(one).relative_to(ROOT)}")
    sys.exit(0)
for one in MACHINES:
    tap.add(f"page_of_{one}", lambda one=one: check(one))

if __name__ == "__main__":
    tap.main()
