#!/usr/bin/env python3
"""test_sim - the GPU simulator itself: its tree, its faults, and the real librocm_smi64 on it."""
import contextlib
import ctypes
import glob
import json
import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

import tap

REPO = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SIM = os.path.join(os.environ.get("ROCWATCH_BUILD", os.path.join(REPO, "build")), "rocwatch-sim")
SHARED = os.environ.get("ROCWATCH_SHARED", os.path.join(os.path.dirname(REPO), "shared"))
os.environ.setdefault("ROCWATCH_SIM_PROFILES", os.path.join(REPO, "tests", "sim", "profiles"))

# profile: cards asked for, KFD GPU nodes, gpu_metrics (size, format, content)
PROFILES = {
    "mi100": (2, 2, (120, 1, 3)),
    "mi210": (8, 8, (120, 1, 3)),
    "mi250x": (4, 4, (120, 1, 3)),
    "mi300x": (2, 2, (1664, 1, 6)),
    "mi300x-cpx": (8, 64, (1664, 1, 6)),
    "mi350x": (2, 2, (3872, 1, 8)),
    "rx6900xt": (1, 1, (120, 1, 3)),
    "rx7900xtx": (1, 1, (120, 1, 3)),
    "rx9070xt": (1, 1, (120, 1, 3)),
    "phoenix-apu": (1, 1, (120, 2, 1)),
    "strix-apu": (1, 1, (264, 3, 0)),
}


def needs_simulator():
    if not os.access(SIM, os.X_OK):
        raise AssertionError(f"{SIM} is not built")
    if not os.access("/dev/fuse", os.R_OK | os.W_OK):
        raise tap.Skip("/dev/fuse is missing or closed to us")
    if os.geteuid() != 0:
        raise tap.Skip("looking into the node's namespace from outside needs root")


class Node:
    """A running simulated machine, seen from outside through /proc/PID/root."""

    def __init__(self, *options, command=("sleep", "1000")):
        needs_simulator()
        self.directory = tempfile.mkdtemp(prefix="sim")
        self.socket = os.path.join(self.directory, "control")
        self.process = subprocess.Popen([SIM, "run", "--control", self.socket, *options, "--", *command])
        self.sys = f"/proc/{self.ctl('pid').strip()}/root/sys"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(20)
        finally:
            self.process.kill()
            shutil.rmtree(self.directory)

    def ask(self, *words):
        return subprocess.run([SIM, "ctl", self.socket, *words], capture_output=True, text=True, timeout=20)

    def ctl(self, *words):
        answer = self.ask(*words)
        assert answer.returncode == 0, answer.stderr
        return answer.stdout

    def refused(self, *words):
        answer = self.ask(*words)
        assert answer.returncode == 1 and answer.stderr.startswith("rocwatch-sim: "), answer
        return answer.stderr

    def cards(self):
        return [line.split() for line in self.ctl("list").splitlines()]

    def device(self, gpu):
        return f"{self.sys}/class/drm/{self.cards()[gpu][3]}/device"

    def hwmon(self, gpu):
        return f"{self.device(gpu)}/hwmon/{self.cards()[gpu][5]}"


def read(path):
    """One read(2), as a daemon does it."""
    fd = os.open(path, os.O_RDONLY)
    try:
        return os.read(fd, 65536)
    finally:
        os.close(fd)


def errno_of(path):
    try:
        read(path)
    except OSError as error:
        return error.strerror
    return None


def number(path):
    return int(read(path))


def gpu_nodes(sys_root):
    found = {}
    for node in glob.glob(f"{sys_root}/class/kfd/kfd/topology/nodes/*"):
        if number(f"{node}/gpu_id"):
            lines = read(f"{node}/properties").decode().splitlines()
            found[int(os.path.basename(node))] = {k: int(v) for k, v in map(str.split, lines)}
    return found


def check_profile(name):
    count, nodes, (size, fmt, content) = PROFILES[name]
    with Node("--gpus", f"{name}:{count}", "--workload", "steady") as node:
        cards = node.cards()
        assert [c[1] for c in cards] == [name] * count, cards
        assert [c[2] for c in cards] == sorted(c[2] for c in cards), "order of PCI addresses"
        kfd = gpu_nodes(node.sys)
        assert len(kfd) == nodes, kfd.keys()
        minors = {p["drm_render_minor"] for p in kfd.values()}
        assert minors == {int(m.rsplit("renderD")[1]) for m in glob.glob(f"{node.sys}/class/drm/renderD*")}
        for number_, properties in kfd.items():
            links = glob.glob(f"{node.sys}/class/kfd/kfd/topology/nodes/{number_}/io_links/*")
            assert len(links) == properties["io_links_count"], number_
        for gpu in range(count):
            device, hwmon, bdf = node.device(gpu), node.hwmon(gpu), cards[gpu][2]
            assert f"/{bdf}/" in os.readlink(f"{node.sys}/class/drm/{cards[gpu][3]}")
            assert f"/{bdf}/" in os.readlink(f"{node.sys}/class/drm/{cards[gpu][4]}")
            assert os.path.samefile(f"{device}/drm/{cards[gpu][3]}/device", device)
            assert os.path.samefile(f"{node.sys}/bus/pci/devices/{bdf}", device)
            assert os.path.samefile(f"{node.sys}/bus/pci/drivers/amdgpu", f"{device}/driver")
            assert os.path.samefile(f"{hwmon}/device", device)
            assert read(f"{device}/vendor") == b"0x1002\n" and read(f"{hwmon}/name") == b"amdgpu\n"
            assert f"PCI_SLOT_NAME={bdf}" in read(f"{device}/uevent").decode()
            location = int(bdf[5:7], 16) << 8
            assert any(p["location_id"] == location for p in kfd.values())
            table = read(f"{device}/gpu_metrics")
            assert struct.unpack_from("<HBB", table) == (size, fmt, content) and len(table) == size
            assert os.stat(f"{device}/gpu_metrics").st_size == 4096
            check_agreement(name, device, hwmon, table)
            for base, _, files in os.walk(device):
                for file in files:
                    if file not in ("gpu_metrics", "pcie_bw"):
                        assert b"$" not in read(os.path.join(base, file)), (base, file)


def check_agreement(name, device, hwmon, table):
    """Table, hwmon and the text files say the same."""
    busy, sclk = number(f"{device}/gpu_busy_percent"), number(f"{hwmon}/freq1_input") // 1000000
    power_file = f"{hwmon}/power1_average" if os.path.exists(f"{hwmon}/power1_average") else f"{hwmon}/power1_input"
    watts = number(power_file) // 1000000
    if table[2] == 1 and table[3] <= 3:
        assert struct.unpack_from("<HHH", table, 4) == tuple(
            number(f"{hwmon}/temp{i}_input") // 1000 for i in (1, 2, 3))
        assert struct.unpack_from("<H", table, 16)[0] == busy == 87
        assert struct.unpack_from("<H", table, 22)[0] == watts
        assert struct.unpack_from("<H", table, 54)[0] == sclk
    elif table[2] == 1:
        assert struct.unpack_from("<HH", table, 4) == tuple(
            number(f"{hwmon}/temp{i}_input") // 1000 for i in (2, 3))
        assert struct.unpack_from("<HH", table, 10) == (watts, busy)
        assert not glob.glob(f"{hwmon}/temp1_*") and not glob.glob(f"{hwmon}/in0_*"), name
        assert read(f"{device}/ras/umc_err_count").count(b"\n") == 3
    else:
        assert struct.unpack_from("<H", table, 4)[0] == number(f"{hwmon}/temp1_input") // 10
        assert not os.path.exists(f"{device}/mem_busy_percent")
    assert f"{sclk}Mhz *" in read(f"{device}/pp_dpm_sclk").decode(), read(f"{device}/pp_dpm_sclk")


for _name in PROFILES:
    tap.add(f"profile_{_name}", lambda name=_name: check_profile(name))


@tap.test
def profiles_are_listed():
    out = subprocess.run([SIM, "profiles"], capture_output=True, text=True, check=True).stdout
    assert {line.split()[0] for line in out.splitlines()} == set(PROFILES), out


@tap.test
def partitions_are_platform_devices():
    with Node("--gpus", "mi300x-cpx:2") as node:
        assert len(glob.glob(f"{node.sys}/devices/platform/amdgpu_xcp_*")) == 14
        assert "/amdgpu_xcp_0/" in os.readlink(f"{node.sys}/class/drm/card2")
        assert len(glob.glob(f"{node.sys}/bus/pci/drivers/amdgpu/*:*")) == 2
        kfd = gpu_nodes(node.sys).values()
        assert sorted(p["location_id"] & 7 for p in kfd) == sorted(list(range(8)) * 2)
        assert len({p["unique_id"] for p in kfd}) == 2
        assert read(f"{node.device(0)}/current_compute_partition") == b"CPX\n"


LIBRARY_PROBE = r"""
import ctypes as c, glob, json
rsmi = c.CDLL("librocm_smi64.so.1")
count, out = c.c_uint32(), []
first = rsmi.rsmi_init(c.c_uint64(0))
rsmi.rsmi_num_monitor_devices(c.byref(count))
def ask(function, kind, *arguments):
    value = kind()
    return [getattr(rsmi, function)(*arguments, c.byref(value)), value.value]
class Frequencies(c.Structure):
    _fields_ = [("supported", c.c_uint32), ("current", c.c_uint32), ("frequency", c.c_uint64 * 32)]
for i in range(count.value):
    clocks, table, errors = Frequencies(), (c.c_uint8 * 16384)(), (c.c_uint64 * 2)()
    bdf = ask("rsmi_dev_pci_id_get", c.c_uint64, i)[1]
    device = "/sys/bus/pci/devices/%04x:%02x:%02x.%x" % (bdf >> 32, bdf >> 8 & 255, bdf >> 3 & 31, bdf & 7)
    hwmon = glob.glob(device + "/hwmon/hwmon*")[0]
    number = lambda path: int(open(path).read())
    pairs = {
        "unique_id": (ask("rsmi_dev_unique_id_get", c.c_uint64, i), int(open(device + "/unique_id").read(), 16)),
        "edge": (ask("rsmi_dev_temp_metric_get", c.c_int64, i, 0, 0), number(hwmon + "/temp1_input")),
        "junction": (ask("rsmi_dev_temp_metric_get", c.c_int64, i, 1, 0), number(hwmon + "/temp2_input")),
        "memory": (ask("rsmi_dev_temp_metric_get", c.c_int64, i, 2, 0), number(hwmon + "/temp3_input")),
        "critical": (ask("rsmi_dev_temp_metric_get", c.c_int64, i, 1, 5), number(hwmon + "/temp2_crit")),
        "power": (ask("rsmi_dev_power_ave_get", c.c_uint64, i, 0), number(hwmon + "/power1_average")),
        "cap": (ask("rsmi_dev_power_cap_get", c.c_uint64, i, 0), number(hwmon + "/power1_cap")),
        "busy": (ask("rsmi_dev_busy_percent_get", c.c_uint32, i), number(device + "/gpu_busy_percent")),
        "used": (ask("rsmi_dev_memory_usage_get", c.c_uint64, i, 0), number(device + "/mem_info_vram_used")),
        "total": (ask("rsmi_dev_memory_total_get", c.c_uint64, i, 0), number(device + "/mem_info_vram_total")),
        "voltage": (ask("rsmi_dev_volt_metric_get", c.c_int64, i, 0, 0), number(hwmon + "/in0_input")),
        "replays": (ask("rsmi_dev_pci_replay_counter_get", c.c_uint64, i), 0),
        "ecc": ([rsmi.rsmi_dev_ecc_count_get(i, c.c_uint64(1), errors), list(errors)], [0, 0]),
        "table": ([rsmi.rsmi_dev_gpu_metrics_info_get(i, table), int.from_bytes(table[22:24], "little") * 10**6],
                  number(hwmon + "/power1_average")),
        "clock": ([rsmi.rsmi_dev_gpu_clk_freq_get(i, 0, c.byref(clocks)), clocks.frequency[clocks.current]],
                  number(hwmon + "/freq1_input")),
        "weight": (ask("rsmi_topo_get_link_weight", c.c_uint64, i, i ^ 1), 15),
    }
    out.append(pairs)
print(json.dumps([first, out]))
"""


def library_run(*options):
    needs_simulator()
    try:
        ctypes.CDLL("librocm_smi64.so.1")
    except OSError as error:
        raise tap.Skip("librocm_smi64.so.1 is not installed") from error
    return subprocess.run([SIM, "run", *options, "--", sys.executable, "-c", LIBRARY_PROBE],
                          capture_output=True, text=True, timeout=60)


@tap.test
def library_reads_eight_mi210():
    run = library_run("--gpus", "mi210:8", "--workload", "steady")
    assert run.returncode == 0, run.stderr
    first, gpus = json.loads(run.stdout)
    assert first == 0 and len(gpus) == 8, run.stdout
    for gpu in gpus:
        for what, ((status, got), want) in gpu.items():
            assert (status, got) == (0, want), f"{what}: status {status}, {got}, sysfs says {want}"


@tap.test
def library_reads_mixed_cards():
    run = library_run("--gpus", "mi100:2,mi250x:2", "--workload", "steady")
    assert run.returncode == 0 and json.loads(run.stdout)[0] == 0, run
    assert len(json.loads(run.stdout)[1]) == 4


FAULT_ERRNOS = {
    "eio": "Input/output error", "eperm": "Operation not permitted", "einval": "Invalid argument",
    "enodev": "No such device", "ebusy": "Device or resource busy",
}


@tap.test
def faults_come_from_read():
    with Node("--gpus", "mi210:2", "--workload", "steady") as node:
        path, table = f"{node.hwmon(1)}/temp2_input", f"{node.device(1)}/gpu_metrics"
        good, good_table = read(path), read(table)
        kept = os.open(path, os.O_RDONLY)
        for mode, text in FAULT_ERRNOS.items():
            node.ctl("fault", "gpu1", "hwmon/temp*_input", mode)
            assert errno_of(path) == text, mode
            with contextlib.suppress(OSError):
                os.pread(kept, 100, 0)
                raise AssertionError("a kept descriptor read on")
        for mode, want in {"empty": b"", "torn": good[:len(good) // 2], "ones": b"4294967295\n"}.items():
            node.ctl("fault", "gpu1", "hwmon/temp2_input", mode)
            assert read(path) == want, mode
        node.ctl("fault", "gpu1", "hwmon/temp2_input", "garbage")
        assert not read(path).strip().isdigit()
        for mode in "ones", "torn", "garbage":
            node.ctl("fault", "gpu1", "gpu_metrics", mode)
            bad = read(table)
            assert bad != good_table
            assert mode != "ones" or (bad[:4] == good_table[:4] and set(bad[4:]) == {255})
            assert mode != "torn" or (len(bad) == 60 and bad[:4] == good_table[:4])
        node.ctl("fault", "gpu1", "hwmon", "eio")
        assert errno_of(f"{node.hwmon(1)}/power1_average") and not errno_of(f"{node.device(1)}/vendor")
        node.ctl("fault", "gpu1", "all", "eio")
        assert errno_of(f"{node.device(1)}/vendor") and errno_of(f"{node.device(1)}/ras/umc_err_count")
        assert not errno_of(f"{node.device(0)}/vendor")
        node.ctl("clear", "gpu1")
        assert read(path) == good and os.pread(kept, 100, 0) == good
        os.close(kept)


@tap.test
def delay_delays():
    with Node("--gpus", "mi210", "--workload", "steady") as node:
        node.ctl("fault", "gpu0", "gpu_busy_percent", "delay=300ms")
        begun = time.monotonic()
        assert read(f"{node.device(0)}/gpu_busy_percent") == b"87\n"
        assert 0.29 < time.monotonic() - begun < 2


@tap.test
def hang_blocks_until_clear_even_when_killed():
    with Node("--gpus", "mi210:2") as node:
        device = node.device(1)
        node.ctl("fault", "gpu1", "all", "hang")
        readers = [subprocess.Popen(["cat", f"{device}/{name}"], stdout=subprocess.PIPE)
                   for name in ("vendor", "gpu_busy_percent")]
        tap.eventually(lambda: node.cards()[1][-1] == "waiting=2", 5, "both readers waiting")
        readers[1].kill()
        time.sleep(0.05)
        assert readers[1].poll() is None, "a hung read does not die of SIGKILL"
        assert read(f"{node.device(0)}/vendor") == b"0x1002\n"
        node.ctl("clear", "gpu1")
        assert readers[0].communicate(timeout=5)[0] == b"0x1002\n"
        readers[1].communicate(timeout=5)
        assert readers[1].returncode == -signal.SIGKILL


@tap.test
def hung_readers_end_with_the_node():
    with Node("--gpus", "mi210") as node:
        node.ctl("fault", "gpu0", "vendor", "hang")
        with subprocess.Popen(["cat", f"{node.device(0)}/vendor"], stderr=subprocess.DEVNULL) as reader:
            tap.eventually(lambda: node.cards()[0][-1] == "waiting=1", 5, "reader waiting")
            node.process.terminate()
            assert node.process.wait(5) == 128 + signal.SIGTERM
            assert reader.wait(5) != 0
        assert not os.path.exists(node.socket)


@tap.test
def hung_command_can_be_ended():
    needs_simulator()
    with Node("--gpus", "mi210", command=("sh", "-c", "sleep 0.3; exec cat /sys/class/drm/card1/device/vendor")) as node:
        node.ctl("fault", "gpu0", "vendor", "hang")
        tap.eventually(lambda: node.cards()[0][-1] == "waiting=1", 5, "command waiting")
        node.ctl("quit")
        assert node.process.wait(5) > 0


@tap.test
def values_are_set_loaded_deleted_and_cleared():
    with Node("--gpus", "mi210:2", "--workload", "steady") as node:
        device, hwmon = node.device(1), node.hwmon(1)
        before = read(f"{hwmon}/temp2_input")
        node.ctl("set", "gpu1", "hwmon/temp2_input", "97500")
        assert read(f"{hwmon}/temp2_input") == b"97500\n" == node.ctl("get", "gpu1", "hwmon/temp2_input").encode()
        node.ctl("set", "gpu1", "ras/made_up", "ue: 1\\nce: 2")
        assert read(f"{device}/ras/made_up") == b"ue: 1\nce: 2\n"
        blob = os.path.join(node.directory, "blob")
        with open(blob, "wb") as out:
            out.write(bytes(range(256)))
        node.ctl("load", "gpu1", "gpu_metrics", blob)
        assert read(f"{device}/gpu_metrics") == bytes(range(256))
        node.ctl("delete", "gpu1", "mem_busy_percent")
        assert not os.path.exists(f"{device}/mem_busy_percent")
        node.ctl("clear", "gpu1", "gpu_metrics")
        assert read(f"{device}/gpu_metrics")[:4] == b"\x78\x00\x01\x03"
        node.ctl("clear", "gpu1")
        assert read(f"{hwmon}/temp2_input") == before and os.path.exists(f"{device}/mem_busy_percent")
        assert not os.path.exists(f"{device}/ras/made_up")
        node.ctl("ecc", "gpu1", "umc", "ue", "+1")
        node.ctl("ecc", "gpu1", "umc", "ce", "+3")
        node.ctl("ecc", "gpu1", "umc", "ce", "+1")
        assert read(f"{device}/ras/umc_err_count") == b"ue: 1\nce: 4\n"
        assert read(f"{node.device(0)}/ras/umc_err_count") == b"ue: 0\nce: 0\n"


@tap.test
def card_leaves_and_returns_under_another_number():
    with Node("--gpus", "mi210:4") as node:
        before, nodes = node.cards()[2], f"{node.sys}/class/kfd/kfd/topology"
        generation = number(f"{nodes}/generation_id")
        kept = os.open(f"{node.device(2)}/gpu_busy_percent", os.O_RDONLY)
        device = node.device(2)
        node.ctl("remove", "gpu2")
        assert not os.path.exists(device) and not os.path.exists(f"{node.sys}/bus/pci/devices/{before[2]}")
        assert not os.path.exists(f"{node.sys}/class/hwmon/{before[5]}")
        assert len(gpu_nodes(node.sys)) == 3 and number(f"{nodes}/generation_id") == generation + 1
        try:
            os.pread(kept, 10, 0)
            raise AssertionError("a kept descriptor read on")
        except OSError as error:
            assert error.strerror == "No such device"
        os.close(kept)
        assert node.cards()[2][6] == "removed"
        node.refused("add", "gpu2", "as", "card1")
        node.ctl("add", "gpu2", "as", "card7")
        after = node.cards()[2]
        assert after[2] == before[2] and after[3] == "card7" and after[5] != before[5] and after[6] == "active"
        assert number(f"{node.device(2)}/gpu_busy_percent") >= 0 and len(gpu_nodes(node.sys)) == 4
        node.refused("add", "gpu2")


@tap.test
def swapped_cards_keep_their_identity():
    with Node("--gpus", "mi210:3") as node:
        ids = [read(f"{node.device(i)}/unique_id") for i in range(3)]
        before = node.cards()
        node.ctl("swap", "gpu1", "gpu2")
        after = node.cards()
        assert after[1][3:6] == before[2][3:6] and after[2][3:6] == before[1][3:6]
        assert [read(f"{node.device(i)}/unique_id") for i in range(3)] == ids


@tap.test
def suspended_card_refuses_and_counts():
    with Node("--gpus", "rx7900xtx") as node:
        device, hwmon = node.device(0), node.hwmon(0)
        node.ctl("suspend", "gpu0")
        assert read(f"{device}/power/runtime_status") == b"suspended\n"
        for path in f"{device}/gpu_busy_percent", f"{device}/gpu_metrics", f"{hwmon}/temp1_input", f"{device}/pp_dpm_sclk":
            assert errno_of(path) == "Operation not permitted", path
        assert not errno_of(f"{device}/unique_id") and not errno_of(f"{hwmon}/temp1_label")
        assert "refused=4" in node.cards()[0] and node.ctl("reads", "gpu0").startswith("refused 4\n")
        node.ctl("resume", "gpu0")
        assert not errno_of(f"{device}/gpu_busy_percent")
        assert node.ctl("reads", "gpu0", "gpu_busy_percent") == "2\n"
        assert node.ctl("reads", "gpu0", "mem_busy_percent") == "0\n"


@tap.test
def requests_that_make_no_sense_are_refused():
    with Node("--gpus", "mi210") as node:
        for words in (("nonsense",), ("set", "gpu9", "a", "b"), ("set", "gpu0", "a"), ("get", "gpu0", "nothing"),
                      ("fault", "gpu0", "nothing", "eio"), ("fault", "gpu0", "all", "nothing"),
                      ("workload", "gpu0", "nothing"), ("ecc", "gpu0", "nothing", "ue", "+1"),
                      ("ecc", "gpu0", "umc", "ue", "many"), ("load", "gpu0", "a", "/nothing"),
                      ("delete", "gpu0", "nothing"), ("add", "gpu0"), ("swap", "gpu0", "gpu0"), ("time", "-1")):
            node.refused(*words)
    for options in (["--gpus", "nothing"], ["--gpus", "mi210:0"], ["--workload", "nothing"], ["--tree", "/nothing"]):
        run = subprocess.run([SIM, "run", *options, "--", "true"], capture_output=True, text=True, timeout=10)
        assert run.returncode == 2 and run.stderr, options


@tap.test
def command_status_is_passed_on():
    needs_simulator()
    for script, want in (("exit 7", 7), ("kill -KILL $$", 137), ("exit 0", 0)):
        assert subprocess.run([SIM, "run", "--gpus", "mi210", "--", "sh", "-c", script], timeout=10).returncode == want
    run = subprocess.run([SIM, "run", "--", "/nothing"], stderr=subprocess.PIPE, timeout=10)
    assert run.returncode == 127


@tap.test
def shm_is_private():
    needs_simulator()
    script = "ls /dev/shm | wc -l; touch /dev/shm/simulated"
    out = subprocess.run([SIM, "run", "--", "sh", "-c", script], capture_output=True, text=True, check=True, timeout=10)
    assert out.stdout.strip() == "0" and not os.path.exists("/dev/shm/simulated")


def snapshot(seed, at):
    """All live values of two cards at a moment of simulated time."""
    with Node("--gpus", "mi210:8", "--workload", "training", "--seed", str(seed)) as node:
        node.ctl("time", str(at))
        return {f"{gpu}/{path}": node.ctl("get", f"gpu{gpu}", path)
                for gpu in (0, 5)
                for path in ("gpu_busy_percent", "hwmon/temp2_input", "hwmon/power1_average", "mem_info_vram_used",
                             "pp_dpm_sclk", "unique_id", "serial_number")}


@tap.test
def same_seed_same_values():
    first, again, other = snapshot(7, 33.5), snapshot(7, 33.5), snapshot(8, 33.5)
    assert first == again, (first, again)
    assert first != other and first["0/unique_id"] != first["5/unique_id"]


@tap.test
def workloads_behave():
    with Node("--gpus", "mi210:5", "--workload", "idle") as node:
        hwmon, device = [node.hwmon(i) for i in range(5)], [node.device(i) for i in range(5)]
        energy = lambda: struct.unpack_from("<Q", read(f"{device[1]}/gpu_metrics"), 24)[0] / 65536
        for gpu, name in enumerate(("idle", "training", "leak", "thermal-runaway", "off")):
            node.ctl("workload", f"gpu{gpu}", name)
        node.ctl("time", "20")
        start, cool = energy(), number(f"{hwmon[1]}/temp2_input")
        node.ctl("time", "80")
        assert number(f"{device[0]}/gpu_busy_percent") == 0 and number(f"{hwmon[0]}/power1_average") < 60e6
        assert number(f"{hwmon[1]}/temp2_input") >= cool - 3000
        mean = (energy() - start) / 60
        assert 150 < mean < 300, f"{mean} W from the energy counter"
        share = number(f"{device[1]}/mem_info_vram_used") / number(f"{device[1]}/mem_info_vram_total")
        assert 0.84 < share < 0.86
        assert number(f"{device[2]}/mem_info_vram_used") / number(f"{device[2]}/mem_info_vram_total") > 0.98
        assert number(f"{hwmon[3]}/temp2_input") > number(f"{hwmon[3]}/temp2_crit")
        bits = struct.unpack_from("<Q", read(f"{device[3]}/gpu_metrics"), 112)[0]
        assert bits >> 32 & 0xffff, f"no thermal throttle bit in {bits:#x}"
        assert number(f"{hwmon[3]}/freq1_input") < 0.8 * 1700e6
        assert number(f"{device[4]}/gpu_busy_percent") == 0


def dumps():
    return sorted(glob.glob(os.path.join(SHARED, "field-data", "lact", "*")))


def check_dump(directory):
    with Node("--tree", directory) as node:
        card = glob.glob(f"{directory}/card*")[0]
        device, count = node.device(0), 0
        for base, _, files in os.walk(f"{card}/device"):
            for name in files:
                source = os.path.join(base, name)
                with open(source, "rb") as saved:
                    assert read(os.path.join(device, os.path.relpath(source, f"{card}/device"))) == saved.read(), source
                count += 1
        assert count > 5 and os.path.basename(card) == node.cards()[0][3]
        assert os.path.exists(f"{device}/driver") and read(f"{device}/device")[:2] == b"0x"
        assert read(f"{device}/power/runtime_status").strip(b"\0") in (b"active\n", b"unsupported\n", b"suspended\n")
        minors = [p["drm_render_minor"] for p in gpu_nodes(node.sys).values()]
        assert minors == ([] if os.readlink(f"{device}/driver").endswith("radeon") else [128])
        node.ctl("fault", "gpu0", "uevent", "eio")
        assert errno_of(f"{device}/uevent") == "Input/output error"


for _dump in dumps():
    tap.add(f"dump_{os.path.basename(_dump)}", lambda directory=_dump: check_dump(directory))


@tap.test
def all_dumps_together():
    if not dumps():
        raise tap.Skip("no field data beside the repository")
    options = [word for dump in dumps() for word in ("--tree", dump)]
    with Node(*options, "--gpus", "mi210:2,rx7900xtx") as node:
        cards = node.cards()
        assert len(cards) == len(dumps()) + 3
        for column in 2, 3, 4, 5:
            assert len({c[column] for c in cards}) == len(cards), column
        for gpu, card in enumerate(cards):
            assert f"PCI_SLOT_NAME={card[2]}" in read(f"{node.device(gpu)}/uevent").decode()


if __name__ == "__main__":
    tap.main()
