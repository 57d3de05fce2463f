"""tap - the few lines every end-to-end test needs: name a test, skip it with a reason, print TAP.

A test file defines functions under @test and ends with tap.main(). `FILE -k WORD` runs the tests whose name holds WORD.
"""
import argparse
import sys
import time
import traceback

_tests = []


class Skip(Exception):
    """Raised by a test that cannot run here; its text is the reason."""


def test(function):
    _tests.append(function)
    return function


def add(name, function):
    """A test made in a loop, one per profile or dump."""
    function.__name__ = name
    _tests.append(function)


def eventually(check, timeout, what="condition"):
    """Polls check() until it returns something true, and returns that. An edge of the world needs waiting: say how long at most."""
    deadline = time.monotonic() + timeout
    while True:
        got = check()
        if got:
            return got
        if time.monotonic() > deadline:
            raise AssertionError(f"{what} did not come true within {timeout} s")
        time.sleep(0.05)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-k", default="", help="run only tests whose name holds this word")
    wanted = parser.parse_args().k
    chosen = [t for t in _tests if wanted in t.__name__]
    print(f"1..{len(chosen)}", flush=True)
    failed = 0
    for number, function in enumerate(chosen, 1):
        name = function.__name__
        try:
            function()
            print(f"ok {number} - {name}", flush=True)
        except Skip as reason:
            print(f"ok {number} - {name} # SKIP {reason}", flush=True)
        except Exception:  # pylint: disable=broad-except
            failed += 1
            for line in traceback.format_exc().splitlines():
                print(f"# {line}")
            print(f"not ok {number} - {name}", flush=True)
    sys.exit(1 if failed else 0)
