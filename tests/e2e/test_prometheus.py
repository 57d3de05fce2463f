#!/usr/bin/env python3
"""A real Prometheus scrapes a real daemon: PromQL returns what the card shows; promtool has no complaint."""
import json
import shutil
import subprocess
import tempfile
import urllib.parse
import urllib.request

import tap
from node import Node, free_port
from tap import Skip, eventually, test


class Prometheus:
    def __init__(self, target):
        if shutil.which("prometheus") is None:
            raise Skip("prometheus is not installed")
        self.directory = tempfile.TemporaryDirectory(prefix="rocwatch-prometheus.")
        self.port = free_port()
        config = f"{self.directory.name}/prometheus.yml"
        with open(config, "w", encoding="utf-8") as file:
            file.write("global: {scrape_interval: 1s, scrape_timeout: 1s}\nscrape_configs:\n"
                       f"- job_name: rocwatch\n  static_configs: [{{targets: ['127.0.0.1:{target}']}}]\n")
        self.process = subprocess.Popen(
            ["prometheus", f"--config.file={config}", f"--storage.tsdb.path={self.directory.name}/data",
             f"--web.listen-address=127.0.0.1:{self.port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(timeout=20)
        self.directory.cleanup()

    def query(self, expression):
        """label dict and value of each series."""
        url = f"http://127.0.0.1:{self.port}/api/v1/query?" + urllib.parse.urlencode({"query": expression})
        try:
            with urllib.request.urlopen(url, timeout=5) as answer:
                return [(series["metric"], float(series["value"][1])) for series in json.load(answer)["data"]["result"]]
        except OSError:
            return []


@test
def a_real_prometheus_scrapes_it():
    with Node("mi210:8", workload="training") as node:
        node.ctl("set", "gpu5", "hwmon/power1_average", "287000000")
        with Prometheus(node.port) as prometheus:
            found = eventually(lambda: [item for item in prometheus.query("amdgpu_power_watts == 287")], 30, "the value")
            assert len(found) == 1 and found[0][0]["gpu"] == "5", found
            assert prometheus.query("sum(amdgpu_up)")[0][1] == 8
            assert prometheus.query('up{job="rocwatch"}')[0][1] == 1
            joined = prometheus.query("amdgpu_power_watts * on(gpu, pci) group_left(unique_id) amdgpu_info")
            assert len(joined) == 8 and all("unique_id" in labels for labels, _ in joined), joined
            eventually(lambda: [v for _, v in prometheus.query("rate(amdgpu_energy_joules_total[20s])") if v > 0], 20, "a rate")
            # A card that is lost: its series end, they do not freeze.
            node.ctl("remove", "gpu5")
            eventually(lambda: prometheus.query('amdgpu_up{gpu="5"} == 0'), 15, "amdgpu_up 0")
            eventually(lambda: not prometheus.query('amdgpu_power_watts{gpu="5"}'), 15, "the end of the series")
            assert len(prometheus.query("amdgpu_power_watts")) == 7


def promtool(text):
    if shutil.which("promtool") is None:
        raise Skip("promtool is not installed")
    done = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 0 and not done.stderr.strip() and not done.stdout.strip(), done.stdout + done.stderr


def check_profile(profile):
    with Node(f"{profile}:2") as node:
        promtool(node.get()[2])


for name in ("mi100", "mi210", "mi300x", "rx7900xtx", "strix-apu"):
    tap.add(f"promtool_{name}", lambda name=name: check_profile(name))


if __name__ == "__main__":
    tap.main()
