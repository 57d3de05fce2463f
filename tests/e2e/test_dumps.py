#!/usr/bin/env python3
"""Dumps of real cards, each adopted as a node of its own: right values, no sentinel, nothing made up."""
import json

import tap
from node import SHARED, Node, shared

# What "not supported" looks like after any scaling of any width.
SENTINELS = {65535, 65.535, 655.35, 65535e6, 65535e9, 4294967295, 4294967.295, 4294.967295, 255, 2**64 - 1, 2**64,
             18446744073709.55, 6553.5e9, 1099.511627775}


def file_number(directory, name, scale=1.0):
    path = directory / name
    if not path.is_file():
        return None
    text = path.read_bytes().split(b"\0")[0].decode().strip()
    try:
        return int(text) * scale
    except ValueError:
        return None


def channels(hwmon, kind):
    """label -> channel number of an hwmon's temp or freq files."""
    found = {}
    for path in sorted(hwmon.glob(f"{kind}*_label")):
        found[path.read_bytes().split(b"\0")[0].decode().strip()] = path.name[len(kind):].split("_")[0]
    return found


def expect(page, family, want, scale_tolerance=1e-6, **labels):
    got = page.get(family, gpu=0, **labels)
    assert (got is None) == (want is None), (family, labels, got, want)
    if want is not None:
        assert abs(got - want) <= scale_tolerance * max(1, abs(want)), (family, labels, got, want)


def in_range(value, least, most):
    return value if value is not None and least <= value <= most else None


def check_hwmon(page, hwmon):
    temps, freqs = channels(hwmon, "temp"), channels(hwmon, "freq")
    if not temps and (hwmon / "temp1_input").exists():
        temps = {"edge": "1"}
    for label, sensor in (("edge", "edge"), ("junction", "junction"), ("mem", "memory")):
        channel = temps.get(label)
        if channel is None:
            continue
        expect(page, "amdgpu_temperature_celsius", file_number(hwmon, f"temp{channel}_input", 1e-3), sensor=sensor)
        for limit, family in (("crit", "critical"), ("emergency", "emergency")):
            expect(page, f"amdgpu_temperature_{family}_celsius",
                   in_range(file_number(hwmon, f"temp{channel}_{limit}", 1e-3), 20, 200), sensor=sensor)
    power = file_number(hwmon, "power1_input", 1e-6)
    power = file_number(hwmon, "power1_average", 1e-6) if power is None else power
    if power is not None:
        expect(page, "amdgpu_power_watts", power)
    expect(page, "amdgpu_power_cap_watts", file_number(hwmon, "power1_cap", 1e-6))
    if "sclk" in freqs:
        expect(page, "amdgpu_clock_hertz", in_range(file_number(hwmon, f"freq{freqs['sclk']}_input"), 0, 10e9), domain="gfx")
    expect(page, "amdgpu_fan_speed_rpm", file_number(hwmon, "fan1_input"))


def check_table(page, device, decoded):
    """What only gpu_metrics has; raw numbers from an independent decoder."""
    version = (decoded["format_revision"], decoded["content_revision"])
    if version[0] == 1:
        for sensor, field in (("vr_gfx", "temperature_vrgfx"), ("vr_soc", "temperature_vrsoc"), ("vr_mem", "temperature_vrmem")):
            raw = decoded.get(field)
            expect(page, "amdgpu_temperature_celsius", None if raw in (None, 65535, 0) else raw, sensor=sensor)
        soc = decoded.get("current_socclk")
        expect(page, "amdgpu_clock_hertz", None if soc == 65535 else soc * 1e6, domain="soc")
    for (family, labels), value in page.series.items():
        if not family.startswith("amdgpu_"):
            continue
        limit = {"amdgpu_temperature_celsius": 130, "amdgpu_power_watts": 1000, "amdgpu_utilization_ratio": 1,
                 "amdgpu_clock_hertz": 5e9}.get(family)
        assert limit is None or value <= limit, (family, labels, value)


def check_dump(name):
    tree = shared("field-data", "lact", name)
    device = next(tree.glob("card*")) / "device"
    if not (device / "uevent").exists():
        device = tree  # rx580 keeps its device's files at the top
    with Node(trees=[tree]) as node:
        page = node.page()
        assert page.get("rocwatch_gpus") == 1, page.text
        assert page.get("amdgpu_up", gpu=0) == 1, page.text
        for (family, labels), value in page.series.items():
            if family.startswith("amdgpu_"):
                assert value not in SENTINELS or (value == 255 and "pwm" in family), (family, dict(labels), value)
                assert value == value, (family, labels)
        for hwmon in (next(tree.glob("card*")) / "device").glob("hwmon/hwmon*"):
            check_hwmon(page, hwmon)
        for pool, file in (("vram", "vram"), ("visible_vram", "vis_vram"), ("gtt", "gtt")):
            for family in ("used", "total"):
                expect(page, f"amdgpu_memory_{family}_bytes", file_number(next(tree.glob("card*")) / "device",
                                                                         f"mem_info_{file}_{family}"), pool=pool)
        busy = file_number(next(tree.glob("card*")) / "device", "gpu_busy_percent", 0.01)
        if busy is not None:
            expect(page, "amdgpu_utilization_ratio", busy, engine="gfx")
        decoded = tree / "gpu_metrics.decoded.json"
        if decoded.exists():
            check_table(page, device, json.loads(decoded.read_text()))


if SHARED.joinpath("field-data", "lact").is_dir():
    for path in sorted(SHARED.joinpath("field-data", "lact").iterdir()):
        if path.is_dir():
            tap.add(f"dump_{path.name}", lambda name=path.name: check_dump(name))
else:
    tap.add("dumps", lambda: shared("field-data", "lact"))


if __name__ == "__main__":
    tap.main()
