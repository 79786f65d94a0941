"""Runs the whole product from one command: Valkey, migrations, web, worker and beat, and keeps them running.

Decides the order of starting and stopping and what to restart. Every refusal is one sentence and leaves nothing
behind. Standard library only: this process stays for as long as the product runs and should weigh almost nothing.
"""

from __future__ import annotations

import os
import selectors
import signal
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path

from benchwarmers import valkey
from benchwarmers.child import Child
from benchwarmers.env import Environment, read_environment
from benchwarmers.env_values import BadSetting
from benchwarmers.folder import hold_home, make_home, make_secrets

ROOT = Path(__file__).resolve().parent.parent
VALKEY_WITHIN_S = 60.0
INIT_WITHIN_S = 600.0
WEB_WITHIN_S = 60.0
PYTHON = [sys.executable, "-m"]


class Stopped(Exception):
    """A signal asked for the end."""


class Supervisor:
    """The children, in the order they start; stopping goes the other way round."""

    def __init__(self, bench: Environment) -> None:
        self.bench = bench
        self.children: list[Child] = []
        self.selector = selectors.DefaultSelector()
        self.lifeline, self._held_end = os.pipe()
        self.stop_asked = 0
        self._wake, wakes = socket.socketpair()
        self._wake.setblocking(False)
        wakes.setblocking(False)
        self._wakes = wakes
        self.selector.register(self._wake, selectors.EVENT_READ)
        signal.set_wakeup_fd(wakes.fileno(), warn_on_full_buffer=False)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._ask_to_stop)
        signal.signal(signal.SIGCHLD, lambda *_: None)  # only to wake the loop

    def run(self) -> None:
        """Start everything in order, then keep it until a signal comes."""
        if self.bench.own_valkey:
            self.start_valkey()
        welcome = self.run_init()
        self.start_web()
        say(f"ready at {self.bench.address}")
        sys.stdout.write(welcome)
        sys.stdout.flush()
        self.start(Child("worker", [*PYTHON, "benchwarmers.background", "worker"], stop_within_s=10))
        self.start(Child("beat", [*PYTHON, "benchwarmers.background", "beat"], stop_within_s=5))
        while True:
            self.pump(1.0)
            self.restart_dead()

    def start_valkey(self) -> None:
        """Start this home's Valkey and wait until it has loaded its data."""
        listen = self.bench.socket_path
        # Systems without a parent-death signal leave it running when `up` was killed. The home's lock is ours.
        if valkey.ask(listen, "PING") is not None:
            valkey.ask(listen, "SHUTDOWN")
            self.wait_for(lambda: valkey.ask(listen, "PING") is None, 10, "The Valkey left from before does not stop.")
        command = valkey.server_command(valkey.find_server(), self.bench.home, listen)
        child = self.start(Child("valkey", command, stop_within_s=10))
        answers = lambda: valkey.ask(listen, "PING") == "+PONG"  # noqa: E731
        self.wait_for(answers, VALKEY_WITHIN_S, f"Valkey did not answer on {listen}.", child)

    def run_init(self) -> str:
        """Migrate and make the first owner in one process; returns what it has to say to a person."""
        child = Child("init", [sys.executable, "manage.py", "init"], stop_within_s=10, keeps_stdout=True)
        self.start(child)
        self.wait_for(lambda: child.ended() is not None, INIT_WITHIN_S, "The database was not ready in time.")
        self.children.remove(child)
        if child.ended() != "exit code 0":
            self.pump(0.1)
            raise BadSetting(f"Preparing the database failed ({child.ended()}); the lines above say why.")
        while self.pump(0.05):
            pass
        return child.stdout.decode("utf-8", "replace")

    def start_web(self) -> None:
        """Start the web process and wait until it answers."""
        child = self.start(Child("web", [*PYTHON, "benchwarmers.serve"], stop_within_s=15))
        self.wait_for(lambda: answers(self.bench), WEB_WITHIN_S, "The web process did not answer in time.", child)

    def start(self, child: Child) -> Child:
        """Start one child and read its output from now on."""
        if child not in self.children:
            self.children.append(child)
        for descriptor in child.start(time.monotonic(), self.lifeline, str(ROOT)):
            self.selector.register(descriptor, selectors.EVENT_READ, child)
        return child

    def wait_for(self, ready: Callable[[], bool], within_s: float, otherwise: str, child: Child | None = None) -> None:
        """Pass on output until `ready`; refuse with a sentence when the child ends first or the time is up."""
        until = time.monotonic() + within_s
        while not ready():
            self.pump(0.05)
            if child is not None and (how := child.ended()) is not None:
                self.pump(0.1)
                raise BadSetting(f"{child.name} could not start ({how}); the lines above say why.")
            if time.monotonic() > until:
                raise BadSetting(otherwise)

    def pump(self, timeout_s: float) -> bool:
        """Pass on what the children wrote, waiting at most so long; true when there was something.

        :raises Stopped: a signal asked for the end, and stopping has not begun.
        """
        busy = False
        for key, _ in self.selector.select(timeout_s):
            child = key.data
            if child is None:
                drain(self._wake)
                continue
            busy = True
            lines = child.read(key.fd)
            if lines is None:
                self.selector.unregister(key.fd)
                continue
            for line in lines:
                say(line, child.name)
        if self.stop_asked == 1:
            self.stop_asked = 2
            raise Stopped
        return busy

    def restart_dead(self) -> None:
        """Plan and do the restarts that are due."""
        now = time.monotonic()
        for child in self.children:
            if (how := child.ended()) is not None:
                say(f"{child.name} ended ({how}); starting it again in {child.plan_restart(now):g} s")
            elif child.start_at is not None and now >= child.start_at:
                self.start(child)

    def stop(self) -> None:
        """End every child, last started first: politely, then for certain. A second signal skips the politeness."""
        self.stop_asked = max(self.stop_asked, 2)
        for child in reversed(self.children):
            if not child.is_alive():
                continue
            child.signal(signal.SIGTERM)
            until = time.monotonic() + child.stop_within_s
            while child.is_alive() and time.monotonic() < until and self.stop_asked < 3:
                self.pump(0.1)
            if child.is_alive():
                say(f"{child.name} did not stop in time and was killed")
                child.signal(signal.SIGKILL)
                while child.is_alive():
                    self.pump(0.05)

    def _ask_to_stop(self, *_: object) -> None:
        self.stop_asked += 1


def say(line: str, name: str = "up") -> None:
    """One prefixed line on stdout; a reader that went away does not stop the product."""
    try:
        sys.stdout.write(f"{name:>6} | {line}\n")
        sys.stdout.flush()
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 kept for the process's life


def drain(wake: socket.socket) -> None:
    """Empty the socket that signals write to."""
    try:
        while wake.recv(512):
            pass
    except BlockingIOError:
        return


def answers(bench: Environment) -> bool:
    """True when the web process says it is well."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(bench.bind, bench.bind)  # noqa: S104
    try:
        with socket.create_connection((host, bench.port), timeout=1.0) as connection:
            connection.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            return connection.recv(64).startswith(b"HTTP/1.1 200")
    except OSError:
        return False


def main() -> int:
    """Run until stopped; 0 after a clean stop, 1 after a refusal."""
    supervisor = None
    try:
        bench = read_environment()
        make_home(bench.home)
        lock = hold_home(bench.home)
        make_secrets(bench)
        check_ports(bench)
        supervisor = Supervisor(bench)
        supervisor.run()
    except BadSetting as refusal:
        say(str(refusal))
        return 1
    except Stopped:
        say("stopping")
        return 0
    finally:
        if supervisor is not None:
            supervisor.stop()
            os.close(lock)
    return 0


def check_ports(bench: Environment) -> None:
    """Refuse early, before anything is started, when a port is taken."""
    from benchwarmers.ports import listen

    for opened in listen(bench):
        opened.close()


if __name__ == "__main__":
    sys.exit(main())
