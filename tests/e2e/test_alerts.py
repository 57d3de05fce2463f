#!/usr/bin/env python3
"""Rules judged on real samples, told to a real systemd-journald."""
import re

import tap
from node import Node
from tap import test

FAST = "[sampler]\ninterval = 100ms\nslow_interval = 200ms"


def firing(node, rule, gpu, timeout=15):
    return node.wait_entry(lambda entry: entry.get("RULE") == rule and entry.get("STATE") == "firing" and
                           entry.get("GPU") == str(gpu), timeout, f"{rule} on GPU {gpu}")


def of_rule(node, rule):
    return [entry for entry in node.entries() if entry.get("RULE") == rule]


@test
def a_hot_junction_fires_once_and_ends_once():
    with Node("mi210:2", conf=FAST, journal=True) as node:
        node.ctl("set", "gpu1", "hwmon/temp2_input", "104000")
        entry = firing(node, "gpu-junction-hot", 1, 40)
        assert entry["METRIC"] == 'amdgpu_temperature_celsius{sensor="junction"}', entry
        assert float(entry["VALUE"]) == 104 and float(entry["THRESHOLD"]) == 100, entry
        assert re.fullmatch("[0-9a-f]{32}", entry["MESSAGE_ID"]) and entry["PCI_ADDRESS"].startswith("0000:"), entry
        assert entry["SEVERITY"] in ("warning", "critical") and "104" in entry["MESSAGE"] and "GPU 1" in entry["MESSAGE"], entry
        page = node.page()
        assert page.get("rocwatch_alert_firing", rule="gpu-junction-hot", gpu=1) == 1
        assert page.get("rocwatch_alert_firing", rule="gpu-junction-hot", gpu=0) == 0
        assert page.get("rocwatch_alert_transitions_total", rule="gpu-junction-hot", to="firing") == 1
        node.ctl("clear", "gpu1")
        node.wait_entry(lambda entry: entry.get("RULE") == "gpu-junction-hot" and entry["STATE"] == "resolved", 60)
        assert len(of_rule(node, "gpu-junction-hot")) == 2, of_rule(node, "gpu-junction-hot")


@test
def an_uncorrectable_error_fires_at_once_and_a_neighbour_does_not():
    with Node("mi210:4", conf=FAST, journal=True) as node:
        node.wait_passes(5)
        node.ctl("ecc", "gpu2", "umc", "ue", "+1")
        entry = firing(node, "gpu-ecc-uncorrectable", 2)
        assert entry["PRIORITY"] == "2" and 'block="umc"' in entry["METRIC"], entry
        assert {entry["GPU"] for entry in of_rule(node, "gpu-ecc-uncorrectable")} == {"2"}
        assert node.page().get("amdgpu_ecc_errors_total", gpu=2, block="umc", severity="uncorrectable") == 1


@test
def a_sentinel_never_reaches_a_rule():
    with Node("mi210:2", conf=FAST, journal=True, rules="[alert hot]\nkind = threshold\n"
              'metric = amdgpu_temperature_celsius\nabove = 90C\n') as node:
        node.ctl("set", "gpu1", "hwmon/temp1_input", "65535000")
        node.wait_passes(10)
        assert not of_rule(node, "hot")
        assert node.page().get("amdgpu_temperature_celsius", gpu=1, sensor="edge") is None
        assert node.page().get("rocwatch_read_errors_total", gpu=1, quantity="temperature", reason="implausible") > 0
        node.ctl("set", "gpu1", "hwmon/temp1_input", "95000")
        assert float(firing(node, "hot", 1)["VALUE"]) == 95


@test
def vram_almost_full():
    with Node("mi210:2", conf=FAST, journal=True, rules="[alert gpu-vram-full]\nkind = threshold\n"
              'metric = amdgpu_memory_used_bytes{pool="vram"}\nabove = 95% of memory_total\nfor = 500ms\n') as node:
        total = int(node.ctl("get", "gpu0", "mem_info_vram_total"))
        node.ctl("set", "gpu0", "mem_info_vram_used", str(int(total * 0.97) // 4096 * 4096))
        entry = firing(node, "gpu-vram-full", 0)
        assert float(entry["THRESHOLD"]) == total * 0.95, entry


@test
def without_a_journal_alerts_go_to_stderr():
    with Node("mi210:2", conf=FAST, rules="[alert warm]\nkind = threshold\n"
              'metric = amdgpu_temperature_celsius{sensor="edge"}\nabove = 90C\n') as node:
        node.ctl("set", "gpu1", "hwmon/temp1_input", "95000")
        node.wait_page(lambda page: page.get("rocwatch_alert_firing", rule="warm", gpu=1) == 1, 10)
        tap.eventually(lambda: re.search(r"GPU 1 \(0000:.*95.*warm", node.log_text()), 5, "the line")


@test
def every_sample_is_judged_exactly_once():
    """One sample of a spike is enough for a rule without `for`, and no sample is judged twice."""
    with Node("mi210:1", conf="[sampler]\ninterval = 100ms", journal=True, rules="[alert spike]\nkind = threshold\n"
              "metric = amdgpu_power_watts\nabove = 290W\nclear_for = 0s\n") as node:
        for _ in range(3):
            node.ctl("set", "gpu0", "hwmon/power1_average", "295000000")
            node.wait_page(lambda page: page.get("rocwatch_alert_firing", rule="spike", gpu=0) == 1, 5)
            node.ctl("set", "gpu0", "hwmon/power1_average", "100000000")
            node.wait_page(lambda page: page.get("rocwatch_alert_firing", rule="spike", gpu=0) == 0, 5)
        page = node.page()
        assert page.get("rocwatch_alert_transitions_total", rule="spike", to="firing") == 3
        assert page.get("rocwatch_samples_missed_total") == 0


if __name__ == "__main__":
    tap.main()
