"""node - the built daemon on a simulated GPU node, as the end-to-end tests use it."""
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

from tap import Skip, eventually

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / os.environ.get("ROCWATCH_BUILD", "build")
SHARED = pathlib.Path(os.environ.get("ROCWATCH_SHARED", ROOT.parent / "shared"))
DAEMON = BUILD / "rocwatchd"
SIM = BUILD / "rocwatch-sim"
SERIES = re.compile(r'^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$')
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"')


def need_simulator():
    if not os.access("/dev/fuse", os.R_OK | os.W_OK):
        raise Skip("/dev/fuse cannot be opened here: the simulator needs it")
    if os.geteuid() != 0:
        raise Skip("the simulator's mount namespaces need root here")


def shared(*parts):
    """A path of the field data, or a skip."""
    path = SHARED.joinpath(*parts)
    if not path.exists():
        raise Skip(f"the field data is not here ({os.path.join('shared', *parts)})")
    return path


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Page:
    """A parsed /metrics."""

    def __init__(self, text):
        self.text = text
        self.series = {}
        for line in text.splitlines():
            if line.startswith("#") or not line:
                continue
            match = SERIES.match(line)
            assert match, f"not a series: {line!r}"
            labels = dict(LABEL.findall(match.group(2) or ""))
            key = (match.group(1), frozenset(labels.items()))
            assert key not in self.series, f"twice on the page: {line}"
            self.series[key] = float(match.group(3))

    def get(self, name, **labels):
        """The value of the one series of that name that has these labels, else None."""
        wanted = {(key, str(value)) for key, value in labels.items()}
        found = [value for (family, has), value in self.series.items() if family == name and wanted <= has]
        assert len(found) <= 1, f"{name} {labels} is {len(found)} series"
        return found[0] if found else None

    def all(self, name, **labels):
        """label dict -> value of every series of that name that has these labels."""
        wanted = {(key, str(value)) for key, value in labels.items()}
        return [(dict(has), value) for (family, has), value in self.series.items() if family == name and wanted <= has]

    def gpu(self, gpu):
        """Every amdgpu series of a GPU, without the labels that all have: for comparing."""
        return {(family, frozenset(item for item in has if item[0] not in ("gpu", "pci"))): value
                for (family, has), value in self.series.items()
                if family.startswith("amdgpu_") and ("gpu", str(gpu)) in has}

    def families(self):
        return {line.split()[2] for line in self.text.splitlines() if line.startswith("# TYPE ")}


class Node:
    """with Node("mi210:8") as node: …"""

    def __init__(self, gpus=None, trees=(), arguments=(), conf=None, rules=None, workload="steady", journal=False,
                 environment=None, ready=True, seed=1, wrap=()):
        need_simulator()
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="rocwatch-e2e."))
        self.directory.chmod(0o755)
        self.socket = str(self.directory / "sim.sock")
        self.log_path = self.directory / "log"
        self.port = free_port()
        self.journal = journal
        self.conf = self.directory / "rocwatch.conf"
        self.rules_dir = self.directory / "rules.d"
        self.rules_dir.mkdir()
        self.write_conf(conf or "", rules)
        command = [str(SIM), "run", "--control", self.socket, "--seed", str(seed), "--profiles",
                   str(ROOT / "tests/sim/profiles")]
        command += ["--workload", workload] if workload else []
        command += ["--gpus", gpus] if gpus else []
        for tree in trees:
            command += ["--tree", str(tree)]
        command += ["--"] + ([str(ROOT / "tests/e2e/with-journal")] if journal else [])
        command += [*(word.replace("@SOCKET@", self.socket) for word in wrap), str(DAEMON), "--config", str(self.conf), "--listen", f"127.0.0.1:{self.port}", *arguments]
        # What ASan reports goes to the log of the process it is of; a leak check of a sampler that is killed says nothing.
        env = dict(os.environ, **(environment or {}))
        self.log = open(self.log_path, "wb")  # pylint: disable=consider-using-with
        self.process = subprocess.Popen(command, stdout=self.log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=env)
        self.stopped = False
        try:
            if ready:
                self.wait_ready()
        except BaseException:
            print("\n".join("# " + line for line in self.log_text().splitlines()[-40:]))
            self.__exit__(None, None, None)
            raise

    def write_conf(self, conf, rules=None):
        self.conf.write_text(f"{conf}\n[alerts]\nrules_dir = {self.rules_dir}\n")
        if rules is not None:
            (self.rules_dir / "50-test.conf").write_text(rules)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is not None and not issubclass(kind, Skip):
            print("\n".join("# log: " + line for line in self.log_text().splitlines()[-40:]))
        if not self.stopped:
            self.stop(check=kind is None)
        shutil.rmtree(self.directory, ignore_errors=True)

    def get(self, path="/metrics", method="GET", headers=None):
        """(status, headers, body)"""
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", method=method, headers=headers or {})
        try:
            with urllib.request.urlopen(request, timeout=5) as answer:
                return answer.status, answer.headers, answer.read().decode()
        except urllib.error.HTTPError as answer:
            return answer.code, answer.headers, answer.read().decode()

    def page(self):
        status, _, body = self.get()
        assert status == 200, status
        return Page(body)

    def wait_ready(self):
        def is_ready():
            assert self.process.poll() is None, f"ended with {self.process.returncode}"
            try:
                return self.get("/-/ready")[0] == 200
            except OSError:
                return False
        eventually(is_ready, 40, "ready")

    def wait_page(self, check, timeout, what="the page"):
        """Scrapes until check(page) is true; returns that page."""
        last = []

        def look():
            last[:] = [self.page()]
            return last[0] if check(last[0]) else None
        return eventually(look, timeout, what)

    def wait_passes(self, count=2, timeout=40, gpus=None):
        """Until each GPU (or those named) has had that many passes more: what was set is then on the page."""
        before = {labels["gpu"]: value for labels, value in self.page().all("rocwatch_passes_total")}
        wanted = [str(gpu) for gpu in gpus] if gpus is not None else list(before)

        def enough(page):
            now = {labels["gpu"]: value for labels, value in page.all("rocwatch_passes_total")}
            return all(now[gpu] >= before[gpu] + count for gpu in wanted)
        return self.wait_page(enough, timeout, "passes")

    def ctl(self, *words):
        done = subprocess.run([str(SIM), "ctl", self.socket, *words], capture_output=True, text=True, timeout=20, check=False)
        assert done.returncode == 0, f"ctl {words}: {done.stderr}{done.stdout}"
        return done.stdout.strip()

    def keeper_pid(self):
        """Of the daemon: the simulator's child."""
        return _children(self.process.pid, "rocwatchd")[0]

    def sampler_pid(self):
        found = _children(self.keeper_pid(), "rocwatch-sample")
        return found[0] if found else None

    def log_text(self):
        return self.log_path.read_text(errors="replace")

    def entries(self):
        """The journal, oldest first, as dicts."""
        done = subprocess.run(["journalctl", "-q", "-D", f"/proc/{self.keeper_pid()}/root/run/log/journal", "-o", "json",
                               "--no-pager"], capture_output=True, text=True, timeout=20, check=False)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def wait_entry(self, check, timeout, what="journal entry"):
        def look():
            return next((entry for entry in self.entries() if check(entry)), None)
        return eventually(look, timeout, what)

    def hang_up(self):
        os.kill(self.keeper_pid(), signal.SIGHUP)

    def stop(self, check=True, within=6):
        """Ends it as systemd would; it must go in time and with status 0."""
        self.stopped = True
        began = time.monotonic()
        if self.process.poll() is None:
            self.process.terminate()
        try:
            self.process.wait(timeout=within)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            if check:
                raise
        finally:
            self.log.close()
        if check:
            text = self.log_text()
            assert "ERROR: AddressSanitizer" not in text and "runtime error:" not in text, text[-4000:]
            assert self.process.returncode == 0, f"status {self.process.returncode}"
        return time.monotonic() - began


def _children(pid, name):
    """Children of a process by the start of their command name."""
    found = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            text = stat.read_text()
        except OSError:
            continue
        inside, rest = text[text.index("(") + 1:text.rindex(")")], text[text.rindex(")") + 2:].split()
        if int(rest[1]) == pid and inside.startswith(name) and rest[0] != "Z":
            found.append(int(stat.parent.name))
    return sorted(found)
