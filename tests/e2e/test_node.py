#!/usr/bin/env python3
"""The main job: eight simulated MI210 through the real librocm_smi64 to /metrics; the pages; the end."""
import os
import signal
import subprocess
import urllib.request

import tap
from node import DAEMON, Node, Page, free_port, need_simulator
from tap import eventually, test


@test
def eight_mi210_through_the_real_library():
    with Node("mi210:8") as node:
        page = node.page()
        source = page.all("rocwatch_source_info")
        assert "librocm_smi64" in source[0][0]["library_path"], source
        assert page.get("rocwatch_gpus") == 8
        for gpu in range(8):
            def file(name, scale=1.0, gpu=gpu):
                return int(node.ctl("get", f"gpu{gpu}", name)) * scale
            assert page.get("amdgpu_up", gpu=gpu) == 1
            assert page.get("amdgpu_state", gpu=gpu, state="ok") == 1
            near = {
                ("amdgpu_utilization_ratio", "engine", "gfx"): file("gpu_busy_percent", 0.01),
                ("amdgpu_utilization_ratio", "engine", "memory"): file("mem_busy_percent", 0.01),
                ("amdgpu_temperature_celsius", "sensor", "edge"): file("hwmon/temp1_input", 1e-3),
                ("amdgpu_temperature_celsius", "sensor", "junction"): file("hwmon/temp2_input", 1e-3),
                ("amdgpu_temperature_celsius", "sensor", "memory"): file("hwmon/temp3_input", 1e-3),
                ("amdgpu_temperature_critical_celsius", "sensor", "junction"): file("hwmon/temp2_crit", 1e-3),
                ("amdgpu_memory_used_bytes", "pool", "vram"): file("mem_info_vram_used"),
                ("amdgpu_memory_total_bytes", "pool", "vram"): file("mem_info_vram_total"),
                ("amdgpu_memory_used_bytes", "pool", "gtt"): file("mem_info_gtt_used"),
                ("amdgpu_clock_hertz", "domain", "gfx"): file("hwmon/freq1_input"),
            }
            for (family, label, value), want in near.items():
                got = page.get(family, gpu=gpu, **{label: value})
                assert got is not None and abs(got - want) <= 1e-6 * abs(want), (gpu, family, value, got, want)
            assert abs(page.get("amdgpu_power_watts", gpu=gpu) - file("hwmon/power1_average", 1e-6)) < 1e-6
            assert page.get("amdgpu_power_cap_watts", gpu=gpu) == file("hwmon/power1_cap", 1e-6)
            for block in ("umc", "gfx", "sdma"):
                assert page.get("amdgpu_ecc_errors_total", gpu=gpu, block=block, severity="uncorrectable") == 0
            assert page.get("amdgpu_pcie_link_width_lanes", gpu=gpu) == 16
            assert page.get("amdgpu_energy_joules_total", gpu=gpu) > 0
            assert page.get("amdgpu_throttled", gpu=gpu, **{"class": "thermal"}) == 0
            info = page.all("amdgpu_info", gpu=gpu)[0][0]
            assert info["unique_id"] == node.ctl("get", f"gpu{gpu}", "unique_id"), info
            assert info["gfx_target"] == "gfx90a" and info["device_id"] == "0x740f", info


@test
def values_move_with_the_gpu():
    with Node("mi210:2", workload="training") as node:
        before = node.page()
        after = node.wait_passes(3)
        for counter in ("amdgpu_energy_joules_total", "amdgpu_sample_timestamp_seconds"):
            assert after.get(counter, gpu=0) > before.get(counter, gpu=0), counter
        assert after.get("amdgpu_busy_seconds_total", gpu=0, engine="gfx") > before.get(
            "amdgpu_busy_seconds_total", gpu=0, engine="gfx")


@test
def both_sources_say_the_same():
    pages = []
    for source in ("rocm_smi", "sysfs"):
        with Node("mi210:2", arguments=["--source", source]) as node:
            node.ctl("time", "100")
            node.wait_passes(7)
            pages.append(node.page())
    for gpu in range(2):
        library, files = (page.gpu(gpu) for page in pages)
        common = {key for key in library if key in files and key[0] not in (
            "amdgpu_sample_timestamp_seconds", "amdgpu_busy_seconds_total", "amdgpu_energy_joules_total")}
        families = {key[0] for key in common}
        assert {"amdgpu_power_watts", "amdgpu_temperature_celsius", "amdgpu_memory_used_bytes",
                "amdgpu_utilization_ratio"} <= families, families
        for key in common:
            assert abs(library[key] - files[key]) <= 1e-9 * abs(files[key]), (key, library[key], files[key])


@test
def mi300x_is_complete_where_the_library_does_not_start():
    with Node("mi300x:8") as node:
        page = node.wait_passes(2)  # a residency needs a look before it
        assert page.get("rocwatch_gpus") == 8
        assert "library_path" not in page.all("rocwatch_source_info")[0][0]
        assert "ROCm SMI is not used" in node.log_text()
        for gpu in range(8):
            assert page.get("amdgpu_up", gpu=gpu) == 1
            assert page.get("amdgpu_utilization_ratio", gpu=gpu, engine="gfx") is not None
            assert page.get("amdgpu_power_watts", gpu=gpu) > 50
            assert 10 < page.get("amdgpu_temperature_celsius", gpu=gpu, sensor="junction") < 110
            assert page.get("amdgpu_temperature_celsius", gpu=gpu, sensor="edge") is None
            assert page.get("amdgpu_memory_total_bytes", gpu=gpu, pool="vram") > 190e9
            assert page.get("amdgpu_energy_joules_total", gpu=gpu) > 0
            assert page.get("amdgpu_ecc_errors_total", gpu=gpu, block="umc", severity="deferred") == 0
            assert page.get("amdgpu_clock_hertz", gpu=gpu, domain="gfx") is not None
            assert page.all("amdgpu_throttle_active", gpu=gpu), "residencies give reasons"


@test
def a_node_without_gpus_is_fine_and_says_so():
    need_simulator()
    port = free_port()
    daemon = subprocess.Popen(["unshare", "-m", "sh", "-c", "mount -t tmpfs none /sys && exec \"$@\"", "sh", str(DAEMON),
                               "--listen", f"127.0.0.1:{port}"], stderr=subprocess.PIPE, text=True)

    def ready():
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/-/ready", timeout=2) as answer:
                return answer.status == 200
        except OSError:
            return False
    try:
        eventually(ready, 15, "ready")
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=2) as answer:
            page = Page(answer.read().decode())
        assert page.get("rocwatch_gpus") == 0
        assert not [name for name in page.families() if name.startswith("amdgpu_") and name != "amdgpu_driver_info"]
    finally:
        daemon.send_signal(signal.SIGTERM)
        _, log = daemon.communicate(timeout=5)
    assert daemon.returncode == 0, daemon.returncode
    assert "no GPU" in log, log


@test
def pages_methods_and_types():
    with Node("mi210") as node:
        status, headers, body = node.get("/metrics")
        assert status == 200 and headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8", headers
        assert node.get("/metrics", method="HEAD")[2] == ""
        assert node.get("/metrics", method="POST")[0] == 405
        assert node.get("/metrics", method="DELETE")[1]["Allow"] == "GET, HEAD"
        assert node.get("/nothing")[0] == 404
        assert node.get("/-/healthy")[0] == 200
        assert node.get("/-/ready")[0] == 200
        landing = node.get("/")
        assert landing[0] == 200 and "text/html" in landing[1]["Content-Type"] and "/metrics" in landing[2]
        assert "NaN" not in body


@test
def it_stops_within_two_seconds():
    with Node("mi210:8") as node:
        assert node.stop() < 2.5


@test
def gpus_are_not_opened():
    """Neither /dev/kfd nor a render node is ever opened, and the keeper has no file of a GPU."""
    with Node("mi210:4") as node:
        node.wait_passes(3)
        for pid, sampler in ((node.keeper_pid(), False), (node.sampler_pid(), True)):
            links = []
            for entry in os.listdir(f"/proc/{pid}/fd"):
                try:
                    links.append(os.readlink(f"/proc/{pid}/fd/{entry}"))
                except OSError:
                    pass
            assert not [link for link in links if "/dev/kfd" in link or "/dev/dri" in link], links
            of_gpus = [link for link in links if "0000:" in link]
            assert bool(of_gpus) == sampler, (pid, of_gpus)
        maps = open(f"/proc/{node.keeper_pid()}/maps", encoding="utf-8").read()
        assert "rocm_smi" not in maps


@test
def the_descriptor_count_stays():
    """The files that answer in the library's place are opened at its first failure; then nothing more."""
    with Node("mi210:4", conf="[sampler]\ninterval = 100ms\nslow_interval = 200ms") as node:
        pid, counts = node.sampler_pid(), []
        for _ in range(4):
            node.ctl("fault", "gpu1", "all", "eio")
            node.wait_passes(5)
            node.ctl("clear", "gpu1")
            node.wait_passes(35)
            counts.append(len(os.listdir(f"/proc/{pid}/fd")))
        assert node.sampler_pid() == pid
        assert counts[0] == counts[-1], counts


@test
def nobody_may_run_it():
    """Without any privilege the page is as complete, and the library works: its locks are on a /dev/shm of our own."""
    with Node("mi210:2") as root:
        want = root.page()
    with Node("mi210:2", wrap=["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs"]) as node:
        page = node.page()
        assert "library_path" in page.all("rocwatch_source_info")[0][0], node.log_text()
        for gpu in range(2):
            assert set(page.gpu(gpu)) == set(want.gpu(gpu))


if __name__ == "__main__":
    tap.main()
