#!/usr/bin/env python3
"""What must not take the daemon down: a hung card, a lost one, a dead sampler, a library that aborts."""
import os
import re
import signal
import time

import tap
from node import BUILD, SIM, Node, shared
from tap import Skip, eventually, test

FAST = "[sampler]\ninterval = 200ms\nslow_interval = 1s\nrescan = 500ms"


def others(page, but):
    return [gpu for gpu in range(8) if gpu != but]


def rates(node, passes, but=None):
    """Passes per second of each GPU, over that many passes of GPU 0."""
    def count():
        return time.monotonic(), node.page()
    began, first = count()
    node.wait_passes(passes, gpus=[0])
    ended, last = count()
    return {gpu: (last.get("rocwatch_passes_total", gpu=gpu) - first.get("rocwatch_passes_total", gpu=gpu)) / (ended - began)
            for gpu in others(last, but)}


@test
def one_hung_gpu_of_eight():
    with Node("mi210:8", conf="[sampler]\ninterval = 200ms", journal=True) as node:
        # What the machine gives without a fault is the measure: others may use it too.
        sound = rates(node, 25)
        node.ctl("fault", "gpu3", "all", "hang")
        began, first = time.monotonic(), node.page()
        page = node.wait_page(lambda page: page.get("amdgpu_up", gpu=3) == 0, 10, "GPU 3 down")
        assert page.get("amdgpu_state", gpu=3, state="hung") == 1
        assert page.get("amdgpu_power_watts", gpu=3) is None
        node.wait_page(lambda page: page.get("rocwatch_alert_firing", rule="gpu-absent", gpu=3) == 1,
                       10 - (time.monotonic() - began), "the alert")
        entry = node.wait_entry(lambda entry: entry.get("RULE") == "gpu-absent", 10)
        assert entry["GPU"] == "3" and entry["STATE"] == "firing" and entry["PRIORITY"] == "2", entry
        # Meanwhile: the others keep their rate, the page answers as before.
        slowest = 0
        for _ in range(20):
            asked = time.monotonic()
            page = node.page()
            slowest = max(slowest, time.monotonic() - asked)
        assert slowest < 1, slowest
        last = node.page()
        for gpu in others(last, 3):
            assert last.get("amdgpu_up", gpu=gpu) == 1
            assert last.get("rocwatch_passes_total", gpu=gpu) > first.get("rocwatch_passes_total", gpu=gpu)
        # Other work on the machine only ever lowers a rate: the best of some windows is the daemon's own.
        for _ in range(5):
            hung = rates(node, 25, but=3)
            worst = min(hung[gpu] / min(sound[gpu], 5.0) for gpu in hung)
            if worst >= 0.95:
                break
        assert worst >= 0.95, (worst, hung, sound)
        assert last.get("rocwatch_read_errors_total", gpu=3, reason="timeout") == 1
        node.ctl("clear", "gpu3")
        page = node.wait_page(lambda page: page.get("amdgpu_up", gpu=3) == 1, 10, "GPU 3 up")
        node.wait_page(lambda page: page.get("amdgpu_power_watts", gpu=3) is not None, 5)
        node.wait_page(lambda page: page.get("rocwatch_alert_firing", rule="gpu-absent", gpu=3) == 0, 40, "the end of it")
        node.wait_entry(lambda entry: entry.get("RULE") == "gpu-absent" and entry.get("STATE") == "resolved", 5)
        assert node.page().get("rocwatch_sampler_restarts_total") == 0
        told = [entry["MESSAGE"] for entry in node.entries() if entry.get("GPU") == "3" and "RULE" not in entry]
        assert len(told) == 2 and "hangs" in told[0] and "answers again" in told[1], told


@test
def a_gpu_that_hangs_at_the_start():
    """The library cannot even initialise: the others are watched by the driver's files."""
    hang = ["sh", "-c", f"{SIM} ctl @SOCKET@ fault gpu3 all hang && exec \"$@\"", "sh"]
    with Node("mi210:8", ready=False, wrap=hang) as node:
        assert eventually(lambda: _status_or_none(node), 20) == 503, "not ready before the first pass over each GPU"
        node.wait_ready()
        page = node.wait_page(lambda page: page.get("amdgpu_state", gpu=3, state="hung") == 1, 15)
        for gpu in others(page, 3):
            assert page.get("amdgpu_up", gpu=gpu) == 1 and page.get("amdgpu_power_watts", gpu=gpu) is not None


@test
def stop_with_a_hung_gpu_is_bounded_and_names_it():
    with Node("mi210:2", conf=FAST + "\nstale_after = 1s") as node:
        node.ctl("fault", "gpu1", "all", "hang")
        node.wait_page(lambda page: page.get("amdgpu_up", gpu=1) == 0, 10)
        pid = node.keeper_pid()
        began = time.monotonic()
        os.kill(pid, signal.SIGTERM)
        eventually(lambda: not os.path.exists(f"/proc/{pid}") or open(f"/proc/{pid}/stat").read().split(") ")[1][0] == "Z",
                   6, "the keeper's end")
        assert time.monotonic() - began < 4
        text = node.log_text()
        assert re.search(r"GPU 1 \(0000:..:00\.0\) did not answer", text), text


@test
def a_lost_card_and_its_return_under_another_number():
    with Node("mi210:8", conf=FAST, journal=True) as node:
        pcis = {labels["gpu"]: labels["pci"] for labels, _ in node.page().all("amdgpu_up")}
        ids = {labels["gpu"]: labels["unique_id"] for labels, _ in node.page().all("amdgpu_info")}
        node.ctl("remove", "gpu3")
        page = node.wait_page(lambda page: page.get("amdgpu_state", gpu=3, state="lost") == 1, 10, "lost")
        assert page.get("amdgpu_up", gpu=3) == 0
        assert {key[0] for key in page.gpu(3)} <= {"amdgpu_info", "amdgpu_up", "amdgpu_state",
                                                  "amdgpu_sample_timestamp_seconds"}, page.gpu(3)
        assert page.get("rocwatch_gpus") == 7 and page.get("rocwatch_gpus_expected") == 8
        entry = node.wait_entry(lambda entry: entry.get("RULE") == "gpu-absent", 10)
        assert entry["GPU"] == "3" and entry["PCI_ADDRESS"] == pcis["3"], entry
        for gpu in others(page, 3):
            assert page.get("amdgpu_up", gpu=gpu) == 1
        # Its card number may go to another card; whoever answers under gpu 3 must be the same card.
        node.ctl("add", "gpu3", "as", "card17")
        page = node.wait_page(lambda page: page.get("amdgpu_up", gpu=3) == 1 and page.get("amdgpu_power_watts", gpu=3), 15, "back")
        info = page.all("amdgpu_info", gpu=3)[0][0]
        assert info["pci"] == pcis["3"] and info["unique_id"] == ids["3"] and info["card"] == "card17", info
        assert page.get("rocwatch_gpus") == 8
        node.ctl("set", "gpu3", "hwmon/power1_average", "123000000")
        node.ctl("set", "gpu4", "hwmon/power1_average", "45000000")
        node.wait_page(lambda page: page.get("amdgpu_power_watts", gpu=3) == 123 and
                       page.get("amdgpu_power_watts", gpu=4) == 45, 10, "own values")


@test
def cards_that_swap_numbers_keep_their_own_values():
    """After a driver reload the library's indices lead to the other card: not one sample may be taken from it."""
    with Node("mi210:4", conf=FAST) as node:
        used = {1: 11 << 30, 2: 22 << 30}
        for gpu, size in used.items():
            node.ctl("set", f"gpu{gpu}", "mem_info_vram_used", str(size))
        node.wait_page(lambda page: all(page.get("amdgpu_memory_used_bytes", gpu=gpu, pool="vram") == size
                                        for gpu, size in used.items()), 20)
        restarts = node.page().get("rocwatch_sampler_restarts_total")
        node.ctl("swap", "gpu1", "gpu2")

        def look(page):
            for gpu, size in used.items():
                got = page.get("amdgpu_memory_used_bytes", gpu=gpu, pool="vram")
                assert got in (size, None), (gpu, got)
            return page.get("rocwatch_sampler_restarts_total") > restarts and got
        node.wait_page(look, 30, "a fresh look")


@test
def a_killed_sampler_is_replaced_and_nothing_is_lost():
    with Node("mi210:4", workload="training", journal=True) as node:
        before = node.wait_passes(3)
        os.kill(node.sampler_pid(), signal.SIGKILL)
        began = time.monotonic()
        page = node.wait_page(lambda page: page.get("rocwatch_sampler_restarts_total") == 1 and all(
            page.get("rocwatch_passes_total", gpu=gpu) > before.get("rocwatch_passes_total", gpu=gpu) + 1 for gpu in range(4)),
            5, "samples again")
        assert time.monotonic() - began < 5
        for gpu in range(4):
            for family, labels in (("amdgpu_busy_seconds_total", {"engine": "gfx"}), ("amdgpu_energy_joules_total", {}),
                                   ("rocwatch_passes_total", {}), ("amdgpu_sample_timestamp_seconds", {})):
                assert page.get(family, gpu=gpu, **labels) >= before.get(family, gpu=gpu, **labels), family
            assert page.get("amdgpu_up", gpu=gpu) == 1
        assert page.get("rocwatch_alert_firing", rule="gpu-absent", gpu=0) == 0
        entry = node.wait_entry(lambda entry: "sampler" in entry["MESSAGE"] and "signal 9" in entry["MESSAGE"], 5)
        assert entry["PRIORITY"] == "4", entry


@test
def a_sampler_that_dies_while_a_gpu_holds_it():
    """With a thread in the kernel the dead process cannot be reaped: the others must not wait for that."""
    for sig in (signal.SIGABRT, signal.SIGKILL, signal.SIGSTOP):
        with Node("mi210:4", conf=FAST + "\nstale_after = 1s") as node:
            node.ctl("fault", "gpu1", "all", "hang")
            node.wait_page(lambda page: page.get("amdgpu_state", gpu=1, state="hung") == 1, 10)
            before, pid = node.page(), node.sampler_pid()
            os.kill(pid, sig)
            page = node.wait_page(lambda page: page.get("rocwatch_sampler_restarts_total") == 1 and all(
                page.get("rocwatch_passes_total", gpu=gpu) > before.get("rocwatch_passes_total", gpu=gpu) + 2
                for gpu in (0, 2, 3)), 10, f"the others after {sig.name}")
            assert page.get("amdgpu_state", gpu=1, state="hung") == 1, "it hangs as before"
            # Let go, it is watched again, by a sampler that has the library.
            node.ctl("clear", "gpu1")
            node.wait_page(lambda page: page.get("amdgpu_state", gpu=1, state="ok") == 1 and
                           page.get("amdgpu_power_watts", gpu=1) and
                           "library_path" in page.all("rocwatch_source_info")[0][0], 20, f"GPU 1 after {sig.name}")


@test
def a_hung_gpu_stays_hung_over_a_restart():
    """No moment of "up", no false recovery, and the others are watched on."""
    with Node("mi210:4", conf=FAST + "\nstale_after = 1s", journal=True) as node:
        node.ctl("fault", "gpu1", "all", "hang")
        node.wait_page(lambda page: page.get("amdgpu_state", gpu=1, state="hung") == 1, 10)
        for interval in (300, 250):
            before = node.page()
            node.write_conf(FAST.replace("interval = 200ms", f"interval = {interval}ms", 1) + "\nstale_after = 1s")
            node.hang_up()

            def look(page, before=before):
                assert page.get("amdgpu_state", gpu=1, state="hung") == 1 and page.get("amdgpu_up", gpu=1) == 0, page.all("amdgpu_state", gpu=1)
                assert all(page.get("amdgpu_up", gpu=gpu) == 1 for gpu in (0, 2, 3))
                return page.get("rocwatch_sampler_restarts_total") > before.get("rocwatch_sampler_restarts_total") and all(
                    page.get("rocwatch_passes_total", gpu=gpu) > before.get("rocwatch_passes_total", gpu=gpu) + 8
                    for gpu in (0, 2, 3))
            node.wait_page(look, 20, "the new rate")
        told = [entry["MESSAGE"] for entry in node.entries() if "GPU 1" in entry["MESSAGE"] and "RULE" not in entry]
        assert len([text for text in told if "hangs" in text]) == 1 and not [text for text in told if "again" in text], told
        assert node.page().get("rocwatch_read_errors_total", gpu=1, reason="timeout") == 1


@test
def readings_that_are_all_gone_are_never_up():
    """A new sampler does not know that the card once answered; the daemon does."""
    with Node("mi210:2", conf=FAST) as node:
        node.ctl("fault", "gpu1", "all", "einval")
        node.wait_page(lambda page: page.get("amdgpu_up", gpu=1) == 0, 10)
        os.kill(node.sampler_pid(), signal.SIGKILL)

        def look(page):
            assert page.get("amdgpu_up", gpu=1) == 0
            return page.get("rocwatch_sampler_restarts_total") == 1
        node.wait_page(look, 10)
        node.wait_passes(4)
        assert node.page().get("amdgpu_state", gpu=1, state="error") == 1
        node.ctl("clear", "gpu1")
        node.wait_page(lambda page: page.get("amdgpu_up", gpu=1) == 1, 10)


@test
def nobody_to_ask_is_an_error():
    with Node("mi210:2", arguments=["--source", "rocm_smi", "--rocm-smi-library", "/nonexistent.so"], ready=False) as node:
        eventually(lambda: _page_or_none(node), 20)
        page = node.wait_page(lambda page: page.get("amdgpu_state", gpu=0, state="error") == 1, 20)
        assert page.get("amdgpu_up", gpu=0) == 0
        eventually(lambda: "set source = auto" in node.log_text(), 5, "the way out")


def _status_or_none(node):
    try:
        return node.get("/-/ready")[0]
    except OSError:
        return None


def _page_or_none(node):
    try:
        return node.page()
    except OSError:
        return None


@test
def a_card_that_was_away_for_a_moment():
    """Removed and back under the same numbers between two looks: the files of before lead nowhere."""
    with Node("mi210:4", conf="[sampler]\ninterval = 200ms\nrescan = 2s") as node:
        card = node.page().all("amdgpu_info", gpu=1)[0][0]["card"]
        node.ctl("remove", "gpu1")
        node.ctl("add", "gpu1", "as", card)
        node.ctl("set", "gpu1", "hwmon/power1_average", "123000000")
        node.wait_page(lambda page: page.get("amdgpu_power_watts", gpu=1) == 123 and
                       page.get("amdgpu_temperature_celsius", gpu=1, sensor="junction") and
                       page.get("amdgpu_pcie_link_width_lanes", gpu=1), 20, "its values")


@test
def an_abort_in_the_library_never_reaches_the_keeper():
    blob = shared("field-data", "constructed", "v1_5-mi300x-like", "gpu_metrics")
    shim = BUILD / "abort_shim.so"
    if not shim.exists():
        raise Skip(f"{shim} is not built")
    with Node("mi210:2", arguments=["--rocm-smi-library", str(shim)], journal=True, ready=False) as node:
        node.ctl("load", "gpu1", "gpu_metrics", str(blob))
        node.wait_ready()
        keeper = node.keeper_pid()
        node.wait_page(lambda page: page.get("rocwatch_sampler_restarts_total") >= 2, 15, "two deaths")
        page = node.wait_page(lambda page: page.get("amdgpu_up", gpu=0) == 1 and page.get("amdgpu_up", gpu=1) == 1 and
                              "library_path" not in page.all("rocwatch_source_info")[0][0], 15, "life without the library")
        assert page.get("amdgpu_power_watts", gpu=1) is not None
        after = node.wait_passes(3)
        assert after.get("rocwatch_sampler_restarts_total") == page.get("rocwatch_sampler_restarts_total")
        assert node.keeper_pid() == keeper
        told = [entry for entry in node.entries() if "ended the sampler 2 times" in entry["MESSAGE"]]
        assert len(told) == 1, [entry["MESSAGE"] for entry in node.entries()]
        assert [entry for entry in node.entries() if "signal 6" in entry["MESSAGE"]], "it was an abort"


@test
def failing_readings_are_absent_counted_and_told_once():
    modes = ("eio", "eperm", "einval", "empty", "garbage", "ones")
    with Node("mi210:8", conf=FAST) as node:
        node.wait_passes(2)
        for mode in modes:
            start = len(node.log_text().splitlines())
            before = node.page()
            node.ctl("fault", "gpu3", "hwmon/power1_average", mode)
            node.wait_passes(6)
            page = node.page()
            assert page.get("amdgpu_power_watts", gpu=3) is None, (mode, page.get("amdgpu_power_watts", gpu=3))
            assert page.get("amdgpu_up", gpu=3) == 1
            count = sum(value for _, value in page.all("rocwatch_read_errors_total", gpu=3, quantity="power"))
            assert count > sum(value for _, value in before.all("rocwatch_read_errors_total", gpu=3, quantity="power")), mode
            for gpu in others(page, 3):
                assert page.get("amdgpu_power_watts", gpu=gpu) is not None
                assert not page.all("rocwatch_read_errors_total", gpu=gpu, quantity="power")
            told = [line for line in node.log_text().splitlines()[start:] if "GPU 3" in line and "power" in line]
            assert len(told) <= 1, told
            node.ctl("clear", "gpu3")
            node.wait_page(lambda page: page.get("amdgpu_power_watts", gpu=3) is not None, 5)
        assert "no reading of power" in node.log_text()


@test
def a_busy_file_that_fails_is_never_zero():
    """The library calls a failed read of gpu_busy_percent a success with 0."""
    with Node("mi210:2", conf=FAST) as node:
        for mode in ("eio", "empty", "einval"):
            node.ctl("fault", "gpu0", "gpu_busy_percent", mode)
            node.wait_passes(3)
            assert node.page().get("amdgpu_utilization_ratio", gpu=0, engine="gfx") is None, mode
            node.ctl("clear", "gpu0")
            node.wait_page(lambda page: page.get("amdgpu_utilization_ratio", gpu=0, engine="gfx") is not None, 5)


@test
def a_sleeping_gpu_is_not_woken():
    with Node("mi210:2", conf=FAST) as node:
        node.ctl("suspend", "gpu1")
        page = node.wait_page(lambda page: page.get("amdgpu_state", gpu=1, state="suspended") == 1, 5)
        assert page.get("amdgpu_up", gpu=1) == 1 and page.get("amdgpu_power_watts", gpu=1) is None
        files = ("gpu_metrics", "gpu_busy_percent", "hwmon/power1_average", "hwmon/temp2_input")
        before = [node.ctl("reads", "gpu1", file) for file in files]
        node.wait_passes(5)
        assert [node.ctl("reads", "gpu1", file) for file in files] == before
        node.ctl("resume", "gpu1")
        node.wait_page(lambda page: page.get("amdgpu_power_watts", gpu=1) is not None, 5)


if __name__ == "__main__":
    tap.main()
