#!/usr/bin/env python3
"""The command line, settings with mistakes, and the reload."""
import pathlib
import subprocess
import tempfile

import tap
from node import DAEMON, ROOT, Node
from tap import eventually, test


def run(*arguments):
    return subprocess.run([str(DAEMON), *arguments], capture_output=True, text=True, timeout=30, check=False)


def check(text, rules=None):
    """Output of --check-config on that text, and its status."""
    with tempfile.TemporaryDirectory() as directory:
        conf = pathlib.Path(directory, "rocwatch.conf")
        conf.write_bytes(text if isinstance(text, bytes) else text.encode())
        if rules is not None:
            pathlib.Path(directory, "rules.d").mkdir()
            pathlib.Path(directory, "rules.d", "a.conf").write_text(rules)
            conf.write_text(f"{text}\n[alerts]\nrules_dir = {directory}/rules.d\n")
        done = run("--config", str(conf), "--check-config")
        return done.returncode, (done.stdout + done.stderr).replace(directory, "DIR")


@test
def help_and_version():
    done = run("--help")
    assert done.returncode == 0 and "--listen ADDR:PORT" in done.stdout
    assert run("--version").stdout.startswith("rocwatchd ")
    bad = run("--nonsense")
    assert bad.returncode == 2 and "--help" in bad.stderr
    assert run("leftover").returncode == 2


@test
def lists_come_from_the_tables():
    metrics = run("--list-metrics").stdout
    for family in ("amdgpu_power_watts", "amdgpu_up", "rocwatch_passes_total"):
        assert family in metrics
    rules = run("--list-rules").stdout
    for rule in ("gpu-absent", "gpu-junction-hot", "gpu-thermal-throttling", "gpu-ecc-uncorrectable", "gpu-vram-full"):
        assert rule in rules, rules


@test
def documents_are_what_the_binary_says():
    assert run("--print-defaults").stdout == (ROOT / "config/rocwatch.conf").read_text()
    assert run("--list-metrics").stdout in (ROOT / "docs/metrics.md").read_text()


@test
def an_empty_file_and_the_shipped_one_are_fine():
    assert check("")[0] == 0
    status, text = check((ROOT / "config/rocwatch.conf").read_text())
    assert status == 0, text


@test
def every_mistake_is_shown_with_its_line():
    status, text = check("[sampler]\ninterval = 5ms\nintervall = 1s\nsource = nvml\n\n[nosuch]\nx = 1\n[web]\nlisten = here\n"
                         + "listen = 127.0.0.1:1\n" + "# " + "x" * 100 + "\n[alerts]\nburst = -1\nrules_dir = " + "y" * 300 + "\n")
    assert status == 1
    for line in (2, 3, 4, 6, 9, 10, 13, 14):
        assert f"DIR/rocwatch.conf:{line}:" in text, (line, text)
    assert "interval" in text and "100ms" in text, text


@test
def odd_files_are_mistakes():
    for content in (b"[sampler]\ninterval = 1s\0 junk\n", b"[sampler\ninterval = 1s\n", b"interval = 1s\n", b"[sampler]\nnonsense\n"):
        status, text = check(content)
        assert status == 1 and "rocwatch.conf:" in text, (content, text)
    with tempfile.TemporaryDirectory() as directory:
        done = run("--config", directory, "--check-config")
        assert done.returncode == 1 and "directory" in done.stderr, done.stderr
    done = run("--config", "/nonexistent/rocwatch.conf", "--check-config")
    assert done.returncode == 1 and "/nonexistent/rocwatch.conf" in done.stderr, done.stderr


@test
def mistakes_in_rules_are_shown_too():
    status, text = check("", "[alert a]\nkind = threshold\nmetric = amdgpu_power_watts\nabove = 95C\n"
                         "[alert b]\nkind = threshold\nmetric = amdgpu_nothing\nabove = 1\n[alert c]\nkind = magic\n")
    assert status == 1
    for line in (4, 7, 10):
        assert f"DIR/rules.d/a.conf:{line}:" in text, (line, text)


@test
def command_line_mistakes_are_named():
    for arguments in (("--listen", "nowhere"), ("--source", "nvml")):
        done = run(*arguments, "--check-config")
        assert done.returncode == 1 and arguments[0] in done.stderr and arguments[1] in done.stderr, done.stderr


@test
def a_reload_takes_new_settings_and_keeps_old_ones_on_a_mistake():
    with Node("mi210:2", conf="[sampler]\ninterval = 1s", journal=True) as node:
        assert node.page().get("rocwatch_config_last_reload_successful") == 1
        node.write_conf("[sampler]\ninterval = 1 parsec")
        node.hang_up()
        node.wait_page(lambda page: page.get("rocwatch_config_last_reload_successful") == 0, 5)
        entry = node.wait_entry(lambda entry: "rejected" in entry["MESSAGE"], 5)
        assert entry["PRIORITY"] == "3", entry
        assert any("rocwatch.conf:2" in entry["MESSAGE"] and "parsec" in entry["MESSAGE"] for entry in node.entries())
        node.wait_passes(2)
        node.write_conf("[sampler]\ninterval = 100ms\n", "[alert power-seen]\nkind = threshold\nmetric = amdgpu_power_watts\nabove = 1W\n")
        node.hang_up()
        page = node.wait_page(lambda page: page.get("rocwatch_config_last_reload_successful") == 1, 5)
        node.wait_page(lambda page: page.get("rocwatch_alert_firing", rule="power-seen", gpu=0) == 1, 10)
        start = page.get("rocwatch_passes_total", gpu=0)
        node.wait_page(lambda page: page.get("rocwatch_passes_total", gpu=0) > start + 30, 8, "the new rate")


@test
def a_reload_neither_repeats_nor_forgets_an_alert():
    rules = '[alert warm]\nkind = threshold\nmetric = amdgpu_temperature_celsius{sensor="edge"}\nabove = 90C\n'
    with Node("mi210:1", conf="[sampler]\ninterval = 100ms", rules=rules, journal=True) as node:
        node.ctl("set", "gpu0", "hwmon/temp1_input", "95000")
        node.wait_page(lambda page: page.get("rocwatch_alert_firing", rule="warm", gpu=0) == 1, 5)
        node.hang_up()
        node.wait_entry(lambda entry: "new settings are in force" in entry["MESSAGE"], 5)
        node.wait_passes(5)
        assert node.page().get("rocwatch_alert_firing", rule="warm", gpu=0) == 1
        assert len([entry for entry in node.entries() if entry.get("RULE") == "warm"]) == 1


@test
def a_start_with_a_mistake_says_so_and_fails():
    with tempfile.TemporaryDirectory() as directory:
        conf = pathlib.Path(directory, "rocwatch.conf")
        conf.write_text("[web]\nlisten = x\n")
        done = run("--config", str(conf))
        assert done.returncode == 78 and "rocwatch.conf:2" in done.stderr, (done.returncode, done.stderr)


@test
def a_taken_port_is_told():
    with Node("mi210:1") as node:
        done = run("--listen", f"127.0.0.1:{node.port}")
        assert done.returncode == 1 and f"127.0.0.1:{node.port}" in done.stderr and "in use" in done.stderr, done.stderr


@test
def readiness_is_told_to_systemd():
    """Type=notify with the real protocol: READY after the first pass, STATUS, WATCHDOG, RELOADING, STOPPING."""
    import socket
    import threading
    with tempfile.TemporaryDirectory() as directory, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
        notify.bind(f"{directory}/notify")
        notify.settimeout(0.2)
        said, done = [], threading.Event()

        def listen():
            while not done.is_set():
                try:
                    said.append(notify.recv(4096).decode())
                except socket.timeout:
                    pass
        thread = threading.Thread(target=listen)
        thread.start()
        try:
            with Node("mi210:2", environment={"NOTIFY_SOCKET": f"{directory}/notify", "WATCHDOG_USEC": "2000000"}) as node:
                eventually(lambda: any("READY=1" in text for text in said), 5, "READY=1")
                eventually(lambda: any("STATUS=2 GPUs, 0 alerts firing" in text for text in said), 5, "STATUS")
                eventually(lambda: any("WATCHDOG=1" in text for text in said), 5, "WATCHDOG=1")
                node.hang_up()
                reloading = eventually(lambda: [text for text in said if "RELOADING=1" in text], 5, "RELOADING=1")
                assert "MONOTONIC_USEC=" in reloading[0]
            eventually(lambda: any("STOPPING=1" in text for text in said), 5, "STOPPING=1")
        finally:
            done.set()
            thread.join()


if __name__ == "__main__":
    tap.main()
